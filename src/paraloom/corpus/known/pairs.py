"""What every reader of a published corpus gives: its splits, as its authors released them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

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
    """Two columns, where the corpus tells them: how many said paraphrase, and of how many (0 where it is not told)."""
    topics: Sequence[str] | None = None
    """What the pair is about (a trend's name), where the corpus tells it."""
    grades: Sequence[str] | None = None
    """Labels of a graded scheme, as written, where the corpus has one."""
    scores: NDArray[np.float64] | None = None
    """A number that the corpus gives beside the label (BLEURT), where it does."""

    def __post_init__(self) -> None:
        lengths = {len(self.left), len(self.right), len(self.targets), len(self.groups)}
        lengths |= {len(column) for column in self._beside() if column is not None}
        if len(lengths) > 1:
            raise InputError(f"The columns of these pairs are of different lengths: {sorted(lengths)}.")

    def __len__(self) -> int:
        return len(self.left)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return zip(self.left, self.right, strict=True)

    def _beside(self) -> tuple[Sequence[object] | NDArray[np.int64] | NDArray[np.float64] | None, ...]:
        return self.votes, self.topics, self.grades, self.scores

    def chosen(self, rows: Sequence[int] | NDArray[np.int64]) -> KnownPairs:
        """The pairs with these numbers, in this order."""
        numbers = np.asarray(rows, np.int64)
        return KnownPairs(
            left=[self.left[row] for row in rows],
            right=[self.right[row] for row in rows],
            targets=self.targets[numbers],
            groups=[self.groups[row] for row in rows],
            votes=None if self.votes is None else self.votes[numbers],
            topics=None if self.topics is None else [self.topics[row] for row in rows],
            grades=None if self.grades is None else [self.grades[row] for row in rows],
            scores=None if self.scores is None else self.scores[numbers],
        )

    def labelled(self) -> KnownPairs:
        """Without the pairs that the corpus's authors leave out."""
        return self.chosen(np.flatnonzero(~np.isnan(self.targets)))

    def with_targets(self, targets: NDArray[np.float64]) -> KnownPairs:
        """The same pairs with other answers."""
        return replace(self, targets=targets)

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


def joined(parts: Sequence[KnownPairs]) -> KnownPairs:
    """Several sets of pairs as one, in their order; topics, grades and scores only where all of them have any.

    Groups of different sets must have different names where they are different groups, as readers give them.
    """
    votes = [part.votes if part.votes is not None else np.zeros((len(part), 2), np.int64) for part in parts]
    topics = [part.topics for part in parts if part.topics is not None]
    grades = [part.grades for part in parts if part.grades is not None]
    scores = [part.scores for part in parts if part.scores is not None]
    return KnownPairs(
        left=[text for part in parts for text in part.left],
        right=[text for part in parts for text in part.right],
        targets=np.concatenate([part.targets for part in parts]),
        groups=[group for part in parts for group in part.groups],
        votes=np.concatenate(votes) if any(part.votes is not None for part in parts) else None,
        topics=[topic for part in topics for topic in part] if len(topics) == len(parts) else None,
        grades=[grade for part in grades for grade in part] if len(grades) == len(parts) else None,
        scores=np.concatenate(scores) if len(scores) == len(parts) else None,
    )


def hash_of_pairs(parts: Sequence[KnownPairs]) -> str:
    """A short name for pairs, targets and grades.

    >>> one = KnownPairs(left=["a"], right=["b"], targets=np.ones(1), groups=["1"])
    >>> hash_of_pairs([one]) == hash_of_pairs([one]), hash_of_pairs([one]) == hash_of_pairs([one, one])
    (True, False)
    """
    digest = blake2b(digest_size=8)
    for part in parts:
        digest.update(f"{len(part)} pairs\n".encode())
        grades = part.grades or [""] * len(part)
        for left, right, target, grade in zip(part.left, part.right, part.targets.tolist(), grades, strict=True):
            digest.update(f"{left}\t{right}\t{target:g}\t{grade}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


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
