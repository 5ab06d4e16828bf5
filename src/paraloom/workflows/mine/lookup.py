"""A mined run and texts in, the sentences of the run that are nearest to each out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from paraloom.engine.store import find_rows, made_by_file
from paraloom.errors import NotMade
from paraloom.models.neighbours.codes import similarities, squared_norms
from paraloom.models.neighbours.index import Index
from paraloom.models.neighbours.nearest import NOBODY, Neighbours
from paraloom.models.neighbours.search import Part, search_block
from paraloom.workflows.mine.index_step import LISTS, read_choice, read_probes
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.options import check_lookup
from paraloom.workflows.mine.vectors_step import Vectors, load, options_of, read_coder


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

    def as_json(self) -> str:
        """One JSON object."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def as_text(self) -> str:
        """Lines for a person to read."""
        lines = [self.text]
        for near in self.found:
            met = "" if near.copies == 1 else f"  (met {near.copies:,} times)"
            lines.append(f"  {near.similarity:.3f}  {near.text}{met}")
        return "\n".join(
            lines if self.found else [*lines, "  nothing is near: the embedder knows nothing of this text"]
        )


def look_up(
    run: Path, texts: Sequence[str], k: int = 10, *, probes: int = 0, embedder: str | None = None
) -> list[Looked]:
    """The k nearest sentences of every text; of an index of lists, as many are looked into as the run itself did.

    `embedder` is where the embedder's folder lies now, if the run was made with one from a folder.
    """
    if not made_by_file(run, "index").is_file():
        raise NotMade(f"{run} is no mined run. Give the --out of `paraloom mine`.")
    check_lookup(k, probes)
    coder = read_coder(run / "vectors")
    queries = coder.encode(load(options_of(run), run / "vectors", embedder).embed(list(texts)))
    numbers = Numbers.of(run / "vectors")
    found = _search(run, queries, numbers, k, probes)
    alike = similarities(
        found.dots, squared_norms(queries)[:, None], np.asarray(numbers.norms[np.maximum(found.numbers, 0)])
    )
    return [
        Looked(text=text, found=tuple(_sentences(run, numbers, near, cosines)))
        for text, near, cosines in zip(texts, found.numbers, alike, strict=True)
    ]


def _search(run: Path, queries: np.ndarray, numbers: Numbers, k: int, probes: int) -> Neighbours:
    vectors = Vectors(run / "vectors", numbers.starts)
    if read_choice(run).kind == "exact":
        return search_block(queries, None, (Part(start, codes) for start, codes in vectors.parts()), k)
    index = Index.open(run / "index" / LISTS)
    return index.search(queries, k, probes=probes or read_probes(run)["probes"], whole=vectors.take)


def _sentences(run: Path, numbers: Numbers, near: np.ndarray, cosines: np.ndarray) -> list[NearSentence]:
    is_there = near != NOBODY
    made = []
    for sentence_id, similarity in zip(numbers.ids(near[is_there]), cosines[is_there].tolist(), strict=True):
        (row,) = find_rows(run, "sentences", sentence_id)
        clusters = find_rows(run, "clusters", sentence_id) if made_by_file(run, "clusters").is_file() else []
        made.append(
            NearSentence(
                similarity=similarity,
                text=row["text"],
                copies=row["copies"],
                sentence_id=sentence_id,
                cluster_id=clusters[0]["cluster_id"] if clusters else None,
            )
        )
    return made
