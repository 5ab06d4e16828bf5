"""What `paraloom mine` was not told in, what the mined run among its files was asked for out: a run grows as it began.

Like a `paraloom.toml`, a run says what the command line leaves open; and what that file says goes before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cyclopts import App, ArgumentCollection
from cyclopts.config import Dict

from paraloom.errors import InputError


def options_of_earlier_run(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Fill in what `mine RUN …` was not told from the largest mined run among its files, and say so."""
    if commands != ("mine",):
        return
    from paraloom.cli.console import say
    from paraloom.workflows.mine.run_options import largest_run, noted_options

    given = {argument.field_info.name: argument for argument in arguments}
    run = largest_run(token.value for token in given["files"].tokens)
    if run is None:
        return
    taken = {name: value for name, value in noted_options(run).items() if not given[name].tokens}
    _check_embedder(run, str(taken.get("embedder", "")))
    Dict(taken, use_commands_as_keys=False, source=str(run))(app, commands, arguments)
    other = {name: value for name, value in taken.items() if value != given[name].field_info.default}
    if other:
        say(f"As {run} was mined: {_as_typed(other)}")


def _check_embedder(run: Path, embedder: str) -> None:
    if Path(embedder).is_absolute() and not Path(embedder).is_dir():
        raise InputError(
            f"{run} was embedded with {embedder}, which is not there now. Say where it lies: --embedder FOLDER."
        )


def _as_typed(options: Mapping[str, Any]) -> str:
    """Options as they are given on the command line.

    >>> _as_typed({"embedder": "good", "ignore_punctuation": True})
    '--embedder good --ignore-punctuation'
    """
    names = {name: name.replace("_", "-") for name in options}
    return " ".join(
        f"--{'' if value else 'no-'}{names[name]}" if isinstance(value, bool) else f"--{names[name]} {value}"
        for name, value in options.items()
    )
