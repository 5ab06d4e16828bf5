"""A folder and a listener in; every training inside the `with` block keeps its checkpoints there and tells of itself.

`Identifier.fit` takes examples and a seed, for systems that have nothing to resume as for those that train for a day.
So the one who wants a resumable `fit` says so around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from paraloom.models.training.task import CurvePoint

Tell = Callable[[str], None]


@dataclass(slots=True)
class Surroundings:
    """Where trainings keep what they reach, whom they tell, and what they have told."""

    folder: Path | None = None
    tell: Tell | None = None
    begun: int = 0
    curves: list[tuple[CurvePoint, ...]] = field(default_factory=list)
    """The curve of each training that has ended, in their order."""

    def next_folder(self) -> Path | None:
        """One of its own for each training, numbered: the same calls find the same folders again."""
        self.begun += 1
        return None if self.folder is None else self.folder / f"training-{self.begun}"


_CURRENT: ContextVar[Surroundings | None] = ContextVar("surroundings", default=None)


@contextmanager
def training_in(folder: Path | None, tell: Tell | None = None) -> Iterator[Surroundings]:
    """Trainings inside keep their checkpoints in this folder."""
    around = Surroundings(folder, tell)
    before = _CURRENT.set(around)
    try:
        yield around
    finally:
        _CURRENT.reset(before)


def surroundings() -> Surroundings:
    """Those of the innermost `training_in`; none at all outside of one."""
    return _CURRENT.get() or Surroundings()
