"""Pairs selected within measured regions: their bounds, the same identifier, and how many of the pairs are right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.models.identifiers import load
from paraloom.pairs.region_options import RegionOptions, SampleOptions
from paraloom.reports.pages import percent
from paraloom.reports.regions import write_regions_report
from paraloom.tables import make_id, pair_id_of
from paraloom.workflows.mine.region_options import MeasureOptions, ScoringOptions, SelectOptions
from paraloom.workflows.mine.regions import measure_regions
from paraloom.workflows.mine.safe_regions import UNKNOWN_SCORES
from paraloom.workflows.mine.sample import sample_candidates
from paraloom.workflows.mine.select import NOTHING_LEFT_OUT, select_pairs
from tests.corpus.run_tables import write
from tests.workflows.mine.test_measured_regions import file_of, judged

BY = "cascade|weights:12ab"
BY_MODEL = ScoringOptions(model="ngram-regression")


def candidates(count: int = 200) -> list[dict[str, object]]:
    """Of the same kinds as the judged pairs, and none of their texts."""
    rows = judged(count, seed=7)
    return [{**{side: f"{row[side]} by {place}" for side in ("left", "right")}, "score": row["score"]}
            for place, row in enumerate(rows)]  # fmt: skip


def measured(folder: Path, rows: list[dict[str, object]] | None = None, **how: Any) -> SelectOptions:
    """Regions measured on judged pairs, as an option of `select`."""
    report = measure_regions(file_of(folder, judged() if rows is None else rows), **how)
    write_regions_report(report, folder / "regions")
    return SelectOptions(regions=folder / "regions" / "regions.json", leave_out=(folder / "judged.jsonl",))


def rule(folder: Path, kind: str, measured_on: str) -> dict[str, Any]:
    found = json.loads((folder / "regions" / "regions.json").read_text(encoding="utf-8"))
    return next(one for one in found["rules"] if (one["kind"], one["measured_on"]) == (kind, measured_on))


@pytest.mark.parametrize(("which", "measured_on"), [("sought", "test"), ("given", "all")])
def test_bounds_are_taken_over_and_their_precision_is_told(tmp_path: Path, which: Any, measured_on: str) -> None:
    options = replace(measured(tmp_path), rule=which)
    selected = select_pairs([file_of(tmp_path, candidates(), "pairs.jsonl")], tmp_path / "safe.tsv", options=options)
    rules = {kind: rule(tmp_path, kind, measured_on) for kind in ("negatives", "positives")}
    bounds = {name: value for one in rules.values() for name, value in one["bounds"].items()}
    for name, value in bounds.items():
        assert f"{name.replace('_', '-')}:{value:g}" in selected.signature
    alone = select_pairs([tmp_path / "pairs.jsonl"], tmp_path / "alone.tsv", RegionOptions(**bounds))
    assert alone.precision == {}
    told = selected.as_json()["precision"]
    for kind, one in rules.items():
        value, low, high = (one["precision"][name] for name in ("value", "low", "high"))
        assert told[kind] == {**{name: one["precision"][name] for name in ("value", "low", "high", "judged")},
                              "measured_on": measured_on}  # fmt: skip
        assert f"Of the {kind} about {percent(value)} [{percent(low)}, {percent(high)}] are right" in selected.as_text()
    rows = read_rows(tmp_path / "safe.tsv", ("left", "right"))
    assert sum(selected.taken.values()) == len(rows) > 20


def test_what_is_measured_is_what_is_taken(tmp_path: Path) -> None:
    """On the judged pairs themselves, all of them test pairs but for those that choose."""
    rows = [{**row, "split": "dev" if number % 2 else "test"} for number, row in enumerate(judged(800))]
    options = replace(measured(tmp_path, rows), leave_out=())
    tests = file_of(tmp_path, [row for row in rows if row["split"] == "test"], "tests.jsonl")
    select_pairs([tests], tmp_path / "safe.jsonl", options=options)
    truth = {(row["left"], row["right"]): row["label"] == "4>" for row in rows}
    taken = [json.loads(line) for line in (tmp_path / "safe.jsonl").read_text().splitlines()]
    for kind, label in (("negatives", 0), ("positives", 1)):
        right = [truth[one["left"], one["right"]] == bool(label) for one in taken if one["label"] == label]
        said = rule(tmp_path, kind, "test")["precision"]
        assert len(right) == said["judged"] > 50
        assert sum(right) / len(right) == pytest.approx(said["value"], abs=1e-6)


def test_the_folder_of_regions_will_do_and_nothing_left_out_is_told(tmp_path: Path) -> None:
    options = replace(measured(tmp_path), regions=tmp_path / "regions")
    pairs = file_of(tmp_path, candidates(), "pairs.jsonl")
    selected = select_pairs([pairs], tmp_path / "safe.tsv", options=options)
    assert selected.precision
    assert NOTHING_LEFT_OUT not in selected.notes
    assert UNKNOWN_SCORES in selected.notes
    again = select_pairs([pairs], tmp_path / "again.tsv", options=replace(options, leave_out=()))
    assert NOTHING_LEFT_OUT in again.notes


def test_the_identifier_and_its_definition_are_those_that_regions_were_measured_with(tmp_path: Path) -> None:
    options = measured(tmp_path, scoring=BY_MODEL, options=MeasureOptions(wanted_precision=0.6))
    scored_by = json.loads((tmp_path / "regions" / "regions.json").read_text(encoding="utf-8"))["scored_by"]
    signature = load("ngram-regression").signature
    assert scored_by == {"model": "ngram-regression", "definition": "loose", "signature": signature}
    pairs = file_of(tmp_path, [{**row, "score": 0.5} for row in candidates()], "pairs.jsonl")
    selected = select_pairs([pairs], tmp_path / "safe.tsv", options=options)
    assert f"identifier:{signature.replace('|', ',')},definition:loose" in selected.signature
    named = select_pairs([pairs], tmp_path / "named.tsv", scoring=BY_MODEL, options=options)
    assert (named.taken, named.precision) == (selected.taken, selected.precision)
    assert UNKNOWN_SCORES not in selected.notes


def refused(folder: Path, told: str, **how: Any) -> None:
    pairs = file_of(folder, candidates(), "pairs.jsonl")
    with pytest.raises(InputError, match=told):
        select_pairs([pairs], folder / "safe.tsv", **how)
    assert not (folder / "safe.tsv").exists()


def test_an_identifier_that_was_trained_again_is_another_one(tmp_path: Path) -> None:
    options = measured(tmp_path, scoring=BY_MODEL)
    file = tmp_path / "regions" / "regions.json"
    file.write_text(
        file.read_text().replace('"signature": "ngram-regression|', '"signature": "ngram-regression|once:1|')
    )
    refused(tmp_path, "ngram-regression is another identifier than regions were measured with", options=options)


def test_another_definition_or_bound_is_refused(tmp_path: Path) -> None:
    options = measured(tmp_path, scoring=BY_MODEL)
    refused(tmp_path, "tells of the definition 'loose'", scoring=ScoringOptions(definition="strict"), options=options)
    refused(tmp_path, r"and so does --max-similarity, --positive-confidence\. Give one", options=options,
            bounds=RegionOptions(max_similarity=0.2, positive_confidence=0.9))  # fmt: skip
    by_scores = measured(tmp_path)
    refused(
        tmp_path, "tells of scores that the pairs came with.* Leave out --model", scoring=BY_MODEL, options=by_scores
    )


def test_what_is_no_regions_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"rules": []}')
    refused(tmp_path, r"is no regions\.json that", options=SelectOptions(regions=tmp_path / "other.json"))
    with pytest.raises(InputError, match="--rule given is about the bounds of --regions"):
        SelectOptions(rule="given")


def test_a_kind_without_sure_bounds_is_not_taken_and_where_none_has_any_nothing_is_done(tmp_path: Path) -> None:
    """Scores that say nothing of paraphrases, and texts without a word in common that are none."""
    rows = [{**row, "score": 0.5} for row in judged(400) if row["label"] != "2"]
    rows = [{**row, "label": "2" if number % 5 == 0 else row["label"]} for number, row in enumerate(rows)]
    options = measured(tmp_path, rows)
    pairs = file_of(tmp_path, [{**row, "score": 0.5} for row in candidates()], "pairs.jsonl")
    selected = select_pairs([pairs], tmp_path / "safe.tsv", options=options)
    assert list(selected.taken) == ["negatives"]
    assert "No bounds for positives surely have the wanted precision, so none are taken." in selected.notes
    refused_options = replace(options, take=("positives",))
    with pytest.raises(InputError, match=r"no bounds for positives that surely .* --rule given"):
        select_pairs([pairs], tmp_path / "none.tsv", options=refused_options)
    given = select_pairs([pairs], tmp_path / "given.tsv", options=replace(refused_options, rule="given"))
    assert given.taken == {"positives": 0}
    assert "No judged pair lies where positives are taken" in given.as_text()


def scored_run(folder: Path, name: str = "run", labelled_by: str = BY, every: int = 1) -> Path:
    """A run of judged candidates, every so manyth of which has a score."""
    pairs, labels = [], []
    for number, row in enumerate(judged(900, seed=3)):
        ids = make_id("text", row["left"]), make_id("text", row["right"], number)
        pair_id = pair_id_of(*ids)
        pairs.append({"pair_id": pair_id, "left_id": ids[0], "right_id": ids[1], "left": row["left"],
                      "right": f"{row['right']} {number}"})  # fmt: skip
        if number % every == 0:
            labels.append({"pair_id": pair_id, "definition": "loose", "score": row["score"],
                           "labelled_by": labelled_by})  # fmt: skip
    write(folder / name, "pairs", pairs)
    write(folder / name, "labels", labels)
    return folder / name


def judge_sample(folder: Path, run: Path) -> Path:
    """The drawn pairs of a run, with what people would say of them."""
    sample_candidates([run], folder / "sample.jsonl", SampleOptions(per_interval=12), overwrite=True)
    truth = {str(row["left"]): row["label"] for row in judged(900, seed=3)}
    rows = [json.loads(line) for line in (folder / "sample.jsonl").read_text().splitlines()]
    return file_of(folder, [{**row, "label": truth[row["left"]]} for row in rows])


def test_a_sample_carries_the_scores_of_its_run_and_regions_by_them_hold_for_that_run(tmp_path: Path) -> None:
    run = scored_run(tmp_path)
    rows = read_rows(judge_sample(tmp_path, run), ("left", "right"))
    assert set(rows.columns["definition"]) == {"loose"}
    assert set(rows.columns["labelled_by"]) == {BY}
    known = {str(row["left"]): row["score"] for row in judged(900, seed=3)}
    assert rows.numbers("score") == [known[left] for left in rows.texts("left")]
    report = measure_regions(tmp_path / "judged.jsonl", options=MeasureOptions(wanted_precision=0.75))
    write_regions_report(report, tmp_path / "regions")
    options = SelectOptions(regions=tmp_path / "regions", leave_out=(tmp_path / "judged.jsonl",))
    selected = select_pairs([run], tmp_path / "safe.tsv", options=options)
    assert sum(selected.taken.values()) > 50
    assert selected.unscored == 0
    assert UNKNOWN_SCORES not in selected.notes
    other = scored_run(tmp_path, "other", "paraloom|weights:77cd")
    with pytest.raises(InputError, match=r"scores are by another identifier .*: paraloom\|weights:77cd, not cascade"):
        select_pairs([other], tmp_path / "other.tsv", options=options)
    assert not (tmp_path / "other.tsv").exists()


def test_pairs_without_a_score_are_left_out_and_the_others_stand_for_those_that_have_one(tmp_path: Path) -> None:
    run = scored_run(tmp_path, every=2)
    rows = [json.loads(line) for line in judge_sample(tmp_path, run).read_text().splitlines()]
    without = sum(row["score"] is None for row in rows)
    assert 0 < without < len(rows)
    report = measure_regions(tmp_path / "judged.jsonl", RegionOptions(max_similarity=1.0, min_confidence=0.0))
    assert report.pairs == len(rows) - without
    assert f"{without} pairs come without a score, left out" in " ".join(report.notes)
    weight: dict[str, float] = {}
    negative: dict[str, float] = {}
    for row in rows:
        drawn = sum(one["interval"] == row["interval"] for one in rows)
        if row["score"] is not None:
            weight[row["interval"]] = weight.get(row["interval"], 0) + row["population"] / drawn
            negative.setdefault(row["interval"], 0.0)
            negative[row["interval"]] += row["population"] / drawn * (row["label"] != "4>")
    share = sum(negative.values()) / sum(weight.values())
    assert report.rows[0].region.precision.value == pytest.approx(share)


def test_scores_for_several_definitions_are_not_carried(tmp_path: Path) -> None:
    run = scored_run(tmp_path)
    labels = [
        {"pair_id": make_id(number), "definition": name, "score": 0.5, "labelled_by": BY}
        for number, name in enumerate(("loose", "strict"))
    ]
    write(tmp_path / "several", "pairs", [{"pair_id": make_id(0), "left": "a storm", "right": "a gale"}])
    write(tmp_path / "several", "labels", labels)
    sampled = sample_candidates([run, tmp_path / "several"], tmp_path / "sample.jsonl")
    assert "several definitions (loose, strict), and none is written" in " ".join(sampled.notes)
    assert "score" not in read_rows(tmp_path / "sample.jsonl", ("left", "right")).columns


DEFINITIONS = [
    (ScoringOptions(model="ngram-regression"), "loose", "ngram-regression gives no grades: it was asked by"),
    (ScoringOptions(model="ngram-regression", definition="loose"), "loose", None),
]


@pytest.mark.parametrize(("scoring", "definition", "note"), DEFINITIONS)
def test_an_identifier_that_gives_no_grades_is_asked_by_what_it_knows(
    tmp_path: Path, scoring: ScoringOptions, definition: str, note: str | None
) -> None:
    report = measure_regions(file_of(tmp_path, judged(60)), scoring=scoring)
    assert report.scored_by.definition == definition
    assert (
        any(note in one for one in report.notes) if note else not any("gives no grades" in one for one in report.notes)
    )


def test_a_definition_that_an_identifier_does_not_know_names_the_option(tmp_path: Path) -> None:
    scoring = ScoringOptions(model="ngram-regression", definition="graded")
    with pytest.raises(
        InputError, match=r"not trained for the definition 'graded'\. Give --definition loose, or another"
    ):
        measure_regions(file_of(tmp_path, judged(30)), scoring=scoring)
    rows = [{**row, "definition": "loose"} for row in judged(30)]
    with pytest.raises(InputError, match="scores for the definition 'loose', not 'strict'"):
        measure_regions(file_of(tmp_path, rows), scoring=ScoringOptions(definition="strict"))
