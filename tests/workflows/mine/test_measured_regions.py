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
from paraloom.workflows.mine.scoring import TWO_SCALES

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


def test_each_split_stands_for_all_candidates(tmp_path: Path) -> None:
    """Of one interval most pairs were skipped in test, of the other in dev: neither split may forget the interval."""
    layout = [("low", 1000, "dev", 20), ("low", 1000, "test", 4), ("high", 100, "dev", 2), ("high", 100, "test", 20)]
    rows = []
    for interval, population, split, count in layout:
        for number in range(count):
            text = f"the storm of {len(rows)} hit the coast"
            rows.append({"left": text, "right": f"{text} today", "label": int(number % 2 == 0 and interval == "high"),
                         "score": 0.1 if interval == "low" else 0.9, "interval": interval, "population": population,
                         "weight": 1, "split": split})  # fmt: skip
    found = measure_regions(file_of(tmp_path, rows), options=MeasureOptions(wanted_precision=0.5))
    chosen = {row.measured_on: row for row in found.rows if row.kind == "negatives" and row.is_chosen}
    assert list(chosen) == ["dev", "test"]
    for split, row in chosen.items():
        alone = file_of(tmp_path, [one for one in rows if one["split"] == split])
        assert row.region == measure_regions(alone, RegionOptions(**row.bounds)).rows[0].region
        assert row.region.precision.value == pytest.approx(1050 / 1100)  # both intervals count


def test_bounds_are_wider_where_the_errors_lie_in_the_interval_that_weighs_most(tmp_path: Path) -> None:
    rows = []
    for interval, population, wrong in (("low", 9000, 3), ("high", 300, 0), ("higher", 100, 0)):
        for number in range(30):
            text = f"the storm of {len(rows)} hit the coast"
            rows.append({"left": text, "right": f"{text} today", "label": int(number < wrong), "score": 0.1,
                         "interval": interval, "population": population, "weight": population / 30,
                         "split": "test"})  # fmt: skip
    precision = measure_regions(file_of(tmp_path, rows)).rows[0].region.precision
    assert precision.value == pytest.approx(1 - 0.1 * 9000 / 9400)
    by_weight_alone = 9400**2 / (30 * (300**2 + 10**2 + (100 / 30) ** 2))
    assert precision.effective < by_weight_alone
    stratified = measure_regions(file_of(tmp_path, rows)).signature
    assert "interval:wilson,stratified" in stratified
    assert "interval:wilson|" in measure_regions(file_of(tmp_path, judged(30))).signature


LABELS_BY_ID = ["pair_id\twho\tverdict", *(f"p{number}\tann\t{number % 2}" for number in range(40))]


def by_id(folder: Path, lines: list[str]) -> tuple[Path, MeasureOptions]:
    """Labels by id, and the drawn pairs that they are about."""
    rows = [{**row, "pair_id": f"p{number}"} for number, row in enumerate(without("label", 40))]
    (folder / "labels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "labels.tsv", MeasureOptions(drawn=file_of(folder, rows, "drawn.jsonl"))


@pytest.mark.parametrize("column", ["verdict", "3"])
def test_the_column_of_labels_by_id_is_named_or_numbered(tmp_path: Path, column: str) -> None:
    labels, options = by_id(tmp_path, LABELS_BY_ID)
    report = measure_regions(labels, scoring=ScoringOptions(columns=(f"label={column}",)), options=options)
    assert (report.pairs, report.negatives) == (40, 20)


REFUSED_BY_ID = [
    ([*LABELS_BY_ID, "p3\tbea\t0"], "labels of 1 pair disagree, such as 1, 0 for p3.* run `paraloom label` first"),
    ([LABELS_BY_ID[0], "q1\tann\t1", "q2\tann\t0"], "No pair of .*drawn.jsonl has a label .* such as p0 and q1"),
]


@pytest.mark.parametrize(("lines", "told"), REFUSED_BY_ID)
def test_labels_by_id_that_tell_nothing_clear_are_refused(tmp_path: Path, lines: list[str], told: str) -> None:
    labels, options = by_id(tmp_path, lines)
    with pytest.raises(InputError, match=told):
        measure_regions(labels, scoring=ScoringOptions(columns=("label=verdict",)), options=options)


def test_several_labels_of_an_id_that_agree_are_one(tmp_path: Path) -> None:
    labels, options = by_id(tmp_path, [*LABELS_BY_ID, "p3\tbea\t1", "p4\tbea\t", "p5\tbea\tx"])
    report = measure_regions(labels, scoring=ScoringOptions(columns=("label=verdict",)), options=options)
    assert (report.pairs, report.negatives) == (40, 20)


def test_an_id_of_several_drawn_pairs_is_refused(tmp_path: Path) -> None:
    labels, _ = by_id(tmp_path, LABELS_BY_ID)
    rows = [{**row, "pair_id": f"p{number % 20}"} for number, row in enumerate(without("label", 40))]
    options = MeasureOptions(drawn=file_of(tmp_path, rows, "drawn.jsonl"))
    with pytest.raises(InputError, match="several pairs have the id p0"):
        measure_regions(labels, scoring=ScoringOptions(columns=("label=verdict",)), options=options)


def test_a_pair_that_is_there_twice_has_one_label_or_is_refused(tmp_path: Path) -> None:
    rows = judged(20)
    turned = [{**row, "left": row["right"], "right": row["left"]} for row in rows[:5]]
    report = measure_regions(file_of(tmp_path, [*rows, *turned]))
    assert report.pairs == 20
    assert "5 rows that repeat a pair were left out." in report.notes
    other = {**turned[0], "label": "2" if turned[0]["label"] == "4>" else "4"}
    with pytest.raises(InputError, match="labels of 1 pair disagree"):
        measure_regions(file_of(tmp_path, [*rows, other]))


def test_a_split_is_heeded_whole_or_not_at_all(tmp_path: Path) -> None:
    rows = [{**row, "split": ("dev", "test")[number % 2]} for number, row in enumerate(judged(60))]
    odd = [*rows[:-2], {**rows[-2], "split": "train"}, {**rows[-1], "split": None}]
    with pytest.raises(InputError, match=r"column split holds train \(1\), nothing \(1\) beside dev and test"):
        measure_regions(file_of(tmp_path, odd))
    none = measure_regions(file_of(tmp_path, [{**row, "split": "train"} for row in rows]))
    assert "The column split says neither dev nor test (train): pairs were divided by --dev-share." in none.notes
    blank = measure_regions(file_of(tmp_path, [{**row, "split": ""} for row in rows]))
    assert not any("split" in note for note in blank.notes)
    assert blank.rows == none.rows


def test_scores_beside_grades_are_told_to_be_another_scale(tmp_path: Path) -> None:
    beside = [{**row, "grade": "3"} for row in judged(30)]
    assert TWO_SCALES in measure_regions(file_of(tmp_path, beside)).notes
    of_people = [{**without_name(row, "label"), "grade": row["label"]} for row in judged(30)]
    assert TWO_SCALES not in measure_regions(file_of(tmp_path, of_people)).notes
    asked = ScoringOptions(model="ngram-regression", definition="loose")
    assert TWO_SCALES not in measure_regions(file_of(tmp_path, beside), scoring=asked).notes


def test_a_file_without_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "blank.tsv").write_text("left\tright\tlabel\n \t \t1\n")
    with pytest.raises(InputError, match="There are no pairs in"):
        measure_regions(tmp_path / "blank.tsv")


def test_an_identifier_is_not_measured_by_its_own_word_unless_that_is_said_to_be_people_s(tmp_path: Path) -> None:
    rows = [
        {"left": row["left"], "right": row["right"], "score": row["score"], "is_paraphrase": int(row["label"] == "4>")}
        for row in judged(100)
    ]
    file = file_of(tmp_path, rows)
    with pytest.raises(InputError, match=r"no labels by people.*--columns label=is_paraphrase"):
        measure_regions(file)
    said = ScoringOptions(columns=("label=is_paraphrase",))
    assert measure_regions(file, scoring=said).pairs == 100


def test_an_identifier_s_own_scores_are_asked_for(tmp_path: Path) -> None:
    rows = judged(60, 3)
    found = measure_regions(
        file_of(tmp_path, rows), scoring=ScoringOptions(model="ngram-regression", definition="loose")
    )
    scores = load("ngram-regression").score([str(row["left"]) for row in rows], [str(row["right"]) for row in rows])
    assert found.rows[0].region.precision.judged >= int((scores < 0.6).sum())
    assert "identifier:ngram-regression" in found.signature


def without(name: str, count: int = 30) -> list[dict[str, object]]:
    return [without_name(row, name) for row in judged(count)]


def without_name(row: dict[str, object], name: str) -> dict[str, object]:
    return {key: value for key, value in row.items() if key != name}


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
