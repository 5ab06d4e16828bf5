"""`paraloom annotate create|open|pause|end|settings|instructions`: campaigns and their rules."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db
from paraloom.judgments.settings import CampaignSettings, Definition

_HINTS = (datetime, Definition)  # cyclopts looks for the names of inherited fields' types here

Kind = Literal["pair", "choose", "rate", "topic", "seed", "match", "extract", "grade", "write"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingFlags(CampaignSettings):
    """A campaign's settings as flags; one has another name, which `paraloom build` uses for a file."""

    topics: Annotated[tuple[str, ...], Parameter(name="--topic-names")] = ()
    """Categories to choose from; empty for the eight of Dou et al. (2022)."""

    def plain(self) -> CampaignSettings:
        """The settings themselves."""
        return CampaignSettings(**{field.name: getattr(self, field.name) for field in fields(CampaignSettings)})


def create(
    name: str,
    /,
    *,
    task: Kind,
    db: Db = DEFAULT_DB,
    title: str | None = None,
    instructions: Path | None = None,
    open: Annotated[bool, Parameter(negative="")] = False,
    settings: Annotated[SettingFlags, Parameter(name="*")] = SettingFlags(),
) -> None:
    """Make a campaign: one kind of task, one set of rules. It is a draft until it is opened.

    The kinds: pair (paraphrase or not), choose (one sentence against ten), rate (1 to 5), topic, seed, match (two
    documents), extract (passages of two documents), grade (the Turku scheme), write (the adversarial game).

    Example: `paraloom annotate create storms --task pair --judgments-per-item 5 --open`

    Parameters
    ----------
    name
        Small letters, digits and hyphens: it becomes part of addresses.
    task
        What people are asked to do.
    title
        What people see; the name unless said.
    instructions
        Markdown file; unless given, the instructions of the kind of task.
    open
        Open it at once.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, create=True) as database:
        from paraloom.workflows.annotate.campaigns import create as create_campaign

        made = create_campaign(
            database, name, task=task, title=title, settings=settings.plain(), instructions=instructions, opens=open
        )
    print(f"{made.campaign_id}: {made.title} ({made.task}, {made.state})")


def open_campaign(name: str, /, *, db: Db = DEFAULT_DB) -> None:
    """Open a campaign: its items are handed out from now on. One that ended can be opened again.

    Example: `paraloom annotate open storms`

    Parameters
    ----------
    name
        The campaign.
    """
    _become(name, "open", db)


def pause(name: str, /, *, db: Db = DEFAULT_DB) -> None:
    """Pause a campaign: nothing more is handed out; answers that are under way are still taken.

    Example: `paraloom annotate pause storms`

    Parameters
    ----------
    name
        The campaign.
    """
    _become(name, "paused", db)


def end(name: str, /, *, db: Db = DEFAULT_DB) -> None:
    """End a campaign. Everything that was said stays.

    Example: `paraloom annotate end storms`

    Parameters
    ----------
    name
        The campaign.
    """
    _become(name, "ended", db)


def _become(name: str, state: str, db: str) -> None:
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=name) as database:
        from paraloom.workflows.annotate.campaigns import has_items, set_state

        campaign = set_state(database, name, state)
        empty = state == "open" and not has_items(database, name)
    hint = f"; it has no items yet: `paraloom annotate import FILE --campaign {name}`" if empty else ""
    print(f"{campaign.campaign_id} is {campaign.state}{hint}")


def settings(name: str, /, *, set: tuple[str, ...] = (), db: Db = DEFAULT_DB) -> None:
    """Show a campaign's settings, or change some from now on.

    Example: `paraloom annotate settings storms --set pay=0.03 judgments-per-item=7`

    Parameters
    ----------
    name
        The campaign.
    set
        Settings to change, as in pay=0.03; a list is written with commas.
    """
    import json

    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=name) as database:
        from paraloom.workflows.annotate.campaigns import set_settings

        campaign = set_settings(database, name, set)
    print(json.dumps(campaign.settings.as_json(), indent=2, ensure_ascii=False))


def instructions(name: str, file: Path, /, *, change: str, db: Db = DEFAULT_DB) -> None:
    """Publish a new version of a campaign's instructions; every judgment names the version it was made under.

    Example: `paraloom annotate instructions storms guide.md --change "Numbers must agree."`

    Parameters
    ----------
    name
        The campaign.
    file
        Markdown.
    change
        What is new, as people are told.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, campaign=name) as database:
        from paraloom.workflows.annotate.campaigns import set_instructions

        version = set_instructions(database, name, file, change)
    print(f"{name} has version {version} of its instructions")
