"""What is exported is what is stored, always; and what is imported again is what was exported."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paraloom.engine.store import read_table
from paraloom.judgments.campaigns import Campaign, campaign_of, create_campaign
from paraloom.judgments.conflicts import decisions_on
from paraloom.judgments.decide import notes_on
from paraloom.judgments.exchange.export import ExportAs, export_judgments
from paraloom.judgments.exchange.judgments_in import JudgmentsFrom, import_judgments
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from tests.judgments.exchange.said_at_random import TASKS, campaign_at_random, go_on

SOME = settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)


@pytest.fixture
def other(database: Database, new_url: Callable[..., str]) -> Iterator[Database]:
    """Another database of the other kind."""
    kind = "postgresql" if database.is_sqlite else "sqlite"
    opened = open_database(new_url(kind, migrated=True))
    yield opened
    opened.close()


def lines(file: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in file.read_bytes().splitlines()]


def judged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What people said, without what experts decided."""
    return [row for row in rows if row["is_decision"] not in (True, "true")]


def decided(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What experts decided, as files of every format tell it."""
    found = [row for row in rows if row["is_decision"] in (True, "true")]
    plain = [
        (row["judgment_id"], row["item_id"], row["annotator"], row["answer"], row["client_id"] or None) for row in found
    ]
    return sorted((*rest, orjson.loads(said) if isinstance(said, str) else said, none) for *rest, said, none in plain)


def stored(database: Database, campaign: Campaign) -> list[dict[str, Any]]:
    table = schema.judgments
    asked = sa.select(table).filter_by(campaign_id=campaign.campaign_id).order_by(table.c.number)
    return [dict(row._mapping) for row in database.read(lambda c: c.execute(asked).all())]


def counted_votes(database: Database, campaign: Campaign) -> set[tuple[str, str]]:
    """Unit and value of all votes that count: what labels are made of, kept by the service itself."""
    table = schema.votes
    asked = sa.select(table.c.unit, table.c.value, table.c.number).where(
        table.c.campaign_id == campaign.campaign_id, table.c.counts
    )
    return {(row.unit, row.value) for row in database.read(lambda c: c.execute(asked).all())}


@SOME
@given(task=st.sampled_from(TASKS), seed=st.integers(0, 2**32), steps=st.integers(0, 25))
def test_every_format_holds_every_judgment_once(
    database: Database, tmp_path: Path, now: datetime, task: str, seed: int, steps: int
) -> None:
    campaign = campaign_at_random(database, task, random.Random(seed), now, steps)
    held = stored(database, campaign)
    folder = tmp_path / campaign.campaign_id
    folder.mkdir()
    how = {"campaign_id": campaign.campaign_id}

    export_judgments(database, folder / "j.jsonl", format="jsonl", **how)
    everything = lines(folder / "j.jsonl")
    found, decisions = judged(everything), decided(everything)
    assert [row["judgment_id"] for row in found] == [row["judgment_id"] for row in held]
    assert [row["answer"] for row in found] == [row["answer"] for row in held]
    assert [datetime.fromisoformat(row["created_at"]) for row in found] == [row["created_at"] for row in held]
    assert all(row["annotator"] == of["person_id"] for row, of in zip(found, held, strict=True))
    told_of = {item_id for _, item_id, *_ in decisions}
    assert len(told_of) == len(decisions) == len({judgment_id for judgment_id, *_ in decisions})
    for row in everything:
        about = campaign.campaign_id, row["item_id"]
        notes = database.read(lambda c, about=about: notes_on(c, *about))
        assert [(one["annotator"], one["text"]) for one in row["notes"]] == [(one.person_id, one.text) for one in notes]
        held_there = database.read(lambda c, about=about: decisions_on(c, *about))  # the one that holds first
        told = [row["decision"], *reversed(row["decisions_before"])] if row["decision"] else []
        assert [one["answer"] for one in told] == [one.answer for one in held_there]
        assert (row["item_id"] in told_of) == bool(held_there)
        if row["is_decision"]:
            assert (row["answer"], row["annotator"]) == (held_there[0].answer, held_there[0].decided_by)

    export_judgments(database, folder / "j.csv", format="csv", **how)
    with (folder / "j.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [row["judgment_id"] for row in judged(cells)] == [row["judgment_id"] for row in held]
    assert [orjson.loads(row["content"]) for row in cells] == [row["content"] for row in everything]
    assert decided(cells) == decisions

    export_judgments(database, folder / "run", format="tables", **how)
    whole = read_table(folder / "run", "judgments").to_pylist()
    assert decided(whole) == decisions
    table = judged(whole)
    assert sorted(row["judgment_id"] for row in table) == sorted(row["judgment_id"] for row in held)
    by_id = {row["judgment_id"]: row for row in held}
    assert all(orjson.loads(row["answer"]) == by_id[row["judgment_id"]]["answer"] for row in table)
    assert all(row["created_at"] == by_id[row["judgment_id"]]["created_at"] for row in table)

    export_judgments(database, folder / "ls.json", format="label-studio", **how)
    tasks = orjson.loads((folder / "ls.json").read_bytes())
    numbers = [one["id"] for task in tasks for one in task["annotations"] if not one["ground_truth"]]
    assert sorted(numbers) == [row["number"] for row in held]


@SOME
@given(task=st.sampled_from(TASKS), seed=st.integers(0, 2**32), steps=st.integers(0, 25))
def test_what_counts_in_an_export_is_what_counts_in_the_service(
    database: Database, tmp_path: Path, now: datetime, task: str, seed: int, steps: int
) -> None:
    from paraloom.judgments.tasks import task_named

    campaign = campaign_at_random(database, task, random.Random(seed), now, steps)
    out = tmp_path / f"{campaign.campaign_id}.jsonl"
    export_judgments(database, out, format="jsonl", campaign_id=campaign.campaign_id)
    kind = task_named(task)
    votes = set()
    for row in judged(lines(out)):
        if row["is_counted"]:
            content = kind.read_content(row["content"])
            votes |= {
                (vote.unit, vote.value)
                for vote in kind.votes(row["item_id"], content, kind.read_answer(row["answer"], content))
            }
    assert votes == counted_votes(database, campaign)


def _comparable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """But for what an import changes: whose it is, how it came, its number here."""
    changed = ("annotator", "purpose", "number", "campaign", "decided_by")

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(one) for name, one in value.items() if name not in changed}
        return [plain(one) for one in value] if isinstance(value, list) else value

    return [plain(row) for row in rows]


def _later(rows: list[dict[str, Any]]) -> tuple[int, int, int]:
    """How many marks, notes and decisions rows tell of."""
    items = {row["item_id"]: row for row in rows}.values()
    decisions = sum(len(row["decisions_before"]) + (row["decision"] is not None) for row in items)
    return sum(len(row["marks"]) for row in rows), sum(len(row["notes"]) for row in items), decisions


@SOME
@given(
    task=st.sampled_from(TASKS),
    seed=st.integers(0, 2**32),
    steps=st.integers(1, 25),
    ending=st.sampled_from(["jsonl", "csv", "jsonl.gz"]),
)
def test_an_export_that_is_imported_elsewhere_exports_the_same(
    database: Database, other: Database, tmp_path: Path, now: datetime, task: str, seed: int, steps: int, ending: str
) -> None:
    campaign = campaign_at_random(database, task, random.Random(seed), now, steps)
    name = campaign.campaign_id
    format = ending.partition(".")[0]
    first, second = tmp_path / f"{name}.{ending}", tmp_path / f"{name}-again.jsonl"
    export_judgments(database, first, format=format, campaign_id=name)
    other.write(lambda c: create_campaign(c, task=task, title=name, campaign_id=name, now=now, by="test"))
    held = stored(database, campaign)
    if not held and format == "jsonl":
        return  # an empty file is refused
    plain = tmp_path / f"{name}-plain.jsonl"
    export_judgments(database, plain, format="jsonl", campaign_id=name)
    later = _later(lines(plain))
    done = import_judgments(other, name, first, now=now)
    assert (done.added, list(done.bad)) == (len(held), [])
    assert (done.marks, done.notes, done.decisions) == later
    again = import_judgments(other, name, first, now=now)
    assert (again.added, again.there_already, again.people, again.items) == (0, len(held), 0, 0)
    assert (again.marks, again.notes, again.decisions) == (0, 0, 0)
    assert (again.marks_there_already, again.notes_there_already, again.decisions_there_already) == later

    export_judgments(other, second, format="jsonl", campaign_id=name)
    assert _comparable(lines(second)) == _comparable(lines(plain))
    assert counted_votes(other, campaign_of_other(other, name)) == counted_votes(database, campaign)


@SOME
@given(
    task=st.sampled_from(TASKS),
    seed=st.integers(0, 2**32),
    steps=st.integers(1, 12),
    more=st.integers(1, 25),
    format=st.sampled_from(["jsonl", "csv"]),
)
def test_a_newer_export_over_an_older_one_brings_what_has_come_since(
    database: Database,
    other: Database,
    tmp_path: Path,
    now: datetime,
    task: str,
    seed: int,
    steps: int,
    more: int,
    format: str,
) -> None:
    rng = random.Random(seed)
    campaign = campaign_at_random(database, task, rng, now, steps)
    name = campaign.campaign_id
    other.write(lambda c: create_campaign(c, task=task, title=name, campaign_id=name, now=now, by="test"))
    older, newer, there = (tmp_path / f"{name}-{word}" for word in ("older.jsonl", f"newer.{format}", "there.jsonl"))
    export_judgments(database, older, format="jsonl", campaign_id=name)
    if not lines(older):
        return  # an empty file is refused
    before = import_judgments(other, name, older, now=now)
    go_on(database, campaign, rng, now + timedelta(hours=1), more)
    export_judgments(database, newer, format=format, campaign_id=name)
    done = import_judgments(other, name, newer, now=now)
    assert (done.there_already, list(done.bad)) == (before.added, [])
    assert (done.marks_there_already, done.notes_there_already, done.decisions_there_already) == _later(lines(older))

    plain = tmp_path / f"{name}-plain.jsonl"
    export_judgments(database, plain, format="jsonl", campaign_id=name)
    export_judgments(other, there, format="jsonl", campaign_id=name)
    assert _comparable(lines(there)) == _comparable(lines(plain))
    assert counted_votes(other, campaign_of_other(other, name)) == counted_votes(database, campaign)
    assert places(other, name) == places(database, name)


def places(database: Database, name: str) -> list[tuple[str, str, int, int]]:
    """Everybody's place at an item, and how many answers the item holds."""
    items, held = schema.items, schema.assignments
    asked = (
        sa.select(held.c.item_id, held.c.state, items.c.held, items.c.judged)
        .join(items, sa.and_(items.c.campaign_id == held.c.campaign_id, items.c.item_id == held.c.item_id))
        .where(held.c.campaign_id == name)
    )
    return sorted(tuple(row) for row in database.read(lambda c: c.execute(asked).all()))


def test_the_version_of_the_instructions_is_a_number_wherever_there_are_numbers(
    database: Database, other: Database, tmp_path: Path, now: datetime
) -> None:
    campaign = campaign_at_random(database, "pair", random.Random(7), now, 20)
    name = campaign.campaign_id
    for file, format in ((tmp_path / "j.jsonl", "jsonl"), (tmp_path / "run", "tables")):
        export_judgments(database, file, format=format, campaign_id=name)
    everything = lines(tmp_path / "j.jsonl")
    rows = judged(everything)
    assert {type(row["instructions_version"]) for row in everything} == {int}
    assert {row["instructions_version"] for row in read_table(tmp_path / "run", "judgments").to_pylist()} == {1}
    earlier = [  # as it was until now
        {**row, "instructions_version": str(row["instructions_version"])} for row in everything
    ]
    (tmp_path / "earlier.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in earlier))
    other.write(lambda c: create_campaign(c, task="pair", title=name, campaign_id=name, now=now, by="test"))
    assert import_judgments(other, name, tmp_path / "earlier.jsonl", now=now).added == len(rows)
    assert import_judgments(other, name, tmp_path / "j.jsonl", now=now).there_already == len(rows)
    assert {row["instructions_version"] for row in stored(other, campaign)} == {1}


def campaign_of_other(database: Database, name: str) -> Campaign:
    return database.read(lambda c: campaign_of(c, name))


@SOME
@given(task=st.sampled_from(TASKS), seed=st.integers(0, 2**32), steps=st.integers(1, 20))
def test_an_export_for_label_studio_can_be_read_back(
    database: Database, other: Database, tmp_path: Path, now: datetime, task: str, seed: int, steps: int
) -> None:
    campaign = campaign_at_random(database, task, random.Random(seed), now, steps)
    name = campaign.campaign_id
    out = tmp_path / f"{name}.json"
    export_judgments(database, out, format="label-studio", campaign_id=name, how=ExportAs(names=True))
    other.write(lambda c: create_campaign(c, task=task, title=name, campaign_id=name, now=now, by="test"))
    done = import_judgments(other, name, out, JudgmentsFrom(format="label-studio"), now=now)
    assert list(done.bad) == []
    plain = tmp_path / f"{name}.jsonl"
    export_judgments(database, plain, format="jsonl", campaign_id=name)
    kept = [row for row in judged(lines(plain)) if row["not_counted_for"] not in ("set_aside", "superseded")]
    back = stored(other, campaign_of_other(other, name))
    key = lambda row: (row["item_id"], orjson.dumps(row["answer"], option=orjson.OPT_SORT_KEYS))  # noqa: E731
    assert sorted(map(key, back)) == sorted(map(key, kept))
    assert sorted(row["is_test"] for row in back) == sorted(row["is_test"] for row in kept)
