"""The small parts of a report: pieces of sentences, histograms, drawings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.reports.build_charts import score_histogram
from paraloom.reports.columns import short_ids
from paraloom.reports.differences import differences
from paraloom.reports.drawing import COLOURS
from paraloom.reports.histograms import BINS, Histogram, HistogramCounter, TwoHistograms, size_bins
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


@given(st.lists(st.lists(st.integers(0, 2**128 - 1).map(lambda number: f"{number:032x}"))), st.integers(0, 3))
def test_a_short_id_is_the_number_that_its_first_digits_write(chunks: list[list[str]], start: int) -> None:
    column = pa.chunked_array(chunks, pa.string()).slice(start)
    assert short_ids(column).tolist() == [int(value[:16], 16) for value in column.to_pylist()]


def scored(place: int, pairs: int) -> Histogram:
    counts = [0] * BINS
    counts[place] = pairs
    return Histogram(counts=tuple(counts), values=pairs, mean=None)


THRESHOLDS = [(0.5, "threshold 0.5"), (0.72, "threshold 0.72"), (0.0, "threshold 0"), (None, None), (2.0, None)]


@pytest.mark.parametrize(("threshold", "told"), THRESHOLDS)
def test_the_threshold_is_a_line_with_its_name(threshold: float | None, told: str | None) -> None:
    both = TwoHistograms(paraphrases=scored(18, 3), others=scored(12, 4))
    drawn = score_histogram("scores", both, threshold, "scores of pairs")
    assert drawn
    assert ("threshold" in drawn) == (told is not None)
    assert told is None or f">{told}</text>" in drawn


def test_bars_of_scores_have_the_colour_of_their_label_and_not_of_their_side_of_a_half() -> None:
    none = Histogram(counts=(0,) * BINS, values=0, mean=None)
    drawn = score_histogram("scores", TwoHistograms(paraphrases=none, others=scored(12, 4)), 0.7, "scores of pairs")
    assert drawn
    bars = [path for path in drawn.split("<path")[1:] if "Z" in path.split("/path")[0]]
    first, pale = COLOURS["first"][0], COLOURS["pale"][0]
    assert sum(f'fill="{pale}"' in bar for bar in bars) == 1 + sum(f'fill="{first}"' in bar for bar in bars)


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
