"""`annotate status`: figures are of this moment, and where one is not, it says so."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from paraloom.judgments.campaigns import Campaign, campaign_of, change_state, create_campaign
from paraloom.judgments.figures.live import MeasuredBefore
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import Person, add_person
from paraloom.judgments.set_aside import set_aside_work
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import standing_of
from paraloom.judgments.store.database import Database
from paraloom.judgments.store.migrate import open_database
from paraloom.workflows.annotate.status import PersonStatus, status_of
from tests.judgments.working import judge

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = open_database(str(tmp_path / "status.db"))
    yield opened
    opened.close()


@pytest.fixture
def worked(database: Database) -> tuple[Campaign, list[Person]]:
    """Three people on eighteen pairs: they agree on ten, and one of them on none of the others."""

    def begin(connection) -> tuple[Campaign, list[Person]]:
        settings = CampaignSettings(judgments_per_item=3, min_compared=1000)
        made = create_campaign(connection, task="pair", title="Storms", settings=settings, now=NOW, by="test")
        new = [NewItem(item_id=f"p{n}", content={"left": f"a {n}", "right": f"b {n}"}) for n in range(18)]
        add_items(connection, made, new, now=NOW)
        change_state(connection, "storms", "open", now=NOW, by="test")
        people = [
            add_person(connection, name=name, hashed=None, role="annotator", now=NOW, by="test")
            for name in ("Ann", "Bob", "Cem")
        ]
        return campaign_of(connection, "storms"), people

    campaign, people = database.write(begin)
    for number in range(18):
        for person in people:
            said = (number % 2 == 0) != (person.name == "Cem" and number >= 10)
            judge(database, campaign, person, f"p{number}", {"is_paraphrase": said}, NOW)
    return campaign, people


def told(database: Database) -> dict[str, PersonStatus]:
    (status,) = status_of(database, "storms")
    return {one.name: one for one in status.people}


def test_kappa_is_of_this_moment_and_the_dashboards(database, worked) -> None:
    campaign, people = worked
    shown = database.read(lambda c: MeasuredBefore().figures(c, campaign, NOW)).annotators
    found = told(database)
    assert {name: one.kappa for name, one in found.items()} == {row.person.name: row.kappa for row in shown}
    at_the_tenth = database.read(lambda c: standing_of(c, campaign, people[2].person_id, NOW)).kappa
    assert at_the_tenth == 1.0
    assert found["Cem"].kappa is not None
    assert found["Cem"].kappa < 0.2
    (status,) = status_of(database, "storms")
    assert f"Cem: working, 18 answers, kappa {found['Cem'].kappa:.2f}\n" in f"{status.as_text()}\n"


def test_where_nothing_counts_any_more_the_last_kappa_is_told_as_such(database, worked) -> None:
    campaign, people = worked
    database.write(lambda c: set_aside_work(c, campaign, people[2].person_id, reason="too hasty", now=NOW, by="test"))
    found = told(database)["Cem"]
    assert (found.kappa, found.kappa_before) == (None, 1.0)
    (status,) = status_of(database, "storms")
    assert "Cem: working, 18 answers, kappa 1.00 when last measured" in status.as_text()
    assert told(database)["Ann"].kappa_before is None
