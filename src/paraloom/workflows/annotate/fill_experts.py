"""A run's pairs and an identifier in, items for experts out: what the identifier accepts, clustered by transitivity."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from paraloom.engine.store import read_parts
from paraloom.errors import InputError
from paraloom.judgments.campaigns import campaign_of
from paraloom.judgments.expert_filling import ScoredPair, expert_items
from paraloom.judgments.expert_options import ExpertOptions
from paraloom.judgments.items import Added, NewItem, add_items
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.labels.label import label_pairs, load_identifier
from paraloom.labels.options import LabelOptions
from paraloom.models.identifiers import Identifier

COLUMNS = ("pair_id", "group_id", "left_id", "right_id", "left", "right", "dropped_for")


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a campaign was filled with."""

    scored: int
    """Pairs that the identifier judged."""
    accepted: int
    groups: int
    """That give items."""
    items: Added

    def as_text(self) -> str:
        """In words."""
        return (
            f"Of {self.scored:,} pairs the identifier accepts {self.accepted:,}; {self.groups:,} groups give "
            f"{self.items.added:,} new items ({self.items.there_already:,} were there already)."
        )


def fill_experts(
    database: Database,
    campaign_id: str,
    run: Path,
    *,
    labels: LabelOptions = LabelOptions(),
    options: ExpertOptions = ExpertOptions(),
) -> Filled:
    """Score a run's pairs and add what experts should see to a campaign (Dou et al., 2022, section 2.5)."""
    campaign = database.read(lambda connection: campaign_of(connection, campaign_id))
    if campaign.task != "pair":
        raise InputError(f"Experts judge pairs, but {campaign_id!r} is of the kind {campaign.task!r}.")
    identifier = load_identifier(labels)
    scored = 0
    accepted: list[ScoredPair] = []
    for pairs, count in _scored(run, identifier, labels):
        scored += count
        accepted += pairs
    items = [_told(item, identifier.signature) for item in expert_items(accepted, options, threshold=labels.threshold)]

    def job(connection: Connection) -> Added:
        return add_items(connection, campaign, items, now=now())

    return Filled(
        scored=scored,
        accepted=len(accepted),
        groups=len({item.group_id for item in items}),
        items=database.write(job),
    )


def _scored(run: Path, identifier: Identifier, labels: LabelOptions) -> Iterator[tuple[list[ScoredPair], int]]:
    """The accepted pairs of each part of the table, and how many the part has; of the others nothing is held."""
    for part in read_parts(run, "pairs", COLUMNS):
        kept = part.filter(part.column("dropped_for").is_null())
        scores = label_pairs(kept, identifier, labels).column("score").to_pylist()
        rows = (kept.column(name).to_pylist() for name in COLUMNS[1:6])
        yield (
            [
                ScoredPair(group_id=group, left_id=left_id, right_id=right_id, left=left, right=right, score=score)
                for group, left_id, right_id, left, right, score in zip(*rows, scores, strict=True)
                if score > labels.threshold
            ],
            len(kept),
        )


def _told(item: NewItem, signature: str) -> NewItem:
    """The same item, which tells which identifier let it through."""
    return NewItem(
        content=item.content,
        item_id=item.item_id,
        group_id=item.group_id,
        proposed_by=item.proposed_by,
        origin={**item.origin, "identifier": signature},
    )
