"""A mined run and texts in, the sentences of the run that are nearest to each out.

A text is compared with all sentences while their vectors are read in about a second. Beyond, it looks into the lists
that are nearest to it, then at the neighbours of what it has found there, and at theirs, until it finds nothing nearer.
The recall of a run is that of two sentences that look for each other; a text looks alone, and so into more lists.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.buckets import bucket_of
from paraloom.engine.store import made_by_file, part_files, read_made_by
from paraloom.errors import NotMade
from paraloom.models.neighbours.codes import similarities, squared_norms
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY, Neighbours
from paraloom.models.neighbours.search import Part, search_block
from paraloom.models.neighbours.second_look import Named, look_again
from paraloom.workflows.mine.index_step import LISTS, read_choice, read_probes
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.options import check_lookup
from paraloom.workflows.mine.publish import targets_of
from paraloom.workflows.mine.run_embedder import embedder_of
from paraloom.workflows.mine.run_neighbours import RunNeighbours
from paraloom.workflows.mine.vectors_step import Vectors, kept_sentences, read_coder

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS_AT_ONCE = 1024
MOST_READ = 1 << 30
"""Bytes of vectors up to which a text is compared with all."""
MORE_PROBES = 4
"""Times the lists of the run that a text looks into beyond."""
MOST_LOOKS = 4
"""So often at most a text looks at its neighbours' neighbours; the third time hardly finds any."""
FEWEST_FOUND = 16
"""So many neighbours are followed where fewer are asked for."""
NO_SENTENCES = "the run has no sentences"
NOTHING_KNOWN = "the embedder knows nothing of this text"
NOTHING_ALIKE = "no sentence of the run is like it at all"


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSentence:
    """A sentence of the run."""

    similarity: float
    text: str
    copies: int
    sentence_id: str
    cluster_id: str | None
    """The cluster it is in, if it is in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What is near to one text."""

    text: str
    found: tuple[NearSentence, ...]
    why_nothing: str = ""
    """Why nothing is, where nothing is."""

    def as_json(self) -> str:
        """One JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def as_text(self) -> str:
        """Lines for a person to read."""
        lines = [self.text]
        for near in self.found:
            met = "" if near.copies == 1 else f"  (met {near.copies:,} times)"
            lines.append(f"  {near.similarity:.3f}  {near.text}{met}")
        return "\n".join(lines if self.found else [*lines, f"  nothing is near: {self.why_nothing}"])


def look_up(
    run: str | Path,
    texts: Iterable[str],
    k: int = 10,
    *,
    probes: int = 0,
    embedder: str | None = None,
    device: str = "cpu",
) -> list[Looked]:
    """The k nearest sentences of every text; with `probes`, those that so many lists of the index lead to.

    `embedder` is where the embedder's folder lies now, if the run was made with one from a folder; `device` is where
    the texts become vectors, wherever those of the run were made.
    """
    return list(look_up_all(run, texts, k, probes=probes, embedder=embedder, device=device))


def look_up_all(
    run: str | Path,
    texts: Iterable[str],
    k: int = 10,
    *,
    probes: int = 0,
    embedder: str | None = None,
    device: str = "cpu",
) -> Iterator[Looked]:
    """The same one after the other, for as many texts as there may be."""
    run = targets_of(Path(run))[0] if Path(run).is_file() else Path(run)  # the run lies beside a file of pairs
    if not made_by_file(run, "index").is_file():
        raise NotMade(f"{run} is no mined run. Give the --out of `paraloom mine`.")
    check_lookup(k, probes)
    loaded, coder = embedder_of(run, embedder, device=device), read_coder(run / "vectors")
    search = search_in(run, k, probes)
    numbers = Numbers.of(run / "vectors")
    coming = iter(texts)
    while some := list(islice(coming, TEXTS_AT_ONCE)):
        if not len(numbers):
            yield from (Looked(text=text, found=(), why_nothing=NO_SENTENCES) for text in some)
            continue
        queries = coder.encode(loaded.embed(some))
        found, norms = search(queries), squared_norms(queries)
        alike = similarities(found.dots, norms[:, None], np.asarray(numbers.norms[np.maximum(found.numbers, 0)]))
        sentences = _sentences(run, numbers, np.unique(found.numbers[found.numbers != NOBODY]))
        for text, norm, near, cosines in zip(some, norms.tolist(), found.numbers.tolist(), alike.tolist(), strict=True):
            told = tuple(
                NearSentence(similarity=cosine, **sentences[number])
                for number, cosine in zip(near, cosines, strict=True)
                if number != NOBODY
            )
            why = NOTHING_ALIKE if norm else NOTHING_KNOWN
            yield Looked(text=text, found=told, why_nothing="" if told else why)


def search_in(run: Path, k: int, probes: int = 0) -> Callable[[NDArray[np.int8]], Neighbours]:
    """What finds the k nearest sentences of a run for codes that are none of its own."""
    vectors, choice = Vectors(run / "vectors", Numbers.of(run / "vectors").starts), read_choice(run)
    if choice.kind == "exact" or (not probes and choice.sentences * choice.dims <= MOST_READ):
        return lambda queries: search_block(queries, None, (Part(start, codes) for start, codes in vectors.parts()), k)
    index = Index.open(run / "index" / LISTS)
    probed = probes or MORE_PROBES * int(read_probes(run)["probes"])
    neighbours = RunNeighbours(run, vectors) if made_by_file(run, "neighbours").is_file() else None

    def search(queries: NDArray[np.int8]) -> Neighbours:
        found = index.search(queries, max(k, FEWEST_FOUND), probes=probed, whole=vectors.take)
        if neighbours is not None:
            found = follow(queries, found, neighbours)
        return Neighbours(found.dots[:, :k], found.numbers[:, :k])

    return search


def follow(queries: NDArray[np.int8], found: Neighbours, neighbours: RunNeighbours) -> Neighbours:
    """The best of what was found, of its neighbours, and of theirs, until nothing nearer comes."""
    asking = np.arange(len(queries))
    best = Neighbours(found.dots.copy(), found.numbers.copy())
    for _ in range(MOST_LOOKS):
        if not len(asking):
            break
        own = Neighbours(best.dots[asking], best.numbers[asking])
        looks = LooksOfTexts(queries[asking], neighbours)
        better = look_again(looks.names, own.numbers, own, looks)
        has_changed = (better.numbers != own.numbers).any(axis=1)
        best.dots[asking], best.numbers[asking] = better
        asking = asking[has_changed]
    return best


class LooksOfTexts:
    """What the sentences of a run have found, for texts that are none of them: a text goes by a name behind theirs."""

    def __init__(self, queries: NDArray[np.int8], run: RunNeighbours) -> None:
        self.queries = queries
        self.run = run

    @property
    def names(self) -> NDArray[np.int64]:
        """The names of the texts."""
        return self.run.count + np.arange(len(self.queries))

    def neighbours(self, names: NDArray[np.int64]) -> NDArray[np.int64]:
        """The neighbours of these sentences."""
        return self.run.of(names).neighbours

    def rows(self, names: NDArray[np.int64]) -> Named:
        """These sentences and texts."""
        last = int(np.searchsorted(names, self.run.count))
        return Named(names, np.concatenate([self.run.codes(names[:last]), self.queries[names[last:] - self.run.count]]))


def _sentences(run: Path, numbers: Numbers, wanted: NDArray[np.int64]) -> dict[int, dict[str, Any]]:
    """What is told of these sentences, whose numbers rise, by number; each part is read once."""
    clusters = _clusters(run, numbers.ids(wanted))
    told: dict[int, dict[str, Any]] = {}
    parts = numbers.parts_of(wanted)
    for part in np.unique(parts).tolist():
        of_part = wanted[parts == part]
        rows = kept_sentences(run, part, ("sentence_id", "text", "copies")).take(of_part - numbers.starts[part])
        for number, row in zip(of_part.tolist(), rows.to_pylist(), strict=True):
            told[number] = {**row, "cluster_id": clusters.get(row["sentence_id"])}
    return told


def _clusters(run: Path, ids: Sequence[str]) -> Mapping[str, str]:
    """The clusters of these sentences, of those that are in one; each part is read once."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    if not made_by_file(run, "clusters").is_file():
        return {}
    buckets = int(read_made_by(run, "clusters")["buckets"])
    wanted = {f"part-{bucket_of(sentence_id, buckets):02d}" for sentence_id in ids}
    found: dict[str, str] = {}
    for file in part_files(run, "clusters"):
        if file.stem in wanted:
            rows = pq.read_table(file, columns=["sentence_id", "cluster_id"], partitioning=None)
            rows = rows.filter(pc.is_in(rows.column("sentence_id"), pa.array(ids, pa.string())))
            found |= dict(zip(*(rows.column(name).to_pylist() for name in rows.column_names), strict=True))
    return found
