"""What is given to mine: each file read as what it is, every wrong column refused, what is passed over told."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.engine import foreign, store
from paraloom.errors import InputError
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.sentences.line_options import LineOptions
from paraloom.sentences.lines import LineReader
from paraloom.workflows.mine.input_files import Given, given_files
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions
from paraloom.workflows.mine.whole_paths import with_whole_paths
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options


def written(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def rows_of(given: Given, lines: LineOptions = LineOptions()) -> list[dict[str, Any]]:
    read = LineReader(lines)
    return [row for chunk in given.chunks for table in foreign.records(chunk) for row in read(table).to_pylist()]


def texts_of(path: Path, *columns: str, format: Any = "auto") -> list[str]:
    lines = LineOptions(columns=columns, format=format)
    return sorted(row["text"] for row in rows_of(given_files([path], lines), lines) if row["dropped_for"] is None)


COMMAS = b"However, the storm hit.\nIn March, it rained.\n"
TABS = b"However the storm\thit\nIn March\tit rained\n"
READ_AS: list[tuple[str, bytes, tuple[str, ...], str, list[str]]] = [
    ("news.en", COMMAS, (), "auto", ["However, the storm hit.", "In March, it rained."]),
    ("news", TABS, (), "auto", ["However the storm hit", "In March it rained"]),
    ("news", TABS, (), "tsv", ["However the storm", "In March", "hit", "it rained"]),
    ("news", TABS, ("text=2",), "auto", ["hit", "it rained"]),
    ("news", b"Who's there?\thit\nIn March\tit rained\n", ("text=2",), "auto", ["hit", "it rained"]),
    ("news", b"id\theadline\n1\tA storm\n", ("text=headline",), "auto", ["A storm"]),
    ("news", b"id\ttext\n1\tA storm\n", (), "auto", ["A storm"]),
    ("news", b"id;text\n1;A storm\n", (), "csv", ["A storm"]),
    ("news", b"[sic] is what one writes\nand {so on}\n", (), "auto", ["[sic] is what one writes", "and {so on}"]),
    ("news", b'[{"text": "A storm"}]', (), "auto", ["A storm"]),
    ("news.csv", b"text,id\nA storm,1\n", (), "text", ["A storm,1", "text,id"]),
    ("said.srt", b"A storm\nRain\n", (), "text", ["A storm", "Rain"]),
    ("said.txt", b'{"text": "A storm"}\n', (), "text", ['{"text": "A storm"}']),
    ("said.log", b'{"text": "A storm"}\n', (), "jsonl", ["A storm"]),
    ("said.txt.bz2", bz2.compress(b"A storm\nRain\n"), (), "auto", ["A storm", "Rain"]),
    ("said.jsonl.xz", lzma.compress(b'{"text": "A storm"}\n'), (), "auto", ["A storm"]),
]


@pytest.mark.parametrize(("name", "content", "columns", "format", "texts"), READ_AS)
def test_a_file_is_a_table_by_its_ending_or_by_columns_that_are_known_or_as_it_is_said(
    tmp_path: Path, name: str, content: bytes, columns: tuple[str, ...], format: str, texts: list[str]
) -> None:
    written(tmp_path, {name: content})
    assert texts_of(tmp_path / name, *columns, format=format) == texts


def parquet(**columns: list[Any]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


BODIES = [
    ("a.jsonl", b'{"n": 1}\n{"id": 7, "body": "A storm", "title": "Storm"}\n'),
    ("a.json", b'[{"id": 7, "body": "A storm", "title": "Storm"}]'),
    ("a.tsv", b"id\tbody\ttitle\n7\tA storm\tStorm\n"),
    ("a.csv", b"id,body,title\n7,A storm,Storm\n"),
    ("a.parquet", parquet(id=[7], body=["A storm"], title=["Storm"])),
]
WRONG = [("text=boddy", "boddy"), ("left=body right=typo", "typo"), ("text=body id=nr", "nr"), ("text=9", "9")]


@pytest.mark.parametrize(("name", "content"), BODIES)
@pytest.mark.parametrize(("columns", "missing"), WRONG)
def test_a_column_that_is_asked_for_and_not_there_is_refused_with_those_that_are(
    tmp_path: Path, name: str, content: bytes, columns: str, missing: str
) -> None:
    written(tmp_path, {name: content})
    with pytest.raises(InputError, match=rf'has no column \'{missing}\' .* it has .*"body"'):
        given_files([tmp_path / name], LineOptions(columns=tuple(columns.split())))


@pytest.mark.parametrize(("name", "content"), BODIES)
def test_the_id_of_a_row_is_kept_with_its_texts(tmp_path: Path, name: str, content: bytes) -> None:
    written(tmp_path, {name: content})
    lines = LineOptions(columns=("left=body", "right=title", "id=id"))
    rows = [row for row in rows_of(given_files([tmp_path / name], lines), lines) if row["dropped_for"] is None]
    assert sorted((row["text"], row["native_id"]) for row in rows) == [("A storm", "7"), ("Storm", "7")]


def test_a_table_without_a_header_has_ids_by_number(tmp_path: Path) -> None:
    written(tmp_path, {"a.tsv": b"7\tA storm\n8\tRain\n\tWind\n"})
    lines = LineOptions(columns=("id=1",))
    rows = rows_of(given_files([tmp_path / "a.tsv"], lines), lines)
    assert sorted((row["text"], row["native_id"]) for row in rows) == [("A storm", "7"), ("Rain", "8"), ("Wind", None)]


def test_columns_are_for_tables(tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"A storm\n", "b.jsonl": b'{"body": "Rain"}\n'})
    asked = LineOptions(columns=("text=body",))
    with pytest.raises(InputError, match=r"none of the files is a table.* --format tsv"):
        given_files([tmp_path / "a.txt"], asked)
    assert len(given_files([tmp_path], asked).chunks) == 2
    written(tmp_path, {"empty.jsonl": b"", "cut.parquet": b"PAR1"})
    assert len(given_files([tmp_path / "empty.jsonl", tmp_path / "cut.parquet"], asked).chunks) == 1
    with pytest.raises(InputError, match="Say each once"):
        given_files([tmp_path], LineOptions(columns=("text=body", "text=title")))


def test_a_json_file_without_a_known_column_is_refused_and_one_without_objects_is_rows_that_say_so(
    tmp_path: Path,
) -> None:
    written(tmp_path, {"a.jsonl": b'{"body": "A storm"}\n', "b.jsonl": b"A storm\n[1]\n"})
    with pytest.raises(InputError, match="not known which column of"):
        given_files([tmp_path / "a.jsonl"])
    assert {row["dropped_for"] for row in rows_of(given_files([tmp_path / "b.jsonl"]))} == {"bad_row: not JSON"}


@pytest.mark.parametrize(("header", "columns"), [(b"id\ttext\n", ()), (b"", ("text=2",))])
def test_a_large_table_is_read_in_parts_with_and_without_a_header(
    header: bytes, columns: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"a.tsv": header + b"".join(b"%d\tIt rained %d times\n" % (n, n) for n in range(300))})
    cut = foreign.plan
    monkeypatch.setattr(foreign, "plan", lambda paths, **how: cut(paths, 1000, **how))
    lines = LineOptions(columns=columns)
    given = given_files([tmp_path / "a.tsv"], lines)
    assert len(given.chunks) > 5
    assert len(given.told) == (not header)
    assert sorted(row["text"] for row in rows_of(given, lines)) == sorted(f"It rained {n} times" for n in range(300))


def test_how_files_are_read_that_could_be_read_in_another_way_is_told(tmp_path: Path) -> None:
    written(
        tmp_path, {"a.tsv": b"url\ttitle\nu\tA storm\n", "b.tsv": b"x\ty\n", "c": TABS, "d.tsv": b"text\tn\nA\t1\n"}
    )
    bare, tabs = given_files([tmp_path / name for name in ["a.tsv", "b.tsv", "c", "d.tsv"]]).told
    assert bare.startswith(
        'a.tsv is one of 2 TSV files without a header that is known (it begins with ["url","title"])'
    )
    assert "column 1 and 2" in bare
    assert tabs == "c is a file with tabs, read as text. If it is a table: --format tsv."
    written(tmp_path, {"e.csv": b"1,A storm\n2,Rain\n"})
    (headed,) = given_files([tmp_path / "e.csv"], LineOptions(columns=("text=2",))).told
    assert headed == "e.csv is a CSV file whose first line is taken for a header, and for no sentence."


def test_an_unreadable_file_says_why_and_not_where_it_lies(tmp_path: Path) -> None:
    written(tmp_path, {"a.txt": b"A storm\n", "cut.parquet": parquet(text=["A storm"] * 1000)[:-30]})
    rows = rows_of(given_files([tmp_path]))
    (reason,) = {row["dropped_for"] for row in rows if row["document_id"] == "cut.parquet"}
    assert reason.startswith("broken: unreadable file (Parquet magic bytes not found")
    assert str(tmp_path) not in json.dumps(rows)


NAMED = [
    (["."], ["2023/part-0.txt", "2024/part-0.txt", "a.txt"]),
    (["2023", "2024"], ["2023/part-0.txt", "2024/part-0.txt"]),
    (["2023/part-0.txt", "2024/part-0.txt", "a.txt"], ["2023/part-0.txt", "2024/part-0.txt", "a.txt"]),
    (["*/part-*"], ["2023/part-0.txt", "2024/part-0.txt"]),
    (["2023/part-0.txt"], ["part-0.txt"]),
    (["2023"], ["part-0.txt"]),
]


@pytest.mark.parametrize(("named", "told"), NAMED)
def test_a_file_is_told_by_the_folders_below_what_was_named_and_by_more_where_two_have_one_name(
    named: list[str], told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"2023/part-0.txt": b"A storm\n", "2024/part-0.txt": b"Rain\n", "a.txt": b"Wind\n"})
    monkeypatch.chdir(tmp_path)
    for order in (named, named[::-1]):
        given = given_files(order)
        assert sorted(row["document_id"] for row in rows_of(given)) == told
        assert list(given.files) == [f"input/{number}/{name}" for number, name in enumerate(told)]
        assert all(Path(chunk.path).is_absolute() for chunk in given.chunks)


def test_a_run_lies_in_the_folder_that_is_mined_and_is_not_mined_itself(tmp_path: Path, embedder: str) -> None:
    written(tmp_path, {"said/a.txt": "\n".join(TOLD[:60]).encode(), "said/notes.md": b"no"})
    data = tmp_path / "said"
    options = small_options(embedder, judge=JudgeOptions(identify=False), pairs=MinedPairOptions(min_similarity=0.4))
    told: list[str] = []
    first = mine([data], data / "run", options, tell=told.append)
    assert told[0].startswith("Passed over: 1 file (1 .md)")
    made_by = store.read_made_by(first.run, "sentences")
    again = mine([data], data / "run", options)
    assert store.read_made_by(again.run, "sentences") == made_by
    own = [data / "pairs.jsonl.run", data / "pairs.jsonl"]
    written(data, {"pairs.jsonl": b'{"left": "a", "right": "b"}\n', "pairs.jsonl.run/pairs.made_by.json": b"{}"})
    beside = given_files([data], leave_out=own)
    assert list(beside.files) == ["input/0/a.txt"]
    assert any(f"1 run folder ({data / 'run'})" in line for line in beside.told)
    assert list(given_files([data / "a.txt", data / "pairs.jsonl"], leave_out=own).files) == ["input/0/a.txt"]


def test_the_run_folder_is_no_input_of_its_own_run(tmp_path: Path, embedder: str) -> None:
    written(tmp_path, {"said/a.txt": b"A storm\n", "run/documents.made_by.json": b"{}"})
    for out in (tmp_path / "said", tmp_path):
        with pytest.raises(InputError, match="the run folder that --out means"):
            mine([tmp_path / "said"], out, small_options(embedder))
    with pytest.raises(InputError, match="All that was given is what the run itself writes"):
        mine([tmp_path / "said" / "a.txt"], tmp_path / "said", small_options(embedder))
    with pytest.raises(InputError, match="a run folder without sentences"):
        given_files([tmp_path / "run"])


NOTHING = [b"", b"\n\n", b"12:30\n!!\n"]


@pytest.mark.parametrize("content", NOTHING)
def test_a_run_without_any_sentence_is_told_as_broken(content: bytes, tmp_path: Path, embedder: str) -> None:
    written(tmp_path, {"a.txt": content})
    options = small_options(embedder, judge=JudgeOptions(identify=False))
    mined = mine([tmp_path / "a.txt"], tmp_path / "run", options)
    assert mined.is_broken
    assert any("left out. Is the text in another column" in line or "files are empty" in line for line in mined.told)


def test_folders_of_models_are_known_by_their_whole_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("my-embedder", "my-identifier", "fast", "cascade"):
        (tmp_path / name).mkdir()
    options = small_options("./my-embedder", judge=JudgeOptions(identifier="my-identifier"))
    whole = with_whole_paths(options)
    assert (whole.embed.embedder, whole.judge.identifier) == (
        *(str(tmp_path / name) for name in ("my-embedder", "my-identifier")),
    )
    known = replace(options, embed=replace(options.embed, embedder="fast"), judge=JudgeOptions(identifier="cascade"))
    assert with_whole_paths(known) == known


def cut(content: bytes) -> bytes:
    """Packed, and ended before its first line does."""
    return gzip.compress(content * 1000, mtime=0)[:12]


BROKEN_FILES = [
    ("said.csv.gz", cut(b"id,text\n1,A storm\n"), (), "broken: unreadable file (truncated file)"),
    ("said.tsv.gz", cut(b"id\ttext\n1\tA storm\n"), ("text=text",), "broken: unreadable file (truncated file)"),
    ("said.txt.gz", b"", (), "broken: unreadable file (empty file)"),
    ("said.jsonl.zst", b"", (), "broken: unreadable file (empty file)"),
]


@pytest.mark.parametrize(("name", "content", "columns", "reason"), BROKEN_FILES)
def test_a_packed_file_that_tells_nothing_is_broken_and_stops_nothing(
    tmp_path: Path, name: str, content: bytes, columns: tuple[str, ...], reason: str
) -> None:
    written(tmp_path, {name: content, "whole.csv": b"id,text\n1,A storm\n"})
    lines = LineOptions(columns=columns)
    rows = rows_of(given_files([tmp_path / name, tmp_path / "whole.csv"], lines), lines)
    assert [(row["text"], row["dropped_for"]) for row in rows] == [("", reason), ("A storm", None)]


def test_a_plain_file_of_nothing_is_told(tmp_path: Path) -> None:
    written(tmp_path, {"none.txt": b"", "said.txt": b"A storm\n"})
    given = given_files([tmp_path / "none.txt", tmp_path / "said.txt"])
    assert [row["text"] for row in rows_of(given)] == ["A storm"]
    assert given.told == ("none.txt is a file with nothing in it.",)


def test_columns_of_json_go_by_name_since_rows_have_them_in_any_order(tmp_path: Path) -> None:
    written(tmp_path, {"said.jsonl": b'{"id": 1, "t": "A storm"}\n{"t": "A gale", "id": 2}\n'})
    assert texts_of(tmp_path / "said.jsonl", "text=t") == ["A gale", "A storm"]
    with pytest.raises(InputError, match=r"no column '2'.*Name one of these\."):
        texts_of(tmp_path / "said.jsonl", "text=2")


def test_a_long_field_is_a_text_that_is_too_long(tmp_path: Path) -> None:
    written(tmp_path, {"said.csv": b"text,id\n" + b"storm " * 50_000 + b",1\nA storm,2\n"})
    rows = rows_of(given_files([tmp_path / "said.csv"]))
    assert [row["dropped_for"] for row in rows] == ["too_long", None]


def test_nothing_is_not_mined() -> None:
    with pytest.raises(InputError, match="There is nothing to mine"):
        given_files([])
