"""One generator a training set: each goes through its own filters, and all write for the same held-out sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.reports.experiments import Experiment, ResultRow, write_experiment_report
from paraloom.workflows.experiments.generator_data import run_generator_data
from paraloom.workflows.experiments.generator_options import (
    GeneratorDataOptions,
    WritingExperimentOptions,
    WritingStudy,
)
from paraloom.workflows.experiments.published_generators import FILTERED, WITHOUT_FILTER, published_generator
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from tests.forked import ForkServer
from tests.models.language_models.tiny_gguf import WORDS, write_tiny_llama
from tests.workflows.interrupted import Interrupted

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = PlanOptions(epochs=1, batch_size=16, learning_rates=(1e-2,), device="cpu")
FIT = FitOptions(facts="any", near_copies=True)
WRITING = WritingExperimentOptions(most_sources=4, beams=2, encoder="no-such-encoder")

Pairs = Sequence[tuple[str, str]]


def sayings(seed: int, number: int, *, copies: int = 0) -> list[tuple[str, str]]:
    """Words turned one by one, and so many pairs more that are the same but for the last word."""
    draw = Random(seed)
    found = [draw.sample(WORDS, 7) for _ in range(number + copies)]
    return [
        (" ".join(words), " ".join([*words[:-1], "town"] if place >= number else words[::-1]))
        for place, words in enumerate(found)
    ]


def written(path: Path, pairs: Pairs, *, split: Sequence[str] = ()) -> Path:
    head = "left\tright\tsplit" if split else "left\tright"
    lines = ["\t".join((*pair, *split[place : place + 1])) for place, pair in enumerate(pairs)]
    path.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two training sets, one of which has copies and some of what is held out, and the held-out pairs."""
    place = tmp_path_factory.mktemp("sets")
    held_out = sayings(9, 6)
    written(place / "dev.tsv", held_out)
    leaks = [(held_out[0][0], WORDS[0] + " " + held_out[0][1]), (held_out[1][1], held_out[1][0])]
    written(place / "mixed.tsv", [*sayings(1, 20, copies=10), *leaks])
    written(place / "plain.tsv", sayings(2, 12))
    return place


@pytest.fixture(scope="module")
def options(folder: Path) -> TrainGeneratorOptions:
    base = write_tiny_llama(folder / "tiny.gguf")
    return TrainGeneratorOptions(base=str(base), rank=4, held_out=folder / "dev.tsv")


def study(options: TrainGeneratorOptions, fit: FitOptions = FIT) -> WritingStudy:
    return WritingStudy(training=options, fit=fit, plan=QUICK, writing=WRITING)


def row_of(found: Experiment, name: str) -> ResultRow:
    (table,) = found.tables
    return next(row for row in table.rows if row.label == name)


def test_each_set_is_filtered_trained_measured_and_kept(folder: Path, options, tmp_path: Path) -> None:
    mixed, plain = folder / "mixed.tsv", folder / "plain.tsv"
    words = [f"quora={mixed}", f"quora-unfiltered={mixed}"]
    settings = GeneratorDataOptions(unfiltered=("quora-unfiltered",))
    said: list[str] = []
    given = (words, settings, study(options))
    found = run_generator_data(*given, out=tmp_path, tell=said.append)
    (table,) = found.tables
    assert [row.label for row in table.rows] == ["quora", "quora-unfiltered", "parrot"]
    # The copies are left out of one; what shares a text with what is held out is left out of both.
    assert row_of(found, "quora").about == "20 (47,393) pairs, 40 examples; BLEU at most 14"
    assert row_of(found, "quora-unfiltered").about == "30 (134,378) pairs, 60 examples; any BLEU"
    assert "quora: mixed.tsv; examples left out: seen_in_test 2, bleu 20." in found.notes
    cells = dict(zip(table.columns, row_of(found, "quora-unfiltered").cells, strict=True))
    assert cells["self-bleu"] is not None
    assert cells["self-bleu"].published == 54.54
    assert cells["bert-ibleu"] is None, "no encoder, no BERT-iBLEU"
    told = found.as_json()["metrics"]
    assert told["tiny/by training set/parrot/self-bleu"] == pytest.approx(100)
    assert told["tiny/by training set/parrot/copy-rate"] == 1
    assert found.headline.startswith("tiny: of 2 training sets quora")
    assert found.has_published
    assert "by training set" in write_experiment_report(found, tmp_path).read_text()
    # Asked again, nothing is trained; a set can be added.
    again: list[str] = []
    assert run_generator_data(*given, out=tmp_path, tell=again.append).as_json() == found.as_json()
    assert said
    assert again == []
    more = run_generator_data([*words, f"plain={plain}"], *given[1:], out=tmp_path, tell=again.append)
    assert row_of(more, "plain").about == "12 pairs, 24 examples; BLEU at most 14"
    assert row_of(more, "quora") == row_of(found, "quora")
    assert [line for line in again if line.endswith(" …")] == ["plain …"]
    # The same name for another file, or for another filter, is another training; other options are refused, too.
    for words, settings in (
        ([f"quora={plain}"], GeneratorDataOptions()),
        ([f"quora={mixed}"], GeneratorDataOptions(unfiltered=("quora",))),
    ):
        with pytest.raises(TargetTaken, match="quora holds another training"):
            run_generator_data(words, settings, study(options), out=tmp_path)
    with pytest.raises(TargetTaken, match="fit was"):
        run_generator_data(*given[:2], study(options, FitOptions()), out=tmp_path)


def test_a_judge_is_not_asked_about_loose_sets_and_sizes_can_be_made_equal(
    folder: Path, options, tmp_path: Path
) -> None:
    pairs = sayings(2, 12)
    judged = Examples(
        left=[left for left, _ in pairs] * 2,
        right=[right for _, right in pairs] + ["nothing of the kind was ever said"] * 12,
        targets=[1.0] * 12 + [0.0] * 12,
        definition="strict",
    )
    untrained("ngram-regression").fit([judged], [judged]).save(tmp_path / "judge")
    drawn = [Random(place).sample(WORDS, 13) for place in range(8)]
    others = [(" ".join(words[:7]), " ".join(words[7:])) for words in drawn]
    file = written(tmp_path / "pairs.tsv", [*pairs, *others])
    asked = replace(options, judge=str(tmp_path / "judge"))
    settings = GeneratorDataOptions(loose=("loose",))
    words = [f"loose={file}", f"strict={file}"]
    found = run_generator_data(words, settings, study(asked))
    assert row_of(found, "loose").about == "20 pairs, 40 examples; BLEU at most 14"
    assert row_of(found, "strict").about == "12 pairs, 24 examples; BLEU at most 14, strict paraphrases"
    assert "strict: pairs.tsv; examples left out: not_strict 16." in found.notes
    equal = run_generator_data(words, settings, study(replace(asked, max_pairs=5)))
    assert [row.about.split(";")[0] for row in equal.tables[0].rows[:2]] == ["5 pairs, 10 examples"] * 2
    assert not equal.has_published


REFUSED = [
    ([], {}, {}, "Give training sets, each as NAME=FILE"),
    (["plain.tsv"], {}, {}, "'plain.tsv' is not of the form NAME=FILE"),
    (["plain="], {}, {}, "'plain=' is not of the form NAME=FILE"),
    (["../plain=plain.tsv"], {}, {}, "'../plain' cannot be the name of a training set"),
    (["parrot=plain.tsv"], {}, {}, "other than parrot"),
    (["a=plain.tsv", "a=mixed.tsv"], {}, {}, "Two training sets are called a: plain.tsv and mixed.tsv"),
    (["a=plain.tsv", "b=nosuch.tsv"], {}, {}, "There is no file nosuch.tsv. Check the path."),
    (["a=plain.tsv"], {"unfiltered": ("a", "b", "c")}, {}, "--unfiltered b c: no training set is called so"),
    (["a=plain.tsv"], {"loose": ("b",)}, {"judge": "cascade"}, "Choose among: a."),
    (["a=plain.tsv"], {"loose": ("a",)}, {}, "Give a --judge"),
    (["a=plain.tsv"], {}, {"judge": "ngram-regression"}, "not by the strict definition"),
    (["a=plain.tsv"], {}, {"held_out": None}, "Give a file of them: --held-out FILE"),
    (["a=plain.tsv"], {}, {"held_out": Path("nosuch.tsv")}, "There is no file nosuch.tsv"),
    (["a=plain.tsv"], {}, {"corpora": ("msrp",)}, "Give each set as a file"),
    (["a=plain.tsv"], {}, {"filtered": Path("rows.jsonl")}, "Leave it out"),
    (["a=split.tsv"], {}, {}, "a: split.tsv holds out a dev split of its own"),
]


@pytest.mark.parametrize(("words", "switches", "changed", "complaint"), REFUSED)
def test_what_cannot_be_is_refused_before_anything_is_trained(
    folder: Path, options, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words, switches, changed, complaint: str
) -> None:
    monkeypatch.chdir(folder)
    written(folder / "split.tsv", sayings(4, 6), split=["train"] * 4 + ["dev"] * 2)
    said: list[str] = []
    with pytest.raises(InputError) as error:
        run_generator_data(
            words,
            GeneratorDataOptions(**switches),
            study(replace(options, **changed), FitOptions()),
            out=tmp_path / "out",
            tell=said.append,
        )
    assert complaint in str(error.value)
    assert said == []
    assert not (tmp_path / "out").exists()


PUBLISHED = [
    ("multipit-auto", True, False, FILTERED["multipit-auto"]),
    ("multipit-auto", True, True, FILTERED["multipit-auto"]),
    ("multipit-auto", False, False, WITHOUT_FILTER["multipit-auto"]),
    ("multipit-auto-unfiltered", False, False, WITHOUT_FILTER["multipit-auto"]),
    ("multipit-crowd", True, False, FILTERED["multipit-crowd"]),
    ("multipit-crowd", True, True, None),
    ("multipit-crowd", False, False, None),
    ("ours", True, False, None),
]


@pytest.mark.parametrize(("name", "is_filtered", "is_judged", "generator"), PUBLISHED)
def test_published_figures_stand_beside_sets_that_went_through_the_same(
    name: str, is_filtered: bool, is_judged: bool, generator
) -> None:
    assert published_generator(name, is_filtered=is_filtered, is_judged=is_judged) is generator


def test_the_command_goes_on_after_a_kill_and_writes_its_report(
    torch_forks: ForkServer, folder: Path, options, tmp_path: Path
) -> None:
    words = ["experiment", "generator-data", f"plain={folder / 'plain.tsv'}", f"all={folder / 'mixed.tsv'}"]
    words += ["--unfiltered", "all", "--held-out", folder / "dev.tsv", "--base", options.base, "--rank", 4]
    words += ["--facts", "any", "--near-copies", "--epochs", 1, "--learning-rates", 0.01, "--device", "cpu"]
    words += ["--most-sources", 3, "--encoder", "none-here", "--out", tmp_path / "out"]
    experiment = Interrupted(torch_forks, [*map(str, words)])
    experiment.kill_when_said("all …", 1)
    assert not (tmp_path / "out" / "generator-data.json").exists()
    told = experiment.go_on()
    assert "plain …" not in told
    assert "all …" in told
    written_down = json.loads((tmp_path / "out" / "generator-data.json").read_text())
    assert written_down["headline"].startswith("tiny: of 2 training sets ")
    abouts = [row["about"].split(";")[0] for row in written_down["tables"][0]["rows"]]
    assert abouts == ["12 pairs, 24 examples", "30 pairs, 60 examples", "copies every source"]
    assert sorted(one.name for one in (tmp_path / "out" / "generators").iterdir()) == ["all", "plain"]
