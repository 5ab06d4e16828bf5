"""Word pieces in, how likely each piece comes next out, by a Llama: on onnxruntime, or on a GPU in torch.

A text's numbers depend on the texts it is read with as little as the processor allows: those who want the same result
again give the same texts together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.session import start_session
from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.gguf import Floats, GgufFile
from paraloom.models.language_models.llama_graph import LONGEST, llama_graph, past_names
from paraloom.models.language_models.llama_weights import LlamaWeights

Ids = NDArray[np.int64]
Foretold = tuple[Ids, Floats]
"""A row for each text: the pieces that are likeliest next, best first, and their log-probabilities."""
Continued = tuple[Sequence[int], Sequence[int]]
"""The pieces of a beginning, one at least, and those of what follows it."""

CORES = "cpu"
"""The device that is served by onnxruntime."""
AT_ONCE = 1024
"""Places of texts, filled up to the longest, that are read together: each has as many numbers as there are pieces."""


class Past(Protocol):
    """What the network remembers of some texts."""

    @property
    def texts(self) -> int:
        """How many."""

    def chosen(self, rows: Ids) -> Self:
        """Of some of the texts, each as often as it is named."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reading:
    """Texts of one length that have been read so far: what the network remembers of them."""

    length: int
    """Pieces of each text."""
    past: Past

    @property
    def texts(self) -> int:
        return self.past.texts

    def chosen(self, rows: Ids) -> Reading:
        """Some of the texts, each as often as it is named."""
        if len(rows) == self.texts and (rows == np.arange(len(rows))).all():
            return self
        return Reading(length=self.length, past=self.past.chosen(rows))


class Runs(Protocol):
    """What computes: given pieces, and what is remembered of what stood before them."""

    at_once: int
    """Places that are read together at most."""

    def nothing(self, texts: int) -> Any:
        """What is remembered of so many texts before they are read."""

    def run(self, ids: Ids, past: Any, wanted: Ids, last: Ids) -> tuple[Any, Past]:
        """The log-probabilities of what follows the wanted places, where they were computed; and what is remembered.

        `wanted` counts through all texts, `last` is each text's length: what stands behind it only fills a row up.
        """

    def rows(self, found: Any) -> Floats:
        """Of what `run` has found, all."""

    def of(self, found: Any, pieces: Ids) -> Floats:
        """Of what `run` has found, one piece a row."""


@runtime_checkable
class GoesOnTogether(Protocol):
    """What computes faster for many texts at once, whatever their lengths, and says of each what is likeliest."""

    def reads(self, texts: Sequence[Sequence[int]]) -> list[tuple[Foretold, Any]]:
        """Each text from its beginning."""

    def steps(self, pasts: Sequence[Any], pieces: Sequence[Ids]) -> list[tuple[Foretold, Any]]:
        """One piece more of the texts of each reading."""


class Llama:
    """A language model that reads and foretells."""

    def __init__(self, file: GgufFile, update: Update | None = None, *, device: str = CORES) -> None:
        """On the cores of a processor, by onnxruntime and products of 8-bit numbers; on any other device by torch."""
        if device == CORES:
            weights = LlamaWeights.of(file, update)
            self.shape = weights.shape
            self._runs: Runs = _OnCores(weights)
        else:
            from paraloom.models.language_models.llama_on_torch import OnTorch

            runs = OnTorch(file, update, device)
            self.shape, self._runs = runs.shape, runs
        self.longest = min(LONGEST, self.shape.positions)

    def read(self, ids: Sequence[int]) -> tuple[Floats, Reading]:
        """One text from its beginning: how likely each piece comes after it, and the reading to go on from."""
        found, reading = self._run(np.array([ids], np.int64), self._nothing(1), np.array([len(ids) - 1]))
        return self._runs.rows(found), reading

    def step(self, reading: Reading, pieces: Ids) -> tuple[Floats, Reading]:
        """One piece more of each text: a row a text of how likely each piece comes next."""
        found, now = self._run(pieces[:, None], reading, np.arange(len(pieces)))
        return self._runs.rows(found), now

    @property
    def answers_together(self) -> bool:
        """Whether texts of several lengths go on at once faster than one after the other: by `reads` and `steps`."""
        return isinstance(self._runs, GoesOnTogether)

    def reads(self, texts: Sequence[Sequence[int]]) -> list[tuple[Foretold, Reading]]:
        """Texts from their beginnings, as `read` does one: the likeliest pieces that come after each."""
        assert isinstance(self._runs, GoesOnTogether)
        for text in texts:
            self._check(len(text))
        found = self._runs.reads(texts) if texts else []
        return [(some, Reading(length=len(text), past=past)) for text, (some, past) in zip(texts, found, strict=True)]

    def steps(self, readings: Sequence[Reading], pieces: Sequence[Ids]) -> list[tuple[Foretold, Reading]]:
        """One piece more of each text of several readings, as `step` does for one: the likeliest that come next."""
        assert isinstance(self._runs, GoesOnTogether)
        for reading in readings:
            self._check(reading.length + 1)
        found = self._runs.steps([reading.past for reading in readings], pieces) if readings else []
        return [
            (some, Reading(length=reading.length + 1, past=past))
            for reading, (some, past) in zip(readings, found, strict=True)
        ]

    def log_probabilities(self, texts: Sequence[Continued]) -> list[Floats]:
        """For each beginning and continuation: of every piece of the continuation, its log-probability there."""
        found: list[Floats] = []
        start = 0
        while start < len(texts):
            count = 1
            while start + count < len(texts) and _places(texts[start : start + count + 1]) <= self._runs.at_once:
                count += 1
            found += self._together(texts[start : start + count])
            start += count
        return found

    def _together(self, texts: Sequence[Continued]) -> list[Floats]:
        lengths = np.array([len(first) + len(second) for first, second in texts])
        width = int(lengths.max())
        ids = np.zeros((len(texts), width), np.int64)
        wanted, pieces = [], []
        for row, (first, second) in enumerate(texts):
            ids[row, : lengths[row]] = [*first, *second]
            wanted.append(row * width + np.arange(len(first) - 1, lengths[row] - 1))
            pieces.append(np.array(second, np.int64))
        found, _ = self._run(ids, self._nothing(len(texts)), np.concatenate(wanted), lengths)
        flat = self._runs.of(found, np.concatenate(pieces))
        return np.split(flat, np.cumsum([len(one) for one in pieces])[:-1])

    def _nothing(self, texts: int) -> Reading:
        return Reading(length=0, past=self._runs.nothing(texts))

    def _run(self, ids: Ids, reading: Reading, wanted: Ids, lengths: Ids | None = None) -> tuple[Any, Reading]:
        total = reading.length + ids.shape[1]
        self._check(total)
        last = np.full(len(ids), total) if lengths is None else lengths
        found, past = self._runs.run(ids, reading.past, wanted.astype(np.int64), last)
        return found, Reading(length=total, past=past)

    def _check(self, total: int) -> None:
        if total > self.longest:
            raise InputError(
                f"A text has {total} pieces, and the model reads {self.longest} at most. Give shorter texts."
            )


@dataclass(frozen=True, slots=True, eq=False)
class _Arrays:
    """Keys and values of each layer, a text a row."""

    arrays: tuple[Floats, ...]

    @property
    def texts(self) -> int:
        return len(self.arrays[0])

    def chosen(self, rows: Ids) -> _Arrays:
        return _Arrays(tuple(one[rows] for one in self.arrays))


class _OnCores:
    """What runs it on a processor."""

    at_once = AT_ONCE

    def __init__(self, weights: LlamaWeights) -> None:
        self._shape, self._embedding = weights.shape, weights.embedding
        self._session = start_session(llama_graph(weights))
        self._past = past_names(weights.shape)
        self._outputs = ["log_probabilities", *("new." + name for name in self._past)]

    def nothing(self, texts: int) -> _Arrays:
        empty = np.zeros((texts, self._shape.shared_heads, 0, self._shape.head_width), np.float32)
        return _Arrays((empty,) * len(self._past))

    def run(self, ids: Ids, past: _Arrays, wanted: Ids, last: Ids) -> tuple[Floats, _Arrays]:
        total = past.arrays[0].shape[2] + ids.shape[1]
        given = {
            "states": self._embedding.rows(ids),
            "last": (last - 1).astype(np.int32),
            "total": np.array(total, np.int32),
            "wanted": wanted,
        }
        found, *remembered = self._session.run(self._outputs, given | dict(zip(self._past, past.arrays, strict=True)))
        return found, _Arrays(tuple(remembered))

    def rows(self, found: Floats) -> Floats:
        return found

    def of(self, found: Floats, pieces: Ids) -> Floats:
        return np.asarray(found[np.arange(len(found)), pieces])


def _places(texts: Sequence[Continued]) -> int:
    return len(texts) * max(len(first) + len(second) for first, second in texts)
