"""What is linked belongs together, whichever way the links are given."""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.graphs import clusters

Edges = list[tuple[str, str]]

LINKED = [
    ([], {}),
    ([("a", "b")], {"a": "a", "b": "a"}),
    ([("b", "a")], {"a": "a", "b": "a"}),
    ([("a", "a")], {"a": "a"}),
    ([("a", "b"), ("a", "b"), ("b", "a")], {"a": "a", "b": "a"}),
    ([("d", "c"), ("c", "b"), ("b", "a")], {"a": "a", "b": "a", "c": "a", "d": "a"}),
    ([("a", "b"), ("c", "d")], {"a": "a", "b": "a", "c": "c", "d": "c"}),
    ([("a", "b"), ("c", "d"), ("b", "d")], {"a": "a", "b": "a", "c": "a", "d": "a"}),
    ([("a", "b"), ("b", "c"), ("c", "a")], {"a": "a", "b": "a", "c": "a"}),
]


@pytest.mark.parametrize(("edges", "found"), LINKED)
def test_linked_nodes_share_the_cluster_of_the_smallest(edges: Edges, found: dict[str, str]) -> None:
    assert clusters(edges) == found


def searched(edges: Edges) -> dict[str, str]:
    """The same by a search from every node, smallest first."""
    neighbours: dict[str, set[str]] = defaultdict(set)
    for left, right in edges:
        neighbours[left].add(right)
        neighbours[right].add(left)
    found: dict[str, str] = {}
    for start in sorted(neighbours):
        waiting = deque([] if start in found else [start])
        while waiting:
            node = waiting.popleft()
            if node not in found:
                found[node] = start
                waiting.extend(neighbours[node])
    return found


node = st.integers(0, 25).map(lambda number: f"{number:02d}")
some_edges = st.lists(st.tuples(node, node), max_size=40)


@settings(max_examples=200, deadline=None)
@given(some_edges)
def test_clusters_are_what_a_search_through_the_links_finds(edges: Edges) -> None:
    assert clusters(edges) == searched(edges)


@settings(max_examples=100, deadline=None)
@given(some_edges, st.randoms(use_true_random=False))
def test_the_order_and_direction_of_links_do_not_show(edges: Edges, random) -> None:
    turned = [(right, left) if random.random() < 0.5 else (left, right) for left, right in edges]
    random.shuffle(turned)
    assert list(clusters(turned).items()) == list(clusters(edges).items())


def test_a_long_chain_is_one_cluster() -> None:
    names = [f"{number:06d}" for number in range(20_000)]
    edges = list(pairwise(names))
    for given_ in (edges, edges[::-1]):
        assert set(clusters(given_).values()) == {"000000"}
