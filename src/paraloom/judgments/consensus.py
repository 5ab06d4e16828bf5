"""Judgments and decisions in, one agreed answer an item out; and how far each person goes with it.

Kanerva et al. (2023, section 6.1) measure every annotator against what all of them agreed on in the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.conflicts import Judged, in_batches, judged_items, same_substance
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.metrics.agreement.cohen import Confusions, cohen_kappa
from paraloom.metrics.agreement.people import known
from paraloom.metrics.agreement.scale import Scale
from paraloom.metrics.identification.graded import collapse

AGREED = "agreed"
DECIDED = "decided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consensus:
    """The one answer that an item has in the end."""

    item_id: str
    answer: Mapping[str, Any]
    how: str
    """agreed: everybody says the same; decided: an expert did, and their latest decision holds."""
    judgment_ids: tuple[str, ...]
    """What it was made of."""
    decided_by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementWithConsensus:
    """How far one person, or all of them, go with the consensus."""

    person_id: str | None
    """None for all together."""
    compared: int
    """Votes on items whose consensus was made of two judgments or more."""
    accuracy: float | None
    kappa: float | None
    """None where nothing is compared, or only one answer was ever given."""
    merged_accuracy: float | None = None
    """Of graded labels: base and direction alone, without the flags i and s."""
    merged_kappa: float | None = None


def consensus(connection: Connection, campaign: Campaign) -> list[Consensus]:
    """For every complete item that people agree on, or that was decided, the one answer; in the items' order.

    Where people agree on the votes and differ in the rest (a rewrite, a note), the earliest answer stands for all.
    """
    return [
        found
        for judged in judged_items(connection, campaign.campaign_id)
        if (found := consensus_of(judged)) is not None
    ]


def consensus_of(judged: Judged) -> Consensus | None:
    """The one answer of an item; None where there is none (yet)."""
    if judged.decision is not None:
        decision = judged.decision
        return Consensus(
            item_id=judged.item_id,
            answer=decision.answer,
            how=DECIDED,
            judgment_ids=decision.judgment_ids,
            decided_by=decision.decided_by,
            reason=decision.reason,
        )
    if not judged.is_complete or not judged.said or judged.differs or not _comparable(judged):
        return None
    return Consensus(
        item_id=judged.item_id,
        answer=judged.said[0].answer,
        how=AGREED,
        judgment_ids=tuple(one.judgment_id for one in judged.said),
    )


def _comparable(judged: Judged) -> bool:
    """Answers without votes (extracted spans, written texts) agree only if they are the same."""
    first = judged.said[0]
    return bool(first.votes) or all(same_substance(first.answer, one.answer, aside=()) for one in judged.said)


def agreement_with_consensus(connection: Connection, campaign: Campaign) -> list[AgreementWithConsensus]:
    """Everybody against the consensus: first all together, then each person, the least accurate first."""
    compared = [
        judged
        for judged in judged_items(connection, campaign.campaign_id)
        if len(judged.said) > 1 and consensus_of(judged) is not None
    ]
    truth = _consensus_votes(connection, campaign, compared)
    rows = [
        (one.person_id, value, truth[judged.item_id][unit])
        for judged in compared
        for one in judged.said
        for unit, value in one.votes
        if unit in truth[judged.item_id]
    ]
    people = sorted({person for person, _, _ in rows})
    full = _measured(rows, people)
    graded = campaign.task == "grade"
    simpler = [(person, _merged(one), _merged(other)) for person, one, other in rows] if graded else rows
    merged = _measured(simpler, people)
    found = [
        AgreementWithConsensus(
            person_id=person,
            compared=compared_votes,
            accuracy=accuracy,
            kappa=kappa,
            merged_accuracy=merged[place][1] if graded else None,
            merged_kappa=merged[place][2] if graded else None,
        )
        for place, (person, (compared_votes, accuracy, kappa)) in enumerate(zip([None, *people], full, strict=True))
    ]
    return [found[0], *sorted(found[1:], key=lambda one: (one.accuracy or 0.0, one.person_id or ""))]


def _consensus_votes(
    connection: Connection, campaign: Campaign, compared: Iterable[Judged]
) -> dict[str, dict[str, str]]:
    """What the consensus votes on each unit of an item; a decision's votes are read from its answer."""
    task = task_named(campaign.task)
    found: dict[str, dict[str, str]] = {}
    decided: dict[str, Mapping[str, Any]] = {}
    for judged in compared:
        if judged.decision is None:
            found[judged.item_id] = dict(judged.said[0].votes)
        else:
            decided[judged.item_id] = judged.decision.answer
    items = schema.items.c
    for some in in_batches(decided):
        asked = sa.select(items.item_id, items.content).where(
            items.campaign_id == campaign.campaign_id, items.item_id.in_(some)
        )
        for row in connection.execute(asked):
            content = task.read_content(row.content)
            votes = task.votes(row.item_id, content, task.read_answer(decided[row.item_id], content))
            found[row.item_id] = {vote.unit: vote.value for vote in votes}
    return found


def _measured(rows: list[tuple[str, str, str]], people: list[str]) -> list[tuple[int, float | None, float | None]]:
    """Votes compared, accuracy and kappa: of all, then of each person."""
    scale = Scale.of([value for _, one, other in rows for value in (one, other)])
    places = {person: place for place, person in enumerate(people, start=1)}
    table = np.array([places[person] for person, _, _ in rows], dtype=np.int64)
    own = scale.codes([one for _, one, _ in rows])
    right = scale.codes([other for _, _, other in rows])
    tables = Confusions.of(
        scale,
        np.concatenate([np.zeros_like(table), table]),
        np.concatenate([own, own]),
        np.concatenate([right, right]),
        len(people) + 1,
    )
    found = cohen_kappa(tables)
    return [
        (int(shared), known(accuracy), known(kappa))
        for shared, accuracy, kappa in zip(found.shared, found.agreement, found.kappa, strict=True)
    ]


def _merged(label: str) -> str:
    """A graded label without the flags i and s, as section 6.1 of the paper compares them."""
    return collapse(label, "base-and-direction")
