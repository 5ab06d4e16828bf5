"""A person's votes and the others' in, kappa against the majority of the others out (Lan et al., 2017, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.metrics.agreement.levels import Level
from paraloom.metrics.agreement.majority import against_others
from paraloom.metrics.agreement.people import known
from paraloom.metrics.agreement.ratings import Ratings

MOST_COMPARED = 400
"""A person's latest votes that are compared: how somebody works now, at a cost that does not grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KappaFound:
    """How far one person goes with the others."""

    kappa: float | None
    """None where nothing can be compared, or both sides always gave the same one answer."""
    compared: int


def kappa_against_others(connection: Connection, campaign: Campaign, person_id: str) -> KappaFound:
    """Kappa of one person's latest votes against the majority of the others on the same units.

    Work that was set aside and restored is left out: somebody has looked at it, and it must not stop its author again.
    """
    own, others = schema.votes.alias("own"), schema.votes
    said, marks = schema.judgments.c, schema.marks.c
    restored = sa.exists().where(
        said.number == own.c.number, marks.judgment_id == said.judgment_id, marks.mark == "restored"
    )
    latest = (
        sa.select(own.c.unit)
        .where(own.c.campaign_id == campaign.campaign_id, own.c.person_id == person_id, own.c.counts, ~restored)
        .order_by(own.c.number.desc())
        .limit(MOST_COMPARED)
        .subquery()
    )
    rows = connection.execute(
        sa.select(others.c.unit, others.c.person_id, others.c.value)
        .join(latest, latest.c.unit == others.c.unit)
        .where(others.c.campaign_id == campaign.campaign_id, others.c.counts)
    ).all()
    found = _found(campaign, rows)
    return found.get(person_id, KappaFound(kappa=None, compared=0))


def kappas_now(connection: Connection, campaign: Campaign) -> dict[str, KappaFound]:
    """Kappa of everybody, of all votes that count at this moment: the figure that the dashboard shows."""
    votes = schema.votes.c
    rows = connection.execute(
        sa.select(votes.unit, votes.person_id, votes.value).where(
            votes.campaign_id == campaign.campaign_id, votes.counts
        )
    ).all()
    return _found(campaign, rows)


def _found(campaign: Campaign, rows: Sequence[Sequence[Any]]) -> dict[str, KappaFound]:
    if not rows:
        return {}
    units, people, values = zip(*rows, strict=True)
    level: Level = "nominal" if task_named(campaign.task).scale == "nominal" else "ordinal"
    ratings = Ratings.of(units, people, values, level=level)
    kappas = against_others(ratings).kappas
    return {
        person_id: KappaFound(kappa=known(kappas.kappa[place]), compared=int(kappas.shared[place]))
        for place, person_id in enumerate(ratings.annotators)
    }
