"""A file of pairs is read with its labels, whatever its columns are called; the Turku corpus' JSON as it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.corpus.given_pairs import GivenPair, PairsOfFile
from paraloom.errors import InputError

TURKU: list[dict[str, Any]] = [
    {
        "fold": 3,
        "goeswith": "episode-1",
        "label": "4>",
        "rewrites": [["Myrsky iski.", "Iski myrsky."], ["Tuuli.", "Satoi."], ["yksin"]],
        "txt1": "Myrsky iski rannikolle.",
        "txt2": "Myrsky iski.",
        "context": {"doc1": "a", "beg1": 0, "end1": 23, "doc2": "b", "beg2": 4, "end2": 16},
    },
    {"fold": 3, "goeswith": None, "label": "2", "rewrites": [], "txt1": "Satoi.", "txt2": "Tuuli.", "context": None},
]


def pairs_of(file: Path, **settings: Any) -> PairsOfFile:
    return PairsOfFile(path=file, name=file.stem, **settings)


def test_the_turku_corpus_is_read_as_it_is_published(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(TURKU), encoding="utf-8")
    pairs = pairs_of(file)
    expected = [
        GivenPair("Myrsky iski rannikolle.", "Myrsky iski.", "4>", None, 2),
        GivenPair("Satoi.", "Tuuli.", "2", None, 0),
    ]
    assert list(pairs) == expected
    assert list(pairs) == expected  # a second time
    assert pairs.notes() == []


def test_rewrites_may_be_pairs_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "dev.json"
    file.write_text(json.dumps(TURKU), encoding="utf-8")
    found = list(pairs_of(file, with_rewrites=True))
    assert [(pair.left, pair.right, pair.label, pair.rewrites) for pair in found] == [
        ("Myrsky iski rannikolle.", "Myrsky iski.", "4>", 2),
        ("Myrsky iski.", "Iski myrsky.", "4", 0),
        ("Tuuli.", "Satoi.", "4", 0),
        ("Satoi.", "Tuuli.", "2", 0),
    ]


FILES = [
    ("a.tsv", "left\tright\tlabel\nit blew\tit rained\t1\n", {}, ("1", None)),
    ("a.tsv", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n0\t7\t8\tit blew\tit rained\n", {}, ("0", None)),
    ("a.csv", "source,target\nit blew,it rained\n", {}, (None, None)),
    ("a.csv", "sentence1,sentence2,gold,kind\nit blew,it rained,no,thread\n", {"label": "gold"}, ("no", "thread")),
    ("a.tsv", "it blew\tit rained\t4<\tnews\n", {"label": "3", "source": "4"}, ("4<", "news")),
    ("a.jsonl", '{"left": "it blew", "right": "it rained", "label": true, "source": "pb"}\n', {}, ("1", "pb")),
    ("a.jsonl", '{"left": "it blew", "right": "it rained", "grade": null}\n', {}, (None, None)),
    ("a.jsonl", '{"a": "it blew", "b": "it rained", "n": 2}\n', {"left": "a", "right": "b", "label": "n"}, ("2", None)),
]


@pytest.mark.parametrize(("name", "content", "columns", "expected"), FILES)
def test_labels_and_sources_are_found_by_usual_names_or_as_told(
    tmp_path: Path, name: str, content: str, columns: dict[str, str], expected: tuple[str | None, str | None]
) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    (pair,) = pairs_of(file, columns=columns)
    assert (pair.left, pair.right) == ("it blew", "it rained")
    assert (pair.label, pair.source) == expected


def test_parquet_has_labels_and_rewrites_too(tmp_path: Path) -> None:
    table = pa.table({"left": ["it blew"], "right": ["it rained"], "label": [4], "rewrites": [[["a gale", "a storm"]]]})
    pq.write_table(table, tmp_path / "a.parquet")
    assert list(pairs_of(tmp_path / "a.parquet")) == [GivenPair("it blew", "it rained", "4", None, 1)]


def test_rows_without_two_texts_are_left_out_and_told(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    rows = ["it blew\tit rained", "it blew\t ", "it blew", "\tit rained", "it\tblew", "a\tb", "c\td"]
    file.write_text("left\tright\n" + "\n".join(rows) + "\n", encoding="utf-8")
    pairs = pairs_of(file)
    assert len(list(pairs)) == len(list(pairs)) == 4
    told = pairs.notes()
    assert "a.tsv: 1 of 7 rows have no two texts and are left out." in told
    assert "a.tsv: 2 of 7 rows have an empty text and are left out." in told
    assert any("has no column of labels" in note and "--columns label=COLUMN" in note for note in told)


REFUSED = [
    ({"topic": "3"}, r"--columns topic=… says nothing here: left, right, label, source are read"),
    ({"label": "gold"}, r"has no column 'gold' to take for label; it has left, right"),
    ({"label": "9"}, r"has no column '9' to take for label"),
]


@pytest.mark.parametrize(("columns", "told"), REFUSED)
def test_columns_that_are_not_there_are_refused(tmp_path: Path, columns: dict[str, str], told: str) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("left\tright\nit blew\tit rained\n", encoding="utf-8")
    with pytest.raises(InputError, match=told):
        list(pairs_of(file, columns=columns))
