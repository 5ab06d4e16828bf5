"""Campaigns: what they can become, settings that make sense, instructions in versions."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import Clash, InputError, NotAllowed, NotFound
from paraloom.judgments.audit import actions
from paraloom.judgments.campaigns import (
    campaign_of,
    change_settings,
    change_state,
    create_campaign,
    instructions_of,
    publish_instructions,
    slug,
)
from paraloom.judgments.items import NewItem, add_items, item_of
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.tasks import TASKS


def create(database, now, **values):
    return database.write(
        lambda c: create_campaign(c, **{"task": "pair", "title": "Storms", "now": now, "by": "x", **values})
    )


@pytest.mark.parametrize("task", TASKS)
def test_a_campaign_of_each_kind_begins_with_instructions(database, now, task: str) -> None:
    campaign = create(database, now, task=task, title=f"A {task}")
    [first] = database.read(lambda c: instructions_of(c, campaign.campaign_id))
    assert first.version == 1
    assert first.text.startswith("# ")
    assert len(first.text) > 200


def test_a_campaign_is_what_it_was_made_as(database, now) -> None:
    settings = CampaignSettings(
        judgments_per_item=2, pay=0.03, ends_at=datetime(2027, 1, 1, tzinfo=UTC), topics=("a", "b")
    )
    made = create(database, now, settings=settings, campaign_id="mine")
    assert database.read(lambda c: campaign_of(c, "mine")) == made
    assert made.settings == settings
    with pytest.raises(Clash, match="already"):
        create(database, now, campaign_id="mine")
    with pytest.raises(NotFound, match="'other'"):
        database.read(lambda c: campaign_of(c, "other"))


@pytest.mark.parametrize("name", ["", "A", "../x", "a/b", "a b", "x" * 64, "-a", "ä", "a\n"])
def test_a_name_that_could_lead_elsewhere_is_refused(database, now, name: str) -> None:
    with pytest.raises(InputError, match="cannot name a campaign"):
        create(database, now, campaign_id=name)


@given(st.text(max_size=200))
def test_any_title_gives_a_name_for_addresses(title: str) -> None:
    name = slug(title)
    assert 1 <= len(name) <= 63
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")


def test_a_campaign_becomes_only_what_it_can(database, now) -> None:
    create(database, now)
    for state in ("open", "paused", "open", "ended", "open"):
        database.write(lambda c, state=state: change_state(c, "storms", state, now=now, by="x"))
        assert database.read(lambda c: campaign_of(c, "storms")).state == state
    for state, error in (("draft", NotAllowed), ("shut", InputError)):
        with pytest.raises(error):
            database.write(lambda c, state=state: change_state(c, "storms", state, now=now, by="x"))


def test_new_settings_hold_for_items_that_are_there(database, now, some_pairs) -> None:
    campaign = create(database, now)
    database.write(lambda c: add_items(c, campaign, some_pairs(1), now=now))
    wanted = CampaignSettings(judgments_per_item=3)
    database.write(lambda c: change_settings(c, "storms", wanted, now=now, by="root"))
    assert database.read(lambda c: item_of(c, "storms", "pair-0")).wanted == 3
    assert database.read(actions)[0].detail == {"judgments_per_item": [6, 3]}


def test_instructions_have_versions(database, now) -> None:
    create(database, now, instructions="# One")
    assert database.write(lambda c: publish_instructions(c, "storms", "# Two", "clearer", now=now, by="x")) == 2
    assert [(one.version, one.text) for one in database.read(lambda c: instructions_of(c, "storms"))] == [
        (2, "# Two"),
        (1, "# One"),
    ]
    assert database.read(lambda c: campaign_of(c, "storms")).version == 2


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"judgments_per_item": 0}, "judgments_per_item"),
        ({"judgments_per_item": 2.5}, "judgments_per_item"),
        ({"judgments_per_item": True}, "judgments_per_item"),
        ({"min_test_accuracy": 1.5}, "min_test_accuracy"),
        ({"min_kappa": float("nan")}, "min_kappa"),
        ({"definition": "vague"}, "definition"),
        ({"roles": ["king"]}, "roles"),
        ({"roles": "admin"}, "roles"),
        ({"ends_at": "tomorrow"}, "ends_at"),
        ({"ends_at": "2026-01-01T00:00"}, "time zone"),
        ({"budget": -1}, "budget"),
        ({"colour": "red"}, "no setting 'colour'"),
        ({"topics": [1]}, "topics"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        CampaignSettings().changed(values)


def test_settings_come_back_as_they_were_stored() -> None:
    settings = CampaignSettings(budget=10.0, cap=5, roles=("expert",), ends_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert CampaignSettings.of_json(settings.as_json()) == settings
    assert CampaignSettings.of_json({**settings.as_json(), "from_a_later_version": 1}) == settings


def test_an_item_is_added_once_and_a_wrong_one_adds_none(database, now) -> None:
    campaign = create(database, now)
    good = NewItem(content={"left": "a b", "right": "c d"})
    bad = NewItem(content={"left": "a b"})
    with pytest.raises(InputError, match="Item 2: `right`"):
        database.write(lambda c: add_items(c, campaign, [good, bad], now=now))
    first = database.write(lambda c: add_items(c, campaign, [good], now=now))
    again = database.write(lambda c: add_items(c, campaign, [good], now=now))
    assert (first.added, again.added, again.there_already) == (1, 0, 1)


def test_groups_are_asked_for_the_campaigns_own_topics(database, now) -> None:
    campaign = create(database, now, task="topic", title="Topics", settings=CampaignSettings(topics=("rain", "sun")))
    items = [NewItem(item_id="g", content={"sentences": ["It rains."]})]
    database.write(lambda c: add_items(c, campaign, items, now=now))
    assert database.read(lambda c: item_of(c, "topics", "g")).content["topics"] == ["rain", "sun"]
