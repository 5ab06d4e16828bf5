"""`paraloom annotate serve`: the service itself."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db
from paraloom.workflows.annotate.options import ServeOptions


def serve(*, db: Db = DEFAULT_DB, options: Annotated[ServeOptions, Parameter(name="*")] = ServeOptions()) -> None:
    """Start the service and print where it is.

    On a new database for this machine alone, a demonstration is made and opened in the browser: campaigns of several
    kinds on sample data. A service without an admin prints a link that makes the first one's account. Ctrl+C and
    SIGTERM stop it once the answers under way are stored.

    Example: `paraloom annotate serve`

    Example: `paraloom annotate serve --db postgresql://paraloom@db/paraloom --host 0.0.0.0 --secure --behind-proxy`
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, create=True) as database:
        from paraloom.workflows.annotate.serve import serve as serve_database

        serve_database(database, options, tell=lambda serving: print(serving.as_text(), flush=True))
