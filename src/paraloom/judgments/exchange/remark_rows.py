"""What a file tells that was said after a judgment in, marks, notes and decisions on their way into the store out.

None of them has an id that holds everywhere, but each has its moment and its words: by these it is known again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.client_ids import is_client_id
from paraloom.judgments.decide import MOST_NOTE
from paraloom.judgments.exchange.item_rows import LONGEST_ID
from paraloom.judgments.exchange.moments import moment
from paraloom.judgments.tasks.reading import checked_text, text, texts

MOST_MARK = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenMark:
    """One judgment was set aside, or restored."""

    mark: str
    reason: str
    made_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenNote:
    """Something said about an item."""

    annotator: str
    text: str
    created_at: datetime
    client_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenDecision:
    """What an expert decided about an item; its answer is still to be checked by the task."""

    answer: Mapping[str, Any]
    decided_by: str
    reason: str | None
    """None where the file does not tell it: tables have no room for it."""
    judgment_ids: Sequence[str]
    instructions_version: int
    created_at: datetime


def read_mark(raw: Mapping[str, Any]) -> GivenMark:
    """As an export tells it."""
    return GivenMark(
        mark=text(raw, "mark", most=MOST_MARK),
        reason=_reason(raw),
        made_by=text(raw, "made_by", most=LONGEST_ID),
        created_at=_at(raw, "mark"),
    )


def read_note(raw: Mapping[str, Any]) -> GivenNote:
    """As an export tells it; one from before notes had ids has none."""
    client_id = raw.get("client_id")
    if client_id is not None and not (isinstance(client_id, str) and is_client_id(client_id)):
        raise InputError("a note's `client_id` is not 8 to 100 plain characters")
    return GivenNote(
        annotator=text(raw, "annotator"),
        text=text(raw, "text", most=MOST_NOTE),
        created_at=_at(raw, "note"),
        client_id=client_id,
    )


def read_decision(raw: Mapping[str, Any]) -> GivenDecision:
    """As an export tells it."""
    answer = raw.get("answer")
    if not isinstance(answer, Mapping):
        raise InputError("a decision's `answer` is no object")
    return GivenDecision(
        answer=answer,
        decided_by=text(raw, "decided_by"),
        reason=_reason(raw),
        judgment_ids=texts(raw, "judgment_ids", least=0, most=100_000, letters=LONGEST_ID),
        instructions_version=int(raw.get("instructions_version") or 1),
        created_at=_at(raw, "decision"),
    )


def _reason(raw: Mapping[str, Any]) -> str:
    return checked_text(str(raw.get("reason") or ""), "reason", empty=True)


def _at(raw: Mapping[str, Any], what: str) -> datetime:
    found = moment(raw.get("created_at"))
    if found is None:
        raise InputError(f"a {what} does not tell when it was made (`created_at`)")
    return found
