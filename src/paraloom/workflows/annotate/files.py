"""Files in, items and judgments of a campaign out; and a campaign in, files out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.judgments.exchange.export import ExportAs, Exported, export_judgments
from paraloom.judgments.exchange.items_in import ItemsFrom, ItemsImported, import_items
from paraloom.judgments.exchange.judgments_in import JudgmentsFrom, JudgmentsImported, import_judgments
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.workflows.annotate.options import ExportOptions, ImportItemsOptions, ImportJudgmentsOptions

FORMATS = {".jsonl": "jsonl", ".csv": "csv", ".json": "label-studio"}
"""Of an export, by the ending of its file."""


def items_into(
    database: Database, campaign: str, sources: Sequence[Path], options: ImportItemsOptions
) -> ItemsImported:
    """Add items to a campaign."""
    if not sources and not options.tests:
        raise InputError("Give files of items, or --tests FILE.")
    how = ItemsFrom(
        tests=tuple(options.tests),
        labels_are_tests=options.labels_are_tests,
        format=options.format,
        columns=_columns(options.columns),
        most=options.most,
        all_or_nothing=options.all_or_nothing,
        dry_run=options.dry_run,
    )
    return import_items(database, campaign, sources, how, now=now())


def _columns(given: Sequence[str]) -> dict[str, str]:
    found = dict[str, str]()
    for one in given:
        ours, equals, theirs = one.partition("=")
        if not equals or not theirs:
            raise InputError(f"--columns {one} does not say which column is which. Write it as left=sentence_a.")
        found[ours.strip()] = theirs.strip()
    return found


def judgments_into(
    database: Database, campaign: str, source: Path, options: ImportJudgmentsOptions
) -> JudgmentsImported:
    """Add judgments that were made elsewhere to a campaign."""
    how = JudgmentsFrom(
        format=options.format,
        people=None if options.people is None else _people(options.people),
        add_items=options.add_items,
        dry_run=options.dry_run,
    )
    return import_judgments(database, campaign, source, how, now=now())


def _people(file: Path) -> dict[str, str]:
    rows = read_rows(file, ("name", "person"))
    return dict(zip(map(str, rows.columns["name"]), map(str, rows.columns["person"]), strict=True))


def judgments_out(database: Database, campaign: str | None, out: Path, options: ExportOptions) -> Exported:
    """Write the judgments of a campaign, or of all."""
    how = ExportAs(names=options.names, for_spreadsheets=options.for_spreadsheets, overwrite=options.overwrite)
    return export_judgments(database, out, format=options.format or _format_of(out), campaign_id=campaign, how=how)


def _format_of(out: Path) -> str:
    """What a file's ending says; tables are a folder.

    >>> [_format_of(Path(name)) for name in ("judged", "judged.csv.gz", "judged.JSONL", "tasks.json")]
    ['tables', 'csv', 'jsonl', 'label-studio']
    """
    endings = [ending.lower() for ending in out.suffixes if ending.lower() not in (".gz", ".zst")]
    return FORMATS.get(endings[-1] if endings else "", "tables")
