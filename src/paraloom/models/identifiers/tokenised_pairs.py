"""Pairs of texts in, their tokens out, ready to be put into batches: each distinct text is cut into tokens once.

A tokeniser's own way to join two texts is asked for once, with two letters, and then repeated here. Left to it, a pair
of two long texts would be cut into every combination of their parts, and a few such pairs take minutes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.encoders.batches import filled_width, padded, readable
from paraloom.models.identifiers import Examples

if TYPE_CHECKING:
    import torch

Row = NDArray[np.int64]

LONGEST_TEXT = 100_000
"""Of a longer text only so many characters are read."""


@dataclass(frozen=True, slots=True)
class Template:
    """How a model wants to be given texts: `[CLS] left [SEP] right [SEP]`, or with other marks around them."""

    marks: tuple[Row, ...]
    """Before the first text, then behind each."""
    segments: tuple[int, ...] | None
    """For the marks and texts in turn which text they belong to, where the model is told."""
    filler: int
    max_tokens: int

    @property
    def room(self) -> int:
        """Tokens that are left for texts."""
        return self.max_tokens - sum(len(mark) for mark in self.marks)

    def lengths(self, texts: Sequence[Row]) -> list[int]:
        """How long each text is alone, marks included."""
        marks = self.max_tokens - self.room
        return [min(len(text), self.room) + marks for text in texts]

    def joined(self, *texts: Row) -> tuple[Row, Row | None]:
        """Texts, already short enough, with all marks; and their segments."""
        parts: list[Row] = [self.marks[0]]
        for text, mark in zip(texts, self.marks[1:], strict=True):
            parts += [text, mark]
        if not any(map(len, parts)):  # no marks and no texts: a network must still be given something
            parts[0] = np.array([self.filler], np.int64)
        segments = None if self.segments is None else np.repeat(self.segments, [len(part) for part in parts])
        return np.concatenate(parts), segments


def template_of(tokeniser: Any, texts: int, max_tokens: int) -> Template:
    """How this tokeniser joins so many texts."""
    encoded = tokeniser(*["a"] * texts, return_special_tokens_mask=True)
    ids = np.array(encoded["input_ids"], np.int64)
    alone = len(tokeniser("a", add_special_tokens=False)["input_ids"])
    is_mark = np.array(encoded["special_tokens_mask"], np.bool_)
    kinds = encoded.get("token_type_ids") if "token_type_ids" in tokeniser.model_input_names else None
    starts = [0]
    for _ in range(texts):  # the borders of marks and texts in turn
        begin = starts[-1] + int(np.argmin(is_mark[starts[-1] :]))
        starts += [begin, begin + alone]
    borders = [*starts, len(ids)]
    parts = list(pairwise(borders))
    return Template(
        marks=tuple(ids[begin:end] for begin, end in parts[::2]),
        segments=None if kinds is None else tuple(kinds[min(begin, len(ids) - 1)] for begin, _ in parts),
        filler=tokeniser.pad_token_id or 0,
        max_tokens=max_tokens,
    )


def shares_of_room(left: int, right: int, room: int) -> tuple[int, int]:
    """How many tokens of each text are read: of a pair that is too long the longer text is cut.

    >>> shares_of_room(3, 90, 20), shares_of_room(50, 90, 21), shares_of_room(5, 6, 20)
    ((3, 17), (10, 11), (5, 6))
    """
    if left + right <= room:
        return left, right
    shorter = min(left, right, room // 2)
    return (shorter, room - shorter) if left <= right else (room - shorter, shorter)


@dataclass(frozen=True, slots=True)
class Distinct:
    """Distinct texts as tokens without marks, and pairs of their places, with targets and numbers of heads."""

    tokens: list[Row]
    left: Row
    right: Row
    targets: NDArray[np.float32]
    heads: Row

    def pair_lengths(self, template: Template) -> list[int]:
        """How long each pair is, marks included."""
        sizes = np.array([len(row) for row in self.tokens], np.int64)
        marks = template.max_tokens - template.room
        lengths: list[int] = (np.minimum(sizes[self.left] + sizes[self.right], template.room) + marks).tolist()
        return lengths


def tokenised(tokeniser: Any, examples: Sequence[Examples], definitions: Sequence[str]) -> Distinct:
    """All pairs of all definitions, in the order given."""
    places: dict[str, int] = {}
    left = [places.setdefault(text, len(places)) for one in examples for text in one.left]
    right = [places.setdefault(text, len(places)) for one in examples for text in one.right]
    heads = {definition: place for place, definition in enumerate(definitions)}
    return Distinct(
        tokens=token_rows(tokeniser, list(places)),
        left=np.array(left, np.int64),
        right=np.array(right, np.int64),
        targets=np.array([float(target) for one in examples for target in one.targets], np.float32),
        heads=np.repeat([heads[one.definition] for one in examples], [len(one) for one in examples]).astype(np.int64),
    )


def token_rows(tokeniser: Any, texts: Sequence[str]) -> list[Row]:
    """Each text's tokens, without marks."""
    if not texts:
        return []
    given = readable([text[:LONGEST_TEXT] for text in texts])
    encoded = tokeniser(
        given,
        add_special_tokens=False,
        split_special_tokens=True,  # a text that says "[SEP]" is a text about it
        truncation=False,
        padding=False,
        verbose=False,
    )
    return [np.array(row, np.int64) for row in encoded["input_ids"]]


def pair_batch(
    pairs: Distinct, rows: Iterable[int], turned: Iterable[bool], template: Template, device: str
) -> dict[str, torch.Tensor]:
    """Pairs as a transformer takes them, those that are turned with the right text first."""
    joined = []
    for row, turn in zip(rows, turned, strict=True):
        first, second = pairs.tokens[pairs.left[row]], pairs.tokens[pairs.right[row]]
        if turn:
            first, second = second, first
        one, other = shares_of_room(len(first), len(second), template.room)
        joined.append(template.joined(first[:one], second[:other]))
    return as_batch(joined, template, device)


def text_batch(tokens: Sequence[Row], template: Template, device: str) -> dict[str, torch.Tensor]:
    """Texts as a transformer takes them, each alone."""
    return as_batch([template.joined(row[: template.room]) for row in tokens], template, device)


def as_batch(rows: Sequence[tuple[Row, Row | None]], template: Template, device: str) -> dict[str, torch.Tensor]:
    """Rows filled up to the same width, with their mask: a multiple of 8, but never more than may be read."""
    import torch

    width = min(filled_width(max(len(ids) for ids, _ in rows)), template.max_tokens)
    ids, mask = padded([ids for ids, _ in rows], template.filler, width)
    given = {"input_ids": ids, "attention_mask": mask}
    if rows[0][1] is not None:
        given["token_type_ids"] = padded([kinds for _, kinds in rows if kinds is not None], 0, width)[0]
    return {name: torch.from_numpy(numbers).to(device, non_blocking=True) for name, numbers in given.items()}


def in_either_order(
    pairs: Distinct, rows: Sequence[int], template: Template, device: str, *, training: bool
) -> dict[str, torch.Tensor]:
    """While training each pair in an order that is drawn anew; else all in one order, then all in the other."""
    import torch

    if training:
        return pair_batch(pairs, rows, (torch.rand(len(rows)) < 0.5).tolist(), template, device)
    both = [False] * len(rows) + [True] * len(rows)
    return pair_batch(pairs, [*rows, *rows], both, template, device)
