"""A mined run in, its sentences with the codes that it has of them out: strangers that need not be embedded again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import made_by_file, part_files, read_made_by
from paraloom.metrics.retrieval.vectors import DenseVectors
from paraloom.models.embedders import load_embedder
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.neighbours.lists import read_array
from paraloom.workflows.evaluate.text_vectors import TextVectors, name_and_dims
from paraloom.workflows.mine.run_embedder import embedder_of, weights_in
from paraloom.workflows.mine.vectors_step import EMBEDDER, kept_sentences, options_of, read_coder, vectors_file

Codes = NDArray[np.int8]


def is_mined(path: Path) -> bool:
    """Whether a path is the folder of a mined run that has vectors."""
    return path.is_dir() and made_by_file(path, "vectors").is_file()


def sentences_of(run: Path) -> Iterator[tuple[list[str], Codes]]:
    """The texts of a run and their codes, part by part."""
    for part in range(len(part_files(run, "sentences"))):
        texts = kept_sentences(run, part, ("text",)).column("text").to_pylist()
        yield texts, read_array(run / "vectors" / vectors_file(part), in_memory=False)


def vectors_of_runs(runs: Sequence[Path], asked: str, *, device: str = "cpu") -> TextVectors | None:
    """What makes vectors of any text as these runs have those of their sentences, rounded to codes.

    None where none was embedded with this embedder; the others, and those with other codes than the first, are left
    out.
    """
    same = [run for run in runs if is_embedded_by(run, asked)]
    if not same:
        return None
    first, name = same[0], name_and_dims(asked)[0]
    embedder, coder = embedder_of(first, name, device=device), read_coder(first / "vectors")
    if (first / "vectors" / EMBEDDER).is_dir():  # each has learned from its own sentences
        same = [first]

    def of_codes(codes: Codes) -> DenseVectors:
        return DenseVectors(unit_length(codes.astype(np.float32)), device)

    return TextVectors(
        name=asked,
        signature=f"{embedder.signature}|codes:int8|scale:{coder.scale:g}{'|rotated:yes' if coder.rotated else ''}",
        dims=embedder.dims,
        make=lambda some: of_codes(coder.encode(embedder.embed(some))),
        of_codes=of_codes,
        runs=tuple(run for run in same if read_coder(run / "vectors") == coder),
    )


def is_embedded_by(run: Path, asked: str) -> bool:
    """Whether a run's vectors are those of this embedder, with as many dimensions."""
    name, dims = name_and_dims(asked)
    options, made_by = options_of(run), read_made_by(run, "vectors")
    if weights_in(name) != made_by["weights"]:
        return False
    if not made_by["weights"] and Path(options.embedder).name != name:  # what learns has no weights to tell it by
        return False
    there = read_coder(run / "vectors").dims
    return dims == there if dims else not options.dims or load_embedder(name).dims == there
