"""Found links are measured against those of people."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.word_links import GoldLinks, LinkCounts, link_figures

LINKS = st.frozensets(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


def gold(*sure: tuple[int, int], possible: frozenset[tuple[int, int]] = frozenset()) -> GoldLinks:
    return GoldLinks(sure=frozenset(sure), possible=possible)


def test_micro_counts_links_and_macro_counts_pairs() -> None:
    figures = link_figures([gold((0, 0), (1, 1), (2, 2)), gold((0, 0))], [[(0, 0), (1, 1), (2, 2)], [(1, 1)]])
    assert (figures.precision, figures.recall, figures.f1) == (0.75, 0.75, 0.75)
    assert (figures.macro_precision, figures.macro_recall, figures.macro_f1) == (0.5, 0.5, 0.5)
    assert figures.exact_match == 0.5


def test_a_possible_link_is_not_wrong_and_need_not_be_found() -> None:
    one = gold((0, 0), possible=frozenset({(1, 1)}))
    without, with_it, wrong = (link_figures([one], [links]) for links in ([(0, 0)], [(0, 0), (1, 1)], [(0, 0), (2, 2)]))
    assert without.exact_match == with_it.exact_match == 1
    assert with_it.precision == 1
    assert wrong.precision == 0.5
    assert wrong.exact_match == 0


def test_a_pair_without_links_on_either_side_is_right() -> None:
    assert link_figures([gold()], [[]]).macro_f1 == 1
    assert link_figures([gold()], [[(0, 0)]]).macro_precision == 0
    nothing = link_figures([gold((0, 0))], [[]])
    assert (nothing.macro_precision, nothing.macro_recall, nothing.macro_f1) == (0, 0, 0)


@given(st.lists(st.tuples(LINKS, LINKS), min_size=1, max_size=5))
def test_figures_are_those_of_plain_sets(
    rows: list[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]],
) -> None:
    figures = link_figures([GoldLinks(sure=sure) for sure, _ in rows], [found for _, found in rows])
    hit = sum(len(sure & found) for sure, found in rows)
    found_in_all, sure_in_all = (sum(len(row[side]) for row in rows) for side in (1, 0))
    assert figures.precision == pytest.approx(hit / found_in_all if found_in_all else 1)
    assert figures.recall == pytest.approx(hit / sure_in_all if sure_in_all else 1)
    assert figures.exact_match == pytest.approx(sum(sure == found for sure, found in rows) / len(rows))
    total = found_in_all + sure_in_all
    assert figures.error_rate == pytest.approx(1 - 2 * hit / total if total else 0)


@given(st.lists(st.tuples(LINKS, LINKS), min_size=1, max_size=5))
def test_links_drawn_twice_and_any_order_of_pairs_change_nothing(
    rows: list[tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]],
) -> None:
    people = [GoldLinks(sure=sure) for sure, _ in rows]
    counts = LinkCounts.of(people, [[*found, *found] for _, found in rows])
    backwards = counts.figures(np.arange(len(rows))[::-1])
    assert backwards.as_json() == pytest.approx(link_figures(people, [found for _, found in rows]).as_json())
