"""What a run was asked for in, a file beside it out, and back: so that a run that grows need not be told again.

The file is a note and decides nothing: what a run is made of stands in its signatures. It names the folder of an
embedder where a signature has its weights alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.signatures import plain_options
from paraloom.engine.store import made_by_file, read_made_by, write_text

if TYPE_CHECKING:
    from paraloom.workflows.mine.options import MineOptions

OPTIONS = "options.json"
TAKEN_OVER = {
    "lines": ("min_characters", "max_characters", "ignore_punctuation"),
    "embed": ("embedder", "dims", "max_tokens"),
    "search": ("neighbours", "index", "recall", "probes", "codes"),
}
"""What a run that grows goes on with where nothing else is said: what decides ids, vectors and neighbours. Columns are
said of files, and a device of a machine."""
NOTED_AFTER = ("vectors", "neighbours")
"""Steps after which options are noted: where the run can be used again, and where all of them have been heeded."""


def note_options(run: Path, step: str, options: MineOptions) -> None:
    """Write what the run was asked for when one of these steps is made, or was made so before."""
    if step == NOTED_AFTER[-1] or (step in NOTED_AFTER and not (run / OPTIONS).is_file()):
        told = {part: _some(plain_options(getattr(options, part)), names) for part, names in TAKEN_OVER.items()}
        write_text(run / OPTIONS, json.dumps(told, indent=2) + "\n")


def noted_options(run: Path) -> dict[str, Any]:
    """Options by name that a run was made with, as far as they are noted."""
    file = run / OPTIONS
    told = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    noted: dict[str, Any] = {}
    for part, names in TAKEN_OVER.items():
        noted |= _some(told.get(part, {}), names)
    return noted


def _some(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: options[name] for name in names if name in options}


def options_of_run(run: Path) -> MineOptions:
    """What to mine with so that a run grows: what it was asked for, the rest by default."""
    from paraloom.workflows.mine.options import MineOptions

    noted, whole = noted_options(run), MineOptions()
    changed = {}
    for part in TAKEN_OVER:
        options = getattr(whole, part)
        changed[part] = replace(options, **_some(noted, [field.name for field in fields(options)]))
    return replace(whole, **changed)


def largest_run(given: Iterable[str | Path]) -> Path | None:
    """The mined run that has most vectors, of those among what is given to be mined."""
    runs = [Path(name) for name in given if str(name) != "-" and made_by_file(Path(name), "vectors").is_file()]
    return min(runs, key=order_of, default=None)


def order_of(run: Path) -> tuple[int, str]:
    """What mined runs are ordered by: the largest first."""
    made_by = read_made_by(run, "vectors")
    return -int(made_by["rows"]), str(made_by["signature"])
