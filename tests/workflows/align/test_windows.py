"""Articles meet within their window, however many there are in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions

EVENTS = (
    "The granary by the old bridge burnt down on the night before the market",
    "Two brothers opened a school for deaf children in the disused railway station",
    "A cargo ship lost forty containers of shoes off the northern lighthouse",
    "The council voted to close the orchard path after a landslide",
)
ADDED = ("witnesses said", "the mayor confirmed", "nobody was hurt", "police are looking for a van", "rain is expected")


@pytest.fixture
def news(tmp_path: Path) -> Path:
    """Eighty articles, twenty of each event, over forty days."""
    file = tmp_path / "news.jsonl"
    rows = []
    for number in range(80):
        added = f"{ADDED[number % 5]}, and {ADDED[number * number % 5]} ({number})"
        time = datetime(2024, 3, 1, tzinfo=UTC) + timedelta(days=number * 7 % 41, hours=number)
        rows.append(
            {"title": f"Report {number}", "text": f"{EVENTS[number % 4]}, {added}.", "created_at": time.isoformat()}
        )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize("window_days", [0.0, 3.0])
def test_a_crowded_window_gives_the_same_pairs_as_one_that_is_compared_at_once(
    news: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window_days: float
) -> None:
    options = AlignOptions(alignment=AlignmentOptions(least_alike=0.2, most_alike=1.01, window_days=window_days))
    align([news], tmp_path / "one", options, until="groups")
    monkeypatch.setattr("paraloom.groups.blocks.MOST_DOCUMENTS", 3)
    align([news], tmp_path / "many", options, until="groups")
    once, often = (store.read_table(tmp_path / run, "groups") for run in ("one", "many"))
    assert once.equals(often)
    assert len(once) > 100
