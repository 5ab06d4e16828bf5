"""Files and run folders in, items of a campaign out, all in one transaction; what cannot be used is told row by row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.exchange.file_rows import Bad, bad_row
from paraloom.judgments.exchange.imported import Imported, do_or_look, refuse_all_bad
from paraloom.judgments.exchange.item_rows import (
    Good,
    Row,
    Tests,
    has_contents,
    is_turku,
    rows_of_contents,
    rows_of_pairs,
    rows_of_turku,
)
from paraloom.judgments.exchange.run_items import is_run, rows_of_run
from paraloom.judgments.items import Added, NewItem, add_items, with_topics
from paraloom.judgments.people import SERVICE
from paraloom.judgments.tasks import read_expected, task_named
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsFrom:
    """Where items come from and how they are read."""

    tests: tuple[Path, ...] = ()
    """Files whose rows are test questions."""
    labels_are_tests: bool = False
    """Rows with a `label` are test questions, whose right answer it is."""
    format: str = "auto"
    """auto, pairs, contents, turku or run."""
    columns: Mapping[str, str] | None = None
    """Ours → the file's, for pairs."""
    most: int | None = None
    """At most so many items of each source, the first; of a mined run the best pairs."""
    all_or_nothing: bool = False
    """One bad row and nothing is imported."""
    dry_run: bool = False
    """Only say what would happen."""

    def __post_init__(self) -> None:
        if self.most is not None and self.most < 1:
            raise InputError(f"--most {self.most} imports nothing. Give 1 or more.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsImported(Imported):
    """What became of the rows."""

    tests: int
    """Test questions among those added."""

    def in_words(self, added: str) -> str:
        """With how many are test questions."""
        return (
            f"{counted(self.added, 'item', 'items')} {added} to {self.campaign}, {self.tests:,} of them test "
            f"questions; {counted(self.there_already, 'was', 'were')} there already."
        )


def import_items(
    database: Database, campaign_id: str, sources: Sequence[Path], how: ItemsFrom = ItemsFrom(), *, now: datetime
) -> ItemsImported:
    """Add what the files hold to a campaign: all of it that can be used, at once."""
    campaign = database.read(lambda connection: campaign_of(connection, campaign_id))
    good, bad = _checked(campaign, sources, how)
    if how.all_or_nothing and bad:
        raise InputError(f"{bad[0].where}: {bad[0].reason}. Nothing was imported (--all-or-nothing).")
    refuse_all_bad(bad, ItemsImported.ROW, campaign.task, useful=len(good))

    def job(connection: Connection) -> Added:
        added = add_items(connection, campaign_of(connection, campaign_id), good, now=now)
        detail = {"added": added.added, "tests": added.tests, "from": [path.name for path in (*sources, *how.tests)]}
        note_action(connection, who=SERVICE, what="items imported", about=campaign_id, now=now, detail=detail)
        return added

    added = do_or_look(database, job, dry_run=how.dry_run)
    return ItemsImported(campaign=campaign_id, bad=bad, dry_run=how.dry_run, **asdict(added))


def _checked(campaign: Campaign, sources: Sequence[Path], how: ItemsFrom) -> tuple[list[NewItem], list[Bad]]:
    task = task_named(campaign.task)
    good: list[NewItem] = []
    bad: list[Bad] = []
    for row in _rows(campaign.task, sources, how):
        if isinstance(row, Bad):
            bad.append(row)
            continue
        item = with_topics(campaign, row.item)
        try:
            content = task.read_content(item.content)
            if item.expected is not None:
                read_expected(task, item.expected, content)
        except InputError as error:
            bad.append(bad_row(row.where, error))
        else:
            good.append(item)
    return good, bad


def _rows(task: str, sources: Sequence[Path], how: ItemsFrom) -> Iterator[Row]:
    for source in sources:
        yield from _first(_source(source, task, Tests(labels=how.labels_are_tests), how), how.most)
    for file in how.tests:
        yield from _source(file, task, Tests(all=True, labels=True), how)


def _first(rows: Iterator[Row], most: int | None) -> Iterator[Row]:
    """The rows up to the last item that is wanted."""
    items = 0
    for row in rows:
        items += isinstance(row, Good)
        if most is not None and items > most:
            return
        yield row


def _source(source: Path, task: str, tests: Tests, how: ItemsFrom) -> Iterator[Good | Bad]:
    format = how.format
    if source.is_dir():
        if not is_run(source):
            raise InputError(f"{source} is a folder, but no run with a table of pairs. Give a run folder or files.")
        format = "run"
    elif not source.exists():
        raise InputError(f"There is no file {source}. Check the path.")
    elif format in ("auto", "run"):
        format = "turku" if is_turku(source) else "contents" if has_contents(source) else "pairs"
    if format == "run":
        if tests.all:
            raise InputError(f"{source} is a run folder; test questions come from a file with `expected` or `label`.")
        yield from rows_of_run(source, task, how.most)
    elif format == "turku":
        yield from rows_of_turku(source, task, tests)
    elif format == "contents":
        yield from rows_of_contents(source, task, tests)
    else:
        yield from rows_of_pairs(source, task, tests, how.columns or {})
