"""`paraloom demo`: the whole way on the bundled sample."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.engine.places import PlaceOptions


def demo(*, out: Path = Path("demo"), place: Annotated[PlaceOptions, Parameter(name="*")] = PlaceOptions()) -> None:
    """Build a corpus from the bundled sample and say where its report is.

    Example: `paraloom demo --out demo`

    Parameters
    ----------
    out
        Run folder; the sample is grouped by URL and by trend.
    """
    from paraloom.cli.console import progress_bar
    from paraloom.workflows.demo import run_demo

    with progress_bar() as progress:
        shown = run_demo(out, place, progress=progress)
    print(shown)
