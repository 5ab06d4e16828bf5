"""Pairs of texts in, their word pairs out, each as a few feature numbers: what may anchor a paraphrase.

A word pair is one word of content from each text, outside the phrase that both are about. A word that both texts have
is paired with itself alone; the others with each other. The features of Xu et al. (2014) are kept as far as they need
no tagger: how alike the words are as strings, together with their kinds (by shape and ending, for parts of speech), how
common they are, and how much more frequent in the topic than elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers.seen_words import COMMONNESS, LONGEST_TEXT, SIGNIFICANCE, SeenWords, text_words
from paraloom.models.identifiers.topic_phrases import FUNCTION_WORDS, name_words, topic_phrase, without_phrase
from paraloom.text.lemmas import lemmatise

Integers = NDArray[np.int64]

MOST_CANDIDATES = 64
"""Only so many distinct words of a text are paired."""

LIKENESSES = 7
"""The same word, lemma, spelling without doubled letters; then very similar (Jaro-Winkler), similar, hardly, not."""
SIMILAR_ABOVE = (0.9, 0.8, 0.6)

KINDS: tuple[Callable[[str], bool], ...] = (
    lambda word: word[0] == "#",
    lambda word: word[0] == "@",
    lambda word: any(letter.isdigit() for letter in word),
    lambda word: word in FUNCTION_WORDS,
    lambda word: word.endswith("ing"),
    lambda word: word.endswith("ed"),
    lambda word: word.endswith("ly"),
    lambda word: word.endswith("s"),
    lambda word: len(word) <= 3,
    lambda word: True,
)
"""Kinds of words that need no tagger; a word is of the first that fits it."""

TEMPLATES = (1, len(KINDS) ** 2, COMMONNESS**2, SIGNIFICANCE)
"""How many values each feature has, beside the likeness that it is taken together with. The last is the topical one."""
SIZE = LIKENESSES * sum(TEMPLATES)
"""How many features there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorCandidates:
    """The word pairs of many pairs of texts; those of pair i lie from `starts[i]` to `starts[i + 1]`."""

    starts: Integers
    features: NDArray[np.int32]
    """One row a word pair: the numbers of its features, but for the topical one."""
    topical: NDArray[np.int32]
    """The number of each word pair's topical feature: as if the topic were unknown (row 0), as it is (row 1)."""

    @classmethod
    def joined(cls, parts: Sequence[AnchorCandidates]) -> AnchorCandidates:
        """Those of several batches, in their order."""
        counts = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.starts) for part in parts)])
        return cls(
            starts=np.cumsum(counts),
            features=np.concatenate([part.features for part in parts]),
            topical=np.concatenate([part.topical for part in parts], axis=1),
        )

    def margins(self, weights: NDArray[np.float64], without_any: float) -> NDArray[np.float64]:
        """The weight of each pair's best word pair; where it has none, `without_any`."""
        weighed = weights[self.features].sum(axis=1) + weights[self.topical[1]]
        margins = np.full(len(self.starts) - 1, without_any)
        some = np.flatnonzero(np.diff(self.starts))
        if len(some):
            margins[some] = np.maximum.reduceat(weighed, self.starts[some])
        return margins


def candidate_pairs(
    left: Sequence[str],
    right: Sequence[str],
    topics: Sequence[str] | None,
    seen: SeenWords,
    *,
    language: str,
    longest_phrase: int,
) -> AnchorCandidates:
    """The word pairs of each pair of texts, with their features."""
    left_words, right_words = [text_words(text) for text in left], [text_words(text) for text in right]
    given = [text_words(topic) for topic in topics] if topics is not None else [[] for _ in left]
    phrases = [
        phrase or topic_phrase(one, other, names, seen.function_words, longest_phrase)
        for phrase, one, other, names in zip(given, left_words, right_words, _names(left, right), strict=True)
    ]
    sides = [
        [_candidate_words(text, phrase, seen.function_words) for text, phrase in zip(side, phrases, strict=True)]
        for side in (left_words, right_words)
    ]
    types = _Types.of(sides, seen, language)
    levels = [
        np.array(
            [_level(seen, " ".join(topic), word) for text, topic in zip(side, given, strict=True) for word in text]
        )
        for side in sides
    ]
    return _featured(sides, levels, types)


def _names(left: Sequence[str], right: Sequence[str]) -> Iterator[set[str]]:
    for one, other in zip(left, right, strict=True):
        yield name_words(one[:LONGEST_TEXT]) | name_words(other[:LONGEST_TEXT])


def _level(seen: SeenWords, topic: str, word: str) -> int:
    of_topic = seen.topics.get(topic)
    return 0 if of_topic is None else of_topic.get(word, 1)


def _candidate_words(text: Sequence[str], phrase: Sequence[str], function_words: frozenset[str]) -> list[str]:
    """The words of content outside the phrase; where there are none, the words outside it; where none, all."""
    outside = without_phrase(text, phrase)
    content = [word for word in outside if word not in function_words]
    return list(dict.fromkeys(content or outside or text))[:MOST_CANDIDATES]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Types:
    """The distinct words of a batch, and what is known of each; a word stands for its number."""

    number: Mapping[str, int]
    spelled: list[str]
    lemmas: Integers
    squeezed: Integers
    kinds: Integers
    commonness: Integers

    @classmethod
    def of(cls, sides: Sequence[Sequence[Sequence[str]]], seen: SeenWords, language: str) -> _Types:
        spelled = sorted({word for side in sides for text in side for word in text})
        lemmas = lemmatise(spelled, language)
        return cls(
            number={word: number for number, word in enumerate(spelled)},
            spelled=spelled,
            lemmas=_numbered(lemmas),
            squeezed=_numbered([re.sub(r"(.)\1+", r"\1", word) for word in spelled]),
            kinds=np.array([next(kind for kind, fits in enumerate(KINDS) if fits(word)) for word in spelled], np.int64),
            commonness=np.array([seen.commonness.get(lemma, 0) for lemma in lemmas], np.int64),
        )

    def likenesses(self, one: Integers, other: Integers) -> Integers:
        """How alike the words of each pair are, from 0 (the same) to 6."""
        from rapidfuzz.distance import JaroWinkler
        from rapidfuzz.process import cpdist

        # The lower number first, as the similarity may depend on the order; each pair of words once.
        low, high = np.minimum(one, other), np.maximum(one, other)
        cells, back = np.unique(low * len(self.spelled) + high, return_inverse=True)
        if not len(cells):
            return np.zeros(0, np.int64)
        low, high = cells // len(self.spelled), cells % len(self.spelled)
        similar = cpdist(
            [self.spelled[word] for word in low],
            [self.spelled[word] for word in high],
            scorer=JaroWinkler.similarity,
            dtype=np.float64,
        )
        alike = [low == high, self.lemmas[low] == self.lemmas[high], self.squeezed[low] == self.squeezed[high]]
        alike += [similar > bound for bound in SIMILAR_ABOVE]
        return np.asarray(np.select(alike, range(len(alike)), LIKENESSES - 1)[back], np.int64)


def _numbered(texts: Sequence[str]) -> Integers:
    number: dict[str, int] = {}
    return np.array([number.setdefault(text, len(number)) for text in texts], np.int64)


def _featured(
    sides: Sequence[Sequence[Sequence[str]]], levels: Sequence[NDArray[np.int64]], types: _Types
) -> AnchorCandidates:
    """Every word of one side with every word of the other, as feature numbers."""
    flat = [np.array([types.number[word] for text in side for word in text], np.int64) for side in sides]
    counts = [np.array([len(text) for text in side], np.int64) for side in sides]
    begins = [np.cumsum(count) - count for count in counts]
    products = counts[0] * counts[1]
    pair_of = np.repeat(np.arange(len(products)), products)
    within = np.arange(len(pair_of)) - np.repeat(np.cumsum(products) - products, products)
    one = begins[0][pair_of] + within // counts[1][pair_of]
    other = begins[1][pair_of] + within % counts[1][pair_of]
    same = types.lemmas[flat[0][one]] == types.lemmas[flat[1][other]]
    has_partner = [np.bincount(place, same, len(side)) > 0 for place, side in zip((one, other), flat, strict=True)]
    kept = np.flatnonzero(same | ~(has_partner[0][one] | has_partner[1][other]))
    one, other = one[kept], other[kept]
    starts = np.concatenate([[0], np.cumsum(np.bincount(pair_of[kept], minlength=len(products)))])
    left_words, right_words = flat[0][one], flat[1][other]
    values = [
        np.zeros(len(kept), np.int64),
        _unordered(types.kinds[left_words], types.kinds[right_words], len(KINDS)),
        _unordered(types.commonness[left_words], types.commonness[right_words], COMMONNESS),
    ]
    significance = np.minimum(levels[0][one], levels[1][other]) if len(kept) else np.zeros(0, np.int64)
    likeness = types.likenesses(left_words, right_words)
    offsets = LIKENESSES * (np.cumsum(TEMPLATES) - TEMPLATES)
    numbers = [
        offset + likeness * count + value
        for offset, count, value in zip(offsets, TEMPLATES, [*values, significance], strict=True)
    ]
    return AnchorCandidates(
        starts=starts.astype(np.int64),
        features=np.stack(numbers[:-1], axis=1).astype(np.int32),
        topical=np.stack([numbers[-1] - significance, numbers[-1]]).astype(np.int32),
    )


def _unordered(one: Integers, other: Integers, count: int) -> Integers:
    return np.asarray(np.minimum(one, other) * count + np.maximum(one, other), np.int64)
