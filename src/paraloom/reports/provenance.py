"""What lies beside a run's tables in, how every table was made out: inputs, options, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.engine.store import made_by_file, read_made_by
from paraloom.tables import NOUNS

SHORT = 12
"""Hex digits of a hash that a person is shown."""

_FOLDERS = re.compile(r"^(?:/|~|[A-Za-z]:[\\/]|\\\\)\S*?(?=[^/\\]*$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StepMade:
    """One table and how it was made."""

    table: str
    rows: int
    signature: str
    paraloom: str
    source: str
    """Hash of the source code, shortened."""
    options: dict[str, Any]
    inputs: dict[str, str]
    weights: dict[str, str]


def steps_of(run: Path, names: Iterable[str] = NOUNS) -> tuple[StepMade, ...]:
    """Every table of the run, or what else these names mean, in the order in which they are made."""
    return tuple(_step(name, read_made_by(run, name)) for name in names if made_by_file(run, name).is_file())


def input_files(steps: tuple[StepMade, ...], table: str = "documents") -> tuple[str, ...]:
    """The files that the documents were read from, in the order they were given: as the column `file` calls them."""
    inputs = next((step.inputs for step in steps if step.table == table), {})
    numbered = [name.split("/", 2)[1:] for name in inputs if name.startswith("input/")]
    return tuple(name for _, name in sorted((int(number), name) for number, name in numbered))


def threshold_of(steps: tuple[StepMade, ...]) -> float | None:
    """The score above which the labels step called a pair a paraphrase; None where it went by no score."""
    options = next((step.options for step in steps if step.table == "labels"), {})
    return float(options["threshold"]) if "threshold" in options else None


def _step(table: str, made_by: dict[str, Any]) -> StepMade:
    return StepMade(
        table=table,
        rows=int(made_by["rows"]),
        signature=str(made_by["signature"]),
        paraloom=str(made_by["paraloom"]),
        source=str(made_by["source"])[:SHORT],
        options=without_folders(made_by["options"]),
        inputs={name: str(value)[:SHORT] for name, value in made_by["inputs"].items()},
        weights={name: str(value)[:SHORT] for name, value in made_by["weights"].items()},
    )


def without_folders(value: Any) -> Any:
    """Options with the folders cut from file names: where a file lay on this machine is nobody else's business.

    >>> without_folders({"pages": "/home/ann/pages.tsv", "by": "url"})
    {'pages': 'pages.tsv', 'by': 'url'}
    """
    if isinstance(value, dict):
        return {name: without_folders(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [without_folders(inner) for inner in value]
    return _FOLDERS.sub("", value) if isinstance(value, str) else value
