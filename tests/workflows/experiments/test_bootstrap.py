"""Bootstrapping on small corpora: a first classifier, what it takes, and what learning from it changes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import KnownPairs
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.experiments import Experiment, ResultTable
from paraloom.workflows.bench.published import KANERVA_TABLES
from paraloom.workflows.experiments.bootstrap import run_bootstrap
from paraloom.workflows.experiments.bootstrap_sets import WAYS, Sets, labelled_as, read_sets
from paraloom.workflows.experiments.options import BootstrapExperimentOptions, ExperimentOptions
from tests.workflows.experiments.graded_corpora import write_turku

QUICK = ExperimentOptions(systems=("ngram-regression",))
ENGLISH = BootstrapExperimentOptions(
    corpus="twitter-url", candidates="pit2015", most_negatives=0.05, wanted_precision=0.6
)


@pytest.fixture(scope="module")
def found(corpora: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Experiment, Path]:
    folder = tmp_path_factory.mktemp("bootstrap")
    return run_bootstrap(corpora, QUICK, ENGLISH, out=folder), folder


def table(experiment: Experiment, title: str) -> ResultTable:
    return next(one for one in experiment.tables if one.title.startswith(title))


def rows_of(one: ResultTable) -> dict[str, dict[str, float]]:
    return {
        row.label: {name: cell.mean for name, cell in zip(one.columns, row.cells, strict=True) if cell}
        for row in one.rows
    }


def test_every_way_is_measured_on_both_test_sets(found: tuple[Experiment, Path]) -> None:
    experiment, _ = found
    for title in ("on Twitter-URL", "on PIT-2015"):
        one = table(experiment, title)
        assert one.columns == ("neg P", "neg R", "neg F", "pos F", "w. avg F", "acc")
        assert set(rows_of(one)) >= {"train", "train+neg"}
        assert set(rows_of(one)) <= set(WAYS)
    assert experiment.headline.startswith("ngram-regression: F1 of negatives among candidates of PIT-2015 is ")


def test_safe_negatives_teach_a_classifier_that_has_seen_none(found: tuple[Experiment, Path]) -> None:
    among_candidates = rows_of(table(found[0], "on PIT-2015"))
    assert among_candidates["train"]["neg R"] < 0.2
    assert among_candidates["train+neg"]["neg F"] > among_candidates["train"]["neg F"] + 0.2


def test_what_was_taken_is_told_with_how_much_of_it_is_right(found: tuple[Experiment, Path], corpora: Path) -> None:
    experiment, folder = found
    saved = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    selected = next(row["result"]["selected"] for row in saved if row.get("name") == "ngram-regression/train/seed 1")
    pool = read_sets(corpora, QUICK, ENGLISH).pool
    told = rows_of(table(experiment, "what the first"))["negatives"]
    assert told["are right"] == pytest.approx((pool.targets[selected["negatives"]] < 0.5).mean())
    assert told["of all candidates"] == pytest.approx(len(selected["negatives"]) / len(pool))
    assert not set(selected["negatives"]) & set(selected["positives"])


def test_run_again_nothing_is_trained_again(found: tuple[Experiment, Path], corpora: Path) -> None:
    experiment, folder = found
    said: list[str] = []
    again = run_bootstrap(corpora, QUICK, ENGLISH, out=folder, tell=said.append)
    assert said == []
    assert again.as_json() == experiment.as_json()


def texts(*parts: KnownPairs) -> set[str]:
    return {text_key(text) for part in parts for text in (*part.left, *part.right)}


def test_nothing_that_is_measured_on_is_learned_from_or_chosen_by(corpora: Path) -> None:
    sets = read_sets(corpora, QUICK, ENGLISH)
    measured = texts(sets.corpus.test) | texts(sets.found.test)
    assert not measured & texts(sets.corpus.train, sets.corpus.dev, sets.pool)
    assert not measured & texts(sets.judged)
    assert not texts(sets.pool) & texts(sets.judged, sets.corpus.train)


@pytest.mark.parametrize("share", [0.02, 0.2, 1.0])
def test_negatives_to_learn_from_may_be_made_rare(corpora: Path, share: float) -> None:
    settings = BootstrapExperimentOptions(corpus="twitter-url", candidates="pit2015", most_negatives=share)
    sets: Sets = read_sets(corpora, QUICK, settings)
    negatives = float((sets.corpus.train.targets < 0.5).mean())
    assert 0 < negatives <= max(share, 1.5 / len(sets.corpus.train))


def test_only_some_of_the_safe_pairs_may_be_learned_from(corpora: Path) -> None:
    experiment = run_bootstrap(corpora, QUICK, replace(ENGLISH, most_safe=3))
    learned = {row.label: row.about for row in table(experiment, "on PIT-2015").rows}
    corpus = len(read_sets(corpora, QUICK, ENGLISH).corpus.train)
    assert learned["train+neg"] == f"with safe negatives, {corpus + 3} pairs"
    assert "At most 3 safe negatives and as many safe positives are learned from, drawn by lot." in experiment.notes


def test_the_paper_s_bounds_may_be_taken_as_they_are(corpora: Path) -> None:
    settings = BootstrapExperimentOptions(corpus="twitter-url", candidates="pit2015", bounds="paper")
    rows = table(run_bootstrap(corpora, QUICK, settings), "what the first").rows
    assert "similarity < 0.1 or confidence > 0.4" in rows[0].about
    assert "similarity > 0.5 and confidence ≥ 0.998" in rows[1].about


def test_mined_pairs_are_sought_in_too_but_for_known_and_held_out_ones(corpora: Path, tmp_path: Path) -> None:
    sets = read_sets(corpora, QUICK, ENGLISH)
    known = list(sets.corpus.train)[:3]
    held_out = [(sets.found.test.left[0], "a word that nobody said"), (sets.corpus.test.right[0], "nor this")]
    new = [(f"quiet morning {number} at the lake", f"what a loud night {number}") for number in range(30)]
    rows = [f"{left}\t{right}" for left, right in (*known, *held_out, *new)]
    (tmp_path / "mined.tsv").write_text("\n".join(["left\tright", *rows]) + "\n", encoding="utf-8")
    settings = replace(ENGLISH, mined=(tmp_path / "mined.tsv",))
    more = read_sets(corpora, QUICK, settings).pool
    assert list(more)[len(sets.pool) :] == new
    assert np.isnan(more.targets[len(sets.pool) :]).all()
    experiment = run_bootstrap(corpora, QUICK, settings, out=tmp_path / "out")
    taken = rows_of(table(experiment, "what the first"))["negatives"]
    assert taken["of all candidates"] > 30 * 0.9 / len(more)
    assert 0.5 < taken["are right"] <= 1
    assert "30 mined pairs are sought in too." in " ".join(experiment.notes)


def test_where_nothing_is_safe_the_first_classifier_stands_alone(corpora: Path) -> None:
    settings = BootstrapExperimentOptions(corpus="twitter-url", candidates="pit2015", wanted_precision=1.0)
    experiment = run_bootstrap(corpora, QUICK, settings)
    assert set(rows_of(table(experiment, "on PIT-2015"))) == {"train"}
    assert "no bounds reach the wanted precision" in experiment.headline


def test_a_graded_classifier_is_told_label_by_label_beside_the_published_tables(
    tmp_path: Path, tiny_bert: Path
) -> None:
    write_turku(tmp_path)
    options = ExperimentOptions(systems=("graded-heads",), base=str(tiny_bert))
    plan = PlanOptions(epochs=6, batch_size=8, learning_rates=(0.01,), max_tokens=40, device="cpu")
    settings = BootstrapExperimentOptions(wanted_precision=0.3)
    experiment = run_bootstrap(tmp_path, options, settings, plan)
    for title, name in (("on Turku", "Turku Paraphrase Corpus"), ("on Turku opus-parsebank", "Opus-parsebank")):
        one = next(found for found in experiment.tables if found.title == title)
        assert one.columns[:5] == ("neg P", "neg R", "neg F", "3 F", "4> F") or "4< F" in one.columns
        published = next(each for each in KANERVA_TABLES if each.number == 4 and each.test_set == name)
        first = dict(zip(one.columns, one.rows[0].cells, strict=True))
        assert first["neg F"].published == published.labels["2"][2]
        assert first["acc"].published == published.accuracy
        assert 0 < first["acc"].mean <= 1


def test_silver_pairs_have_the_label_they_are_held_for() -> None:
    pairs = KnownPairs(left="abc", right="def", targets=np.array([1.0, 0.0, 1.0]), groups="123", grades=["3", "1", "4"])
    negative, positive = (labelled_as(pairs, [0, 2], is_paraphrase=one) for one in (False, True))
    assert (negative.targets.tolist(), negative.grades) == ([0.0, 0.0], ["2", "2"])
    assert (positive.targets.tolist(), positive.grades, positive.left) == ([1.0, 1.0], ["4", "4"], ["a", "c"])


REFUSED = [
    ({"candidates": "turku"}, "Give two"),
    ({"most_negatives": 0}, "--most-negatives"),
    ({"most_safe": -1}, "--most-safe -1 makes no sense. Give `equal`"),
    ({"wanted_precision": 1.2}, "--wanted-precision"),
]


@pytest.mark.parametrize(("setting", "told"), REFUSED)
def test_settings_that_make_no_sense_are_refused(setting, told: str) -> None:
    with pytest.raises(InputError, match=told):
        BootstrapExperimentOptions(**setting)
