"""The HMM's loops against all paths of tiny pairs, written down one by one."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from paraloom.models.aligners.statistical.hmm_loops import backward, best_path, fill_transitions, forward
from paraloom.models.aligners.statistical.maximisation_loops import likelier_weights

Floats = NDArray[np.float64]

SIZES = [(1, 1), (1, 4), (2, 3), (3, 3), (4, 2), (3, 5)]
NULL = 0.3


def drawn(sources: int, targets: int) -> tuple[Floats, Floats, Floats]:
    """Emissions, null emissions and transitions of a pair, by lot."""
    generator = np.random.default_rng(100 * sources + targets)
    transitions = np.empty((sources + 1, sources))
    fill_transitions(sources, generator.random(5), generator.random(3), 0.2, transitions)
    return generator.random((targets, sources)), generator.random(targets), transitions


def every_path(emissions: Floats, nulls: Floats, transitions: Floats) -> dict[tuple[int, ...], float]:
    """The probability of each path together with the target words; -1 stands for none."""
    targets, sources = emissions.shape
    found = {}
    for path in product(range(-1, sources), repeat=targets):
        likely, place = 1.0, 0
        for target, source in enumerate(path):
            if source < 0:
                likely *= NULL * nulls[target]
            else:
                likely *= (1 - NULL) * transitions[place, source] * emissions[target, source]
                place = source + 1
        found[path] = likely
    return found


@pytest.mark.parametrize(("sources", "targets"), SIZES)
def test_transitions_from_each_place_sum_to_one(sources: int, targets: int) -> None:
    assert drawn(sources, targets)[2].sum(axis=1) == pytest.approx(np.ones(sources + 1))


@pytest.mark.parametrize(("sources", "targets"), SIZES)
def test_posteriors_and_moves_are_those_of_all_paths(sources: int, targets: int) -> None:
    emissions, nulls, transitions = drawn(sources, targets)
    paths = every_path(emissions, nulls, transitions)
    total = sum(paths.values())
    expected, expected_moves = np.zeros((targets, sources)), np.zeros((sources + 1, sources))
    for path, likely in paths.items():
        place = 0
        for target, source in enumerate(path):
            if source >= 0:
                expected[target, source] += likely / total
                expected_moves[place, source] += likely / total
                place = source + 1
    real, mass = np.empty((targets, sources)), np.empty((targets + 1, sources + 1))
    moves = np.empty((sources + 1, sources))
    told = forward(sources, targets, emissions, nulls, transitions, NULL, real, mass)
    backward(sources, targets, emissions, nulls, transitions, real, mass, moves)
    assert told == pytest.approx(math.log(total), rel=1e-12)
    assert real == pytest.approx(expected, abs=1e-12)
    assert moves == pytest.approx(expected_moves, abs=1e-12)
    assert mass.sum(axis=1) == pytest.approx(np.ones(targets + 1))


@pytest.mark.parametrize(("sources", "targets"), SIZES)
def test_the_best_path_is_the_likeliest_of_all(sources: int, targets: int) -> None:
    emissions, nulls, transitions = drawn(sources, targets)
    paths = every_path(emissions, nulls, transitions)
    came_from, path = np.empty((targets, sources + 1), np.int32), np.empty(targets, np.int32)
    best_path(sources, targets, emissions, nulls, transitions, NULL, came_from, path)
    assert tuple(path.tolist()) == max(paths, key=lambda one: paths[one])


def test_work_space_that_is_larger_than_a_pair_changes_nothing() -> None:
    emissions, nulls, transitions = drawn(3, 4)
    exact = np.empty((4, 3)), np.empty((5, 4))
    roomy = np.full((9, 8), np.nan), np.full((10, 9), np.nan)
    told = [
        forward(3, 4, emissions.copy(), nulls.copy(), transitions, NULL, real, mass) for real, mass in (exact, roomy)
    ]
    assert told[0] == told[1]
    assert np.array_equal(exact[0], roomy[0][:4, :3])


def test_every_round_makes_weights_of_distances_likelier() -> None:
    generator = np.random.default_rng(7)
    longest, largest = 6, 2
    # How often each place of a text of each length was left for each other: no model, any counts will do.
    left = [generator.integers(0, 50, (sources + 1, sources)) for sources in range(longest + 1)]
    jumps, starts = np.zeros(2 * largest + 1, np.int64), np.zeros(largest + 1, np.int64)
    leaving = np.zeros((longest + 1, longest + 1), np.int64)
    for sources, table in enumerate(left):
        for (place, source), count in np.ndenumerate(table):
            leaving[sources, place] += count
            if place == 0:
                starts[min(source, largest)] += count
            else:
                jumps[np.clip(source - place + 1, -largest, largest) + largest] += count
    weights, first = np.full(2 * largest + 1, 0.2), np.full(largest + 1, 1 / 3)

    def log_likelihood() -> float:
        told = 0.0
        for sources in range(1, longest + 1):
            transitions = np.empty((sources + 1, sources))
            fill_transitions(sources, weights, first, 0.0, transitions)
            told += float((left[sources] * np.log(transitions)).sum())
        return told

    curve = [log_likelihood()]
    for _ in range(30):
        likelier_weights(weights, first, jumps, starts, leaving, 1)
        curve.append(log_likelihood())
    assert all(after > before - 1e-9 for before, after in pairwise(curve))
    assert curve[-1] > curve[0] + 1
    # At the best weights no small change makes them likelier.
    for bucket in range(len(weights)):
        for change in (0.95, 1.05):
            weights[bucket] *= change
            assert log_likelihood() < curve[-1] + 1e-6
            weights[bucket] /= change
