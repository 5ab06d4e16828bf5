"""Documents in, how many pairs lie in which band of likeness out, with examples: a person chooses the band by them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.tables_in_order import Progress

FLOOR = 0.05
"""Pairs less alike are not counted: nearly all pairs of documents are."""
STEP = 0.05
EXAMPLES = 2
SHOWN = 90
"""Characters that are shown of a document."""
FOLDER = "grid"
WHOLE_FILM = 1e6
"""Minutes of a part, so that a film is one."""


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

    def as_text(self) -> str:
        """Lines for a person to read."""
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
    """Compare the documents as `align` does, but keep every pair that is at least a little alike.

    The tables lie in a folder of their own within the run folder, so that the run itself can be made another way.
    """
    from paraloom.workflows.align.align import align

    options = options or AlignOptions()
    wide = replace(
        options.alignment,
        least_alike=FLOOR,
        most_alike=1.01,
        pairs_per_work=1_000_000,
        works_per_series=1_000_000,
    )
    whole = replace(options.parts, part_minutes=WHOLE_FILM, round=1, yields=None, most_works=None)
    folder = out / FOLDER
    align(files, folder, replace(options, alignment=wide, parts=whole), until="groups", progress=progress)
    return grid_of(folder)


def grid_of(run: Path) -> Grid:
    """The grid of a run whose groups are all pairs that were compared."""
    from paraloom.engine.store import read_parts

    pairs: dict[str, list[str]] = {}
    likeness: dict[str, float] = {}
    for part in read_parts(run, "groups", ("group_id", "document_id", "similarity")):
        for group, document, similarity in zip(*(column.to_pylist() for column in part.columns), strict=True):
            pairs.setdefault(group, []).append(document)
            likeness[group] = similarity
    wanted = {document for both in pairs.values() for document in both}
    about = _about(run, wanted)
    bands: dict[tuple[str, int], list[str]] = {}
    for group in sorted(pairs, key=lambda group: (likeness[group], group)):
        kind = about[pairs[group][0]]["kind"]
        bands.setdefault((kind, int(likeness[group] / STEP + 1e-9)), []).append(group)
    return Grid(
        cells=tuple(
            _cell(kind, band, [[about[document] for document in pairs[group]] for group in groups])
            for (kind, band), groups in sorted(bands.items())
        )
    )


def _about(run: Path, wanted: Iterable[str]) -> dict[str, dict[str, Any]]:
    from paraloom.engine.store import read_parts

    wanted = set(wanted)
    found: dict[str, dict[str, Any]] = {}
    for part in read_parts(run, "documents", ("document_id", "kind", "source", "text")):
        for document, kind, source, text in zip(*(column.to_pylist() for column in part.columns), strict=True):
            if document in wanted:
                shown = " ".join(text[: 2 * SHOWN].split())[:SHOWN]
                found[document] = {"kind": kind, "source": source, "shown": shown, "length": len(text)}
    return found


def _cell(kind: str, band: int, pairs: Sequence[Sequence[Mapping[str, Any]]]) -> Cell:
    ratios = [min(one["length"], other["length"]) / max(one["length"], other["length"], 1) for one, other in pairs]
    chosen = [pairs[len(pairs) * (2 * place + 1) // (2 * EXAMPLES)] for place in range(min(EXAMPLES, len(pairs)))]
    return Cell(
        kind=kind,
        low=round(band * STEP, 2),
        pairs=len(pairs),
        same_source=sum(one["source"] == other["source"] for one, other in pairs),
        length_ratio=sum(ratios) / len(ratios),
        examples=tuple((one["shown"], other["shown"]) for one, other in chosen),
    )
