"""Options in, an untrained identifier with its settings out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from paraloom.errors import InputError
from paraloom.models.identifiers import Identifier, untrained
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions

TOLD = {bool: "true or false", int: "a whole number", float: "a number", type(None): "null"}
"""What a setting of a kind is, in words; texts and paths are taken as they are written."""


def untrained_system(options: TrainIdentifierOptions, plan: PlanOptions = PlanOptions()) -> Identifier:
    """The system that is asked for, with its own plan but for what is given."""
    if options.system not in SYSTEMS:
        raise InputError(f"There is no system {options.system!r}. Choose one of: {', '.join(sorted(SYSTEMS))}.")
    check_plan([options.system], plan)
    system = SYSTEMS[options.system]
    settings = _written(options, system.setting_kinds())
    own_plan = system.own_plan()
    if own_plan is not None:
        settings["plan"] = plan.on(own_plan)
    return untrained(options.system, **settings)


def check_plan(systems: Sequence[str], plan: PlanOptions) -> None:
    """Refuse what is asked of a training plan where none of the systems has one."""
    if not plan.given or any(SYSTEMS[name].own_plan() for name in systems):
        return
    flags = " ".join(f"--{name.replace('_', '-')}" for name in plan.given)
    told = "is fitted in one go and has" if len(systems) == 1 else "are fitted in one go and have"
    raise InputError(f"{' and '.join(systems)} {told} no training plan. Leave out {flags}.")


def _written(options: TrainIdentifierOptions, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """What was written after --settings and --base, as values of the settings' kinds."""
    written = [*options.settings, *([f"base={options.base}"] if options.base else [])]
    known = {name: kind for name, kind in kinds.items() if name != "plan"}  # has options of its own
    settings = {}
    for one in written:
        name, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"--settings {one!r} is not of the form NAME=VALUE, as in objective=classification.")
        if name not in known:
            raise InputError(f"{options.system} has no setting {name!r}. It has: {', '.join(known) or 'none'}.")
        settings[name] = _value(name, value, known[name])
    return settings


def _value(name: str, written: str, kind: Any) -> Any:
    """What was written, as a value of a setting's kind; the system itself says which values it can have."""
    if get_origin(kind) is tuple:
        cells, parts = written.split(","), get_args(kind)
        parts = parts[:1] * len(cells) if parts[-1] is ... else parts
        if len(cells) != len(parts):
            raise InputError(f"--settings {name}={written}: give {len(parts)} values with commas between them.")
        return tuple(_value(name, cell, part) for cell, part in zip(cells, parts, strict=True))
    kinds = {type(one) for one in get_args(kind)} if get_origin(kind) is Literal else {*get_args(kind)} or {kind}
    if str in kinds:
        return written
    if Path in kinds:
        return Path(written)
    try:
        value = json.loads(written)
    except ValueError:
        value = written
    if float in kinds and type(value) is int:
        return float(value)
    if type(value) not in kinds:
        wanted = " or ".join(told for known, told in TOLD.items() if known in kinds)
        raise InputError(f"--settings {name}={written}: {name} must be {wanted}.")
    return value
