"""Names of columns that are looked for in, where they lie in a file out, and whether its first line is a header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which columns are looked for, and under which names."""

    names: tuple[str, ...]
    columns: dict[str, str]
    also: dict[str, str]
    left_out: dict[int, str] | None = None
    """By its line, why a row was left out; None: such a row is an error."""

    def leave_out(self, path: Path, line: int, why: str, mend: str = "") -> None:
        """Note a row that cannot be read, or refuse the file for it."""
        if self.left_out is None:
            raise InputError(f"{path}, line {line}: {why}. {mend}".rstrip())
        self.left_out[line] = why

    def is_header(self, cells: Sequence[str]) -> bool:
        """Whether a first line names columns: nothing is looked for, or a name is used or met."""
        by_name = any(not theirs.isdecimal() for theirs in self.columns.values())
        return not self.names or by_name or bool({*self.names, *self.columns, *self.also.values()} & set(cells))

    def places(self, names: Sequence[str], *, numbers_first: bool) -> dict[str, int]:
        """Where our columns lie among a file's, those under our own names aside."""
        found = {}
        for ours, theirs in self.columns.items():
            numbered = theirs.isdecimal() and 1 <= int(theirs) <= len(names)
            if numbered and (numbers_first or theirs not in names):
                found[ours] = int(theirs) - 1
            elif theirs in names:
                found[ours] = names.index(theirs)
        for ours, other in self.also.items():
            if ours not in names and ours not in self.columns and other in names:
                found[ours] = names.index(other)
        return found

    def used(self, names: Sequence[str]) -> list[str]:
        """The file's names that decide which columns are taken."""
        own = [ours for ours in self.names if ours not in self.columns]
        other = [other for ours, other in self.also.items() if ours not in names and ours not in self.columns]
        return [*own, *other, *(theirs for theirs in self.columns.values() if not theirs.isdecimal())]


def about_first_line(path: Path, wanted: Wanted, first: Sequence[str], has_header: bool) -> str | None:
    """What the first line was taken for, where the file itself does not say."""
    if has_header:
        if wanted.is_header(first):
            return None
        return f"Line 1 of {path.name} is taken for its header, as every CSV file has one."
    taken = wanted.columns or {ours: str(number) for number, ours in enumerate(wanted.names[: len(first)], start=1)}
    are = "column {} is" if len(taken) == 1 else "columns {} are"
    return (
        f"{path.name} names no column that is looked for, so line 1 is read as data; "
        f"{are.format(', '.join(taken.values()))} taken for {', '.join(taken)}."
    )


def told_columns(names: Sequence[str], has_header: bool) -> str:
    """The columns that are there, for an error.

    >>> told_columns(["id", "text"], has_header=True), told_columns(["1"], has_header=False)
    ('id, text', 'a single column, and no header')
    """
    if not has_header:
        return f"{'a single column' if len(names) == 1 else f'{len(names)} columns'}, and no header"
    return ", ".join(names) or "none"
