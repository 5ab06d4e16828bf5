"""Guesses are uniform, repeatable and worth nothing."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paraloom.metrics.identification.decisions import best_f1, f1_of_calling_all
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.random_guess import RandomGuess

LEFT = [f"the storm number {number} hit the coast" for number in range(5000)]
RIGHT = [f"storm {number * 7} hits the town" for number in range(5000)]


def test_guesses_are_uniform() -> None:
    guesses = np.sort(RandomGuess().score(LEFT, RIGHT))
    furthest = np.abs(guesses - (np.arange(5000) + 0.5) / 5000).max()
    assert furthest < 1.63 / np.sqrt(5000)  # Kolmogorov and Smirnov's bound at 1%


def test_another_seed_guesses_otherwise() -> None:
    known = Examples(left=["a storm", "a storm"], right=["a gale", "a calm"], targets=[1, 0])
    one, other = RandomGuess(seed=1).score(LEFT, RIGHT), RandomGuess().fit([known], [known], seed=2).score(LEFT, RIGHT)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.05


def test_its_best_f1_is_to_call_nearly_every_pair_a_paraphrase() -> None:
    truth = np.random.default_rng(1).random(5000) < 0.2
    best = best_f1(RandomGuess().score(LEFT, RIGHT), truth)
    assert best.recall > 0.95
    assert best.f1 - f1_of_calling_all(float(truth.mean())) < 0.01


@given(st.text(max_size=8), st.text(min_size=1, max_size=8), st.text(max_size=8))
def test_where_one_text_ends_and_the_other_begins_matters(start: str, moved: str, end: str) -> None:
    one, other = sorted([start + moved, end]), sorted([start, moved + end])
    guess = RandomGuess()
    if one != other:
        assert guess.score([one[0]], [one[1]]) != guess.score([other[0]], [other[1]])
