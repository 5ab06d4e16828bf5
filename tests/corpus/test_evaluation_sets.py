"""Files of sources and references, however they are written down: what is read, what is counted, what is refused."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.corpus.evaluation_options import EvaluationSetOptions as Options
from paraloom.corpus.evaluation_sets import read_evaluation_set
from paraloom.errors import InputError

STORM = ("a storm hit us", ("we were hit by a storm", "a gale struck us"))
TRAM = ("the tram is late", ("our tram has not come",))
BOTH = [STORM, TRAM]


def written(folder: Path, files: dict[str, str]) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def read(folder: Path, files: dict[str, str], columns: dict[str, str] | None = None, **options: Any):
    return read_evaluation_set(written(folder, files), Options(**options), columns)


PAIRS = f"{STORM[0]}\t{STORM[1][0]}\n{TRAM[0]}\t{TRAM[1][0]}\n{STORM[0]}\t{STORM[1][1]}\n"
OBJECTS = [{"source": source, "references": list(references)} for source, references in BOTH]
WRITTEN = {
    "pairs without a header": ({"p.tsv": PAIRS}, "pairs"),
    "pairs with a header": ({"p.tsv": f"left\tright\n{PAIRS}"}, "pairs"),
    "pairs under known names": ({"p.tsv": f"sentence1\tsentence2\n{PAIRS}"}, "pairs"),
    "pairs in two files": ({"a.tsv": PAIRS.split("\n")[0], "b.tsv": "\n".join(PAIRS.split("\n")[1:])}, "pairs"),
    "pairs as CSV": ({"p.csv": "source,target\n" + PAIRS.replace("\t", ",")}, "pairs"),
    "labelled pairs": (
        {"p.tsv": "left\tright\tlabel\n" + PAIRS.replace("\n", "\t1\n") + "a storm hit us\tno tram today\t0\n"},
        "pairs",
    ),
    "pairs as JSON lines": (
        {"p.jsonl": "".join(json.dumps({"left": s, "right": r}) + "\n" for s, rs in BOTH for r in rs)},
        "pairs",
    ),
    "sources with lists": ({"m.jsonl": "".join(json.dumps(row) + "\n" for row in OBJECTS)}, "references"),
    "a JSON list": ({"m.json": json.dumps(OBJECTS)}, "references"),
    "a JSON mapping": ({"m.json": json.dumps({STORM[0]: list(STORM[1]), TRAM[0]: TRAM[1][0]})}, "references"),
    "a JSON mapping with scores": (
        {"m.json": json.dumps({STORM[0]: [[text, 1.0] for text in STORM[1]], TRAM[0]: [TRAM[1][0], 0.5]})},
        "references",
    ),
    "ragged columns": ({"m.tsv": "\n".join("\t".join((s, *rs)) for s, rs in BOTH)}, "references"),
    "named columns with holes": (
        {
            "m.tsv": "source\treference1\treference2\n"
            f"{STORM[0]}\t{STORM[1][0]}\t{STORM[1][1]}\n{TRAM[0]}\t\t{TRAM[1][0]}\n"
        },
        "references",
    ),
    "CSV with several references": (
        {"m.csv": f"source,ref1,ref2\n{STORM[0]},{STORM[1][0]},{STORM[1][1]}\n{TRAM[0]},{TRAM[1][0]},\n"},
        "references",
    ),
    "line-aligned files": (
        {
            "s.txt": f"{STORM[0]}\n{TRAM[0]}\n",
            "r1.txt": f"{STORM[1][0]}\n{TRAM[1][0]}\n",
            "r2.txt": f"{STORM[1][1]}\n\n",
        },
        "lines",
    ),
    "line-aligned files of other endings": (
        {"s.src": f"{STORM[0]}\n{TRAM[0]}", "r1.tgt": f"{STORM[1][0]}\n{TRAM[1][0]}", "r2.tgt": f"{STORM[1][1]}\n\n"},
        "lines",
    ),
}


@pytest.mark.parametrize("how", WRITTEN)
def test_the_same_set_is_read_however_it_is_written(tmp_path: Path, how: str) -> None:
    files, shape = WRITTEN[how]
    given_set = read(tmp_path, files)
    assert dict(zip(given_set.evaluation_set.sources, given_set.evaluation_set.references, strict=True)) == dict(BOTH)
    assert given_set.shape == shape


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "p.tsv.gz").write_bytes(gzip.compress(PAIRS.encode()))
    assert read_evaluation_set([tmp_path / "p.tsv.gz"]).counts.sources == 2


def test_what_was_merged_or_left_out_is_counted(tmp_path: Path) -> None:
    text = "left\tright\tlabel\na\tb\t1\na\tb\t1\na\ta\t1\na\tc\t0\nd\t\t1\n"
    found = read(tmp_path, {"p.tsv": text})
    assert found.evaluation_set.references == (("b", "a"),)
    counts = found.counts
    assert (counts.rows, counts.sources, counts.references) == (5, 1, 2)
    assert (counts.repeated, counts.same_as_source, counts.not_paraphrases, counts.empty) == (1, 1, 1, 1)
    assert len(counts.told()) == 4


def test_both_directions_make_every_side_a_source(tmp_path: Path) -> None:
    found = read(tmp_path, {"p.tsv": "a a\tb b\na a\tc c\n"}, both_directions=True).evaluation_set
    assert dict(zip(found.sources, found.references, strict=True)) == {
        "a a": ("b b", "c c"),
        "b b": ("a a",),
        "c c": ("a a",),
    }


def test_a_paraphrase_of_a_paraphrase_is_a_reference_if_asked(tmp_path: Path) -> None:
    found = read(tmp_path, {"p.tsv": "a a\tb b\na a\tc c\nx x\ty y\n"}, transitive=True).evaluation_set
    assert dict(zip(found.sources, found.references, strict=True)) == {
        "a a": ("b b", "c c"),
        "b b": ("a a", "c c"),
        "c c": ("a a", "b b"),
        "x x": ("y y",),
        "y y": ("x x",),
    }


CAPTIONS = {
    "numbered keys": "Caption,Image\n1.jpg#0\tA dog runs .\n1.jpg#1\tA dog is running .\n1.jpg#2\tA dog runs .\n"
    "2.jpg#0\tA cat\n2.jpg#1\tOne cat\n",
    "keys that repeat": "img7\tA dog runs .\nimg7\tA dog is running .\nimg8\tA cat\nimg8\tOne cat\n",
}


@pytest.mark.parametrize("how", CAPTIONS)
def test_captions_of_one_key_are_references_of_each_other(tmp_path: Path, how: str) -> None:
    found = read(tmp_path, {"c.txt": CAPTIONS[how]})
    assert found.shape == "captions"
    assert dict(zip(found.evaluation_set.sources, found.evaluation_set.references, strict=True)) == {
        "A dog runs .": ("A dog is running .",),
        "A dog is running .": ("A dog runs .",),
        "A cat": ("One cat",),
        "One cat": ("A cat",),
    }
    assert any("read as captions" in remark for remark in found.remarks)


def test_words_as_sources_are_not_taken_for_keys(tmp_path: Path) -> None:
    found = read(tmp_path, {"p.tsv": "car\tautomobile\ncar\tauto\n"})
    assert found.shape == "pairs"
    assert found.evaluation_set.sources == ("car",)


def test_few_references_are_left_out_and_many_are_cut(tmp_path: Path) -> None:
    found = read(tmp_path, {"m.tsv": "a\tb\tc\td\ne\tf\n"}, shape="references", min_references=2, max_references=2)
    assert found.evaluation_set.sources == ("a",)
    assert found.evaluation_set.references == (("b", "c"),)
    assert (found.counts.few_references, found.counts.over_maximum) == (1, 1)


def test_more_than_two_columns_without_a_header_are_a_pair_and_this_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, {"m.tsv": "a a\tb b\tc c\nd d\te e\tf f\n"})
    assert found.evaluation_set.references == (("b b",), ("e e",))
    assert "--shape references" in found.remarks[0]


def test_columns_are_taken_where_one_says(tmp_path: Path) -> None:
    found = read(tmp_path, {"p.tsv": "7\ta a\tb b\n8\tc c\td d\n"}, {"left": "2", "right": "3"})
    assert found.evaluation_set.sources == ("a a", "c c")


def test_the_share_of_single_references_is_known(tmp_path: Path) -> None:
    assert read(tmp_path, {"p.tsv": PAIRS}).share_with_one_reference == 0.5


LINES = "".join(
    f"{letter}ing {letter}ers {letter}ed {letter}ly at {letter}ton\n" for letter in "bcdfghjklmnpqrstvwxyzBCD"
)
REFUSED: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "an empty file": ({"p.tsv": ""}, {}, r"p\.tsv is empty|p\.tsv holds one text"),
    "a header alone": ({"p.tsv": "left\tright\n"}, {}, r"of 0 rows none gives a source"),
    "no paraphrase": ({"p.tsv": "left\tright\tlabel\na\tb\t0\n"}, {}, r"of 1 rows none gives.*1 are labelled"),
    "one text a line": ({"p.tsv": "a\nb\n"}, {}, r"one text a line and no references"),
    "files of unequal length": ({"s.txt": "a\nb\n", "r.txt": "c\n"}, {}, r"r\.txt has 1 lines, but .*s\.txt has 2"),
    "an empty reference file": ({"s.txt": "a\nb\n", "r.txt": ""}, {"shape": "lines"}, r"r\.txt is empty"),
    "a source without a reference": (
        {"s.txt": "a\nb\n", "r.txt": "c\n\n"},
        {},
        r"r\.txt, line 2: 'b' has no reference",
    ),
    "an empty source": ({"s.txt": "a\n\n", "r.txt": "c\nd\n"}, {}, r"s\.txt, line 2: the source is empty"),
    "lines shifted by one": (
        {"s.txt": LINES, "r.txt": "a line too many at the head\n" + "\n".join(LINES.split("\n")[:-2])},
        {},
        r"do not belong line to line: line n of the first is most like line n\+1",
    ),
    "a label that is none": ({"p.tsv": "left\tright\tlabel\na\tb\tmaybe\n"}, {}, r"line 2: label is 'maybe'"),
    "references that are no texts": (
        {"m.jsonl": '{"source": "a", "references": [1]}\n'},
        {},
        r"line 1: references must be",
    ),
    "too few references everywhere": ({"p.tsv": PAIRS}, {"min_references": 5}, r"no source is left of 2.*most .*are 2"),
    "a maximum below the minimum": (
        {"p.tsv": PAIRS},
        {"min_references": 3, "max_references": 2},
        r"no source can have both",
    ),
    "captions both ways": ({"c.txt": CAPTIONS["numbered keys"]}, {"both_directions": True}, r"Captions are references"),
    "no file": ({}, {}, r"There is no file"),
    "columns that are not there": ({"p.csv": "x,y\na,b\n"}, {}, r"has no column 'left'.*--columns"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_measured_is_refused_with_a_reason(tmp_path: Path, what: str) -> None:
    files, options, message = REFUSED[what]
    paths = written(tmp_path, files) or [tmp_path / "absent.tsv"]
    with pytest.raises(InputError, match=re.compile(message, re.DOTALL)):
        read_evaluation_set(paths, Options(**options))


text = st.text(st.characters(categories=["Ll"]), min_size=1, max_size=2)


@settings(max_examples=60)
@given(st.lists(st.tuples(text, text), min_size=1, max_size=20), st.booleans())
def test_every_pair_is_found_once_under_its_source(tmp_path_factory, pairs: list[tuple[str, str]], both: bool) -> None:
    # A letter behind each text keeps them from being taken for captions' keys.
    path = tmp_path_factory.mktemp("pairs") / "p.tsv"
    path.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in pairs), encoding="utf-8")
    found = read_evaluation_set([path], Options(both_directions=both)).evaluation_set
    wanted = {*pairs, *((right, left) for left, right in pairs if both)}
    listed = [(s, r) for s, rs in zip(found.sources, found.references, strict=True) for r in rs]
    assert len(listed) == len(set(listed)) == len(wanted)
    assert set(listed) == wanted
    assert len(set(found.sources)) == len(found.sources)


def test_the_key_of_the_first_line_counts_among_repeated_keys(tmp_path: Path) -> None:
    found = read(tmp_path, {"c.tsv": "img1\ta dog runs\nimg1\ta dog is running\n"})
    assert found.shape == "captions"


def test_how_a_file_was_read_is_always_told(tmp_path: Path) -> None:
    pairs = read(tmp_path, {"p.tsv": "a storm\ta gale\na dog\ta hound\n"})
    assert "was read as pairs of a source and a reference" in " ".join(pairs.remarks)
    rows = read(tmp_path, {"r.jsonl": '{"source": "a storm", "references": ["a gale", "a tempest"]}\n'})
    assert "was read as sources with all their references a row" in " ".join(rows.remarks)


def test_one_thing_is_told_in_the_singular(tmp_path: Path) -> None:
    found = read(tmp_path, {"p.tsv": "a storm\ta gale\na storm\ta gale\na dog\ta hound\n"})
    assert found.counts.told() == ["1 reference stands twice under its source and counts once."]
