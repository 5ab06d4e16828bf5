"""A job that brings something into a campaign in; out comes what it added, what was there, what it could not use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, TypeVar

from sqlalchemy import Connection

from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.judgments.store.database import Database

MOST_TOLD = 20
"""Bad rows that are told one by one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(ABC):
    """What became of the rows of a file. What kinds of rows tell besides are counts, as fields of their own."""

    ROW: ClassVar[tuple[str, str]] = ("row", "rows")
    """What one of them is called, and several."""

    campaign: str
    added: int
    there_already: int
    bad: Sequence[Bad]
    dry_run: bool

    @abstractmethod
    def in_words(self, added: str) -> str:
        """What was added and what was there; `added` is "added", or "would be added"."""

    def as_json(self) -> dict[str, object]:
        """For programs."""
        apart = ("campaign", "bad", "dry_run")
        return {
            "campaign": self.campaign,
            **{field.name: getattr(self, field.name) for field in fields(self) if field.name not in apart},
            "bad_rows": len(self.bad),
            "dropped_for": dict(Counter(one.reason for one in self.bad)),
            "dry_run": self.dry_run,
        }

    def as_text(self) -> str:
        """In words."""
        told = [self.in_words("would be added" if self.dry_run else "added")]
        if self.bad:
            told.append(f"{counted(len(self.bad), *self.ROW)} cannot be used:")
            told += [f"  {one.where}: {one.reason}" for one in self.bad[:MOST_TOLD]]
            if len(self.bad) > MOST_TOLD:
                told.append(f"  … and {len(self.bad) - MOST_TOLD:,} more")
        return "\n".join(told)


def refuse_all_bad(bad: Sequence[Bad], row: tuple[str, str], task: str, *, useful: int) -> None:
    """An error where there are rows, and not one of them is useful."""
    if bad and not useful:
        raise InputError(
            f"Nothing was imported: {counted(len(bad), *row)} cannot be used in a campaign of the kind {task!r}. The "
            f"first, {bad[0].where}: {bad[0].reason}."
        )


class _OnlyLooking(Exception):
    """Raised to undo what a dry run did."""


def do_or_look(database: Database, job: Callable[[Connection], T], *, dry_run: bool) -> T:
    """What a job found, in one transaction; that of a dry run is undone."""
    found: list[T] = []

    def once(connection: Connection) -> None:
        found.append(job(connection))
        if dry_run:
            raise _OnlyLooking

    with suppress(_OnlyLooking):
        database.write(once)
    return found[-1]  # a transaction that was in another's way is tried again
