"""Which captions of two versions are taken for counterparts."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from paraloom.groups.caption_anchors import Anchors, Timed, find_anchors
from tests.groups.made_up_films import Making, make_film, make_version


def found(left: list[str], right: list[str]) -> list[tuple[int, int]]:
    """By their numbers, the captions that are taken for counterparts."""
    anchors = find_anchors(
        [Timed(number, number + 1, text) for number, text in enumerate(left)],
        [Timed(number, number + 1, text) for number, text in enumerate(right)],
    )
    return list(zip(anchors.left.astype(int).tolist(), anchors.right.astype(int).tolist(), strict=True))


SHARED = [
    (["Where is Marlow?"], ["Marlow, come here!"], [(0, 0)]),
    (["At 19:45."], ["It leaves at 19:45."], [(0, 0)]),
    (["Talossa", "Vene"], ["Veneessä", "Talosta"], [(0, 1), (1, 0)]),
    (["MARLOW!"], ["marlow"], [(0, 0)]),
    (["Marlow is late", "Marlow"], ["Marlow"], [(1, 0)]),
    (["我爱你"], ["我爱你们"], [(0, 0)]),
    (["yes"], ["no"], []),
    (["", " "], ["", "?"], []),
    (["Marlow"] * 5, ["Marlow"], []),
    ([], ["Marlow"], []),
    (["Marlow"], [], []),
]


@pytest.mark.parametrize(("left", "right", "pairs"), SHARED)
def test_captions_are_counterparts_by_the_rare_words_they_share(
    left: list[str], right: list[str], pairs: list[tuple[int, int]]
) -> None:
    assert found(left, right) == pairs
    assert sorted((one, other) for other, one in found(right, left)) == pairs


def test_most_anchors_of_a_film_are_counterparts_and_those_of_another_are_few() -> None:
    random = Random(1)
    film = make_film(random, 800)
    left, right = make_version(random, film.left, Making()), make_version(random, film.right, Making())
    anchors = find_anchors(left.captions, right.captions)
    other = find_anchors(left.captions, make_version(random, make_film(random, 800).right, Making()).captions)
    assert len(anchors) > 150
    assert np.mean(np.abs(anchors.left - anchors.right) < 8) > 0.6
    assert len(other) < len(anchors) / 2


def test_anchors_come_by_left_time_and_the_strongest_keep_their_order() -> None:
    anchors = Anchors(np.arange(5.0), np.arange(5.0), np.array([0.5, 0.9, 0.5, 0.2, 0.9]))
    assert anchors.strongest(3).left.tolist() == [0, 1, 4]
    assert len(anchors.strongest(9)) == 5
