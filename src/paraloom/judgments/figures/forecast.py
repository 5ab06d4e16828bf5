"""What was done and paid in, when a campaign will be complete and what it will have cost out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from paraloom.judgments.figures.measured import DayFigures
from paraloom.judgments.progress import Progress
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import money

LAST_DAYS = 7
"""How fast a campaign goes is how fast it went in these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Where a campaign is going. Amounts are millionths of its currency."""

    remaining: int
    """Judgments that are wanted still."""
    a_day: float | None
    """Judgments a day of late; None where there were none."""
    complete_at: datetime | None
    """At that speed; None where nobody works, or nothing remains."""
    cost: int
    """Earned until now."""
    each: float
    """What a judgment that counts costs: test questions and work that was set aside are paid, too."""
    cost_at_end: int


def forecast(
    progress: Progress,
    days: Sequence[DayFigures],
    settings: CampaignSettings,
    *,
    remaining: int,
    earned: int,
    started_at: datetime | None,
    now: datetime,
) -> Forecast:
    """From the speed of the last days, and from what a judgment cost until now."""
    each = earned / progress.judgments if progress.judgments else _planned(settings)
    speed = _a_day(days, started_at, now)
    far = None if not remaining or not speed else remaining / speed
    return Forecast(
        remaining=remaining,
        a_day=speed,
        complete_at=None if far is None or far > 36_500 else now + timedelta(days=far),
        cost=earned,
        each=each,
        cost_at_end=earned + round(remaining * each),
    )


def _planned(settings: CampaignSettings) -> float:
    """Before anybody answered: pay for the judgment, and its share of a test question."""
    tests = 1 / (settings.tests_every - 1) if settings.tests_every > 1 else 0.0
    return money(settings.pay) * (1 + tests)


def _a_day(days: Sequence[DayFigures], started_at: datetime | None, now: datetime) -> float | None:
    """Over whole days, and at least an hour: the first minutes of a campaign say little."""
    since: date = (now - timedelta(days=LAST_DAYS - 1)).date()
    done = sum(day.judgments for day in days if day.day >= since)
    if not done or started_at is None:
        return None
    begun = max(started_at, datetime(since.year, since.month, since.day, tzinfo=now.tzinfo))
    return done / max((now - begun) / timedelta(days=1), 1 / 24)
