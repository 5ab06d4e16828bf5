"""Days in, the places of bars and lines of a small chart out; the template draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from paraloom.judgments.figures.measured import DayFigures

WIDTH, HEIGHT = 720, 120
TOP = 6
MOST_DAYS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One day."""

    x: float
    y: float
    width: float
    height: float
    words: str
    """On hover."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayChart:
    """Judgments a day as bars, agreement as a line from 0 at the bottom to 1 at the top."""

    bars: tuple[Bar, ...]
    line: str
    """Points of a polyline; empty where fewer than two days have a figure."""
    first: date
    last: date
    most: int


def day_chart(days: Sequence[DayFigures]) -> DayChart | None:
    """The last days without a gap, or None where there are none."""
    if not days:
        return None
    last = days[-1].day
    first = max(days[0].day, last - timedelta(days=MOST_DAYS - 1))
    by_day = {day.day: day for day in days}
    every = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    most = max((by_day[day].judgments for day in every if day in by_day), default=0) or 1
    step = WIDTH / max(len(every), 7)
    bars, dots = [], []
    for place, day in enumerate(every):
        figures = by_day.get(day)
        done = figures.judgments if figures else 0
        height = round((HEIGHT - TOP) * done / most, 1)
        bars.append(
            Bar(
                x=round(place * step + step * 0.12, 1),
                y=round(HEIGHT - height, 1),
                width=round(step * 0.76, 1),
                height=height,
                words=_words(day, figures),
            )
        )
        if figures is not None and figures.agreement is not None:
            dots.append((round((place + 0.5) * step, 1), round(HEIGHT - (HEIGHT - TOP) * figures.agreement, 1)))
    line = " ".join(f"{x},{y}" for x, y in dots) if len(dots) > 1 else ""
    return DayChart(bars=tuple(bars), line=line, first=first, last=last, most=most)


def _words(day: date, figures: DayFigures | None) -> str:
    if figures is None:
        return f"{day:%Y-%m-%d}: nothing"
    agreement = "" if figures.agreement is None else f", agreement {figures.agreement:.0%}"
    return f"{day:%Y-%m-%d}: {figures.judgments} judgments{agreement}"
