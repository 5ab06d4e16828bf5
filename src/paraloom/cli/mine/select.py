"""`paraloom mine select`: candidates → safe negatives and positives, labelled, to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.pairs.region_options import RegionOptions
from paraloom.workflows.mine.region_options import ScoringOptions, SelectOptions

Flat = Parameter(name="*")


def select(
    pairs: list[Path],
    /,
    *,
    out: Path,
    bounds: Annotated[RegionOptions, Flat] = RegionOptions(),
    scoring: Annotated[ScoringOptions, Flat] = ScoringOptions(),
    options: Annotated[SelectOptions, Flat] = SelectOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Take the candidates that lie where pairs are safely negative or positive, with label 0 or 1 and the reason.

    With --regions within the bounds that `paraloom mine regions` found, by the same identifier; how many of the pairs
    are right is told. Candidates that share a text with a file of --leave-out are not taken: what was judged or is
    measured on later must not be learned from.

    Example: `paraloom mine select run --regions regions/regions.json --leave-out sample.tsv test.tsv --out safe.tsv`

    Parameters
    ----------
    pairs
        Folder of a mined run, or files of pairs.
    out
        File for the labelled pairs; its ending says the format.
    json
        Print one JSON object.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.mine.select import select_pairs

    show(select_pairs(pairs, out, bounds, scoring, options), None, as_json=json)
