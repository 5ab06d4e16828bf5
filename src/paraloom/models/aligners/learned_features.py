"""A pair of tokens' texts in, out what is known of any token of one beside any token of the other: numbers, by name.

Left × right × features. What the letters say, what vectors of words and states of an encoder say, how far other tokens
compete for the same counterpart, what neighbours say, where both stand, and whether the lexical aligner links them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.aligners import Tokens
from paraloom.models.aligners.lexical import context_of
from paraloom.models.aligners.lexical_words import Token, kinship, read_token

Floats = NDArray[np.float64]
Features = NDArray[np.float32]

KINDS = ("same", "equal", "form", "spelled", "derived")
"""How two tokens are one word by their letters, a feature each."""
KIN = ("same", "equal", "form", "spelled")
"""Those after which neighbours are taken to stand for each other."""
SHARPNESS = 10.0
"""What cosines are multiplied by before tokens compete for a counterpart."""
FARTHEST = 3
"""How far away neighbours are looked at one by one."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What the features of one pair are made of, besides its tokens."""

    words: Floats
    """Cosines of the vectors of words, left × right."""
    states: Floats
    """Cosines of states of an encoder, layers × left × right."""
    linked: Floats
    """1 where the lexical aligner links."""
    rarity_left: Floats
    """How rare each token is, from 0 to 1."""
    rarity_right: Floats


def features_of(left: Tokens, right: Tokens, known: Known) -> Features:
    """All features of a pair, in the order of `names`."""
    found = [value for _, value in _named(left, right, known)]
    return np.stack(found, axis=-1).astype(np.float32)


def names_of(layers: tuple[int, ...]) -> list[str]:
    """What the features are, for states of these layers."""
    known = Known(
        words=np.zeros((1, 1)),
        states=np.zeros((len(layers), 1, 1)),
        linked=np.zeros((1, 1)),
        rarity_left=np.zeros(1),
        rarity_right=np.zeros(1),
    )
    return [name for name, _ in _named(["a"], ["a"], known)]


def _named(left: Tokens, right: Tokens, known: Known) -> Iterator[tuple[str, Floats]]:
    ours, theirs = [read_token(token) for token in left], [read_token(token) for token in right]
    kinds = _kinds(left, right)
    yield from _of_letters(left, right, ours, theirs, kinds)
    yield from _of_sorts(ours, theirs)
    yield from _of_vectors(known)
    yield from _of_neighbours(kinds, known)
    yield from _of_places(ours, theirs, known)


def _kinds(left: Tokens, right: Tokens) -> NDArray[np.int64]:
    """Places in `KINDS`, -1 for none."""
    numbers = {kind: number for number, kind in enumerate(KINDS)}
    found = [[numbers.get(kinship(one, other) or "", -1) for other in right] for one in left]
    return np.array(found, np.int64).reshape(len(left), len(right))


def _of_letters(
    left: Tokens, right: Tokens, ours: list[Token], theirs: list[Token], kinds: NDArray[np.int64]
) -> Iterator[tuple[str, Floats]]:
    from rapidfuzz.distance import Indel, Prefix
    from rapidfuzz.process import cdist

    for number, kind in enumerate(KINDS):
        yield kind, (kinds == number).astype(np.float64)
    texts = {text: number for number, text in enumerate({*left, *right})}
    ids = [np.array([texts[token] for token in side], np.int64) for side in (left, right)]
    yield "identical", np.equal.outer(*ids).astype(np.float64)
    keys = [[token.key for token in side] for side in (ours, theirs)]
    for name, scorer in (("spelling", Indel), ("beginning", Prefix)):
        yield name, cdist(*keys, scorer=scorer.normalized_similarity).astype(np.float64)
    same = kinds == 0
    yield "times_right", np.repeat(_few(same.sum(axis=1))[:, None], len(right), axis=1)
    yield "times_left", np.repeat(_few(same.sum(axis=0))[None, :], len(left), axis=0)


def _few(counts: NDArray[np.int64]) -> Floats:
    return np.asarray(np.minimum(counts, 4) / 4)


def _of_sorts(ours: list[Token], theirs: list[Token]) -> Iterator[tuple[str, Floats]]:
    sorts: dict[str, Callable[[Token], bool]] = {
        "mark": lambda token: token.is_mark,
        "content": lambda token: token.is_content,
        "number": lambda token: token.word.is_number,
        "capital": lambda token: token.is_capital,
    }
    for name, holds in sorts.items():
        one, other = (np.array([holds(token) for token in side], bool) for side in (ours, theirs))
        yield f"both_{name}", np.logical_and.outer(one, other).astype(np.float64)
        yield f"one_{name}", np.logical_xor.outer(one, other).astype(np.float64)


def _of_vectors(known: Known) -> Iterator[tuple[str, Floats]]:
    for name, cosine in (("words", known.words), *((f"states_{n}", one) for n, one in enumerate(known.states))):
        yield name, cosine
        yield f"{name}_ahead_in_row", _ahead(cosine)
        yield f"{name}_ahead_in_column", _ahead(cosine.T).T
        yield f"{name}_agreed", agreed(cosine)


def _ahead(score: Floats) -> Floats:
    """By how much a number is above the largest other one of its row."""
    if score.shape[1] < 2:
        return np.full_like(score, 0.5)
    order = np.argmax(score, axis=1)
    rows = np.arange(len(score))
    best = score[rows, order]
    without = score.copy()
    without[rows, order] = -np.inf
    others = np.repeat(best[:, None], score.shape[1], axis=1)
    others[rows, order] = without.max(axis=1)
    return np.asarray(score - others)


def agreed(cosine: Floats) -> Floats:
    """Shares of a row times shares of a column, the nearest having most: whether both tokens choose each other.

    >>> agreed(np.array([[1.0, 0.0], [0.0, 1.0]])).round(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    sharp = np.exp(SHARPNESS * (cosine - 1))
    return np.asarray(np.sqrt(sharp / sharp.sum(axis=1, keepdims=True) * (sharp / sharp.sum(axis=0, keepdims=True))))


def _of_neighbours(kinds: NDArray[np.int64], known: Known) -> Iterator[tuple[str, Floats]]:
    kin = ((kinds >= 0) & (kinds < len(KIN))).astype(np.float64)
    choice = agreed(known.states[len(known.states) // 2]) if len(known.states) else agreed(known.words)
    yield "kin_around", context_of(kin)
    yield "chosen_around", context_of(choice)
    either = np.maximum(kin, choice)
    for step in range(1, FARTHEST + 1):
        yield f"before_{step}", shifted(either, step, step)
        yield f"after_{step}", shifted(either, -step, -step)
    yield "linked", known.linked
    yield "linked_around", context_of(known.linked)
    yield "row_is_linked", np.repeat(known.linked.max(axis=1)[:, None], known.linked.shape[1], axis=1)
    yield "column_is_linked", np.repeat(known.linked.max(axis=0)[None, :], len(known.linked), axis=0)


def shifted(score: Floats, down: int, across: int, edge: float = 1.0) -> Floats:
    """What stands so far above and to the left; both texts begin and end together, so the corners beyond are links.

    >>> shifted(np.array([[0.1, 0.2], [0.3, 0.4]]), 1, 1).tolist()
    [[1.0, 0.0], [0.0, 0.1]]
    """
    rows, columns = score.shape
    most = max(abs(down), abs(across))
    padded = np.pad(score, most)
    padded[most - 1, most - 1] = padded[most + rows, most + columns] = edge
    return np.asarray(padded[most - down : most - down + rows, most - across : most - across + columns])


def _of_places(ours: list[Token], theirs: list[Token], known: Known) -> Iterator[tuple[str, Floats]]:
    shape = rows, columns = len(ours), len(theirs)
    down, across = np.arange(rows)[:, None], np.arange(columns)[None, :]
    yield "apart", np.abs((down + 0.5) / rows - (across + 0.5) / columns)
    yield "from_start", 1 / (1.0 + down + across)
    yield "from_end", 1 / (1.0 + (rows - 1 - down) + (columns - 1 - across))
    yield "rows", np.full(shape, np.log1p(rows) / 5)
    yield "columns", np.full(shape, np.log1p(columns) / 5)
    yield "longer", np.full(shape, np.log(rows / columns))
    yield "rarity_left", np.repeat(known.rarity_left[:, None], columns, axis=1)
    yield "rarity_right", np.repeat(known.rarity_right[None, :], rows, axis=0)


NEAR_LINKS = tuple((down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if (down, across) != (0, 0))
"""Where the second pass looks for links of the first."""


def second_features(first: Features, score: Floats) -> Features:
    """The features again, and what a first pass says (a probability) of the two tokens, their neighbours and rivals."""
    found = [score, np.log(np.clip(score, 1e-4, 1) / np.clip(1 - score, 1e-4, 1)) / 5]
    found += [shifted(score, down, across) for down, across in (*NEAR_LINKS, (-2, -2), (2, 2))]
    found += [context_of(score), _ahead(score), _ahead(score.T).T]
    found += [np.repeat(score.sum(axis=1, keepdims=True), score.shape[1], axis=1)]
    found += [np.repeat(score.sum(axis=0, keepdims=True), len(score), axis=0)]
    return np.concatenate([first, np.stack(found, axis=-1).astype(np.float32)], axis=-1)
