"""Two documents side by side: mark every stretch that both of them tell, each in its own words (Kanerva et al., 2023,
section 4.1). What is marked are candidates; a campaign of the kind `grade` labels them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.documents import inside, span
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS, choice, flag, objects, only, optional_text, text
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote

MOST_PAIRS = 2_000
"""Of one document pair; the subtitles of a quarter of an hour yield 18 on average."""
FINISHED = "finished"
EMPTY = "empty"
STATES = (FINISHED, EMPTY)
OVERLAP = 0.5
"""Two spans are the same find if they share at least this part of what both cover."""

_OFFSETS = ("left_start", "left_end", "right_start", "right_end")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two documents."""

    text: str
    title: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SpanPair:
    """A stretch of the left document and one of the right, in code points; the end is not included."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A pair of spans that an aligner proposes."""

    left_start: int
    left_end: int
    right_start: int
    right_end: int
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractContent:
    """Two documents that tell the same story, and what an aligner makes of them."""

    left: Side
    right: Side
    suggestions: tuple[Suggestion, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractAnswer:
    """Every candidate that was found, in the order in which they were marked."""

    pairs: tuple[SpanPair, ...]
    state: str
    """finished, or empty: the documents were read and hold nothing to mark."""
    suggestions_shown: bool
    """Whether the annotator had an aligner's suggestions before their eyes: they change what people find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One candidate: its two texts, and where they stand in their documents."""

    left: str
    right: str
    left_start: int
    left_end: int
    right_start: int
    right_end: int


class ExtractTask:
    """All paraphrases of two documents."""

    name: ClassVar[str] = "extract"
    item_kind: ClassVar[str] = "document pair"
    about: ClassVar[str] = "Two documents side by side: mark every passage that both tell in words of their own."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        Key("a", "Add the selected pair (also Enter)"),
        Key("k", "Select with the keyboard: arrows by word, Ctrl by sentence, Shift extends, Tab changes sides"),
        Key("n", "Next suggestion"),
        Key("y", "Accept the suggestion"),
        Key("d", "Dismiss the suggestion"),
        Key("c", "Select the suggestion, to change its ends"),
        Key("o", "While selecting: to the other end of the selection"),
        Key("x", "Clear what is selected"),
        Key("z", "Take the last pair back, to change it"),
        Key("f", "Finished"),
        Key("e", "Empty: nothing to mark"),
    )

    def read_content(self, raw: Raw) -> ExtractContent:
        """Both documents must be there, and suggestions lie within them."""
        only(raw, ("left", "right", "suggestions"), "document pair")
        left, right = _side(raw.get("left"), "left"), _side(raw.get("right"), "right")
        given = _listed(raw, "suggestions", default=[])
        return ExtractContent(
            left=left,
            right=right,
            suggestions=tuple(
                _suggestion(one, f"suggestions[{n}]", left.text, right.text) for n, one in enumerate(given)
            ),
        )

    def read_answer(self, raw: Raw, content: ExtractContent) -> ExtractAnswer:
        """Spans within the documents, none of them twice; empty means that there is none."""
        only(raw, ("pairs", "state", "suggestions_shown"), "answer")
        left, right = content.left.text, content.right.text
        pairs: dict[SpanPair, int] = {}
        for n, one in enumerate(_listed(raw, "pairs")):
            path = f"pairs[{n}]"
            pair = SpanPair(**_offsets(inside(one, _OFFSETS, path), path, left, right))
            if pair in pairs:
                raise InputError(f"`{path}` marks the same as `pairs[{pairs[pair]}]`. Leave one of them out.")
            pairs[pair] = n
        state = choice(raw, "state", STATES)
        if state == EMPTY and pairs:
            raise InputError(f"`state` is empty, but {len(pairs)} pairs are marked. Remove them, or choose finished.")
        if state == FINISHED and not pairs:
            raise InputError("`state` is finished, but no pair is marked. Choose empty if there is none.")
        return ExtractAnswer(pairs=tuple(pairs), state=state, suggestions_shown=flag(raw, "suggestions_shown"))

    def votes(self, item_id: str, content: ExtractContent, answer: ExtractAnswer) -> Sequence[Vote]:
        """None: where people mark is their own style, and meant to differ."""
        return ()

    def is_right(self, answer: ExtractAnswer, expected: ExtractAnswer) -> bool:
        """Every expected pair was found, roughly where it is; more may be marked. Where none is expected, none is.

        A pair counts as found if an answered one shares half of what both cover, on either side.
        """
        if expected.state == EMPTY:
            return answer.state == EMPTY
        return all(any(_alike(pair, wanted) for pair in answer.pairs) for wanted in expected.pairs)

    def instructions(self, shown: Shown) -> str:
        """What to mark, what not, and how long, after Kanerva et al. (2023)."""
        return guide("extract")


def segments(content: ExtractContent, answer: ExtractAnswer) -> tuple[Segment, ...]:
    """The marked pairs with their texts, in the order in which they were marked.

    >>> content = ExtractContent(left=Side(text="Hi! I'm broke."), right=Side(text="I have no money 😢"))
    >>> pair = SpanPair(left_start=4, left_end=14, right_start=0, right_end=15)
    >>> answer = ExtractAnswer(pairs=(pair,), state="finished", suggestions_shown=False)
    >>> [(segment.left, segment.right) for segment in segments(content, answer)]
    [("I'm broke.", 'I have no money')]
    """
    return tuple(
        Segment(
            left=content.left.text[pair.left_start : pair.left_end],
            right=content.right.text[pair.right_start : pair.right_end],
            left_start=pair.left_start,
            left_end=pair.left_end,
            right_start=pair.right_start,
            right_end=pair.right_end,
        )
        for pair in answer.pairs
    )


def _listed(raw: Raw, field: str, default: list[Any] | None = None) -> list[Any]:
    value = raw.get(field, default)
    if isinstance(value, tuple):  # our own dataclasses hold tuples, JSON holds lists
        value = list(value)
    return objects({field: value}, field, least=0, most=MOST_PAIRS)


def _side(raw: Any, field: str) -> Side:
    given = inside(raw, ("text", "title", "id"), field)
    return Side(
        text=text(given, f"{field}.text", most=MOST_DOCUMENT_LETTERS),
        title=optional_text(given, f"{field}.title"),
        id=optional_text(given, f"{field}.id"),
    )


def _suggestion(raw: Any, path: str, left: str, right: str) -> Suggestion:
    given = inside(raw, (*_OFFSETS, "score"), path)
    score = given.get(f"{path}.score")
    if score is not None and (not isinstance(score, int | float) or isinstance(score, bool) or not isfinite(score)):
        raise InputError(f"`{path}.score` must be a number.")
    return Suggestion(**_offsets(given, path, left, right), score=score)


def _offsets(given: Mapping[str, Any], path: str, left: str, right: str) -> dict[str, int]:
    found = (
        *span(given, f"{path}.left_start", f"{path}.left_end", left),
        *span(given, f"{path}.right_start", f"{path}.right_end", right),
    )
    return dict(zip(_OFFSETS, found, strict=True))


def _alike(one: SpanPair, other: SpanPair) -> bool:
    return (
        min(
            _shared(one.left_start, one.left_end, other.left_start, other.left_end),
            _shared(one.right_start, one.right_end, other.right_start, other.right_end),
        )
        >= OVERLAP
    )


def _shared(start: int, end: int, other_start: int, other_end: int) -> float:
    both = min(end, other_end) - max(start, other_start)
    return both / (max(end, other_end) - min(start, other_start))
