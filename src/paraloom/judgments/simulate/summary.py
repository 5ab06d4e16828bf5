"""What simulated annotators did in, figures out: how many answers, how long they waited, what failed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from paraloom.judgments.simulate.work import Worked


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long requests of one kind took, in milliseconds."""

    requests: int
    p50: float | None
    p95: float | None
    p99: float | None
    longest: float | None


def waits_of(seconds: Sequence[float]) -> Waits:
    """Percentiles by nearest rank.

    >>> waits_of([0.004, 0.001, 0.002, 0.003])
    Waits(requests=4, p50=2.0, p95=4.0, p99=4.0, longest=4.0)
    """
    if not seconds:
        return Waits(requests=0, p50=None, p95=None, p99=None, longest=None)
    ordered = sorted(seconds)

    def at(percent: int) -> float:
        return round(1000 * ordered[-(-len(ordered) * percent // 100) - 1], 3)

    return Waits(requests=len(ordered), p50=at(50), p95=at(95), p99=at(99), longest=at(100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Acknowledged answers against what the service has."""

    judgments: int
    lost: int
    """Acknowledged, and not there."""
    doubled: int
    """Client ids of one person that are there more than once."""
    unacknowledged: int
    """There, and nobody was told: at most as many as answers that were given up."""


def held_against(worked: Worked, judgments: Sequence[dict[str, Any]]) -> Stored:
    """Hold what was acknowledged against the judgments of the people who took part."""
    there = {row["judgment_id"] for row in judgments}
    told = {one.judgment_id for one in worked.acknowledged}
    answers = {(row["person_id"], row["client_id"]) for row in judgments}
    return Stored(
        judgments=len(judgments),
        lost=len(told - there),
        doubled=len(judgments) - len(answers),
        unacknowledged=len(there - told),
    )
