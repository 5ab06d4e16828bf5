"""What judgments are on their way into the store: given by a file, not yet checked against an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.exchange.labels_in import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenJudgment:
    """One answer, as a file tells of it."""

    where: str
    annotator: str
    client_id: str
    """Made of the source, so that the same answer is known again."""
    item_id: str | None
    content: Mapping[str, Any] | None
    """What was shown, where the file says it."""
    answer: Mapping[str, Any] | None = None
    """In our own form; else there are labels."""
    labels: Labels | None = None
    created_at: datetime | None = None
    seconds: float | None = None
    is_set_aside: bool = False
    judgment_id: str | None = None
    """Of our own exports alone."""
    instructions_version: int = 1
    replaces: str | None = None
    expected: Mapping[str, Any] | None = None
    explanation: str | None = None
    group_id: str | None = None
    proposed_by: str | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    marks: Sequence[Mapping[str, Any]] = ()
    decision: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenExpected:
    """The right answer of a test question, where a file tells it (`ground_truth`)."""

    where: str
    item_id: str | None
    content: Mapping[str, Any] | None
    labels: Labels


def moment(value: Any) -> datetime | None:
    """A time as files write it; one without a zone is UTC.

    >>> str(moment("2021-03-09T22:16:08.728353Z")), moment(None)
    ('2021-03-09 22:16:08.728353+00:00', None)
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        found = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise InputError(f"{value!r} is no time") from None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def seconds(value: Any) -> float | None:
    """How long somebody took; nothing where that is no number, or beyond a day."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 86_400:
        return float(value)
    return None
