"""Which line is drawn through anchors, most of which may be wrong."""

from __future__ import annotations

import numpy as np
import pytest

from paraloom.groups.caption_anchors import Anchors, Floats
from paraloom.groups.time_lines import USUAL_RATES, find_line


def anchors(left: Floats, right: Floats) -> Anchors:
    order = np.argsort(left, kind="stable")
    return Anchors(left[order], right[order], np.full(len(left), 0.5))


def with_wrong(random: np.random.Generator, left: Floats, right: Floats, wrong: int) -> Anchors:
    """These anchors, and so many that lie anywhere."""
    anywhere = random.uniform(0, 6000, (2, wrong))
    return anchors(np.concatenate([left, anywhere[0]]), np.concatenate([right, anywhere[1]]))


def test_the_usual_rates_are_those_of_films_played_at_another_frame_rate() -> None:
    assert 1 in USUAL_RATES
    assert round(25 / 24, 9) in USUAL_RATES
    assert all(round(1 / rate, 6) in {round(other, 6) for other in USUAL_RATES} for rate in USUAL_RATES)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("wrong", [0, 60, 240])
def test_three_quarters_of_the_anchors_may_be_wrong(seed: int, wrong: int) -> None:
    random = np.random.default_rng(seed)
    rate, offset = random.uniform(0.95, 1.05), random.uniform(-400, 400)
    left = random.uniform(0, 6000, 80)
    line = find_line(with_wrong(random, left, rate * left + offset + random.normal(0, 0.4, 80), wrong))
    assert line is not None
    assert line.rate == pytest.approx(rate, abs=3e-4)
    assert [stretch.offset for stretch in line.stretches] == [pytest.approx(offset, abs=1)]
    assert line.anchors == pytest.approx(80, abs=6)
    assert line.spread < 0.5


def test_a_usual_rate_is_preferred_to_one_beside_it_and_no_other_is_bent_to_one() -> None:
    random = np.random.default_rng(3)
    left = random.uniform(0, 6000, 80)
    for rate in (1.0, 25 / 24, 24000 / 1001 / 25):
        line = find_line(anchors(left, rate * left + random.normal(0, 0.4, 80)))
        assert line is not None
        assert line.rate == pytest.approx(rate, abs=1e-9)
    line = find_line(anchors(left, 1.0015 * left + random.normal(0, 0.2, 80)))
    assert line is not None
    assert line.rate == pytest.approx(1.0015, abs=1e-4)


def test_every_stretch_has_its_offset() -> None:
    random = np.random.default_rng(4)
    left = np.sort(random.uniform(0, 6000, 120))
    later = np.select([left < 1500, left < 3000], [0, 90], 35)
    line = find_line(with_wrong(random, left, left + 10 + later + random.normal(0, 0.3, 120), 40))
    assert line is not None
    assert [stretch.offset for stretch in line.stretches] == [pytest.approx(each, abs=0.5) for each in (10, 100, 45)]
    bounds = [(stretch.first, stretch.last) for stretch in line.stretches]
    assert bounds == [(left[left < 1500][0], left[left < 1500][-1]), *bounds[1:]]
    assert 1500 <= bounds[1][0] <= bounds[1][1] <= 3000 <= bounds[2][0]


def test_what_others_agree_on_is_counted_as_a_rival() -> None:
    random = np.random.default_rng(5)
    left = random.uniform(0, 6000, 90)
    both = anchors(np.concatenate([left, left[:40]]), np.concatenate([left + 5, left[:40] + 2500]))
    line = find_line(both)
    assert line is not None
    assert line.anchors == 90
    assert line.rival == 40


@pytest.mark.parametrize("count", [0, 4, 30, 200])
def test_anchors_that_lie_anywhere_have_no_line(count: int) -> None:
    random = np.random.default_rng(count)
    assert find_line(with_wrong(random, np.empty(0), np.empty(0), count)) is None
