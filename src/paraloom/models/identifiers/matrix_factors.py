"""Sentences in, a vector for each out, by factorising the matrix of words and sentences.

Weighted matrix factorisation (Guo and Diab, 2012) explains the TF-IDF value of every word in every sentence, 0 where
the word is missing, as the product of a word's and a sentence's vector. What is missing counts little
(`missing_weight`), for a short sentence leaves out most words that would fit it. Orthogonal matrix factorisation (Guo,
Liu and Diab, 2014) also pushes the dimensions apart, a step after each round: P ← P − α (P Pᵀ − c I) P, c the mean of
the diagonal of P Pᵀ.

Both are solved by alternating least squares. The system of a sentence is P Pᵀ w + λ I, the same for all, plus a little
for each word that it has, so that neither time nor memory goes into the words that it has not. A new sentence is
folded in by one such solution.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

CELLS_FOR_ONE_THREAD = 10_000
VECTORS_FILE = "word_vectors.safetensors"
WORDS_FILE = "words.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Factorisation:
    """How sentences are factorised. What is not said otherwise is as in the papers."""

    dimensions: int = 100
    missing_weight: float = 0.01
    """What a missing word counts, where one that is there counts 1."""
    penalty: float = 20.0
    """λ: how strongly vectors are kept short."""
    iterations: int = 20
    orthogonality: float = 0.0
    """α: the step that makes dimensions orthogonal; 0 leaves them as they are."""
    least_sentences: int = 2
    """A word found in fewer sentences is unknown."""

    def __post_init__(self) -> None:
        if self.dimensions < 1 or self.iterations < 1 or self.least_sentences < 1:
            raise InputError("Dimensions, iterations and least_sentences are counts. Give at least 1 of each.")
        if not 0 < self.missing_weight <= 1 or self.penalty <= 0 or self.orthogonality < 0:
            raise InputError(
                f"missing_weight must lie above 0 and not above 1 (it is {self.missing_weight}), the penalty above 0 "
                f"({self.penalty}), orthogonality not below 0 ({self.orthogonality})."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseRows:
    """A sparse matrix: the cells of row i lie from `starts[i]` to `starts[i + 1]`."""

    starts: Integers
    columns: Integers
    values: Floats

    def turned(self, columns: int) -> SparseRows:
        """The same matrix with rows for columns."""
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        order = np.argsort(self.columns, kind="stable")
        counts = np.bincount(self.columns, minlength=columns)
        return SparseRows(
            starts=np.concatenate([[0], np.cumsum(counts)]), columns=rows[order], values=self.values[order]
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class MatrixFactors:
    """The words' vectors that a factorisation found, and what it takes to fold a sentence in."""

    number: dict[str, int]
    """Row of each known word, in the order of the rows."""
    rarity: Floats
    """Inverse document frequency of each word."""
    vectors: NDArray[np.float32]
    """One row a word."""
    missing_weight: float
    penalty: float

    @property
    def dimensions(self) -> int:
        return int(self.vectors.shape[1])

    @cached_property
    def _solver(self) -> _Solver:
        return _Solver.of(self.vectors.astype(np.float64), self.missing_weight, self.penalty)

    def fold_in(self, sentences: Sequence[Sequence[str]]) -> Floats:
        """A vector for each list of words; zeros where none of them is known."""
        return self._solver.solve(_weighed(sentences, self.number, self.rarity))

    @cached_property
    def fingerprint(self) -> str:
        """A short name for the numbers."""
        told = blake2b(json.dumps([*self.number, self.missing_weight, self.penalty]).encode(), digest_size=4)
        told.update(self.rarity.tobytes())
        told.update(self.vectors.tobytes())
        return told.hexdigest()

    def save(self, folder: Path) -> None:
        """Write words and vectors into a folder."""
        from safetensors.numpy import save_file

        save_file({"vectors": self.vectors, "rarity": self.rarity}, folder / VECTORS_FILE)
        told = {"missing_weight": self.missing_weight, "penalty": self.penalty, "words": list(self.number)}
        (folder / WORDS_FILE).write_text(json.dumps(told) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MatrixFactors:
        """What `save` has written into a folder."""
        from safetensors.numpy import load_file

        told = json.loads((folder / WORDS_FILE).read_text(encoding="utf-8"))
        tensors = load_file(folder / VECTORS_FILE)
        if not len(told["words"]) == len(tensors["vectors"]) == len(tensors["rarity"]):
            raise InputError(
                f"{folder} holds {len(told['words'])} words and {len(tensors['vectors'])} vectors. Save the model anew."
            )
        return cls(
            number={word: row for row, word in enumerate(told["words"])},
            rarity=tensors["rarity"],
            vectors=tensors["vectors"],
            missing_weight=told["missing_weight"],
            penalty=told["penalty"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Solver:
    """What all least-squares problems on one table of vectors share."""

    table: Floats
    spread: Floats
    base: Floats
    extra: float

    @classmethod
    def of(cls, table: Floats, missing_weight: float, penalty: float) -> _Solver:
        base = missing_weight * (table.T @ table) + penalty * np.eye(table.shape[1])
        spread = table @ np.linalg.inv(base)  # the penalty keeps it well-conditioned
        return cls(table=np.ascontiguousarray(table), spread=spread, base=base, extra=1.0 - missing_weight)

    def solve(self, rows: SparseRows) -> Floats:
        from paraloom.models.identifiers.factor_loops import solve_rows

        def solve_some(first: int, last: int) -> Floats:
            starts = rows.starts[first : last + 1]
            return solve_rows(starts, rows.columns, rows.values, self.table, self.spread, self.base, self.extra)

        count = len(rows.starts) - 1
        if len(rows.values) < CELLS_FOR_ONE_THREAD:
            return solve_some(0, count)
        threads = os.cpu_count() or 1
        # Parts of about as many cells each. No row depends on another, so it does not matter who solves it.
        borders = np.searchsorted(rows.starts, np.linspace(0, rows.starts[-1], threads * 4 + 1)[1:-1])
        borders = np.unique([0, *np.minimum(borders, count), count])
        with ThreadPoolExecutor(threads) as pool:
            return np.concatenate(list(pool.map(solve_some, borders[:-1], borders[1:])))


def factorise(sentences: Iterable[Sequence[str]], how: Factorisation, seed: int) -> MatrixFactors:
    """The vectors of all words that are found in enough of these lists of words.

    >>> weather, money = ["storm", "coast", "rain"], ["market", "stock", "price"]
    >>> factors = factorise([weather, weather[:2], money, money[1:]] * 9, Factorisation(dimensions=2, penalty=0.1), 1)
    >>> rain, coast, price = factors.fold_in([["rain"], ["coast"], ["price"]])
    >>> bool(rain @ coast > abs(rain @ price))
    True
    """
    sentences = list(sentences)
    found_in = Counter(word for sentence in sentences for word in set(sentence))
    known = sorted(word for word, count in found_in.items() if count >= how.least_sentences)
    number = {word: row for row, word in enumerate(known)}
    rarity = np.array([np.log(len(sentences) / found_in[word]) for word in known], np.float64)
    by_sentence = _weighed(sentences, number, rarity)
    by_word = by_sentence.turned(len(known))
    table: Floats = np.random.default_rng(seed).standard_normal((len(known), how.dimensions))
    for _ in range(how.iterations):
        sentence_vectors = _Solver.of(table, how.missing_weight, how.penalty).solve(by_sentence)
        table = _Solver.of(sentence_vectors, how.missing_weight, how.penalty).solve(by_word)
        if how.orthogonality:
            table = _more_orthogonal(table, how.orthogonality)
    return MatrixFactors(
        number=number,
        rarity=rarity,
        vectors=table.astype(np.float32),
        missing_weight=how.missing_weight,
        penalty=how.penalty,
    )


def _weighed(sentences: Sequence[Sequence[str]], number: dict[str, int], rarity: Floats) -> SparseRows:
    """TF-IDF of the known words of each sentence, in the order of their numbers."""
    counts = [sorted(Counter(number[word] for word in sentence if word in number).items()) for sentence in sentences]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in counts], dtype=np.int64)]).astype(np.int64)
    cells = np.array([cell for row in counts for cell in row], np.int64).reshape(-1, 2)
    columns = np.ascontiguousarray(cells[:, 0])
    return SparseRows(starts=starts, columns=columns, values=cells[:, 1] * rarity[columns])


def _more_orthogonal(table: Floats, step: float) -> Floats:
    """One step towards dimensions that are orthogonal to each other and of one length."""
    products = table.T @ table
    length = np.trace(products) / len(products)
    away = products - length * np.eye(len(products))
    # A longer step than this would overshoot: more sentences make larger products.
    steepest = float(np.abs(away).sum(axis=1).max())
    return np.asarray(table - min(step, 0.5 / max(steepest, 1e-12)) * (table @ away))
