"""A generator is trained at several thresholds and sizes, and what it writes is measured beside the parrot."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.reports.experiments import write_experiment_report
from paraloom.workflows.experiments.bleu_filter import run_bleu_filter
from paraloom.workflows.experiments.generator_options import (
    BleuFilterOptions,
    GeneratorSizeOptions,
    WritingExperimentOptions,
    WritingStudy,
)
from paraloom.workflows.experiments.generator_size import run_generator_size
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from tests.models.language_models.tiny_gguf import WORDS, write_tiny_llama

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = PlanOptions(epochs=1, batch_size=16, learning_rates=(1e-2,), device="cpu")
FIT = FitOptions(facts="any", near_copies=True)
WRITING = WritingExperimentOptions(most_sources=4, beams=2, encoder="no-such-encoder")


def study(options: TrainGeneratorOptions, fit: FitOptions = FIT) -> WritingStudy:
    return WritingStudy(training=options, fit=fit, plan=QUICK, writing=WRITING)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half of them are turned word for word, half are the same but for the last word."""
    draw, lines = Random(1), ["left\tright"]
    for place in range(60):
        words = draw.sample(WORDS, 7)
        other = [*words[:-1], "town"] if place % 2 else words[::-1]
        lines.append(" ".join(words) + "\t" + " ".join(other))
    file = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def options(tmp_path_factory: pytest.TempPathFactory) -> TrainGeneratorOptions:
    base = write_tiny_llama(tmp_path_factory.mktemp("base") / "tiny.gguf")
    return TrainGeneratorOptions(base=str(base), rank=4, held_out_share=0.2)


def test_every_threshold_is_trained_measured_and_kept(pairs: Path, options, tmp_path: Path) -> None:
    settings = BleuFilterOptions(thresholds=(20, "none"))
    said: list[str] = []
    given = ([pairs], settings, study(options))
    found = run_bleu_filter(*given, out=tmp_path, tell=said.append)
    (table,) = found.tables
    assert [row.label for row in table.rows] == ["20", "no threshold", "parrot"]
    few, many = (int(row.about.split()[0]) for row in table.rows[:2])
    assert few < many
    told = found.as_json()["metrics"]
    assert told["tiny/by threshold of BLEU/parrot/self-bleu"] == pytest.approx(100)
    assert told["tiny/by threshold of BLEU/parrot/copy-rate"] == 1
    assert {curve.title for curve in found.curves} == {"BLEU and self-BLEU"}, "no encoder, no BERT-iBLEU"
    assert any("bert-ibleu was not measured" in note for note in found.notes)
    assert "a threshold of BLEU" in found.headline
    page = write_experiment_report(found, tmp_path).read_text()
    assert "by threshold of BLEU" in page
    assert "no threshold" in page
    # Asked again, nothing is trained; what was asked another way is refused.
    again: list[str] = []
    assert run_bleu_filter(*given, out=tmp_path, tell=again.append).as_json() == found.as_json()
    assert said
    assert again == []
    more = BleuFilterOptions(thresholds=(20, 50, "none"))
    added = run_bleu_filter([pairs], more, study(options), out=tmp_path)
    assert len(added.tables[0].rows) == 4
    with pytest.raises(TargetTaken, match="fit was"):
        run_bleu_filter([pairs], settings, study(options, FitOptions()), out=tmp_path)
    never = tmp_path / "never.txt"
    never.write_text("the storm left\n")
    with pytest.raises(TargetTaken, match="never was"):
        run_bleu_filter([pairs], settings, study(replace(options, never=(never,))), out=tmp_path)


def test_more_pairs_are_learned_from_one_after_the_other(pairs: Path, options) -> None:
    settings = GeneratorSizeOptions(sizes=(30, 10))
    found = run_generator_size([pairs], settings, study(options, FitOptions(max_bleu=100, facts="any")))
    (table,) = found.tables
    assert [row.label for row in table.rows] == ["10 pairs", "30 pairs", "all pairs", "parrot"]
    assert [row.about for row in table.rows[:2]] == ["20 examples", "60 examples"]
    assert table.columns[0] == "perplexity"
    assert table.rows[-1].cells[0] is None
    assert [x for x, _ in found.curves[0].lines["perplexity"]][:2] == [20, 60]
    assert found.headline.startswith("tiny: perplexity on held-out pairs goes from")


def test_the_command_prints_its_finding_and_writes_its_report(command, pairs: Path, options, tmp_path: Path) -> None:
    words = ["--base", options.base, "--rank", 4, "--held-out-share", 0.2, "--facts", "any", "--near-copies"]
    words += ["--epochs", 1, "--learning-rates", 0.01, "--device", "cpu", "--most-sources", 3, "--encoder", "none-here"]
    done = command("experiment", "bleu-filter", pairs, "--thresholds", "none", *words, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tiny: no threshold of BLEU has the lowest self-bleu")
    assert json.loads((tmp_path / "out" / "bleu-filter.json").read_text())["experiment"] == "bleu-filter"


WRONG = [
    (BleuFilterOptions, {"thresholds": ()}, "at least one"),
    (BleuFilterOptions, {"thresholds": (14, 14)}, "each once"),
    (BleuFilterOptions, {"thresholds": (140,)}, "from 0 to 100"),
    (GeneratorSizeOptions, {"sizes": (0,)}, "1 or more"),
    (WritingExperimentOptions, {"beams": 0}, "--beams 0 is too few"),
]


@pytest.mark.parametrize(("kind", "given", "complaint"), WRONG)
def test_what_makes_no_sense_is_refused(kind, given, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        kind(**given)


def test_an_experiment_writes_no_file_of_one_training(pairs: Path, options, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Leave it out"):
        study(replace(options, filtered=tmp_path / "rows.jsonl"))
