"""Settings as they are typed in, values of the kinds that a system's options have out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from types import NoneType, UnionType
from typing import Any, Literal, Protocol, Union, get_args, get_origin, get_type_hints

from paraloom.errors import InputError


class HasSettings(Protocol):
    """A system that can be told things."""

    @property
    def required(self) -> Sequence[str]:
        """Settings that it cannot do without."""

    def setting_kinds(self) -> dict[str, Any]:
        """Its settings, and the type of each."""


def option_class(package: str, place: tuple[str, str] | None) -> type[Any] | None:
    """The dataclass that lies in a module of a package, by both names; None where there is none."""
    if place is None:
        return None
    module, name = place
    found: type[Any] = getattr(import_module(f"{package}.{module}"), name)
    return found


def setting_kinds(own: type[Any] | None, more: Mapping[str, type], fixed: Collection[str] = ()) -> dict[str, Any]:
    """The fields of a dataclass of options, but for those that are fixed, and other settings, with the type of each."""
    types = get_type_hints(own) if own else {}
    free = [each.name for each in (fields(own) if own else ()) if each.name not in fixed]
    return {**more, **{name: types[name] for name in free}}


def read_settings(name: str, system: HasSettings, written: Sequence[str]) -> dict[str, Any]:
    """What was written as NAME=VALUE, as values of the settings' kinds.

    >>> from paraloom.models.generators.systems import SYSTEMS
    >>> read_settings("parrot", SYSTEMS["parrot"], ["ratios=0.1,0.5"])
    {'ratios': (0.1, 0.5)}
    """
    known = system.setting_kinds() if written or system.required else {}
    settings = {}
    for one in written:
        setting, equals, value = one.partition("=")
        if not equals:
            raise InputError(f"--settings {one!r} is not of the form NAME=VALUE.")
        if setting not in known:
            raise InputError(f"{name} has no setting {setting!r}. It has: {', '.join(known) or 'none'}.")
        settings[setting] = _value(setting, value, known[setting])
    if lacking := [each for each in system.required if each not in settings]:
        wanted = " ".join(f"{each}=…" for each in lacking)
        raise InputError(f"{name} must be told more: --settings {wanted}.")
    return settings


def _value(name: str, written: str, kind: Any) -> Any:
    """A setting's value, in the kind that the setting has."""
    if get_origin(kind) is tuple:
        part = get_args(kind)[0]
        return tuple(_value(name, each, part) for each in written.split(",")) if written else ()
    if get_origin(kind) in (Union, UnionType):
        if written == "none" and NoneType in get_args(kind):
            return None
        return _value(name, written, next(each for each in get_args(kind) if each is not NoneType))
    if get_origin(kind) is Literal:
        if written not in get_args(kind):
            raise InputError(f"--settings {name}={written}: choose one of {', '.join(map(str, get_args(kind)))}.")
        return written
    if kind is bool:
        if written not in ("true", "false"):
            raise InputError(f"--settings {name}={written}: give true or false.")
        return written == "true"
    if kind in (int, float):
        try:
            return kind(written)
        except ValueError:
            told = "a whole number" if kind is int else "a number"
            raise InputError(f"--settings {name}={written}: give {told}.") from None
    return written
