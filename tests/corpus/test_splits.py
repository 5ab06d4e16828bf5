"""A group's split follows from its first post's date, and stays what it was as the corpus grows."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.corpus.options import CorpusOptions
from paraloom.corpus.splits import CutDates, draw_cut_dates, read_cut_dates, write_cut_dates
from paraloom.errors import InputError
from paraloom.tables import make_id

FIRST = datetime(2020, 1, 1, tzinfo=UTC)


def days(count: int) -> list[datetime]:
    return [FIRST + timedelta(days=number) for number in range(count)]


def counted(dates: list[datetime], **options: float) -> dict[str, int]:
    cuts = draw_cut_dates(dates, CorpusOptions(**options))
    return dict(Counter(cuts.split_of(make_id("g", number), date) for number, date in enumerate(dates)))


SHARES = [
    (100, {}, {"train": 80, "dev": 10, "test": 10}),
    (10, {}, {"train": 8, "dev": 1, "test": 1}),
    (10, {"train_share": 0.5, "dev_share": 0.2}, {"train": 5, "dev": 2, "test": 3}),
    (10, {"train_share": 1.0, "dev_share": 0.0}, {"train": 10}),
    (10, {"train_share": 0.9, "dev_share": 0.1}, {"train": 9, "dev": 1}),
    (10, {"train_share": 0.0, "dev_share": 0.0}, {"test": 10}),
    (1, {}, {"train": 1}),
    (3, {}, {"train": 2, "dev": 1}),
]


@pytest.mark.parametrize(("count", "options", "splits"), SHARES)
def test_the_groups_at_hand_get_the_wanted_shares(
    count: int, options: dict[str, float], splits: dict[str, int]
) -> None:
    assert counted(days(count), **options) == splits


def test_the_order_of_the_groups_does_not_show() -> None:
    dates = days(37)
    assert draw_cut_dates(dates[::-1], CorpusOptions()) == draw_cut_dates(dates, CorpusOptions())


def test_the_pairs_of_one_group_are_for_training() -> None:
    (day,) = days(1)
    assert draw_cut_dates([day] * 4, CorpusOptions()).split_of("f" * 32, day) == "train"


def test_a_date_counts_as_often_as_it_is_given() -> None:
    small, large, late = days(3)
    cuts = draw_cut_dates([small] + [large] * 7 + [late] * 2, CorpusOptions())
    assert (cuts.dev_from, cuts.test_from) == (late, late)


CUTS = CutDates(
    dev_from=datetime(2020, 3, 1, tzinfo=UTC),
    test_from=datetime(2020, 4, 1, tzinfo=UTC),
    train_share=0.8,
    dev_share=0.1,
)
BOUNDARIES = [
    (datetime(1970, 1, 1, tzinfo=UTC), "train"),
    (datetime(2020, 2, 29, 23, 59, 59, 999999, tzinfo=UTC), "train"),
    (datetime(2020, 3, 1, tzinfo=UTC), "dev"),
    (datetime(2020, 3, 31, 23, 59, 59, 999999, tzinfo=UTC), "dev"),
    (datetime(2020, 4, 1, tzinfo=UTC), "test"),
    (datetime(2020, 4, 1, 1, tzinfo=timezone(timedelta(hours=2))), "dev"),
    (datetime(2035, 1, 1, tzinfo=UTC), "test"),
]


@pytest.mark.parametrize(("began", "split"), BOUNDARIES)
def test_a_group_is_in_the_split_that_its_first_post_falls_in(began: datetime, split: str) -> None:
    assert CUTS.split_of("0" * 32, began) == split


def test_groups_that_come_later_do_not_move_those_that_were_there() -> None:
    cuts = draw_cut_dates(days(50), CorpusOptions())
    before = [cuts.split_of("0" * 32, date) for date in days(50)]
    assert [cuts.split_of("0" * 32, date) for date in days(500)][:50] == before


BY_ID = [("00000000", "train"), ("cccccccc", "train"), ("cccccccd", "dev"), ("e6666667", "test"), ("ffffffff", "test")]


@pytest.mark.parametrize(("start", "split"), BY_ID)
def test_a_group_without_a_date_is_put_by_its_id(start: str, split: str) -> None:
    assert CUTS.split_of(start + "0" * 24, None) == split


def test_groups_without_dates_come_in_about_the_wanted_shares() -> None:
    cuts = draw_cut_dates([None, None], CorpusOptions())
    assert (cuts.dev_from, cuts.test_from) == (None, None)
    splits = Counter(cuts.split_of(make_id(number), None) for number in range(4000))
    assert splits["train"] / 4000 == pytest.approx(0.8, abs=0.03)
    assert splits["dev"] / 4000 == pytest.approx(0.1, abs=0.03)


@pytest.mark.parametrize(
    "options", [{"train_share": 0.9, "dev_share": 0.2}, {"train_share": -0.1}, {"dev_share": -1.0}]
)
def test_shares_that_make_no_whole_are_refused_by_the_options_names(options: dict[str, float]) -> None:
    with pytest.raises(InputError, match="Change --train-share or --dev-share"):
        draw_cut_dates(days(3), CorpusOptions(**options))


moments = st.one_of(
    st.none(), st.datetimes(datetime(1990, 1, 1), datetime(2040, 1, 1)).map(lambda time: time.replace(tzinfo=UTC))
)


@settings(max_examples=50, deadline=None)
@given(st.lists(moments, max_size=20))
def test_stored_cut_dates_come_back_as_they_were(tmp_path_factory, began: list[datetime | None]) -> None:
    file = tmp_path_factory.mktemp("run") / "splits.json"
    cuts = draw_cut_dates(began, CorpusOptions())
    write_cut_dates(file, cuts)
    assert read_cut_dates(file) == cuts


def test_a_date_put_in_by_hand_without_a_zone_is_utc(tmp_path: Path) -> None:
    file = tmp_path / "splits.json"
    written = {"dev_from": "2020-03-01", "test_from": "2020-04-01T00:00:00", "train_share": 0.8, "dev_share": 0.1}
    file.write_text(json.dumps(written), encoding="utf-8")
    assert read_cut_dates(file) == CUTS


UNREADABLE = [
    b"",
    b"{",
    b"[]",
    b"3",
    b"{}",
    b'{"dev_from": "soon", "test_from": null}',
    b'{"dev_from": 5}',
    b"\xff\xfe",
]


@pytest.mark.parametrize("written", UNREADABLE)
def test_a_file_that_holds_no_cut_dates_is_refused_with_what_to_do(tmp_path: Path, written: bytes) -> None:
    (tmp_path / "splits.json").write_bytes(written)
    with pytest.raises(InputError, match=r"splits\.json does not hold cut dates .*Delete it to have them drawn anew"):
        read_cut_dates(tmp_path / "splits.json")
