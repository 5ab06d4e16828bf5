"""Documents in, how many pairs lie in which band of likeness out, with examples: a person chooses the band by them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.tables_in_order import Progress

if TYPE_CHECKING:
    from paraloom.engine.layout import Laid
    from paraloom.engine.passes import Pass, Workplace
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.groups.likeness_counts import Sample

FOLDER = "grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The pairs of one kind of document that lie in one band."""

    kind: str
    low: float
    pairs: int
    same_source: int
    """Pairs whose documents come from the same source."""
    length_ratio: float
    """How long the shorter document is in relation to the longer, on average."""
    examples: tuple[tuple[str, str], ...]
    """How the documents of some pairs begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Bands of likeness, and what lies in them."""

    cells: tuple[Cell, ...]
    compared: int
    """Works, and windows of time, that were compared, among each other and with the next …"""
    of: int
    """… of so many."""

    def as_text(self) -> str:
        """Lines for a person to read."""
        from paraloom.groups.likeness_counts import STEP

        if not self.cells:
            return (
                "No two documents were compared that are at least 0.05 alike. Do they have dates, or works in common?"
            )
        lines = []
        kind = ""
        for cell in self.cells:
            if cell.kind != kind:
                kind = cell.kind
                lines += [f"{kind}", f"{'likeness':>11}  {'pairs':>9}  same source  shorter/longer"]
            band = f"{cell.low:.2f}–{cell.low + STEP:.2f}"
            lines.append(f"{band:>11}  {cell.pairs:>9,}  {cell.same_source:>11,}  {cell.length_ratio:>14.2f}")
            for left, right in cell.examples:
                lines += [f"{'':13}{left}", f"{'':13}{right}", ""]
        if self.compared < self.of:
            lines.append(
                f"Counted in a part, drawn by lot: {self.compared:,} of {self.of:,} comparisons of works or windows."
            )
        lines.append("Choose a band with --least-alike and --most-alike: below it documents tell different things,")
        lines.append("above it they are the same text.")
        return "\n".join(lines)


def make_grid(
    files: Sequence[str | Path],
    out: Path,
    options: AlignOptions | None = None,
    *,
    progress: Progress = lambda table, name, done, total: None,
) -> Grid:
    """Compare documents as `align` does, and count every pair that is at least a little alike.

    The documents lie in a folder of their own within the run folder, so that the run itself can be made another way.
    Of a large collection a part is compared, for pairs of little likeness are counted one by one.
    """
    from paraloom.engine import places, store
    from paraloom.engine.passes import Workplace
    from paraloom.workflows.align.align import align

    options = options or AlignOptions()
    folder = out / FOLDER
    align(files, folder, options, until="documents", progress=progress)
    with store.alone_in(folder), places.at(options.place) as workers:
        work = folder.resolve() / store.UNFINISHED / FOLDER
        shutil.rmtree(work, ignore_errors=True)  # left by one that was killed
        place = Workplace(
            run=folder.resolve(),
            folder=work,
            buckets=int(store.read_made_by(folder, "documents")["buckets"]),
            workers=workers,
            on_ray=options.place.engine == "ray",
            progress=lambda name, done, total: progress(FOLDER, name, done, total),
        )
        try:
            return _counted(place, options.alignment)
        finally:
            shutil.rmtree(work.parent, ignore_errors=True)


def _counted(place: Workplace, options: AlignmentOptions) -> Grid:
    from paraloom.engine.passes import Pass, run_pass
    from paraloom.groups.likeness_counts import LikenessCount, sample_meetings
    from paraloom.workflows.align.groups_step import placing_passes, plan_of
    from paraloom.workflows.align.steps import columns_of

    laid: dict[str, Laid] = {}
    for planned in placing_passes(options):
        given = planned if isinstance(planned, Pass) else planned(laid)
        laid[given.name] = run_pass(given, place, laid)
    sample = sample_meetings(plan_of(laid, options))
    counted = run_pass(_count_pass(laid, options, sample), place, laid)
    bands: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for part in counted.rows(columns_of(LikenessCount)):
        for row in part.to_pylist():
            bands.setdefault((row["kind"], row["band"]), []).append(row)
    cells = tuple(_cell(kind, band, rows) for (kind, band), rows in sorted(bands.items()))
    return Grid(cells=cells, compared=len(sample.drawn), of=sample.of)


def _count_pass(laid: Mapping[str, Laid], options: AlignmentOptions, sample: Sample) -> Pass:
    from functools import partial

    from paraloom.engine.passes import Pass, Read
    from paraloom.groups.blocks import Placed
    from paraloom.groups.likeness_counts import LikenessCount, LikenessCounter
    from paraloom.workflows.align.groups_step import models_of, neighbours_of, plan_of
    from paraloom.workflows.align.steps import columns_of

    neighbours = neighbours_of(laid, plan_of(laid, options))
    return Pass(
        name="counted",
        reads=(Read(table="placed", columns=columns_of(Placed), kept_only=False),),
        by="block",
        work=partial(LikenessCounter, models_of(laid, options), options, neighbours, sample.drawn),
        row=LikenessCount,
        to="kind",
    )


def _cell(kind: str, band: int, rows: Sequence[Mapping[str, Any]]) -> Cell:
    from paraloom.groups.likeness_counts import EXAMPLES, STEP
    from paraloom.tables import make_id

    pairs = sum(row["pairs"] for row in rows)
    shown = {both for row in rows for both in zip(row["lefts"], row["rights"], strict=True)}
    return Cell(
        kind=kind,
        low=round(band * STEP, 2),
        pairs=pairs,
        same_source=sum(row["same_source"] for row in rows),
        length_ratio=round(sum(sorted(row["length_ratios"] for row in rows)) / pairs, 6),
        examples=tuple(sorted(shown, key=lambda both: make_id(*both))[:EXAMPLES]),
    )
