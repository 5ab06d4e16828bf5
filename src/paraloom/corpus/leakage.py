"""Training pairs and held-out pairs in, what they share out: a system must not have seen what it is tested on.

Two pairs are the same, in either order, where the letters and digits of their texts are (`text_key`). Training pairs
are gone through once and forgotten, however many there are; of held-out pairs a few numbers are kept, and texts that
are to be shown are read again. Two different texts have the same number with a probability of 1 in 2⁶⁴.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError

Pairs = Iterable[tuple[str, str]]
"""Left and right texts, that can be gone through more than once."""

Numbers = NDArray[np.uint64]

EXAMPLES = 3
"""So many shared pairs and texts are shown of each two files."""

PAIRS_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class PairNumbers:
    """What is kept of pairs: a number for each text, equal where `text_key` is."""

    texts: Numbers
    """Two columns, left and right, one row a pair."""

    @classmethod
    def of(cls, pairs: Pairs) -> PairNumbers:
        """The numbers of these pairs, in their order."""
        parts = [part.texts for part in in_parts(pairs)]
        return cls(np.concatenate(parts) if parts else np.empty((0, 2), np.uint64))

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def pairs(self) -> Numbers:
        """One number a pair, the same in either order: both texts' numbers, mixed."""
        low, high = self.texts.min(axis=1), self.texts.max(axis=1)
        # A multiplication by an odd number mixes the bits of one side, so that two sides cannot cancel each other.
        return np.asarray(low * np.uint64(0x9E3779B97F4A7C15) ^ (high + (low >> np.uint64(29))), np.uint64)


def in_parts(pairs: Pairs) -> Iterator[PairNumbers]:
    """The numbers of pairs, so many at a time that few texts are held in memory."""
    if isinstance(pairs, Iterator):
        raise InputError("Pairs to compare may be gone through twice. Give a list, not an iterator.")
    going = iter(pairs)
    while some := list(islice(going, PAIRS_AT_ONCE)):
        yield PairNumbers(np.array([[_number(one), _number(other)] for one, other in some], np.uint64))


def _number(text: str) -> int:
    return int.from_bytes(blake2b(text_key(text).encode("utf-8", "surrogatepass"), digest_size=8).digest())


class _Looked:
    """Held-out pairs that are looked for among others: which of them were met."""

    def __init__(self, numbers: PairNumbers) -> None:
        self.numbers = numbers
        self._pairs, self._pair_of = np.unique(numbers.pairs, return_inverse=True)
        self._texts, self._text_of = np.unique(numbers.texts.ravel(), return_inverse=True)
        self.forget()

    def forget(self) -> None:
        """As if none had been met."""
        self._met_pairs = np.zeros(len(self._pairs), np.bool_)
        self._met_texts = np.zeros(len(self._texts), np.bool_)

    def meet(self, others: PairNumbers) -> None:
        """Look at some training pairs."""
        self._met_pairs[_places(self._pairs, others.pairs)] = True
        self._met_texts[_places(self._texts, others.texts.ravel())] = True

    @property
    def rows(self) -> NDArray[np.int64]:
        """The numbers of the pairs that were met."""
        return np.flatnonzero(self._met_pairs[self._pair_of])

    @property
    def sides(self) -> NDArray[np.bool_]:
        """For each text, left and right, whether it was met on either side."""
        return np.asarray(self._met_texts[self._text_of].reshape(-1, 2))

    @property
    def texts(self) -> tuple[int, int]:
        """How many distinct texts were met, and how many there are."""
        return int(self._met_texts.sum()), len(self._texts)


def _places(numbers: Numbers, wanted: Numbers) -> NDArray[np.int64]:
    """Where the wanted numbers are among sorted ones; those that are not are left out."""
    if not len(numbers):
        return np.empty(0, np.int64)
    places = np.minimum(np.searchsorted(numbers, wanted), len(numbers) - 1)
    return np.asarray(places[numbers[places] == wanted], np.int64)


def _looked_for(held_out: Pairs, training: Pairs) -> _Looked:
    looked = _Looked(PairNumbers.of(held_out))
    for part in in_parts(training):
        looked.meet(part)
    return looked


def shared_pairs(training: Pairs, held_out: Pairs) -> list[int]:
    """The numbers of the held-out pairs that are also training pairs, in either order.

    >>> shared_pairs([("A storm hit.", "It blew")], [("rain", "sun"), ("it blew !", "a storm hit @ann")])
    [1]
    """
    rows: list[int] = _looked_for(held_out, training).rows.tolist()
    return rows


def shared_texts(training: Pairs, held_out: Pairs) -> list[str]:
    """The held-out texts that are also in a training pair, each once, in their order.

    >>> shared_texts([("A storm hit.", "It blew")], [("rain", "sun"), ("a storm hit", "hail")])
    ['a storm hit']
    """
    return list(_texts_met(held_out, _looked_for(held_out, training)))


def _texts_met(pairs: Pairs, looked: _Looked) -> Iterator[str]:
    """The texts that were met, each number once."""
    seen = set()
    sides = looked.sides
    rows = set(np.flatnonzero(sides.any(axis=1)).tolist())
    for row, texts in enumerate(pairs if rows else ()):
        for side in (0, 1) if row in rows else ():
            number = int(looked.numbers.texts[row, side])
            if sides[row, side] and number not in seen:
                seen.add(number)
                yield texts[side]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shared:
    """What one set of training pairs and one of held-out pairs have in common."""

    training: str
    held_out: str
    pairs: int
    """Held-out pairs that are also training pairs."""
    of_pairs: int
    """Held-out pairs in all."""
    texts: int
    """Distinct held-out texts that are also in a training pair."""
    of_texts: int
    """Distinct held-out texts in all."""
    rows: tuple[int, ...]
    """Numbers of the shared pairs among the held-out ones, the first ones."""
    pair_examples: tuple[tuple[str, str], ...]
    text_examples: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakageReport:
    """Every training set against every held-out set."""

    shared: tuple[Shared, ...]

    @property
    def leaks(self) -> tuple[Shared, ...]:
        """Those that share a pair."""
        return tuple(one for one in self.shared if one.pairs)

    def refuse_leaks(self) -> None:
        """An error that names what is shared, where a pair is."""
        if self.leaks:
            told = "; ".join(f"{one.pairs} of {one.held_out} are in {one.training}" for one in self.leaks)
            shown = next((f" One of them: {one.pair_examples[0]}." for one in self.leaks if one.pair_examples), "")
            raise InputError(
                f"Held-out pairs are among the training pairs: {told}.{shown} Take them out of the training pairs."
            )


def check_no_leakage(
    training: Mapping[str, Pairs],
    held_out: Mapping[str, Pairs],
    *,
    examples: int = EXAMPLES,
    refuse: bool = False,
) -> LeakageReport:
    """Hold every training set against every held-out set; with `refuse`, a shared pair is an error.

    >>> report = check_no_leakage({"train": [("a storm", "a gale")]}, {"dev": [("A gale.", "a storm"), ("a", "b")]})
    >>> [(one.training, one.held_out, one.pairs, one.of_pairs, one.texts, one.of_texts) for one in report.shared]
    [('train', 'dev', 1, 2, 2, 4)]
    """
    looked = {name: _Looked(PairNumbers.of(pairs)) for name, pairs in held_out.items()}
    shared = []
    for training_name, pairs in training.items():
        for one in looked.values():
            one.forget()
        for part in in_parts(pairs):
            for one in looked.values():
                one.meet(part)
        shared += [_shared(training_name, name, held_out[name], one, examples) for name, one in looked.items()]
    report = LeakageReport(shared=tuple(shared))
    if refuse:
        report.refuse_leaks()
    return report


def _shared(training: str, held_out: str, pairs: Pairs, looked: _Looked, examples: int) -> Shared:
    rows: list[int] = looked.rows.tolist()
    texts, of_texts = looked.texts
    return Shared(
        training=training,
        held_out=held_out,
        pairs=len(rows),
        of_pairs=len(looked.numbers),
        texts=texts,
        of_texts=of_texts,
        rows=tuple(rows[:examples]),
        pair_examples=tuple(_pairs_at(pairs, rows[:examples])),
        text_examples=tuple(islice(_texts_met(pairs, looked), examples)),
    )


def _pairs_at(pairs: Pairs, rows: Sequence[int]) -> Iterator[tuple[str, str]]:
    if not rows:
        return
    wanted = set(rows)
    for row, pair in enumerate(islice(pairs, max(rows) + 1)):
        if row in wanted:
            yield pair


def without_leaks(training: Pairs, held_out: Iterable[Pairs]) -> list[int]:
    """The numbers of the training pairs that are in none of the held-out sets, to be kept.

    >>> without_leaks([("a storm", "a gale"), ("rain", "sun")], [[("A gale.", "a storm")]])
    [1]
    """
    known = np.unique(np.concatenate([np.empty(0, np.uint64), *(PairNumbers.of(pairs).pairs for pairs in held_out)]))
    kept: list[int] = []
    begun = 0
    for part in in_parts(training):
        kept += (begun + np.flatnonzero(~np.isin(part.pairs, known))).tolist()
        begun += len(part)
    return kept
