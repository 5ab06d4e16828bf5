"""Vectors and their index in, the nearest neighbours of every sentence out: a file a block of sentences, or a cell."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import WHOLE, FolderStep, Round
from paraloom.models.neighbours.grown_search import search_grown_block
from paraloom.models.neighbours.lists import read_array
from paraloom.models.neighbours.nearest import Neighbours, threads
from paraloom.models.neighbours.search import Part, search_block
from paraloom.pairs.mine import mean_similarities
from paraloom.workflows.mine.earlier_runs import Earlier
from paraloom.workflows.mine.grown_neighbours import KnownNeighbours, Start, renumber_round, start_of
from paraloom.workflows.mine.index_step import read_choice
from paraloom.workflows.mine.nearest_files import Nearest
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.search_stages import cell_files, search_stages
from paraloom.workflows.mine.vectors_step import Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from paraloom.workflows.mine.options import SearchOptions

MEANS = "means.npy"
"""How near each sentence's neighbours are on average, by number."""
BLOCK = 8192
"""Sentences that one task compares with all others, at least."""
MOST_BLOCKS = 64
"""Where there are so many blocks, they grow: all vectors are read for each, and go to the GPU where there is one."""
LARGEST_BLOCK = 65_536
SMALL_WORK = 2e11
"""Products that are made sooner than helper processes start."""


def neighbours_step(run: Path, options: SearchOptions, device: str = "cpu", earlier: Earlier = Earlier()) -> FolderStep:
    """Vectors and index → neighbours; those that an earlier run has found are the start, where they can be."""
    start = start_of(earlier, read_choice(run), options.neighbours)
    begun = start if isinstance(start, Start) else None
    searched = (
        (partial(_blocks_round, run=run, options=options, device=device, start=begun),)
        if read_choice(run).kind == "exact"
        else search_stages(run, options, device, begun)
    )
    return FolderStep(
        table="neighbours",
        rounds=(lambda folder: renumber_round(run, begun), *searched, partial(_means_round, run=run)),
        options={"neighbours": options.neighbours} | ({"earlier": begun.signature} if begun is not None else {}),
        stages=("models", "pairs"),
        inputs=("vectors", "index"),
        rows=lambda folder: len(read_array(folder / MEANS, in_memory=False)),
    )


def _blocks_round(folder: Path, *, run: Path, options: SearchOptions, device: str, start: Start | None) -> Round:
    choice = read_choice(run)
    count = choice.sentences
    return Round(
        name="searched",
        files=block_files(count),
        work=partial(BlockSearch, run, options.neighbours, block_size(count), device, folder, start),
        on_gpu=device == "cuda",
        is_small=2.0 * count * count * choice.dims < SMALL_WORK,
    )


def block_size(count: int) -> int:
    """How many of so many sentences are searched for by one task.

    >>> [block_size(count) for count in (100, 80_000, 1_000_000, 3_000_000, 10_000_000)]
    [8192, 8192, 15625, 46875, 65536]
    """
    return max(BLOCK, min(-(-count // MOST_BLOCKS), LARGEST_BLOCK))


def block_files(count: int) -> tuple[str, ...]:
    """A file for every block of so many sentences."""
    return tuple(f"block-{number:05d}.npz" for number in range(-(-count // block_size(count))))


class BlockSearch:
    """Compares a block of sentences with all others."""

    def __init__(self, run: Path, k: int, size: int, device: str, folder: Path, start: Start | None) -> None:
        numbers = Numbers.of(run / "vectors")
        self.vectors = Vectors(run / "vectors", numbers.starts)
        self.count = len(numbers)
        self.k = k
        self.size = size
        self.device = device
        self.known = KnownNeighbours(run, start, folder, k) if start is not None else None

    def __call__(self, block: int, target: Path) -> None:
        start, stop = block * self.size, min((block + 1) * self.size, self.count)
        own = np.arange(start, stop)
        with threads(1):
            queries = self.vectors.read(start, stop)
            found = self._search(queries, own)
        Nearest(own, found.numbers, found.dots).write(target)

    def _search(self, queries: NDArray[np.int8], own: NDArray[np.int64]) -> Neighbours:
        known, k, device = self.known, self.k, self.device
        if known is None:
            return search_block(queries, own, self._parts(), k, device=device)
        return search_grown_block(queries, own, self._parts, known.of(own), known.new_rows, k, device=device)

    def _parts(self) -> Iterator[Part]:
        for start, codes in self.vectors.parts():
            yield Part(start, codes)


def _means_round(folder: Path, *, run: Path) -> Round:
    choice = read_choice(run)
    names = block_files(choice.sentences) if choice.kind == "exact" else cell_files(run)
    found = [folder / WHOLE / name for name in names]
    return Round(name="averaged", files=(MEANS,), work=partial(partial, _write_means, run, found), is_small=True)


def _write_means(run: Path, found: Sequence[Path], number: int, target: Path) -> None:
    numbers = Numbers.of(run / "vectors")
    means = np.zeros(len(numbers), np.float32)
    for file in found:
        nearest = Nearest.read(file)
        means[nearest.numbers] = mean_similarities(nearest.similarities(numbers.norms), nearest.is_there)
    with target.open("wb") as opened:
        np.save(opened, means, allow_pickle=False)
