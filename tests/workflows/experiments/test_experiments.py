"""Experiments on small corpora: every way is trained and told beside the published figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.leakage import check_no_leakage
from paraloom.errors import InputError
from paraloom.models.identifiers import Identifier, untrained
from paraloom.models.training.plan import TrainingPlan
from paraloom.reports.experiments import Cell, Experiment, ResultRow, ResultTable, render_experiment
from paraloom.workflows.experiments.definitions import BLINDLY, TOLD, run_definitions
from paraloom.workflows.experiments.noise import LABELS, PUBLISHED, run_noise
from paraloom.workflows.experiments.options import (
    DefinitionExperimentOptions,
    ExperimentOptions,
    NoiseExperimentOptions,
    SizeExperimentOptions,
)
from paraloom.workflows.experiments.parts import drawn_groups, limited, read_parts
from paraloom.workflows.experiments.size import first_groups, run_size
from paraloom.workflows.experiments.trials import figures

QUICK = ExperimentOptions(systems=("ngram-regression",))


@pytest.fixture(scope="module")
def noise(corpora: Path) -> Experiment:
    return run_noise(corpora, QUICK, NoiseExperimentOptions(lambdas=(0.25, 0.45)))


def row(table: ResultTable, label: str) -> ResultRow:
    return next(one for one in table.rows if one.label == label)


def cell(table: ResultTable, label: str, column: str) -> Cell:
    found = row(table, label).cells[table.columns.index(column)]
    assert found is not None
    return found


def test_every_way_of_learning_is_a_row_beside_its_published_figure(noise: Experiment) -> None:
    table = noise.tables[0]
    assert [one.label for one in table.rows] == list(LABELS.values())
    for way, published in PUBLISHED.items():
        assert cell(table, LABELS[way], "f1").published == published[2]
    assert cell(table, LABELS["confident"], "f1").published is None
    assert sum(one.is_marked for one in table.rows) == 1


def test_learning_from_strict_labels_is_what_the_system_itself_does(noise: Experiment, corpora: Path) -> None:
    strict = read_parts("multipit-expert", corpora, QUICK)
    alone: Identifier = untrained("ngram-regression").fit(
        [strict.train.examples("strict")], [strict.dev.examples("strict")]
    )
    truth = strict.test.targets == 1
    taken = alone.score(strict.test.left, strict.test.right, "strict") > 0.5
    found = (taken & truth).sum()
    expected = 2 * found / (taken.sum() + truth.sum())
    assert cell(noise.tables[0], LABELS["strict"], "f1").mean == pytest.approx(expected)


def test_more_labels_are_touched_with_a_higher_limit_and_the_limit_is_chosen_on_held_out_pairs(
    noise: Experiment,
) -> None:
    changed = noise.tables[2]
    assert [one.label for one in changed.rows] == [
        "filter, λ 0.25",
        "filter, λ 0.45",
        "flip, λ 0.25",
        "flip, λ 0.45",
        "confident learning",
    ]
    for way in ("filter", "flip"):
        counts = [int(row(changed, f"{way}, λ {limit}").about.split()[0]) for limit in (0.25, 0.45)]
        assert 0 < counts[0] <= counts[1]
        best = max((0.45, 0.25), key=lambda limit: cell(changed, f"{way}, λ {limit}", "dev f1").mean)
        tied = len({cell(changed, f"{way}, λ {limit}", "dev f1").mean for limit in (0.25, 0.45)}) == 1
        assert row(noise.tables[0], LABELS[way]).about.endswith(f"λ {0.25 if tied else best}")


def test_votes_are_moved_by_one_before_the_teacher_goes_through_them(noise: Experiment) -> None:
    # Of the small PIT pairs one third has 1, one third 3 and one third 5 votes of 5: those with 3 are left out.
    note = next(note for note in noise.notes if "threshold of votes" in note)
    changed, known = (int(word) for word in note.replace(",", "").split() if word.isdigit())
    assert 0.2 * known < changed < 0.5 * known


def test_definitions_are_a_matrix_with_a_blind_and_a_told_model(corpora: Path) -> None:
    found = run_definitions(corpora, QUICK)
    f1 = found.tables[0]
    titles = ["Twitter-URL (loose)", "MultiPIT expert (strict)", "AP_H (implication)"]
    assert [one.label for one in f1.rows] == [*titles, BLINDLY, TOLD]
    assert list(f1.columns) == titles
    assert cell(f1, titles[1], titles[1]).published == 0.832
    # A regression keeps coefficients for each definition: told, it is each definition's own model.
    for title in titles:
        assert cell(f1, TOLD, title).mean == cell(f1, title, title).mean
    assert cell(f1, titles[0], titles[1]).mean < cell(f1, titles[1], titles[1]).mean


def test_sizes_grow_by_whole_groups_and_end_with_all(corpora: Path) -> None:
    options = ExperimentOptions(systems=("ngram-regression",), seeds=(1, 2))
    found = run_size(corpora, options, SizeExperimentOptions(groups=(30, 60, 10_000)))
    table = found.tables[0]
    train = read_parts("multipit-expert", corpora, options).train
    assert [one.label for one in table.rows] == ["30 groups", "60 groups", f"{len(set(train.groups))} groups"]
    assert table.rows[-1].about == f"{len(train)} pairs"
    assert all(len(one.values) == 2 for line in table.rows for one in line.cells if one is not None)
    last = cell(table, table.rows[-1].label, "f1")
    assert last.published == 0.832
    assert last.deviation == 0  # all groups are the same pairs with every seed, and a regression has no chance in it
    assert [name for curve in found.curves for name in curve.lines] == ["ngram-regression"] * 2


def test_fewer_groups_are_part_of_more_and_seeds_draw_others(corpora: Path) -> None:
    train = read_parts("multipit-expert", corpora, QUICK).train
    few, more = (first_groups(train, count, 1) for count in (5, 9))
    assert set(few) < set(more)
    assert len(set(few.groups)) == 5
    assert set(first_groups(train, 5, 2).groups) != set(few.groups)
    assert sorted(number for group in drawn_groups(train, 1) for number in group) == list(range(len(train)))


def test_a_network_is_trained_by_the_plan_from_the_base(corpora: Path, tiny_bert: Path) -> None:
    options = ExperimentOptions(systems=("cross-encoder",), base=str(tiny_bert), limit=40)
    plan = TrainingPlan(epochs=1, learning_rates=(1e-3,), max_tokens=16, device="cpu")
    settings = NoiseExperimentOptions(loose=("pit2015",), lambdas=(0.45,))
    found = run_noise(corpora, options, settings, plan)
    table = found.tables[0]
    assert [one.label for one in table.rows] == list(LABELS.values())
    assert row(table, LABELS["both"]).about == "80 pairs"
    assert all(0 <= one.mean <= 1 for line in table.rows for one in line.cells if one is not None)
    assert "systems:cross-encoder" in found.signature
    assert "limit:40" in found.signature


def test_parts_are_labelled_and_share_no_pair(corpora: Path) -> None:
    for name in ("twitter-url", "pit2015", "multipit-expert", "ap-h"):
        parts = read_parts(name, corpora, QUICK)
        assert check_no_leakage({"train": parts.train}, {"dev": parts.dev, "test": parts.test}, refuse=True)
        for pairs in (parts.train, parts.dev, parts.test):
            assert len(pairs)
            assert not np.isnan(pairs.targets).any()


def test_it_is_told_what_was_measured_on(corpora: Path) -> None:
    assert "no test set is there" in read_parts("twitter-url", corpora, QUICK).told
    assert "its dev set (no test set is there)" in read_parts("pit2015", corpora, QUICK).told
    learned = read_parts("twitter-url", corpora, QUICK, measured=False)
    assert len(learned.test) == 0
    assert len(learned.train) > len(read_parts("twitter-url", corpora, QUICK).train)


def test_a_test_set_is_measured_on_where_it_is_there(corpora: Path, tmp_path: Path) -> None:
    for split, rows in (("train", 20), ("val", 6), ("test", 4)):
        folder = tmp_path / "expert"
        folder.mkdir(exist_ok=True)
        lines = [f"{split} storm {n},gale {n},{n % 2}\n" for n in range(rows)]
        (folder / f"{split}.csv").write_text("sentence1,sentence2,label\n" + "".join(lines))
    parts = read_parts("multipit-expert", tmp_path, QUICK)
    assert (len(parts.train), len(parts.dev), len(parts.test)) == (20, 6, 4)
    assert "measured on its test set, chosen by its dev set" in parts.told


def test_a_limit_takes_whole_groups_and_no_more_pairs(corpora: Path) -> None:
    train = read_parts("multipit-expert", corpora, QUICK).train
    assert limited(train, 0) is train
    assert len(limited(train, 17)) == 17
    assert list(limited(train, 17)) == list(limited(train, 17))


REFUSED = [
    (lambda data: run_noise(data, QUICK, NoiseExperimentOptions(loose=())), "at least one corpus with --loose"),
    (lambda data: run_noise(data, QUICK, NoiseExperimentOptions(strict="msrp")), "No file of MSRP"),
    (lambda data: run_noise(data, ExperimentOptions(systems=("bert",))), "no system 'bert'"),
    (lambda data: run_definitions(data, QUICK, DefinitionExperimentOptions(corpora=("ap-h",))), "at least two corpora"),
    (lambda data: run_size(data, QUICK, SizeExperimentOptions(groups=(0,))), "must be 1 or more"),
    (lambda data: run_size(data, ExperimentOptions(held_out_share=0.9)), "--held-out-share"),
]


@pytest.mark.parametrize(("experiment", "complaint"), REFUSED)
def test_what_cannot_be_run_is_an_error(corpora: Path, experiment, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        experiment(corpora)


def test_the_page_shows_every_row_and_curve_and_runs_nothing(noise: Experiment) -> None:
    page = render_experiment(noise)
    assert all(label in page for label in LABELS.values())
    assert "<svg" in page
    assert "<script" not in page
    assert "(0.842)" in page
    assert noise.signature in page


def test_json_has_every_mean_with_its_signature(noise: Experiment) -> None:
    written = noise.as_json()
    name = f"ngram-regression/on MultiPIT expert/{LABELS['flip']}/f1"
    assert written["metrics"][name] == cell(noise.tables[0], LABELS["flip"], "f1").mean
    assert written["signature"][name].startswith("f1|experiment:noise|")
    assert set(written["metrics"]) == set(written["signature"])


def test_figures_are_those_of_scikit_learn() -> None:
    from sklearn.metrics import accuracy_score, f1_score, matthews_corrcoef, precision_score, recall_score

    random = np.random.default_rng(1)
    scores, truth = random.random(200), random.random(200) < 0.4
    ours = figures(scores, truth)
    oracles = {
        "precision": precision_score,
        "recall": recall_score,
        "f1": f1_score,
        "accuracy": accuracy_score,
        "mcc": matthews_corrcoef,
    }
    assert {name: ours[name] for name in oracles} == pytest.approx(
        {name: oracle(truth, scores > 0.5) for name, oracle in oracles.items()}
    )


def test_experiments_are_imported_without_anything_that_a_training_machine_may_lack(
    child_environment: dict[str, str],
) -> None:
    names = ("pyarrow", "daft", "orjson", "altair", "jinja2", "cyclopts", "rich", "torch", "sklearn", "onnxruntime")
    code = (
        "import sys\n"
        "import paraloom.workflows.experiments.noise, paraloom.workflows.experiments.definitions\n"
        "import paraloom.workflows.experiments.size, paraloom.models.identifiers.cross_encoder\n"
        f"print([name for name in {names} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=child_environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_gain_is_that_of_the_table_and_its_range_holds_it(noise: Experiment) -> None:
    figures_of, gains = noise.tables[0], noise.tables[1]
    over_alone = cell(gains, LABELS["flip"], "over strict alone").gain
    assert over_alone is not None
    expected = cell(figures_of, LABELS["flip"], "f1").mean - cell(figures_of, LABELS["strict"], "f1").mean
    assert over_alone.difference == pytest.approx(expected)
    assert over_alone.low is not None
    assert over_alone.high is not None
    assert over_alone.low <= expected <= over_alone.high
    assert cell(gains, LABELS["both"], "over strict alone").told.count("0.") == 3
