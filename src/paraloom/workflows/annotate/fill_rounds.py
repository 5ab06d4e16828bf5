"""A run's groups and sentences in, groups to be judged in rounds out (Dou et al., 2022, section 2.3)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection

from paraloom.engine.store import read_parts
from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.items import Added
from paraloom.judgments.rounds import NewGroup, add_groups
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.pairs.propose import ROUND_TO, first_pairs
from paraloom.pairs.rank import ranked
from paraloom.text.tokenise import words


def fill_rounds(database: Database, campaign_id: str, run: Path, *, kind: str = "trend") -> Added:
    """Rank the sentences of every group of this kind and add the pairs of the first round."""
    campaign = database.read(lambda connection: campaign_of(connection, campaign_id))
    if not campaign.settings.adaptive:
        raise InputError(
            f"{campaign_id!r} opens no second round. Say so first: "
            f"`paraloom annotate settings {campaign_id} --set adaptive=true`."
        )
    groups = list(groups_of_run(run, campaign, kind))
    if not groups:
        raise InputError(f"{run} has no group of the kind {kind!r} with two sentences or more.")

    def job(connection: Connection) -> Added:
        return add_groups(connection, campaign, groups, now=now())

    return database.write(job)


def groups_of_run(run: Path, campaign: Campaign, kind: str) -> Iterator[NewGroup]:
    """Groups with their ranked sentences, by id; sentences that no round can reach are left behind."""
    groups_of: dict[str, list[str]] = defaultdict(list)
    key_of: dict[str, str] = {}
    for part in read_parts(run, "groups", ("group_id", "document_id", "kind", "key", "dropped_for")):
        for row in part.to_pylist():
            if row["kind"] == kind and row["dropped_for"] is None:
                groups_of[row["document_id"]].append(row["group_id"])
                key_of[row["group_id"]] = row["key"]
    sentences: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for part in read_parts(run, "sentences", ("sentence_id", "document_id", "text", "dropped_for")):
        for row in part.to_pylist():
            for group_id in groups_of.get(row["document_id"], ()) if row["dropped_for"] is None else ():
                sentences[group_id].append((row["sentence_id"], row["text"]))
    for group_id in sorted(sentences):
        members = sorted(sentences[group_id])
        if len(members) < 2:
            continue
        order = ranked([name for name, _ in members], [words(text) for _, text in members])
        yield NewGroup(
            group_id=group_id,
            sentences=[members[place] for place in order[:ROUND_TO]],
            pairs=first_pairs(kind, len(members), random.Random(f"{campaign.settings.seed}:{group_id}")),
            topic=key_of[group_id],
        )
