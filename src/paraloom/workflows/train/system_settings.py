"""Options in, an untrained identifier with its settings out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import MISSING, Field, fields, replace
from typing import Any

from paraloom.errors import InputError
from paraloom.models.identifiers import Identifier, untrained
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import TrainingPlan
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions

LEARNED = ("fitted", "trained", "thresholds", "network", "table")
"""Fields that are no settings but what was learned."""


def untrained_system(options: TrainIdentifierOptions, plan: TrainingPlan) -> Identifier:
    """The system that is asked for, with its own plan where the given one says nothing else."""
    if options.system not in SYSTEMS:
        raise InputError(f"There is no system {options.system!r}. Choose one of: {', '.join(sorted(SYSTEMS))}.")
    known = {field.name: field for field in fields(SYSTEMS[options.system].kind_of()) if field.name not in LEARNED}
    settings = _written(options, known)
    changed = {
        field.name: getattr(plan, field.name)
        for field in fields(TrainingPlan)
        if getattr(plan, field.name) != getattr(TrainingPlan(), field.name)
    }
    if "plan" in known:
        settings["plan"] = replace(_default(known["plan"]), **changed)
    elif changed:
        flags = " ".join(f"--{name.replace('_', '-')}" for name in changed)
        raise InputError(f"{options.system} is fitted in one go and has no training plan. Leave out {flags}.")
    return untrained(options.system, **settings)


def _written(options: TrainIdentifierOptions, known: dict[str, Field[Any]]) -> dict[str, Any]:
    """What was written after --settings and --base, as values of the fields' kinds."""
    written = [*options.settings, *([f"base={options.base}"] if options.base else [])]
    settings = {}
    for one in written:
        name, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"--settings {one!r} is not of the form NAME=VALUE, as in objective=cosine.")
        if name not in known or name == "plan":
            named = ", ".join(field for field in known if field != "plan") or "none"
            raise InputError(f"{options.system} has no setting {name!r}. It has: {named}.")
        settings[name] = _value(name, value, _default(known[name]))
    return settings


def _value(name: str, written: str, default: object) -> Any:
    if isinstance(default, str):
        return written
    try:
        value = json.loads(written)
    except ValueError:
        value = written.split(",") if isinstance(default, tuple) else written
    if isinstance(default, tuple) and isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(value)
    kinds = (int, float) if isinstance(default, float) else (type(default),)
    if default is not None and (not isinstance(value, kinds) or isinstance(value, bool) != isinstance(default, bool)):
        raise InputError(f"--settings {name}={written}: {name} must be like {default!r}.")
    return value


def _default(field: Field[Any]) -> Any:
    if field.default is not MISSING:
        return field.default
    return field.default_factory() if field.default_factory is not MISSING else None
