"""The nearest lists are found by products and by the graph alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import EngineError
from paraloom.models.neighbours import probes as module
from paraloom.models.neighbours.index import Index, write_head
from paraloom.models.neighbours.lists import Lists, read_lists
from paraloom.models.neighbours.probes import GRAPH, ListFinder, build_graph
from tests.models.neighbours.made_up import clustered


@pytest.fixture(scope="module")
def many_lists(coder) -> Lists:
    centroids = coder.encode(clustered(2000, 24, 100, seed=9))
    return Lists(centroids=centroids, starts=np.array([0, 2000]))


def test_the_graph_agrees_with_all_products(many_lists: Lists, rows: np.ndarray) -> None:
    some = rows[::10][:250]
    exact = ListFinder(many_lists).nearest_lists(some, 16)
    walked = ListFinder(many_lists, build_graph(many_lists.centroids)).nearest_lists(some, 16)
    known = (some != 0).any(axis=1)
    shared = [len(set(left) & set(right)) / 16 for left, right in zip(exact[known], walked[known], strict=True)]
    assert np.mean(shared) >= 0.99
    assert (exact[known, 0] == walked[known, 0]).mean() >= 0.99


def test_the_graph_is_the_same_every_time(many_lists: Lists, rows: np.ndarray) -> None:
    one, other = (ListFinder(many_lists, build_graph(many_lists.centroids)) for _ in range(2))
    np.testing.assert_array_equal(one.nearest_lists(rows[:300], 8), other.nearest_lists(rows[:300], 8))


def test_a_graph_is_kept_on_disk_where_there_are_many_lists(
    many_lists: Lists, coder, rows: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_head(tmp_path, many_lists, coder)
    assert not (tmp_path / GRAPH).exists()
    monkeypatch.setattr(module, "MOST_BY_PRODUCT", 500)
    write_head(tmp_path, many_lists, coder)
    opened = Index(tmp_path, read_lists(tmp_path), coder).finder
    built = ListFinder(many_lists, build_graph(many_lists.centroids))
    assert opened.graph is not None
    np.testing.assert_array_equal(opened.nearest_lists(rows[:50], 8), built.nearest_lists(rows[:50], 8))
    (tmp_path / GRAPH).write_bytes((tmp_path / GRAPH).read_bytes()[:1000])
    with pytest.raises(EngineError, match=GRAPH):
        ListFinder.open(tmp_path, many_lists)


@pytest.mark.parametrize("together", [None, 7])
def test_a_sentence_probes_the_nearest_lists(
    together: int | None, many_lists: Lists, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    if together is not None:
        monkeypatch.setattr(module, "FEWEST_AT_ONCE", together)
        monkeypatch.setattr(module, "LISTS_AT_ONCE", 1)
    some = rows[20:220]
    dots = some.astype(int) @ many_lists.centroids.astype(int).T
    for probes in (1, 8, 9, 300):
        expected = np.argsort(-dots, axis=1, kind="stable")[:, :probes]
        np.testing.assert_array_equal(ListFinder(many_lists).probed(some, probes), expected)


def test_with_a_graph_a_sentence_probes_the_nearest_of_the_lists_within_reach_of_its_own(
    many_lists: Lists, rows: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder = ListFinder(many_lists, build_graph(many_lists.centroids))
    some = rows[20:220]
    own = finder.own_lists(some)
    monkeypatch.setattr(module, "REACH", 300)
    assert finder.most_probes == 300
    probed = finder.probed(some, 8)
    dots = some.astype(int) @ many_lists.centroids.astype(int).T
    for row, reach in enumerate(finder.nearest_lists(many_lists.centroids[own], 300)):
        assert probed[row].tolist() == sorted(reach, key=lambda number: (-dots[row, number], number))[:8]


def test_more_probes_than_lists_are_all_lists(index: Index, rows: np.ndarray) -> None:
    probed = index.finder.probed(rows[:5], 1000)
    assert np.sort(probed, axis=1).tolist() == [list(range(40))] * 5
