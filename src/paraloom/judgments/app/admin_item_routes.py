"""An admin's pages about items and test questions of one campaign."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Form, Query, Response
from markupsafe import Markup
from sqlalchemy import Connection

from paraloom.errors import Clash, InputError
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.changing import change_in_campaign
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Admin, InService, Visitor
from paraloom.judgments.app.watching import Measuring, figures_for
from paraloom.judgments.app.words import answer_words, content_words, vote_words
from paraloom.judgments.browse import STATES, Search, find_items, item_story
from paraloom.judgments.campaigns import Campaign, campaign_of
from paraloom.judgments.figures.questions import QuestionFigures, question_figures
from paraloom.judgments.items import Item
from paraloom.judgments.people import everybody
from paraloom.judgments.questions import add_question, can_become_question, change_question, retire_question
from paraloom.judgments.tasks import task_named

router = APIRouter(prefix="/admin/campaigns/{campaign_id}")

ItemId = Annotated[str, Form(max_length=64)]
Json = Annotated[str, Form(max_length=900_000)]
Explanation = Annotated[str, Form(max_length=5000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What somebody typed into a form about a test question that was refused, and why: it is shown again."""

    error: str
    expected: str
    explanation: str
    content: str = ""


@router.get("/items")
async def items_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    measuring: Measuring,
    words: Annotated[str, Query(max_length=300)] = "",
    state: Annotated[str, Query(max_length=30)] = "all",
    label: Annotated[str, Query(max_length=200)] = "",
    page: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Items, looked for by their words, state and answers."""
    figures = await figures_for(service, measuring, campaign_id)
    search = Search(words=words, state=state, label=label, page=page)
    found = await service.database.reading(lambda connection: find_items(connection, campaign_id, search))
    return show(
        service,
        asking,
        "admin/items.html",
        campaign=figures.campaign,
        search=search,
        found=found,
        states=list(STATES),
        labels=[one.value for one in figures.measured.labels],
        vote_words=vote_words,
        content_words=content_words,
    )


@router.get("/item")
async def item_page(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    item_id: Annotated[str, Query(alias="id", max_length=64)],
    done: str = "",
) -> Response:
    """One item as people see it, and all that was said about it."""
    return await _item(service, asking, campaign_id, item_id, done=done)


async def _item(
    service: Service, asking: Visitor, campaign_id: str, item_id: str, *, done: str = "", typed: Typed | None = None
) -> Response:
    def job(connection: Connection) -> tuple[Campaign, Any, bool, dict[str, str]]:
        story = item_story(connection, campaign_id, item_id)
        names = {person.person_id: person.shown_name for person in everybody(connection)}
        return campaign_of(connection, campaign_id), story, can_become_question(connection, story.item), names

    campaign, story, can_be_test, names = await service.database.reading(job)
    item: Item = story.item
    return show(
        service,
        asking,
        "admin/item.html",
        status=200 if typed is None else 422,
        done=done,
        error="" if typed is None else typed.error,
        campaign=campaign,
        story=story,
        item=item,
        can_be_test=can_be_test,
        names=names,
        as_shown=Markup(_as_shown(service, campaign, item)),
        expected=_pretty(item.expected) if typed is None else typed.expected,
        explanation=(item.explanation or "") if typed is None else typed.explanation,
        answer_words=answer_words,
        origin=_pretty(item.origin) if item.origin else "",
    )


def _as_shown(service: Service, campaign: Campaign, item: Item) -> str:
    """The item as whoever judges it sees it; nothing in it can be pressed."""
    task = task_named(campaign.task)
    return service.pages.render(
        f"tasks/{task.name}.html",
        campaign=campaign,
        content=task.read_content(item.content),
        shown=campaign.shown(),
        given=item.expected,
        keys=task.keys,
    )


@router.get("/tests")
async def questions_page(campaign_id: CampaignName, asking: Admin, service: InService, done: str = "") -> Response:
    """The test questions, those answered wrongly most often first, and a form for a new one."""
    return await _questions(service, asking, campaign_id, done=done)


async def _questions(
    service: Service, asking: Visitor, campaign_id: str, *, done: str = "", typed: Typed | None = None
) -> Response:
    def job(connection: Connection) -> tuple[Campaign, list[QuestionFigures], str]:
        campaign = campaign_of(connection, campaign_id)
        found = find_items(connection, campaign_id, Search()).items
        example = _pretty(found[0].item.content) if found else "{\n}"
        return campaign, question_figures(connection, campaign_id), example

    campaign, questions, example = await service.database.reading(job)
    right = _pretty(questions[0].expected) if questions else "{\n}"
    return show(
        service,
        asking,
        "admin/tests.html",
        status=200 if typed is None else 422,
        done=done,
        error="" if typed is None else typed.error,
        campaign=campaign,
        questions=questions,
        content=typed.content if typed and typed.content else example,
        expected=typed.expected if typed and typed.expected else right,
        explanation="" if typed is None else typed.explanation,
        answer_words=answer_words,
        content_words=content_words,
    )


@router.post("/tests")
async def new_question(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    content: Json = "",
    expected: Json = "",
    explanation: Explanation = "",
) -> Response:
    """Add a test question."""
    try:
        given = {"content": _object(content, "content"), "expected": _object(expected, "expected")}
        await change_in_campaign(
            service,
            asking,
            campaign_id,
            lambda connection, campaign, when: add_question(
                connection, campaign, **given, explanation=explanation, **when
            ),
        )
    except (InputError, Clash) as error:
        typed = Typed(error=str(error), content=content, expected=expected, explanation=explanation)
        return await _questions(service, asking, campaign_id, typed=typed)
    return go_to(f"/admin/campaigns/{campaign_id}/tests", "question-added")


@router.post("/tests/change")
async def changed_question(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    item_id: ItemId = "",
    expected: Json = "",
    explanation: Explanation = "",
) -> Response:
    """Another right answer, or a test question made of an item."""
    try:
        right = _object(expected, "expected")
        await change_in_campaign(
            service,
            asking,
            campaign_id,
            lambda connection, campaign, when: change_question(
                connection, campaign, item_id, expected=right, explanation=explanation, **when
            ),
        )
    except InputError as error:
        typed = Typed(error=str(error), expected=expected, explanation=explanation)
        return await _item(service, asking, campaign_id, item_id, typed=typed)
    return go_to(f"/admin/campaigns/{campaign_id}/item", "question-changed", id=item_id)


@router.post("/tests/retire")
async def retired_question(
    campaign_id: CampaignName,
    asking: Admin,
    service: InService,
    item_id: ItemId = "",
    retired: Annotated[bool, Form()] = False,
) -> Response:
    """Do not ask a question any more, or ask it again."""
    await change_in_campaign(
        service,
        asking,
        campaign_id,
        lambda connection, campaign, when: retire_question(connection, campaign, item_id, retired=retired, **when),
    )
    return go_to(f"/admin/campaigns/{campaign_id}/tests", "question-retired" if retired else "question-again")


def _object(text: str, field: str) -> dict[str, Any]:
    try:
        found = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise InputError(f"`{field}` is no JSON: {error}.") from None
    if not isinstance(found, dict):
        raise InputError(f"`{field}` must be a JSON object, such as {{…}}.")
    return found


def _pretty(value: Any) -> str:
    return "" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
