"""`paraloom explain`: where one pair comes from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def explain(
    pair_id: str, /, *, run: Path, around: int = 3, json: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Show where a pair comes from: its documents around it, group, filters, scores, label.

    Example: `paraloom explain 3f2a… --run run`

    Parameters
    ----------
    pair_id
        A pair's id, or its first digits if no other pair's id begins with them.
    run
        Run folder.
    around
        So many lines of each document are shown before and behind what is in the pair.
    json
        Print one JSON object instead of text.
    """
    from paraloom.workflows.explain import explain_pair

    explanation = explain_pair(run, pair_id, around)
    print(explanation.as_json() if json else explanation.as_text())
