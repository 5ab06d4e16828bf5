"""Names and settings in, campaigns out: made, opened, paused, ended, changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from paraloom.engine.given import read_text
from paraloom.errors import InputError
from paraloom.judgments.campaigns import (
    Campaign,
    campaign_of,
    change_settings,
    change_state,
    create_campaign,
    publish_instructions,
)
from paraloom.judgments.people import SERVICE
from paraloom.judgments.progress import progress_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database


def create(
    database: Database,
    name: str,
    *,
    task: str,
    title: str | None,
    settings: CampaignSettings,
    instructions: Path | None,
    opens: bool,
) -> Campaign:
    """A new campaign, a draft unless it opens at once."""
    text = None if instructions is None else read_text(instructions)
    moment = now()

    def job(connection: Any) -> Campaign:
        made = create_campaign(
            connection,
            task=task,
            title=title or name,
            campaign_id=name,
            settings=settings,
            instructions=text,
            now=moment,
            by=SERVICE,
        )
        if opens:
            change_state(connection, made.campaign_id, "open", now=moment, by=SERVICE)
        return campaign_of(connection, made.campaign_id)

    return database.write(job)


def set_state(database: Database, name: str, state: str) -> Campaign:
    """Open, pause or end a campaign."""

    def job(connection: Any) -> Campaign:
        change_state(connection, name, state, now=now(), by=SERVICE)
        return campaign_of(connection, name)

    return database.write(job)


def has_items(database: Database, name: str) -> bool:
    """Whether a campaign has anything to hand out."""
    return database.read(lambda connection: progress_of(connection, name)).items > 0


def set_settings(database: Database, name: str, changes: Sequence[str]) -> Campaign:
    """Change settings, each given as key=value."""
    values = dict(_setting(change) for change in changes)

    def job(connection: Any) -> Campaign:
        before = campaign_of(connection, name).settings
        change_settings(connection, name, before.changed(values), now=now(), by=SERVICE)
        return campaign_of(connection, name)

    return database.write(job) if values else database.read(lambda connection: campaign_of(connection, name))


def _setting(change: str) -> tuple[str, Any]:
    """One change: the value is JSON, or else a word; a list may be written with commas.

    >>> _setting("pay=0.03"), _setting("judgments-per-item=5"), _setting("currency=EUR"), _setting("cap=none")
    (('pay', 0.03), ('judgments_per_item', 5), ('currency', 'EUR'), ('cap', None))
    """
    name, equals, word = change.partition("=")
    if not equals or not name.strip():
        raise InputError(f"{change!r} is no setting. Write it as pay=0.03.")
    key = name.strip().replace("-", "_")
    known = {field.name: getattr(CampaignSettings(), field.name) for field in fields(CampaignSettings)}
    if isinstance(known.get(key), tuple) and not word.lstrip().startswith("["):
        return key, [part.strip() for part in word.split(",") if part.strip()]
    if isinstance(known.get(key), str) or key == "ends_at":
        return key, None if word.lower() in ("none", "null") else word
    try:
        return key, json.loads({"none": "null", "yes": "true", "no": "false"}.get(word.lower(), word.lower()))
    except ValueError:
        return key, word


def set_instructions(database: Database, name: str, file: Path, change: str) -> int:
    """Publish another version of the instructions; its number."""
    text = read_text(file)
    return database.write(
        lambda connection: publish_instructions(connection, name, text, change, now=now(), by=SERVICE)
    )
