"""Which groups a document is in, and what is said of a group."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine.rows import members_of
from paraloom.groups.by_entity_date import entity_dates
from paraloom.groups.membership import (
    Membership,
    describe_group,
    hashtags,
    memberships,
)
from paraloom.groups.options import GroupOptions
from paraloom.groups.topics import TopicMapping
from paraloom.tables import Document, Group, make_id, schema

MONDAY = datetime(2020, 10, 5, tzinfo=UTC)


def document(text: str = "", urls: tuple[str, ...] = (), trend: str | None = None) -> dict[str, object]:
    return {"document_id": "d1", "text": text, "urls": urls, "trend": trend, "created_at": MONDAY, "author": "a_1"}


def places(*documents: dict[str, object], **options: object) -> list[dict[str, object]]:
    columns = pa.schema([schema(Document).field(name) for name in documents[0]])
    table = memberships(pa.Table.from_pylist(list(documents), schema=columns), options=GroupOptions(**options))
    assert set(table.column_names) == {field.name for field in fields(Membership)}
    return table.to_pylist()


TAGS = [
    ("#FinallyFriday! and #finallyfriday", ["#finallyfriday"]),
    ("two: #Storm, #coast", ["#storm", "#coast"]),
    ("&#39; #2020 a#b https://example.org/#top # #_", []),
    ("#covid19 and #2020election", ["#covid19", "#2020election"]),
    ("Привет #Москва", ["#москва"]),
    ("#मोदी बोले", ["#मोदी"]),
    ("#เลือกตั้ง วันนี้", ["#เลือกตั้ง"]),
    ("雨 #東京オリンピック です", ["#東京オリンピック"]),
    ("雨 ＃東京", ["#東京"]),
    ("#عاجل الآن", ["#عاجل"]),
    ("#Café #münchen", ["#café", "#münchen"]),
]


@pytest.mark.parametrize(("text", "tags"), TAGS)
def test_a_post_has_these_hashtags(text: str, tags: list[str]) -> None:
    assert hashtags(text) == tags


A, B = "https://a.example/1", "https://b.example/2"
GROUPED = [
    (document(urls=(A, B)), {}, [("url", A), ("url", B)]),
    (document(urls=(A, A)), {}, [("url", A)]),
    (document(text="no link #storm", trend="Storm"), {}, []),
    (document(urls=(A,), trend="Storm"), {"by": ("trend",)}, [("trend", "storm")]),
    (document(trend="  Finally   Friday "), {"by": ("trend",)}, [("trend", "finally friday")]),
    (document(text="#Storm #Coast"), {"by": ("trend",)}, [("trend", "#storm"), ("trend", "#coast")]),
    (document(text="#Storm", trend="Friday"), {"by": ("trend",)}, [("trend", "friday")]),
    (document(text="#Storm", trend="  "), {"by": ("trend",)}, [("trend", "#storm")]),
    (document(text="#Storm"), {"by": ("trend",), "hashtags": False}, []),
    (document(text="#Storm", urls=(A,)), {"by": ("url", "trend")}, [("url", A), ("trend", "#storm")]),
    (
        document(text="On Monday NASA paid Joe Biden's team, says NASA"),
        {"by": ("entity-date",)},
        [("entity-date", "nasa · 2020-10-05"), ("entity-date", "joe biden · 2020-10-05")],
    ),
    (document(text="it rained on a Monday in May"), {"by": ("entity-date",)}, []),
    (document(text="NASA paid") | {"created_at": None}, {"by": ("entity-date",)}, []),
]


@pytest.mark.parametrize(("given_", "options", "keys"), GROUPED)
def test_a_document_is_in_the_groups_of_its_links_or_trends(given_, options, keys) -> None:
    found = places(given_, **options)
    assert [(one["kind"], one["key"]) for one in found] == keys
    assert all(one["group_id"] == make_id(one["kind"], one["key"]) for one in found)
    written = given_["created_at"]
    assert all((one["document_id"], one["created_at"], one["author"]) == ("d1", written, "a_1") for one in found)


def test_documents_share_a_group_and_keep_their_own_places() -> None:
    found = places(
        document(urls=(A,)), document() | {"document_id": "d2"}, document(urls=(B, A)) | {"document_id": "d3"}
    )
    assert [(one["document_id"], one["key"]) for one in found] == [("d1", A), ("d3", B), ("d3", A)]
    assert found[0]["group_id"] == found[2]["group_id"]


def test_a_day_is_that_of_utc_wherever_a_post_was_written() -> None:
    tokyo = datetime(2020, 10, 6, 1, tzinfo=timezone(timedelta(hours=9)))  # still Monday in UTC
    assert entity_dates("NASA paid", tokyo) == entity_dates("NASA wins", MONDAY) == ["nasa · 2020-10-05"]


def test_a_trend_that_is_spelled_like_a_url_is_another_group() -> None:
    by_url, by_trend = places(document(urls=(A,), trend=A), by=("url", "trend"))
    assert by_url["key"] == by_trend["key"]
    assert by_url["group_id"] != by_trend["group_id"]


def days(*numbers: int | None) -> list[datetime | None]:
    return [None if number is None else MONDAY + timedelta(days=number) for number in numbers]


def described(times, authors=None, ids=None, accounts=(), topics=TopicMapping(), **options) -> list[Group]:
    count = len(times)
    members = members_of(
        document_id=ids or [f"d{number}" for number in range(count)],
        created_at=times,
        author=authors or [None] * count,
        kind=["url"] * count,
        key=["https://bbc.com/sport/a"] * count,
    )
    made = describe_group("g", members, options=GroupOptions(**options), topics=topics, accounts=frozenset(accounts))
    return list(made)


ORIGINS = [
    ("the earliest post", days(2, 0, 1), None, (), "d1"),
    ("posts of one moment by id", days(1, 1), None, (), "d0"),
    ("a post without a date comes last", days(None, 3), None, (), "d1"),
    ("no dates at all: the smallest id", days(None, None), None, (), "d0"),
    ("a listed account though later", days(0, 5, 9), ["x", "bbc", "bbc"], ("bbc",), "d1"),
    ("a listed account though undated", days(0, None), ["x", "bbc"], ("bbc",), "d1"),
    ("nobody of the list", days(1, 0), ["x", None], ("bbc",), "d1"),
]


@pytest.mark.parametrize(("why", "times", "authors", "accounts", "origin"), ORIGINS)
def test_a_groups_origin_is_the_post_others_may_have_copied(why, times, authors, accounts, origin) -> None:
    rows = described(times, authors, accounts=accounts)
    assert [row.document_id for row in rows if row.is_origin] == [origin], why


def test_a_groups_rows_agree_on_size_topic_and_first_date() -> None:
    rows = described(days(4, None, 2))
    assert [row.document_id for row in rows] == ["d0", "d1", "d2"]
    assert {(row.group_id, row.size, row.topic, row.created_at) for row in rows} == {("g", 3, "sports", days(2)[0])}


def test_a_group_without_dates_has_none() -> None:
    assert {row.created_at for row in described(days(None, None))} == {None}


def test_a_users_topic_is_the_groups() -> None:
    assert described(days(0, 1), topics=TopicMapping((("bbc.com", "telly"),)))[0].topic == "telly"


SIZES = [(1, "too_small"), (2, None), (3, None), (4, "too_large")]


@pytest.mark.parametrize(("size", "reason"), SIZES)
def test_a_group_that_is_too_small_or_too_large_is_left_out_whole(size: int, reason: str | None) -> None:
    rows = described(days(*range(size)), min_posts=2, max_posts=3)
    assert [row.dropped_for for row in rows] == [reason] * size


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_a_groups_posts_does_not_show(numbers: list[int | None], random) -> None:
    times = days(*numbers)
    places = list(range(len(times)))
    random.shuffle(places)
    shuffled = described([times[place] for place in places], ids=[f"d{place}" for place in places])
    assert sorted(shuffled, key=lambda row: row.document_id) == described(times)
