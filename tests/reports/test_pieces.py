"""The small parts of a report: pieces of sentences, histograms, drawings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.reports.differences import differences
from paraloom.reports.histograms import BINS, HistogramCounter, size_bins
from paraloom.reports.svg import inlined

OWN_WORDS = [
    ("the storm hit", "the storm hit", [], []),
    ("The storm hit!", "the STORM, hit", [], []),
    ("a b a", "a c", ["b a"], ["c"]),
    ("storm hits coast", "coast hits storm", [], []),
    ("don’t panic", "don't worry", ["panic"], ["worry"]),
    ("我爱北京", "我爱上海", ["北京"], ["上海"]),
    ("", "all new", [], ["all new"]),
]


@pytest.mark.parametrize(("left", "right", "of_left", "of_right"), OWN_WORDS)
def test_marked_words_are_those_the_other_side_lacks(
    left: str, right: str, of_left: list[str], of_right: list[str]
) -> None:
    pieces = differences(left, right)
    assert [piece.text for piece in pieces[0] if piece.is_own] == of_left
    assert [piece.text for piece in pieces[1] if piece.is_own] == of_right


@given(st.text(), st.text())
def test_pieces_joined_are_the_sentence(left: str, right: str) -> None:
    pieces = differences(left, right)
    assert tuple("".join(piece.text for piece in side) for side in pieces) == (left, right)
    for side in pieces:
        assert all(one.is_own != other.is_own for one, other in pairwise(side))


@given(st.lists(st.floats(0, 1)), st.integers(0, 20))
def test_a_histogram_counts_every_value_however_it_is_cut(values: list[float], cut: int) -> None:
    counter = HistogramCounter()
    counter.add(np.array(values[:cut], float))
    counter.add(np.array([*values[cut:], float("nan")], float))
    result = counter.result()
    assert (len(result.counts), sum(result.counts), result.values) == (BINS, len(values), len(values))


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_every_size_has_its_bin(sizes: list[int]) -> None:
    bins = size_bins(sizes, sizes)
    assert sum(bin.before for bin in bins) == sum(bin.after for bin in bins) == len(sizes)
    for bin in bins:
        assert bin.before == sum(1 for size in sizes if bin.least <= size and (bin.most is None or size <= bin.most))


def test_two_drawings_in_one_page_do_not_share_ids() -> None:
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="2" viewBox="0 0 4 2" class="marks">'
        '<defs><clipPath id="clip0"><path d="M0"/></clipPath></defs>'
        '<g clip-path="url(#clip0)" aria-label="part" role="x"><text>a &lt;b&gt;</text></g></svg>'
    )
    shown = inlined(drawn, "sizes", 'all "of" it')
    assert 'id="sizes-0"' in shown
    assert 'clip-path="url(#sizes-0)"' in shown
    assert "a &lt;b&gt;" in shown
    assert "part" not in shown
    assert 'width="4"' not in shown
    assert 'aria-label="all &quot;of&quot; it"' in shown
