"""Mutual implication in the benchmark: it learns from entailments that we made up, and is measured on paraphrases."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.corpus.known.nli import found_entailments
from paraloom.errors import InputError
from paraloom.models.identifiers.mutual_implication import Entailments
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.bench.contenders import with_bases
from paraloom.workflows.bench.entailments import FOLDER, divide_with_entailments, entailment_sets
from paraloom.workflows.bench.identification import bench_identification
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.results import read_results
from paraloom.workflows.bench.runs import run_rows

PLAN = PlanOptions(epochs=1, learning_rates=(1e-3,), max_tokens=24, device="cpu")
WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market", "council", "school", "engine", "garden")


def pairs(count: int, seed: int) -> list[tuple[str, str, int]]:
    """A text that keeps most words is implied, or a paraphrase; one with others is not."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        left, other, label = draw.sample(WORDS, 5), draw.sample(WORDS, 4), number % 2
        right = left[:4] if label else other
        rows.append((f"{' '.join(left)} {seed} {number}", f"{' '.join(right)} {number}", label))
    return rows


def written(file: Path, lines: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two corpora of paraphrases; the entailments are written by those tests that need some."""
    folder = tmp_path / "data"
    msrp = [f"{label}\t1\t2\t{left}\t{right}" for left, right, label in pairs(120, 1)]
    written(folder / "msrp" / "msr_paraphrase_train.txt", ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", *msrp])
    by_people = [f"{left}\t{right}\t{label}" for left, right, label in pairs(120, 2)]
    written(folder / "apt" / "ap_h_train.tsv", ["text_a\ttext_b\tlabels", *by_people])
    return folder


def write_entailments(data: Path, count: int = 80) -> list[tuple[str, str, int]]:
    told = pairs(count, 3)
    written(data / "nli" / "snli" / "dev.txt", [f"{left}\t{right}\t{1 - label}" for left, right, label in told])
    return told


def options(tiny_bert: Path, **more) -> BenchOptions:
    asked = {"systems": ("mutual-implication",), "corpora": ("msrp", "ap-h"), "folds": 1, "resamples": 20, **more}
    return BenchOptions(base=(str(tiny_bert),), **asked)


def test_one_network_learns_from_entailments_and_is_measured_on_every_corpus(
    data: Path, tmp_path: Path, tiny_bert: Path
) -> None:
    write_entailments(data)
    out = tmp_path / "out"
    found = bench_identification(data, options(tiny_bert), PLAN, folder=out)
    results = {one.corpus: one for one in read_results(out)}
    assert set(results) == {"msrp", "ap-h"}
    assert len(list((out / FOLDER).iterdir())) == 1
    assert not (out / "unfinished").exists()
    told = "own 80/20 split of train; learned from 80 entailments alone (SNLI), .5 by held-out pairs"
    assert {one.protocol for one in results.values()} == {told}
    assert {one.fit_pairs for one in results.values()} == {80}
    weights = {one.identifier.rpartition("weights:")[2] for one in results.values()}
    assert len(weights) == 1
    assert all(one.fit_seconds >= 0.01 for one in results.values())
    assert all(len(one.curve) == 1 for one in results.values())
    table = next(table for table in found.tables if table.name == "lan-8")
    row = next(row for row in table.rows if row.name == "mutual-implication tiny-bert")
    assert row.measured_on == told
    assert row.pairs == len(results["msrp"].scores)
    assert row.title == "NLI both ways tiny-bert"


def test_the_seconds_of_a_row_are_those_of_the_training_too(data: Path, tmp_path: Path, tiny_bert: Path) -> None:
    """The second corpus finds the network trained, but its row tells what it costs to get there."""
    write_entailments(data)
    corpora = [read_corpus("msrp", data), read_corpus("ap-h", data), *found_entailments(data)[0]]
    ran = run_rows(options(tiny_bert), tmp_path / "out", corpora, PLAN)
    assert ran.not_run == {}
    seconds = {one.corpus: one.fit_seconds for one in read_results(tmp_path / "out")}
    assert seconds["ap-h"] > seconds["msrp"]


def test_without_entailments_it_is_not_run_and_says_so(data: Path, tmp_path: Path, tiny_bert: Path) -> None:
    found = bench_identification(data, options(tiny_bert), PLAN, folder=tmp_path / "out")
    rows = [row for table in found.tables for row in table.rows if row.name == "mutual-implication tiny-bert"]
    missing = "entailments (SNLI, MNLI, RTE or SciTail), which it learns from, are not in the folder"
    assert {row.not_run for row in rows} == {missing}
    assert [line for line in found.skipped if line.startswith("snli is skipped: No file of SNLI is in ")]


def test_an_entailment_with_a_text_of_the_corpus_is_left_out_where_that_is_measured_on(data: Path) -> None:
    told = write_entailments(data)
    corpus = read_corpus("msrp", data)
    [part] = divide_with_entailments(corpus, found_entailments(data)[0], BenchOptions(folds=1)).parts
    premise = part.measured.left[0].upper()  # case does not hide a text
    lines = [f"{left}\t{right}\t{1 - label}" for left, right, label in told]
    written(data / "nli" / "snli" / "dev.txt", [*lines, f"{premise}\tit rained\t0", f"{part.fit.left[0]}\tit blew\t1"])
    [again] = divide_with_entailments(corpus, found_entailments(data)[0], BenchOptions(folds=1)).parts
    assert len(again.fit) == 81
    assert "it rained" not in again.fit.right
    assert "it blew" in again.fit.right
    assert list(again.measured) == list(part.measured)


def test_so_many_entailments_are_learned_from_as_are_asked_for(data: Path) -> None:
    write_entailments(data)
    told, _ = found_entailments(data)
    division = divide_with_entailments(read_corpus("msrp", data), told, BenchOptions(folds=1, entailment_limit=40))
    assert len(division.parts[0].fit) == 40
    assert "learned from 40 entailments alone" in division.protocol
    with pytest.raises(InputError, match="--entailment-limit -1 makes no sense"):
        BenchOptions(entailment_limit=-1)


def test_premises_are_held_out_whole_beside_the_pairs_that_place_the_threshold(data: Path) -> None:
    write_entailments(data)
    corpus = read_corpus("ap-h", data)
    [part] = divide_with_entailments(corpus, found_entailments(data)[0], BenchOptions(folds=1)).parts
    [learned], [held_out, paraphrases] = entailment_sets(part, corpus.definition)
    assert isinstance(learned, Entailments)
    assert isinstance(held_out, Entailments)
    assert not isinstance(paraphrases, Entailments)
    assert set(learned.left).isdisjoint(held_out.left)
    assert len(learned) + len(held_out) == len(part.fit)
    assert np.isin(paraphrases.left, part.measured.left).sum() == 0
    assert paraphrases.definition == "implication"


def test_the_shipped_network_and_a_base_are_two_rows() -> None:
    shipped, learning = with_bases("mutual-implication")
    assert (shipped.name, shipped.learns_entailments) == ("mutual-implication", False)
    assert (learning.name, learning.learns_entailments) == ("mutual-implication all-MiniLM-L6-v2", True)
