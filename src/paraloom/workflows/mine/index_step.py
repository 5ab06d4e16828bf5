"""Vectors in, an index of them out: lists around centroids in cells, and how many lists a sentence must look into.

Of few sentences all are compared with all: their index holds nothing but the choice.
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.folders import ASIDE, WHOLE, FolderStep, Round
from paraloom.engine.memory import available_memory
from paraloom.engine.store import made_by_file, read_made_by, write_text
from paraloom.errors import InputError
from paraloom.models.neighbours.cells import Source, cell_name, gather_cell
from paraloom.models.neighbours.centroids import learn_lists, sample_size
from paraloom.models.neighbours.choice import (
    RECALL_QUERIES,
    Choice,
    calibrated_gpu,
    calibrated_speed,
    choose_index,
    room_needed,
)
from paraloom.models.neighbours.codes import Coder
from paraloom.models.neighbours.index import Index, lay_rows, write_head
from paraloom.models.neighbours.lists import read_array, read_lists
from paraloom.models.neighbours.nearest import LEAST, Neighbours, merge_nearest, threads
from paraloom.models.neighbours.probes import MOST_BY_PRODUCT, ListFinder
from paraloom.models.neighbours.product_codes import ProductCoder, learn_product_coder, read_codes
from paraloom.models.neighbours.recall import Recall, least_that_counts
from paraloom.models.neighbours.search import Part, first_look, search_block
from paraloom.models.neighbours.second_look import fewest_probes, recall_either_way
from paraloom.workflows.mine.earlier_runs import Earlier, same_lists
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import Vectors, read_coder

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import SearchOptions

CHOICE = "index.choice.json"
"""Beside the index in the run: what was chosen from the speed of the machine that began the run."""
QUICK = 1e12
"""Products that any machine makes in a few seconds: it need not be asked how fast it is."""
USUAL_SPEED = 50.0
"""GFLOP/s of a core."""
LISTS = "lists"
"""The folder of lists and cells within the index."""
PROBES = "probes.json"
TRUE = "true.npz"
"""The true neighbours of the sentences that the recall is measured by."""
RECALL = "recall.json"
"""In the folder of neighbours: what was measured there."""
LINKS_FIND = 2.0
"""Of what a search in lists and a look at neighbours' neighbours miss, looks at all that are linked miss one in so many
or less (of a million sentences one in 3.1, of three million one in 2.3): with so much less the search begins, and goes
on if that was too little. To go on costs more than some lists too many: everybody looks again twice."""
RENUMBERED = "renumbered.npy"


def choose(
    run: Path,
    options: SearchOptions,
    workers: int,
    earlier: Earlier,
    *,
    device: str = "cpu",
    on_ray: bool = False,
    memory: int | None = None,
) -> Choice:
    """Which index this run has: as was chosen when it began, else by how many sentences and how fast a machine.

    `memory` is how many bytes it may use; None: what is free.
    """
    from shutil import disk_usage

    file = run / CHOICE
    numbers, coder = Numbers.of(run / "vectors"), read_coder(run / "vectors")
    asked = {
        "index": options.index,
        "codes": options.codes,
        "sentences": len(numbers),
        "dims": coder.dims,
        "earlier": earlier.signature,
    }
    if file.is_file():
        before = json.loads(file.read_text(encoding="utf-8"))
        if before["asked"] == asked:
            return Choice(**before["choice"])
    is_open = options.index == "auto" and 2.0 * len(numbers) ** 2 * coder.dims > QUICK
    speed = _speed(coder.dims, workers, device, on_ray) if is_open else USUAL_SPEED * workers
    choice = choose_index(
        len(numbers),
        coder.dims,
        speed=speed,
        disk=disk_usage(run).free,
        memory=available_memory() if memory is None else memory,
        kind=None if options.index == "auto" else options.index,
        codes=None if options.codes == "auto" else options.codes,
        neighbours=options.neighbours,
    )
    _check_disk(run, choice, options.neighbours)
    if before := same_lists(earlier, choice):
        choice = _with_lists_of(before, choice)
    if not made_by_file(run, "index").is_file():  # what is there already was chosen otherwise, and will be refused
        write_text(file, json.dumps({"asked": asked, "choice": asdict(choice)}, sort_keys=True, indent=2) + "\n")
    return choice


def _speed(dims: int, workers: int, device: str, on_ray: bool) -> float:
    """GFLOP/s of everything that searches."""
    from paraloom.engine.places import gpus_of_cluster, on_a_gpu_of_cluster

    if device == "cpu":
        return calibrated_speed(dims) * workers
    return on_a_gpu_of_cluster(partial(calibrated_gpu, dims)) * gpus_of_cluster() if on_ray else calibrated_gpu(dims)


def _check_disk(run: Path, choice: Choice, neighbours: int) -> None:
    """An error now where the index and the neighbours will not fit, not when the disk is full, hours later."""
    from shutil import disk_usage

    free = disk_usage(run).free
    needed = room_needed(choice, neighbours)
    if needed > free:
        packed = ", or --codes pq" if choice.kind == "ivf" and choice.codes != "pq" else ""
        raise InputError(
            f"{run}: the index and neighbours of {choice.sentences:,} sentences take up to {needed / 1e9:,.1f} GB on "
            f"the way to pairs, and {free / 1e9:,.1f} GB are free. Make room, or give fewer --dims or "
            f"--neighbours{packed}."
        )


def _with_lists_of(run: Path, choice: Choice) -> Choice:
    """The same with the lists that an earlier run has."""
    lists = read_lists(run / "index" / LISTS)
    return replace(
        choice,
        lists=len(lists),
        cells=lists.cells,
        has_graph=len(lists) > MOST_BY_PRODUCT,
        reason=f"{choice.sentences:,} sentences lie in the {len(lists):,} lists of the run that was given, of which "
        "each looks into the nearest.",
    )


def read_choice(run: Path) -> Choice:
    """Which index a run has."""
    return Choice(**json.loads((run / CHOICE).read_text(encoding="utf-8"))["choice"])


def index_step(
    run: Path, options: SearchOptions, choice: Choice, earlier: Earlier, *, min_similarity: float
) -> FolderStep:
    """Vectors → index, on the lists of an earlier run where they fit.

    The recall that decides how many lists are looked into is that of neighbours of at least `min_similarity`: no others
    become pairs.
    """
    chosen = asdict(replace(choice, reason=""))
    before = same_lists(earlier, choice)
    if before is not None:
        chosen |= {"lists_of": read_made_by(before, "index")["signature"]}
    rounds = (
        partial(_lists_round, run=run, choice=choice, before=before),
        partial(_renumber_round, run=run, before=before),
        partial(_laid_round, run=run, before=before),
        partial(_cells_round, before=before),
        partial(_compared_round, run=run, k=options.neighbours),
        partial(_true_round, run=run, min_similarity=min_similarity),
        partial(_probes_round, run=run, options=options, min_similarity=min_similarity),
    )
    return FolderStep(
        table="index",
        rounds=rounds if choice.kind == "ivf" else (),
        options={
            "choice": chosen,
            "recall": options.recall,
            "probes": options.probes,
            "neighbours": options.neighbours,
            "min_similarity": min_similarity,
        }
        if choice.kind == "ivf"
        else {"choice": chosen},
        stages=("models",),
        inputs=("vectors",),
        libraries=("faiss-cpu",) if choice.kind == "ivf" else (),
        rows=lambda folder: choice.sentences,
    )


def read_first_probes(run: Path) -> dict[str, Any]:
    """How many lists a sentence looks into at first, and the recall that was estimated for so many."""
    return dict(json.loads((run / "index" / PROBES).read_text(encoding="utf-8")))


def read_probes(run: Path) -> dict[str, Any]:
    """How many lists a sentence has looked into, and the recall that was measured after every stage and in the end;
    before that, what was estimated."""
    measured = run / "neighbours" / RECALL
    return dict(json.loads(measured.read_text(encoding="utf-8"))) if measured.is_file() else read_first_probes(run)


class TrueOnes(NamedTuple):
    """The true neighbours of a sample."""

    queries: NDArray[np.int64]
    """The numbers of the sample."""
    neighbours: Neighbours
    least: int
    """Products that count are at least this."""


def read_true(run: Path) -> TrueOnes:
    """Those that the recall of a run is measured by."""
    return read_true_in(run / "index")


def read_true_in(index: Path) -> TrueOnes:
    """The same, from the folder of an index."""
    with np.load(index / TRUE, allow_pickle=False) as arrays:
        return TrueOnes(arrays["queries"], Neighbours(arrays["dots"], arrays["numbers"]), int(arrays["least"]))


def _vectors(run: Path) -> Vectors:
    return Vectors(run / "vectors", Numbers.of(run / "vectors").starts)


def _lists_round(folder: Path, *, run: Path, choice: Choice, before: Path | None) -> Round:
    return Round(name="centroids", files=(LISTS,), work=partial(partial, _learn, run, choice, before), is_small=True)


def _learn(run: Path, choice: Choice, before: Path | None, number: int, target: Path) -> None:
    """Centroids of the sentences with the lowest ids: a sample, since ids are hashes, and always the same one."""
    if before is not None:
        codes_before = read_codes(before / "index" / LISTS)
        assert isinstance(codes_before, Coder | ProductCoder)
        write_head(target, read_lists(before / "index" / LISTS), codes_before)
        return
    vectors = _vectors(run)
    sample = vectors.read(0, sample_size(choice.lists, choice.sentences))
    with threads(1):
        lists = learn_lists(sample, choice.lists, choice.cells)
        coder = read_coder(run / "vectors")
        codes = learn_product_coder(coder, sample, choice.width) if choice.codes == "pq" else coder
        write_head(target, lists, codes)


def _renumber_round(folder: Path, *, run: Path, before: Path | None) -> Round:
    """The numbers that the sentences of the earlier run have in this one."""
    files = (RENUMBERED,) if before is not None else ()
    return Round(
        name="renumbered", files=files, work=partial(partial, _renumber, run, before), is_kept=False, is_small=True
    )


def _renumber(run: Path, before: Path | None, number: int, target: Path) -> None:
    assert before is not None
    renumbered = Numbers.of(run / "vectors").find(np.asarray(Numbers.of(before / "vectors").keys))
    with target.open("wb") as file:
        np.save(file, renumbered, allow_pickle=False)


def _laid_round(folder: Path, *, run: Path, before: Path | None) -> Round:
    parts = len(_vectors(run).starts) - 1
    return Round(
        name="laid",
        files=tuple(f"laid/part-{part:05d}.rows" for part in range(parts)),
        work=partial(RowLayer, run, folder / WHOLE / LISTS, None if before is None else folder / ASIDE / RENUMBERED),
        is_kept=False,
    )


class RowLayer:
    """Lays the vectors of one part into lists, but for those that lie in the lists of an earlier run."""

    def __init__(self, run: Path, index: Path, renumbered: Path | None) -> None:
        self.lying = None if renumbered is None else np.sort(read_array(renumbered))
        self.vectors = _vectors(run)
        codes = read_codes(index)
        assert isinstance(codes, Coder | ProductCoder)
        self.codes = codes
        self.finder = ListFinder.open(index, read_lists(index))

    def __call__(self, part: int, target: Path) -> None:
        start, stop = self.vectors.starts[part : part + 2].tolist()
        rows, numbers = self.vectors.read(start, stop), np.arange(start, stop)
        if self.lying is not None:
            is_new = ~np.isin(numbers, self.lying[slice(*np.searchsorted(self.lying, [start, stop]))])
            rows, numbers = rows[is_new], numbers[is_new]
        with threads(1):
            lay_rows(target, self.finder, self.codes, rows, numbers)


def _cells_round(folder: Path, *, before: Path | None) -> Round:
    lists = read_lists(folder / WHOLE / LISTS)
    return Round(
        name="cells",
        files=tuple(f"{LISTS}/{cell_name(cell)}" for cell in range(lists.cells)),
        work=partial(partial, _gather, folder, before),
    )


def _gather(folder: Path, before: Path | None, cell: int, target: Path) -> None:
    lists = read_lists(folder / WHOLE / LISTS)
    sources = [Source(file=file) for file in sorted((folder / ASIDE / "laid").glob("*.rows"))]
    if before is not None:
        renumbered = read_array(folder / ASIDE / RENUMBERED, in_memory=False)
        sources.append(Source(file=before / "index" / LISTS / cell_name(cell), renumber=renumbered))
    gather_cell(target, lists.lists_of(cell), sources)


def _compared_round(folder: Path, *, run: Path, k: int) -> Round:
    """The true neighbours, among the sentences of each part, of those with the highest ids: a sample by lot as well,
    and centroids were learned from the other end."""
    parts = len(_vectors(run).starts) - 1
    return Round(
        name="compared",
        files=tuple(f"true/part-{part:05d}.npz" for part in range(parts)),
        work=partial(partial, _true_neighbours, run, k),
        is_kept=False,
    )


def _queries(vectors: Vectors) -> tuple[NDArray[np.int64], NDArray[np.int8]]:
    """The sentences that the recall is estimated by: their numbers and codes."""
    count = int(vectors.starts[-1])
    first = max(count - RECALL_QUERIES, 0)
    return np.arange(first, count), vectors.read(first, count)


def _true_neighbours(run: Path, k: int, part: int, target: Path) -> None:
    vectors = _vectors(run)
    start, stop = vectors.starts[part : part + 2].tolist()
    numbers, queries = _queries(vectors)
    with threads(1):
        found = search_block(queries, numbers, [Part(start, vectors.read(start, stop))], k)
    with target.open("wb") as file:
        np.savez(file, dots=found.dots, numbers=found.numbers)


def _true_round(folder: Path, *, run: Path, min_similarity: float) -> Round:
    return Round(
        name="true", files=(TRUE,), work=partial(partial, _write_true, run, folder, min_similarity), is_small=True
    )


def _write_true(run: Path, folder: Path, min_similarity: float, number: int, target: Path) -> None:
    vectors, coder = _vectors(run), read_coder(run / "vectors")
    true = _true_of_all(folder / ASIDE / "true")
    least = least_that_counts(true, max(round(min_similarity * coder.scale**2), LEAST))
    with target.open("wb") as file:
        np.savez(file, queries=_queries(vectors)[0], dots=true.dots, numbers=true.numbers, least=least)


def _probes_round(folder: Path, *, run: Path, options: SearchOptions, min_similarity: float) -> Round:
    return Round(
        name="probes",
        files=(PROBES,),
        work=partial(partial, _choose_probes, run, folder, options, min_similarity),
        is_small=True,
    )


def _choose_probes(
    run: Path, folder: Path, options: SearchOptions, min_similarity: float, number: int, target: Path
) -> None:
    """As few as find so much of what can become a pair, when every sentence looks twice, that links find the rest."""
    vectors, coder = _vectors(run), read_coder(run / "vectors")
    index = Index.open(folder / WHOLE / LISTS)
    true = read_true_in(folder / WHOLE)
    whole = vectors.take if index.is_packed else None

    def recall(probes: int) -> Recall:
        def look(of: NDArray[np.int64]) -> Neighbours:
            return first_look(
                index.cells, index.finder, vectors.take(of), of, k=options.neighbours, probes=probes, whole=whole
            )

        return recall_either_way(
            true.queries, true.neighbours, first_look=look, read_codes=vectors.take, least=true.least
        )

    with threads(1):
        if options.probes:
            probes = min(options.probes, index.finder.most_probes)
            reached = recall(probes)
        else:
            enough = max(1 - LINKS_FIND * (1 - options.recall), 0.0)
            probes, reached = fewest_probes(recall, enough, most=index.finder.most_probes)
    counted_from = min(min_similarity, round(true.least / coder.scale**2, 3))
    told = {"probes": probes, "recall": asdict(reached), "wanted": options.recall, "min_similarity": counted_from}
    write_text(target, json.dumps(told, sort_keys=True, indent=2) + "\n")


def _true_of_all(folder: Path) -> Neighbours:
    """The true neighbours among all sentences, from those among each part's."""
    true: Neighbours | None = None
    for file in sorted(folder.glob("*.npz")):
        with np.load(file, allow_pickle=False) as arrays:
            found = Neighbours(arrays["dots"], arrays["numbers"])
        true = found if true is None else merge_nearest(true, found)
    assert true is not None, "there is a part, for there are vectors"
    return true
