"""The commands speak one language: an option of one name is of one kind wherever it is met."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from cyclopts import App

from paraloom.cli import app

ONE_OR_SEVERAL = ("--model", "--references", "--base", "--held-out", "--embedder", "--k")
"""One of them means the same everywhere; some commands take several, to compare or to join them."""


def kind_of(hint: Any) -> str:
    """What is typed behind an option; whether it may be left out, and which words are allowed, is a command's own."""
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(sorted({kind_of(part) for part in get_args(hint) if part is not NoneType}))
    if get_origin(hint) is Literal:
        return "word"
    if get_origin(hint) in (list, tuple):
        return f"{kind_of(get_args(hint)[0])}s"
    return {str: "word", Path: "word"}.get(hint, getattr(hint, "__name__", str(hint)))


def commands(one: App, path: tuple[str, ...] = ()) -> Iterator[tuple[str, App]]:
    for name in one:
        if not name.startswith("-"):
            command = one[name]
            yield from commands(command, (*path, name))
            if command.default_command is not None:
                yield " ".join((*path, name)), command


def options() -> Iterator[tuple[str, str, str]]:
    """Every option, with its command and its kind."""
    for name, command in commands(app):
        for argument in command.assemble_argument_collection():
            for flag in argument.names:
                if flag.startswith("--") and not argument.children and not _is_negative(argument, flag):
                    yield flag, name, kind_of(argument.hint)


def _is_negative(argument: Any, flag: str) -> bool:
    return flag in argument.negatives


def test_an_option_of_one_name_is_of_one_kind_in_all_commands() -> None:
    kinds: dict[str, dict[str, list[str]]] = {}
    for flag, command, kind in options():
        kind = kind.removesuffix("s") if flag in ONE_OR_SEVERAL else kind
        kinds.setdefault(flag, {}).setdefault(kind, []).append(command)
    assert {"--corpora", "--seeds", "--base", "--hub", "--held-out-share", "--columns"} <= set(kinds)
    assert {flag: by_kind for flag, by_kind in kinds.items() if len(by_kind) > 1} == {}
