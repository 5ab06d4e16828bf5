"""A newer export of a campaign over an older one brings what has come since: nothing twice, and nothing overruled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from paraloom.judgments.campaigns import Campaign, campaign_of, create_campaign
from paraloom.judgments.conflicts import decisions_on, judged_item
from paraloom.judgments.decide import GivenDecision, decide, notes_on, write_note
from paraloom.judgments.exchange.export import ExportAs, export_judgments
from paraloom.judgments.exchange.judgments_in import JudgmentsFrom, JudgmentsImported, import_judgments
from paraloom.judgments.exchange.snapshot import every_judgment
from paraloom.judgments.people import Person, add_person, everybody
from paraloom.judgments.progress import progress_of
from paraloom.judgments.set_aside import restore_work, set_aside_work
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from tests.judgments.working import judge

YES, NO = {"is_paraphrase": True}, {"is_paraphrase": False}


class Source:
    """A campaign that goes on: two annotators and an expert; and another store that is told of it from time to time."""

    def __init__(self, here: Database, there: Database, people: list[Person], folder: Path, now: datetime) -> None:
        self.here, self.there, self.folder, self.now = here, there, folder, now
        self.ann, self.bob, self.expert = people

    @property
    def campaign(self) -> Campaign:
        return self.here.read(lambda c: campaign_of(c, "storms"))

    def at(self, minutes: int) -> datetime:
        return self.now + timedelta(minutes=minutes)

    def aside(self, minutes: int, where: Database | None = None, person_id: str | None = None) -> None:
        why = {"reason": "spam", "now": self.at(minutes), "by": "admin" if where is None else "admin there"}
        who = person_id or self.ann.person_id
        (where or self.here).write(lambda c: set_aside_work(c, self.campaign, who, **why))

    def restore(self, minutes: int, where: Database | None = None, person_id: str | None = None) -> None:
        why = {"reason": "no spam", "now": self.at(minutes), "by": "admin" if where is None else "admin there"}
        who = person_id or self.ann.person_id
        (where or self.here).write(lambda c: restore_work(c, self.campaign, who, **why))

    def note(self, text: str, minutes: int) -> None:
        drawn = {"client_id": f"drawn-{text}-{minutes}", "now": self.at(minutes)}
        self.here.write(lambda c: write_note(c, self.campaign, self.expert, "pair-0", text, **drawn))

    def decide(self, answer: dict[str, Any], minutes: int, where: Database | None = None) -> None:
        database = where or self.here
        judged = database.read(lambda c: judged_item(c, "storms", "pair-0"))
        assert judged is not None
        given = GivenDecision(
            item_id="pair-0",
            seen=[one.judgment_id for one in judged.said],
            after=None if judged.decision is None else judged.decision.number,
            answer=answer,
        )
        people = {one.name: one for one in database.read(everybody)}
        expert = self.expert if where is None else people["expert there"]
        database.write(lambda c: decide(c, self.campaign, expert, given, now=self.at(minutes)))

    def export(self, name: str = "export.jsonl", **how: Any) -> Path:
        out = self.folder / name
        export_judgments(self.here, out, format="jsonl", campaign_id="storms", how=ExportAs(overwrite=True, **how))
        return out

    def tell(self, how: JudgmentsFrom = JudgmentsFrom(), **export: Any) -> JudgmentsImported:
        return import_judgments(self.there, "storms", self.export(**export), how, now=self.at(1000))

    def counted(self) -> list[str | None]:
        """Why each judgment there does not count."""
        return self.there.read(lambda c: [one.not_counted_for for one in every_judgment(c, "storms")])

    def author(self) -> str:
        """The id of Ann as she is called there."""
        return self.there.read(lambda c: list(every_judgment(c, "storms")))[0].person_id


@pytest.fixture
def source(
    database: Database,
    new_url: Callable[..., str],
    open_campaign: Callable[..., Campaign],
    add_people: Callable[..., list[Person]],
    some_pairs: Callable[..., Any],
    tmp_path: Path,
    now: datetime,
) -> Iterator[Source]:
    """Both have judged `pair-0`, and the other store, of the other kind, knows it."""
    there = open_database(new_url("postgresql" if database.is_sqlite else "sqlite", migrated=True))
    open_campaign(database, some_pairs(2), judgments_per_item=2, adjudicate=True)
    there.write(lambda c: create_campaign(c, task="pair", title="Storms", campaign_id="storms", now=now, by="x"))
    people = [*add_people(database, 2), *add_people(database, 1, role="expert")]
    made = Source(database, there, people, tmp_path, now)
    for person, answer in ((made.ann, YES), (made.bob, NO)):
        judge(database, made.campaign, person, "pair-0", answer, now)
    assert made.tell().added == 2
    yield made
    there.close()


def test_what_was_set_aside_and_restored_later_comes_with_the_next_export(source: Source) -> None:
    source.aside(1)
    done = source.tell()
    assert (done.added, done.there_already, done.marks, done.marks_there_already) == (0, 2, 1, 0)
    assert source.counted() == ["set_aside", None]
    assert source.there.read(lambda c: progress_of(c, "storms")).judgments == 1
    source.restore(2)
    done = source.tell()
    assert (done.marks, done.marks_there_already, done.people) == (1, 1, 0)
    assert source.counted() == [None, None]
    assert source.there.read(lambda c: progress_of(c, "storms")).judgments == 2
    assert (source.tell().marks, source.tell().marks_there_already) == (0, 2)


def test_notes_and_decisions_come_later_and_once_and_the_last_decision_holds(source: Source) -> None:
    source.note("hm", 1)
    source.decide(YES, 2)
    done = source.tell()
    assert (done.notes, done.decisions, done.people) == (1, 1, 1)
    source.note("hm", 3)
    source.decide(NO, 4)
    source.decide(YES, 5)
    judge(source.here, source.campaign, source.ann, "pair-0", NO, source.at(6))
    done = source.tell()
    assert (done.added, done.notes, done.decisions) == (1, 1, 2)
    assert (done.there_already, done.notes_there_already, done.decisions_there_already) == (2, 1, 1)
    told = source.there.read(lambda c: notes_on(c, "storms", "pair-0"))
    assert [(one.text, one.created_at) for one in told] == [("hm", source.at(1)), ("hm", source.at(3))]
    held = source.there.read(lambda c: decisions_on(c, "storms", "pair-0"))
    assert [(one.answer, one.created_at) for one in held] == [
        (YES, source.at(5)),
        (NO, source.at(4)),
        (YES, source.at(2)),
    ]
    assert source.tell().as_text() == (
        "0 judgments added to storms, with 0 people and 0 items that were not there; 3 judgments were there already.\n"
        "0 notes added, 2 there already.\n"
        "0 decisions added, 3 there already."
    )


LAST_WORDS = [(3, ["set_aside", None]), (1, [None, None])]


@pytest.mark.parametrize(("here", "counted"), LAST_WORDS)
def test_work_counts_as_was_said_last_here_or_there(source: Source, here: int, counted: list[str | None]) -> None:
    who = source.author()
    source.aside(0, source.there, who)
    source.aside(1)
    source.restore(2)  # in the file, after the work was set aside here at minute 0
    if here == 3:
        source.restore(2, source.there, who)
        source.aside(3, source.there, who)
    assert source.tell().marks == 2
    assert source.counted() == counted
    judge(source.here, source.campaign, source.ann, "pair-0", NO, source.at(9))  # it is said nothing new of its worth
    assert source.tell().added == 1
    assert source.counted() == (["set_aside", None, "set_aside"] if here == 3 else ["superseded", None, None])


def test_a_decision_that_was_made_here_later_holds_and_that_is_told(source: Source) -> None:
    name = {"name": "expert there", "hashed": None, "role": "expert"}
    source.there.write(lambda c: add_person(c, **name, now=source.now, by="x"))
    source.there.write(lambda c: c.exec_driver_sql("UPDATE items SET wanted = 2"))
    source.decide(NO, 5, source.there)
    source.decide(YES, 3)
    done = source.tell()
    assert done.decisions == 0
    assert [one.reason for one in done.bad] == [
        "'pair-0' was decided here later than in the file, and what was decided here holds"
    ]
    source.decide(YES, 7)
    assert source.tell().decisions == 2, "what was decided last, after both, holds"
    held = source.there.read(lambda c: decisions_on(c, "storms", "pair-0"))
    assert (held[0].answer, held[0].created_at) == (YES, source.at(7))


def test_people_who_are_mapped_the_second_time_get_nothing_twice(
    source: Source, add_people: Callable[..., list[Person]]
) -> None:
    source.note("hm", 1)
    source.tell(names=True)
    (known,) = add_people(source.there, 1)
    assert source.tell(names=True).notes_there_already == 1
    before = len(source.there.read(everybody))
    how = JudgmentsFrom(people={str(one.name): str(known.name) for one in (source.ann, source.bob, source.expert)})
    done = source.tell(how, names=True)
    assert (done.added, done.notes, done.people) == (0, 0, 0)
    source.note("well", 2)
    source.decide(NO, 3)
    done = source.tell(how, names=True)
    assert (done.notes, done.decisions, len(source.there.read(everybody))) == (1, 1, before)
    assert source.there.read(lambda c: notes_on(c, "storms", "pair-0"))[-1].person_id == known.person_id
    assert source.there.read(lambda c: decisions_on(c, "storms", "pair-0"))[0].decided_by == known.person_id


def test_two_exports_in_one_file_are_taken_as_the_later_one(source: Source) -> None:
    source.aside(1)
    source.note("hm", 1)
    older = source.export("older.jsonl").read_bytes()
    source.restore(2)
    source.note("well", 2)
    source.decide(NO, 3)
    both = source.folder / "both.jsonl"
    both.write_bytes(older + source.export("newer.jsonl").read_bytes())
    done = import_judgments(source.there, "storms", both, now=source.now)
    assert (done.marks, done.notes, done.decisions, list(done.bad)) == (2, 2, 1, [])
    assert (done.marks_there_already, done.notes_there_already) == (0, 0)


def test_a_store_that_is_told_of_itself_learns_nothing(source: Source) -> None:
    source.note("hm", 1)
    source.decide(YES, 2)
    source.aside(3)
    done = import_judgments(source.here, "storms", source.export(), now=source.now)
    assert (done.added, done.marks, done.notes, done.decisions, done.people) == (0, 0, 0, 0, 0)
    assert (done.there_already, done.notes_there_already, done.decisions_there_already) == (2, 1, 1)


BROKEN = [
    ({"marks": [{"mark": "set_aside", "made_by": "x"}]}, "a mark does not tell when it was made"),
    ({"marks": [{"mark": "x" * 41, "made_by": "x", "created_at": 1}]}, "`mark` has 41 characters"),
    ({"marks": "no list"}, "invalid literal"),
    ({"notes": [{"annotator": "x", "text": "a\u0000b", "created_at": 1}]}, "NUL"),
    ({"notes": [{"annotator": "x", "text": "a", "created_at": 1, "client_id": "short"}]}, "`client_id`"),
    ({"decision": {"decided_by": "x", "created_at": 1}}, "a decision's `answer` is no object"),
    ({"decisions_before": {"reason": "x"}}, "`decisions_before` is no list"),
]


@pytest.mark.parametrize(("changed", "reason"), BROKEN)
def test_a_row_with_broken_remarks_is_told_and_nothing_of_it_is_stored(
    source: Source, changed: dict[str, Any], reason: str
) -> None:
    judge(source.here, source.campaign, source.ann, "pair-1", YES, source.at(1))
    *rows, last = [orjson.loads(line) for line in source.export().read_bytes().splitlines()]
    file = source.folder / "broken.jsonl"
    file.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in [*rows, {**last, **changed}]))
    done = import_judgments(source.there, "storms", file, now=source.now)
    (bad,) = done.bad
    assert reason in bad.reason
    assert (done.added, done.there_already, done.marks, done.notes) == (0, 2, 0, 0)


def test_a_decision_that_is_none_of_this_task_is_told_and_the_answer_stays(source: Source) -> None:
    judge(source.here, source.campaign, source.ann, "pair-1", YES, source.at(1))
    rows = [orjson.loads(line) for line in source.export().read_bytes().splitlines()]
    decision = {"answer": {"label": "4"}, "decided_by": "x", "judgment_ids": [], "created_at": 1}
    file = source.folder / "broken.jsonl"
    file.write_bytes(b"".join(orjson.dumps({**row, "decision": decision}) + b"\n" for row in rows[-1:]))
    done = import_judgments(source.there, "storms", file, now=source.now)
    assert (done.added, done.decisions) == (1, 0)
    assert [one.where for one in done.bad] == ["broken.jsonl, line 1"]
