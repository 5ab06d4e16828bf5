"""`paraloom mine sample`: candidates → a file for people to judge, evenly from all intervals of lexical similarity."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.pairs.region_options import SampleOptions


def sample(
    pairs: list[Path],
    /,
    *,
    out: Path,
    options: Annotated[SampleOptions, Parameter(name="*")] = SampleOptions(),
    columns: tuple[str, ...] = (),
    overwrite: bool = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Draw candidates for people to judge, the same number from every interval of lexical similarity.

    The file goes into `paraloom annotate import` as it is. It keeps how many candidates each pair stands for, so that
    `paraloom mine regions` can tell of all of them, and the score that the run's identifier has given it. Drawn by the
    pairs' texts: the same candidates give the same file.

    Example: `paraloom mine sample run --out sample.tsv --per-interval 375`

    Parameters
    ----------
    pairs
        Folder of a mined run, or files of pairs (TSV, CSV, JSONL, Parquet).
    out
        File for the drawn pairs; its ending says the format.
    columns
        Where the texts lie in files: `left=sentence1 right=sentence2`, by name or number from 1.
    overwrite
        Replace the file that --out names.
    json
        Print one JSON object.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.mine.sample import sample_candidates

    show(sample_candidates(pairs, out, options, columns=columns, overwrite=overwrite), None, as_json=json)
