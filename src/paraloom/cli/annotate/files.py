"""`paraloom annotate import|import-judgments|export|backup|restore`: what goes in and what comes out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Protocol

from cyclopts import Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db
from paraloom.workflows.annotate.options import (
    BackupOptions,
    ExportOptions,
    ImportItemsOptions,
    ImportJudgmentsOptions,
)

Flat = Parameter(name="*")
AsJson = Annotated[bool, Parameter(negative="")]


class _Told(Protocol):
    """What was done, for programs and for people."""

    def as_json(self) -> dict[str, object]: ...

    def as_text(self) -> str: ...


def _tell(done: _Told, *, as_json: bool) -> None:
    import json

    print(json.dumps(done.as_json(), ensure_ascii=False) if as_json else done.as_text())


def import_items(
    items: tuple[Path, ...] = (),
    /,
    *,
    campaign: str,
    db: Db = DEFAULT_DB,
    options: Annotated[ImportItemsOptions, Flat] = ImportItemsOptions(),
    json: AsJson = False,
) -> None:
    """Add items to a campaign, and test questions.

    ITEMS are files of pairs (TSV, CSV, JSONL or Parquet with `left` and `right`), run folders of `paraloom build`,
    `align` or `mine` (of a mined run the pairs that are held true, best first; `paraloom mine sample` draws others
    too), JSON lines of an item's content for any kind of task, or the Turku corpus's JSON. A row with `expected` is
    a test question; `explanation` is shown to whoever gets it wrong. Rows that cannot be used are counted with their
    line and reason; the others are added all at once or, where something fails, not at all. What is there stays.

    Example: `paraloom annotate import pairs.tsv --campaign storms --tests gold.tsv`

    Example: `paraloom annotate import run --campaign storms --dry-run`

    Parameters
    ----------
    items
        Files, or run folders.
    campaign
        The campaign's name.
    json
        Print one JSON object: what was counted.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.files import items_into

        done = items_into(database, campaign, items, options)
    _tell(done, as_json=json)


def import_judgments(
    file: Path,
    /,
    *,
    campaign: str,
    db: Db = DEFAULT_DB,
    options: Annotated[ImportJudgmentsOptions, Flat] = ImportJudgmentsOptions(),
    json: AsJson = False,
) -> None:
    """Add judgments that were made elsewhere: in Label Studio (JSON, JSON-MIN), in Potato, or in another Paraloom.

    Their authors become people called `imported:NAME`, who cannot sign in, unless --people says who they are. The same
    file given twice adds nothing the second time; a newer export of the same campaign adds the judgments, marks, notes
    and decisions that have come since.

    Example: `paraloom annotate import-judgments project-1.json --campaign storms`

    Parameters
    ----------
    file
        An export of Label Studio, Potato's output folder, or what `annotate export --format jsonl` wrote.
    campaign
        The campaign's name.
    json
        Print one JSON object: what was counted.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=campaign) as database:
        from paraloom.workflows.annotate.files import judgments_into

        done = judgments_into(database, campaign, file, options)
    _tell(done, as_json=json)


def export(
    name: str | None = None,
    /,
    *,
    out: Path,
    db: Db = DEFAULT_DB,
    options: Annotated[ExportOptions, Flat] = ExportOptions(),
    json: AsJson = False,
) -> None:
    """Write all judgments of a campaign as they stand at this moment; the service may go on meanwhile.

    Tables are `judgments`, which `paraloom label` reads, and where people made pairs (rewrites, extracted passages, the
    game) `pairs`, `labels` and `sentences`. The other formats have one judgment a line, with its item and whether it
    counts: not if it is a test, was set aside, or its author changed their mind later.

    Example: `paraloom annotate export storms --out run`

    Example: `paraloom annotate export storms --out judgments.csv --format csv --for-spreadsheets`

    Parameters
    ----------
    name
        The campaign; all unless given.
    out
        Folder for tables, else a file; .gz and .zst are compressed.
    json
        Print one JSON object: what was written.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=name) as database:
        from paraloom.workflows.annotate.files import judgments_out

        done = judgments_out(database, name, out, options)
    _tell(done, as_json=json)


def backup(out: Path, /, *, db: Db = DEFAULT_DB, options: Annotated[BackupOptions, Flat] = BackupOptions()) -> None:
    """Write a backup of everything, while the service runs.

    SQLite is copied and checked; PostgreSQL is dumped by pg_dump, or as rows where that is not installed. It holds
    hashes of passwords: only you may read it.

    Example: `paraloom annotate backup storms-monday.backup`

    Parameters
    ----------
    out
        File to write.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db) as database:
        from paraloom.judgments.store.backup import back_up

        done = back_up(database, out, portable=options.portable, overwrite=options.overwrite)
    print(
        f"{done.judgments:,} judgments and all else in {done.out} ({done.kind})"
        + (f"\n{done.note}" if done.note else "")
    )


def restore(file: Path, /, *, db: Db = DEFAULT_DB) -> None:
    """Fill an empty database with a backup; one that holds anything is refused.

    Example: `paraloom annotate restore storms-monday.backup --db new.db`

    Parameters
    ----------
    file
        What `paraloom annotate backup` wrote.
    """
    from paraloom.workflows.annotate.opened import check_installed

    check_installed()
    from paraloom.judgments.store.backup import restore as restore_backup

    restore_backup(file, db).close()
    print(f"{db} is as it was when {file} was written")
