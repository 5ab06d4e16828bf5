"""Rewrites of a graded campaign in, a blind check of them out: are they the plain 4 that they were meant to be?

Kanerva et al. (2023, section 6.1.1) mixed 500 rewrites half and half with ordinary pairs, hid the documents, which
might have given a rewrite away, and gave each to people who had not judged it before: 78% of the rewrites got a 4.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from math import sqrt
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign, campaign_of, create_campaign, instructions_of
from paraloom.judgments.conflicts import in_batches, judged_items
from paraloom.judgments.consensus import consensus, consensus_of
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.judgments.tasks.grade import SKIPPED, UNIVERSAL, GradeTask, rewritten
from paraloom.tables import make_id

REWRITE, ORDINARY = "rewrite", "ordinary"
Z = 1.959963984540054
"""Of a 95% interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """So many of so many, with Wilson's interval (1927) of 95%."""

    count: int
    of: int
    share: float | None
    low: float | None
    high: float | None

    @classmethod
    def of_counts(cls, count: int, of: int) -> Share:
        """The share and its interval; None where there is nothing to share.

        >>> found = Share.of_counts(390, 500)
        >>> round(found.share, 3), round(found.low, 3), round(found.high, 3)
        (0.78, 0.742, 0.814)
        """
        if not of:
            return cls(count=0, of=0, share=None, low=None, high=None)
        share = count / of
        middle = (share + Z * Z / (2 * of)) / (1 + Z * Z / of)
        half = Z / (1 + Z * Z / of) * sqrt(share * (1 - share) / of + Z * Z / (4 * of * of))
        return cls(count=count, of=of, share=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteCheck:
    """What a blind check found."""

    rewrites: Share
    """Rewrites that got a plain 4."""
    ordinary: Share
    """Ordinary pairs that got a plain 4, for comparison."""
    same_as_before: Share
    """Ordinary pairs that got the label they had: how far the labels themselves can be trusted."""
    undecided: int
    """Pairs that are not complete yet, or wait for a decision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    item_id: str
    left: str
    right: str
    label: str
    """What the pair was labelled with in the campaign it comes from."""
    judgment_id: str | None
    """Whose rewrite it is; None for one that an expert decided on, and for a pair that nobody rewrote."""


def make_rewrite_check(
    connection: Connection,
    campaign: Campaign,
    new_campaign_id: str,
    *,
    sample: int = 500,
    seed: int = 1,
    judgments_per_item: int = 2,
    title: str | None = None,
    now: datetime,
    by: str,
) -> Campaign:
    """A new campaign, a draft: rewrites and as many ordinary pairs, shuffled, without their documents.

    Nobody gets a pair that they have judged, rewritten or decided before. At most `sample` rewrites are drawn, fewer if
    there are not so many rewrites or ordinary pairs; no pair is there both as it was and rewritten.
    """
    if campaign.task != "grade":
        raise InputError(f"Rewrites come from campaigns of the kind 'grade'; {campaign.campaign_id!r} is none.")
    if sample < 1:
        raise InputError(f"`sample` is {sample}, but must be at least 1.")
    rewrites, ordinary = _candidates(connection, campaign)
    if not rewrites:
        raise InputError(f"Nothing was rewritten in {campaign.campaign_id!r} yet, so there is nothing to check.")
    drawn = _half_and_half(rewrites, ordinary, sample, random.Random(seed))
    if not drawn:
        raise InputError(
            f"{campaign.campaign_id!r} has no pair that people agree on and nobody rewrote, to mix the rewrites with."
        )
    created = create_campaign(
        connection,
        task="grade",
        title=title or f"{campaign.title}: second look",
        campaign_id=new_campaign_id,
        settings=_settings(campaign.settings, judgments_per_item, seed),
        instructions=instructions_of(connection, campaign.campaign_id)[0].text,
        now=now,
        by=by,
    )
    _copy_members(connection, campaign.campaign_id, created.campaign_id, now)
    knowing = _who_knows(connection, campaign.campaign_id, [one.item_id for _, one in drawn])
    add_items(
        connection,
        created,
        [_item(campaign.campaign_id, kind, one, knowing.get(one.item_id, ())) for kind, one in drawn],
        now=now,
    )
    return campaign_of(connection, created.campaign_id)


def is_rewrite_check(connection: Connection, campaign: Campaign) -> bool:
    """Whether a campaign was made to check rewrites."""
    items = schema.items.c
    asked = sa.select(items.item_id).where(
        items.campaign_id == campaign.campaign_id,
        sa.type_coerce(items.origin, sa.Text).contains(f'"kind":"{REWRITE}"'),
    )
    return campaign.task == "grade" and connection.execute(asked.limit(1)).first() is not None


def rewrite_check_of(connection: Connection, check: Campaign) -> RewriteCheck:
    """What the check found so far, after its conflicts were resolved."""
    items = schema.items.c
    rows = connection.execute(
        sa.select(items.item_id, items.origin).where(items.campaign_id == check.campaign_id, items.is_test.is_(False))
    )
    origins = {row.item_id: row.origin for row in rows if row.origin.get("kind") in (REWRITE, ORDINARY)}
    if not origins:
        raise InputError(f"{check.campaign_id!r} is no check of rewrites. Make one with `make_rewrite_check`.")
    labels = {one.item_id: str(one.answer["label"]) for one in consensus(connection, check) if one.item_id in origins}

    def share(kind: str, is_it: Mapping[str, bool]) -> Share:
        of_kind = [item_id for item_id in is_it if origins[item_id]["kind"] == kind]
        return Share.of_counts(sum(is_it[item_id] for item_id in of_kind), len(of_kind))

    universal = {item_id: label == UNIVERSAL for item_id, label in labels.items()}
    same = {item_id: label == origins[item_id]["label"] for item_id, label in labels.items()}
    return RewriteCheck(
        rewrites=share(REWRITE, universal),
        ordinary=share(ORDINARY, universal),
        same_as_before=share(ORDINARY, same),
        undecided=len(origins) - len(labels),
    )


def _candidates(connection: Connection, campaign: Campaign) -> tuple[list[_Candidate], list[_Candidate]]:
    """Pairs that were rewritten, each with its earliest rewrite; and pairs with a label that nobody rewrote."""
    task = GradeTask()
    rewrites: list[_Candidate] = []
    ordinary: list[_Candidate] = []
    for some in in_batches(judged_items(connection, campaign.campaign_id), 100):
        items = schema.items.c
        contents = connection.execute(
            sa.select(items.item_id, items.content).where(
                items.campaign_id == campaign.campaign_id, items.item_id.in_([one.item_id for one in some])
            )
        )
        content_of = {row.item_id: task.read_content(row.content) for row in contents}
        for judged in some:
            content = content_of[judged.item_id]
            answers: list[tuple[str | None, Mapping[str, Any]]] = [(one.judgment_id, one.answer) for one in judged.said]
            if judged.decision is not None:
                answers.append((None, judged.decision.answer))
            found = [
                _Candidate(
                    item_id=judged.item_id, left=pair[0], right=pair[1], label=str(answer["label"]), judgment_id=given
                )
                for given, answer in answers
                if (pair := rewritten(content, task.read_answer(answer, content))) is not None
            ]
            agreed = consensus_of(judged)
            if found:
                rewrites.append(found[0])
            elif agreed is not None and agreed.answer["label"] != SKIPPED:
                ordinary.append(
                    _Candidate(
                        item_id=judged.item_id,
                        left=content.left,
                        right=content.right,
                        label=str(agreed.answer["label"]),
                        judgment_id=None,
                    )
                )
    return rewrites, ordinary


def _half_and_half(
    rewrites: Sequence[_Candidate], ordinary: Sequence[_Candidate], sample: int, rng: random.Random
) -> list[tuple[str, _Candidate]]:
    each = min(sample, len(rewrites), len(ordinary))
    drawn = [(REWRITE, one) for one in rng.sample(rewrites, each)]
    drawn += [(ORDINARY, one) for one in rng.sample(ordinary, each)]
    rng.shuffle(drawn)
    return drawn


def _settings(before: CampaignSettings, judgments_per_item: int, seed: int) -> CampaignSettings:
    return replace(
        before,
        judgments_per_item=judgments_per_item,
        adjudicate=True,
        show_context=False,
        tests_every=0,
        qualification=0,
        budget=None,
        ends_at=None,
        seed=seed,
    )


def _copy_members(connection: Connection, before: str, after: str, now: datetime) -> None:
    for person_id in connection.scalars(sa.select(schema.members.c.person_id).filter_by(campaign_id=before)).all():
        insert_new(connection, schema.members, {"campaign_id": after, "person_id": person_id, "added_at": now})


def _who_knows(connection: Connection, campaign_id: str, item_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Who judged or decided each item, whether that still counts or not."""
    found: dict[str, set[str]] = {}
    for some in in_batches(item_ids):
        for table, person in ((schema.judgments, "person_id"), (schema.decisions, "decided_by")):
            rows = connection.execute(
                sa.select(table.c.item_id, table.c[person])
                .where(table.c.campaign_id == campaign_id, table.c.item_id.in_(some))
                .distinct()
            )
            for item_id, person_id in rows:
                found.setdefault(item_id, set()).add(person_id)
    return {item_id: tuple(sorted(people)) for item_id, people in found.items()}


def _item(campaign_id: str, kind: str, one: _Candidate, knowing: Sequence[str]) -> NewItem:
    origin: dict[str, Any] = {
        "kind": kind,
        "campaign_id": campaign_id,
        "item_id": one.item_id,
        "label": one.label,
        "judgment_id": one.judgment_id,
    }
    return NewItem(
        content={"left": one.left, "right": one.right},
        item_id=make_id("second look", campaign_id, one.item_id),  # tells nothing of which kind it is
        not_for=tuple(knowing),
        origin=origin,
    )
