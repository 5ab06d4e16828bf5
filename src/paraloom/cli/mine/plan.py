"""`paraloom mine plan`: how long mining so many sentences takes, and on what."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.mine.plan_options import PlanOptions


def plan(
    file: Path | None = None,
    /,
    *,
    options: Annotated[PlanOptions, Parameter(name="*")] = PlanOptions(),
    calibrate: Annotated[bool, Parameter(negative="")] = False,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say how long mining takes before it is begun: time, memory, disk and machines, for every choice of index.

    The first plan mines a small sample to see how fast this machine is; what it finds is kept, and later plans are
    instant.

    Example: `paraloom mine plan --sentences 400M --memory 64GB --machines 8 --cores 8 --within 24h --judge-most 100000`

    Parameters
    ----------
    file
        One of the files to be mined: the sample is taken from its beginning. Without it the bundled one is.
    calibrate
        Measure anew.
    json
        Print one JSON object.
    """
    from paraloom.cli.console import say
    from paraloom.workflows.mine.plan import plan_mining

    if calibrate:
        say("Measuring how fast this machine is.")
    planned = plan_mining(file, options, calibrate=calibrate)
    print(planned.as_json() if json else planned.as_text())
