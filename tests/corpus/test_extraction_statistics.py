"""Table 1: what document pairs of each kind yield, counted in letters and digits, once each."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.extraction_statistics import (
    ExtractedDocuments,
    ExtractedSide,
    Span,
    extraction_figures,
    sides_of_document,
)
from paraloom.engine.rows import Members, members_of
from paraloom.errors import InputError
from paraloom.metrics.corpus_figures import ExtractionFigures


def pair(kind: str, left: str, right: str, *spans: tuple[Span, Span]) -> ExtractedDocuments:
    return ExtractedDocuments(kind=kind, left=left, right=right, spans=spans)


def figures_of(pairs: Iterable[ExtractedDocuments]) -> tuple[ExtractionFigures, ...]:
    return extraction_figures(side for one in pairs for side in one.sides())


def test_empty_pairs_count_as_candidates_alone() -> None:
    found = figures_of(
        [
            pair("subtitle", "abcd efgh", "ab 12", ((0, 4), (0, 2)), ((5, 9), (3, 5))),
            pair("subtitle", "abcd", "abcd, ef", ((0, 2), (0, 5))),
            pair("subtitle", "no passage at all", "in either text"),
            pair("article", "nothing", "here"),
        ]
    )
    article, subtitle = found
    assert (article.kind, article.candidates, article.documents, article.empty) == ("article", 1, 0, 1.0)
    assert (article.extracted_per_document, article.coverage, article.length) == (None, None, None)
    assert (subtitle.kind, subtitle.candidates, subtitle.documents, subtitle.extracted) == ("subtitle", 3, 2, 3)
    assert subtitle.empty == 0.333333
    assert subtitle.extracted_per_document == 1.5
    assert subtitle.coverage == round((8 + 4 + 2 + 4) / (8 + 4 + 4 + 6), 6)
    assert subtitle.length == 5.5


def test_what_lies_in_two_passages_counts_once() -> None:
    (found,) = figures_of([pair("thread", "abcdefgh", "xy", ((0, 4), (0, 1)), ((2, 6), (0, 1)), ((1, 3), (0, 1)))])
    assert found.coverage == 0.7


REFUSED = [((0, 9), (0, 1)), ((-1, 2), (0, 1)), ((2, 2), (0, 1)), ((3, 2), (0, 1)), ((0, 1), (0, 3))]


@pytest.mark.parametrize("spans", REFUSED)
def test_a_passage_outside_its_text_is_refused(spans: tuple[Span, Span]) -> None:
    with pytest.raises(InputError, match=r"A passage of the (left|right) text is said to lie from -?\d+ to \d+"):
        figures_of([pair("thread", "abcdefgh", "xy", spans)])


@st.composite
def documents(draw: st.DrawFn) -> ExtractedDocuments:
    texts = [draw(st.text(st.sampled_from("ab1 .é雨"), min_size=1, max_size=30)) for _ in range(2)]
    spans = draw(st.lists(st.tuples(*(_span(len(text)) for text in texts)), max_size=6))
    return ExtractedDocuments(kind=draw(st.sampled_from("xy")), left=texts[0], right=texts[1], spans=spans)


def _span(length: int) -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(0, length - 1), st.integers(1, length)).filter(lambda span: span[0] < span[1])


@given(st.lists(documents(), max_size=6))
def test_coverage_is_that_of_counting_letter_by_letter(given: list[ExtractedDocuments]) -> None:
    for found in figures_of(given):
        mine = [one for one in given if one.kind == found.kind]
        taken = [one for one in mine if one.spans]
        letters = covered = 0
        for one in taken:
            for side, text in enumerate((one.left, one.right)):
                inside = {place for spans in one.spans for place in range(*spans[side])}
                letters += sum(letter.isalnum() for letter in text)
                covered += sum(text[place].isalnum() for place in inside)
        assert (found.candidates, found.documents) == (len(mine), len(taken))
        assert found.coverage == (round(covered / letters, 6) if letters else None)
        assert found.length == (round(letters / 2 / len(taken), 6) if taken else None)


TEXT = "Storm hits coast\n\nIt came at night. Nobody slept."


def sides(kind: str, groups: dict[str, tuple[bool, int | None, int | None]], *taken: tuple[str, int, int]):
    """What is counted of one document in groups, each (is it the left one, start, end)."""
    names = ("group_id", "start", "end")
    passages = members_of(**{name: [one[place] for one in taken] for place, name in enumerate(names)})
    places = [(group, *place) for group, place in groups.items()]
    columns = ("group_id", "is_origin", "start", "end")
    placed = members_of(**{name: [one[place] for one in places] for place, name in enumerate(columns)})
    document = members_of(kind=[kind], title=["Storm hits coast"], text=[TEXT])
    return list(sides_of_document("d", document, placed, passages))


def test_a_document_is_counted_in_every_pair_it_is_in() -> None:
    found = sides("article", {"g": (True, None, None), "h": (False, 18, 34)}, ("g", 0, 5), ("g", 18, 20), ("h", 18, 20))
    assert found == [
        ExtractedSide(kind="article", is_left=True, passages=2, letters=38, covered=7),
        ExtractedSide(kind="article", is_left=False, passages=1, letters=13, covered=2),
    ]


def test_of_a_pair_that_gave_nothing_the_document_is_counted_too() -> None:
    assert sides("essay", {"g": (True, None, None)}) == [
        ExtractedSide(kind="essay", is_left=True, passages=0, letters=38, covered=0)
    ]


WHOLE_HEADING = ("g", 0, 16)


def test_where_only_headings_are_a_pair_they_are_no_documents() -> None:
    meant = {"g": (True, 0, 16)}
    (side,) = sides("article", meant, WHOLE_HEADING)
    assert side == ExtractedSide(kind="heading", is_left=True, passages=1, letters=14, covered=14)
    assert [side.kind for side in sides("article", {"g": (True, None, None)}, WHOLE_HEADING)] == ["article"]
    assert [side.kind for side in sides("article", {"g": (True, 0, 20)}, WHOLE_HEADING)] == ["article"]
    assert [side.kind for side in sides("subtitle", meant, WHOLE_HEADING)] == ["subtitle"]


def test_a_document_that_was_left_out_counts_for_nothing() -> None:
    nothing = members_of(kind=[], title=[], text=[])
    empty: Members = members_of(group_id=[], is_origin=[], start=[], end=[])
    assert list(sides_of_document("d", nothing, empty, empty)) == []
