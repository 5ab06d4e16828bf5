"""Judgments that were made elsewhere in, judgments of a campaign out, once each, all in one transaction.

What was said about them later comes with them: marks, notes, decisions. Nobody is paid for them, and nobody is stopped
by them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.exchange.authors import Authors
from paraloom.judgments.exchange.file_rows import Bad, bad_row
from paraloom.judgments.exchange.imported import Imported, do_or_look, refuse_all_bad
from paraloom.judgments.exchange.judged_items import JudgedItems
from paraloom.judgments.exchange.judgment_files import AUTO, read_judgments
from paraloom.judgments.exchange.judgment_rows import Given, GivenDecided, GivenExpected, GivenJudgment
from paraloom.judgments.exchange.judgments_kept import Kept, KeptJudgments
from paraloom.judgments.exchange.labels_in import answer_of
from paraloom.judgments.exchange.places import Places
from paraloom.judgments.exchange.remark_rows import GivenDecision, GivenNote
from paraloom.judgments.exchange.remarks_kept import KeptRemarks, joined
from paraloom.judgments.exchange.sides import stand_turned, turned_answer
from paraloom.judgments.people import SERVICE
from paraloom.judgments.store.one_at_a_time import append_beside_others
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentsFrom:
    """Where judgments come from and whose they are."""

    format: str = AUTO
    """auto, paraloom, label-studio or potato."""
    people: Mapping[str, str] | None = None
    """A name in the file → the name of somebody who is there."""
    add_items: bool = True
    """Items that are not in the campaign yet are added where the file says what was shown."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgmentsImported(Imported):
    """What became of the answers, and of what was said about them."""

    ROW: ClassVar[tuple[str, str]] = ("answer", "answers")

    people: int
    """New ones."""
    items: int
    """New ones."""
    marks: int = 0
    marks_there_already: int = 0
    notes: int = 0
    notes_there_already: int = 0
    decisions: int = 0
    decisions_there_already: int = 0

    def in_words(self, added: str) -> str:
        """With what was said later only where the file tells of it."""
        told = (
            f"{counted(self.added, 'judgment', 'judgments')} {added} to {self.campaign}, with "
            f"{counted(self.people, 'person', 'people')} and {counted(self.items, 'item', 'items')} that were not "
            f"there; {counted(self.there_already, 'judgment was', 'judgments were')} there already."
        )
        later = [
            f"{counted(new, one, several)} {added}, {there:,} there already."
            for new, there, one, several in (
                (self.marks, self.marks_there_already, "mark", "marks"),
                (self.notes, self.notes_there_already, "note", "notes"),
                (self.decisions, self.decisions_there_already, "decision", "decisions"),
            )
            if new or there
        ]
        return "\n".join([told, *later])


def import_judgments(
    database: Database, campaign_id: str, source: Path, how: JudgmentsFrom = JudgmentsFrom(), *, now: datetime
) -> JudgmentsImported:
    """Add what a file holds to a campaign. Given twice, the same file adds nothing the second time; a newer export of
    the same campaign adds what has come since.
    """
    task = database.read(lambda connection: campaign_of(connection, campaign_id)).task
    given = list(read_judgments(source, how.format))

    def job(connection: Connection) -> JudgmentsImported:
        found = _Import(connection, campaign_of(connection, campaign_id), how, now).run(given)
        decided = found.decisions + found.decisions_there_already
        useful = found.added + found.there_already + decided  # without one, items would stay that nobody has answered
        refuse_all_bad(found.bad, JudgmentsImported.ROW, task, useful=useful)
        detail = {"added": found.added, "bad": len(found.bad), "from": source.name}
        note_action(connection, who=SERVICE, what="judgments imported", about=campaign_id, now=now, detail=detail)
        return found

    return do_or_look(database, job, dry_run=how.dry_run)


class _Import:
    """One import, within its transaction: first test questions, then judgments, then what was said about them."""

    def __init__(self, connection: Connection, campaign: Campaign, how: JudgmentsFrom, now: datetime) -> None:
        self.connection = connection
        self.campaign = campaign
        self.how = how
        self.items = JudgedItems(connection, campaign, now, may_add=how.add_items)
        self.authors = Authors(connection, campaign, how.people, now)
        self.judgments = KeptJudgments(connection, campaign, self.items, self.authors, now)
        self.remarks = KeptRemarks(connection, campaign, self.items, self.authors)
        self.places = Places(connection, campaign, now)
        self.bad: list[Bad] = []

    def run(self, given: Sequence[Given | Bad]) -> JudgmentsImported:
        append_beside_others(self.connection)
        self.bad += [one for one in given if isinstance(one, Bad)]
        self._expect([one for one in given if isinstance(one, GivenExpected)])
        kept = self._keep([one for one in given if isinstance(one, GivenJudgment)])
        self._mark(kept)
        self._discuss([*self._said_of(kept), *self._decided([one for one in given if isinstance(one, GivenDecided)])])
        self.places.settle()
        marks, notes, decisions = self.remarks.marks, self.remarks.notes, self.remarks.decisions
        return JudgmentsImported(
            campaign=self.campaign.campaign_id,
            added=sum(one.is_new for _, one in kept),
            there_already=sum(not one.is_new for _, one in kept),
            people=self.authors.new,
            items=self.items.new,
            marks=marks.added,
            marks_there_already=marks.there_already,
            notes=notes.added,
            notes_there_already=notes.there_already,
            decisions=decisions.added,
            decisions_there_already=decisions.there_already,
            bad=self.bad,
            dry_run=self.how.dry_run,
        )

    def _expect(self, expected: Sequence[GivenExpected]) -> None:
        """Test questions, so that answers find their item one."""
        for one in expected:
            try:
                item = self.items.judged(one, answer_of(self.campaign.task, one.labels, one.content or {}))
                stand_turned(self.campaign.task, item, one.content)
            except (InputError, NotFound) as error:
                self.bad.append(bad_row(one.where, error))

    def _keep(self, judgments: Sequence[GivenJudgment]) -> list[tuple[GivenJudgment, Kept]]:
        found = []
        for given in judgments:
            try:
                kept = self.judgments.keep(given)
            except (InputError, NotFound) as error:
                self.bad.append(bad_row(given.where, error))
                continue
            found.append((given, kept))
            place = self.places.told[kept.item_id, kept.person_id]
            place.has_new_judgment |= kept.is_new
            place.is_set_aside |= given.is_set_aside
        return found

    def _mark(self, judgments: Sequence[tuple[GivenJudgment, Kept]]) -> None:
        for given, kept in judgments:
            if given.marks:
                told = self.places.told[kept.item_id, kept.person_id].told_marks
                told[kept.judgment_id] = joined(told.get(kept.judgment_id, ()), given.marks)
        for place in self.places.told.values():
            for judgment_id, marks in place.told_marks.items():
                place.new_marks += self.remarks.keep_marks(judgment_id, marks)

    def _said_of(self, judgments: Sequence[tuple[GivenJudgment, Kept]]) -> Iterator[GivenDecided]:
        """What the rows of judgments tell of their items."""
        for given, kept in judgments:
            if given.notes or given.decisions:
                yield self._as_here(given, kept.item_id, is_turned=kept.is_turned)

    def _decided(self, given: Sequence[GivenDecided]) -> Iterator[GivenDecided]:
        """What rows of their own tell, of items that are here."""
        for one in given:
            try:
                item = self.items.item(one.item_id)
                is_turned = stand_turned(self.campaign.task, item, one.content, one.left_id)
            except (InputError, NotFound) as error:
                self.bad.append(bad_row(one.where, error))
            else:
                yield self._as_here(one, one.item_id, is_turned=is_turned)

    def _as_here(self, given: GivenJudgment | GivenDecided, item_id: str, *, is_turned: bool) -> GivenDecided:
        """With the sides as the item has them."""
        decisions = given.decisions
        if is_turned:
            task = self.campaign.task
            decisions = [replace(one, answer=turned_answer(task, one.answer)) for one in decisions]
        return GivenDecided(
            where=given.where, item_id=item_id, content=None, left_id=None, notes=given.notes, decisions=decisions
        )

    def _discuss(self, told: Sequence[GivenDecided]) -> None:
        """Every row tells all notes and decisions of its item: they are taken together, and once."""
        where: dict[str, str] = {}
        notes: dict[str, list[GivenNote]] = {}
        decisions: dict[str, list[GivenDecision]] = {}
        for one in told:
            where.setdefault(one.item_id, one.where)
            notes[one.item_id] = joined(notes.get(one.item_id, ()), one.notes)
            decisions[one.item_id] = joined(decisions.get(one.item_id, ()), one.decisions)
        for item_id, at in where.items():
            try:
                self.remarks.keep_notes(item_id, notes[item_id])
                self.remarks.keep_decisions(item_id, decisions[item_id])
            except InputError as error:
                self.bad.append(bad_row(at, error))
