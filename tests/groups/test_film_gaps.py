"""Where what only one version has is taken to begin and end."""

from __future__ import annotations

import pytest

from paraloom.groups.caption_anchors import Timed
from paraloom.groups.film_gaps import gap_between
from paraloom.groups.time_lines import Stretch

BEGINS = [0, 4, 9, 15, 22, 30, 39, 49, 60, 72, 85, 99, 114, 130, 147, 165, 184, 204, 225, 247]
"""Every pause is longer than the one before: no two stretches are alike."""


def talk(begins: list[float]) -> list[Timed]:
    return [Timed(begin, begin + 3, "") for begin in begins]


@pytest.mark.parametrize("rate", [1.0, 1.04])
@pytest.mark.parametrize("seam", range(3, 17))
def test_an_advertisement_begins_in_the_pause_behind_which_captions_come_later(seam: int, rate: float) -> None:
    right = [rate * (begin + (60 if place >= seam else 0)) + 10 for place, begin in enumerate(BEGINS)]
    before = Stretch(10, BEGINS[0], BEGINS[1], 2)
    after = Stretch(10 + 60 * rate, BEGINS[-2], BEGINS[-1], 2)
    gap = gap_between(before, after, rate, talk(list(map(float, BEGINS))), talk(right))
    assert BEGINS[seam - 1] + 3 <= gap.left_from == gap.left_to <= BEGINS[seam]
    assert gap.right_to - gap.right_from == pytest.approx(60 * rate)
    assert right[seam - 1] <= gap.right_from < gap.right_to <= right[seam]


@pytest.mark.parametrize("rate", [1.0, 1.04])
@pytest.mark.parametrize("seam", range(3, 13))
def test_a_cut_ends_where_captions_have_counterparts_again(seam: int, rate: float) -> None:
    kept = [place for place in range(len(BEGINS)) if not seam <= place < seam + 4]
    cut = BEGINS[seam + 4] - BEGINS[seam] - 1.7  # else the first caption behind it begins when the first in it does
    right = [rate * (BEGINS[place] - (cut if place >= seam else 0)) + 10 for place in kept]
    before = Stretch(10, BEGINS[0], BEGINS[1], 2)
    after = Stretch(10 - cut * rate, BEGINS[-2], BEGINS[-1], 2)
    gap = gap_between(before, after, rate, talk(list(map(float, BEGINS))), talk(right))
    assert gap.right_from == gap.right_to
    assert gap.left_to - gap.left_from == pytest.approx(cut, abs=1e-5)
    lost = [place for place, begin in enumerate(BEGINS) if gap.left_from <= begin + 1.5 < gap.left_to]
    assert lost == list(range(seam, seam + 4))


def test_without_a_pause_the_middle_is_taken() -> None:
    gap = gap_between(Stretch(0, 10, 20, 2), Stretch(30, 40, 60, 2), 1.0, talk([10]), talk([10]))
    assert gap == (30, 30, 30, 60)
