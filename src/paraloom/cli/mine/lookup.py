"""`paraloom mine lookup`: what a mined run has that is near to a text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


def lookup(
    run: Path,
    texts: Annotated[list[str], Parameter(allow_leading_hyphen=False)],
    /,
    *,
    k: int = 10,
    probes: int = 0,
    embedder: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Show the sentences of a mined run that are nearest to a text.

    Example: `paraloom mine lookup run "The storm hit the coast" -k 5`

    Parameters
    ----------
    run
        Run folder of `paraloom mine`.
    texts
        Texts to look for.
    k
        So many sentences of each.
    probes
        Look into so many lists of the index; 0: as many as the run itself did.
    embedder
        Where the embedder's folder lies now, if the run was made with one of a folder.
    json
        Print one JSON object a text.
    """
    from paraloom.workflows.mine.lookup import look_up

    for looked in look_up(run, texts, k, probes=probes, embedder=embedder):
        print(looked.as_json() if json else looked.as_text())
