"""What every reader of a published corpus gives: its splits, as its authors released them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPairs:
    """The pairs of one split, in the order of its file."""

    left: Sequence[str]
    right: Sequence[str]
    targets: NDArray[np.float64]
    """1 for a paraphrase, 0 for none, NaN where the corpus's authors leave the pair out (an undecided vote)."""
    groups: Sequence[str]
    """What must not cross splits: pairs that share a source sentence, a trend or a URL have the same group."""
    votes: NDArray[np.int64] | None = None
    """Two columns, where the corpus tells them: how many said paraphrase, and of how many."""
    topics: Sequence[str] | None = None
    """What the pair is about (a trend's name), where the corpus tells it."""
    grades: Sequence[str] | None = None
    """Labels of a graded scheme, as written, where the corpus has one."""

    def __post_init__(self) -> None:
        lengths = {len(self.left), len(self.right), len(self.targets), len(self.groups)}
        lengths |= {len(column) for column in (self.votes, self.topics, self.grades) if column is not None}
        if len(lengths) > 1:
            raise InputError(f"The columns of these pairs are of different lengths: {sorted(lengths)}.")

    def __len__(self) -> int:
        return len(self.left)

    def chosen(self, rows: Sequence[int] | NDArray[np.int64]) -> KnownPairs:
        """The pairs with these numbers, in this order."""
        return KnownPairs(
            left=[self.left[row] for row in rows],
            right=[self.right[row] for row in rows],
            targets=self.targets[np.asarray(rows, np.int64)],
            groups=[self.groups[row] for row in rows],
            votes=None if self.votes is None else self.votes[np.asarray(rows, np.int64)],
            topics=None if self.topics is None else [self.topics[row] for row in rows],
            grades=None if self.grades is None else [self.grades[row] for row in rows],
        )

    def labelled(self) -> KnownPairs:
        """Without the pairs that the corpus's authors leave out."""
        return self.chosen(np.flatnonzero(~np.isnan(self.targets)))

    def examples(self, definition: str) -> Examples:
        """What an identifier learns from: the labelled pairs under one definition."""
        kept = self.labelled()
        return Examples(
            left=kept.left,
            right=kept.right,
            targets=kept.targets.tolist(),
            definition=definition,
            topics=kept.topics,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCorpus:
    """A published corpus, as far as its files were found."""

    name: str
    title: str
    definition: str
    """What its labels mean: one of `DEFINITIONS`."""
    splits: Mapping[str, KnownPairs]
    """By `train`, `dev` and `test`; those whose file was found."""
    notes: tuple[str, ...] = field(default=())
    """What was left out or odd while reading, and which files were not found."""
