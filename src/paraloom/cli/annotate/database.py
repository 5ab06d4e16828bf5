"""The option that every command of the annotation service has."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from cyclopts import Parameter

from paraloom.workflows.annotate.options import DEFAULT_DB

Db: TypeAlias = Annotated[
    str,
    Parameter(
        env_var="PARALOOM_DB",
        help="Where campaigns are kept: a file (SQLite), or postgresql://USER:PASSWORD@HOST/NAME.",
    ),
]

__all__ = ["DEFAULT_DB", "Db"]
