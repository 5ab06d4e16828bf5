"""Pairs of the corpus are told with the place of both sides, whichever side a sentence stands on now."""

from __future__ import annotations

import pyarrow as pa

from paraloom.corpus.context import PairPlaces, in_context, places_of_pairs
from paraloom.engine.rows import row_schema
from paraloom.tables import pair_id_of, sentence_id_of

LEFT, RIGHT = ("a", 3, 9), ("b", 0, 4)
LEFT_ID, RIGHT_ID = sentence_id_of(*LEFT), sentence_id_of(*RIGHT)
PAIR = pair_id_of(LEFT_ID, RIGHT_ID)


def segments() -> pa.Table:
    named = {f"{side}_{name}": [] for side in ("left", "right") for name in ("document_id", "start", "end")}
    for row in ((*LEFT, *RIGHT), ("c", 1, 2, "d", 3, 4)):
        for name, value in zip(named, row, strict=True):
            named[name].append(value)
    return pa.table({**named, "score": [0.5, 0.7]})


def test_places_are_those_of_the_pair_that_the_segment_becomes() -> None:
    found = places_of_pairs(segments())
    assert found.schema == row_schema(PairPlaces)
    assert found.column("pair_id").to_pylist() == [
        PAIR,
        pair_id_of(sentence_id_of("c", 1, 2), sentence_id_of("d", 3, 4)),
    ]
    assert len(places_of_pairs(segments().slice(0, 0))) == 0


def test_a_pair_has_the_places_of_its_own_sides() -> None:
    places = places_of_pairs(segments())
    rows = [
        {"pair_id": PAIR, "left_id": LEFT_ID, "right_id": RIGHT_ID},
        {"pair_id": PAIR, "left_id": RIGHT_ID, "right_id": LEFT_ID},
    ]
    told, swapped = (row["context"] for row in in_context(rows, places))
    assert told == {
        "left_document_id": "a",
        "left_start": 3,
        "left_end": 9,
        "right_document_id": "b",
        "right_start": 0,
        "right_end": 4,
    }
    assert (swapped["left_document_id"], swapped["left_start"], swapped["right_document_id"]) == ("b", 0, "a")
