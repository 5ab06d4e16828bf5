"""Judged candidates through an identifier: the map, the rules, and the bounds that are sought."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.likeness.character_cosine import character_cosines
from paraloom.models.identifiers import load
from paraloom.pairs.region_options import RegionOptions
from paraloom.reports.regions import RegionsReport, render_regions, write_regions_report
from paraloom.workflows.mine.region_options import MeasureOptions, ScoringOptions
from paraloom.workflows.mine.regions import measure_regions

TOWNS = ("Norland", "Umber", "Tarn", "Ashby", "Quill")


def judged(count: int = 600, seed: int = 1) -> list[dict[str, object]]:
    """Candidates of which some share a text almost, some a few words, some nothing; scores tell them apart mostly."""
    random = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        town, other = random.permutation(TOWNS)[:2]
        kind = int(random.integers(3))
        right = (
            f"quiet evening with {number % 7} friends",
            f"the storm left {other} in {number % 5} hours",
            f"the storm of {number} hit the coast of {town}",
        )[kind]
        score = float(np.clip(random.normal((0.1, 0.35, 0.9)[kind], 0.12), 0, 1).round(6))
        label = ("1", "2", "4>")[kind]
        rows.append({"left": f"the storm of {number} hits the coast of {town}", "right": right, "label": label,
                     "score": score})  # fmt: skip
    return rows


def file_of(folder: Path, rows: list[dict[str, object]], name: str = "judged.jsonl") -> Path:
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder / name


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> RegionsReport:
    return measure_regions(file_of(tmp_path_factory.mktemp("judged"), judged()))


def test_the_map_counts_every_judged_pair_where_it_lies(report: RegionsReport) -> None:
    rows = judged()
    similarity = character_cosines([str(row["left"]) for row in rows], [str(row["right"]) for row in rows])
    corner = [row for row, alike in zip(rows, similarity, strict=True) if alike >= 0.8 and row["score"] > 0.8]
    assert sum(tile.pairs for tile in report.tiles) == report.pairs == len(rows)
    assert report.tiles.at(4, 0).pairs == len(corner) > 50
    assert report.tiles.at(4, 0).negatives == 0
    assert report.negatives == sum(row["label"] != "4>" for row in rows)


def test_the_given_rule_is_measured_on_all_and_the_sought_ones_are_checked_on_test(report: RegionsReport) -> None:
    told = [(row.kind, row.measured_on, row.is_chosen) for row in report.rows]
    assert told == [
        ("negatives", "all", False),
        ("negatives", "dev", True),
        ("negatives", "test", True),
        ("positives", "all", False),
        ("positives", "dev", True),
        ("positives", "test", True),
    ]
    by_name = {(row.kind, row.measured_on): row.region for row in report.rows}
    for kind in ("negatives", "positives"):
        assert by_name[kind, "test"].precision.value > 0.93
        assert by_name[kind, "test"].found.value > 0.8
    dev, test = by_name["negatives", "dev"].taken.judged, by_name["negatives", "test"].taken.judged
    assert dev + test == report.pairs
    assert dev / report.pairs == pytest.approx(1 / 3, abs=0.06)


def test_a_rule_s_precision_is_that_of_the_pairs_in_it(tmp_path: Path) -> None:
    rows = judged(200, 2)
    found = measure_regions(file_of(tmp_path, rows), RegionOptions(max_similarity=0.0, min_confidence=0.5)).rows[0]
    taken = [row for row in rows if round(1 - float(str(row["score"])), 6) > 0.5]
    assert found.region.precision.judged == len(taken)
    assert found.region.precision.value == pytest.approx(np.mean([row["label"] != "4>" for row in taken]))
    assert found.region.taken.value == pytest.approx(len(taken) / 200)


def test_weights_make_the_estimate_one_of_all_candidates(tmp_path: Path) -> None:
    """Ten judged pairs of one interval stand for a thousand, ten of another for ten."""
    rows = [
        {"left": "a storm", "right": "a storm", "label": int(number < 5), "interval": name, "population": population,
         "weight": population / 10, "score": 0.0, "split": "test"}
        for name, population in (("low", 1000), ("high", 10))
        for number in range(10)
    ]  # fmt: skip
    rows = [{**row, "left": f"a storm {place}", "right": f"A storm {place}"} for place, row in enumerate(rows)]
    for row in rows[10:]:
        row["label"] = 1
    report = measure_regions(file_of(tmp_path, rows))
    assert report.is_weighted
    assert report.rows[0].region.precision.value == pytest.approx(500 / 1010)
    skipped = [*rows[:8], *rows[10:]]  # two pairs of the first interval were not judged: the others stand for them
    assert measure_regions(file_of(tmp_path, skipped)).rows[0].region.precision.value == pytest.approx(375 / 1010)


def test_an_identifier_s_own_scores_are_asked_for(tmp_path: Path) -> None:
    rows = judged(60, 3)
    found = measure_regions(
        file_of(tmp_path, rows), scoring=ScoringOptions(model="ngram-regression", definition="loose")
    )
    scores = load("ngram-regression").score([str(row["left"]) for row in rows], [str(row["right"]) for row in rows])
    assert found.rows[0].region.precision.judged >= int((scores < 0.6).sum())
    assert "identifier:ngram-regression" in found.signature


def without(name: str) -> list[dict[str, object]]:
    return [{key: value for key, value in row.items() if key != name} for row in judged(30)]


REFUSED = [
    (without("score"), ScoringOptions(), "30 of 30 pairs come without a score"),
    (without("label"), ScoringOptions(), "no column of labels"),
    ([{**row, "label": "maybe"} for row in judged(30)], ScoringOptions(), "no label that says"),
    ([{**row, "score": 3} for row in judged(30)], ScoringOptions(), "from 0 to 1"),
    ([{**row, "score": "high"} for row in judged(30)], ScoringOptions(), "no number"),
    ([{**row, "weight": -1} for row in judged(30)], ScoringOptions(), "column weight"),
    (judged(30), ScoringOptions(model="ngram-regression", definition="graded"), "graded"),
]


@pytest.mark.parametrize(("rows", "scoring", "told"), REFUSED)
def test_what_cannot_be_measured_is_one_message(tmp_path: Path, rows, scoring: ScoringOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        measure_regions(file_of(tmp_path, rows), scoring=scoring)


@pytest.mark.parametrize("setting", [{"steps": 0}, {"wanted_precision": 0}, {"dev_share": 1}])
def test_options_that_make_no_sense_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(InputError, match="--"):
        MeasureOptions(**setting)


def test_undecided_pairs_are_left_out_and_told(tmp_path: Path) -> None:
    rows = [*judged(50), {**judged(51)[-1], "label": "x"}]
    report = measure_regions(file_of(tmp_path, rows))
    assert report.pairs == 50
    assert "1 pair without a clear label was left out." in report.notes


def test_the_report_has_the_map_and_the_numbers_of_its_json(report: RegionsReport, tmp_path: Path) -> None:
    page = write_regions_report(report, tmp_path).read_text(encoding="utf-8")
    numbers = json.loads((tmp_path / "regions.json").read_text(encoding="utf-8"))
    assert numbers == report.as_json()
    assert page == render_regions(report)
    assert page.count("<svg") == 2
    assert "similarity &lt; 0.1 or confidence &gt; 0.4" in page
    assert "(97.7%)" in page  # the paper's own
    assert len(numbers["tiles"]) == 25
    assert numbers["metrics"]["negatives/given/all/precision"] == numbers["rules"][0]["precision"]["value"]
    assert report.as_text().startswith(report.headline)


def test_the_paper_s_figure_stands_beside_the_paper_s_bounds_alone(tmp_path: Path) -> None:
    found = measure_regions(file_of(tmp_path, judged(90)), RegionOptions(max_similarity=0.2))
    assert [row.published for row in found.rows if not row.is_chosen] == [None, 0.958]


def test_a_map_without_pairs_in_a_region_says_so(tmp_path: Path) -> None:
    rows = [row for row in judged(120) if row["label"] == "4>" and float(str(row["score"])) > 0.7]
    report = measure_regions(file_of(tmp_path, rows))
    assert report.headline == "No judged pair lies where similarity < 0.1 or confidence > 0.4"
    assert [row.measured_on for row in report.rows if row.kind == "negatives"] == ["all"]
    assert "<svg" in render_regions(report)
