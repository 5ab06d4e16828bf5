"""A text and its time in, out come the names in it, each with the day: posts that share one may tell the same.

So Xu, Ritter and Grishman (2013) paired posts before there were links to go by: of one named entity on one day.
"""

from __future__ import annotations

from datetime import UTC, datetime

from paraloom.text.facts import fact_spans
from paraloom.text.facts.tables import MONTHS, WEEKDAYS

APART = " · "
"""Between a name and its day in a group's key."""
SHORTEST = 2
"""Letters that a name has at least."""


def entity_dates(text: str, created_at: datetime | None, language: str | None = None) -> list[str]:
    """The keys of a text, each once, in the order of its names; none where it has no time.

    Days are those of UTC: what was written at midnight in one place is not another day for it.

    >>> entity_dates("Zoë's NASA team met Zoë on Monday", datetime(2020, 10, 5, 23, tzinfo=UTC))
    ['zoe · 2020-10-05', 'nasa · 2020-10-05']
    """
    if created_at is None:
        return []
    moment = created_at if created_at.tzinfo else created_at.replace(tzinfo=UTC)
    day = moment.astimezone(UTC).date().isoformat()
    names = (span.normalised for span in fact_spans(text, language or "en") if span.kind == "name")
    found = (name for name in names if len(name) >= SHORTEST and name not in WEEKDAYS and name not in MONTHS)
    return [f"{name}{APART}{day}" for name in dict.fromkeys(found)]


def entity_of(key: str) -> str:
    """The name in a group's key.

    >>> entity_of("nasa · 2020-10-05")
    'nasa'
    """
    return key.rpartition(APART)[0]
