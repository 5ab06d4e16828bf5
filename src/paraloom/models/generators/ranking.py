"""Candidates of one source in, the same as outputs out, best first: what a ranker promises, and the plainest one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from paraloom.models.generators import Candidate

DECIMALS = 6
"""So many are kept of a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """One text that is offered as a paraphrase of a source."""

    text: str
    score: float
    """How good its ranker holds it to be: the higher the better."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What the score is made of, by name."""
    refused_for: str | None = None
    """Why it would have been refused, had there been enough better ones."""


@runtime_checkable
class Ranker(Protocol):
    """Puts the candidates of a source in order."""

    @property
    def signature(self) -> str:
        """All that decides the order and the scores."""

    def rank(self, source: str, candidates: Sequence[Candidate]) -> list[Output]:
        """Every candidate once, best first; the score does not depend on the other sources of a run."""


@dataclass(frozen=True, slots=True)
class ByOwnScore:
    """The generator's own order: each candidate keeps the score that it came with.

    >>> texts = [Candidate(text="b", score=-2.0), Candidate(text="a", score=-1.0)]
    >>> [output.text for output in ByOwnScore().rank("c", texts)]
    ['a', 'b']
    """

    @property
    def signature(self) -> str:
        """`own-score`."""
        return "own-score"

    def rank(self, source: str, candidates: Sequence[Candidate]) -> list[Output]:
        """Best first; of equal scores, the one that the generator named first."""
        ordered = sorted(candidates, key=lambda candidate: -candidate.score)
        return [Output(text=each.text, score=round(float(each.score), DECIMALS)) for each in ordered]
