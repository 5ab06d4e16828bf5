"""Neighbours become pairs, each once, with margin and whether both found each other; trivial ones say so."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.graphs import clusters
from paraloom.pairs.cluster_loops import flatten, link
from paraloom.pairs.mine import (
    BELOW_MARGIN,
    BELOW_SIMILARITY,
    FOUND,
    NOT_MUTUAL,
    PROPOSED,
    joined_edges,
    margins_of,
    mean_similarities,
    proposed,
)
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.pairs.mined_texts import MinedPairs, trivial_reason
from paraloom.tables import Pair, check, pair_id_of

directed = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).filter(lambda edge: edge[0] != edge[1]), unique=True, max_size=40
)


@given(directed)
def test_a_pair_is_there_once_and_mutual_where_both_ends_have_found_each_other(edges: list[tuple[int, int]]) -> None:
    sources, targets = (np.array([edge[side] for edge in edges], np.int64) for side in (0, 1))
    joined = joined_edges(sources, targets, (sources + targets) / 100)
    expected = {tuple(sorted(edge)): edge[::-1] in edges for edge in edges}
    found = list(zip(joined.low.tolist(), joined.high.tolist(), strict=True))
    assert found == sorted(expected)
    assert joined.is_mutual.tolist() == [expected[pair] for pair in found]
    assert joined.similarity.tolist() == [sum(pair) / 100 for pair in found]


def test_the_margin_is_that_of_the_paper_by_hand() -> None:
    """Artetxe and Schwenk (2019), equation 2: cos(x, y) over the sum of both means over 2k."""
    similar = np.array([[0.9, 0.6], [0.9, 0.3], [0.6, 0.3]])
    means = mean_similarities(similar, np.ones((3, 2), bool))
    edges = joined_edges(np.array([0, 0, 1]), np.array([1, 2, 2]), np.array([0.9, 0.6, 0.3]))
    by_hand = [0.9 / ((0.9 + 0.6) / 4 + (0.9 + 0.3) / 4), 0.6 / (1.5 / 4 + 0.9 / 4), 0.3 / (1.2 / 4 + 0.9 / 4)]
    assert margins_of(edges, means[edges.low], means[edges.high]) == pytest.approx(by_hand, abs=1e-6)


def test_a_sentence_near_to_everything_has_a_lower_margin_than_one_with_a_single_neighbour() -> None:
    edges = joined_edges(np.array([0, 2]), np.array([1, 3]), np.array([0.8, 0.8]))
    hub, single = margins_of(edges, np.array([0.78, 0.3]), np.array([0.78, 0.3]))
    assert hub < 1.1 < 2 < single


def test_without_neighbours_the_mean_and_the_margin_are_0() -> None:
    assert mean_similarities(np.zeros((1, 2)), np.zeros((1, 2), bool)).tolist() == [0.0]
    edges = joined_edges(np.array([0]), np.array([1]), np.array([0.5]))
    assert margins_of(edges, np.zeros(1), np.zeros(1)).tolist() == [0.0]


def test_what_is_not_proposed_is_counted_under_the_first_reason() -> None:
    edges = joined_edges(np.array([0, 1, 0, 2, 0]), np.array([1, 0, 2, 3, 3]), np.array([0.9, 0.9, 0.8, 0.7, 0.2]))
    margins = np.array([1.5, 1.2, 0.1, 0.9])
    options = MinedPairOptions(min_similarity=0.5, mutual=True, min_margin=1.0)
    kept, tally = proposed(edges, margins, options)
    assert kept.tolist() == [True, False, False, False]
    assert tally == {FOUND: 4, BELOW_SIMILARITY: 1, NOT_MUTUAL: 2, BELOW_MARGIN: 0, PROPOSED: 1}
    kept, tally = proposed(edges, margins, MinedPairOptions(min_similarity=0.5, min_margin=1.0))
    assert tally == {FOUND: 4, BELOW_SIMILARITY: 1, NOT_MUTUAL: 0, BELOW_MARGIN: 1, PROPOSED: 2}


TRIVIAL = [
    ("It is raining.", "it is raining!", "trivial: punctuation"),
    ("Any body home?", "anybody home", "trivial: punctuation"),
    ("Score: 2 to 1", "Score: 14 to 3", "trivial: digits"),
    ("the dog bit the man", "the man bit the dog", "trivial: word order"),
    ("The storm hit the coast.", "The storm struck the coast.", None),
    ("暴风雨", "暴雨", None),
]


@pytest.mark.parametrize(("left", "right", "reason"), TRIVIAL)
def test_a_difference_that_is_none_is_trivial(left: str, right: str, reason: str | None) -> None:
    assert trivial_reason(left, right) == trivial_reason(right, left) == reason


def mined(texts: list[tuple[str, str]], options: MinedPairOptions) -> list[dict[str, object]]:
    count = len(texts)
    edges = pa.table(
        {
            "left_id": [f"{number:032x}" for number in range(count)],
            "right_id": [f"{number + 100:032x}" for number in range(count)],
            "left": [left for left, _ in texts],
            "right": [right for _, right in texts],
            "similarity": [0.9] * count,
            "margin": [1.1] * count,
            "is_mutual": [True] * count,
        }
    )
    return check(MinedPairs(options, "neighbours:test")(edges), Pair).to_pylist()


def test_a_pair_outside_the_lexical_band_is_a_row_with_the_reason() -> None:
    texts = [
        ("the storm hit the coast", "the storm hit the coasts"),
        ("the storm hit the coast", "gales battered seaside towns"),
        ("the storm hit the coast", "a storm struck our coast"),
    ]
    rows = mined(texts, MinedPairOptions(lexical_band=(0.2, 0.9)))
    assert [row["dropped_for"] for row in rows] == ["lexical: above the band", "lexical: below the band", None]
    assert all(row["pair_id"] == pair_id_of(row["left_id"], row["right_id"]) for row in rows)
    assert all(row["group_id"] == row["left_id"] for row in rows)


def test_trivial_pairs_are_kept_where_asked() -> None:
    texts = [("It rains.", "It rains!")]
    assert mined(texts, MinedPairOptions())[0]["dropped_for"] == "trivial: punctuation"
    assert mined(texts, MinedPairOptions(keep_trivial=True))[0]["dropped_for"] is None


@given(directed)
def test_clusters_of_numbers_are_those_of_names(edges: list[tuple[int, int]]) -> None:
    parents = np.arange(10)
    half = len(edges) // 2
    for some in (edges[half:], edges[:half]):
        left, right = (np.array([edge[side] for edge in some], np.int64) for side in (0, 1))
        link(parents, left, right)
    flatten(parents)
    named = clusters([(str(left), str(right)) for left, right in edges])
    assert {str(node): str(parents[node]) for node in range(10) if str(node) in named} == named
    assert all(parents[node] == node for node in range(10) if str(node) not in named)
