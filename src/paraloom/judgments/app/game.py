"""The game over HTTP: texts are judged by a model outside of any transaction, and every check is stored."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection

from paraloom.errors import InputError, NotAllowed
from paraloom.judgments.answers import GivenAnswer, check_handed
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.work import campaign_for, campaign_to_answer
from paraloom.judgments.board import SUBMITTED, check_id_of_answer
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.checks import KeptCheck, item_to_check, keep_check
from paraloom.judgments.game import Check, judge
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.people import Person
from paraloom.judgments.tasks.write import WriteContent, WriteTask, attempt


async def check_text(
    service: Service, campaign_id: str, person: Person, item_id: str, text: str, client_id: str | None
) -> dict[str, Any]:
    """Judge a text against its source, keep the check, and say what it would earn."""
    if client_id is not None and client_id.startswith(SUBMITTED):
        raise InputError(f"`client_id` begins with {SUBMITTED!r}, as those of submitted texts do. Draw another one.")
    campaign = await _game(service, campaign_id, person)
    item, left = await service.database.reading(lambda c: item_to_check(c, campaign, person, item_id))
    content = WriteTask().read_content(item.content)
    tried = attempt({"text": text}, content)
    check = await _judged_and_kept(
        service, campaign, person, item_id, content, tried, client_id or secrets.token_hex(16)
    )
    told = {"left": left - 1, "checks": campaign.settings.most_checks - left + 1}
    return {**asdict(check), **_money(campaign, check.reward), **told}


def checks_shown(campaign: Campaign, checks: Sequence[KeptCheck]) -> list[dict[str, Any]]:
    """Earlier checks as the page shows them: each text once, the newest first, with how many are left."""
    left = max(0, campaign.settings.most_checks - len(checks))
    newest = {check.text: check for check in reversed(checks)}
    return [
        {
            "text": check.text,
            "implication": check.implication,
            "similarity": check.similarity,
            "reward": check.reward,
            "passes": check.passes,
            "left": left,
            **_money(campaign, check.reward),
        }
        for check in newest.values()
    ]


def _money(campaign: Campaign, reward: float) -> dict[str, Any]:
    pays = campaign.settings.pay
    return {"pays": round(reward * pays, 6), "currency": campaign.settings.currency} if pays else {}


async def submit_text(service: Service, campaign_id: str, person: Person, given: GivenAnswer) -> GivenAnswer:
    """The answer with what its text is worth; other tasks' answers as they are."""
    if service.games.get(campaign_id) is False:
        return given
    campaign = await service.database.reading(lambda c: campaign_to_answer(c, campaign_id, person, given.item_id))
    service.games[campaign_id] = campaign.task == "write"
    if not service.games[campaign_id]:
        return given
    item = await service.database.reading(lambda c: _handed(c, campaign_id, person, given.item_id))
    content = WriteTask().read_content(item.content)
    answer = WriteTask().read_answer(given.answer, content)
    if answer.gave_up:
        return given
    client_id = check_id_of_answer(given.client_id)
    check = await _judged_and_kept(service, campaign, person, given.item_id, content, answer.text, client_id)
    return replace(given, reward=check.reward)


def _handed(connection: Connection, campaign_id: str, person: Person, item_id: str) -> Item:
    """The item, if it is this person's to answer: a model's time, and a row for good, is not for the asking."""
    item = item_of(connection, campaign_id, item_id)
    check_handed(connection, item, person)
    return item


async def _game(service: Service, campaign_id: str, person: Person) -> Campaign:
    campaign = await service.database.reading(lambda c: campaign_for(c, campaign_id, person))
    if campaign.task != "write":
        raise NotAllowed(f"The campaign {campaign_id!r} is no game: there is nothing to check.")
    return campaign


async def _judged_and_kept(
    service: Service,
    campaign: Campaign,
    person: Person,
    item_id: str,
    content: WriteContent,
    text: str,
    client_id: str,
) -> Check:
    load = service.lent.implication
    if load is None:
        raise NotAllowed("This service has no model that could judge a text. Start it with `paraloom annotate serve`.")

    def judged() -> tuple[Check, str]:
        model = load()
        return judge(model, content.source, text), model.signature

    check, signature = await asyncio.to_thread(judged)
    now = service.clock()
    await service.database.writing(
        lambda c: keep_check(
            c, campaign, person, item_id, text, check, judged_by=signature, client_id=client_id, now=now
        )
    )
    return check
