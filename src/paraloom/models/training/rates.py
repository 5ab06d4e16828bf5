"""A plan and a kind of transformer in, the plan with the learning rates to try out (Dou et al., 2022, appendix C)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from paraloom.models.training.plan import TrainingPlan

USUAL = (1e-5, 2e-5, 3e-5, 5e-5)

BY_KIND: Mapping[str, tuple[float, ...]] = {"deberta-v2": (1e-5, 3e-5, 5e-6, 8e-6)}
"""Kinds of transformer that are tried at others, by a configuration's `model_type`: DeBERTa-v3 has that of v2."""


def with_rates(plan: TrainingPlan, kind: str = "") -> TrainingPlan:
    """The plan itself where it names learning rates; else with those that suit the kind of transformer.

    >>> with_rates(TrainingPlan(), "deberta-v2").learning_rates
    (1e-05, 3e-05, 5e-06, 8e-06)
    >>> with_rates(TrainingPlan(learning_rates=(2e-5,)), "deberta-v2").learning_rates
    (2e-05,)
    """
    return plan if plan.learning_rates else replace(plan, learning_rates=BY_KIND.get(kind, USUAL))
