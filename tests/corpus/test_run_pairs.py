"""The pairs of a run are those of its corpus, with their grades where there are any."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from paraloom.corpus.given_pairs import GivenPair
from paraloom.corpus.run_pairs import PairsOfRun, is_run
from paraloom.errors import NotMade
from paraloom.tables import make_id
from tests.corpus.run_tables import write


def texts(count: int) -> list[dict[str, Any]]:
    return [
        {"pair_id": make_id(number), "group_id": make_id("g", number % 3), "left": f"L{number}", "right": f"R{number}"}
        for number in range(count)
    ]


def in_order(pairs: PairsOfRun) -> dict[str, GivenPair]:
    found = list(pairs)
    assert list(pairs) == found  # a second time
    assert len({pair.left for pair in found}) == len(found)
    return {pair.left: pair for pair in found}


def test_grades_are_joined_from_labels_and_dropped_rows_are_left_out(tmp_path: Path) -> None:
    rows = texts(30)
    corpus = [
        row | {"is_paraphrase": number % 2 == 0, "dropped_for": "few_paraphrases" if number == 7 else None}
        for number, row in enumerate(rows)
    ]
    write(tmp_path, "corpus", corpus)
    labels: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        labels.append({"pair_id": row["pair_id"], "definition": "loose", "is_paraphrase": number % 2 == 0})
        if number % 3 == 0:
            labels.append({"pair_id": row["pair_id"], "definition": "graded", "is_paraphrase": True, "grade": "4>"})
    write(tmp_path, "labels", labels, parts=4)
    found = in_order(PairsOfRun(run=tmp_path, name="run"))
    assert set(found) == {f"L{number}" for number in range(30) if number != 7}
    for number in range(30):
        if number != 7:
            assert found[f"L{number}"].label == ("4>" if number % 3 == 0 else str(int(number % 2 == 0)))
            assert found[f"L{number}"].right == f"R{number}"


def test_a_grade_that_was_given_to_the_sides_in_the_other_order_is_turned(tmp_path: Path) -> None:
    rows = [row | {"left_id": "l", "right_id": "r"} for row in texts(4)]
    write(tmp_path / "pairs", "pairs", rows)
    labels = [
        {"pair_id": row["pair_id"], "definition": "graded", "grade": "4>", "left_id": seen_first}
        for row, seen_first in zip(rows, ["l", "r", None, "r"], strict=True)
    ]
    write(tmp_path / "pairs", "labels", labels)
    found = in_order(PairsOfRun(run=tmp_path / "pairs", name="run"))
    assert [found[f"L{number}"].label for number in range(4)] == ["4>", "4<", "4>", "4<"]


def test_the_grade_of_the_corpus_itself_comes_first(tmp_path: Path) -> None:
    rows = texts(3)
    write(tmp_path, "corpus", [row | {"grade": "4<", "is_paraphrase": True} for row in rows])
    write(tmp_path, "labels", [{"pair_id": row["pair_id"], "definition": "loose", "grade": "2"} for row in rows])
    assert {pair.label for pair in PairsOfRun(run=tmp_path, name="run")} == {"4<"}


def test_a_run_without_a_corpus_gives_its_pairs_and_one_without_labels_no_labels(tmp_path: Path) -> None:
    write(tmp_path / "one", "pairs", texts(5))
    assert {pair.label for pair in PairsOfRun(run=tmp_path / "one", name="one")} == {None}
    write(tmp_path / "one", "labels", [{"pair_id": make_id(3), "is_paraphrase": True}])
    found = in_order(PairsOfRun(run=tmp_path / "one", name="one"))
    assert {left: pair.label for left, pair in found.items()} == {
        "L0": None,
        "L1": None,
        "L2": None,
        "L3": "1",
        "L4": None,
    }


def test_the_source_of_a_pair_is_the_kind_of_its_documents(tmp_path: Path) -> None:
    write(tmp_path, "corpus", texts(6))
    kinds = ["subtitle", "article", "thread"]
    write(tmp_path, "documents", [{"document_id": make_id("d", n), "kind": kind} for n, kind in enumerate(kinds)])
    write(
        tmp_path,
        "groups",
        [{"group_id": make_id("g", n), "document_id": make_id("d", n)} for n in range(3)],
    )
    found = in_order(PairsOfRun(run=tmp_path, name="run"))
    assert {left: pair.source for left, pair in found.items()} == {f"L{n}": kinds[n % 3] for n in range(6)}


def test_what_was_read_and_left_out_is_told(tmp_path: Path) -> None:
    write(tmp_path, "pairs", [row | {"dropped_for": "duplicate"} for row in texts(2)])
    pairs = PairsOfRun(run=tmp_path, name="mine")
    assert list(pairs) == []
    assert pairs.notes() == ["mine: the table pairs of the run; 2 rows that were left out there are left out here."]


def test_a_folder_without_pairs_is_refused(tmp_path: Path) -> None:
    assert not is_run(tmp_path)
    with pytest.raises(NotMade, match=r"holds no pairs of a run.*`paraloom align`"):
        PairsOfRun(run=tmp_path, name="mine")
