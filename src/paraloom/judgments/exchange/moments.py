"""Times and durations as files write them in, moments with a zone and seconds out."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from paraloom.errors import InputError


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
