"""What a table must be to be a noun's table, and what is said of one that is not."""

from __future__ import annotations

import dataclasses
import re
from datetime import UTC, datetime

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import TableError
from paraloom.tables import NOUNS, Group, Label, Noun, Pair, Phrase, Sentence, check, make_id, schema

ROW = {
    "sentence_id": "s1",
    "document_id": "d1",
    "text": "the storm hit the coast",
    "start": 0,
    "end": 23,
    "made_by": "post-splitter",
    "copies": 1,
    "dropped_for": None,
}


def table(*rows: dict[str, object]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=schema(Sentence))


TYPES = [
    (Sentence, "text", pa.string(), False),
    (Sentence, "start", pa.int64(), False),
    (Sentence, "dropped_for", pa.string(), True),
    (Group, "is_origin", pa.bool_(), False),
    (Group, "created_at", pa.timestamp("us", tz="UTC"), True),
    (Pair, "pinc", pa.float64(), False),
    (Label, "is_paraphrase", pa.bool_(), True),
    (NOUNS["documents"], "urls", pa.list_(pa.string()), False),
    (NOUNS["judgments"], "created_at", pa.timestamp("us", tz="UTC"), False),
]


@pytest.mark.parametrize(("noun", "column", "type_", "nullable"), TYPES)
def test_a_field_becomes_a_column_of_its_type(noun: Noun, column: str, type_: pa.DataType, nullable: bool) -> None:
    field = schema(noun).field(column)
    assert (field.type, field.nullable) == (type_, nullable)


@pytest.mark.parametrize("name", NOUNS)
def test_a_schema_has_the_nouns_fields_in_their_order(name: str) -> None:
    assert schema(NOUNS[name]).names == [field.name for field in dataclasses.fields(NOUNS[name])]


@pytest.mark.parametrize("name", NOUNS)
def test_a_nouns_key_is_made_of_columns_that_are_never_null(name: str) -> None:
    noun = NOUNS[name]
    assert noun.KEY
    assert not any(schema(noun).field(column).nullable for column in noun.KEY)


@pytest.mark.parametrize("name", NOUNS)
def test_every_noun_says_what_one_row_is(name: str) -> None:
    assert (NOUNS[name].__doc__ or "").rstrip().endswith(".")


@pytest.mark.parametrize("name", NOUNS)
def test_a_table_without_rows_is_a_table(name: str) -> None:
    empty = schema(NOUNS[name]).empty_table()
    assert check(empty, NOUNS[name]) == empty


def test_columns_in_another_order_are_put_in_order() -> None:
    given_ = table(ROW)
    assert check(given_.select(given_.column_names[::-1]), Sentence) == given_


def test_a_column_of_a_narrower_type_is_widened() -> None:
    narrow = table(ROW)
    narrow = narrow.set_column(3, "start", narrow.column("start").cast(pa.int32()))
    assert check(narrow, Sentence) == table(ROW)


WRONG = [
    (lambda good: good.drop_columns(["text", "end"]), "A table of Sentence rows lacks the columns text, end."),
    (
        lambda good: good.append_column("mood", pa.array(["calm"])),
        "A table of Sentence rows has columns that Sentence does not know: mood.",
    ),
    (
        lambda good: good.set_column(3, "start", pa.array(["first"])),
        "A table of Sentence rows does not have Sentence's column types: ",
    ),
    (
        lambda good: pa.concat_tables([good, good]),
        "A table of Sentence rows has 1 keys twice, the first: sentence_id='s1'.",
    ),
]


@pytest.mark.parametrize(("spoil", "message"), WRONG)
def test_a_table_that_is_not_the_nouns_is_refused_with_what_is_wrong(spoil, message: str) -> None:
    with pytest.raises(TableError, match=re.escape(message)):
        check(spoil(table(ROW)), Sentence)


def test_a_null_where_none_may_be_is_refused_with_its_column() -> None:
    good = table(ROW)
    with pytest.raises(TableError, match=r"Sentence.*text.*null"):
        check(good.set_column(2, "text", pa.array([None], pa.string())), Sentence)


def test_a_key_of_two_columns_is_twice_only_where_both_are() -> None:
    phrase = dict.fromkeys(("forward", "backward", "lexical_forward", "lexical_backward", "score"), 0.5)
    rows = [
        {"left": left, "right": right, "count": 1, **phrase} for left, right in (("a", "b"), ("a", "c"), ("b", "b"))
    ]
    apart = pa.Table.from_pylist(rows, schema=schema(Phrase))
    assert check(apart, Phrase) == apart
    with pytest.raises(TableError, match="left='a', right='b'"):
        check(pa.concat_tables([apart, apart.slice(0, 1)]), Phrase)


def test_a_time_of_another_zone_is_the_same_moment() -> None:
    made = {"group_id": "g", "document_id": "d", "kind": "url", "key": "k", "is_origin": True, "topic": "others"}
    row = {**made, "created_at": datetime(2020, 1, 2, 3, tzinfo=UTC), "size": 1, "dropped_for": None}
    given_ = pa.Table.from_pylist([row], schema=schema(Group))
    place = given_.column_names.index("created_at")
    elsewhere = given_.set_column(
        place, "created_at", given_.column("created_at").cast(pa.timestamp("ms", tz="Asia/Tokyo"))
    )
    assert check(elsewhere, Group) == given_


DIFFERENT = [(("ab", "c"), ("a", "bc")), (("a", "b"), ("b", "a")), (("a",), ("a", "")), ((None,), ("",))]


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_other_parts_make_another_id(left: tuple[object, ...], right: tuple[object, ...]) -> None:
    assert make_id(*left) != make_id(*right)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.one_of(st.text(st.characters()), st.integers(), st.none()), min_size=1, max_size=4))
def test_an_id_is_32_hex_digits_and_always_the_same(parts: list[object]) -> None:
    made = make_id(*parts)
    assert re.fullmatch("[0-9a-f]{32}", made)
    assert made == make_id(*parts)


def test_ids_stay_what_they_are_from_version_to_version() -> None:
    assert make_id("twitter", 12) == "64a401874e5629d8a6ae3771c168ba3b"
