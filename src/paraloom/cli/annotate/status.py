"""`paraloom annotate status`: how campaigns stand."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db


def status(
    name: str | None = None, /, *, db: Db = DEFAULT_DB, json: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Show how far a campaign is, who works on it and how well, and what it costs.

    Kappa is of this moment, as on the dashboard; the rules look at it after every tenth answer of a person.

    Example: `paraloom annotate status storms --json`

    Parameters
    ----------
    name
        The campaign; all unless given.
    json
        Print one JSON object with the list of campaigns.
    """
    import json as writer

    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=name) as database:
        from paraloom.workflows.annotate.status import status_of

        found = status_of(database, name)
    if json:
        print(writer.dumps({"campaigns": [one.as_json() for one in found]}, ensure_ascii=False, allow_nan=False))
    else:
        print("\n".join(one.as_text() for one in found) or "There are no campaigns yet.")
