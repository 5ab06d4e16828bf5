"""Where one person stands in one campaign: what they did, how well, what they earned, and whether they may go on.

The rules are those of Dou et al. (2022, section 2.4): more than 85 % of the hidden test questions right, and a kappa of
more than .2 against the majority of the others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from math import comb

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_or_change

MILLIONTHS = 1_000_000
"""Money is counted in whole millionths, so that sums are exact."""

BAD_LUCK = 0.05
"""What happens less often than this by chance is no bad luck."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """One person in one campaign."""

    campaign_id: str
    person_id: str
    state: str
    """qualifying, working or stopped."""
    reason: str | None
    """Why stopped: tests, kappa, qualification, or what an admin wrote."""
    served: int
    """Items handed out; one that went back unanswered and comes again is counted again."""
    answered: int
    tests: int
    tests_right: int
    kappa: float | None
    compared: int
    """Votes that kappa was measured on."""
    earned: int
    """Millionths of the campaign's currency."""
    position: int
    """Of the item handed out last: the search for the next begins behind it."""
    started_at: datetime
    last_at: datetime

    @property
    def test_accuracy(self) -> float | None:
        """Share of test questions answered rightly at the first try."""
        return self.tests_right / self.tests if self.tests else None


_STANDING = sa.select(schema.standings).where(
    schema.standings.c.campaign_id == sa.bindparam("campaign_id"),
    schema.standings.c.person_id == sa.bindparam("person_id"),
)


def standing_of(connection: Connection, campaign: Campaign, person_id: str, now: datetime) -> Standing:
    """How things stand; whoever is new begins here, with the qualification if there is one."""
    row = connection.execute(_STANDING, {"campaign_id": campaign.campaign_id, "person_id": person_id}).one_or_none()
    if row is not None:
        found = Standing(**row._mapping)
        is_over = found.state == "qualifying" and not campaign.settings.qualification  # it was called off since
        return replace(found, state="working") if is_over else found
    return Standing(
        campaign_id=campaign.campaign_id,
        person_id=person_id,
        state="qualifying" if campaign.settings.qualification else "working",
        reason=None,
        served=0,
        answered=0,
        tests=0,
        tests_right=0,
        kappa=None,
        compared=0,
        earned=0,
        position=0,
        started_at=now,
        last_at=now,
    )


def keep_standing(connection: Connection, standing: Standing) -> None:
    """Store how things stand now."""
    values = {name: getattr(standing, name) for name in Standing.__dataclass_fields__}
    insert_or_change(connection, schema.standings, values)


def judged_by_rules(standing: Standing, settings: CampaignSettings) -> Standing:
    """The same standing, after the rules were applied to it: qualified, stopped, or as it was.

    A rule waits until there is enough to go by: one wrong answer of one says little.
    """
    if standing.state == "stopped":
        return standing
    accuracy = standing.test_accuracy
    if standing.state == "qualifying":
        if standing.tests < settings.qualification or accuracy is None:
            return standing
        passed = accuracy > settings.min_test_accuracy
        return replace(standing, state="working") if passed else _stopped(standing, "qualification")
    if standing.tests >= settings.min_tests and _fails_tests(standing, settings):
        return _stopped(standing, "tests")
    known = standing.kappa is not None and standing.compared >= settings.min_compared
    if known and standing.kappa is not None and standing.kappa <= settings.min_kappa:
        return _stopped(standing, "kappa")
    return standing


def _fails_tests(standing: Standing, settings: CampaignSettings) -> bool:
    accuracy = standing.test_accuracy
    if accuracy is None or accuracy > settings.min_test_accuracy:
        return False
    luck = chance_of_so_few(standing.tests_right, standing.tests, settings.min_test_accuracy)
    return luck < BAD_LUCK or not settings.doubtful_go_on


def chance_of_so_few(right: int, tests: int, accuracy: float) -> float:
    """How probable it is to get so few of the tests right, or fewer, for somebody of that accuracy.

    >>> round(chance_of_so_few(6, 8, 0.85), 3), round(chance_of_so_few(3, 8, 0.85), 3)
    (0.343, 0.003)
    """
    return sum(comb(tests, n) * accuracy**n * (1 - accuracy) ** (tests - n) for n in range(right + 1))


def _stopped(standing: Standing, reason: str) -> Standing:
    return replace(standing, state="stopped", reason=reason)


def money(amount: float) -> int:
    """An amount in millionths.

    >>> money(0.03)
    30000
    """
    return round(amount * MILLIONTHS)
