"""Neighbours in, candidate pairs out: each once, by number, with similarity and margin; what is too far is counted."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.engine.folders import ASIDE, FolderStep, Round
from paraloom.engine.store import write_part
from paraloom.models.neighbours.codes import similarities
from paraloom.models.neighbours.lists import read_array
from paraloom.pairs.mine import PROPOSED, TALLIES, joined_edges, margins_of, proposed
from paraloom.workflows.mine.nearest_files import Nearest, neighbour_files
from paraloom.workflows.mine.neighbours_step import MEANS
from paraloom.workflows.mine.numbers import Numbers

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.pairs.mine_options import MinedPairOptions

TALLY = b"tally"
"""Under which a part's metadata say what became of the pairs that were found."""
EDGES = "edges"
SMALL = 1 << 20
"""Below so many sentences times neighbours, helper processes cost more than they save."""
RULES = ("min_similarity", "min_margin", "mutual")
"""The options that decide what a candidate is."""


def candidates_step(run: Path, options: MinedPairOptions) -> FolderStep:
    """Neighbours → candidates."""
    return FolderStep(
        table="candidates",
        rounds=(partial(_edges_round, run=run), partial(_parts_round, run=run, options=options)),
        options={name: getattr(options, name) for name in RULES},
        stages=("pairs",),
        inputs=("vectors", "neighbours"),
        rows=lambda folder: tally_of(folder)[PROPOSED],
    )


def _edges_round(folder: Path, *, run: Path) -> Round:
    files = neighbour_files(run / "neighbours")
    return Round(
        name="turned",
        files=tuple(f"{EDGES}/task-{number:05d}" for number in range(len(files))),
        work=partial(EdgeWriter, run),
        is_kept=False,
        is_small=sum(file.stat().st_size for file in files) < 16 * SMALL,
    )


def _edge_schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema([("part", pa.int32()), ("source", pa.int64()), ("target", pa.int64()), ("dot", pa.int32())])


class EdgeWriter:
    """Lays the neighbours that one file holds down by the part of the lower number."""

    def __init__(self, run: Path) -> None:
        self.numbers = Numbers.of(run / "vectors")
        self.files = neighbour_files(run / "neighbours")

    def __call__(self, number: int, target: Path) -> None:
        import pyarrow as pa

        from paraloom.engine.spills import write_spills

        found = Nearest.read(self.files[number])
        is_there = found.is_there
        sources = np.repeat(found.numbers, is_there.sum(axis=1))
        targets = found.neighbours[is_there]
        columns = {
            "part": self.numbers.parts_of(np.minimum(sources, targets)),
            "source": sources,
            "target": targets,
            "dot": found.dots[is_there],
        }
        edges = pa.table(columns).cast(_edge_schema())
        write_spills([edges], edges.schema, "part", len(self.numbers.starts) - 1, target)


def _parts_round(folder: Path, *, run: Path, options: MinedPairOptions) -> Round:
    parts = len(Numbers.of(run / "vectors").starts) - 1
    size = sum(file.stat().st_size for file in (folder / ASIDE).rglob("*.spill"))
    return Round(
        name="paired",
        files=tuple(candidates_file(part) for part in range(parts)),
        work=partial(CandidateWriter, run, folder / ASIDE / EDGES, options),
        is_small=size < 8 * SMALL,
    )


def candidates_file(part: int) -> str:
    """The name of the file with the candidates whose lower number is in one part."""
    return f"part-{part:02d}.parquet"


class CandidateWriter:
    """Makes pairs of the edges of one part."""

    def __init__(self, run: Path, edges: Path, options: MinedPairOptions) -> None:
        from paraloom.engine.layout import laid_in

        self.numbers = Numbers.of(run / "vectors")
        self.means = read_array(run / "neighbours" / MEANS, in_memory=False)
        self.laid = laid_in(edges, "part", _edge_schema(), len(self.numbers.starts) - 1)
        self.options = options

    def __call__(self, part: int, target: Path) -> None:
        import pyarrow as pa

        rows = self.laid.read(part, ("source", "target", "dot"))
        sources, targets, dots = (rows.column(name).to_numpy() for name in ("source", "target", "dot"))
        norms = self.numbers.norms
        edges = joined_edges(sources, targets, similarities(dots, norms[sources], norms[targets]))
        margins = margins_of(edges, self.means[edges.low].astype(np.float64), self.means[edges.high].astype(np.float64))
        kept, tally = proposed(edges, margins, self.options)
        candidates = pa.table(
            {
                "low": edges.low[kept],
                "high": edges.high[kept],
                "similarity": edges.similarity[kept],
                "margin": margins[kept],
                "is_mutual": edges.is_mutual[kept],
            }
        )
        write_part(candidates.replace_schema_metadata({TALLY: json.dumps(tally).encode()}), target)


def tally_of(candidates: Path) -> dict[str, int]:
    """What became of all pairs that were found, from a folder of candidates."""
    import pyarrow.parquet as pq

    total = Counter(dict.fromkeys(TALLIES, 0))
    for file in sorted(candidates.glob("part-*.parquet")):
        total.update(json.loads((pq.read_schema(file).metadata or {})[TALLY]))
    return dict(total)
