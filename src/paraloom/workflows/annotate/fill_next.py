"""A campaign that has answers in, the campaign that follows from it filled: seeds, matches, extractions, rewrites."""

from __future__ import annotations

from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.following import fill_from_extractions, fill_from_matches, fill_from_seeds
from paraloom.judgments.items import Added
from paraloom.judgments.people import SERVICE
from paraloom.judgments.rewrites import make_rewrite_check
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.text.counted import counted

FILLS = {"seed": fill_from_seeds, "match": fill_from_matches}


def told(added: Added, source: str) -> str:
    """What a campaign was filled with, in words."""
    if not added.added and not added.there_already:
        return (
            f"{source} gives nothing yet. Seeds and matches are taken of items that have all their judgments and on "
            "which more than half agree; extracted pairs as they come."
        )
    items, were = counted(added.added, "new item", "new items"), counted(added.there_already, "was", "were")
    return f"{items} ({were} there already)"


def fill_next(database: Database, source: str, campaign_id: str, *, by_same_people: bool = False) -> Added:
    """Fill a campaign with what another one found; done again later, only what is new is added."""

    def job(connection: Connection) -> Added:
        before, after = campaign_of(connection, source), campaign_of(connection, campaign_id)
        if before.task == "extract":
            return fill_from_extractions(connection, before, after, now=now(), by_same_people=by_same_people)
        if before.task not in FILLS:
            raise InputError(f"{source!r} is of the kind {before.task!r}; seed, match and extract lead on to others.")
        return FILLS[before.task](connection, before, after, now=now())

    return database.write(job)


def check_rewrites(database: Database, source: str, campaign_id: str, *, sample: int, seed: int) -> Campaign:
    """A new campaign that checks another one's rewrites blind (Kanerva et al., 2023, section 6.1.1)."""

    def job(connection: Connection) -> Campaign:
        before = campaign_of(connection, source)
        return make_rewrite_check(connection, before, campaign_id, sample=sample, seed=seed, now=now(), by=SERVICE)

    return database.write(job)
