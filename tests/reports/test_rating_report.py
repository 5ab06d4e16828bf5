"""The report of ratings: whole, escaped, the same every time, with the tables of the papers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.metrics.overlap.reference_diversity import ReferenceSelfBleu
from paraloom.metrics.ratings.metric_correlations import correlate_with_people
from paraloom.metrics.ratings.rated_outputs import RatedOutputs, Ratings, summarise_aspect
from paraloom.reports.rating import RatingEvaluation, RunMetric, headline, render_rating, write_rating_report

ITEMS = 80
ATTACK = "<script>alert('x')</script>"


def evaluation(systems: tuple[str, ...] = ("one", "two"), points: float = 5.0) -> RatingEvaluation:
    random = np.random.default_rng(5)
    truth = random.normal(size=ITEMS)
    ratings = {
        aspect: Ratings(
            item=np.repeat(np.arange(ITEMS), 2),
            value=np.clip(np.repeat(truth, 2) + random.normal(size=2 * ITEMS), -2, 2).round() + 3
            if aspect != "fluency"
            else np.full(2 * ITEMS, points),
        )
        for aspect in ("fluency", "similarity")
    }
    rated = RatedOutputs(
        sources=[f"source {item // 4}" for item in range(ITEMS)],
        outputs=["text"] * ITEMS,
        systems=[systems[item % len(systems)] for item in range(ITEMS)],
        references=[()] * ITEMS,
        ratings=ratings,
    )
    values = {"pinc": truth + random.normal(size=ITEMS) / 2, "ter": -truth}
    shown = (None, *systems) if len(systems) > 1 else (None,)
    return RatingEvaluation(
        files=("ratings.tsv",),
        items=ITEMS,
        sources=20,
        systems=systems,
        aspects=rated.scored,
        summaries=tuple(
            summarise_aspect(rated, aspect, system, resamples=20) for system in shown for aspect in rated.scored
        ),
        differences=(),
        metrics=(
            RunMetric(name="pinc", better="higher", signature="pinc|n:4", items=ITEMS),
            RunMetric(name="ter", better="lower", signature="ter|nrefs:1", items=ITEMS),
        ),
        correlations=tuple(
            one for system in shown for one in correlate_with_people(values, rated, system, resamples=20)
        ),
        not_run={"meteor": "There is no Java here."},
        human=ReferenceSelfBleu(
            lowest=6.5, mean=17.4, deviation=9.1, highest=34.1, sources=200, references=1600, skipped=0, signature="s"
        ),
        resamples=20,
        seed=1,
        notes=("3 outputs are copies.",),
    )


def test_the_page_and_the_json_hold_the_same_numbers(tmp_path: Path) -> None:
    given = evaluation()
    text = write_rating_report(given, tmp_path / "out").read_text(encoding="utf-8")
    written = json.loads((tmp_path / "out" / "rating.json").read_text(encoding="utf-8"))
    assert f"{written['metrics']['similarity']:.2f}" in text
    found = written["correlations"]["pinc"]["similarity"]
    assert f">{found['spearman']:.3f}{found['stars']}<" in text
    assert found["stars"] == "∗∗∗"
    assert f">{found['within_sources']:.3f}<" in text
    for said in ("There is no Java here.", "6.50 (lowest of a source)", "3 outputs are copies.", "ter|nrefs:1"):
        assert said in text
    assert text.count("<svg") == 2


def test_the_metric_that_is_named_first_goes_with_people_in_the_direction_it_claims() -> None:
    given = evaluation()
    found = given.correlation("ter", "overall")
    assert found is not None
    assert found.value is not None
    assert found.value < -0.5
    assert headline(given) == f"ter goes best with people’s overall: −{-found.value:.2f}"
    wrong_way = tuple(replace(metric, better="higher") for metric in given.metrics)
    assert headline(replace(given, metrics=wrong_way)).startswith("pinc goes best with people’s overall: 0.")


def test_a_metric_that_goes_with_people_by_chance_alone_is_not_named_first() -> None:
    given = evaluation()
    nothing = tuple(replace(one, p_value=0.2) for one in given.correlations)
    assert headline(replace(given, correlations=nothing)) == "No metric goes with people’s overall"
    assert headline(replace(given, metrics=(), correlations=())) == "80 rated outputs"


def test_a_constant_aspect_has_no_correlation_and_a_note_about_alpha() -> None:
    given = evaluation()
    text = render_rating(given)
    assert "100.0% of the ratings are 5" in text
    fluency = given.correlation("pinc", "fluency")
    assert fluency is not None
    assert fluency.value is None
    assert "fluency has no alpha: all answers are the same" in text


def test_what_people_wrote_never_becomes_markup() -> None:
    text = render_rating(evaluation(systems=(ATTACK, "two")))
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_nothing_is_loaded_from_anywhere() -> None:
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', render_rating(evaluation()))


@pytest.mark.parametrize("systems", [("one",), ("one", "two")])
def test_the_printed_tables_have_a_row_a_metric_and_a_column_an_aspect(systems: tuple[str, ...]) -> None:
    text = evaluation(systems).as_text()
    assert re.search(r"Spearman +fluency +95% +similarity +95% +overall +95% +fluency within", text)
    assert len(re.findall(r"^ter ↓ ", text, re.MULTILINE)) == (1 if len(systems) == 1 else 3)
    assert "not run: meteor: There is no Java here." in text
