"""Ranking by a formula: each part looks at what it says it does, and a formula that makes no sense is refused."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.generators import Candidate
from paraloom.models.generators.loading import load_generator
from paraloom.models.generators.reranking import by_formula, read_formula, shared_wording

SOURCE = "a storm hit the coast on monday"
CANDIDATES = [
    Candidate(text="a storm hit the coast on a monday", score=0.9),
    Candidate(text="winds struck the shore on monday", score=0.5),
    Candidate(text="winds struck the shore early on monday", score=0.4),
    Candidate(text="my cat sleeps", score=0.1),
]


def order(formula: str) -> list[int]:
    """The places of the candidates, best first."""
    ranked = by_formula(formula, load_generator("parrot")).rank(SOURCE, CANDIDATES)
    places = [candidate.text for candidate in CANDIDATES]
    return [places.index(output.text) for output in ranked]


FIRST = [
    ("own=1", 0),
    ("own=-1", 3),
    ("novelty=1", 3),
    ("novelty=-1", 0),
    ("apart=1", 3),
    ("consensus=1", 1),
    ("closeness=1", 0),
    ("loose=1", 0),
    ("closeness=2,novelty=1", 2),
]


@pytest.mark.parametrize(("formula", "best"), FIRST)
def test_a_part_puts_first_what_it_looks_for(formula: str, best: int) -> None:
    assert order(formula)[0] == best


def test_the_first_steps_away_from_the_source_count_most() -> None:
    ranker = by_formula("novelty=1,apart=1", load_generator("parrot"))
    for output in ranker.rank(SOURCE, CANDIDATES):
        assert output.parts["apart"] == pytest.approx(1 - (1 - output.parts["novelty"]) ** 2, abs=1e-5)


def test_scores_are_the_sums_of_their_parts() -> None:
    for output in by_formula("own=2,novelty=3", load_generator("parrot")).rank(SOURCE, CANDIDATES):
        assert output.score == pytest.approx(2 * output.parts["own"] + 3 * output.parts["novelty"], abs=1e-5)


@given(st.lists(st.text("ab ", min_size=1, max_size=9), max_size=6))
def test_shared_wording_is_a_share_and_does_not_depend_on_the_order(texts: Sequence[str]) -> None:
    found = shared_wording(texts)
    assert ((found >= 0) & (found <= 1)).all()
    assert np.allclose(found[::-1], shared_wording(texts[::-1]))


def test_nobody_agrees_with_a_candidate_that_is_alone() -> None:
    assert shared_wording(["a storm hit"]).tolist() == [0.0]
    assert shared_wording([]).tolist() == []


@pytest.mark.parametrize("written", ["own", "own=", "own=x", "own=nan", "own=1,own=2", "taste=1", ""])
def test_a_formula_that_makes_no_sense_is_refused(written: str) -> None:
    with pytest.raises(InputError, match="the parts are own, back"):
        read_formula(written)


def test_a_generator_that_knows_no_likelihoods_is_refused_for_parts_that_need_them() -> None:
    with pytest.raises(InputError, match="does not say how likely a text is"):
        by_formula("back=1", load_generator("parrot"))
