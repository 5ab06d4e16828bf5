"""The Turku corpus: grades as written, documents as groups, rewrites if asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paraloom.corpus.known import read_corpus
from paraloom.errors import InputError


def item(left: str, right: str, label: str, document: str | None = None, **more: Any) -> dict[str, Any]:
    return {"txt1": left, "txt2": right, "label": label, "goeswith": document, "rewrites": [], "fold": 1, **more}


ITEMS = [
    item("Myrsky tuli.", "Alkoi myrsky.", "4", "episode-1"),
    item("Hän lähti.", "Mies meni pois.", "4>is", "episode-1", rewrites=[["Mies lähti.", "Mies meni pois."]]),
    item("Sataa.", "Paistaa.", "2"),
    item("Joo.", "Selvä.", "3", "episode-2"),
    item("Ei mitään.", "Jotain.", "x"),
]


def write_items(folder: Path, name: str, items: object) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(items), encoding="utf-8")


@pytest.mark.parametrize("place", ["dev.json", "turku/v1_dev.json", "data-fi/dev.json"])
def test_grades_are_kept_and_become_targets(tmp_path: Path, place: str) -> None:
    write_items(tmp_path, place, ITEMS)
    corpus = read_corpus("turku", tmp_path)
    dev = corpus.splits["dev"]
    assert dev.grades == ["4", "4>is", "2", "3", "x"]
    assert np.array_equal(dev.targets, [1, 1, 0, 1, np.nan], equal_nan=True)
    assert dev.groups[0] == dev.groups[1]
    assert len(set(dev.groups)) == 4
    assert corpus.definition == "graded"


def test_a_grade_is_told_as_the_scheme_writes_it(tmp_path: Path) -> None:
    write_items(tmp_path, "turku/dev.json", [item("a", "b", " 4si> "), item("c", "d", "X")])
    assert read_corpus("turku", tmp_path).splits["dev"].grades == ["4>is", "x"]


def test_rewrites_follow_their_pair_where_asked_for(tmp_path: Path) -> None:
    write_items(tmp_path, "turku/train.json", ITEMS)
    train = read_corpus("turku-with-rewrites", tmp_path).splits["train"]
    assert len(train) == 6
    assert (train.left[2], train.right[2]) == ("Mies lähti.", "Mies meni pois.")
    assert train.grades is not None
    assert train.grades[2] == "4"
    assert train.groups[2] == train.groups[1]


def test_rewrites_are_of_the_group_of_their_pair_without_a_document_too(tmp_path: Path) -> None:
    rewritten = item(
        "Hän lähti.", "Mies meni pois.", "4>", rewrites=[["Mies lähti.", "Ukko meni."], ["Ukko läks.", "-"]]
    )
    write_items(tmp_path, "turku/train.json", [rewritten, item("Sataa.", "Paistaa.", "2")])
    groups = read_corpus("turku-with-rewrites", tmp_path).splits["train"].groups
    assert groups[0] == groups[1] == groups[2] != groups[3]


def test_the_sample_without_documents_and_the_swedish_set_are_read(tmp_path: Path) -> None:
    plain = [{"txt1": "Sataa.", "txt2": "Paistaa.", "label": "1", "source": "pb"}]
    write_items(tmp_path, "turku/opus-pb-dev.json", plain)
    write_items(tmp_path, "turku/data-sv/test.json", ITEMS)
    assert read_corpus("turku-opus-parsebank", tmp_path).splits["dev"].targets.tolist() == [0]
    assert len(read_corpus("turku-swedish", tmp_path).splits["test"]) == 5


@pytest.mark.parametrize(
    "bad",
    [{"txt1": "a"}, "a pair", item("a", "b", "5"), item("a", "b", "4<>"), item("a", "b", "3>s"), item("a", "b", "")],
)
def test_a_bad_item_is_counted(tmp_path: Path, bad: object) -> None:
    write_items(tmp_path, "turku/dev.json", [*ITEMS, bad])
    corpus = read_corpus("turku", tmp_path)
    assert len(corpus.splits["dev"]) == 5
    assert any("1 row left out" in note and "line 6" in note for note in corpus.notes)


@pytest.mark.parametrize("written", ["{", '{"txt1": "a"}', "[]", "[1, 2]"])
def test_a_file_of_something_else_is_an_error(tmp_path: Path, written: str) -> None:
    (tmp_path / "turku").mkdir()
    (tmp_path / "turku" / "dev.json").write_text(written)
    with pytest.raises(InputError, match="JSON, a list of objects with txt1, txt2 and label"):
        read_corpus("turku", tmp_path)
