"""Systems' outputs find their sources by text; what does not fit is refused, or left out for all systems alike."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paraloom.corpus.system_outputs import match_outputs, read_aligned_system, read_system
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet

THREE = EvaluationSet.of(["a a", "b b", "c c"], [["a 1"], ["b 1"], ["c 1"]])


def system(folder: Path, name: str, rows: list[object]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def row(source: str, *texts: str) -> dict[str, object]:
    return {"source": source, "outputs": [{"text": text, "score": 0.5} for text in texts]}


def test_outputs_are_put_in_the_order_of_the_sources(tmp_path: Path) -> None:
    path = system(tmp_path, "one.jsonl", [row("c c", "C", "CC"), row("a a", "A"), row("b b", "B")])
    matched = match_outputs(THREE, [read_system(path)])
    assert matched.systems[0].name == "one"
    assert matched.systems[0].outputs == (("A",), ("B",), ("C", "CC"))
    assert matched.systems[0].first == ["A", "B", "C"]


FORMS = [
    {"source": "a a", "outputs": ["A", "AA"]},
    {"source": " a a ", "outputs": [{"text": " A "}, {"text": "AA"}]},
    {"source": "a a", "output": "A"},
]


@pytest.mark.parametrize("form", FORMS)
def test_outputs_may_be_written_in_several_ways(tmp_path: Path, form: dict[str, object]) -> None:
    read = read_system(system(tmp_path, "one.jsonl", [form]))
    assert read.rows[0].source == "a a"
    assert read.rows[0].texts[0] == "A"


def test_no_output_counts_as_an_empty_one(tmp_path: Path) -> None:
    path = system(tmp_path, "one.jsonl", [row("a a"), row("b b", "B"), row("c c", "C")])
    assert match_outputs(THREE, [read_system(path)]).systems[0].first == ["", "B", "C"]


def test_what_one_system_lacks_is_left_out_for_all_if_allowed(tmp_path: Path) -> None:
    one = system(tmp_path, "one.jsonl", [row("a a", "A"), row("b b", "B"), row("z z", "Z")])
    two = system(tmp_path, "two.jsonl", [row("a a", "1"), row("b b", "2"), row("c c", "3")])
    matched = match_outputs(THREE, [read_system(one), read_system(two)], allow_missing=True)
    assert matched.evaluation_set.sources == ("a a", "b b")
    assert [system.first for system in matched.systems] == [["A", "B"], ["1", "2"]]
    assert (matched.missing, matched.unknown) == (1, 1)


def test_a_source_that_stands_twice_takes_its_rows_in_turn(tmp_path: Path) -> None:
    twice = EvaluationSet.of(["a a", "a a"], [["a 1"], ["a 2"]])
    path = system(tmp_path, "one.jsonl", [row("a a", "first"), row("a a", "second")])
    assert match_outputs(twice, [read_system(path)]).systems[0].first == ["first", "second"]
    alone = system(tmp_path, "two.jsonl", [row("a a", "only")])
    assert match_outputs(twice, [read_system(alone)]).systems[0].first == ["only", "only"]


def test_systems_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    rows = [row("a a", "A"), row("b b", "B"), row("c c", "C")]
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
    paths = [system(tmp_path / folder, "out.jsonl", rows) for folder in ("x", "y")]
    assert [one.name for one in match_outputs(THREE, [read_system(path) for path in paths]).systems] == [
        "x/out",
        "y/out",
    ]


REFUSED = {
    "a source is missing": (
        [row("a a", "A"), row("b b", "B")],
        r"1 sources .* no output, the first is 'c c'.*--allow-missing",
    ),
    "a source is unknown": (
        [row("a a", "A"), row("b b", "B"), row("c c", "C"), row("z z", "Z")],
        r"1 of its sources have no reference, the first is on line 4: 'z z'",
    ),
    "a source twice": (
        [row("a a", "A"), row("a a", "other"), row("b b", "B"), row("c c", "C")],
        r"'a a' stands on lines 1 and 2 with different outputs",
    ),
    "no outputs": ([{"source": "a a"}], r"has no `outputs`; it has source"),
    "no text": ([{"source": "a a", "outputs": [{"score": 1}]}], r"line 1: an output is None, not a text"),
    "no list": ([{"source": "a a", "outputs": 7}], r"line 1: outputs are 7, not a list"),
    "an empty source": ([row(" ", "A")], r"line 1: the source is empty"),
    "no rows": ([], r"is empty"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_does_not_fit_is_refused_with_a_reason(tmp_path: Path, what: str) -> None:
    rows, message = REFUSED[what]
    path = system(tmp_path, "one.jsonl", rows)
    with pytest.raises(InputError, match=re.compile(message, re.DOTALL)):
        match_outputs(THREE, [read_system(path)])


def test_aligned_outputs_must_have_as_many_lines(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("a a\nb b\n", encoding="utf-8")
    (tmp_path / "o.txt").write_text("A\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"o\.txt has 1 lines, but .*s\.txt has 2"):
        read_aligned_system(tmp_path / "s.txt", tmp_path / "o.txt")


def test_aligned_outputs_without_any_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s.txt").write_text("a a\nb b\n", encoding="utf-8")
    (tmp_path / "o.txt").write_text("\n\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds no text"):
        read_aligned_system(tmp_path / "s.txt", tmp_path / "o.txt")
