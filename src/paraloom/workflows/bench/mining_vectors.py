"""An embedder and texts in, their vectors out, kept in a folder: no text is embedded twice, and its time is told."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import unfinished_name, write_text
from paraloom.metrics.retrieval.vectors import DenseVectors
from paraloom.models.embedders.unit_length import unit_length
from paraloom.workflows.bench.machine import DeviceWatch, this_machine
from paraloom.workflows.evaluate.text_vectors import TextVectors

FOLDER = "vectors"
AT_ONCE = 65_536
"""Texts that are embedded together: many enough for all cores, whatever an embedder gives to each of its threads."""
WARMING = 64
"""What is compiled or loaded by the first texts is no part of the speed."""
ON_SOME = 2.0
"""Seconds, about, in which an embedder is timed whose vectors are there already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """How long embedding took, and where."""

    texts: int
    """Those that were timed."""
    seconds: float
    device: str
    processor: str
    cores: int

    @property
    def texts_per_second(self) -> float:
        """How many texts are embedded a second, in one process that may use all cores it was given."""
        return self.texts / self.seconds


def embedded(vectors: TextVectors, texts: Sequence[str], digest: str, folder: Path) -> tuple[Any, Timed]:
    """The vectors of all texts, read from a folder where they lie already; `digest` is a short name of the texts.

    Sparse vectors are made anew, since they take no time.
    """
    file = _file(vectors, digest, folder)
    told = file.with_suffix(".json")
    if told.is_file() and file.is_file():
        return DenseVectors(np.asarray(np.load(file, mmap_mode="r"))), _read_timed(told)
    made, timed = _timed(vectors, texts)
    if not isinstance(made, DenseVectors):
        return made, timed
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = unfinished_name(file)
    with unfinished.open("wb") as stream:
        np.save(stream, made.rows)
    unfinished.rename(file)  # vectors are either whole or absent
    write_text(told, json.dumps(asdict(timed)) + "\n")
    return made, timed


def timed_on_some(vectors: TextVectors, texts: Sequence[str], digest: str, folder: Path, whole: Timed) -> Timed:
    """How long an embedder takes whose vectors are cut from others: of as many texts as those took two seconds for.

    Measured once, and read from the folder again.
    """
    told = _file(vectors, digest, folder).with_suffix(".json")
    if told.is_file():
        return _read_timed(told)
    most = max(WARMING, round(ON_SOME * whole.texts_per_second))
    _, timed = _timed(vectors, texts[:most])
    told.parent.mkdir(parents=True, exist_ok=True)
    write_text(told, json.dumps(asdict(timed)) + "\n")
    return timed


def _file(vectors: TextVectors, digest: str, folder: Path) -> Path:
    """Where vectors are kept; beside it, ending in `.json`, how long they took."""
    key = blake2b(f"{vectors.signature}\n{digest}".encode(), digest_size=6).hexdigest()
    plain = re.sub(r"[^\w.]+", "-", vectors.name).strip("-")
    return folder / FOLDER / f"{plain}.{key}.npy"


def _read_timed(told: Path) -> Timed:
    return Timed(**json.loads(told.read_text(encoding="utf-8")))


def _timed(vectors: TextVectors, texts: Sequence[str]) -> tuple[Any, Timed]:
    watch = DeviceWatch()
    vectors.make(texts[:WARMING])
    begun = perf_counter()
    if vectors.dims == 0:
        made: Any = vectors.make(texts)
    else:
        rows = np.empty((len(texts), vectors.dims), np.float32)
        for start in range(0, len(texts), AT_ONCE):
            rows[start : start + AT_ONCE] = vectors.make(texts[start : start + AT_ONCE]).rows
        made = DenseVectors(rows)
    seconds = perf_counter() - begun
    machine = this_machine()
    return made, Timed(
        texts=len(texts),
        seconds=round(seconds, 6),
        device=watch.device(),
        processor=machine.processor,
        cores=machine.cores,
    )


def prefix_of(base: DenseVectors, whole: TextVectors, short: TextVectors, texts: Sequence[str]) -> DenseVectors | None:
    """The vectors of an embedder with fewer dimensions, if they are the beginnings of those that are there already.

    None where they are not, and must be made.
    """
    some = texts[:16]
    tried = _cut(whole.make(some).rows, short.dims)
    if not np.allclose(tried, short.make(some).rows, atol=1e-4):
        return None
    return DenseVectors(_cut(base.rows, short.dims))


def _cut(rows: NDArray[np.float32], dims: int) -> NDArray[np.float32]:
    return unit_length(rows[:, :dims])
