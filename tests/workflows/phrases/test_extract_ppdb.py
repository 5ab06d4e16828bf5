"""What is written in PPDB's form is read back, by us and by the generator that swaps phrases."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.generators.lexical.phrase_table import PhraseTable, PhraseTableOptions
from paraloom.phrases.options import PhraseOptions
from paraloom.phrases.ppdb import read_ppdb
from paraloom.workflows.phrases.extract import extract_phrases, kept_phrases, write_ppdb
from tests.phrases.aligned_texts import aligned, said


@pytest.fixture
def run(tmp_path: Path) -> Path:
    given = [
        said(
            "the storm hit the old town",
            "the gale struck the old village",
            tuple((i, i) for i in range(6)),
        ),
        said("a storm hit it", "a gale struck it", tuple((i, i) for i in range(4))),
        said("a ||| b", "c d", ((0, 0), (1, 0), (2, 0))),
        said("storm", "tempest", ((0, 0),)),
    ]
    extract_phrases(aligned(given), tmp_path / "run")
    return tmp_path / "run"


@pytest.mark.parametrize("name", ["phrases.ppdb", "phrases.gz"])
def test_what_is_written_as_ppdb_is_read_back(name: str, run: Path) -> None:
    file = run.parent / name
    lines = write_ppdb(run, file)
    written = [row for row in kept_phrases(run) if "|||" not in f"{row.left} {row.right}"]
    back = list(read_ppdb(file))
    assert lines == len(back) == len(written) > 10
    for row, again in zip(written, back, strict=True):
        for column in ("left", "right", "links", "score", "count", "left_count", "right_count", "pair_count"):
            assert getattr(again, column) == getattr(row, column)
        for column in ("forward", "backward", "lexical_forward", "lexical_backward"):
            assert getattr(again, column) == pytest.approx(getattr(row, column), rel=1e-4)
    first = file.read_bytes()
    write_ppdb(run, file)
    assert file.read_bytes() == first
    assert [each.name for each in run.parent.iterdir() if each.name.startswith(".")] == []


def test_a_file_that_is_no_ppdb_is_an_error_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "a.ppdb"
    file.write_text("[X] ||| hit ||| struck\n")
    with pytest.raises(InputError, match="line 1: wanted a line as `write_ppdb` writes it"):
        list(read_ppdb(file))


def test_a_generator_that_swaps_phrases_reads_both_forms_alike(run: Path) -> None:
    file = run.parent / "phrases.ppdb"
    write_ppdb(run, file)
    options = PhraseTableOptions(min_score=0.0)
    from_table, from_ppdb = (PhraseTable.read(source, options) for source in (run / "phrases", file))
    assert {one.text for one in from_table.of("storm")} == {"gale", "tempest"}
    for phrase in ("storm", "gale", "town", "village", "storm hit"):
        assert from_table.of(phrase) == from_ppdb.of(phrase)


def test_a_generator_does_not_read_what_was_left_out(tmp_path: Path) -> None:
    given = [said("old 5 storm", "big 7 gale", ((0, 0), (1, 1), (2, 2)))]
    extract_phrases(aligned(given), tmp_path, PhraseOptions(min_pairs=2))
    assert not list(PhraseTable.read(tmp_path / "phrases", PhraseTableOptions(min_score=0.0)).of("storm"))
