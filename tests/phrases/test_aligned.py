"""A row of aligned texts is a row of the table, or is left out for a reason."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

from paraloom.engine import foreign
from paraloom.phrases.aligned import AlignmentReader, merge_alignments
from paraloom.phrases.tokens import comparable_tokens


def read(*raws: bytes, format: str = "jsonl", context: bytes | None = None) -> list[dict[str, object]]:
    records = [("a.jsonl", offset, raw, format, context) for offset, raw in enumerate(raws)]
    columns = [list(column) for column in zip(*records, strict=True)]
    return AlignmentReader()(pa.Table.from_arrays(list(map(pa.array, columns)), foreign.SCHEMA.names)).to_pylist()


GOOD = {"left": "It  rains", "right": "rain falls", "alignment": "1-0 1-0 0-1"}
ROWS = [
    (GOOD, None),
    ({**GOOD, "left": ["It", "rains"]}, None),
    ({**GOOD, "alignment": ""}, None),
    ({**GOOD, "pair_id": 7, "group_id": "g"}, None),
    ({**GOOD, "alignment": "0-2"}, "bad_row: a link leads to no token"),
    ({**GOOD, "alignment": "2-0"}, "bad_row: a link leads to no token"),
    ({**GOOD, "alignment": "0:1"}, "bad_row: no links in alignment"),
    ({**GOOD, "alignment": None}, "bad_row: no alignment"),
    ({**GOOD, "left": "  "}, "bad_row: no tokens in left"),
    ({**GOOD, "right": None}, "bad_row: no right"),
    ({**GOOD, "left": ["It rains"]}, "bad_row: a token of left is empty or has white space in it"),
    ({**GOOD, "left": "a " * 1001}, "bad_row: too long"),
    ({**GOOD, "pair_id": [1]}, "bad_row: pair_id is neither a text nor a number"),
    ({**GOOD, "dropped_for": None}, None),
    ({**GOOD, "dropped_for": "no_words"}, "bad_row: left out before for no_words"),
    ([1, 2], "bad_row: no JSON object"),
]


@pytest.mark.parametrize(("row", "reason"), ROWS)
def test_a_row_is_read_or_left_out_for_a_reason(row: object, reason: str | None) -> None:
    (found,) = read(json.dumps(row).encode())
    assert found["dropped_for"] == reason
    if reason is None:
        assert (found["left"], found["right"]) == ("It rains", "rain falls")


def test_what_is_broken_is_a_row_with_its_beginning() -> None:
    (found,) = read(b'{"left": "It ra')
    assert (found["left"], found["dropped_for"]) == ('{"left": "It ra', "bad_row: broken JSON")
    (found,) = read(b"x" * 1000, format="broken", context=b"too long")
    assert (len(str(found["left"])), found["dropped_for"]) == (200, "bad_row: too long")


def test_a_row_has_its_ids_or_ids_of_what_it_says() -> None:
    named, unnamed, again, other = read(
        *(json.dumps(row).encode() for row in ({**GOOD, "pair_id": 7, "group_id": "g"}, GOOD, GOOD)),
        json.dumps({**GOOD, "right": "rain fell"}).encode(),
    )
    assert (named["pair_id"], named["group_id"]) == ("7", "g")
    assert unnamed["pair_id"] == unnamed["group_id"] == unnamed["alignment_id"] == again["alignment_id"]
    assert len({row["alignment_id"] for row in (named, unnamed, other)}) == 3


def test_links_are_written_each_once_and_in_order() -> None:
    (found,) = read(json.dumps(GOOD).encode())
    assert found["links"] == "0-1 1-0"


def test_a_pair_that_came_several_times_is_counted_and_aligned_in_one_way() -> None:
    rows = read(*(json.dumps({**GOOD, "alignment": links}).encode() for links in ("1-1", "0-0", "1-0")))
    merged = merge_alignments(rows)
    assert (merged["links"], merged["copies"]) == ("0-0", 3)
    assert merge_alignments(rows[::-1]) == merged


TOKENS = [("The  Coast", "the coast"), ("ＣＯＡＳＴ “x”", 'coast "x"'), ("straße ´", "strasse ́"), ("a\u3000B", "a b")]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens_are_folded_and_stay_as_many(text: str, expected: str) -> None:
    assert comparable_tokens(text) == expected
    assert len(comparable_tokens(text).split(" ")) == len(text.split())
