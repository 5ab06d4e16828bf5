"""Groups of ranked sentences in, rounds of pairs out: more pairs where the first ones turned out to be paraphrases.

Dou et al. (2022, section 2.3): twenty pairs of a trend are judged first; with four or more paraphrases among them the
trend is worth twenty to fifty pairs more, with fewer it is closed. Which pairs come next, another stage says (see
`pairs.propose.next_pairs`, which the workflow passes in).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, ParaloomError
from paraloom.judgments.campaigns import Campaign, all_campaigns
from paraloom.judgments.conflicts import in_batches
from paraloom.judgments.items import Added, NewItem, add_items
from paraloom.judgments.store import schema
from paraloom.judgments.store.insert import insert_new
from paraloom.tables import make_id, pair_id_of

if TYPE_CHECKING:
    from paraloom.judgments.app.service import Service

RankPair = tuple[int, int]
NextPairs = Callable[[int, int, Sequence[RankPair], int], list[RankPair]]
"""Sentences of the group, paraphrases found, pairs judged and a seed in, pairs of ranks out; ranks count from 1."""

OPEN, GROWN, CLOSED = "open", "grown", "closed"
"""The first round is under way; more pairs were opened; the group was not worth more."""

EVERY = 5.0
"""Seconds between two looks at the campaigns."""
AT_ONCE = 20
"""Groups examined in one transaction: answers wait while it runs."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGroup:
    """A group to be judged in rounds."""

    group_id: str
    sentences: Sequence[tuple[str, str]]
    """Id and text, the best ranked first."""
    pairs: Sequence[RankPair]
    """The first round, by ranks that count from 1."""
    topic: str | None = None
    """What holds it together, shown with every pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What became of a group when its first round was over."""

    group_id: str
    paraphrases: int
    """Pairs that more than half of the votes call paraphrases."""
    opened: int
    """Pairs of the second round; 0 where the group was closed."""


def add_groups(connection: Connection, campaign: Campaign, groups: Iterable[NewGroup], *, now: datetime) -> Added:
    """Keep the groups' sentences and add the pairs of their first round; a group that is there already stays."""
    if campaign.task != "pair":
        raise InputError(f"Rounds are of pairs, but {campaign.campaign_id!r} is of the kind {campaign.task!r}.")
    added = tests = there_already = 0
    for group in groups:
        _check(group)
        sentences = [{"id": name, "text": text} for name, text in group.sentences]
        values = {
            "campaign_id": campaign.campaign_id,
            "group_id": group.group_id,
            "sentences": sentences,
            "topic": group.topic,
            "state": OPEN,
            "created_at": now,
        }
        if not insert_new(connection, schema.groups, values):
            there_already += len(group.pairs)
            continue
        items = [_item(group.group_id, sentences, group.topic, pair, 1) for pair in _never_twice(group.pairs, ())]
        found = add_items(connection, campaign, items, now=now)
        added, tests = added + found.added, tests + found.tests
        there_already += found.there_already
    return Added(added=added, tests=tests, there_already=there_already)


def open_due_rounds(
    connection: Connection, campaign: Campaign, next_pairs: NextPairs, *, now: datetime, most: int = AT_ONCE
) -> list[Examined]:
    """Examine groups whose first round is complete: open their second round, or close them.

    All of it is one transaction, and a group is examined once: whoever has it locked does it, the others pass it by.
    """
    rows = connection.execute(_due(campaign.campaign_id, most, lock=connection.dialect.name == "postgresql")).all()
    return [_examine(connection, campaign, row, next_pairs, now) for row in rows]


def has_due_rounds(connection: Connection, campaign_id: str) -> bool:
    """Whether a group waits to be examined."""
    return connection.execute(_due(campaign_id, 1, lock=False)).first() is not None


async def keep_opening_rounds(service: Service, *, every: float = EVERY) -> None:
    """Look again and again at the open campaigns that are adaptive. Ends when cancelled, or at once if nobody lends
    `next_pairs`."""
    if service.lent.next_pairs is None:
        return
    while True:
        try:
            await open_rounds_once(service)
        except ParaloomError as error:  # the database rests for a while; the next look finds what this one missed
            log.warning("Rounds were not opened: %s", error)
        await asyncio.sleep(every)


async def open_rounds_once(service: Service) -> list[Examined]:
    """Open whatever is due now."""
    next_pairs = service.lent.next_pairs
    if next_pairs is None:
        return []
    examined: list[Examined] = []
    for campaign in await service.database.reading(_adaptive):
        examined += await _open_rounds_of(service, campaign, next_pairs)
    return examined


async def _open_rounds_of(service: Service, campaign: Campaign, next_pairs: NextPairs) -> list[Examined]:
    def is_due(connection: Connection) -> bool:
        return has_due_rounds(connection, campaign.campaign_id)

    def open_some(connection: Connection) -> list[Examined]:
        return open_due_rounds(connection, campaign, next_pairs, now=service.clock())

    examined: list[Examined] = []
    while await service.database.reading(is_due):
        found = await service.database.writing(open_some)
        if not found:
            break  # another server has them
        examined += found
    return examined


def _adaptive(connection: Connection) -> list[Campaign]:
    return [one for one in all_campaigns(connection) if one.settings.adaptive and one.state == "open"]


def _check(group: NewGroup) -> None:
    ids = {name for name, _ in group.sentences}
    if len(ids) < len(group.sentences):
        raise InputError(f"The group {group.group_id} holds a sentence twice. Leave one of the two out.")
    for pair in group.pairs:
        _check_ranks(pair, len(group.sentences), group.group_id)


def _check_ranks(pair: RankPair, count: int, group_id: str) -> None:
    if pair[0] == pair[1] or not all(1 <= rank <= count for rank in pair):
        raise InputError(f"The group {group_id} has {count} sentences, and {pair} are not two of their ranks.")


def _due(campaign_id: str, most: int, *, lock: bool) -> sa.Select[Any]:
    groups, items = schema.groups.c, schema.items.c
    first_round = (
        sa.select(sa.literal(1))
        .where(
            items.campaign_id == groups.campaign_id,
            items.group_id == groups.group_id,
            items.round == 1,
            items.is_test.is_(False),
            items.is_closed.is_(False),
        )
        .correlate(schema.groups)
    )
    asked = (
        sa.select(schema.groups)
        .where(
            groups.campaign_id == campaign_id,
            groups.state == OPEN,
            first_round.exists(),
            ~first_round.where(items.judged < items.wanted).exists(),
        )
        .order_by(groups.group_id)
        .limit(most)
    )
    return asked.with_for_update(of=schema.groups, skip_locked=True) if lock else asked


def _examine(
    connection: Connection, campaign: Campaign, row: sa.Row[Any], next_pairs: NextPairs, now: datetime
) -> Examined:
    items = schema.items.c
    there = connection.execute(
        sa.select(items.item_id, items.round, items.origin).where(
            items.campaign_id == campaign.campaign_id,
            items.group_id == row.group_id,
            items.is_test.is_(False),
        )
    ).all()
    before = sorted((one.origin["left_rank"], one.origin["right_rank"]) for one in there if "left_rank" in one.origin)
    paraphrases = _paraphrases(connection, campaign.campaign_id, [one.item_id for one in there if one.round == 1])
    seed = int(make_id("round", campaign.settings.seed, row.group_id)[:12], 16)
    pairs = _never_twice(next_pairs(len(row.sentences), paraphrases, before, seed), before)
    new = [_item(row.group_id, row.sentences, row.topic, pair, 2) for pair in pairs]
    added = add_items(connection, campaign, new, now=now).added
    connection.execute(
        schema.groups.update()
        .filter_by(campaign_id=campaign.campaign_id, group_id=row.group_id)
        .values(state=GROWN if added else CLOSED, paraphrases=paraphrases, examined_at=now)
    )
    return Examined(group_id=row.group_id, paraphrases=paraphrases, opened=added)


def _paraphrases(connection: Connection, campaign_id: str, item_ids: Sequence[str]) -> int:
    """Pairs that more than half of the votes that count call paraphrases."""
    votes = schema.votes.c
    yes = sa.func.sum(sa.case((votes.value == "1", 1), else_=0))
    found = 0
    for some in in_batches(item_ids):
        rows = connection.execute(
            sa.select(votes.unit)
            .where(votes.campaign_id == campaign_id, votes.unit.in_(some), votes.counts)
            .group_by(votes.unit)
            .having(2 * yes > sa.func.count())
        )
        found += len(rows.all())
    return found


def _never_twice(pairs: Iterable[RankPair], before: Iterable[RankPair]) -> list[RankPair]:
    """Pairs that are new whichever way round, each once.

    >>> _never_twice([(1, 6), (6, 1), (2, 1)], before=[(1, 2)])
    [(1, 6)]
    """
    seen = {frozenset(pair) for pair in before}
    fresh = []
    for pair in pairs:
        if frozenset(pair) not in seen:
            seen.add(frozenset(pair))
            fresh.append(pair)
    return fresh


def _item(
    group_id: str, sentences: Sequence[dict[str, str]], topic: str | None, pair: RankPair, number: int
) -> NewItem:
    _check_ranks(pair, len(sentences), group_id)
    left, right = (sentences[rank - 1] for rank in pair)
    return NewItem(
        content={"left": left["text"], "right": right["text"], "topic": topic},
        item_id=pair_id_of(left["id"], right["id"]),
        group_id=group_id,
        round=number,
        proposed_by="rounds",
        origin={
            "left_id": left["id"],
            "right_id": right["id"],
            "left_rank": pair[0],
            "right_rank": pair[1],
            "sentences": len(sentences),
        },
    )
