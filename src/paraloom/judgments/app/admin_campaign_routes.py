"""An admin's pages about campaigns: all of them, a new one, one of them live, what it is open for, what it holds."""

from __future__ import annotations

from typing import Annotated

import sqlalchemy as sa
from fastapi import APIRouter, Form, Request, Response
from sqlalchemy import Connection
from starlette.datastructures import FormData

from paraloom.errors import Clash, InputError
from paraloom.judgments.app.bodies import CampaignName
from paraloom.judgments.app.charts import day_chart
from paraloom.judgments.app.service import Service
from paraloom.judgments.app.settings_form import read_settings, settings_fields
from paraloom.judgments.app.shown import go_to, show
from paraloom.judgments.app.visitors import Admin, InService, Visitor
from paraloom.judgments.app.watching import Measuring, figures_for
from paraloom.judgments.app.words import content_words, vote_words
from paraloom.judgments.campaigns import (
    STATES,
    Campaign,
    all_campaigns,
    campaign_of,
    change_settings,
    change_state,
    create_campaign,
)
from paraloom.judgments.figures.live import CampaignFigures
from paraloom.judgments.items import Item, item_of
from paraloom.judgments.progress import Progress, progress_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import TASKS

router = APIRouter(prefix="/admin")

Short = Annotated[str, Form(max_length=300)]


@router.get("")
async def campaigns_page(asking: Admin, service: InService, done: str = "") -> Response:
    """Every campaign: how far it is and what it cost. How far people agree comes a moment later, one by one."""

    def job(connection: Connection) -> list[tuple[Campaign, Progress, int, int]]:
        costs = _costs(connection)
        return [
            (campaign, progress_of(connection, campaign.campaign_id), *costs.get(campaign.campaign_id, (0, 0)))
            for campaign in all_campaigns(connection)
        ]

    rows = await service.database.reading(job)
    return show(service, asking, "admin/campaigns.html", done=done, rows=rows)


def _costs(connection: Connection) -> dict[str, tuple[int, int]]:
    """Of each campaign: the people in it, and what they earned."""
    table = schema.standings.c
    asked = sa.select(table.campaign_id, sa.func.count(), sa.func.sum(table.earned)).group_by(table.campaign_id)
    return {name: (people, int(earned)) for name, people, earned in connection.execute(asked)}


@router.get("/new")
async def new_page(asking: Admin, service: InService) -> Response:
    """The form of a new campaign."""
    return _new_form(service, asking)


@router.post("/new")
async def new_campaign(
    asking: Admin, service: InService, request: Request, title: Short = "", task: Short = "", name: Short = ""
) -> Response:
    """Make the campaign, as a draft."""
    form, now = await request.form(), service.clock()
    try:
        settings = read_settings(form, CampaignSettings())
        made = await service.database.writing(
            lambda connection: create_campaign(
                connection,
                task=task,
                title=title,
                now=now,
                by=asking.person.person_id,
                campaign_id=name.strip() or None,
                settings=settings,
            )
        )
    except (InputError, Clash) as error:
        return _new_form(service, asking, title=title, task=task, name=name, error=str(error), typed=form, status=422)
    return go_to(f"/admin/campaigns/{made.campaign_id}", "created")


def _new_form(
    service: Service,
    asking: Visitor,
    *,
    title: str = "",
    task: str = "pair",
    name: str = "",
    error: str = "",
    typed: FormData | None = None,
    status: int = 200,
) -> Response:
    return show(
        service,
        asking,
        "admin/new.html",
        status=status,
        title=title,
        task=task,
        name=name,
        error=error,
        tasks=TASKS.values(),
        sections=settings_fields(CampaignSettings(), typed),
    )


@router.get("/campaigns/{campaign_id}")
async def campaign_page(
    campaign_id: CampaignName, asking: Admin, service: InService, measuring: Measuring, done: str = "", count: int = 0
) -> Response:
    """The dashboard of one campaign."""
    figures = await figures_for(service, measuring, campaign_id)
    disputed = await _disputed(service, figures)
    return show(
        service,
        asking,
        "admin/overview.html",
        done=done,
        count=count,
        campaign=figures.campaign,
        figures=figures,
        disputed=disputed,
        chart=day_chart(figures.measured.days),
        vote_words=vote_words,
        content_words=content_words,
    )


@router.get("/campaigns/{campaign_id}/figures")
async def live_figures(
    campaign_id: CampaignName, asking: Admin, service: InService, measuring: Measuring, seen: str = ""
) -> Response:
    """The part of the dashboard that changes; nothing where nothing changed since."""
    figures = await figures_for(service, measuring, campaign_id)
    if seen == figures.seen:
        return Response(status_code=204)
    return show(
        service,
        asking,
        "admin/figures.html",
        campaign=figures.campaign,
        figures=figures,
        disputed=await _disputed(service, figures),
        chart=day_chart(figures.measured.days),
        vote_words=vote_words,
        content_words=content_words,
    )


async def _disputed(service: Service, figures: CampaignFigures) -> dict[str, Item]:
    name = figures.campaign.campaign_id
    return await service.database.reading(
        lambda connection: {one.item_id: item_of(connection, name, one.item_id) for one in figures.measured.disputed}
    )


@router.get("/campaigns/{campaign_id}/agreement")
async def agreement_cell(
    campaign_id: CampaignName, asking: Admin, service: InService, measuring: Measuring
) -> Response:
    """How far people agree, for the list of campaigns."""
    figures = await figures_for(service, measuring, campaign_id)
    return show(service, asking, "admin/agreement.html", alpha=figures.measured.coefficient("krippendorff-alpha"))


@router.post("/campaigns/{campaign_id}/state")
async def new_state(campaign_id: CampaignName, asking: Admin, service: InService, state: Short = "") -> Response:
    """Open, pause or end."""
    now = service.clock()
    await service.database.writing(
        lambda connection: change_state(connection, campaign_id, state, now=now, by=asking.person.person_id)
    )
    return go_to(f"/admin/campaigns/{campaign_id}", state if state in STATES else "")


@router.get("/campaigns/{campaign_id}/settings")
async def settings_page(campaign_id: CampaignName, asking: Admin, service: InService, done: str = "") -> Response:
    """The settings, to be changed."""
    campaign = await service.database.reading(lambda connection: campaign_of(connection, campaign_id))
    return _settings_form(service, asking, campaign, done=done)


@router.post("/campaigns/{campaign_id}/settings")
async def new_settings(campaign_id: CampaignName, asking: Admin, service: InService, request: Request) -> Response:
    """Store other settings."""
    form, now = await request.form(), service.clock()
    campaign = await service.database.reading(lambda connection: campaign_of(connection, campaign_id))
    try:
        settings = read_settings(form, campaign.settings)
    except InputError as error:
        return _settings_form(service, asking, campaign, error=str(error), typed=form, status=422)
    await service.database.writing(
        lambda connection: change_settings(connection, campaign_id, settings, now=now, by=asking.person.person_id)
    )
    return go_to(f"/admin/campaigns/{campaign_id}/settings", "settings")


def _settings_form(
    service: Service,
    asking: Visitor,
    campaign: Campaign,
    *,
    done: str = "",
    error: str = "",
    typed: FormData | None = None,
    status: int = 200,
) -> Response:
    return show(
        service,
        asking,
        "admin/settings.html",
        status=status,
        done=done,
        error=error,
        campaign=campaign,
        sections=settings_fields(campaign.settings, typed),
    )
