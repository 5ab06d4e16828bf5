"""The benchmark on corpora that we made up, in the forms that the real ones were published in."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.identification.graded_figures import graded_figures
from paraloom.models.identifiers import load, untrained
from paraloom.models.identifiers.esim import Esim
from paraloom.models.identifiers.ngram_regression import SHIPPED_FILE, NgramRegression
from paraloom.models.identifiers.systems import SYSTEMS, System
from paraloom.models.training.plan import PlanOptions
from paraloom.models.word_vectors import WordVectors
from paraloom.reports.bench_identification_rows import Against, BenchFigure, BenchRow, BenchTable
from paraloom.workflows.bench.collected import collect
from paraloom.workflows.bench.contenders import contenders_on
from paraloom.workflows.bench.identification import bench_identification
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.label_tables import label_tables
from paraloom.workflows.bench.published import DOU_3
from paraloom.workflows.bench.reasons import ANY, BY_SYSTEM_AND_CORPUS, NOT_KNOWN, why
from paraloom.workflows.bench.results import FOLDER, Result, read_results, result_file, save_result
from paraloom.workflows.bench.runs import FAILED, run_rows
from paraloom.workflows.bench.shipped import check_unseen, has_seen, seen_splits, split_to_measure, was_chosen_on
from paraloom.workflows.bench.tables import Bench

WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market", "council", "school", "engine", "garden")
OTHERS = ("winter", "doctor", "letter", "window", "copper", "planet", "violin", "carpet", "pepper", "ladder", "button")
CHEAP = ("random", "ngram-regression")


def sentence(draw: random.Random) -> list[str]:
    return draw.sample(WORDS, 7)


def made_up_pairs(count: int, seed: int) -> list[tuple[str, str, int]]:
    """Paraphrases keep most words; other pairs keep few, but for one in six, so that the task is not perfect."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        left = sentence(draw)
        label = int(draw.random() < 0.6)
        looks_alike = bool(label) ^ (draw.random() < 1 / 6)
        kept = left[:5] if looks_alike else left[:2]
        right = [*kept, *draw.sample(OTHERS, 7 - len(kept))]
        draw.shuffle(right)
        rows.append((f"{' '.join(left)} case {number}", f"{' '.join(right)} case {number}", label))
    return rows


def write_msrp(folder: Path, split: str, rows: list[tuple[str, str, int]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"]
    lines += [f"{label}\t{number}\t{number}x\t{left}\t{right}" for number, (left, right, label) in enumerate(rows)]
    (folder / f"msr_paraphrase_{split}.txt").write_text("\ufeff" + "\n".join(lines) + "\n", encoding="utf-8")


def write_adversarial(folder: Path, rows: list[tuple[str, str, int]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["text_a\ttext_b\tlabels", *(f"{left}\t{right}\t{label}" for left, right, label in rows)]
    (folder / "ap_h_train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write_msrp(tmp_path / "data" / "msrp", "train", made_up_pairs(150, 1))
    return tmp_path / "data"


def table(bench, name: str) -> BenchTable:
    return next(one for one in bench.tables if one.name == name)


def row(bench, name: str, contender: str) -> BenchRow:
    return next(one for one in table(bench, name).rows if one.name == contender)


def bench(data: Path, folder: Path | None = None, **options):
    told: list[str] = []
    settings = {"systems": CHEAP, "folds": 3, "resamples": 50, "corpora": ("msrp",), **options}
    found = bench_identification(data, BenchOptions(**settings), folder=folder, tell=told.append)
    return found, told


def test_every_published_row_is_there_and_what_was_not_run_says_so(data: Path) -> None:
    found, _ = bench(data)
    published = [one for one in table(found, "lan-8").rows if one.group == "paper"]
    assert len(published) == 14
    assert published[3].title == "LR"
    assert published[3].published["max-f1"] == 0.829
    run = {one.title for one in published if one.figures}
    assert run == {"Random", "LR"}
    assert all(one.not_run for one in published if not one.figures)
    text = found.as_text()
    assert "WMF (vec)" in text
    assert text.count("not run") > 12


def test_figures_are_of_all_folds_with_intervals_costs_and_a_comparison(data: Path) -> None:
    found, _ = bench(data)
    ours, chance = row(found, "lan-8", "ngram-regression"), row(found, "lan-8", "random")
    assert ours.measured_on == "3 folds of train"
    assert ours.pairs == 150
    assert len(ours.by_fold) == 3
    assert ours.figures["max-f1"].value > 0.8 > chance.figures["max-f1"].value
    assert ours.figures["max-f1"].low <= ours.figures["max-f1"].value <= ours.figures["max-f1"].high
    assert ours.cost.parameters == 19
    assert ours.cost.pairs_per_second > 10
    assert chance.is_historical
    assert chance.against.difference < 0
    assert not ours.is_historical
    assert ours.at_test_rate is not None


def test_the_test_split_is_used_where_it_lies_in_the_folder(data: Path) -> None:
    write_msrp(data / "msrp", "test", made_up_pairs(40, 2))
    found, _ = bench(data)
    ours = row(found, "lan-8", "ngram-regression")
    assert (ours.measured_on, ours.pairs, ours.at_test_rate) == ("test split", 40, None)
    elsewhere = row(found, "nighojkar-5", "random [twitter-url] on test")
    assert elsewhere.not_run == "twitter-url, which it is fitted on, is not in the folder"


def test_a_corpus_that_is_not_there_is_skipped_with_a_line(data: Path) -> None:
    found, _ = bench(data, corpora=("msrp", "qqp"))
    assert any(line.startswith("qqp is skipped: ") for line in found.skipped)
    with pytest.raises(InputError, match="holds none of qqp"):
        bench(data, corpora=("qqp",))
    with pytest.raises(InputError, match="There is no corpus 'quora'"):
        bench(data, corpora=("quora",))
    with pytest.raises(InputError, match="There is no system 'bert'"):
        bench(data, systems=("bert",))


def test_weights_that_come_trained_are_measured_as_they_are_on_what_they_have_not_seen(data: Path) -> None:
    tokenised = data / "twitter_url" / "tokenized_train"
    tokenised.mkdir(parents=True)
    rows = made_up_pairs(90, 3)
    for name, column in (("a.toks", 0), ("b.toks", 1), ("sim.txt", 2)):
        (tokenised / name).write_text("".join(f"{one[column]}\n" for one in rows), encoding="utf-8")
    found, _ = bench(data, corpora=("msrp", "twitter-url"), systems=("ngram-regression",))
    shipped = row(found, "lan-8", "ngram-regression (shipped)")
    assert shipped.measured_on == "as shipped, on all of train"
    assert shipped.pairs == 150
    seen = row(found, "lan-10", "ngram-regression (shipped)")
    assert (seen.figures, seen.not_run, seen.state) == ({}, "trained on it (train)", "not measured")
    moved = row(found, "nighojkar-5", "ngram-regression [twitter-url] on train")
    assert moved.measured_on == "fitted on Twitter-URL, measured on the train split"


def test_a_system_that_fails_stops_no_other_and_its_story_is_kept(data: Path, tmp_path: Path, monkeypatch) -> None:
    broken = System(title="Broken", module="ngram_regression", kind="NoSuchClass", settings={})
    monkeypatch.setitem(SYSTEMS, "random", broken)  # before the n-gram regression in the order of the table
    found, told = bench(data, tmp_path / "out")
    failed = row(found, "lan-8", "random")
    assert failed.not_run.startswith("failed: AttributeError: ")
    assert row(found, "lan-8", "ngram-regression").figures
    assert "NoSuchClass" in (tmp_path / "out" / FAILED / "msrp" / "random.txt").read_text(encoding="utf-8")
    assert any("not run: failed" in line for line in told)


def test_a_base_that_is_not_on_this_machine_is_not_run(data: Path) -> None:
    found, _ = bench(data, systems=("cross-encoder",), base=("microsoft/deberta-v3-large",))
    large = row(found, "lan-8", "cross-encoder microsoft/deberta-v3-large")
    assert large.not_run == "its base is not on this machine; with a network, --hub gets it"


def test_what_is_done_is_not_done_again_and_the_report_is_made_without_running(data: Path, tmp_path: Path) -> None:
    first, told = bench(data, tmp_path / "out")
    assert len(told) >= 6
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / FOLDER).rglob("*.json")}
    second, again = bench(data, tmp_path / "out")
    third, _ = bench(data, tmp_path / "out", fit=False)
    assert [line for line in again if "to fit" in line] == []
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "out" / FOLDER).rglob("*.json")} == files
    assert first.as_json() == second.as_json()
    assert third.as_json()["systems"] == first.as_json()["systems"]


def test_other_settings_are_other_results(data: Path, tmp_path: Path) -> None:
    bench(data, tmp_path / "out")
    before = len(list(read_results(tmp_path / "out")))
    found, told = bench(data, tmp_path / "out", folds=1)
    assert any("to fit" in line for line in told)
    assert len(list(read_results(tmp_path / "out"))) == before + len(CHEAP)
    assert row(found, "lan-8", "ngram-regression").measured_on == "own 80/20 split of train"


def test_results_of_another_machine_are_taken_as_they_are(data: Path, tmp_path: Path) -> None:
    bench(data, tmp_path / "there")
    for file in (tmp_path / "there" / FOLDER).rglob("*.json"):
        written = json.loads(file.read_text(encoding="utf-8"))
        written |= {"device": "NVIDIA H200", "paraloom": "source", "processor": "another processor"}
        file.write_text(json.dumps(written), encoding="utf-8")
    shutil.copytree(tmp_path / "there" / FOLDER, tmp_path / "here" / FOLDER)
    found, told = bench(data, tmp_path / "here")
    assert [line for line in told if "to fit" in line] == []
    assert row(found, "lan-8", "ngram-regression").cost.where.startswith("NVIDIA H200; ")


def test_a_transformer_is_trained_and_its_curve_kept(data: Path, tmp_path: Path, tiny_bert: Path) -> None:
    plan = PlanOptions(epochs=2, learning_rates=(1e-3, 1e-4), max_tokens=24, device="cpu")
    options = BenchOptions(systems=("cross-encoder",), base=(str(tiny_bert),), folds=1, limit=60, resamples=20)
    ran = run_rows(options, tmp_path / "out", [read_corpus("msrp", data)], plan)
    assert set(ran.not_run.values()) <= {"twitter-url, which it is fitted on, is not in the folder"}
    results = list(read_results(tmp_path / "out"))
    assert [one.contender for one in results] == ["cross-encoder tiny-bert"]
    assert results[0].learning_rate in (1e-3, 1e-4)
    assert {point["learning_rate"] for point in results[0].curve} == {1e-3, 1e-4}
    assert results[0].settings["plan"]["epochs"] == 2
    assert "device" not in results[0].settings["plan"]
    assert results[0].settings["base"] == "tiny-bert"
    assert results[0].parameters > 1000
    assert not list((tmp_path / "out").glob("unfinished/*"))


def test_a_system_keeps_its_own_plan_but_for_what_is_asked(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked counts where it is the usual number, too."""
    vectors = WordVectors.of([*WORDS, *OTHERS], np.random.default_rng(1).normal(size=(22, 4)), "glove-100d")
    vectors.write(tmp_path / "models" / "glove-100d")
    monkeypatch.setenv("PARALOOM_MODELS", str(tmp_path / "models"))
    asked = PlanOptions(epochs=1, batch_size=32, weight_decay=0.01, max_tokens=16, device="cpu")
    options = BenchOptions(systems=("esim",), folds=1, limit=40, resamples=20)
    ran = run_rows(options, tmp_path / "out", [read_corpus("msrp", data)], asked)
    assert ran.not_run == {}
    plan = next(read_results(tmp_path / "out")).settings["plan"]
    own = Esim().plan
    assert (plan["epochs"], plan["batch_size"], plan["weight_decay"]) == (1, 32, 0.01)
    assert (tuple(plan["learning_rates"]), plan["warm_up"]) == (own.learning_rates, own.warm_up)


def test_grades_are_told_label_by_label(data: Path, tmp_path: Path, tiny_bert: Path) -> None:
    draw = random.Random(5)
    rows = [
        {"txt1": left, "txt2": right, "label": draw.choice(["4", "4>", "4<s", "3"]) if label else "2", "rewrites": []}
        for left, right, label in made_up_pairs(150, 4)
    ]
    (data / "turku").mkdir()
    (data / "turku" / "v1_dev.json").write_text(json.dumps(rows), encoding="utf-8")
    found = bench_identification(
        data,
        BenchOptions(systems=("graded-heads",), corpora=("turku",), base=(str(tiny_bert),), resamples=20),
        PlanOptions(epochs=1, learning_rates=(1e-3,), max_tokens=24, device="cpu"),
        folder=tmp_path / "out",
    )
    turku = found.labels[0]
    assert turku.not_run == ""
    assert turku.measured_on == "own 80/20 split of dev"
    assert [one.label for one in turku.rows] == ["2", "3", "4<", "4>", "4", "i", "s", "W. avg", "Acc"]
    assert sum(one.support for one in turku.rows[:5]) == 30
    assert 0 <= turku.rows[-1].ours[0] <= 1
    assert found.labels[1].not_run


def test_labels_of_several_seeds_are_the_means_of_all(tmp_path: Path) -> None:
    seeds = {1: ["2", "3", "4>", "4", "4"], 2: ["2", "2", "4", "4", "4>"]}
    true = ["2", "3", "4>", "4", "4"]
    contender = next(one for one in contenders_on("turku", "graded", BenchOptions()) if one.system == "graded-heads")
    for seed, predicted in seeds.items():
        made = replace(GRADED, contender=contender.name, seed=seed, true_grades=true, predicted_grades=predicted)
        save_result(made, result_file(tmp_path, "turku", contender.name, 0, seed, f"key{seed}"))
    collected = collect(tmp_path, {}, {}, 20)
    found = label_tables(Bench(corpora={}, collected=collected, not_run={}, options=BenchOptions()))[0]
    assert found.measured_on == "own 80/20 split of dev, 2 seeds"
    rows = {one.label: one for one in found.rows}
    assert rows["3"].ours == (0.5, 0.5, 0.5)
    assert rows["2"].ours == pytest.approx((0.75, 1, (1 + 2 / 3) / 2))
    assert (rows["4"].support, rows["3"].support) == (2, 1)
    assert rows["Acc"].ours == pytest.approx((0.7,))
    alone = [graded_figures(true, predicted) for predicted in seeds.values()]
    assert rows["W. avg"].ours[2] == pytest.approx((alone[0].f1 + alone[1].f1) / 2)


GRADED = Result(
    contender="",
    system="graded-heads",
    base="",
    corpus="turku",
    corpus_hash="c0ffee",
    protocol="own 80/20 split of dev",
    fold=0,
    folds=1,
    seed=1,
    plan="plan",
    settings={},
    identifier="graded-heads|made-up",
    parameters=1,
    fit_pairs=20,
    fit_seconds=1.0,
    score_seconds=1.0,
    device="cpu",
    processor="a processor",
    cores=2,
    paraloom=paraloom_version(),
    truth="01111",
    scores=[0.1, 0.6, 0.9, 0.9, 0.8],
    groups=[0, 1, 2, 3, 4],
)


def test_table_3_is_not_run_without_the_experiment(data: Path, tmp_path: Path) -> None:
    found, _ = bench(data, tmp_path / "out")
    assert [one.published for one in found.noise.rows] == [figures for _, _, figures in DOU_3]
    assert all(not one.ours for one in found.noise.rows)
    assert found.noise.told.startswith("Not run: paraloom experiment noise")


def write_t5(data: Path, rows: list[tuple[str, str, int]]) -> None:
    (data / "ap_t5").mkdir()
    lines = ["a first line that is left out", *(f"{left}\t{right}\t0.5\t{label}" for left, right, label in rows)]
    (data / "ap_t5" / "msrp_train.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_a_corpus_without_a_table_of_a_paper_gets_one_of_its_own(data: Path, tmp_path: Path) -> None:
    write_t5(data, made_up_pairs(120, 5))
    found, _ = bench(data, tmp_path / "out", corpora=("ap-t5",))
    ours = row(found, "ap-t5", "ngram-regression")
    assert ours.pairs == 120
    assert ours.figures["mcc"].value > 0.3
    assert "ap-t5/ngram-regression" in found.as_json()["systems"]
    assert "AP_T5" in found.as_text()
    later, _ = bench(data, tmp_path / "out", corpora=("msrp",))
    assert row(later, "ap-t5", "ngram-regression").figures == ours.figures
    assert "ap-t5" not in {one.name for one in bench(data, corpora=("msrp",))[0].tables}


def test_graded_pairs_without_a_table_of_a_paper_get_one_of_their_own(
    data: Path, tmp_path: Path, tiny_bert: Path
) -> None:
    draw = random.Random(5)
    rows = [
        {"txt1": left, "txt2": right, "label": draw.choice(["4", "4>", "3"]) if label else "2", "rewrites": []}
        for left, right, label in made_up_pairs(150, 4)
    ]
    (data / "turku").mkdir()
    (data / "turku" / "sv_pairs.json").write_text(json.dumps(rows), encoding="utf-8")
    options = BenchOptions(systems=("graded-heads",), corpora=("turku-swedish",), base=(str(tiny_bert),), resamples=20)
    plan = PlanOptions(epochs=1, learning_rates=(1e-3,), max_tokens=24, device="cpu")
    found = bench_identification(data, options, plan, folder=tmp_path / "out")
    graded = row(found, "turku-swedish", "graded-heads tiny-bert")
    assert graded.not_run.endswith("its train split is not in the folder. --on folds divides what is there.")
    assert {one.not_run for one in found.labels} == {"not asked for"}
    found = bench_identification(data, replace(options, on="folds"), plan, folder=tmp_path / "out")
    graded = row(found, "turku-swedish", "graded-heads tiny-bert")
    assert (graded.pairs, graded.measured_on) == (30, "own 80/20 split of test")


def test_a_report_of_nothing_is_refused(data: Path, tmp_path: Path) -> None:
    empty = tmp_path / "out"
    with pytest.raises(InputError, match=f"--no-fit makes the report of results in --out; {empty} holds none"):
        bench(data, empty, fit=False)
    with pytest.raises(InputError, match="Say with --out where they are"):
        bench(data, fit=False)
    assert not empty.exists()
    bench(data, empty)
    write_msrp(data / "msrp", "train", made_up_pairs(150, 2))
    with pytest.raises(InputError, match=r"None of the results .* can be shown\. 7 results .* on other pairs"):
        bench(data, empty, fit=False)


WORSE_OR_NOT = [
    (Against(difference=-0.02, p_value=0.004, low=-0.03, high=-0.01), (True, False)),
    (Against(difference=-0.0001, p_value=0.979, low=-0.01, high=0.01), (False, True)),
    (Against(difference=0.001, p_value=0.9, low=-0.01, high=0.01), (False, True)),
    (Against(difference=0.02, p_value=0.004, low=0.01, high=0.03), (False, False)),
    (Against(difference=-0.02, p_value=1.0), (False, True)),
    (None, (False, False)),
]


@pytest.mark.parametrize(("against", "said"), WORSE_OR_NOT)
def test_historical_is_only_what_is_below_the_regression_by_more_than_chance(against, said) -> None:
    made = BenchRow(name="", title="", group="ours", system="", corpus="", against=against)
    assert (made.is_historical, made.is_no_different) == said


def test_what_scores_as_the_regression_does_is_no_different_from_it(data: Path, tmp_path: Path) -> None:
    bench(data, tmp_path / "out", systems=("ngram-regression",))
    for result in read_results(tmp_path / "out"):
        if not result.contender.endswith("(shipped)"):
            worse = [round(score * 0.999, 6) if place == 0 else score for place, score in enumerate(result.scores)]
            twin = replace(result, contender="edit-distance", system="edit-distance", scores=worse)
            save_result(twin, result_file(tmp_path / "out", "msrp", "edit-distance", twin.fold, 1, "twin"))
    found, _ = bench(data, tmp_path / "out", systems=("ngram-regression",))
    twin = row(found, "lan-8", "edit-distance")
    assert twin.against.low <= 0 <= twin.against.high
    assert (twin.is_historical, twin.is_no_different) == (False, True)
    assert "≈ no different from LR" in found.as_text()
    chance = row(bench(data)[0], "lan-8", "random")
    assert chance.against.high < 0


def explained(value: float, at_test_rate: float | None, system: str = "multip") -> str:
    figure = BenchFigure(value=value, seeds=(value,), signature="")
    row = BenchRow(
        name=system,
        title=system,
        group="paper",
        system=system,
        corpus="twitter-url",
        published={"max-f1": 0.7},
        figures={"max-f1": figure} if value else {},
        measured_on="5 folds of train",
        base_rate=0.265,
        at_test_rate=at_test_rate,
        test_rate=None if at_test_rate is None else 0.195,
    )
    return why(row, ("max-f1",))


def test_a_gap_is_explained_only_where_there_is_one() -> None:
    assert explained(0.71, None) == ""
    assert explained(0.0, None) == ""
    assert explained(0.8, None) == BY_SYSTEM_AND_CORPUS["multip", ANY]
    assert explained(0.8, None, "cascade") == NOT_KNOWN
    assert explained(0.71, 0.69) == ""


def test_what_another_share_of_paraphrases_explains_is_told_first() -> None:
    share = "26.5% of these pairs are paraphrases, 19.5% of the test split's: at that share it is"
    assert explained(0.8, 0.71) == f"{share} 0.710 (+0.010)"
    near_by_chance = explained(0.71, 0.62)
    assert near_by_chance == f"{share} 0.620 (−0.080); {BY_SYSTEM_AND_CORPUS['multip', ANY]}"


def test_what_asks_another_identifier_has_seen_what_that_one_has(data: Path) -> None:
    cascade = replace(load("cascade"), trained={"on": ["twitter-url train"]})
    asked = seen_splits(load("paraloom"))
    alone = seen_splits(cascade)
    assert asked is not None
    assert alone is not None
    only_behind = sorted(asked - alone)
    assert only_behind  # else this test shows nothing
    known = read_corpus("msrp", data)
    for name in only_behind:
        corpus = replace(
            known, name=name.removesuffix("train").removesuffix("dev"), splits={"dev": known.splits["train"]}
        )
        if has_seen(asked, corpus.name, "dev"):
            with pytest.raises(InputError, match="trained on it"):
                split_to_measure(cascade, corpus)
    assert split_to_measure(cascade, replace(known, name="a corpus of one's own")) == "train"


def test_weights_that_have_seen_the_pairs_are_not_fitted_on_them_either(data: Path) -> None:
    seen = load("paraloom").trained_on
    found, _ = bench(data, systems=("paraloom", "mutual-implication"))
    for name in ("paraloom", "mutual-implication"):
        ours = row(found, "lan-8", name)
        assert bool(ours.figures) == (not has_seen(seen_splits(load("paraloom")), "msrp", "train")), seen
    check_unseen(untrained("paraloom"), "a corpus of one's own", "train")
    corpus, _, split = seen[0].partition(" ")
    with pytest.raises(InputError, match="were trained on it"):
        check_unseen(untrained("mutual-implication"), corpus, split or "train")


def with_card(told: dict[str, list[str]]) -> NgramRegression:
    """The shipped weights with a card that says what they learned from and what was chosen on."""
    return replace(NgramRegression.load(None), trained={"recipe": "made up", **told})


CARDS = [
    ({"trained_on": ["news train"]}, ("train", "dev", "test"), "test", False),
    ({"trained_on": ["news train"], "chosen_on": ["news dev"]}, ("train", "dev"), "dev", True),
    ({"trained_on": ["news train"], "chosen_on": ["news test"]}, ("train", "dev", "test"), "dev", False),
    ({"trained_on": [], "chosen_on": ["news test", "news dev"]}, ("train", "dev", "test"), "train", False),
    ({"trained_on": ["news train"], "chosen_on": ["news"]}, ("train", "dev", "test"), "test", True),
]


@pytest.mark.parametrize(("told", "splits", "split", "is_chosen_on"), CARDS)
def test_weights_are_measured_where_nothing_was_chosen_if_they_can_be(data: Path, told, splits, split, is_chosen_on):
    pairs = read_corpus("msrp", data).splits["train"]
    corpus = replace(read_corpus("msrp", data), name="news", splits=dict.fromkeys(splits, pairs))
    found = split_to_measure(with_card(told), corpus)
    assert (found, was_chosen_on(with_card(told), "news", found)) == (split, is_chosen_on)


def test_a_row_measured_where_the_threshold_was_placed_says_so(data: Path, tmp_path: Path, monkeypatch) -> None:
    told = {"trained_on": ["twitter-url train"], "chosen_on": ["msrp train"]}
    with_card(told).write(tmp_path / SHIPPED_FILE)
    monkeypatch.setattr("paraloom.models.identifiers.ngram_regression.SHIPPED", tmp_path)
    found, _ = bench(data, tmp_path / "out", systems=("ngram-regression",))
    shipped = row(found, "lan-8", "ngram-regression (shipped)")
    assert shipped.measured_on == "as shipped, on all of train; not unseen: .5 was placed on it"


KILLED = """
import sys
from pathlib import Path
from paraloom.corpus.known import read_corpus
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.runs import run_rows
options = BenchOptions(systems=("random", "ngram-regression"), folds=5, resamples=20)
run_rows(options, Path(sys.argv[2]), [read_corpus("msrp", Path(sys.argv[1]))])
"""


def test_a_run_that_was_killed_goes_on_to_the_same_scores(data: Path, tmp_path: Path, child_environment) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    stopped = subprocess.Popen([sys.executable, "-c", KILLED, str(data), str(killed)], env=child_environment)
    deadline = time.monotonic() + 120
    while not list(killed.rglob("random*.json")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(stopped.pid, signal.SIGKILL)
    stopped.wait()
    done = {file: file.stat().st_mtime_ns for file in killed.rglob("random*.json")}
    options, corpus = BenchOptions(systems=CHEAP, folds=5, resamples=20), read_corpus("msrp", data)
    run_rows(options, whole, [corpus])
    assert len(list(read_results(killed))) < len(list(read_results(whole)))
    run_rows(options, killed, [corpus])
    assert {file: file.stat().st_mtime_ns for file in done} == done, "What was done is not done again."
    scores = [{(one.contender, one.fold): one.scores for one in read_results(folder)} for folder in (whole, killed)]
    assert scores[0] == scores[1]


BARE = (
    """
import sys
class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"pyarrow", "daft", "cyclopts", "altair", "jinja2", "rich", "vl_convert", "ray"}:
            raise ImportError(name)
sys.meta_path.insert(0, Bare())
"""
    + KILLED
)


def test_rows_run_on_a_bare_machine(data: Path, tmp_path: Path, child_environment) -> None:
    command = [sys.executable, "-c", BARE, str(data), str(tmp_path / "out")]
    subprocess.run(command, env=child_environment, check=True)
    assert {one.contender for one in read_results(tmp_path / "out")} == {
        "random",
        "ngram-regression",
        "ngram-regression (shipped)",
    }
