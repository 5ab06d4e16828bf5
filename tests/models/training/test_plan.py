"""A plan can be followed; what is asked of it comes before what the system has, and only that."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.models.training.rates import with_rates

USUAL = with_rates(TrainingPlan())
OWN = TrainingPlan(
    epochs=10,
    batch_size=64,
    learning_rates=(1e-3,),
    warm_up=0.1,
    weight_decay=0.0,
    epsilon=1e-6,
    evaluate_every=50,
    max_tokens=64,
    device="cpu",
)
NAMES = [field.name for field in fields(TrainingPlan)]


def test_options_have_the_names_of_a_plan() -> None:
    assert [field.name for field in fields(PlanOptions)] == NAMES
    assert PlanOptions().on(OWN) == OWN


@given(st.sets(st.sampled_from(NAMES)))
def test_what_is_given_counts_even_where_it_is_the_usual(names: set[str]) -> None:
    usual = {name: getattr(USUAL, name) for name in names}
    options = PlanOptions(**usual)
    assert options.given == {name: usual[name] for name in NAMES if name in names}
    assert options.on(OWN) == replace(OWN, **usual)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_what_no_plan_can_have_is_refused_at_once(name: str) -> None:
    with pytest.raises(InputError, match=f"A training plan with {name}=.* cannot be followed"):
        PlanOptions(**{name: (0.1, -1) if name == "learning_rates" else -1})


def test_no_learning_rates_cannot_be_asked_for() -> None:
    """A plan without any has those that suit the network; who asks for some must name them."""
    with pytest.raises(InputError, match="Give at least one"):
        PlanOptions(learning_rates=())
