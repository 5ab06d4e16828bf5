"""Settings in, fields of a form out, and back: names, kinds and hints are read from `CampaignSettings`, where they are
written once.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal, get_args, get_origin

from docstring_parser import parse_from_object
from starlette.datastructures import FormData

from paraloom.errors import InputError
from paraloom.judgments.people import ROLES
from paraloom.judgments.settings import CampaignSettings

Kind = Literal["whole", "decimal", "text", "choice", "yes or no", "moment", "roles", "lines"]

SECTIONS: dict[str, tuple[str, ...]] = {
    "Items and people": (
        *("judgments_per_item", "definition", "lease_minutes", "cap", "ends_at", "roles", "members_only", "adjudicate"),
        "adaptive",
    ),
    "Quality": (
        *("tests_every", "qualification", "min_test_accuracy", "min_tests", "min_kappa", "min_compared"),
        *("set_aside_stopped", "republish_below"),
    ),
    "Pay": ("pay", "currency", "budget", "bonus", "bonus_kappa", "most_earned"),
}
"""How the form is divided; a setting that is named nowhere here stands under `REST`."""
REST = "What is shown, and the rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingField:
    """One field of the form."""

    name: str
    label: str
    hint: str
    kind: Kind
    may_be_empty: bool
    choices: tuple[str, ...]
    value: Any


def settings_fields(settings: CampaignSettings, typed: FormData | None = None) -> dict[str, list[SettingField]]:
    """The form's sections, filled in with these settings, or with what was typed and could not be used."""
    by_name = {
        name: SettingField(
            name=name,
            label=_label(name),
            hint=_hints()[name],
            kind=kind,
            may_be_empty=empty,
            choices=choices,
            value=_shown(getattr(settings, name)) if typed is None else _typed(typed, name, kind),
        )
        for name, (kind, empty, choices) in _kinds().items()
    }
    found = {section: [by_name.pop(name) for name in names] for section, names in SECTIONS.items()}
    return found | {REST: list(by_name.values())}


def read_settings(form: FormData, before: CampaignSettings) -> CampaignSettings:
    """What was filled in; raises InputError that names the field."""
    values = {name: _READ[kind](form, name) for name, (kind, _, _) in _kinds().items()}
    for name, (kind, may_be_empty, _) in _kinds().items():
        if values[name] is None and not may_be_empty and kind in ("whole", "decimal"):
            raise InputError(f"`{name}` is empty, but must be a number.")
    return before.changed(values)


@cache
def _hints() -> Mapping[str, str]:
    """The docstrings, where other settings are called as the form calls them."""
    told = {param.arg_name: param.description or "" for param in parse_from_object(CampaignSettings).params}
    return {name: re.sub(r"`(\w+)`", lambda named: f"“{_label(named[1])}”", hint) for name, hint in told.items()}


def _label(name: str) -> str:
    return name.replace("_", " ").capitalize()


@cache
def _kinds() -> Mapping[str, tuple[Kind, bool, tuple[str, ...]]]:
    hints = typing.get_type_hints(CampaignSettings)
    return {field.name: _kind(field.name, hints[field.name]) for field in fields(CampaignSettings)}


def _kind(name: str, type_: Any) -> tuple[Kind, bool, tuple[str, ...]]:
    may_be_empty = get_origin(type_) in (types.UnionType, typing.Union) and type(None) in get_args(type_)
    plain = next(one for one in get_args(type_) if one is not type(None)) if may_be_empty else type_
    if get_origin(plain) is Literal:
        return "choice", may_be_empty, get_args(plain)
    if get_origin(plain) is tuple:
        return ("roles", True, ROLES) if name == "roles" else ("lines", True, ())
    kinds: dict[type, Kind] = {int: "whole", float: "decimal", str: "text", bool: "yes or no", datetime: "moment"}
    return kinds[plain], may_be_empty, ()


def _shown(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else value


def _typed(form: FormData, name: str, kind: Kind) -> Any:
    return _READ[kind](form, name) if kind in ("yes or no", "roles", "lines") else _text(form, name)


def _text(form: FormData, name: str) -> str:
    found = form.get(name)
    return found.strip() if isinstance(found, str) else ""


def _number(form: FormData, name: str, read: Callable[[str], float]) -> float | None:
    given = _text(form, name).replace(",", ".")
    try:
        return read(given) if given else None
    except ValueError:
        raise InputError(f"`{name}` is {given!r}, but must be a number.") from None


def _moment(form: FormData, name: str) -> datetime | None:
    given = _text(form, name)
    try:
        found = datetime.fromisoformat(given) if given else None
    except ValueError:
        raise InputError(f"`{name}` is {given!r}; write it as 2026-12-31T18:00.") from None
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


def _several(form: FormData, name: str) -> Sequence[str]:
    return [one for one in form.getlist(name) if isinstance(one, str) and one]


_READ: dict[Kind, Callable[[FormData, str], Any]] = {
    "whole": lambda form, name: _number(form, name, int),
    "decimal": lambda form, name: _number(form, name, float),
    "text": _text,
    "choice": _text,
    "yes or no": lambda form, name: bool(_text(form, name)),
    "moment": _moment,
    "roles": lambda form, name: tuple(_several(form, name)),
    "lines": lambda form, name: tuple(line.strip() for line in _text(form, name).splitlines() if line.strip()),
}
