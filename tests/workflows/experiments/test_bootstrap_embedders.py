"""Embedders that learn from what a first classifier took: small real trainings, and where they find held-out pairs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch

from paraloom.corpus.known import KnownPairs
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError, TargetTaken
from paraloom.models.embedders.distil import pieces_of, tokeniser_of
from paraloom.models.embedders.static import save_static
from paraloom.reports.experiments import Experiment, ResultTable, write_experiment_report
from paraloom.workflows.evaluate.retrieval import evaluate_retrieval
from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions
from paraloom.workflows.experiments.bootstrap import run_bootstrap
from paraloom.workflows.experiments.bootstrap_sets import WAYS, Sets, read_sets, safe_pairs, trainings
from paraloom.workflows.experiments.options import (
    BootstrapEmbedderOptions,
    BootstrapExperimentOptions,
    ExperimentOptions,
)
from tests.workflows.experiments.graded_corpora import write_turku

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = ExperimentOptions(systems=("ngram-regression",))
SETTINGS = BootstrapExperimentOptions(most_negatives=0.03, wanted_precision=0.6, part=("embedder",))
SYSTEM = "static embedder, safe pairs of ngram-regression"
TITLES = ("on Turku", "on Turku opus-parsebank")
WORDS = "the storm a river our team won vote saw town harbour hit prize struck v o"
KS = (1, 10, 100, 1000, 2048)
TOPS = (*(f"top-{k}" for k in KS), "top-1-forgiving")

Embedding = BootstrapEmbedderOptions


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graded")
    write_turku(folder)
    return folder


@pytest.fixture(scope="module")
def embedding(tmp_path_factory: pytest.TempPathFactory) -> Embedding:
    """A table of 32 numbers that knows all words and nothing of what they mean, and how it is trained."""
    folder = tmp_path_factory.mktemp("base")
    words = [*WORDS.split(), *map(str, range(240))]
    (folder / "words.json").write_text(tokeniser_of(words), encoding="utf-8")
    pieces, _ = pieces_of((folder / "words.json").read_text(encoding="utf-8"))
    vectors = np.random.default_rng(1).standard_normal((len(pieces), 32)).astype(np.float32)
    save_static(folder / "table", vectors, folder / "words.json", card={"sizes": [32]})
    return Embedding(
        embedder_base=str(folder / "table"),
        embedder_epochs=4,
        embedder_batch_size=32,
        embedder_learning_rates=(0.05,),
    )


@pytest.fixture(scope="module")
def found(graded: Path, embedding: Embedding, tmp_path_factory: pytest.TempPathFactory) -> tuple[Experiment, Path]:
    folder = tmp_path_factory.mktemp("bootstrap") / "out"
    return run_bootstrap(graded, QUICK, SETTINGS, embedding=embedding, out=folder), folder


@pytest.fixture(scope="module")
def sets(graded: Path) -> Sets:
    return read_sets(graded, QUICK, SETTINGS)


def table(experiment: Experiment, title: str) -> ResultTable:
    return next(one for one in experiment.tables if (one.system, one.title) == (SYSTEM, title))


def rows_of(one: ResultTable) -> dict[str, dict[str, float]]:
    return {
        row.label: {name: cell.mean for name, cell in zip(one.columns, row.cells, strict=True) if cell}
        for row in one.rows
    }


def saved(folder: Path) -> dict[str, Any]:
    lines = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    return {line["name"]: line["result"] for line in lines if "name" in line}


def test_every_way_and_what_it_stands_beside_is_measured_on_both_test_sets(found: tuple[Experiment, Path]) -> None:
    experiment, _ = found
    for title in TITLES:
        one = table(experiment, title)
        ranks = tuple(f"rank of {label}, %" for label in ("1", "2", "3", "4</>", "4"))
        assert one.columns == (*TOPS, "roc-auc", *ranks)
        assert list(rows_of(one)) == ["untrained", "characters", *WAYS]
        for figures in rows_of(one).values():
            shares = [figures[f"top-{k}"] for k in KS]
            assert [0, *shares, 1] == sorted([0, *shares, 1])
            assert figures["top-1"] <= figures["top-1-forgiving"] <= 1
            assert all(0 <= figures[name] <= 100 for name in ranks)
    assert experiment.headline.startswith("The static embedder finds 0.")


def test_for_the_embedder_alone_only_the_first_classifier_is_trained(found: tuple[Experiment, Path]) -> None:
    experiment, folder = found
    assert set(saved(folder)) == {"ngram-regression/train/seed 1"}
    assert {one.title for one in experiment.tables if one.system == "ngram-regression"} == {
        "what the first classifier's safe regions took"
    }
    assert not (folder / "embedder" / "unfinished").exists()


def written(file: Path, rows: Iterable[dict[str, object]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_figures_are_those_of_evaluate_retrieval(
    found: tuple[Experiment, Path], embedding: Embedding, sets: Sets, tmp_path: Path
) -> None:
    tests = (sets.corpus.test, sets.found.test)
    files = []
    for name, pairs in zip(("own", "found"), tests, strict=True):
        grades = zip(pairs, pairs.grades or (), strict=True)
        rows = [{"left": left, "right": right, "label": grade} for (left, right), grade in grades]
        files.append(written(tmp_path / f"{name}.jsonl", rows))
    texts = ({"text": text} for part in (*tests, sets.judged) for pair in part for text in pair)
    among = written(tmp_path / "strangers.jsonl", texts)
    options = RetrievalOptions(
        embedder=(embedding.embedder_base, "characters"), distractors=(among,), k=KS, resamples=2
    )
    for one, title in zip(evaluate_retrieval(files, options).sets, TITLES, strict=True):
        ours = rows_of(table(found[0], title))
        for row, theirs in zip(("untrained", "characters"), one.embedders, strict=True):
            figures = {name: theirs.figures[name].value for name in (*TOPS, "roc-auc")}
            ranks = {f"rank of {part.label}, %": part.figures["average-rank"].value for part in theirs.parts}
            assert ours[row] == pytest.approx(figures | ranks)
            by_label = rows_of(table(found[0], f"by label, {title}"))
            for part in theirs.parts:
                tops = {f"top-{k}": part.figures[f"top-{k}"].value for k in KS}
                assert by_label[f"{row}, {part.label}"] == pytest.approx(tops)


def test_the_corpus_teaches_what_says_the_same_and_safe_negatives_what_does_not(
    found: tuple[Experiment, Path],
) -> None:
    for title in TITLES:
        figures = rows_of(table(found[0], title))
        assert figures["train"]["top-1"] > figures["untrained"]["top-1"] + 0.1
        assert figures["train"]["roc-auc"] > figures["untrained"]["roc-auc"] + 0.1
        for label in ("1", "2"):  # far down in the list, where the corpus alone leaves them near
            others = f"rank of {label}, %"
            assert figures["train+neg"][others] > figures["train"][others] + 10


def test_gains_are_the_differences_of_the_figures_with_a_range_around_them(found: tuple[Experiment, Path]) -> None:
    for title in TITLES:
        figures = rows_of(table(found[0], title))
        names = {"over the base": "untrained", "over the corpus alone": "train"}
        gains = table(found[0], f"gains, {title}")
        assert [row.label for row in gains.rows] == [*WAYS, *WAYS[1:]]
        for row in gains.rows:
            cells = dict(zip(gains.columns, row.cells, strict=True))
            for name in ("top-1", "roc-auc"):
                gain = cells[name].gain  # type: ignore[union-attr]
                assert gain is not None
                assert gain.difference == pytest.approx(figures[row.label][name] - figures[names[row.about]][name])
                assert gain.low - 1e-9 <= gain.difference <= gain.high + 1e-9  # type: ignore[operator]


def test_ranks_gained_are_weighed_by_how_many_pairs_have_each_label(found: tuple[Experiment, Path], sets: Sets) -> None:
    grades = sets.found.test.grades or ()
    others = {label: grades.count(label) for label in ("1", "2")}  # type: ignore[attr-defined]
    figures = rows_of(table(found[0], TITLES[1]))
    mean = {
        way: np.average([figures[way][f"rank of {label}, %"] for label in others], weights=list(others.values()))
        for way in ("untrained", "train+neg")
    }
    row = table(found[0], f"gains, {TITLES[1]}").rows[WAYS.index("train+neg")]
    assert row.cells[2] is not None
    assert row.cells[2].mean == pytest.approx(mean["train+neg"] - mean["untrained"])


def test_run_again_nothing_is_trained_again_and_the_classifiers_can_be_added(
    found: tuple[Experiment, Path], graded: Path, embedding: Embedding
) -> None:
    experiment, folder = found
    said: list[str] = []
    again = run_bootstrap(graded, QUICK, SETTINGS, embedding=embedding, out=folder, tell=said.append)
    assert said == []
    assert again.as_json() == experiment.as_json()
    both = replace(SETTINGS, part=("classifier", "embedder"))
    more = run_bootstrap(graded, QUICK, both, embedding=embedding, out=folder, tell=said.append)
    assert [line for line in said if line.endswith(" …")] == [f"ngram-regression/{way}/seed 1 …" for way in WAYS[1:]]
    assert set(more.as_json()["metrics"]) > set(experiment.as_json()["metrics"])
    assert more.headline.endswith(experiment.headline)
    page = write_experiment_report(more, folder).read_text(encoding="utf-8")
    assert f"{SYSTEM}: gains, on Turku opus-parsebank" in page
    assert "objective:contrastive+binary|chosen-by:top-1|embedder-plan:epochs=4,batch_size=32" in page


@pytest.mark.parametrize("change", [{"objective": ("binary",)}, {"embedder_epochs": 5}, {"chosen_by": "mrr"}])
def test_a_folder_with_embedders_that_were_made_another_way_is_refused(
    found: tuple[Experiment, Path], graded: Path, embedding: Embedding, change: dict[str, Any]
) -> None:
    with pytest.raises(TargetTaken, match="made another way"):
        run_bootstrap(graded, QUICK, SETTINGS, embedding=replace(embedding, **change), out=found[1])


def texts(*parts: KnownPairs) -> set[str]:
    return {text_key(text) for part in parts for text in (*part.left, *part.right)}


def test_nothing_that_answers_are_hidden_among_was_learned_from(sets: Sets) -> None:
    among = texts(sets.corpus.test, sets.found.test, sets.judged)
    assert not among & texts(sets.corpus.train, sets.pool)
    assert not texts(sets.corpus.test, sets.found.test) & texts(sets.corpus.dev)


class Stopped(Exception):
    """Somebody pressed a key."""


def test_stopped_within_a_training_it_goes_on_and_ends_with_the_same_figures(
    found: tuple[Experiment, Path], graded: Path, embedding: Embedding, tmp_path: Path
) -> None:
    said: list[str] = []

    def tell(line: str) -> None:
        said.append(line)
        if sum("held-out top-1" in one for one in said) == 8:  # in the second training, after its second epoch
            raise Stopped

    with pytest.raises(Stopped):
        run_bootstrap(graded, QUICK, SETTINGS, embedding=embedding, out=tmp_path / "out", tell=tell)
    assert set(saved(tmp_path / "out" / "embedder")) == {"untrained", "beside characters", "train/seed 1"}
    after: list[str] = []
    whole = run_bootstrap(graded, QUICK, SETTINGS, embedding=embedding, out=tmp_path / "out", tell=after.append)
    assert after[0] == "ngram-regression/train+neg/seed 1 …"
    assert any(line.startswith("going on at learning rate") for line in after)
    assert whole.as_json()["metrics"] == found[0].as_json()["metrics"]


def test_more_texts_to_hide_among_make_it_harder(
    found: tuple[Experiment, Path], graded: Path, embedding: Embedding, tmp_path: Path
) -> None:
    strangers = tmp_path / "strangers.txt"
    lines = [
        f"{who} {what}" for number in range(240) for who in (f"v {number}", f"o {number}") for what in ("hit", "saw")
    ]
    strangers.write_text("\n".join(lines) + "\n", encoding="utf-8")
    nothing_is_safe = replace(SETTINGS, wanted_precision=1.0)
    quick = replace(embedding, distractors=(strangers,), embedder_epochs=1)
    experiment = run_bootstrap(graded, QUICK, nothing_is_safe, embedding=quick, out=tmp_path / "out")
    after, before = (saved(folder / "embedder")["untrained"] for folder in (tmp_path / "out", found[1]))
    for which in ("own", "found"):
        assert after[which]["candidates"] == before[which]["candidates"] + len(lines)
        assert all(np.array(after[which]["above"]) >= np.array(before[which]["above"]))
    assert list(rows_of(table(experiment, TITLES[0]))) == ["untrained", "characters", "train"]


@pytest.mark.parametrize("kind", ["static", "transformer"])
def test_a_table_of_another_embedder_s_vectors_is_made_once_and_a_transformer_is_trained_itself(
    graded: Path, tiny_bert: Path, kind: Literal["static", "transformer"]
) -> None:
    said: list[str] = []
    options = replace(QUICK, limit=40, seeds=(1, 2))
    asked = Embedding(
        embedder=kind, embedder_base=str(tiny_bert), embedder_epochs=1, beside=(), objective=("contrastive",)
    )
    nothing_is_safe = replace(SETTINGS, wanted_precision=1.0)
    experiment = run_bootstrap(graded, options, nothing_is_safe, embedding=asked, tell=said.append)
    assert sum(line.startswith("making a table") for line in said) == (kind == "static")
    one = next(one for one in experiment.tables if one.title == TITLES[1] and one.system.startswith(kind))
    assert [(row.label, len(row.cells[0].values)) for row in one.rows if row.cells[0]] == [
        ("untrained", 1),
        ("train", 2),
    ]


MOST_SAFE = [
    # what is asked for; how many of 12 safe negatives and 3 safe positives are learned from
    (0, 12, 3),
    (5, 5, 3),
    (2, 2, 2),
    ("equal", 4, 3),
    (100, 12, 3),
]


@pytest.mark.parametrize(("most", "negatives", "positives"), MOST_SAFE)
def test_safe_pairs_may_be_few_or_as_many_as_the_corpus_has(
    sets: Sets, most: int | Literal["equal"], negatives: int, positives: int
) -> None:
    small = replace(sets, corpus=replace(sets.corpus, train=sets.corpus.train.chosen(range(4))))
    selected = {"negatives": list(range(20, 32)), "positives": [3, 5, 7]}
    safe = safe_pairs(small, selected, most)
    assert (len(safe["neg"]), len(safe["pos"])) == (negatives, positives)
    taken = list(zip(safe["neg"].left, safe["neg"].right, strict=True))
    there = list(zip(sets.pool.left[20:32], sets.pool.right[20:32], strict=True))
    assert taken == [pair for pair in there if pair in taken]  # in their order
    assert not safe["neg"].targets.any()
    assert safe["pos"].targets.all()


def test_a_way_without_safe_pairs_of_a_kind_is_left_out() -> None:
    pairs = KnownPairs(left="abc", right="def", targets=np.array([1.0, 0.0, 1.0]), groups="123")
    safe = {"neg": pairs.chosen([1]), "pos": pairs.chosen([])}
    assert [(way, own is pairs, more and len(more)) for way, own, more in trainings(pairs, safe)] == [
        ("train", True, None),
        ("train+neg", True, 1),
    ]
    assert [way for way, _, _ in trainings(pairs, safe | {"pos": pairs.chosen([0])})] == list(WAYS)


REFUSED = [
    ({"objective": ()}, "--objective"),
    ({"objective": ("binary", "binary")}, "--objective binary binary"),
    ({"beside": ("fast", "fast")}, "--beside fast fast: give each once"),
    ({"embedder_epochs": 0}, "epochs=0 cannot be followed"),
]


@pytest.mark.parametrize(("setting", "told"), REFUSED)
def test_settings_that_make_no_sense_are_refused(setting: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Embedding(**setting)


NOT_THERE = [
    ({"embedder_base": "nosuch"}, "nosuch"),
    ({"beside": ("nosuch",)}, "nosuch"),
    ({"distractors": (Path("nosuch.txt"),)}, "nosuch.txt"),
    ({"embedder_base": "characters"}, "learns from a collection"),
]


@pytest.mark.parametrize(("setting", "told"), NOT_THERE)
def test_what_is_not_there_is_refused_before_anything_is_trained(
    graded: Path, embedding: Embedding, tmp_path: Path, setting: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        run_bootstrap(graded, QUICK, SETTINGS, embedding=replace(embedding, **setting), out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("part", [(), ("embedder", "embedder")])
def test_parts_are_given_each_once(part: tuple[str, ...]) -> None:
    with pytest.raises(InputError, match="--part"):
        BootstrapExperimentOptions(part=part)  # type: ignore[arg-type]
