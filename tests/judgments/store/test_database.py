"""A write is acknowledged once it is durable; jobs that share a commit do not share their fate."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import StatementError

from paraloom.errors import InputError, Unavailable
from paraloom.judgments.audit import actions, note_action
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import connect, file_of
from paraloom.judgments.store.migrate import open_database


def noted(what: str, now: datetime):
    return lambda connection: note_action(connection, who=None, what=what, now=now)


def log(database) -> list[str]:
    return [action.what for action in database.read(lambda connection: actions(connection, most=1000))]


def test_a_job_that_fails_leaves_nothing_and_the_others_stand(database, now) -> None:
    def fails(connection) -> None:
        note_action(connection, who=None, what="never", now=now)
        raise InputError("no")

    with ThreadPoolExecutor(16) as threads:
        jobs = [fails if n % 3 == 0 else noted(f"job {n}", now) for n in range(48)]
        results = [threads.submit(database.write, job) for job in jobs]
    assert [type(result.exception()) for result in results[:3]] == [InputError, type(None), type(None)]
    assert sorted(log(database)) == sorted(f"job {n}" for n in range(48) if n % 3)


def test_what_was_acknowledged_is_there_for_another_process(tmp_path, now, child_environment) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    database = open_database(url)
    database.write(noted("kept", now))
    asked = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT what FROM audit').fetchall())"
    told = subprocess.run(
        [sys.executable, "-c", asked, tmp_path / "a.db"],
        capture_output=True,
        text=True,
        check=True,
        env=child_environment,
    )
    assert "kept" in told.stdout
    database.close()


def test_many_people_writing_at_once_share_commits(tmp_path, now) -> None:
    """That is what keeps two hundred annotators from waiting for two hundred commits."""
    database = open_database(f"sqlite:///{tmp_path}/a.db")
    commits = []
    sa.event.listen(database._writer._impatient, "commit", lambda connection: commits.append(1))

    async def all_at_once() -> None:
        await asyncio.gather(*(database.writing(noted(f"job {n}", now)) for n in range(200)))

    asyncio.run(all_at_once())
    assert len(log(database)) == 200
    assert len(commits) < 50
    database.close()


def test_a_job_that_fails_among_others_leaves_nothing_and_the_others_stand(database, now) -> None:
    def fails(connection) -> None:
        note_action(connection, who=None, what="never", now=now)
        raise InputError("no")

    async def all_at_once() -> list[object]:
        jobs = [fails if n % 3 == 0 else noted(f"job {n}", now) for n in range(30)]
        return await asyncio.gather(*(database.writing(job) for job in jobs), return_exceptions=True)

    results = asyncio.run(all_at_once())
    assert [type(result) for result in results[:3]] == [InputError, type(None), type(None)]
    assert sorted(log(database)) == sorted(f"job {n}" for n in range(30) if n % 3)


def test_a_server_goes_on_while_another_process_writes(tmp_path, now) -> None:
    """An import from the command line holds the file: answers wait, everything else does not."""
    database = open_database(f"sqlite:///{tmp_path}/a.db")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def both() -> tuple[int, bool]:
        answer = asyncio.create_task(database.writing(noted("answer", now)))
        turns = 0
        while turns < 20:
            await asyncio.sleep(0.01)
            turns += 1
        waited = not answer.done()
        other.execute("COMMIT")
        await answer
        return turns, waited

    assert asyncio.run(both()) == (20, True)
    assert log(database) == ["answer"]
    other.close()
    database.close()


def test_a_view_is_consistent_while_others_write(database, now) -> None:
    database.write(noted("before", now))

    def look(connection) -> tuple[int, int]:
        count = sa.select(sa.func.count()).select_from(schema.audit)
        seen = connection.scalar(count)
        database.write(noted("meanwhile", now))
        return seen, connection.scalar(count)

    assert database.read(look) == (1, 1)


def test_a_server_reads_and_writes_while_it_does_other_things(database, now) -> None:
    async def both() -> list[str]:
        await asyncio.gather(*(database.writing(noted(f"job {n}", now)) for n in range(10)))
        return [action.what for action in await database.reading(actions)]

    assert len(asyncio.run(both())) == 10


def test_a_database_that_is_closed_says_so(tmp_path, now) -> None:
    database = open_database(f"sqlite:///{tmp_path}/a.db")
    database.close()
    with pytest.raises(Unavailable):
        database.write(noted("late", now))


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path, now) -> None:
    """The file may not grow: as on a disk that is full."""
    url = f"sqlite:///{tmp_path}/a.db"
    database = open_database(url)

    def shrink(connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    database.write(shrink)

    def much(connection) -> None:
        for n in range(2000):
            note_action(connection, who=None, what="much", about="x" * 150, now=now, detail={"n": n})

    with pytest.raises(Unavailable, match="full"):
        database.write(much)
    assert log(database) == []
    database.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("mysql://localhost/x", "no database Paraloom knows"),
        ("/no/such/folder/a.db", "no folder"),
        ("postgresql://nobody@127.0.0.1:1/none", "does not answer"),
    ],
)
def test_a_url_that_leads_nowhere_is_told(url: str, words: str) -> None:
    with pytest.raises((InputError, Unavailable), match=words):
        open_database(url)


def test_a_file_that_is_no_database_is_told(tmp_path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("this is no database, but it is long enough to look like one " * 100)
    with pytest.raises((InputError, Unavailable), match="not a database"):
        open_database(str(file))
    assert file.read_text().startswith("this is no database")


def test_a_path_with_odd_characters_is_a_path(tmp_path, now) -> None:
    folder = tmp_path / "100% über? #1"
    folder.mkdir()
    database = open_database(f"sqlite:///{folder}/a b.db")
    database.write(noted("kept", now))
    database.close()
    assert (folder / "a b.db").exists()


def test_the_file_is_for_its_owner_alone(tmp_path) -> None:
    """It holds hashes of passwords and people's words."""
    before = os.umask(0o022)
    try:
        open_database(f"sqlite:///{tmp_path}/a.db").close()
    finally:
        os.umask(before)
    assert (tmp_path / "a.db").stat().st_mode & 0o077 == 0


def test_sqlite_waits_for_the_disk_before_it_acknowledges(tmp_path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/a.db")
    settings = database.write(
        lambda c: [
            c.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
    )
    assert settings == ["wal", 2, 1]
    database.close()


def test_postgresql_waits_for_the_disk_whatever_its_default(new_url, postgresql_url) -> None:
    url = new_url("postgresql", migrated=True)
    database = open_database(url)
    assert database.write(lambda c: c.exec_driver_sql("SHOW synchronous_commit").scalar()) == "on"
    database.close()


MOMENTS = st.datetimes(
    min_value=datetime(1900, 1, 1),
    max_value=datetime(2200, 1, 1),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=5.5))]),
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(moment=MOMENTS, value=VALUES)
def test_moments_and_json_come_back_as_they_were(moment: datetime, value: object, tmp_path_factory) -> None:
    engine = sa.create_engine("sqlite://")
    schema.audit.create(engine)
    with engine.begin() as connection:
        note_action(connection, who=None, what="x", now=moment, detail={"value": value})
        [action] = actions(connection)
    assert action.at == moment
    assert action.at.tzinfo is UTC
    assert action.detail == {"value": value}
    engine.dispose()


def test_a_moment_without_a_zone_is_refused(database) -> None:
    with pytest.raises(StatementError, match="no time zone"):
        database.write(noted("x", datetime(2026, 1, 1)))


def test_a_plain_path_is_a_file() -> None:
    assert file_of("campaigns.db") == file_of("sqlite:///campaigns.db")
    assert str(file_of("sqlite:////var/campaigns.db")) == "/var/campaigns.db"


def test_connecting_makes_no_schema(tmp_path) -> None:
    database = connect(f"sqlite:///{tmp_path}/a.db")
    assert database.read(lambda c: sa.inspect(c).get_table_names()) == []
    database.close()
