"""`paraloom mine plan`: how long mining so many sentences takes, and on what."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine.plan_options import PlanOptions

Flat = Parameter(name="*")


def plan(
    files: Annotated[list[str] | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    options: Annotated[PlanOptions, Flat] = PlanOptions(),
    lines: Annotated[LineOptions, Flat] = LineOptions(),
    calibrate: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say how long mining takes before it is begun: time, memory, disk and machines, for every choice of index.

    The first plan mines a small sample to see how fast this machine is; what it finds is kept, and later plans are
    instant.

    Example: `paraloom mine plan --sentences 400M --memory 64GB --machines 8 --cores 8 --within 24h --judge-most 100000`

    Parameters
    ----------
    files
        What is to be mined, or some of it: files, folders, globs, run folders. The sample is taken from the beginnings
        of files; without any, the bundled one is taken.
    calibrate
        Measure anew.
    json
        Print one JSON object.
    """
    from paraloom.cli.console import say
    from paraloom.workflows.mine.plan import plan_mining

    planned = plan_mining(files or (), options, lines, calibrate=calibrate, tell=say)
    print(planned.as_json() if json else planned.as_text())
