"""Who gets a bonus, and why somebody does not."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from paraloom.judgments.bonus import as_csv, bonuses
from paraloom.judgments.figures.live import AnnotatorRow
from paraloom.judgments.people import Person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import Standing

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SETTINGS = CampaignSettings(bonus=0.02, bonus_kappa=0.7, min_compared=30)


def row(
    name: str, *, kappa: float | None, compared: int = 100, counted: int = 100, state: str = "working"
) -> AnnotatorRow:
    person = Person(
        person_id=f"id-{name}",
        name=name,
        role="annotator",
        language=None,
        created_at=NOW,
        erased_at=None,
        blocked_at=None,
    )
    standing = Standing(
        campaign_id="c",
        person_id=person.person_id,
        state=state,
        reason=None,
        served=counted,
        answered=counted,
        tests=0,
        tests_right=0,
        kappa=None,
        compared=0,
        earned=3_000_000,
        position=0,
        started_at=NOW,
        last_at=NOW,
    )
    return AnnotatorRow(
        person=person,
        standing=standing,
        counted=counted,
        set_aside=0,
        tests_unseen=0,
        kappa=kappa,
        interval=None,
        compared=compared,
        agreement=None,
        median_seconds=None,
        mean_seconds=None,
        per_hour=None,
    )


CASES = [
    (row("at the limit", kappa=0.7), SETTINGS, 2_000_000, None),
    (row("good", kappa=0.9, counted=51), SETTINGS, 1_020_000, None),
    (row("below", kappa=0.699), SETTINGS, 0, "kappa below the limit"),
    (row("new", kappa=1.0, compared=29), SETTINGS, 0, "too little to compare"),
    (row("alone", kappa=None), SETTINGS, 0, "too little to compare"),
    (row("stopped", kappa=0.9, state="stopped"), SETTINGS, 0, "stopped"),
    (row("unpaid", kappa=0.9), CampaignSettings(), 0, "no bonus is set"),
]


@pytest.mark.parametrize(
    ("annotator", "settings", "amount", "why"),
    CASES,
    ids=lambda value: getattr(value, "person", None) and value.person.name,
)
def test_a_bonus_is_for_good_work_that_counts(
    annotator: AnnotatorRow, settings: CampaignSettings, amount: int, why: str | None
) -> None:
    (found,) = bonuses([annotator], settings)
    assert (found.bonus, found.why_none, found.total) == (amount, why, 3_000_000 + amount)


def test_the_largest_bonus_comes_first_and_the_file_says_the_same() -> None:
    found = bonuses([row("Ann", kappa=0.8, counted=10), row("=cmd()", kappa=0.9, counted=90)], SETTINGS)
    rows = list(csv.DictReader(io.StringIO(as_csv(found, "EUR"))))
    assert [(one["name"], one["bonus"], one["total"], one["currency"]) for one in rows] == [
        ("'=cmd()", "1.800000", "4.800000", "EUR"),
        ("Ann", "0.200000", "3.200000", "EUR"),
    ]
