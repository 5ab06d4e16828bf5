"""Both sides of every segment become sentences, each once, with the text that stands at their place."""

from __future__ import annotations

import pyarrow as pa
import pytest

from paraloom.engine.rows import from_rows, members_of, row_schema
from paraloom.sentences.spans import Span, sentences_of_spans, spans_of_segments
from paraloom.tables import Segment, Sentence, check, make_id


def segment(number: int, left: tuple[int, int], right: tuple[int, int], dropped_for: str | None = None) -> Segment:
    return Segment(
        segment_id=f"s{number}",
        group_id="g",
        left_document_id="a",
        left_start=left[0],
        left_end=left[1],
        right_document_id="b",
        right_start=right[0],
        right_end=right[1],
        shape="1-1",
        suggested_by="in-order",
        reason="1-1 in order",
        score=0.5,
        dropped_for=dropped_for,
    )


SEGMENTS = [segment(1, (0, 3), (0, 5)), segment(2, (4, 9), (6, 9), "low_score")]


def test_every_segment_has_two_sides() -> None:
    spans = spans_of_segments(from_rows(SEGMENTS, row_schema(Segment)))
    assert spans.schema == row_schema(Span)
    assert spans.to_pylist() == [
        {"document_id": "a", "group_id": "g", "start": 0, "end": 3, "made_by": "in-order", "dropped_for": None},
        {"document_id": "a", "group_id": "g", "start": 4, "end": 9, "made_by": "in-order", "dropped_for": "low_score"},
        {"document_id": "b", "group_id": "g", "start": 0, "end": 5, "made_by": "in-order", "dropped_for": None},
        {"document_id": "b", "group_id": "g", "start": 6, "end": 9, "made_by": "in-order", "dropped_for": "low_score"},
    ]


def test_no_segments_have_no_sides() -> None:
    assert len(spans_of_segments(from_rows([], row_schema(Segment)))) == 0


def test_columns_that_are_not_wanted_do_no_harm() -> None:
    table = from_rows(SEGMENTS, row_schema(Segment)).select(
        [name for name in row_schema(Segment).names if name not in ("shape", "reason", "score")]
    )
    assert len(spans_of_segments(pa.table(table))) == 4


def spans(*rows: tuple[int, int, str, str | None]):
    columns = list(zip(*rows, strict=True)) or [()] * 4
    return members_of(
        document_id=["a"] * len(rows), start=columns[0], end=columns[1], made_by=columns[2], dropped_for=columns[3]
    )


TEXT = "The storm\ncame   over night."


def sentences(*rows: tuple[int, int, str, str | None]) -> list[Sentence]:
    made = list(sentences_of_spans("a", spans(*rows), members_of(document_id=["a"], text=[TEXT])))
    check(from_rows(made, row_schema(Sentence)), Sentence)
    return made


def test_a_stretch_has_its_place_and_its_text_with_single_blanks() -> None:
    (made,) = sentences((4, 21, "in-order", None))
    assert made.text == "storm came over"
    assert TEXT[made.start : made.end] == "storm\ncame   over"
    assert made.sentence_id == make_id("a", 4, 21)
    assert (made.document_id, made.made_by, made.dropped_for) == ("a", "in-order", None)


KEPT_OR_WHY = [
    ([None, "low_score"], None),
    (["too_short", "low_score"], "low_score"),
    (["too_short"], "too_short"),
]


@pytest.mark.parametrize(("reasons", "reason"), KEPT_OR_WHY)
def test_a_stretch_is_left_out_only_if_all_its_segments_are(reasons: list[str | None], reason: str | None) -> None:
    (made,) = sentences(*((0, 9, "best-match", why) for why in reasons))
    assert made.dropped_for == reason


def test_stretches_come_in_order_each_once_and_the_maker_does_not_depend_on_the_rows_order() -> None:
    rows = [(10, 14, "in-order", None), (0, 9, "in-order", None), (10, 14, "best-match", None)]
    assert sentences(*rows) == sentences(*rows[::-1])
    assert [(one.start, one.made_by) for one in sentences(*rows)] == [(0, "in-order"), (10, "best-match")]


def test_a_document_that_was_left_out_has_no_stretches() -> None:
    assert list(sentences_of_spans("a", spans((0, 3, "in-order", None)), members_of(document_id=[], text=[]))) == []
    assert sentences() == []
