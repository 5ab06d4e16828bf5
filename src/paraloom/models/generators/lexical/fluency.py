"""Texts in, how fluent they are out; and a model of n-grams that needs nothing but sentences to learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.text.tokenise import tokenise

DISCOUNT = 0.75
"""What Kneser and Ney (1995) take off every count."""
_BITS = 21
"""Of a word's number: three of them are one key of 64 bits."""
_UNKNOWN, _START, _END = 0, 1, 2
_UNSEEN_SHARE = 1e-7
"""What a word that was never seen is expected to be, of all words."""

Keys = NDArray[np.uint64]
Floats = NDArray[np.float32]


@runtime_checkable
class Fluency(Protocol):
    """Says how fluent texts are."""

    @property
    def signature(self) -> str:
        """All that decides a number."""

    def log_probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The mean logarithm of the probability of a text's tokens, one number a text."""


class NgramFluency:
    """Interpolated Kneser–Ney over words, pairs and triples of words, in sorted arrays.

    >>> fluency = NgramFluency.of(["the storm hit the coast", "the storm hit the town", "a storm is near"])
    >>> near, far = fluency.log_probabilities(["the storm hit the coast", "coast the hit storm the"])
    >>> bool(near > far)
    True
    """

    def __init__(
        self, words: dict[str, int], single: Floats, pairs: _Counted, triples: _Counted, *, signature: str
    ) -> None:
        self._words = words
        self._single = single
        self._pairs, self._triples = pairs, triples
        self.signature = signature

    @classmethod
    def of(cls, texts: Iterable[str], *, min_count: int = 1, name: str = "") -> NgramFluency:
        """Learn from texts, a sentence each; words met less often than `min_count` are as unknown as all others."""
        digest = blake2b(digest_size=4)
        read: list[list[str]] = []
        counts: Counter[str] = Counter()
        for text in texts:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
            tokens = _tokens(text)
            if tokens:
                read.append(tokens)
                counts.update(tokens)
        if not read:
            raise InputError("A model of n-grams needs sentences to learn from. Give some.")
        kept = sorted(word for word, count in counts.items() if count >= min_count)[: (1 << _BITS) - 3]
        words = {word: number for number, word in enumerate(kept, _END + 1)}
        del counts
        numbers = np.fromiter(
            chain.from_iterable(
                (_START, _START, *(words.get(token, _UNKNOWN) for token in tokens), _END) for tokens in read
            ),
            np.uint64,
        )
        triples, pairs, single = _learned(numbers, len(kept) + 3)
        told = f"ngrams:{name or 'texts'}|order:3|min-count:{min_count}|texts:{digest.hexdigest()}"
        return cls(words, single, pairs, triples, signature=told)

    @classmethod
    def read(cls, file: Path, *, min_count: int = 1) -> NgramFluency:
        """Learn from a file of sentences, one a line."""
        if not file.is_file():
            raise InputError(f"There is no file of sentences {file}. Check the path.")
        with file.open(encoding="utf-8", errors="replace") as opened:
            return cls.of((line.rstrip("\n") for line in opened), min_count=min_count, name=file.name)

    def log_probabilities(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """The mean logarithm of the probability of a text's tokens, its end among them."""
        get = self._words.get
        rows = [[_START, _START, *[get(token, _UNKNOWN) for token in _tokens(text)], _END] for text in texts]
        lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
        if not len(rows):
            return np.zeros(0)
        numbers = np.fromiter(chain.from_iterable(rows), np.uint64, int(lengths.sum()))
        first, second, third = numbers[:-2], numbers[1:-1], numbers[2:]
        low = self._pairs.interpolated(second, _pair(second, third), self._single[third])
        logs = np.log(self._triples.interpolated(_pair(first, second), _triple(first, second, third), low))
        starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
        # Each text is summed for itself, so that no digit of it depends on the texts before; and of a text's words the
        # first two only begin a triple.
        bounds = np.stack([starts, starts + lengths - 2], axis=1).ravel()
        sums: NDArray[np.float64] = np.add.reduceat(np.append(logs, [0.0, 0.0]).astype(np.float64), bounds)[::2]
        return sums / (lengths - 2)


class _Counted:
    """Discounted shares of n-grams in what they continue, and what is left there for shorter ones."""

    def __init__(self, keys: Keys, counts: NDArray[np.int64]) -> None:
        """`keys` are sorted and different; all but the last word of a key is what it continues."""
        self.keys = keys
        begun, starts = np.unique(keys >> np.uint64(_BITS), return_index=True)
        totals = np.add.reduceat(counts, starts)
        kinds = np.diff([*starts, len(keys)])
        self.begun = begun
        self.left = (DISCOUNT * kinds / totals).astype(np.float32)
        self.shares = ((counts - DISCOUNT) / np.repeat(totals, kinds)).astype(np.float32)

    def interpolated(self, begun: Keys, keys: Keys, low: NDArray[np.floating]) -> NDArray[np.floating]:
        """The probability of each key, that of the shorter n-gram given."""
        share = _looked_up(self.keys, self.shares, keys, 0.0)
        return share + _looked_up(self.begun, self.left, begun, 1.0) * low


def _looked_up(keys: Keys, values: Floats, wanted: Keys, default: float) -> Floats:
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], np.float32(default))


def _learned(numbers: Keys, size: int) -> tuple[_Counted, _Counted, Floats]:
    """Triples by their counts; pairs and words by how many different words they follow."""
    first, second, third = numbers[:-2], numbers[1:-1], numbers[2:]
    inside = (third != _START) & (second != _END) & (first != _END)
    triples, counts = np.unique(_triple(first, second, third)[inside], return_counts=True)
    pairs, followed = np.unique(triples & np.uint64((1 << 2 * _BITS) - 1), return_counts=True)
    met = np.bincount((pairs & np.uint64((1 << _BITS) - 1)).astype(np.int64), minlength=size)
    single = met / met.sum() * (1 - _UNSEEN_SHARE) + _UNSEEN_SHARE
    single[_UNKNOWN] = _UNSEEN_SHARE
    return _Counted(triples, counts), _Counted(pairs, followed), single.astype(np.float32)


def _pair(first: Keys, second: Keys) -> Keys:
    joined: Keys = first << np.uint64(_BITS) | second
    return joined


def _triple(first: Keys, second: Keys, third: Keys) -> Keys:
    joined: Keys = first << np.uint64(2 * _BITS) | second << np.uint64(_BITS) | third
    return joined


def _tokens(text: str) -> list[str]:
    """What is counted: lower case, and one sign each for numbers, links, mentions and hashtags."""
    return [token if token.isalpha() else _sign(token) for token in tokenise(text.lower().replace("’", "'"))]


def _sign(token: str) -> str:
    if token[0] in "@#":
        return token[0]
    if "://" in token:
        return "://"
    return "0" if any(letter.isdigit() for letter in token) else token
