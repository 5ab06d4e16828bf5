"""Mined runs among what is to be mined in, what of them can be used again out: vectors, and the lists of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from paraloom.engine.signatures import hash_of_file, paraloom_version, plain_options
from paraloom.engine.store import made_by_file, read_made_by
from paraloom.workflows.mine.numbers import Numbers, keys_of

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

    from paraloom.models.neighbours.choice import Choice
    from paraloom.workflows.mine.options import EmbedOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """Runs whose vectors are made as those that are wanted."""

    runs: tuple[Path, ...] = ()
    """The largest first: its way to make codes of vectors is taken over, and the others have the same."""

    @property
    def first(self) -> Path | None:
        """The run that decides."""
        return self.runs[0] if self.runs else None

    @property
    def signature(self) -> str | None:
        """That of the vectors of the run that decides."""
        return None if self.first is None else str(read_made_by(self.first, "vectors")["signature"])


def same_vectors(runs: Sequence[Path], options: EmbedOptions, weights: Mapping[str, Path]) -> Earlier:
    """Those of these runs that were embedded in the same way."""
    from paraloom.workflows.mine.vectors_step import EMBEDDER, read_coder

    wanted = _wanted(plain_options(options), {name: hash_of_file(path) for name, path in weights.items()})
    alike = []
    for run in runs:
        made_by = read_made_by(run, "vectors")
        if made_by["paraloom"] == paraloom_version() and _wanted(made_by["options"], made_by["weights"]) == wanted:
            alike.append((-int(made_by["rows"]), str(made_by["signature"]), run.resolve()))
    if not alike:
        return Earlier()
    (*_, first), *others = sorted(alike)
    if (first / "vectors" / EMBEDDER).is_dir():  # each has learned from its own sentences
        return Earlier(runs=(first,))
    coder = read_coder(first / "vectors")
    same = [run for *_, run in others if read_coder(run / "vectors") == coder]
    return Earlier(runs=(first, *same))


def _wanted(options: Mapping[str, Any], weights: Mapping[str, str]) -> tuple[Any, ...]:
    names = ("embedder", "dims", "max_tokens", "device")
    embedder = Path(str(options.get("embedder"))).name  # where its folder lies says nothing, its weights do
    return (embedder, *(options.get(name) for name in names[1:]), dict(weights))


class KnownVectors:
    """Codes that earlier runs have of sentences."""

    def __init__(self, earlier: Earlier) -> None:
        from paraloom.workflows.mine.vectors_step import Vectors

        numbers = [Numbers.of(run / "vectors") for run in earlier.runs]
        self.known = [
            (each, Vectors(run / "vectors", each.starts)) for run, each in zip(earlier.runs, numbers, strict=True)
        ]

    def fill(self, ids: pa.ChunkedArray, codes: NDArray[np.int8]) -> NDArray[np.bool_]:
        """Write the codes that are known into their rows; gives which rows are still to be made."""
        missing = np.ones(len(ids), bool)
        keys = keys_of(ids)
        for numbers, vectors in self.known:
            found = numbers.find(keys)
            rows = np.flatnonzero(missing & (found >= 0))
            codes[rows] = vectors.take(found[rows])
            missing[rows] = False
        return missing


def same_lists(earlier: Earlier, wanted: Choice) -> Path | None:
    """The run whose lists are to be used again: that of the vectors, while it has about as many as are wanted, of the
    same codes, and no more than half of all sentences are new to them."""
    from paraloom.models.neighbours.lists import read_lists
    from paraloom.workflows.mine.index_step import LISTS, read_choice

    run = earlier.first
    if run is None or wanted.kind != "ivf" or not made_by_file(run, "index").is_file():
        return None
    choice = read_choice(run)
    if choice.kind != "ivf" or choice.codes != wanted.codes:
        return None
    lists = len(read_lists(run / "index" / LISTS))
    fits = wanted.lists / 2 <= lists <= 2 * wanted.lists
    return run if fits and choice.sentences <= wanted.sentences <= 2 * choice.sentences else None


def without_folder(options: EmbedOptions) -> EmbedOptions:
    """The options as they stand in a signature: an embedder's folder by its last part."""
    path = Path(options.embedder)
    return replace(options, embedder=path.name) if path.is_dir() else options
