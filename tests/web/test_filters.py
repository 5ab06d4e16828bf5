"""Figures read well, and what is missing is a dash."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from paraloom.web import filters

NOW = datetime(2024, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("name", sorted(filters.FILTERS))
def test_what_is_missing_is_a_dash(name: str) -> None:
    shown: Any = filters.FILTERS[name]
    assert shown(None) == "–"


LENGTHS = [
    *((0, "0 s"), (0.04, "0 s"), (4.2, "4.2 s"), (4.0, "4 s"), (9.96, "10 s"), (59.7, "1 min"), (61, "1 min 1 s")),
    *((3600, "1 h"), (3661, "1 h 1 min"), (90_000, "1 d 1 h"), (86_400, "1 d"), (86_460, "1 d")),
]


@pytest.mark.parametrize(("seconds", "words"), LENGTHS)
def test_a_length_of_time_has_at_most_two_units(seconds: float, words: str) -> None:
    assert filters.duration(seconds).replace("\u00a0", " ") == words


@given(st.floats(0, 1e9))
def test_a_length_of_time_is_always_words(seconds: float) -> None:
    assert filters.duration(seconds).strip()


AGO = [
    *((0, "just now"), (-30, "just now"), (59, "just now"), (60, "1 minute ago"), (7200, "2 hours ago")),
    *((86_400, "1 day ago"), (31 * 86_400, "31 days ago"), (40 * 86_400, "2024-03-22"), (-7200, "2024-05-01")),
]


@pytest.mark.parametrize(("passed", "words"), AGO)
def test_how_long_ago_it_was(passed: float, words: str) -> None:
    assert Markup(filters.ago(NOW - timedelta(seconds=passed), now=NOW)).striptags() == words


def test_times_are_shown_in_utc_wherever_they_come_from() -> None:
    helsinki = datetime(2024, 5, 1, 15, tzinfo=timezone(timedelta(hours=3)))
    assert filters.moment(helsinki) == filters.moment(NOW) == filters.moment(NOW.replace(tzinfo=None))


FIGURES = [
    (filters.number(-1234.5, 1), "−1,234.5"),
    (filters.number(math.nan), "–"),
    (filters.percent(1), "100%"),
    (filters.percent(math.nan), "–"),
    (filters.money(Decimal("0.125"), "USD"), "$0.12"),
]


@pytest.mark.parametrize(("shown", "words"), FIGURES)
def test_figures_read_well(shown: str, words: str) -> None:
    assert shown == words
