"""At which shift two versions speak and are silent together."""

from __future__ import annotations

from random import Random

import pytest

from paraloom.groups.caption_activity import best_shift
from paraloom.groups.caption_anchors import Timed
from tests.groups.made_up_films import Making, make_film, make_version


@pytest.mark.parametrize("rate", [1.0, 1.04, 0.8])
@pytest.mark.parametrize("offset", [-40.0, 0.0, 333.5])
def test_the_shift_is_found_without_words(rate: float, offset: float) -> None:
    random = Random(f"{rate} {offset}")
    film = make_film(random, 300)
    left = make_version(random, film.left, Making())
    right = make_version(random, film.right, Making(rate=rate, offset=offset))
    shift = best_shift(left.captions, right.captions, (1.0, 1.04, 0.8))
    assert shift.rate == rate
    assert shift.offset == pytest.approx(offset, abs=1)
    assert shift.correlation > 0.4
    assert shift.rival < shift.correlation / 2


def test_different_films_hardly_agree() -> None:
    random = Random(2)
    left, right = (make_version(random, make_film(random, 300).left, Making()) for _ in range(2))
    shift = best_shift(left.captions, right.captions, (1.0, 1.04))
    assert shift.correlation < 0.25
    assert shift.rival > shift.correlation / 2


def test_times_that_cannot_be_are_passed_over() -> None:
    talk = [Timed(10.0 * number + (number % 7), 10.0 * number + 5, "") for number in range(60)]
    wrong = [Timed(-5, -1, ""), Timed(9, 3, ""), Timed(1e9, 1e9 + 1, "")]
    assert best_shift([*talk, *wrong], talk, (1.0,)) == best_shift(talk, talk, (1.0,))
    assert best_shift(wrong, talk, (0.8, 1.0, 1.2)).rate == 1
