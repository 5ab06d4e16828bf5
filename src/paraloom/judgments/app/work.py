"""The work itself, for pages and programs alike: the next item, an answer, a check. Each is one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from paraloom.errors import NotAllowed, NotFound
from paraloom.judgments.answers import Acknowledged, GivenAnswer, check_handed, record_answer
from paraloom.judgments.app.service import Service
from paraloom.judgments.assign import Handed, NothingNow, hand_back, hand_out
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.checks import KeptCheck, checks_of
from paraloom.judgments.items import item_of
from paraloom.judgments.members import may_work
from paraloom.judgments.people import Person
from paraloom.judgments.standing import Standing, standing_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NextUp:
    """What a person gets next, and where they stand."""

    campaign: Campaign
    handed: Handed | NothingNow
    standing: Standing
    checks: Sequence[KeptCheck] = ()
    """In the game: this person's checks of the sentence before, the oldest first."""


def campaign_for(connection: Connection, campaign_id: str, person: Person) -> Campaign:
    """The campaign, if this person may work on it; to others it does not exist."""
    campaign = campaign_of(connection, campaign_id)
    if not may_work(connection, campaign, person):
        raise NotFound(f"There is no campaign {campaign_id!r}.")
    return campaign


def campaign_to_answer(connection: Connection, campaign_id: str, person: Person, item_id: str) -> Campaign:
    """The campaign, if this person may work on it, or was handed this item when they still might: no answer is lost
    because a campaign became one for members, or for other roles."""
    campaign = campaign_of(connection, campaign_id)
    if not may_work(connection, campaign, person):
        try:
            check_handed(connection, item_of(connection, campaign_id, item_id), person)
        except (NotAllowed, NotFound):
            raise NotFound(f"There is no campaign {campaign_id!r}.") from None
    return campaign


def checks_before(
    connection: Connection, campaign: Campaign, person: Person, handed: Handed | NothingNow
) -> Sequence[KeptCheck]:
    """In the game, what this person tried on the sentence that is handed out; other tasks ask nothing."""
    if campaign.task != "write" or isinstance(handed, NothingNow):
        return ()
    return checks_of(connection, campaign, person.person_id, handed.item.item_id)


async def next_for(service: Service, campaign_id: str, person: Person, holding: Sequence[str] = ()) -> NextUp:
    """Hand out the next item."""
    now = service.clock()

    def job(connection: Connection) -> NextUp:
        campaign = campaign_for(connection, campaign_id, person)
        handed = hand_out(connection, campaign, person, now=now, holding=holding)
        standing = standing_of(connection, campaign, person.person_id, now)
        checks = checks_before(connection, campaign, person, handed)
        return NextUp(campaign=campaign, handed=handed, standing=standing, checks=checks)

    return await service.database.writing(job)


async def answer_and_next(
    service: Service, campaign_id: str, person: Person, given: GivenAnswer, holding: Sequence[str] | None
) -> tuple[Acknowledged, NextUp | None]:
    """Store an answer and, unless `holding` is None, hand out the next item in the same transaction."""
    now = service.clock()

    def job(connection: Connection) -> tuple[Acknowledged, NextUp | None]:
        campaign = campaign_to_answer(connection, campaign_id, person, given.item_id)
        stored = record_answer(connection, campaign, person, given, now=now)
        if holding is None or not may_work(connection, campaign, person):
            return stored, None
        handed = hand_out(connection, campaign, person, now=now, holding=holding)
        checks = checks_before(connection, campaign, person, handed)
        return stored, NextUp(campaign=campaign, handed=handed, standing=stored.standing, checks=checks)

    return await service.database.writing(job)


async def give_back(service: Service, campaign_id: str, person: Person, item_id: str) -> bool:
    """Give an item back unanswered."""

    def job(connection: Connection) -> bool:
        campaign = campaign_for(connection, campaign_id, person)
        return hand_back(connection, campaign, person, item_id)

    return await service.database.writing(job)


def standing_as_json(standing: Standing) -> dict[str, Any]:
    """What a person may know with every answer: nothing that tells a test question from work."""
    return {
        "state": standing.state,
        "reason": standing.reason,
        "answered": standing.answered,
        "earned": standing.earned / 1_000_000,
    }


def acknowledgement_as_json(stored: Acknowledged) -> dict[str, Any]:
    """What the one who answered is told."""
    feedback = stored.feedback
    return {
        "judgment_id": stored.judgment_id,
        "repeated": stored.repeated,
        "feedback": None if feedback is None else {"expected": feedback.expected, "explanation": feedback.explanation},
        "standing": standing_as_json(stored.standing),
    }
