"""The benchmark of articles counts pairs of one event, tells growth as a ratio, and says which bar is missed."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from tests.workflows.align.all_kinds import event

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def align(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import align

    return align


@pytest.fixture
def articles(tmp_path: Path) -> Path:
    """Four events, two articles each; the last event is told again after a month."""
    folder = tmp_path / "news_cluster" / "articles"
    folder.mkdir(parents=True)
    for number in range(4):
        for wording in range(2):
            article = event(10 * number, wording)
            date = article["created_at"].split("+")[0].replace("T", " ")
            if (number, wording) == (3, 1):
                date = "2025-01-01 00:00:00"
            told = {"title": article["title"], "text": article["text"], "date_publish": date}
            file = folder / f"{number}-{wording}.json"
            file.write_text(json.dumps(told | {"newsCluster": {"EventId": number}}), encoding="utf-8")
    return folder


def test_pairs_of_one_event_are_wanted_within_the_window(align: ModuleType, articles: Path) -> None:
    events = align._events(articles)
    assert len(align._wanted(events, 0.0)) == 4
    assert len(align._wanted(events, 7.0)) == 3


def test_quality_is_told_by_window_and_least_likeness(align: ModuleType, articles: Path, tmp_path: Path) -> None:
    rows = align.quality(articles, tmp_path / "work")
    assert [(row["window_days"], row["least_alike"]) for row in rows] == [
        (days, least) for days in (7.0, 0.0) for least in align.LEAST
    ]
    within = next(row for row in rows if row["window_days"] == 7.0)
    assert (within["wanted"], within["recall"], within["precision"]) == (3, 1.0, 1.0)
    assert [row["pairs"] for row in rows[: len(align.LEAST)]] == sorted(
        (row["pairs"] for row in rows[: len(align.LEAST)]), reverse=True
    )


def test_the_defaults_are_measured_apart(align: ModuleType, articles: Path, tmp_path: Path) -> None:
    row = align.with_defaults(articles, tmp_path / "work")
    assert (row["wanted"], row["recall"], row["precision"]) == (3, 1.0, 1.0)


GROWN = [
    ([(100, 10.0), (200, 20.0), (400, 40.0)], [1.0, 1.0]),
    ([(100, 10.0), (200, 40.0)], [2.0]),
    ([(100, 10.0)], []),
]


@pytest.mark.parametrize(("rows", "growths"), GROWN)
def test_growth_is_the_time_an_article_from_size_to_size(align: ModuleType, rows, growths) -> None:
    assert align.growths([{"articles": size, "seconds": seconds} for size, seconds in rows]) == growths


QUALITY = {"precision": 0.95, "recall": 0.85}
LARGE = {"articles": 200_000, "seconds": 300.0, "megabytes": 3000.0}
MISSED = [
    ({"defaults": QUALITY, "speed": [LARGE], "growth": [1.0]}, ""),
    ({}, ""),
    ({"defaults": QUALITY | {"recall": 0.7}}, "recall 0.700"),
    ({"defaults": QUALITY | {"precision": 0.8}}, "Precision 0.800"),
    ({"speed": [LARGE | {"seconds": 700.0}]}, "700 s"),
    ({"speed": [LARGE | {"megabytes": 5000.0}]}, "5000 MB"),
    ({"speed": [LARGE | {"articles": 50_000, "seconds": 700.0}]}, ""),
    ({"growth": [1.1, 1.6]}, "1.60 times"),
]


@pytest.mark.parametrize(("result", "said"), MISSED)
def test_a_bar_that_is_missed_is_told(align: ModuleType, result, said: str) -> None:
    found = align.missed(result)
    assert bool(found) == bool(said)
    assert said in " ".join(found)
