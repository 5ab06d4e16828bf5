"""Whether the times of one version of a film are found in the other, whatever was done to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest

from paraloom.groups.caption_activity import best_shift
from paraloom.groups.caption_anchors import Timed
from paraloom.groups.caption_times import MOST_RIVAL_CORRELATION, SURE_ANCHORS, TimeMap, time_map
from paraloom.groups.time_lines import USUAL_RATES
from tests.groups.made_up_films import Film, Line, Making, Version, make_film, make_version, shown_at

PAL = 25 / (24000 / 1001)

DONE_TO_THE_RIGHT: dict[str, Callable[[Random, float], Making]] = {
    "nothing": lambda random, length: Making(),
    "a studio's logo first": lambda random, length: Making(offset=random.uniform(-300, 400)),
    "another frame rate": lambda random, length: Making(
        rate=random.choice(USUAL_RATES), offset=random.uniform(-60, 60)
    ),
    "any drift": lambda random, length: Making(rate=random.uniform(0.95, 1.05), offset=random.uniform(-300, 400)),
    "no beginning": lambda random, length: Making(rate=PAL, begins_at=random.uniform(0.1, 0.4) * length),
    "no beginning, times from 0": lambda random, length: Making(begins_at=0.3 * length, offset=-0.3 * length),
    "no end": lambda random, length: Making(rate=1 / PAL, ends_at=random.uniform(0.6, 0.9) * length),
    "an advertisement": lambda random, length: Making(
        rate=random.choice((1.0, PAL)), breaks=[(random.uniform(0.2, 0.8) * length, random.uniform(20, 240))]
    ),
    "three advertisements": lambda random, length: Making(
        breaks=[(share * length, random.uniform(20, 240)) for share in (0.25, 0.5, 0.75)]
    ),
    "a cut": lambda random, length: Making(
        rate=random.choice((1.0, PAL)), breaks=[(random.uniform(0.2, 0.8) * length, -random.uniform(20, 240))]
    ),
    "wrong times": lambda random, length: Making(rate=random.uniform(0.95, 1.05), offset=90, wrong=0.15),
    "a careless typist": lambda random, length: Making(offset=200, noise=0.6, missing=0.25, joined=0.4, wrong=0.05),
}


def versions(
    random: Random, making: Callable[[Random, float], Making], lines: int
) -> tuple[Film, Version, Version, Making]:
    film = make_film(random, lines)
    done = making(random, film.left[-1].ends_at)
    return film, make_version(random, film.left, Making()), make_version(random, film.right, done), done


def errors(times: TimeMap, film: Film, making: Making) -> np.ndarray:
    """How far the found time of each line that both versions have is from the true one."""
    shared = [
        line.begins_at
        for line in film.left
        if making.begins_at <= line.begins_at <= making.ends_at
        and not any(begin <= line.begins_at < begin - shift for begin, shift in making.breaks)
    ]
    return np.abs(times.to_right(shared) - [shown_at(at, making) for at in shared])


@pytest.mark.parametrize("done", DONE_TO_THE_RIGHT)
@pytest.mark.parametrize("seed", range(4))
def test_times_of_one_version_are_found_in_the_other(done: str, seed: int) -> None:
    random = Random(f"{done} {seed}")
    film, left, right, making = versions(random, DONE_TO_THE_RIGHT[done], lines=900)
    times = time_map(left.captions, right.captions)
    found = errors(times, film, making)
    assert times.is_sure
    assert times.anchors >= 12
    assert times.spread < 1
    assert times.rate == pytest.approx(making.rate, abs=0.0002)
    assert np.median(found) < 0.4
    assert np.mean(found < 1) > 0.98
    assert len(times.gaps) == len(making.breaks)


@pytest.mark.parametrize("rate", USUAL_RATES)
def test_a_usual_rate_is_found_exactly(rate: float) -> None:
    _, left, right, _ = versions(Random(rate), lambda random, length: Making(rate=rate, offset=5), lines=600)
    assert time_map(left.captions, right.captions).rate == rate


def test_the_gap_of_an_advertisement_lies_in_the_right_version_and_that_of_a_cut_in_the_left() -> None:
    for shift in (90.0, -90.0):
        _, left, right, _ = versions(Random(7), lambda random, length, by=shift: Making(breaks=[(1800, by)]), lines=900)
        (gap,) = time_map(left.captions, right.captions).gaps
        assert gap.right_to - gap.right_from == pytest.approx(max(shift, 0), abs=1)
        assert gap.left_to - gap.left_from == pytest.approx(max(-shift, 0), abs=1)
        assert abs(gap.left_from - 1800) < 60
        assert not any(caption.begins_at < gap.left_from < caption.ends_at for caption in left.captions)


def test_a_map_leads_there_and_back() -> None:
    _, left, right, _ = versions(Random(3), DONE_TO_THE_RIGHT["three advertisements"], lines=900)
    times = time_map(left.captions, right.captions)
    there = np.linspace(-100, 5000, 2000)
    assert np.all(np.diff(times.to_right(there)) >= 0)
    in_gaps = np.any([(there > gap.left_from - 3) & (there < gap.left_to + 3) for gap in times.gaps], axis=0)
    np.testing.assert_allclose(times.to_left(times.to_right(there))[~in_gaps], there[~in_gaps], atol=1e-6)


def test_the_versions_may_change_sides() -> None:
    _, left, right, _ = versions(Random(4), lambda random, length: Making(rate=PAL, offset=40), lines=900)
    one, other = time_map(left.captions, right.captions), time_map(right.captions, left.captions)
    assert one.rate * other.rate == pytest.approx(1, abs=1e-6)
    assert other.to_right(one.to_right([600.0]))[0] == pytest.approx(600, abs=0.3)


@pytest.mark.parametrize("seed", range(6))
def test_different_films_are_not_sure(seed: int) -> None:
    random = Random(seed)
    left = make_version(random, make_film(random, 900).left, Making())
    right = make_version(random, make_film(random, 900).right, Making())
    assert not time_map(left.captions, right.captions).is_sure


@pytest.mark.parametrize("seed", range(12))
def test_two_episodes_that_share_their_opening_are_not_sure(seed: int) -> None:
    random = Random(seed)
    one, other = make_film(random, 600), make_film(random, 600)
    left = make_version(random, one.left, Making())
    opening = make_version(random, one.left[:60], Making(missing=0))
    rest = make_version(random, other.right, Making(begins_at=one.left[60].begins_at))
    times = time_map(left.captions, [*opening.captions, *rest.captions])
    assert times.anchors >= SURE_ANCHORS  # they are enough; it is where they lie that tells
    assert not times.is_sure


def on_two_discs(random: Random, lines: Sequence[Line]) -> list[Timed]:
    """Both halves of the film, each with times from 0 on."""
    half = lines[-1].ends_at * random.uniform(0.4, 0.6)
    first = make_version(random, lines, Making(ends_at=half))
    second = make_version(random, lines, Making(begins_at=half, offset=-half))
    return sorted([*first.captions, *second.captions])


@pytest.mark.parametrize("seconds", [4.0, 25.0])
@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_two_discs_whose_times_both_begin_at_0_are_not_sure(seed: int, swap: bool, seconds: float) -> None:
    random = Random(seed)
    film = make_film(random, 800, seconds=seconds)  # where little is said, captions seldom lie on one another
    left, right = list(make_version(random, film.left, Making()).captions), on_two_discs(random, film.right)
    times = time_map(*((right, left) if swap else (left, right)))
    assert times.anchors > 20
    assert not times.is_sure


def test_two_discs_in_both_versions_are_not_sure() -> None:
    film = make_film(Random(1), 800)
    left, right = (on_two_discs(Random(2), lines) for lines in (film.left, film.right))
    assert not time_map(left, right).is_sure


def test_a_scene_in_the_wrong_place_leaves_the_rest_as_it_is() -> None:
    random = Random(6)
    film = make_film(random, 900, keeps=1.0)
    left = make_version(random, film.left, Making())
    right = make_version(random, film.right, Making(offset=20))
    moved = [
        Timed(begin - 1500, end - 1500, text) if 2000 < begin < 2400 else Timed(begin, end, text)
        for begin, end, text in right.captions
    ]
    times = time_map(left.captions, moved)
    assert times.is_sure
    assert times.gaps == ()
    assert (times.rate, times.offset) == (1, pytest.approx(20, abs=0.3))


def test_versions_that_share_no_word_are_aligned_by_when_somebody_speaks() -> None:
    for seed in range(6):
        random = Random(seed)
        making = Making(rate=random.choice((1.0, PAL, 1 / PAL)), offset=random.uniform(-60, 200))
        film, left, right, _ = versions(random, lambda random, length, done=making: done, lines=500)
        strange = [Timed(begin, end, "щ" * (number % 7 + 1)) for number, (begin, end, _) in enumerate(right.captions)]
        times = time_map(left.captions, strange)
        assert times.anchors == 0
        assert times.is_sure
        assert times.spread < 1.5
        assert np.mean(errors(times, film, making) < 1.5) == 1


def test_speaking_at_regular_times_or_seldom_tells_nothing() -> None:
    regular = [Timed(10.0 * number, 10.0 * number + 4, "") for number in range(300)]
    assert not time_map(regular, regular[30:]).is_sure
    random = Random(5)
    film = make_film(random, 30)
    few = [Timed(line.begins_at, line.ends_at, "") for line in film.left]
    assert not time_map(few, few).is_sure


def test_short_films_that_speak_together_a_little_more_than_others_are_not_sure() -> None:
    random = Random(135)  # one in a hundred and forty is so: no other shift comes near, yet the best is low
    left, right = (make_version(random, make_film(random, 80).left, Making()).captions for _ in range(2))
    silent = [[Timed(begin, end, "") for begin, end, _ in captions] for captions in (left, right)]
    shift = best_shift(*silent, USUAL_RATES)
    assert shift.rival < MOST_RIVAL_CORRELATION * shift.correlation
    assert not time_map(*silent).is_sure


@pytest.mark.parametrize("seed", range(5))
def test_other_films_without_common_words_are_not_sure(seed: int) -> None:
    random = Random(seed)
    left = make_version(random, make_film(random, 500).left, Making())
    right = make_version(random, make_film(random, 500).right, Making())
    strange = [Timed(begin, end, "щ") for begin, end, _ in right.captions]
    assert not time_map(left.captions, strange).is_sure


ODD: list[list[Timed]] = [
    [],
    [Timed(0, 0, "")],
    [Timed(1, 2, "One.")],
    [Timed(5, 5, "same")] * 40,
    [Timed(-3, -9, "before the film"), Timed(359999, 359999.9, "after it")],
    [Timed(number, number + 1, f"name{number}") for number in range(30)],
    [Timed(1e9, 1e9 + 1, f"name{number}") for number in range(30)],
    [Timed(0, 90000, "♪ 雨 \ud83d"), Timed(3, 4, " \n ")],
]


@pytest.mark.parametrize("left", ODD)
@pytest.mark.parametrize("right", ODD)
def test_odd_captions_give_some_map(left: list[Timed], right: list[Timed]) -> None:
    times = time_map(left, right)
    assert np.isfinite(times.to_right([0.0, 100.0])).all()
    assert np.isfinite([times.rate, times.offset, times.spread]).all()
    assert times.rate > 0


def test_the_same_captions_give_the_same_map() -> None:
    _, left, right, _ = versions(Random(8), DONE_TO_THE_RIGHT["a cut"], lines=500)
    assert time_map(left.captions, right.captions) == time_map(list(left.captions), list(right.captions))


def test_a_film_takes_no_time() -> None:
    _, left, right, _ = versions(Random(9), DONE_TO_THE_RIGHT["an advertisement"], lines=1700)
    time_map(left.captions, right.captions)  # compiles
    took = []
    for _ in range(5):
        began = time.process_time()
        time_map(left.captions, right.captions)
        took.append(time.process_time() - began)
    assert min(len(left.captions), len(right.captions)) > 1400
    assert min(took) < 0.3  # about .04 where nothing else runs
