"""Tables of four kinds become the same substitutes; what is no use in them is left out."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from paraloom.errors import InputError
from paraloom.models.generators.lexical.phrase_table import PhraseTable, PhraseTableOptions, cut_to_core

ROWS = [("the final day", "the last day", 0.5), ("big", "large", 0.2), ("big", "vast", 0.16), ("odd", "rum", 0.01)]
CORES = [
    ("that principle was good", "that rule was good", ("principle", "rule")),
    ("final", "final", None),
    ("a final", "the last", None),
    ("nine days", "ten days", None),
    ("storm", "storms", None),
    ("killed", "killing", None),
    ("is not safe", "is dangerous", None),
    ("café", "coffee", None),
    ("one two three four five", "six", None),
]


def _tsv(folder: Path) -> Path:
    file = folder / "phrases.tsv"
    file.write_text("score\tleft\tright\n" + "".join(f"{score}\t{left}\t{right}\n" for left, right, score in ROWS))
    return file


def _bare_tsv(folder: Path) -> Path:
    file = folder / "bare.tsv"
    file.write_text("".join(f"{left}\t{right}\t{score}\n" for left, right, score in ROWS))
    return file


def _parquet(folder: Path) -> Path:
    (folder / "phrases").mkdir()
    columns = dict(zip(("left", "right", "score"), map(list, zip(*ROWS, strict=True)), strict=True))
    parquet.write_table(pa.table(columns), folder / "phrases" / "part-00.parquet")
    return folder / "phrases"


def _ppdb(folder: Path) -> Path:
    file = folder / "ppdb.gz"
    with gzip.open(file, "wt") as written:
        for left, right, score in ROWS:
            written.write(f"[JJ] ||| {left} ||| {right} ||| PPDB2.0Score={5 * score} ||| 0-0 ||| Equivalence\n")
        written.write("[JJ] ||| big ||| small ||| PPDB2.0Score=5 ||| 0-0 ||| Exclusion\n")
    return file


def _meteor(folder: Path) -> Path:
    file = folder / "paraphrase-en.gz"
    with gzip.open(file, "wt") as written:
        for left, right, score in ROWS:
            written.write(f"{score}\n{left}\n{right}\n{score}\n{right}\n{left}\n")
        written.write("0.9\nbig\nblue\n")  # in one direction only
    return file


@pytest.mark.parametrize("write", [_tsv, _bare_tsv, _parquet, _ppdb, _meteor])
def test_every_kind_of_table_gives_the_same(tmp_path: Path, write: object) -> None:
    table = PhraseTable.read(write(tmp_path))  # type: ignore[operator]
    expected = PhraseTable.of_rows(ROWS)
    for phrase in ("final", "big", "odd", "the final day"):
        assert [one.text for one in table.of(phrase)] == [one.text for one in expected.of(phrase)]
    assert [one.text for one in table.of("big")] == ["large", "vast"]
    assert not table.of("odd")
    assert table.signature.startswith("phrases:")


def test_the_best_are_kept_and_sure_ones_count_most() -> None:
    table = PhraseTable.of_rows(ROWS, PhraseTableOptions(most=1, sure=0.4, trust=0.6))
    assert [(one.text, round(one.score, 3)) for one in table.of("final")] == [("last", 0.6)]
    assert [one.text for one in table.of("big")] == ["large"]


@pytest.mark.parametrize(("left", "right", "core"), CORES)
def test_only_words_of_content_that_differ_are_taken(left: str, right: str, core: tuple[str, str] | None) -> None:
    assert cut_to_core(left, right, 4) == core


def test_a_table_that_cannot_be_read_is_an_error_that_says_where(tmp_path: Path) -> None:
    file = tmp_path / "phrases.tsv"
    for written, told in [
        ("big\tlarge\tmuch\n", "line 1"),
        ("left\tright\n", "no column score"),
        ("big is large\nsmall\ntiny\n", "no phrase table of a known kind"),
        ("[X] ||| big ||| large ||| PPDB2.0Score=5\n[X] ||| big\n", "line 2: wanted a kind, two phrases"),
        ("[X] ||| big ||| large ||| AGigaSim=much\n", "line 1: wanted a kind, two phrases"),
        ("0.5\nbig\nlarge\n0.5\nlarge\n", "ends within a pair"),
    ]:
        file.write_text(written)
        with pytest.raises(InputError, match=told):
            PhraseTable.read(file)
    with pytest.raises(InputError, match="Check the path"):
        PhraseTable.read(tmp_path / "none.tsv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no Parquet"):
        PhraseTable.read(tmp_path / "empty")


@pytest.mark.parametrize(("name", "written"), [("a.tsv", b"\xff\xfe\tb\t1\n"), ("b.gz", b"no gzip")])
def test_bytes_that_are_no_text_are_told(tmp_path: Path, name: str, written: bytes) -> None:
    (tmp_path / name).write_bytes(written)
    with pytest.raises(InputError, match=rf"{name} cannot be read.*UTF-8"):
        PhraseTable.read(tmp_path / name)
