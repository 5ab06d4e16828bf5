"""Pairs of tokens in, links out, by words, names, synonyms and neighbours, in an ordered pipeline without weights.

After Sultan, Bethard and Sumner (2014, *Back to Basics for Monolingual Alignment*), who align what is surest first and
let it decide what comes next: runs of the same words; names and compounds; the same word, other forms, synonyms and
near words of content, each where its neighbours are best linked; last function words and punctuation, which have
nothing but their neighbours. Neighbours are places in the text; there is no parser.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.metrics.types.alignment import AreSynonyms, TextVectors
from paraloom.models.aligners import Links, TokenPair, Tokens
from paraloom.models.aligners.lexical_groups import groups_of
from paraloom.models.aligners.lexical_words import Token, kinship, read_token
from paraloom.text.abbreviations import TITLES

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

STRENGTH = {"same": 1.0, "equal": 0.9, "form": 0.9, "spelled": 0.8, "derived": 0.75}
"""How surely two tokens of a kinship stand for each other."""
SYNONYM = 0.7
NEIGHBOURS = {(1, 1): 1.0, (2, 2): 0.5, (3, 3): 0.25, (1, 2): 0.375, (2, 1): 0.375, (2, 3): 0.1875, (3, 2): 0.1875}
"""How far away, left and right, a linked neighbour may be, and what it counts: less where a word stands between."""
FARTHEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LexicalOptions:
    """When two tokens are taken to stand for each other; chosen on halves of Edinburgh++ and MSR RTE2."""

    near: float = 0.45
    """Cosine from which two other words of content do so wherever they are."""
    near_in_place: float = 0.2
    """The same for two with linked neighbours."""
    in_place: float = 1.0
    """What linked neighbours must add up to for these."""
    near_between: float = 0.05
    """The same as `near` for two whose neighbours on both sides are linked."""
    between: float = 2.0
    """What linked neighbours must add up to for these."""
    function_context: float = 0.25
    """What linked neighbours must add up to for the same function word or mark."""
    form_context: float = 0.5
    """The same for another form of a function word, or for a mark and its word (`%`, `percent`)."""
    other_function_context: float = 2.5
    """The same for two function words that are not the same."""
    far: float = 1.0
    """What standing at opposite ends of the texts takes away from a link's score."""


class LexicalAligner:
    """The words of two texts that are the same, or mean the same, in the same places."""

    name: ClassVar[str] = "lexical"

    def __init__(
        self,
        *,
        vectors: TextVectors | None = None,
        are_synonyms: AreSynonyms | None = None,
        synonyms: str = "",
        options: LexicalOptions = LexicalOptions(),
    ) -> None:
        """By letters and places alone where neither vectors nor synonyms are given.

        `are_synonyms` says of two lower-case dictionary forms whether they may mean the same; `synonyms` is what a
        signature calls it.
        """
        self.vectors, self.are_synonyms, self.options = vectors, are_synonyms, options
        settings = "|".join(f"{field.name}:{getattr(options, field.name)}" for field in fields(options))
        known = f"synonyms:{(synonyms or 'own') if are_synonyms else 'none'}"
        compared = f"vectors:{{{vectors.signature}}}" if vectors else "vectors:none"
        self.signature = f"{self.name}|{settings}|{known}|{compared}|paraloom:{paraloom_version()}"

    @classmethod
    def load(
        cls,
        *,
        are_synonyms: AreSynonyms | None = None,
        synonyms: str = "",
        options: LexicalOptions = LexicalOptions(),
    ) -> LexicalAligner:
        """With the vectors of the shipped embedder `fast`."""
        from paraloom.models.embedders import load_embedder

        vectors = load_embedder("fast")
        return cls(vectors=vectors, are_synonyms=are_synonyms, synonyms=synonyms, options=options)

    def align(self, pairs: Sequence[TokenPair]) -> list[Links]:
        """The links of each pair; a token has several only where it is a name or a compound of several words.

        >>> aligner = LexicalAligner()
        >>> aligner.align([("The storms hit the coast .".split(), "A coast was hit by the storm .".split())])
        [((1, 6), (2, 3), (3, 5), (4, 1), (5, 7))]
        """
        vectors = vectors_of(self.vectors, pairs)
        return [links_of(self.linked(left, right, cosines(left, right, vectors))) for left, right in pairs]

    def linked(self, left: Tokens, right: Tokens, cosine: Floats) -> Floats:
        """One pair's links as ones among zeros, left × right, by the cosines of its words."""
        pipeline = _Pipeline(left, right, self.options, self.are_synonyms, cosine)
        if cosine.size:
            pipeline.run()
        return pipeline.linked


def links_of(linked: Floats | Mask) -> Links:
    """The places that are not zero.

    >>> links_of(np.eye(2))
    ((0, 0), (1, 1))
    """
    return tuple((one, other) for one, other in np.argwhere(linked).tolist())


def vectors_of(vectors: TextVectors | None, pairs: Sequence[TokenPair]) -> dict[str, Floats]:
    """The vector of every distinct word of these pairs, by its plain form; nothing where there are no vectors."""
    if vectors is None:
        return {}
    plain = {read_token(token).word.plain for pair in pairs for side in pair for token in side}
    distinct = sorted(plain)
    return dict(zip(distinct, vectors.embed(distinct).astype(np.float64), strict=True)) if distinct else {}


def cosines(left: Tokens, right: Tokens, vectors: dict[str, Floats]) -> Floats:
    """Of the words' own vectors, left × right; zeros without vectors."""
    if not vectors or not left or not right:
        return np.zeros((len(left), len(right)))
    ours, theirs = (np.stack([vectors[read_token(token).word.plain] for token in side]) for side in (left, right))
    return np.asarray(np.einsum("id,jd->ij", ours, theirs))


def context_of(linked: Floats) -> Floats:
    """For any two tokens how many of the three before and after them are linked with each other, the near ones first.

    Both texts begin together, and end together: that counts as a link before the first tokens and behind the last.

    >>> context_of(np.array([[1.0, 0.0], [0.0, 0.0]])).tolist()
    [[1.5, 0.75], [0.75, 2.5]]
    """
    rows, columns = linked.shape
    most = FARTHEST
    padded = np.pad(linked, most)
    padded[most - 1, most - 1] = padded[most + rows, most + columns] = 1
    score = np.zeros_like(linked)
    for (down, across), value in NEIGHBOURS.items():
        for sign in (-1, 1):
            top, begin = most + sign * down, most + sign * across
            score += value * padded[top : top + rows, begin : begin + columns]
    return score


class _Pipeline:
    """One pair on its way: what is linked so far, and what comes next."""

    def __init__(
        self, left: Tokens, right: Tokens, options: LexicalOptions, are_synonyms: AreSynonyms | None, cosine: Floats
    ) -> None:
        self.left, self.right = [read_token(token) for token in left], [read_token(token) for token in right]
        self.options, self.cosine = options, cosine
        self.linked = np.zeros((len(left), len(right)))
        self.strength = _strength(left, right)
        if are_synonyms is not None:
            self._add_synonyms(are_synonyms)

    def run(self) -> None:
        """Link all there is to link, the surest first."""
        options, strength, cosine = self.options, self.strength, self.cosine
        content = self._both(lambda token: token.is_content)
        light = self._both(lambda token: not token.is_content)
        words = light & self._both(lambda token: not token.is_mark)
        comparable = content & self._comparable()
        self._link_runs()
        self._link_groups()
        for least in (STRENGTH["same"], STRENGTH["derived"], SYNONYM):
            self._link(content & (strength >= least), strength, 0.0)
        self._link(comparable & (cosine >= options.near), cosine, 0.0)
        self._link(comparable & (cosine >= options.near_in_place), cosine, options.in_place)
        self._link(comparable & (cosine >= options.near_between), cosine, options.between)
        self._link(light & (strength >= STRENGTH["same"]), strength, options.function_context)
        self._link(strength >= STRENGTH["derived"], strength, options.form_context)
        self._link(words, cosine, options.other_function_context)

    def _link_groups(self) -> None:
        for ours, theirs in groups_of(self.left, self.right):
            if not self.linked[list(ours)].any() and not self.linked[:, list(theirs)].any():
                self.linked[np.ix_(ours, theirs)] = 1

    @cached_property
    def apart(self) -> Floats:
        """How far apart two tokens stand in their texts, of all their length."""
        ours = (np.arange(len(self.left)) + 0.5) / max(1, len(self.left))
        theirs = (np.arange(len(self.right)) + 0.5) / max(1, len(self.right))
        return np.asarray(np.abs(ours[:, None] - theirs[None, :]))

    def _comparable(self) -> Mask:
        """Numbers stand for numbers, titles for titles."""
        sorts = (
            [2 * token.word.is_number + (token.key in TITLES) for token in side] for side in (self.left, self.right)
        )
        return np.asarray(np.equal.outer(*(np.array(one, int) for one in sorts)))

    def _both(self, holds: Callable[[Token], bool]) -> Mask:
        ours, theirs = ([holds(token) for token in side] for side in (self.left, self.right))
        return np.asarray(np.logical_and.outer(np.array(ours, bool), np.array(theirs, bool)))

    def _add_synonyms(self, are_synonyms: AreSynonyms) -> None:
        for one, token in enumerate(self.left):
            for other, their in enumerate(self.right):
                if token.is_content and their.is_content and are_synonyms(token.word.lemma, their.word.lemma):
                    self.strength[one, other] = max(self.strength[one, other], SYNONYM)

    def _link_runs(self) -> None:
        """Runs of the same tokens, the longest first, that hold a word of content and one more."""
        for length, one, other in sorted(self._runs(), key=lambda run: (-run[0], self.apart[run[1], run[2]])):
            places = np.arange(length)
            free = ~self.linked[one : one + length].any(axis=1) & ~self.linked[:, other : other + length].any(axis=0)
            if free.all() and any(self.left[one + step].is_content for step in range(length)):
                self.linked[one + places, other + places] = 1

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        same = np.greater_equal(self.strength, STRENGTH["same"])
        starts = same.copy()
        starts[1:, 1:] &= ~same[:-1, :-1]
        for one, other in np.argwhere(starts).tolist():
            length = 1
            while (
                one + length < len(self.left)
                and other + length < len(self.right)
                and same[one + length, other + length]
            ):
                length += 1
            if length > 1:
                yield length, one, other

    def _link(self, allowed: Mask, weight: Floats, least: float) -> None:
        """Link allowed tokens that are still alone, the best first: by strength, linked neighbours and nearness."""
        free = ~(self.linked.any(axis=1, keepdims=True) | self.linked.any(axis=0, keepdims=True))
        context = context_of(self.linked)
        if self.linked.sum() == 0:
            context = context_of(np.where(self.strength >= 0.75, 1.0, 0.0))
        places = np.argwhere(allowed & free & (context >= least))
        score = 4 * weight + context - self.options.far * self.apart
        taken_left, taken_right = set[int](), set[int]()
        for place in np.argsort(-score[places[:, 0], places[:, 1]], kind="stable").tolist():
            one, other = places[place].tolist()
            if one not in taken_left and other not in taken_right:
                self.linked[one, other] = 1
                taken_left.add(one)
                taken_right.add(other)


def _strength(left: Tokens, right: Tokens) -> Floats:
    found = np.zeros((len(left), len(right)))
    for one, token in enumerate(left):
        for other, their in enumerate(right):
            kind = kinship(token, their)
            if kind is not None:
                found[one, other] = STRENGTH[kind]
    return found
