"""A store in, how its campaigns stand out: progress, people, test questions, cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign, all_campaigns, campaign_of
from paraloom.judgments.kappa import KappaFound, kappas_now
from paraloom.judgments.people import Person
from paraloom.judgments.progress import Progress, progress_of
from paraloom.judgments.standing import MILLIONTHS
from paraloom.judgments.store import schema
from paraloom.judgments.store.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonStatus:
    """One person in one campaign."""

    person_id: str
    name: str
    state: str
    reason: str | None
    answered: int
    test_accuracy: float | None
    kappa: float | None
    """Of this moment, against the majority of the others."""
    kappa_before: float | None
    """Where no answer of theirs counts any more: the kappa that the rules last went by."""
    earned: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignStatus:
    """How one campaign stands."""

    campaign: str
    title: str
    task: str
    state: str
    progress: Progress
    people: tuple[PersonStatus, ...]
    tests: int
    """Answers to test questions."""
    tests_right: int
    earned: float
    currency: str
    budget: float | None

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self)

    def as_text(self) -> str:
        """In words."""
        progress = self.progress
        share = f" ({progress.judgments / progress.wanted:.0%})" if progress.wanted else ""
        right = f", {self.tests_right / self.tests:.0%} right" if self.tests else ""
        budget = "" if self.budget is None else f" of {self.budget:g}"
        lines = [
            f"{self.campaign}: {self.title} ({self.task}, {self.state})",
            f"  {progress.judgments:,} of {progress.wanted:,} judgments{share}, {progress.complete:,} of "
            f"{progress.items:,} items complete",
            f"  {progress.tests:,} test questions, answered {self.tests:,} times{right}",
            f"  earned: {self.earned:g}{budget} {self.currency}",
        ]
        for one in self.people:
            accuracy = "" if one.test_accuracy is None else f", tests {one.test_accuracy:.0%}"
            kappa = "" if one.kappa is None else f", kappa {one.kappa:.2f}"
            if one.kappa_before is not None:
                kappa = f", kappa {one.kappa_before:.2f} when last measured"
            why = f" ({one.reason})" if one.reason else ""
            lines.append(f"  {one.name}: {one.state}{why}, {one.answered:,} answers{accuracy}{kappa}")
        return "\n".join(lines)


def status_of(database: Database, name: str | None) -> list[CampaignStatus]:
    """One campaign, or all, the newest first."""

    def job(connection: Connection) -> list[CampaignStatus]:
        campaigns = all_campaigns(connection) if name is None else [campaign_of(connection, name)]
        return [_status(connection, campaign) for campaign in campaigns]

    return database.read(job)


def _status(connection: Connection, campaign: Campaign) -> CampaignStatus:
    standings, people = schema.standings, schema.people
    rows = connection.execute(
        sa.select(standings, *(people.c[name] for name in ("name", "role", "language", "created_at", "erased_at")))
        .join(people, people.c.person_id == standings.c.person_id)
        .where(standings.c.campaign_id == campaign.campaign_id)
        .order_by(standings.c.answered.desc(), standings.c.person_id)
    ).all()
    kappas = kappas_now(connection, campaign)
    return CampaignStatus(
        campaign=campaign.campaign_id,
        title=campaign.title,
        task=campaign.task,
        state=campaign.state,
        progress=progress_of(connection, campaign.campaign_id),
        people=tuple(_person(row, kappas.get(row.person_id)) for row in rows),
        tests=sum(row.tests for row in rows),
        tests_right=sum(row.tests_right for row in rows),
        earned=sum(row.earned for row in rows) / MILLIONTHS,
        currency=campaign.settings.currency,
        budget=campaign.settings.budget,
    )


def _person(row: sa.Row[Any], kappa: KappaFound | None) -> PersonStatus:
    person = Person(
        person_id=row.person_id,
        name=row.name,
        role=row.role,
        language=row.language,
        created_at=row.created_at,
        erased_at=row.erased_at,
        blocked_at=None,
    )
    return PersonStatus(
        person_id=row.person_id,
        name=person.shown_name,
        state=row.state,
        reason=row.reason,
        answered=row.answered,
        test_accuracy=row.tests_right / row.tests if row.tests else None,
        kappa=None if kappa is None else kappa.kappa,
        kappa_before=row.kappa if kappa is None else None,
        earned=row.earned / MILLIONTHS,
    )
