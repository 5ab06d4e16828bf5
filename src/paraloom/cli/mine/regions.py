"""`paraloom mine regions`: judged candidates → where an identifier's answers are safe, with a heat map."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.pairs.region_options import RegionOptions
from paraloom.workflows.mine.region_options import MeasureOptions, ScoringOptions

Flat = Parameter(name="*")


def regions(
    judged: Path,
    /,
    *,
    bounds: Annotated[RegionOptions, Flat] = RegionOptions(),
    scoring: Annotated[ScoringOptions, Flat] = ScoringOptions(),
    options: Annotated[MeasureOptions, Flat] = MeasureOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure on judged candidates where pairs are safely negative or positive.

    A map of negatives by lexical similarity and the identifier's confidence, the estimated precision and yield of the
    bounds given, and the bounds that take most at --wanted-precision: chosen on dev pairs, checked on test pairs.

    Example: `paraloom mine regions judged.tsv --model my-identifier --out regions`

    Parameters
    ----------
    judged
        File of judged pairs, with graded labels or yes and no; or of labels by `pair_id`, with --drawn.
    out
        Folder for `report.html` and `regions.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.regions import write_regions_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder
    from paraloom.workflows.mine.regions import measure_regions

    if out:
        check_report_folder(out)
    report = measure_regions(judged, bounds, scoring, options)
    show(report, write_regions_report(report, out) if out else None, as_json=json)
