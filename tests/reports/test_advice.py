"""What a person is told about a build that kept little."""

from __future__ import annotations

from typing import Any

import pytest

from paraloom.reports.advice import advice


def summary(bad: int = 0, why: str = "unknown shape (body)", **funnel: int) -> dict[str, Any]:
    counts = {"rows_read": 10, "documents_kept": 10 - bad, "groups_kept": 2, "sentences_kept": 5, "pairs": 3, **funnel}
    details = [{"name": why, "count": bad, "share": bad / 10}]
    reasons = [{"reason": "bad_row", "count": bad, "share": bad / 10, "details": details}] if bad else []
    return {"funnel": counts, "drops": [{"table": "documents", "rows": 10, "dropped": bad, "reasons": reasons}]}


TOLD = [
    (summary(), []),
    (summary(bad=3), []),
    (summary(rows_read=0), ["The files hold no rows."]),
    (summary(bad=10, groups_kept=0), ["10 of 10 rows could not be read", "--map text=COLUMN"]),
    (summary(bad=6, why="not UTF-8"), ["6 of 10 rows could not be read, most of them for: not UTF-8."]),
    (summary(groups_kept=0), ["--by trend"]),
    (summary(pairs=0), ["No group has two sentences left"]),
]


@pytest.mark.parametrize(("given", "said"), TOLD)
def test_a_build_that_kept_little_says_what_to_do(given: dict[str, Any], said: list[str]) -> None:
    told = " ".join(advice(given))
    assert bool(told) == bool(said)
    assert all(part in told for part in said)
