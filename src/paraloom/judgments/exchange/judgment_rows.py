"""What judgments are on their way into the store: given by a file, not yet checked against an item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from paraloom.judgments.exchange.labels_in import Labels
from paraloom.judgments.exchange.remark_rows import GivenDecision, GivenMark, GivenNote


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
    left_id: str | None = None
    """Of a pair, the sentence that was shown on the left, where the file says it."""
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
    marks: Sequence[GivenMark] = ()
    notes: Sequence[GivenNote] = ()
    """On its item."""
    decisions: Sequence[GivenDecision] = ()
    """About its item, the one that holds last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDecided:
    """What experts decided about an item, as a row of its own; nobody's answer."""

    where: str
    item_id: str
    content: Mapping[str, Any] | None
    left_id: str | None
    notes: Sequence[GivenNote]
    decisions: Sequence[GivenDecision]
    """The one that holds last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenExpected:
    """The right answer of a test question, where a file tells it (`ground_truth`)."""

    where: str
    item_id: str | None
    content: Mapping[str, Any] | None
    labels: Labels


Given = GivenJudgment | GivenDecided | GivenExpected
