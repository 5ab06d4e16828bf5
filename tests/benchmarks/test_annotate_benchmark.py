"""The annotation benchmark tells what our service falls short of, and how peers compare."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("aiohttp")

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def annotate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import annotate

    return annotate


def row(annotate: ModuleType, exported: Counter[str] | None = None, **changed: Any) -> Any:
    from annotate_peers.load import Load, Tally, row_of

    tally = Tally(submit=[0.01] * 20, in_time=20, server_cores=0.5)
    tally.acknowledged.update(f"judgment-{number}" for number in range(20))
    for name, value in changed.items():
        setattr(tally, name, value)
    return row_of("Paraloom", Load(people=2, seconds=10), tally, exported or tally.acknowledged, 0.0)


def test_a_good_run_misses_no_bar(annotate: ModuleType) -> None:
    assert annotate.bars_missed(row(annotate)) == []


MISSED = [
    ({"submit": [0.3] * 20}, "p95"),
    ({"errors": {"submit: 500": 1}}, "errors"),
    ({"without_work": 1}, "without work"),
]


@pytest.mark.parametrize(("changed", "told"), MISSED)
def test_a_bar_that_is_missed_is_told(annotate: ModuleType, changed: dict[str, Any], told: str) -> None:
    (line,) = annotate.bars_missed(row(annotate, **changed))
    assert told in line


def test_a_lost_answer_is_told(annotate: ModuleType) -> None:
    (line,) = annotate.bars_missed(row(annotate, exported=Counter({"judgment-1": 2})))
    assert line.startswith("19 answers were lost, 1 doubled")


def test_a_peer_that_takes_three_times_as_long_is_told_so(annotate: ModuleType) -> None:
    ratio = annotate.ratio(row(annotate), row(annotate, submit=[0.03] * 20))
    assert ratio["submit_p95"] == pytest.approx(3.0)
    assert ratio["answers_a_second"] == pytest.approx(1.0)
