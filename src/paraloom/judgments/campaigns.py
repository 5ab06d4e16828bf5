"""A kind of task, settings and instructions in, a campaign out; and what may happen to it until it ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import note_action
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.reading import checked_text
from paraloom.judgments.tasks.task import Shown

STATES = {"draft": ("open",), "open": ("paused", "ended"), "paused": ("open", "ended"), "ended": ("open",)}
"""What a campaign can become next."""

MOST_INSTRUCTIONS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """One round of work: one kind of task, one set of items, one set of rules."""

    campaign_id: str
    task: str
    title: str
    state: str
    settings: CampaignSettings
    version: int
    """Of the instructions that hold now."""
    created_at: datetime
    ended_at: datetime | None

    def shown(self) -> Shown:
        """What its templates are told."""
        return Shown(
            definition=self.settings.definition,
            context=self.settings.show_context,
            suggestions=self.settings.show_suggestions,
            topics=self.settings.topics,
        )

    def why_closed(self, now: datetime) -> str | None:
        """Why nothing is handed out now, or None."""
        if self.state != "open":
            return {"draft": "not_open", "paused": "paused", "ended": "ended"}[self.state]
        if self.settings.ends_at is not None and now >= self.settings.ends_at:
            return "ended"
        return None


def create_campaign(
    connection: Connection,
    *,
    task: str,
    title: str,
    now: datetime,
    by: str,
    campaign_id: str | None = None,
    settings: CampaignSettings = CampaignSettings(),
    instructions: str | None = None,
) -> Campaign:
    """A new campaign, a draft; without instructions it begins with those of its kind of task."""
    kind = task_named(task)
    checked_text(title, "title", most=300)
    name = slug(title) if campaign_id is None else campaign_id
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,62}", name):
        raise InputError(f"{name!r} cannot name a campaign: use small letters, digits and hyphens, at most 63.")
    if connection.scalar(sa.select(schema.campaigns.c.campaign_id).filter_by(campaign_id=name)):
        raise Clash(f"There is a campaign {name!r} already. Give another name.")
    campaign = Campaign(
        campaign_id=name,
        task=task,
        title=title,
        state="draft",
        settings=settings,
        version=1,
        created_at=now,
        ended_at=None,
    )
    connection.execute(
        schema.campaigns.insert().values(
            campaign_id=name,
            task=task,
            title=title,
            state="draft",
            settings=settings.as_json(),
            version=1,
            created_at=now,
        )
    )
    text = kind.instructions(campaign.shown()) if instructions is None else instructions
    _add_instructions(connection, name, 1, text, "First version.", now, by)
    note_action(connection, who=by, what="campaign created", about=name, now=now, detail={"task": task, "title": title})
    return campaign


def slug(title: str) -> str:
    """A title as a name for addresses.

    >>> slug("Storms & floods, round 2"), slug("转述")
    ('storms-floods-round-2', 'campaign')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:63].strip("-") or "campaign"


_CAMPAIGN = sa.select(schema.campaigns).where(schema.campaigns.c.campaign_id == sa.bindparam("campaign_id"))


def campaign_of(connection: Connection, campaign_id: str) -> Campaign:
    """The campaign of that name."""
    row = connection.execute(_CAMPAIGN, {"campaign_id": campaign_id}).one_or_none()
    if row is None:
        raise NotFound(f"There is no campaign {campaign_id!r}.")
    return _campaign(row)


def all_campaigns(connection: Connection) -> list[Campaign]:
    """Every campaign, the newest first."""
    order = (schema.campaigns.c.created_at.desc(), schema.campaigns.c.campaign_id)
    return [_campaign(row) for row in connection.execute(sa.select(schema.campaigns).order_by(*order))]


def _campaign(row: sa.Row[tuple[object, ...]]) -> Campaign:
    values = dict(row._mapping)
    return Campaign(**{**values, "settings": CampaignSettings.of_json(values["settings"])})


def change_state(connection: Connection, campaign_id: str, state: str, *, now: datetime, by: str) -> None:
    """Open, pause, end or open again."""
    before = campaign_of(connection, campaign_id).state
    if state not in STATES:
        raise InputError(f"{state!r} is no state of a campaign. There are: {', '.join(STATES)}.")
    if state == before:
        return
    if state not in STATES[before]:
        raise NotAllowed(f"A campaign that is {before} can become {' or '.join(STATES[before])}, not {state}.")
    changed = {"state": state, "ended_at": now if state == "ended" else None}
    connection.execute(schema.campaigns.update().filter_by(campaign_id=campaign_id).values(**changed))
    note_action(connection, who=by, what=f"campaign {state}", about=campaign_id, now=now)


def change_settings(
    connection: Connection, campaign_id: str, settings: CampaignSettings, *, now: datetime, by: str
) -> None:
    """Other settings from now on; every item wants as many judgments as these say, one that was complete too."""
    before = campaign_of(connection, campaign_id).settings
    connection.execute(schema.campaigns.update().filter_by(campaign_id=campaign_id).values(settings=settings.as_json()))
    if settings.judgments_per_item != before.judgments_per_item:
        connection.execute(
            schema.items.update()
            .filter_by(campaign_id=campaign_id, is_test=False)
            .values(wanted=settings.judgments_per_item)
        )
    old, new = before.as_json(), settings.as_json()
    changed = {name: [old[name], new[name]] for name in new if old[name] != new[name]}
    note_action(connection, who=by, what="settings changed", about=campaign_id, now=now, detail=changed)


def publish_instructions(
    connection: Connection, campaign_id: str, text: str, change: str, *, now: datetime, by: str
) -> int:
    """A new version of the instructions; judgments from now on are made under it."""
    version = campaign_of(connection, campaign_id).version + 1
    _add_instructions(connection, campaign_id, version, text, change, now, by)
    connection.execute(schema.campaigns.update().filter_by(campaign_id=campaign_id).values(version=version))
    note_action(
        connection, who=by, what="instructions published", about=campaign_id, now=now, detail={"version": version}
    )
    return version


def _add_instructions(
    connection: Connection, campaign_id: str, version: int, text: str, change: str, now: datetime, by: str
) -> None:
    connection.execute(
        schema.instructions.insert().values(
            campaign_id=campaign_id,
            version=version,
            text=checked_text(text, "instructions", most=MOST_INSTRUCTIONS),
            change=checked_text(change, "change", most=2000, empty=True),
            created_by=by,
            created_at=now,
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Instructions:
    """One version of a campaign's instructions."""

    version: int
    text: str
    change: str
    created_at: datetime


def instructions_of(connection: Connection, campaign_id: str) -> list[Instructions]:
    """Every version, the newest first."""
    table = schema.instructions
    rows = connection.execute(
        sa.select(table.c.version, table.c.text, table.c.change, table.c.created_at)
        .filter_by(campaign_id=campaign_id)
        .order_by(table.c.version.desc())
    )
    return [Instructions(**row._mapping) for row in rows]
