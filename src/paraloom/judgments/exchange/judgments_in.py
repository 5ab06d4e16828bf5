"""Judgments that were made elsewhere in, judgments of a campaign out, once each, all in one transaction.

They are marked as imported. Their authors are people without a password, called `imported:NAME`, unless they are
mapped to people who are there. Nobody is paid for them, and nobody is stopped by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.answers import keep_votes
from paraloom.judgments.assign import count_held
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.exchange.item_rows import LONGEST_ID, Bad
from paraloom.judgments.exchange.items_in import MOST_TOLD
from paraloom.judgments.exchange.judgment_rows import GivenExpected, GivenJudgment, moment
from paraloom.judgments.exchange.label_studio_in import read_label_studio
from paraloom.judgments.exchange.labels_in import answer_of
from paraloom.judgments.exchange.own_in import read_own
from paraloom.judgments.exchange.potato_in import LINES, STATE, read_potato
from paraloom.judgments.items import Item, NewItem, add_items, item_of, with_topics
from paraloom.judgments.kappa import kappa_against_others
from paraloom.judgments.people import SERVICE, Person, add_person, person_named, person_of
from paraloom.judgments.standing import keep_standing, standing_of
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new, insert_or_change
from paraloom.judgments.store.one_at_a_time import append_beside_others, one_at_a_time
from paraloom.judgments.tasks import task_named
from paraloom.tables import make_id
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database

IMPORTED = "imported"

Given = GivenJudgment | GivenExpected


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentsFrom:
    """Where judgments come from and whose they are."""

    format: str = "auto"
    """auto, paraloom, label-studio or potato."""
    people: Mapping[str, str] | None = None
    """A name in the file → the name of somebody who is there."""
    add_items: bool = True
    """Items that are not in the campaign yet are added where the file says what was shown."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentsImported:
    """What became of the answers."""

    campaign: str
    added: int
    there_already: int
    people: int
    """New ones."""
    items: int
    """New ones."""
    bad: Sequence[Bad]
    dry_run: bool

    def as_json(self) -> dict[str, object]:
        """For programs."""
        return {
            "campaign": self.campaign,
            "added": self.added,
            "there_already": self.there_already,
            "people": self.people,
            "items": self.items,
            "bad_rows": len(self.bad),
            "dropped_for": dict(Counter(one.reason for one in self.bad)),
            "dry_run": self.dry_run,
        }

    def as_text(self) -> str:
        """In words."""
        would = "would be " if self.dry_run else ""
        told = [
            f"{counted(self.added, 'judgment', 'judgments')} {would}added to {self.campaign}, with "
            f"{counted(self.people, 'person', 'people')} and {counted(self.items, 'item', 'items')} that were not "
            f"there; {counted(self.there_already, 'judgment was', 'judgments were')} there already."
        ]
        if self.bad:
            told.append(f"{counted(len(self.bad), 'answer', 'answers')} cannot be used:")
            told += [f"  {one.where}: {one.reason}" for one in self.bad[:MOST_TOLD]]
            if len(self.bad) > MOST_TOLD:
                told.append(f"  … and {len(self.bad) - MOST_TOLD:,} more")
        return "\n".join(told)


class _OnlyLooking(Exception):
    """Raised to undo what a dry run did."""

    def __init__(self, found: JudgmentsImported) -> None:
        self.found = found


def import_judgments(
    database: Database, campaign_id: str, source: Path, how: JudgmentsFrom = JudgmentsFrom(), *, now: datetime
) -> JudgmentsImported:
    """Add what a file holds to a campaign. Given twice, the same file adds nothing the second time."""
    task = database.read(lambda connection: campaign_of(connection, campaign_id)).task
    given = list(_read(source, task, how.format))

    def job(connection: Connection) -> JudgmentsImported:
        import_ = _Import(connection, campaign_of(connection, campaign_id), how, now)
        found = import_.run(given)
        if found.bad and not found.added and not found.there_already:  # else items without an answer would stay behind
            first = found.bad[0]
            count = counted(len(found.bad), "answer", "answers")
            raise InputError(
                f"Nothing was imported: {count} cannot be used in a campaign of the kind {task!r}. The first, "
                f"{first.where}: {first.reason}."
            )
        if how.dry_run:
            raise _OnlyLooking(found)
        detail = {"added": found.added, "bad": len(found.bad), "from": source.name}
        note_action(connection, who=SERVICE, what="judgments imported", about=campaign_id, now=now, detail=detail)
        return found

    try:
        return database.write(job)
    except _OnlyLooking as looked:
        return looked.found


def _read(source: Path, task: str, format: str) -> Iterator[Given | Bad]:
    if not source.exists():
        raise InputError(f"There is no file {source}. Check the path.")
    if format == "auto":
        if source.is_dir() and (any(source.glob("*.parquet")) or any(source.glob("*.made_by.json"))):
            raise InputError(
                f"{source} holds tables, which do not tell what was shown. Give what `paraloom annotate export "
                "--format jsonl` wrote."
            )
        if source.is_dir() or source.name in (STATE, LINES):
            format = "potato"
        else:
            format = "label-studio" if source.suffix.lower() == ".json" else "paraloom"
    if format == "potato":
        yield from read_potato(source)
    elif format == "label-studio":
        yield from read_label_studio(source, task)
    elif format == "paraloom":
        yield from read_own(source)
    else:
        raise InputError(f"There is no format {format!r}. Choose paraloom, label-studio or potato.")


class _Import:
    """One import, within its transaction."""

    def __init__(self, connection: Connection, campaign: Campaign, how: JudgmentsFrom, now: datetime) -> None:
        self.connection = connection
        self.campaign = campaign
        self.task = task_named(campaign.task)
        self.how = how
        self.now = now
        self.people: dict[str, Person] = {}
        self.new_people = 0
        self.new_items = 0
        self.touched: dict[str, Person] = {}
        self.decided: set[str] = set()

    def run(self, given: Sequence[Given | Bad]) -> JudgmentsImported:
        append_beside_others(self.connection)
        added = repeated = 0
        bad = [one for one in given if isinstance(one, Bad)]
        for one in given:
            if isinstance(one, GivenExpected):  # first, so that answers find their item a test question
                try:
                    self._item(one, self._expected(one))
                except (InputError, NotFound) as error:
                    bad.append(Bad(where=one.where, reason=str(error).rstrip(".")))
        for one in given:
            if isinstance(one, GivenJudgment):
                try:
                    is_new = self._judgment(one)
                except (InputError, NotFound) as error:
                    bad.append(Bad(where=one.where, reason=str(error).rstrip(".")))
                else:
                    added += is_new
                    repeated += not is_new
        for person in self.touched.values():
            self._stand(person)
        return JudgmentsImported(
            campaign=self.campaign.campaign_id,
            added=added,
            there_already=repeated,
            people=self.new_people,
            items=self.new_items,
            bad=bad,
            dry_run=self.how.dry_run,
        )

    def _expected(self, given: GivenExpected) -> Mapping[str, Any]:
        return answer_of(self.campaign.task, given.labels, given.content or {})

    def _judgment(self, given: GivenJudgment) -> bool:
        item = self._item(given, given.expected)
        content = self.task.read_content(item.content)
        raw = given.answer
        if raw is None:
            assert given.labels is not None
            raw = answer_of(self.campaign.task, given.labels, item.content)
        answer = self.task.read_answer(raw, content)
        if given.judgment_id is None:  # one file may be imported into several campaigns
            given = replace(given, client_id=f"{IMPORTED}:{make_id(self.campaign.campaign_id, given.client_id)}")
        if not 8 <= len(given.client_id) <= 100 or not given.client_id.isprintable() or not given.client_id.isascii():
            raise InputError("`client_id` is not 8 to 100 plain characters")
        person = self._person(given.annotator, own=given.judgment_id is not None)
        expected = None if item.expected is None else self.task.read_answer(item.expected, content)
        judgment_id = given.judgment_id or make_id("judgment", person.person_id, given.client_id)
        values = {
            "judgment_id": judgment_id,
            "campaign_id": self.campaign.campaign_id,
            "item_id": item.item_id,
            "person_id": person.person_id,
            "answer": asdict(answer),
            "instructions_version": min(max(given.instructions_version, 1), self.campaign.version),
            "seconds": given.seconds,
            "created_at": given.created_at or self.now,
            "is_test": item.is_test,
            "is_right": None if expected is None else self.task.is_right(answer, expected),
            "client_id": given.client_id,
            "replaces": given.replaces or self._before(item, person),
            "purpose": IMPORTED,
        }
        if not insert_new(self.connection, schema.judgments, values):
            self._check_same(judgment_id, person, given)
            return False
        self._keep(given, item, person, judgment_id, self.task.votes(item.item_id, content, answer))
        self.touched[person.person_id] = person
        return True

    def _check_same(self, judgment_id: str, person: Person, given: GivenJudgment) -> None:
        table = schema.judgments.c
        found = self.connection.execute(
            sa.select(table.campaign_id, table.item_id).where(
                sa.or_(
                    table.judgment_id == judgment_id,
                    sa.and_(table.person_id == person.person_id, table.client_id == given.client_id),
                )
            )
        ).first()
        if found is None or found.campaign_id != self.campaign.campaign_id:
            where = "elsewhere" if found is None else found.campaign_id
            raise InputError(f"this judgment is one of the campaign {where} already")

    def _before(self, item: Item, person: Person) -> str | None:
        table = schema.judgments
        found: str | None = self.connection.scalar(
            sa.select(table.c.judgment_id)
            .filter_by(campaign_id=item.campaign_id, item_id=item.item_id, person_id=person.person_id)
            .order_by(table.c.number.desc())
            .limit(1)
        )
        return found

    def _keep(self, given: GivenJudgment, item: Item, person: Person, judgment_id: str, votes: Sequence[Any]) -> None:
        """All that follows from a new judgment: its place, its votes, its marks, the item's decision."""
        table = schema.assignments
        where = {"campaign_id": item.campaign_id, "item_id": item.item_id, "person_id": person.person_id}
        state = self.connection.scalar(sa.select(table.c.state).filter_by(**where))
        after = "set_aside" if given.is_set_aside else "answered"
        values = {**where, "state": after, "purpose": "test" if item.is_test else "work", "leased_at": self.now}
        insert_or_change(self.connection, table, {**values, "expires_at": None})
        counted, counts = state == "answered", after == "answered"
        held = int(counts) - int(state in ("answered", "leased"))
        count_held(self.connection, item.campaign_id, item.item_id, held, int(counts) - int(counted))
        number = self.connection.scalars(sa.select(schema.judgments.c.number).filter_by(judgment_id=judgment_id)).one()
        keep_votes(self.connection, item, person.person_id, number, votes, counts=counts and not item.is_test)
        for mark in given.marks:
            self.connection.execute(
                schema.marks.insert().values(
                    judgment_id=judgment_id,
                    mark=str(mark.get("mark"))[:40],
                    reason=str(mark.get("reason") or ""),
                    made_by=str(mark.get("made_by") or SERVICE)[:LONGEST_ID],
                    created_at=moment(mark.get("created_at")) or self.now,
                )
            )
        if given.decision is not None and item.item_id not in self.decided:
            self.decided.add(item.item_id)
            self._decide(given.decision, item)

    def _decide(self, decision: Mapping[str, Any], item: Item) -> None:
        content = self.task.read_content(item.content)
        at = moment(decision.get("created_at")) or self.now
        table = schema.decisions
        if self.connection.scalar(
            sa.select(table.c.number)
            .filter_by(campaign_id=item.campaign_id, item_id=item.item_id, created_at=at)
            .limit(1)
        ):
            return
        self.connection.execute(
            table.insert().values(
                campaign_id=item.campaign_id,
                item_id=item.item_id,
                answer=asdict(self.task.read_answer(decision.get("answer") or {}, content)),
                decided_by=self._person(str(decision.get("decided_by")), own=True).person_id,
                reason=str(decision.get("reason") or ""),
                judgment_ids=list(decision.get("judgment_ids") or []),
                instructions_version=int(decision.get("instructions_version") or 1),
                created_at=at,
            )
        )

    def _item(self, given: Given, expected: Mapping[str, Any] | None) -> Item:
        """The item that was judged; a new one where it is not there and the file says what was shown."""
        if given.item_id is not None:
            try:
                return item_of(self.connection, self.campaign.campaign_id, given.item_id)
            except NotFound:
                if not self.how.add_items or given.content is None:
                    raise
        if given.content is None:
            raise InputError("neither an item's id nor what was shown")
        if given.item_id is not None and (len(given.item_id) > LONGEST_ID or not given.item_id.isprintable()):
            raise InputError(f"`item_id` must have at most {LONGEST_ID} characters that can be seen")
        new = NewItem(content=given.content, item_id=given.item_id, expected=expected)
        if isinstance(given, GivenJudgment):
            new = replace(
                new,
                explanation=given.explanation,
                group_id=given.group_id,
                proposed_by=given.proposed_by,
                origin=given.origin,
            )
        new = with_topics(self.campaign, self._as_content(new))
        item_id = new.item_id or self._known(new)
        if item_id is None or not self._is_there(item_id):
            if not self.how.add_items:
                raise InputError("the campaign has no such item")
            added = self._add(new)
            self.new_items += added
            item_id = new.item_id or self._known(new)
        assert item_id is not None
        return item_of(self.connection, self.campaign.campaign_id, item_id)

    def _add(self, new: NewItem) -> int:
        try:
            return add_items(self.connection, self.campaign, [new], now=self.now).added
        except InputError as error:
            raise InputError(str(error).removeprefix("Item 1: ")) from None

    def _as_content(self, new: NewItem) -> NewItem:
        """Only what the kind of task shows: other tools keep all sorts of things beside it."""
        fields = _FIELDS.get(self.campaign.task)
        if fields is None:
            return new
        return replace(new, content={name: value for name, value in new.content.items() if name in fields})

    def _known(self, new: NewItem) -> str | None:
        """The id of an item with this very content."""
        content = self.task.read_content(new.content)
        table = schema.items
        found: str | None = self.connection.scalar(
            sa.select(table.c.item_id)
            .where(table.c.campaign_id == self.campaign.campaign_id, table.c.content == asdict(content))
            .limit(1)
        )
        return found

    def _is_there(self, item_id: str) -> bool:
        table = schema.items
        asked = sa.select(table.c.item_id).filter_by(campaign_id=self.campaign.campaign_id, item_id=item_id)
        return self.connection.scalar(asked) is not None

    def _person(self, name: str, *, own: bool) -> Person:
        if name not in self.people:
            self.people[name] = self._found(name, own=own)
            one_at_a_time(self.connection, self.campaign.campaign_id, self.people[name].person_id)
        return self.people[name]

    def _found(self, name: str, *, own: bool) -> Person:
        if self.how.people and name in self.how.people:
            known = person_named(self.connection, self.how.people[name])
            if known is None:
                raise InputError(f"there is nobody called {self.how.people[name]!r} to take for {name!r}")
            return known
        if own:
            try:
                return person_of(self.connection, name)
            except NotFound:
                pass
        called = imported_name(name)
        known = person_named(self.connection, called)
        if known is not None:
            return known
        self.new_people += 1
        return add_person(self.connection, name=called, hashed=None, role="annotator", now=self.now, by=SERVICE)

    def _stand(self, person: Person) -> None:
        """What a person did here, counted anew; no rule is applied to work that was done elsewhere."""
        table = schema.judgments
        at_first = table.c.replaces.is_(None)
        said = sa.select(
            sa.func.count(sa.distinct(table.c.item_id)).label("answered"),
            sa.func.count(sa.distinct(table.c.item_id)).filter(table.c.is_test).label("tests"),
            sa.func.count(sa.distinct(table.c.item_id)).filter(table.c.is_right, at_first).label("right"),
        ).filter_by(campaign_id=self.campaign.campaign_id, person_id=person.person_id)
        row = self.connection.execute(said).one()
        kappa = kappa_against_others(self.connection, self.campaign, person.person_id)
        standing = standing_of(self.connection, self.campaign, person.person_id, self.now)
        keep_standing(
            self.connection,
            replace(
                standing,
                answered=row.answered,
                tests=row.tests,
                tests_right=row.right,
                kappa=kappa.kappa,
                compared=kappa.compared,
                last_at=self.now,
            ),
        )


_FIELDS = {
    "pair": ("left", "right", "topic"),
    "grade": ("left", "right", "left_document", "right_document"),
    "write": ("source",),
}
"""What is shown, of kinds whose content other tools have under the same names."""


def imported_name(name: str) -> str:
    """What somebody is called whose judgments were made elsewhere.

    >>> imported_name("ann@example.org")
    'imported:ann@example.org'
    """
    plain = "".join(letter if letter.isprintable() else "?" for letter in name).strip() or "unknown"
    if len(plain) > 60:
        plain = f"{plain[:40]}…{make_id(name)[:8]}"
    return f"{IMPORTED}:{plain}"
