"""Aligners are measured on alignments that people made, and what they had learned from is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paraloom.corpus.known.alignments import read_alignments
from paraloom.errors import InputError
from paraloom.reports.bench_alignment import write_alignment_bench
from paraloom.workflows.bench.alignment import bench_alignment
from paraloom.workflows.bench.alignment_options import AlignmentBenchOptions

PAIRS = [
    ("the storm hit the coast .", "a storm struck the coast .", "1-1 2-2 3-3 4-4 5-5", "0-0"),
    ("it rains in the north", "in the north it rains", "0-3 1-4 2-0 3-1 4-2", ""),
    ("three men were hurt", "nobody came", "", ""),
    ("she sold her house", "she sold the house", "0-0 1-1 3-3", "2-2"),
]


@pytest.fixture
def corpora(tmp_path: Path) -> Path:
    folder = tmp_path / "corpora" / "alignment"
    folder.mkdir(parents=True)
    rows = [
        {"id": str(number), "source": left, "target": right, "sureAlign": sure, "possibleAlign": possible}
        for number, (left, right, sure, possible) in enumerate(PAIRS)
    ]
    for file in ("gold.train.sure.json", "RTE2_test_M.align.json"):
        (folder / file).write_text(json.dumps(rows), encoding="utf-8")
    return folder.parent


def test_every_aligner_has_its_figures_on_every_set(corpora: Path, tmp_path: Path) -> None:
    asked = ("lexical", "embedding:encoder=fast,method=mwmf", "statistical", "learned")
    bench = bench_alignment(corpora, AlignmentBenchOptions(aligners=asked, resamples=20))
    assert [(one.name, one.pairs, one.links) for one in bench.sets] == [("edinburgh/train", 4, 13), ("msr/test", 4, 13)]
    assert {(row.aligner, row.set) for row in bench.rows} == {(name, one.name) for name in asked for one in bench.sets}
    lexical = bench.of_set("edinburgh/train")[0]
    assert lexical.figures.f1 > 0.85
    low, high = lexical.intervals["f1"]
    assert low <= lexical.figures.f1 <= high
    assert bench.learned_from == 8
    systems = bench.as_json()["systems"]
    assert systems["edinburgh/train/lexical"]["metrics"]["f1"] == round(lexical.figures.f1, 6)
    learned = {name: one["learned_from_this_set"] for name, one in systems.items()}
    assert [name for name, is_learned in learned.items() if is_learned] == ["edinburgh/train/learned"]
    assert "no figure of it here counts" in bench.as_text()
    page = write_alignment_bench(bench, tmp_path / "out").read_text(encoding="utf-8")
    assert "embedding:encoder=fast,method=mwmf" in page
    assert "learned*" in (tmp_path / "out" / "bench.md").read_text(encoding="utf-8")


def test_half_a_set_is_decided_by_the_ids_alone(corpora: Path) -> None:
    half = bench_alignment(corpora, AlignmentBenchOptions(aligners=("lexical",), half=True, resamples=1))
    assert 0 < half.sets[0].pairs < 4
    assert half.sets[0].pairs == half.sets[1].pairs


def test_more_texts_can_be_learned_from_up_to_a_number(corpora: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.tsv"
    more.write_text("left\tright\n" + "It rains.\tRain falls.\n" * 3 + "\tnothing\n", encoding="utf-8")
    options = AlignmentBenchOptions(aligners=("statistical",), learn_from=(more,), learn_most=2, resamples=1)
    assert 8 <= bench_alignment(corpora, options).learned_from <= 10


def test_what_is_not_installed_is_told_and_the_others_are_run(corpora: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    bench = bench_alignment(corpora, AlignmentBenchOptions(aligners=("lexical", "eflomal"), resamples=1))
    assert {row.aligner for row in bench.rows} == {"lexical"}
    assert "pip install eflomal" in bench.not_run["eflomal"]
    with pytest.raises(InputError, match="No aligner could be run"):
        bench_alignment(corpora, AlignmentBenchOptions(aligners=("eflomal",), resamples=1))


BROKEN = [
    ("{broken", "is no JSON"),
    ('{"id": 1}', "is no list"),
    ('[{"id": "1", "source": "a"}]', "pair 1 has no source, target or links"),
    ('[{"id": "1", "source": "a", "target": "b", "sureAlign": "0-1"}]', "a link to a token that is not there"),
    ('[{"id": "1", "source": "a", "target": "b", "sureAlign": "0:0"}]', "is no link between two words"),
]


@pytest.mark.parametrize(("text", "told"), BROKEN)
def test_a_file_that_is_no_alignment_is_refused_in_words(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "gold.train.sure.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_alignments(tmp_path)


def test_a_folder_without_alignments_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No word alignments are in .*gold\.train\.sure\.json"):
        read_alignments(tmp_path)
