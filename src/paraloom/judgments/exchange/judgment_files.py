"""A file or folder of judgments in, what it gives out, whichever tool wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad
from paraloom.judgments.exchange.judgment_rows import Given
from paraloom.judgments.exchange.label_studio_in import read_label_studio
from paraloom.judgments.exchange.own_in import read_own
from paraloom.judgments.exchange.potato_in import LINES, STATE, read_potato

AUTO = "auto"

READERS: dict[str, Callable[[Path], Iterator[Given | Bad]]] = {
    "paraloom": read_own,
    "label-studio": read_label_studio,
    "potato": read_potato,
}
"""Who may have written judgments."""


def read_judgments(source: Path, format: str = AUTO) -> Iterator[Given | Bad]:
    """Everything that is given there; its format is told, or known by the file's name."""
    if not source.exists():
        raise InputError(f"There is no file {source}. Check the path.")
    found = _format_of(source) if format == AUTO else format
    if found not in READERS:
        raise InputError(f"There is no format {found!r}. Choose one of: {', '.join(READERS)}.")
    yield from READERS[found](source)


def _format_of(source: Path) -> str:
    if source.is_dir() and (any(source.glob("*.parquet")) or any(source.glob("*.made_by.json"))):
        raise InputError(
            f"{source} holds tables, which do not tell what was shown. Give what `paraloom annotate export "
            "--format jsonl` wrote."
        )
    if source.is_dir() or source.name in (STATE, LINES):
        return "potato"
    return "label-studio" if source.suffix.lower() == ".json" else "paraloom"
