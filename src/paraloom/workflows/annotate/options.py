"""What the commands around the annotation service can be told. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

DEFAULT_DB = "paraloom.db"
"""A file in the folder one works in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportItemsOptions:
    """How files become items."""

    tests: tuple[Path, ...] = ()
    """Files of test questions: items with their right answer in `expected` or `label`, and maybe an `explanation`."""
    labels_are_tests: bool = False
    """Rows of ITEMS that have a `label` are test questions, and it is the right answer."""
    format: Literal["auto", "pairs", "contents", "turku", "run"] = "auto"
    """What the files hold: pairs, JSON lines of whole contents, Turku's JSON; a run folder is known by itself."""
    columns: tuple[str, ...] = ()
    """Which columns hold the texts, as in left=sentence_a right=4 (a name, or a number from 1)."""
    most: int | None = None
    """At most so many items of each file or run, the first; of a mined run the best pairs, which must be said where it
    has more than 5,000."""
    all_or_nothing: bool = False
    """Import nothing if a single row cannot be used."""
    dry_run: bool = False
    """Only say what would be imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportJudgmentsOptions:
    """How judgments that were made elsewhere are read."""

    format: Literal["auto", "paraloom", "label-studio", "potato"] = "auto"
    """Who wrote them; by the file's name and ending unless said."""
    people: Path | None = None
    """TSV, CSV or JSONL with `name` (in the file of judgments) and `person` (the name of somebody who is here)."""
    add_items: bool = True
    """Add items that the campaign does not have, where the file says what was shown."""
    dry_run: bool = False
    """Only say what would be imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """How judgments are written."""

    format: Literal["tables", "jsonl", "csv", "label-studio"] | None = None
    """A folder of Parquet tables that other commands read, or one file: a judgment a line, or tasks of Label Studio.
    Unless said, by the ending of --out: .jsonl, .csv, .json (Label Studio), else tables."""
    names: bool = False
    """Annotators by their names. Else by ids, which lead to nobody once an identity is erased."""
    for_spreadsheets: bool = False
    """In CSV, put an apostrophe before cells that a spreadsheet would run as formulas; this changes the data."""
    overwrite: bool = False
    """Replace what is there, once the new is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupOptions:
    """How a backup is written."""

    portable: bool = False
    """Rows as JSON lines, which can be restored into SQLite and PostgreSQL alike."""
    overwrite: bool = False
    """Replace the file that is there, once the new one is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where the service listens, and what it may assume."""

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 for all of this machine's. Put a proxy with https before it then."""
    port: int = 8000
    """Port to listen on; 0 for any that is free."""
    secure: bool = False
    """People come by https, directly or through a proxy: cookies are for https alone."""
    behind_proxy: bool = False
    """A proxy stands before it and tells the visitors' addresses (X-Forwarded-For)."""
    open_browser: bool = True
    """Open a browser on the demonstration; a service without one opens none."""
    demo_crowd: int = 6
    """So many simulated annotators answer some of a new demonstration's pairs, so that its figures live."""
    demo: bool | None = None
    """Make campaigns with sample data and sign in at once. Unless said: where the database is a new file, or holds them
    already, and the service is for this machine alone."""
