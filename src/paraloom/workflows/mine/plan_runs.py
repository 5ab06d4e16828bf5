"""Sentences in; a small run of mining, what each of its rounds cost and what each of its steps took on disk, out.

The run is that of `paraloom mine`, in this process alone.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.workflows.mine.plan_costs import STEPS, Size, TableBytes, parts_of
from paraloom.workflows.mine.plan_machine import bytes_below, in_own_process, most_held

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.models.neighbours.choice import Choice
    from paraloom.workflows.mine.plan_options import PlanOptions

MANY_PAIRS = 0.3
"""Similarity that pairs of the smaller runs have at least: few sentences have few pairs that are more alike, and what a
pair costs would be drowned by what a run does."""
ENOUGH_PAIRS = 1000
"""Of fewer pairs no share is told, and no size."""
TABLES = {"sentences": "sentences", "candidates": "pairs", "pairs": "pairs", "clusters": "written", "file": "written"}
"""Steps whose tables are measured, and what they grow with; of vectors, index and neighbours every byte is known."""
PASSES = ("sentences", "pairs", "file")
"""Those of which it is measured, too, what their passes leave for each other."""


class RoundsHeard:
    """Hears how a run goes: counts the processor's seconds of every round, and sees how full the disk is at its end."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self.seconds: dict[str, float] = {}
        self.most: dict[str, int] = {}
        """The most bytes that the run had on disk during a step."""
        self.now = ""
        self.since = time.process_time()

    def __call__(self, table: str, name: str, done: int, total: int) -> None:
        """The round goes on until the next one is heard of."""
        self.turn_to(f"{table}/{name}")
        if done == total:
            self.most[table] = max(self.most.get(table, 0), bytes_below(self.run))
            self.since = time.process_time()  # looking is no part of it

    def turn_to(self, name: str) -> None:
        """What has passed belongs to the round before."""
        now = time.process_time()
        if self.now:
            self.seconds[self.now] = self.seconds.get(self.now, 0.0) + now - self.since
        self.now, self.since = name, now


def small_run(
    texts: Sequence[str], folder: Path, options: PlanOptions, *, min_similarity: float | None = None
) -> RoundsHeard:
    """Mine these texts with lists, in `folder`/run; pairs are as alike as the options say, or as little as is said."""
    from paraloom.engine.places import PlaceOptions
    from paraloom.pairs.mine_options import MinedPairOptions
    from paraloom.workflows.mine.mine import mine
    from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions

    given, run = folder / "sentences.txt", folder / "run"
    folder.mkdir()
    given.write_text("\n".join(texts) + "\n", encoding="utf-8", errors="replace")
    least = options.min_similarity
    asked = MineOptions(
        embed=EmbedOptions(embedder=options.embedder, dims=options.dims),
        search=SearchOptions(neighbours=options.neighbours, index="ivf", recall=options.recall, codes="int8"),
        pairs=MinedPairOptions(min_similarity=least if min_similarity is None else min(min_similarity, least)),
        judge=JudgeOptions(identify=False),  # how long judging takes is asked of the identifier
        place=PlaceOptions(workers=1),
    )
    heard = RoundsHeard(run)
    mine([given], run, asked, progress=heard)
    heard.turn_to("")
    return heard


def memory_of_small_run(texts: Sequence[str], folder: Path, options: PlanOptions) -> int:
    """The most bytes that a process held that did nothing but mine these few texts."""
    return in_own_process(_memory_of, list(texts), folder, options)


def _memory_of(texts: list[str], folder: Path, options: PlanOptions) -> int:
    small_run(texts, folder, options)
    return most_held()


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """A run of a part of the sample: how long its rounds took, and how much there was to do."""

    seconds: dict[str, float]
    most: dict[str, int]
    folder: Path
    size: Size
    choice: Choice
    probes: int

    @classmethod
    def made(
        cls, texts: Sequence[str], folder: Path, options: PlanOptions, *, min_similarity: float | None = None
    ) -> MeasuredRun:
        """Make it."""
        from paraloom.workflows.mine.index_step import read_choice, read_probes

        heard = small_run(texts, folder, options, min_similarity=min_similarity)
        count, found, kept = _counted(heard.run)
        parts = parts_of(count, (folder / "sentences.txt").stat().st_size / max(count, 1))
        probes = read_probes(heard.run)
        return cls(
            seconds=heard.seconds,
            most=heard.most,
            folder=heard.run,
            size=Size(
                sentences=count,
                neighbours=options.neighbours,
                candidates=found,
                judged=0.0,
                written=kept,
                parts=parts,
                stages=len(probes["stages"]),
            ),
            choice=read_choice(heard.run),
            probes=int(probes["probes"]),
        )

    def tables(self) -> dict[str, TableBytes]:
        """What tables took on disk, finished and before, a sentence or a pair."""
        from paraloom.workflows.mine.publish import PAIRS

        kept = {step: bytes_below(self.folder / (PAIRS if step == "file" else step)) for step in STEPS}
        amounts = self.size.amounts(self.choice)
        found = {}
        for step, unit in TABLES.items():
            there = sum(kept[each] for each in STEPS[: STEPS.index(step) + 1])
            aside = max(self.most.get(step, 0) - there, 0) if step in PASSES else 0
            amount = max(amounts[unit], 1.0)
            found[step] = TableBytes(kept=kept[step] / amount, aside=aside / amount)
        return found

    def pairs(self, columns: Sequence[str]) -> pa.Table:
        """The pairs, in the order of their ids."""
        import pyarrow as pa

        from paraloom.engine.store import read_parts

        return pa.concat_tables(read_parts(self.folder, "pairs", columns))


def _counted(run: Path) -> tuple[int, float, float]:
    """How many sentences, candidates and kept pairs a run has."""
    import pyarrow.parquet as pq

    from paraloom.engine.store import part_files
    from paraloom.pairs.mine import PROPOSED
    from paraloom.workflows.mine.candidates_step import tally_of
    from paraloom.workflows.mine.numbers import Numbers

    kept = sum(
        pq.read_table(part, columns=["dropped_for"], partitioning=None).column("dropped_for").null_count
        for part in part_files(run, "pairs")
    )
    return len(Numbers.of(run / "vectors")), float(tally_of(run / "candidates")[PROPOSED]), float(kept)
