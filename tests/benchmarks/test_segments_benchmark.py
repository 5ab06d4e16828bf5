"""The benchmark of segments counts what is covered, and what it costs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("sklearn")

FOLDER = Path(__file__).parents[2] / "benchmarks"

FILMS = [
    (
        "Where have you been all day?\nI was out.\nThe boat leaves at nine.\nTake your coat.",
        "Where were you the whole day?\nI was out.\nAt nine the boat will leave.\nTake your coat.",
        [("Where have you been all day?", "Where were you the whole day?")],
    ),
    (
        "Nobody slept that night.\nThe storm took the roof.\nWe have to go now.",
        "That night nobody could sleep.\nOur roof went with the storm.\nNow we have to go.",
        [("The storm took the roof.", "Our roof went with the storm.")],
    ),
    (
        "My brother has the money.\nHe will not give it back.\nThen we must ask him.",
        "The money is with my brother.\nHe is not going to return it.\nWe must ask him then.",
        [("He will not give it back.", "He is not going to return it.")],
    ),
]


@pytest.fixture
def segments(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    import segments

    return segments


@pytest.fixture
def data(tmp_path: Path) -> Path:
    texts, pairs = {}, []
    for number, (left, right, marked) in enumerate(FILMS):
        texts |= {f"{number}a": left, f"{number}b": right}
        for one, other in marked:
            context = {"doc1": f"{number}a", "beg1": left.index(one), "end1": left.index(one) + len(one)}
            context |= {"doc2": f"{number}b", "beg2": right.index(other), "end2": right.index(other) + len(other)}
            pairs.append({"txt1": one, "txt2": other.upper() if number == 2 else other, "context": context})
    pairs.append({"txt1": "lost", "txt2": "gone", "context": None})
    (tmp_path / "sv_texts.json.gz").write_bytes(gzip.compress(json.dumps(texts).encode()))
    (tmp_path / "sv_pairs.json").write_text(json.dumps(pairs))
    return tmp_path


def test_pairs_without_a_place_and_edited_texts_are_counted(segments: ModuleType, data: Path) -> None:
    films, without_place, edited = segments.read_films(data)
    assert (len(films), without_place, edited) == (3, 1, 1)


def test_coverage_falls_with_the_least_score_and_strangers_are_told_apart(segments: ModuleType, data: Path) -> None:
    films, _, _ = segments.read_films(data)
    rows = segments.rows_of(films, "always", "letters", None, False)
    shipped = [row for row in rows if row.scored_by == "shipped" and row.trivial == "with"]
    assert shipped[0].covered == 1.0
    assert shipped[0].suggestions_a_pair == round(10 / 3, 3)
    assert shipped[0].of_strangers_a_pair > 2
    assert [row.covered for row in shipped] == sorted((row.covered for row in shipped), reverse=True)
    without = next(row for row in rows if row.scored_by == "shipped" and row.trivial == "without")
    assert without.suggestions_a_pair < shipped[0].suggestions_a_pair
    assert {row.scored_by for row in rows} == {"shipped", "other films"}


SHARES = [
    ((0, 10), (0, 10), 1.0, 1.0),
    ((0, 10), (5, 10), 0.5, 0.5),
    ((0, 10), (0, 20), 0.5, 1.0),
    ((0, 5), (7, 9), -2 / 9, -0.4),
]


@pytest.mark.parametrize(("gold", "span", "of_both", "of_gold"), SHARES)
def test_shares_are_of_both_or_of_what_was_marked(segments: ModuleType, gold, span, of_both, of_gold) -> None:
    assert segments.shared_of_both(gold, span) == pytest.approx(of_both)
    assert segments.shared_of_gold(gold, span) == pytest.approx(of_gold)


def test_places_that_give_another_text_are_told(segments: ModuleType, data: Path) -> None:
    films, _, _ = segments.read_films(data)
    documents = segments.as_members(films[0])
    found = list(segments.segments_of_group("film", documents))
    assert segments.places_wrong(films[0], found, documents) == []
    assert segments.places_wrong(films[1], found, documents)


def test_the_defaults_are_measured_and_a_missed_bar_is_told(segments: ModuleType, data: Path) -> None:
    films, _, _ = segments.read_films(data)
    found = segments.timed_defaults(films)
    assert found.places_wrong == []
    assert 0 < found.covered <= 1
    assert found.suggestions_a_pair > 0
    poor = segments.Defaults(
        covered=0.6, suggestions_a_pair=3.0, seconds_a_film=0.1, most_seconds=0.1, places_wrong=["not there"]
    )
    told = segments.missed(poor)
    assert len(told) == 3
    assert told[0] == "not there"
    assert "60.0%" in told[1]
    assert "3.00" in told[2]
