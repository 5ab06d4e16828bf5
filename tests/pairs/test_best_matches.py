"""Best matches in any order: the best first, each sentence once, with a neighbour where that helps."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.pairs import best_matches as module
from paraloom.pairs.best_matches import LEAST_LIKE, best_matches
from paraloom.pairs.similarities import sentence_vectors

LEFT = [
    "The storm hit the coast of Norland on Monday night.",
    "Two fishing boats sank in the harbour of Vik, and their crews swam ashore.",
    "Schools stay closed until Thursday.",
    "The mayor praised the volunteers.",
]
RIGHT = [
    "Pupils will not go back to their schools until Thursday.",
    "An entirely different matter is the price of butter.",
    "In the harbour of Vik two fishing boats went down.",
    "Their crews swam ashore unharmed.",
    "On Monday night a storm reached Norland's coast.",
]


def matched(left: list[str], right: list[str]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    mine, other, _ = sentence_vectors(left, right)
    return [(match.left, match.right) for match in best_matches(mine, other)]


def test_sentences_find_each_other_whatever_their_order() -> None:
    found = matched(LEFT, RIGHT)
    assert ((0, 1), (4, 5)) in found
    assert ((2, 3), (0, 1)) in found


def test_a_sentence_takes_two_neighbours_if_they_say_it_together() -> None:
    assert ((1, 2), (2, 4)) in matched(LEFT, RIGHT)
    assert ((2, 4), (1, 2)) in matched(RIGHT, LEFT)


def test_strangers_have_no_match() -> None:
    assert matched(["quick brown fox"], ["zzz yyy"]) == []


@given(
    st.lists(st.sampled_from(LEFT + RIGHT), max_size=8),
    st.lists(st.sampled_from(LEFT + RIGHT), max_size=8),
)
@settings(deadline=None, max_examples=50)
def test_no_sentence_is_in_two_matches(left: list[str], right: list[str]) -> None:
    mine, other, _ = sentence_vectors(left, right)
    found = best_matches(mine, other)
    for side in ("left", "right"):
        taken = [place for match in found for place in range(*getattr(match, side))]
        assert len(taken) == len(set(taken))
    assert [match.left for match in found] == sorted(match.left for match in found)
    assert all(match.around is None and match.likeness > 0 for match in found)


def test_an_identical_sentence_is_the_best_match() -> None:
    shuffled = LEFT[::-1]
    assert matched(LEFT, shuffled) == [((place, place + 1), (3 - place, 4 - place)) for place in range(4)]


TIES = [
    (["a storm"], ["a storm"] * 20 + ["nothing"], [0, 1, 2, 3, 4, 5, 6, 7]),
    (["of nothing"] + ["a storm"] * 20, ["a storm"] * 21, [6, 7, 8, 9, 10, 11, 12, 13]),
    (["b"] * 10 + ["a storm"], ["a storms"] * 12 + ["a storm"] * 3, [7, 8, 9, 10, 11, 12, 13, 14]),
]


@pytest.mark.parametrize(("left", "right", "expected"), TIES)
def test_of_matches_as_good_as_the_last_the_nearest_are_candidates(
    left: list[str], right: list[str], expected: list[int]
) -> None:
    mine, other, _ = sentence_vectors(left, right)
    rows, columns = module._candidates(mine, other)
    assert columns[rows == min(10, len(left) - 1)].tolist() == expected


def test_sentences_that_are_said_again_and_again_find_each_other_in_bounded_memory() -> None:
    count = 4000
    mine, other, _ = sentence_vectors(["Thanks a lot!"] * count, ["Thanks a lot!"] * count)
    rows, _ = module._candidates(mine, other)
    assert np.bincount(rows).tolist() == [module.CANDIDATES] * count
    tracemalloc.start()
    found = best_matches(mine, other)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(match.left, match.right) for match in found] == [((n, n + 1), (n, n + 1)) for n in range(count)]
    assert peak < 100e6, "all pairs of them would be 16 million"


@given(
    st.lists(st.sampled_from([*LEFT, "Thanks.", "Thank you."]), min_size=1, max_size=15),
    st.lists(st.sampled_from([*RIGHT, "Thanks.", "Thank you."]), min_size=1, max_size=15),
    st.integers(1, 4),
)
@settings(deadline=None, max_examples=50)
def test_candidates_are_the_best_of_a_sentence_and_no_more_than_wanted(
    left: list[str], right: list[str], most: int
) -> None:
    mine, other, _ = sentence_vectors(left, right)
    table = mine.all_products(other, slice(0, len(left)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CANDIDATES", most)
        rows, columns = module._candidates(mine, other)
    for row in range(len(left)):
        taken = table[row, columns[rows == row]]
        enough = np.sort(table[row][table[row] >= LEAST_LIKE])[::-1]
        assert np.sort(taken)[::-1].tolist() == enough[:most].tolist()


def test_blocks_of_rows_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other, _ = sentence_vectors(LEFT, RIGHT)
    table = mine.all_products(other, slice(0, len(LEFT)))
    whole = np.argwhere(table >= LEAST_LIKE).tolist()
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 1)
    assert np.stack(module._candidates(mine, other), axis=1).tolist() == whole
