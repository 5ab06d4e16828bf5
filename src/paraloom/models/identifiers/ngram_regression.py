"""Pairs of texts in, the probability that they are paraphrases out, by logistic regression on n-gram overlap.

Das and Smith (2009) give a regression precision, recall and F1 of the n-grams that two sentences share; Lan et al.
(2017) report it as the row "LR". The latter speak of 18 features from 1-4 grams, without listing them. Here 18 is
3 orders (n = 1, 2, 3) × 3 measures × {words, lemmas}, as in Das and Smith.

**Either order gives the same score.** Precision and recall change places when the two texts do, so the features are
the *lower* and the *higher* of the two, and F1, which are symmetric by themselves. That says more than the mean of
both orders, which for a linear model is only their sum.

**Short texts.** Where neither text is long enough for one n-gram of an order, that order repeats the one below it,
so that two equal words are as equal as two equal sentences. A text without any word (an emoji, "?!") is compared by
its tokens; two texts without any token share nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, SHIPPED, Examples
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.regression import Coefficients, fit_regression
from paraloom.text.lemmas import lemmatise
from paraloom.text.tokenise import tokenise, words

NAME = "ngram-regression"
SHIPPED_FILE = "ngram_regression.json"
ORDERS = (1, 2, 3)
UNITS = ("words", "lemmas")
MEASURES = ("lower", "higher", "f1")
FEATURES = tuple(f"{unit}_{n}_{measure}" for unit in UNITS for n in ORDERS for measure in MEASURES)
"""The names of the 18 features, in their order."""

PAIRS_AT_ONCE = 512
CHARACTERS_AT_ONCE = 100_000
"""The n-grams of at most so many pairs, of about so many characters, are held in memory, however large the batch."""

LONGEST_TEXT = 100_000
"""Of a longer text only so many characters are compared. It keeps the numbers that stand for n-grams in 64 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramRegression:
    """Logistic regression on 18 n-gram overlap features (Das and Smith, 2009), one set of coefficients a definition.

    >>> from paraloom.models.identifiers import load
    >>> regression = load("ngram-regression")
    >>> scores = regression.score(["the storm hit the coast"] * 2, ["a storm hits the coast", "the market fell today"])
    >>> (scores > 0.5).tolist()
    [True, False]
    """

    language: str = "en"
    """The language whose lemmas are compared. Words of other languages are mostly left as they are."""
    regularisation: float = 0.1
    """Inverse strength of the L2 penalty in `fit`: scikit-learn's C. The features say much the same thing,
    so a strong one costs nothing (Twitter-URL, 5-fold: .750 to .753 from .001 to 10) and keeps coefficients small."""
    fitted: Mapping[str, Coefficients] = field(default_factory=dict)
    """Coefficients by definition. Empty before `fit`."""
    trained: Mapping[str, Any] = field(default_factory=dict)
    """How it was trained, for people to read: recipe, corpora with their counts, figures. No score depends on it."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted))

    @property
    def parameters(self) -> int:
        return len(self.fitted) * (len(FEATURES) + 1)

    @property
    def signature(self) -> str:
        recipe = f"{self.trained.get('recipe', 'own')}-{self.trained.get('recipe_hash', 'none')}"
        numbers = json.dumps(self._as_json()["definitions"], sort_keys=True)
        weights = blake2b(numbers.encode(), digest_size=4).hexdigest()
        return (
            f"{NAME}|features:{len(FEATURES)}|lemmas:{self.language}|trained:{recipe}"
            f"|paraloom:{paraloom_version()}|weights:{weights}"
        )

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        return self.fitted[definition].scores(overlap_features(left, right, self.language))

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> NgramRegression:
        """The same settings with coefficients learned from the examples and .5 set by the held-out ones.

        Nothing here is random: `seed` is accepted because every identifier's `fit` takes one.
        """
        fitted = {}
        for one, kept in with_held_out(examples, held_out):
            fitted[one.definition] = fit_regression(
                overlap_features(one.left, one.right, self.language),
                np.asarray(one.targets),
                overlap_features(kept.left, kept.right, self.language),
                np.asarray(kept.targets),
                self.regularisation,
            )
        return NgramRegression(language=self.language, regularisation=self.regularisation, fitted=fitted)

    def save(self, folder: Path) -> None:
        """Write the coefficients into a folder as JSON."""
        folder.mkdir(parents=True, exist_ok=True)
        self.write(folder / CARD)

    def write(self, file: Path) -> None:
        """Write the coefficients, and how they were found, into one JSON file."""
        file.write_text(json.dumps(self._as_json(), indent=1, ensure_ascii=True) + "\n", encoding="utf-8")

    def _as_json(self) -> dict[str, Any]:
        return {
            "name": NAME,
            "language": self.language,
            "regularisation": self.regularisation,
            "features": list(FEATURES),
            "definitions": {definition: asdict(learned) for definition, learned in sorted(self.fitted.items())},
            "trained": dict(self.trained),
        }

    @classmethod
    def load(cls, folder: Path | None) -> NgramRegression:
        """What was saved into a folder; the shipped one where none is given."""
        return cls.read(folder / CARD if folder else SHIPPED / SHIPPED_FILE)

    @classmethod
    def read(cls, file: Path) -> NgramRegression:
        """What `save` or `write` has written into this file."""
        written = json.loads(file.read_text(encoding="utf-8"))
        if written.get("features") != list(FEATURES):
            raise InputError(
                f"{file} was fitted on other features than this version computes. Fit it anew with its recipe."
            )
        fitted = {definition: Coefficients.read(numbers) for definition, numbers in written["definitions"].items()}
        return cls(
            language=written["language"],
            regularisation=written["regularisation"],
            fitted=fitted,
            trained=written["trained"],
        )


def overlap_features(left: Sequence[str], right: Sequence[str], language: str = "en") -> NDArray[np.float64]:
    """The 18 features of every pair, one row each, in the order of `FEATURES`.

    >>> overlap_features(["storm hits coast"], ["storm hits town"])[0, :6].round(2).tolist()
    [0.67, 0.67, 0.67, 0.5, 0.5, 0.5]
    """
    check_pairs(left, right)
    features = np.zeros((len(left), len(FEATURES)))
    for rows in _rows_together(left, right):
        features[rows] = _features_of([left[row] for row in rows], [right[row] for row in rows], language)
    return features


def _rows_together(left: Sequence[str], right: Sequence[str]) -> Iterator[list[int]]:
    """The numbers of the pairs, few enough at a time to hold their n-grams in memory.

    Pairs of one seed come together, so that its n-grams are counted once.
    """
    rows: list[int] = []
    characters = 0
    for row in sorted(range(len(left)), key=left.__getitem__):
        rows.append(row)
        characters += len(left[row]) + len(right[row])
        if len(rows) == PAIRS_AT_ONCE or characters > CHARACTERS_AT_ONCE:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows


def _features_of(left: Sequence[str], right: Sequence[str], language: str) -> NDArray[np.float64]:
    place: dict[str, int] = {}
    pairs = np.array(
        [[place.setdefault(text, len(place)) for text in left], [place.setdefault(text, len(place)) for text in right]]
    )
    tokens = [words(text[:LONGEST_TEXT]) or tokenise(text[:LONGEST_TEXT]) for text in place]
    sentence_of = np.repeat(np.arange(len(tokens)), [len(sentence) for sentence in tokens])
    features = np.zeros((len(left), len(UNITS), len(ORDERS), len(MEASURES)))
    for unit, (numbers, distinct) in enumerate(_as_numbers(tokens, language)):
        cells, span = sentence_of, 1
        for order in ORDERS:
            cells, span = cells[: max(0, len(numbers) - order + 1)] * distinct + numbers[order - 1 :], span * distinct
            whole = sentence_of[: len(cells)] == sentence_of[order - 1 :]
            features[:, unit, order - 1] = _measures(cells[whole], span, len(tokens), pairs)
            if order > 1:
                too_short = np.isnan(features[:, unit, order - 1, 0])
                features[too_short, unit, order - 1] = features[too_short, unit, order - 2]
    return np.nan_to_num(features.reshape(len(left), len(FEATURES)), copy=False)


def _as_numbers(tokens: Sequence[Sequence[str]], language: str) -> list[tuple[NDArray[np.int64], int]]:
    """All tokens in one row as numbers, and how many distinct ones there are: as words, then as lemmas."""
    number: dict[str, int] = {}
    as_words = np.array([number.setdefault(token, len(number)) for token in chain.from_iterable(tokens)], np.int64)
    lemma_number: dict[str, int] = {}
    # Every distinct word once. Half a surrogate pair, which a damaged text may hold, has no bytes to look up.
    readable = [word if word.isascii() else word.encode("utf-8", "replace").decode() for word in number]
    lemmas = lemmatise(readable, language)
    lemma_of = np.array([lemma_number.setdefault(lemma, len(lemma_number)) for lemma in lemmas], np.int64)
    return [(as_words, len(number)), (lemma_of[as_words], len(lemma_number))]


def _measures(cells: NDArray[np.int64], span: int, sentences: int, pairs: NDArray[np.int64]) -> NDArray[np.float64]:
    """Lower and higher of precision and recall, and F1, for each pair; NaN where neither side has an n-gram.

    A cell is one n-gram of one sentence in one number: sentence × span + n-gram.
    """
    left, right = pairs
    distinct, times = np.unique(cells, return_counts=True)
    borders = np.searchsorted(distinct, np.arange(sentences + 1) * span)
    starts, lengths = borders[right], borders[right + 1] - borders[right]
    pair_of = np.repeat(np.arange(len(right)), lengths)
    theirs = np.arange(len(pair_of)) + np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    wanted = distinct[theirs] + np.repeat((left - right) * span, lengths)
    ours = np.minimum(np.searchsorted(distinct, wanted), len(distinct) - 1)
    matches = np.where(distinct[ours] == wanted, np.minimum(times[ours], times[theirs]), 0)
    shared = np.bincount(pair_of, matches, len(right))
    counts = np.bincount(cells // span, minlength=sentences)
    ours_in_all, theirs_in_all = counts[left], counts[right]
    measured = np.stack(
        [
            shared / np.maximum(np.maximum(ours_in_all, theirs_in_all), 1),
            shared / np.maximum(np.minimum(ours_in_all, theirs_in_all), 1),
            2 * shared / np.maximum(ours_in_all + theirs_in_all, 1),
        ],
        axis=1,
    )
    measured[ours_in_all + theirs_in_all == 0] = np.nan
    return measured
