"""An evaluation in, what its command prints out: tables, or one JSON object that nothing else is mixed into."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol


class Evaluation(Protocol):
    """What any evaluation can say of itself."""

    def as_json(self) -> dict[str, Any]:
        """One object with `metrics` and `signature`, by system where there are several."""

    def as_text(self) -> str:
        """Tables and sentences for a person to read."""


def show(evaluation: Evaluation, report: Path | None, *, as_json: bool) -> None:
    """Print the result; where its page lies goes to standard error, so that results can be piped."""
    import json

    from paraloom.cli.console import say

    print(json.dumps(evaluation.as_json(), ensure_ascii=False, allow_nan=False) if as_json else evaluation.as_text())
    if report is not None:
        say(str(report))
