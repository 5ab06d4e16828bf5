"""Options in, the systems that learn out: untrained, and refused before any pair is read where they cannot be had."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from paraloom.errors import InputError
from paraloom.models.identifiers import Identifier, untrained
from paraloom.models.identifiers.bases_here import check_base
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.train.system_settings import check_plan


def chosen_systems(options: ExperimentOptions) -> tuple[str, ...]:
    """The systems to learn with: those asked for, else what this machine has the libraries for."""
    return options.systems or (("cross-encoder",) if find_spec("torch") else ("ngram-regression",))


def check_learners(options: ExperimentOptions, plan: PlanOptions) -> None:
    """Refuse a system that there is not, a base that is not here, and what no chosen system could make use of."""
    systems = chosen_systems(options)
    for name in systems:
        check_base(getattr(fresh(name, options, plan), "base", ""), hub=options.hub)
    check_plan(systems, plan)
    if options.base and not any(has_base(name) for name in systems):
        raise InputError(f"None of {', '.join(systems)} starts from a base. Leave out --base {options.base}.")


def fresh(name: str, options: ExperimentOptions, plan: PlanOptions) -> Identifier:
    """An untrained system, with the base and what is asked of its plan, where it has them."""
    settings: dict[str, Any] = {}
    if name in SYSTEMS:
        own_plan = SYSTEMS[name].own_plan()
        if own_plan is not None:
            settings["plan"] = plan.on(own_plan)
        if options.base and has_base(name):
            settings["base"] = options.base
    return untrained(name, **settings)


def has_base(system: str) -> bool:
    """Whether a system starts from a model that --base can name."""
    return "base" in SYSTEMS[system].setting_kinds()
