"""Retrieval is evaluated on files, corpora and distractors as sorting every candidate would."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError
from paraloom.models.embedders import learned, load_embedder
from paraloom.reports.retrieval import render_retrieval
from paraloom.workflows.evaluate import distractors as distractors_module
from paraloom.workflows.evaluate.distractors import Distractors
from paraloom.workflows.evaluate.retrieval import evaluate_retrieval
from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions
from paraloom.workflows.evaluate.retrieval_sets import read_set, retrieval_set

WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market", "council", "school", "garden", "engine")


def made_up(count: int, seed: int) -> list[tuple[str, str, str]]:
    """Pairs whose sides share fewer words the lower the grade."""
    draw = random.Random(seed)
    rows = []
    for number in range(count):
        left = draw.sample(WORDS, 6)
        grade = draw.choice(("2", "3", "4<", "4>s", "4"))
        kept = left[: {"2": 1, "3": 3}.get(grade, 4)]
        right = [*kept, *draw.sample(WORDS, 6 - len(kept))]
        draw.shuffle(right)
        rows.append((f"{' '.join(left)} {number}", f"{' '.join(right)} {number}", grade))
    return rows


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    file = tmp_path / "pairs.tsv"
    lines = ["left\tright\tlabel", *("\t".join(row) for row in made_up(60, 1))]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    file = tmp_path / "strangers.txt"
    texts = [text for left, right, _ in made_up(90, 2) for text in (left, right)]
    own = [left for left, _, _ in made_up(60, 1)[:5]]  # candidates already: they must not count twice
    file.write_text("\n".join([*texts, texts[0].upper(), "", *own]) + "\n", encoding="utf-8")
    return file


QUICK = RetrievalOptions(embedder=("characters@64",), k=(1, 5, 50), resamples=20)


def by_sorting(pairs: Path, strangers: Path) -> dict[str, list[tuple[int, int]]]:
    """The places of all answers, by grade, from one argsort of exact products a query."""
    rows = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()[1:]]
    own = list({text_key(text): text for row in rows for text in reversed(row[:2])}.values())
    keys = [text_key(text) for text in own]
    others = {}
    for text in strangers.read_text(encoding="utf-8").splitlines():
        if text and text_key(text) not in keys:
            others.setdefault(text_key(text), text)
    everyone = [*own, *others.values()]
    every_key = [*keys, *others]
    distractors = [text for block in Distractors([strangers]).blocks() for text in block.texts]
    embedder = learned(load_embedder("characters", dims=64), [*own, *distractors])
    vectors = embedder.embed(everyone).astype(np.float64)
    found: dict[str, list[tuple[int, int]]] = {}
    for left, right, grade in rows:
        query, answer = every_key.index(text_key(left)), every_key.index(text_key(right))
        cosines = np.floor(vectors @ vectors[query] * 1e6 + 0.5)
        order = [number for number in np.argsort(-cosines, kind="stable") if number != query]
        same = [place for place, number in enumerate(order) if cosines[number] == cosines[answer]]
        found.setdefault(grade.replace("4<", "4</>").replace("4>s", "4</>"), []).append((same[0], len(same) - 1))
    assert len(everyone) == 120 + 180
    return found


def test_figures_are_those_of_sorting_every_candidate(pairs: Path, strangers: Path) -> None:
    evaluation = evaluate_retrieval([pairs], replace(QUICK, distractors=(strangers,)))
    (figures,) = evaluation.sets[0].embedders
    wanted = by_sorting(pairs, strangers)
    assert figures.candidates == 299
    assert evaluation.distractors == 185
    assert evaluation.sets[0].distractors == 180
    assert "pairs.tsv: 5 distractors are among its own texts already." in evaluation.notes
    assert {part.label: part.pairs for part in figures.parts} == {name: len(rows) for name, rows in wanted.items()}
    for part in figures.parts:
        above, tied = (np.array(column) for column in zip(*wanted[part.label], strict=True))
        assert part.figures["average-rank"].value == pytest.approx((100 * (above + tied / 2) / 299).mean())
        for k in (1, 5, 50):
            assert part.figures[f"top-{k}"].value == pytest.approx(np.clip((k - above) / (tied + 1), 0, 1).mean())


def test_how_distractors_come_changes_nothing(
    pairs: Path, strangers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(QUICK, embedder=("characters@64", "characters-exact"), distractors=(strangers,))
    once = evaluate_retrieval([pairs], options).as_json()
    texts = [text for text in strangers.read_text(encoding="utf-8").splitlines() if text]
    rows = [{"left": one, "right": two} for one, two in zip(texts[0::2], texts[1::2], strict=False)]
    (tmp_path / "first.jsonl").write_text("\n".join(json.dumps(row) for row in rows[50:]) + "\n", encoding="utf-8")
    pq.write_table(pa.Table.from_pylist(rows[20:50]), tmp_path / "second.parquet")
    with gzip.open(tmp_path / "third.tsv.gz", "wt", encoding="utf-8") as file:
        file.write("id\ttext\n" + "".join(f"{number}\t{text}\n" for number, text in enumerate(texts[:40])))
    (tmp_path / "fourth.txt").write_text(texts[-1], encoding="utf-8")
    files = tuple(tmp_path / name for name in ("first.jsonl", "second.parquet", "third.tsv.gz", "fourth.txt"))
    monkeypatch.setattr(distractors_module, "AT_ONCE", 7)
    monkeypatch.setattr(distractors_module, "RECENT", 11)
    again = evaluate_retrieval([pairs], replace(options, distractors=files)).as_json()
    assert again["systems"].keys() == {"characters@64", "characters-exact"}
    for name, system in once["systems"].items():
        assert again["systems"][name]["candidates"] == 299
        assert again["systems"][name]["metrics"] == pytest.approx(system["metrics"])


def test_both_ways_ask_each_side_for_the_other(pairs: Path) -> None:
    one = evaluate_retrieval([pairs], QUICK).sets[0]
    both = evaluate_retrieval([pairs], replace(QUICK, both_ways=True)).sets[0]
    turned = pairs.with_name("turned.tsv")
    lines = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()]
    turned.write_text(
        "\n".join(["left\tright\tlabel", *(f"{right}\t{left}\t{label}" for left, right, label in lines[1:])]) + "\n",
        encoding="utf-8",
    )
    other = evaluate_retrieval([turned], QUICK).sets[0]
    assert both.pairs == 2 * one.pairs
    means = [its.embedders[0].figures["average-rank"].value for its in (one, other, both)]
    assert means[2] == pytest.approx((means[0] + means[1]) / 2)
    assert "|query:either|" in both.embedders[0].figures["top-1"].signature


def test_the_chart_of_the_report_shows_every_set(pairs: Path, tmp_path: Path) -> None:
    files = [tmp_path / f"set-{number}.tsv" for number in range(8)]
    for file in files:
        file.write_bytes(pairs.read_bytes())
    page = render_retrieval(evaluate_retrieval(files, QUICK))
    chart = page[page.index("Accuracy of the first candidates") : page.index("figure 8 of")]
    assert chart.count("<svg") == 2
    assert all(f"characters@64 on {file.name}: " in chart for file in files)


LABELS = [
    (["1", "0", "1"], ["paraphrase", "other", "paraphrase"], [True, False, True]),
    (["true", "False"], ["paraphrase", "other"], [True, False]),
    (["1", "2", "4<i", "x"], ["1", "2", "4</>"], [False, False, True]),
    (["4", "3"], ["4", "3"], [True, True]),
]


@pytest.mark.parametrize(("written", "parts", "truth"), LABELS)
def test_labels_are_all_grades_or_all_yes_and_no(
    tmp_path: Path, written: list[str], parts: list[str], truth: list[bool]
) -> None:
    file = tmp_path / "labels.csv"
    rows = "".join(f"storm number {place},gale number {place},{label}\n" for place, label in enumerate(written))
    file.write_text(f"left,right,label\n{rows}", encoding="utf-8")
    found = read_set(file, {})
    assert list(found.labels) == parts
    assert found.truth.tolist() == truth


MINED = [
    # columns beside the texts and their rows; what pairs are held for, and what is told
    ("score,is_paraphrase", ["0.9,true", "0.2,false", ",", "0.7,true"], [True, False, True], "is_paraphrase is taken"),
    ("grade,is_paraphrase", [",true", ",false"], [True, False], "is_paraphrase is taken"),
    ("label", ["1", "", "0"], [True, False], "1 pair without a label is left out."),
    ("is_paraphrase,label", ["true,0", "true,1"], [False, True], None),
]


@pytest.mark.parametrize(("names", "rows", "truth", "note"), MINED)
def test_mined_and_identified_pairs_that_are_held_for_none_are_no_paraphrases(
    tmp_path: Path, names: str, rows: list[str], truth: list[bool], note: str | None
) -> None:
    file = tmp_path / "mined.csv"
    lines = [f"storm number {place},gale number {place},{row}" for place, row in enumerate(rows)]
    file.write_text("\n".join([f"left,right,{names}", *lines]) + "\n", encoding="utf-8")
    found = read_set(file, {})
    assert found.truth.tolist() == truth
    assert any(note in one for one in found.notes) if note else found.notes == ()


def test_pairs_of_which_none_was_judged_are_refused(tmp_path: Path) -> None:
    (tmp_path / "mined.csv").write_text("left,right,is_paraphrase\na storm,a gale,\n", encoding="utf-8")
    with pytest.raises(InputError, match="none of its pairs has a label"):
        read_set(tmp_path / "mined.csv", {})


def test_a_turku_file_is_read_as_it_was_published(tmp_path: Path) -> None:
    items = [
        {"txt1": "Myrsky iski rannikolle.", "txt2": "Rannikolla myrskysi.", "label": "4<", "goeswith": "a"},
        {"txt1": "Sataa.", "txt2": "Ulkona paistaa.", "label": "2", "goeswith": "b"},
    ]
    (tmp_path / "v1_dev.json").write_text(json.dumps(items), encoding="utf-8")
    found = read_set(tmp_path / "v1_dev.json", {})
    assert list(found.labels) == ["4</>", "2"]
    by_name = evaluate_retrieval(["turku:dev"], replace(QUICK, data=tmp_path))
    assert (by_name.sets[0].name, by_name.sets[0].pairs) == ("turku:dev", 2)


def test_pairs_of_one_text_are_counted_apart() -> None:
    found = retrieval_set(
        "own", ["A storm.", "a gale", "", "rain"], ["a STORM!", "the wind", "sun", "Rain fell"], ["4"] * 4, [True] * 4
    )
    assert (len(found), found.same) == (2, 1)
    assert list(found.texts) == ["A storm.", "a gale", "the wind", "rain", "Rain fell"]
    assert len(found.notes) == 2


def test_other_answers_are_those_that_other_pairs_tell() -> None:
    found = retrieval_set(
        "own", ["a1", "a1", "a1", "b1"], ["a2", "a3", "c1", "a1"], ["4"] * 4, [True, True, False, True]
    )
    rows, others = found.other_answers()
    told = {(row, found.texts[other]) for row, other in zip(rows.tolist(), others.tolist(), strict=True)}
    assert told == {(0, "a3"), (0, "b1"), (1, "a2"), (1, "b1"), (2, "a2"), (2, "a3"), (2, "b1")}


def test_two_sets_are_measured_apart_with_the_same_distractors(pairs: Path, strangers: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("left\tright\nthe storm came\ta gale came\nit rained\train fell\n", encoding="utf-8")
    options = replace(QUICK, distractors=(strangers,))
    both = evaluate_retrieval([pairs, other], options).as_json()
    alone = evaluate_retrieval([pairs], options).as_json()
    assert both["systems"]["pairs.tsv/characters@64"]["metrics"] == alone["metrics"]
    assert both["systems"]["other.tsv/characters@64"]["candidates"] == 3 + 185
    assert any("no column `label`" in note for note in both["notes"])


WRONG = [
    (["missing.tsv"], {}, "There is no file"),
    (["turku"], {}, "--data"),
    (["turku:dev"], {"data": Path("."), "where": ("label=4",)}, "--where is of files"),
    (["turku:dev"], {"data": Path("."), "columns": ("left=txt1",)}, "--columns is of files"),
    (["pairs.tsv"], {"most_distractors": 10}, "of none"),
    (["pairs.tsv"], {"k": (0,)}, "whole numbers from 1 on"),
    (["pairs.tsv"], {"embedder": ("characters", "characters")}, "each once"),
    (["pairs.tsv"], {"embedder": ("characters-exact@64",)}, "no dimensions"),
    (["pairs.tsv", "pairs.tsv"], {}, "called pairs.tsv"),
    (["pairs.tsv"], {"distractors": (Path("columns.csv"),)}, "no column with texts"),
]


@pytest.mark.parametrize(("given", "settings", "told"), WRONG)
def test_what_cannot_be_measured_is_said(
    pairs: Path, given: list[str], settings: dict[str, object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pairs.parent)
    Path("columns.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(InputError, match=told):
        evaluate_retrieval(given, replace(QUICK, **settings))
