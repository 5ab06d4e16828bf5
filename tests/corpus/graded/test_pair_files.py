"""Files of graded pairs: rows of one pair come together, whichever way round and however labels are written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.corpus.graded.judged import JudgedPair, Place
from paraloom.corpus.graded.pair_files import PairsOfFiles, about_rows
from paraloom.errors import InputError


def read(tmp_path: Path, content: str, name: str = "a.tsv", **columns: str) -> PairsOfFiles:
    (tmp_path / name).write_text(content, encoding="utf-8")
    found = PairsOfFiles()
    found.read(tmp_path / name, columns)
    return found


def said(found: PairsOfFiles) -> list[list[str]]:
    return [list(pair.said.values()) for pair in found.pairs.values()]


TWO_PEOPLE = [
    ("left\tright\tlabel\nit blew\ta gale\t4>\nit blew\ta gale\t4s\nrain\tsun\t2\n", [["4>", "4s"], ["2"]]),
    ("left\tright\tlabel\nit blew\ta gale\t4>\na gale\tit blew\t4<\nrain\tsun\t2\n", [["4>", "4>"], ["2"]]),
    ("left\tright\tlabel\nit blew\ta gale\t4> 4s\nrain\tsun\t2, 3\n", [["4>", "4s"], ["2", "3"]]),
    ("left\tright\tlabel\nit blew\ta gale\t4s>\nrain\tsun\t X\n", [["4>s"], ["x"]]),
    ("left\tright\tlabel\tgroup\nit blew\ta gale\t4\tfilm 1\nit blew\ta gale\t3\tfilm 2\n", [["4"], ["3"]]),
    ("left\tright\tlabel\tpair_id\nit blew\ta gale\t4\t1\nit blew\ta gale\t3\t2\n", [["4"], ["3"]]),
    ("left\tright\tlabel\tannotator\nit blew\ta gale\t4\tann\nit blew\ta gale\t3\tann\n", [["3"]]),
]


@pytest.mark.parametrize(("content", "expected"), TWO_PEOPLE)
def test_labels_of_several_people_come_together(tmp_path: Path, content: str, expected: list[list[str]]) -> None:
    assert said(read(tmp_path, content)) == expected


def test_a_list_of_labels_is_one_a_person(tmp_path: Path) -> None:
    rows = {"left": ["it blew"], "right": ["a gale"], "label": [["4>", "3"]]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    found = PairsOfFiles()
    found.read(tmp_path / "a.parquet", {})
    assert said(found) == [["4>", "3"]]
    as_json = json.dumps([{"txt1": "it blew", "txt2": "a gale", "label": [4, "4>"]}])
    assert said(read(tmp_path, as_json, "b.json")) == [["4", "4>"]]


def test_the_turku_corpus_is_read_with_its_contexts_and_rewrites(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "txt1": "Myrsky iski rannikolle.",
            "txt2": "Myrsky iski.",
            "label": "4>",
            "goeswith": "episode-1",
            "rewrites": [["Myrsky iski.", "Iski myrsky."], ["yksin"]],
            "context": {"doc1": "a", "beg1": 0, "end1": 23, "doc2": "b", "beg2": 4, "end2": 16},
        },
        {"txt1": "Satoi.", "txt2": "Tuuli.", "label": "2", "goeswith": None, "rewrites": [], "context": None},
    ]
    first, rewrite, second = read(tmp_path, json.dumps(rows), "dev.json").pairs.values()
    assert first.left_place == Place(document_id="a", start=0, end=23)
    assert first.right_place == Place(document_id="b", start=4, end=16)
    assert first.links == ["document a", "document b", "group episode-1"]
    assert (second.links, second.left_place) == ([], None)
    assert (rewrite.left, rewrite.right, rewrite.rewrite_of) == ("Myrsky iski.", "Iski myrsky.", first.pair_id)
    assert rewrite.presumed is not None
    assert (rewrite.presumed.grade, rewrite.said, rewrite.links) == ("4", {}, first.links)


def test_everybody_who_labels_a_pair_may_rewrite_it(tmp_path: Path) -> None:
    rows = [
        {"left": "it blew", "right": "a gale", "label": "4>", "rewrites": [["it blew hard", "a gale"]]},
        {"left": "a gale", "right": "it blew", "label": "4<", "rewrites": [["it blew", "a gale there"]]},
        {"left": "it blew", "right": "a gale", "label": "4>", "rewrites": [["it blew hard", "a gale"]]},
    ]
    pair, *rewrites = read(tmp_path, json.dumps(rows), "a.json").pairs.values()
    assert list(pair.said.values()) == ["4>", "4>", "4>"]
    assert [(one.left, one.right) for one in rewrites] == [("it blew hard", "a gale"), ("it blew", "a gale there")]


def test_the_same_texts_in_other_documents_are_another_pair(tmp_path: Path) -> None:
    def row(label: str, left: str, right: str, **places: Any) -> dict[str, Any]:
        return {"left": left, "right": right, "label": label, **places}

    here = {"left_document_id": "a", "left_start": 0, "right_document_id": "b", "right_start": 4}
    turned = {"left_document_id": "b", "left_start": 4, "right_document_id": "a", "right_start": 0}
    rows = [
        row("4>", "yes", "sure", **here),
        row("3", "yes", "sure", **here | {"right_document_id": "c"}),
        row("2", "yes", "sure", **here | {"left_start": 90}),
        row("4<", "sure", "yes", **turned),
        row("1", "yes", "sure"),
    ]
    assert said(read(tmp_path, json.dumps(rows), "a.json")) == [["4>", "4>"], ["3"], ["2"], ["1"]]


def test_what_is_no_graded_pair_is_counted_by_its_reason(tmp_path: Path) -> None:
    rows = [
        "it blew\ta gale\t4\t1",
        "it blew\t \t4\t2",
        "it blew\tsun\t4\t1",
        "rain\tsun\tnot sure\t3",
        "it rained\train\t\t4",
        "short",
        *(f"left {number}\tright {number}\t3\t{number}" for number in range(5, 20)),
    ]
    found = read(tmp_path, "left\tright\tlabel\tpair_id\n" + "\n".join(rows) + "\n")
    assert found.rows == 21
    assert +found.dropped_for == {
        "empty_text": 1,
        "another_pair_of_this_id": 1,
        "no_graded_label": 1,
        "bad_row: 1 column instead of 4": 1,
    }
    assert said(found)[:3] == [["4"], [], []]


def test_the_same_person_has_one_label(tmp_path: Path) -> None:
    content = "left\tright\tlabel\twho\nit blew\ta gale\t4\tann\nit blew\ta gale\t3\tbo\na gale\tit blew\t4>\tann\n"
    found = read(tmp_path, content, annotator="who")
    assert sorted(said(found)[0]) == ["3", "4<"]
    assert about_rows(found) == ["1 label given again by the same person count once."]


REFUSED = [
    ("left\tright\nit blew\ta gale\n", {}, "has no column of labels"),
    ("left\tright\tlabel\nit blew\ta gale\t1\nrain\tsun\t0\n", {}, "say yes and no"),
    ("left\tright\tlabel\nit blew\ta gale\t4\n", {"topic": "3"}, r"--columns topic=… says nothing here"),
    ("left\tright\tlabel\nit blew\ta gale\t4\n", {"label": "gold"}, "has no column 'gold' to take for label"),
]


@pytest.mark.parametrize(("content", "columns", "why"), REFUSED)
def test_a_file_that_holds_no_grades_is_refused(
    tmp_path: Path, content: str, columns: dict[str, str], why: str
) -> None:
    with pytest.raises(InputError, match=why):
        read(tmp_path, content, **columns)


def test_labels_of_our_own_corpora_keep_how_they_were_found(tmp_path: Path) -> None:
    rows = [
        {"label": "3", "said": "3 3", "labelled_by": "agreed", "votes_for": 2, "votes": 2},
        {"label": "4", "said": "3 4>", "labelled_by": "decision", "votes_for": 2, "votes": 2},
        {"label": "4", "said": "", "labelled_by": "rewrite", "votes_for": 1, "votes": 1, "rewrite_of": "0"},
        {"label": "4<", "said": "4<", "labelled_by": "single", "is_turned": True},
    ]
    lines = "".join(
        json.dumps({"pair_id": str(number), "left": f"left {number}", "right": f"right {number}"} | row) + "\n"
        for number, row in enumerate(rows)
    )
    found = read(tmp_path, lines, "a.jsonl")
    agreed, decided, rewrite = found.pairs.values()
    assert isinstance(agreed, JudgedPair)
    assert (list(agreed.said.values()), agreed.decided) == (["3", "3"], None)
    assert decided.joined is not None
    assert (list(decided.said.values()), decided.joined.grade, decided.joined.is_decision) == (["3", "4>"], "4", True)
    assert rewrite.presumed is not None
    assert (rewrite.rewrite_of, rewrite.presumed.grade, rewrite.said) == ("0", "4", {})
    assert found.dropped_for["turned_twin"] == 1
    assert agreed.joined is None  # it follows from what was said, and may not hold when more is said


def test_what_a_corpus_tells_that_people_said_is_heard_once(tmp_path: Path) -> None:
    """A row for every label has all labels of the pair; so has the same row in another corpus."""
    row = {"pair_id": "p", "left": "it blew", "right": "a gale", "said": "3 4> 4>", "labelled_by": "one of several"}
    turned = {"left": "a gale", "right": "it blew", "said": "3 4<", "labelled_by": "agreed"}
    rows = [
        row | {"label": "3"},
        row | {"label": "4>"},
        row | turned | {"label": "4"},
        row | {"label": "4", "said": "?"},
    ]
    found = read(tmp_path, "".join(json.dumps(one) + "\n" for one in rows), "a.jsonl")
    (pair,) = found.pairs.values()
    assert list(pair.said.values()) == ["3", "4>", "4>"]
    assert +found.dropped_for == {"no_graded_label": 1}
    assert [pair.say("4>", who) for who in ("ann", "bo", "ann", "cat")] == [False, False, True, False]
    assert sorted(pair.said.values()) == ["3", "4>", "4>", "4>"]
