"""A folder of published corpora in, how well and how fast every embedder finds their pairs among strangers out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paraloom.errors import InputError
from paraloom.metrics.retrieval.figures import KS, measure_retrieval
from paraloom.metrics.retrieval.places import PlaceCount
from paraloom.metrics.retrieval.vectors import DenseVectors
from paraloom.models.embedders import read_card, weight_files
from paraloom.models.embedders.catalogue import CARD, EMBEDDERS
from paraloom.reports.bench_mining import EmbedderCost, MiningBench, MiningRow, MiningSet
from paraloom.workflows.bench.mining_options import MiningBenchOptions
from paraloom.workflows.bench.mining_sets import FINNISH, seen_by_shared_parts
from paraloom.workflows.bench.mining_texts import MiningTexts, read_mining_texts
from paraloom.workflows.bench.mining_vectors import Timed, embedded, prefix_of, timed_on_some
from paraloom.workflows.evaluate.retrieval import found_in
from paraloom.workflows.evaluate.retrieval_sets import RetrievalSet
from paraloom.workflows.evaluate.text_vectors import (
    EXACT_CHARACTERS,
    AskedEmbedder,
    TextVectors,
    ask_for,
    name_and_dims,
)

SHORTENED = {"fast": (128, 64), "good": (128, 64)}
"""Embedders that are measured with fewer dimensions too."""
STRANGERS_AT_ONCE = 16_384

Tell = Callable[[str], None]


def every_embedder() -> list[str]:
    """All that are known by name, those that can be cut with fewer dimensions too.

    >>> every_embedder()[:3]
    ['fast', 'fast@128', 'fast@64']
    """
    found = [asked for name in EMBEDDERS for asked in (name, *(f"{name}@{dims}" for dims in SHORTENED.get(name, ())))]
    return [*found, EXACT_CHARACTERS]


def bench_mining(
    data: Path,
    options: MiningBenchOptions = MiningBenchOptions(),
    *,
    folder: Path | None = None,
    tell: Tell | None = None,
) -> MiningBench:
    """Let every embedder look for the pairs of every set; vectors are kept in `folder`, or forgotten without one."""
    if folder is None:
        with TemporaryDirectory(prefix="paraloom-bench-") as forgotten:
            return _bench(data, options, Path(forgotten), tell)
    return _bench(data, options, folder, tell)


def _bench(data: Path, options: MiningBenchOptions, folder: Path, tell: Tell | None) -> MiningBench:
    texts = read_mining_texts(data, options)
    look = _Look(texts=texts, digest=texts.digest(), options=options, folder=folder)
    rows: list[MiningRow] = []
    not_run: dict[str, str] = {}
    for asked in options.embedders or every_embedder():
        if tell:
            tell(f"{asked}: {len(texts.texts):,} texts")
        try:
            rows += list(look.rows(asked))  # all sets of an embedder, or none
        except InputError as error:
            not_run[asked] = str(error)
    if not rows:
        raise InputError(f"No embedder could be run. {next(iter(not_run.values()))}")
    return MiningBench(
        rows=tuple(rows),
        sets=tuple(
            MiningSet(
                name=one.name,
                language="Finnish" if one.name in FINNISH else "English",
                pairs=len(one),
                paraphrases=int(one.truth.sum()),
                texts=len(one.texts),
                candidates=len(one.texts) - 1 + len(texts.others(one)),
            )
            for one in texts.sets
        ),
        strangers=texts.strangers,
        not_run=not_run,
        notes=(
            *texts.skipped,
            *(note for one in texts.sets for note in one.notes),
            *_seen(rows),
        ),
    )


def _seen(rows: Sequence[MiningRow]) -> Iterator[str]:
    """A line for each embedder that has a part which learned from what it is measured on."""
    for asked in dict.fromkeys(row.embedder for row in rows):
        name, _ = name_and_dims(asked)
        there = {row.set for row in rows if row.embedder == asked}
        card = None if name == EXACT_CHARACTERS else weight_files(name).get(CARD)
        seen = [] if card is None else [one for one in seen_by_shared_parts(read_card(card.parent)) if one in there]
        if seen:
            yield (
                f"{asked} shares parts with a network that has learned from texts of {', '.join(seen)}: its figures "
                "there are not those of texts that nobody has seen."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """One benchmark's texts, and where their vectors are kept."""

    texts: MiningTexts
    digest: str
    options: MiningBenchOptions
    folder: Path

    def rows(self, asked: str) -> Iterator[MiningRow]:
        """What one embedder makes of every set."""
        vectors = self._ask_for(asked).vectors(self.texts.texts)
        made, timed = self._made(asked, vectors)
        if isinstance(made, DenseVectors):
            made = replace(made, device=self.options.device)
        cost = EmbedderCost(
            dims=vectors.dims,
            megabytes=megabytes_of(asked),
            texts_per_second=timed.texts_per_second,
            device=timed.device,
            processor=timed.processor,
            cores=timed.cores,
        )
        for one in self.texts.sets:
            (figures,), _ = measure_retrieval(
                [found_in(one, self._counted(one, made), vectors)],
                one.labels,
                one.truth,
                ks=KS,
                groups=one.groups,
                settings="query:left|distinct:text-key|similarity:cosine",
                resamples=self.options.resamples,
                seed=self.options.seed,
            )
            yield MiningRow(embedder=asked, set=one.name, figures=figures, cost=cost)

    def _ask_for(self, asked: str) -> AskedEmbedder:
        return ask_for(asked, device=self.options.device, hub=self.options.hub)

    def _made(self, asked: str, vectors: TextVectors) -> tuple[Any, Timed]:
        """The vectors of all texts: the beginnings of longer ones that are there, or made now."""
        name, dims = name_and_dims(asked)
        if dims and name in SHORTENED:
            whole = self._ask_for(name).vectors(())
            longer, timed = embedded(whole, self.texts.texts, self.digest, self.folder)
            cut = prefix_of(longer, whole, vectors, self.texts.texts)
            if cut is not None:
                return cut, timed_on_some(vectors, self.texts.texts, self.digest, self.folder, timed)
        return embedded(vectors, self.texts.texts, self.digest, self.folder)

    def _counted(self, one: RetrievalSet, made: Any) -> PlaceCount[Any]:
        count = PlaceCount(made.chosen(self.texts.own(one)), one.queries, one.answers)
        others = self.texts.others(one)
        for start in range(0, len(others), STRANGERS_AT_ONCE):
            count.add(made.chosen(others[start : start + STRANGERS_AT_ONCE]))
        return count


def megabytes_of(asked: str) -> float | None:
    """What an embedder's files take on disk, without what it shares; None where it learns anew.

    >>> megabytes_of("characters@64") is None
    True
    """
    name, _ = name_and_dims(asked)
    files = {} if name == EXACT_CHARACTERS else weight_files(name)
    own = [file for shown, file in files.items() if not shown.startswith("shipped ")]
    return sum(file.stat().st_size for file in own) / 1e6 if own else None
