"""Phrase pairs of a run or a file come back with scores, best first, whatever order they came in."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.engine.store import read_made_by
from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners import read_links
from paraloom.phrases.ppdb import read_ppdb
from paraloom.phrases.rank_rows import SCHEMA
from paraloom.workflows.phrases.extract import extract_phrases, kept_phrases
from paraloom.workflows.phrases.extract_input import AlignedPair
from paraloom.workflows.phrases.rank import RANKED, rank_phrases
from paraloom.workflows.phrases.rank_options import RankOptions

SENTENCES = [
    ("the storm hit the coast on monday", "the storm struck the coast on monday", "0-0 1-1 2-2 3-3 4-4 5-5 6-6"),
    ("a storm hit the town", "a storm struck the town", "0-0 1-1 2-2 3-3 4-4"),
    ("the storm hit the town", "the violent storm banana the village", "0-0 1-2 2-3 3-4 4-5"),
    ("mr trump said so", "donald trump says so", "0-0 1-1 2-2 3-3"),
]
LINES = [
    ("purchase a car", "buy a car"),
    ("purchase a car", "yellow submarine"),
    ("Right away", "immediately"),
    ("did not hit", "hit"),
    ("the shore", "the coast"),
]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ranked") / "run"
    pairs = [
        AlignedPair(left.split(), right.split(), read_links(links), f"p{number}", f"g{number}")
        for number, (left, right, links) in enumerate(SENTENCES)
    ]
    extract_phrases(pairs, folder)
    return folder


def written(path: Path, lines: list[tuple[str, str]] = LINES) -> Path:
    path.write_text("left\tright\n" + "".join(f"{left}\t{right}\n" for left, right in lines), encoding="utf-8")
    return path


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_a_run_has_its_kept_phrases_ranked_with_all_single_scores(run: Path) -> None:
    result = rank_phrases(run)
    table = pq.read_table(run / RANKED)
    assert table.schema.remove_metadata() == SCHEMA
    rows = table.to_pylist()
    kept = {(row.left, row.right): row for row in kept_phrases(run)}
    assert {(row["left"], row["right"]) for row in rows} == set(kept)
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    for row in rows:
        phrase = kept[row["left"], row["right"]]
        assert row["translation"] == pytest.approx((phrase.forward * phrase.backward) ** 0.5, abs=1e-6)
        assert row["lexical"] == pytest.approx((phrase.lexical_forward * phrase.lexical_backward) ** 0.5, abs=1e-6)
        assert row["score"] == pytest.approx((row["rating"] - 1) / 4, abs=1e-6)
        assert (row["count"], row["contexts"]) == (phrase.count, phrase.contexts)
    place = {(row["left"], row["right"]): number for number, row in enumerate(rows)}
    assert place["hit", "struck"] < place["hit", "banana"]
    assert place["struck", "hit"] - place["hit", "struck"] in (-1, 1)  # a rating has no direction
    assert set(result.signatures) == {"rating", "translation", "lexical", "cosine", "language_model"}
    assert read_made_by(run, "phrases")["signature"][:8] in result.signature


def test_what_is_there_made_the_same_way_is_left_and_what_was_made_another_way_is_refused(run: Path) -> None:
    first = rank_phrases(run, options=RankOptions(overwrite=True))
    before = (run / RANKED).stat().st_mtime_ns
    again = rank_phrases(run)
    assert (again.is_new, again.rows, again.best, again.signature) == (False, first.rows, first.best, first.signature)
    assert (run / RANKED).stat().st_mtime_ns == before
    with pytest.raises(TargetTaken, match="--overwrite"):
        rank_phrases(run, options=RankOptions(rank_by="translation"))
    assert (run / RANKED).stat().st_mtime_ns == before


WAYS = [
    ("translation", "translation"),
    ("lexical", "lexical"),
    ("cosine", "cosine"),
    ("language-model", "language_model"),
]


@pytest.mark.parametrize(("by", "column"), WAYS)
def test_rows_can_be_ranked_by_one_score_alone(run: Path, tmp_path: Path, by: Any, column: str) -> None:
    rank_phrases(run, tmp_path / "out.jsonl", RankOptions(rank_by=by))
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row[column] for row in rows] == sorted((row[column] for row in rows), reverse=True)
    assert all(0 <= row["score"] <= 1 for row in rows)


def test_the_order_of_a_files_rows_does_not_show(tmp_path: Path) -> None:
    one = rank_phrases(written(tmp_path / "one.tsv"), tmp_path / "one.out.tsv")
    other = rank_phrases(written(tmp_path / "other.tsv", LINES[::-1]), tmp_path / "other.out.tsv")
    assert (tmp_path / "one.out.tsv").read_bytes() == (tmp_path / "other.out.tsv").read_bytes()
    assert one.best == other.best
    assert one.best[0][:2] == ("purchase a car", "buy a car")
    assert one.missing == {"rating": 0, "translation": 5, "lexical": 5, "cosine": 0, "language_model": 5}
    assert "--sentences-from" in one.as_text()


def test_a_pair_gets_the_same_score_whatever_else_is_ranked(tmp_path: Path) -> None:
    rank_phrases(written(tmp_path / "all.tsv"), tmp_path / "all.jsonl")
    rank_phrases(written(tmp_path / "one.tsv", LINES[:1]), tmp_path / "one.jsonl")
    (alone,) = rows_of(tmp_path / "one.jsonl")
    assert alone in rows_of(tmp_path / "all.jsonl")


def test_sentences_of_a_file_say_what_reads_well(tmp_path: Path) -> None:
    sentences = tmp_path / "sentences.txt"
    sentences.write_text("we buy a car\nthey buy a house\n", encoding="utf-8")
    given = pa.table(
        {
            "left": ["purchase", "purchase"],
            "right": ["buy", "acquire"],
            "contexts": [["we\ta car\tp1"], ["we\ta car\tp1"]],
        }
    )
    pq.write_table(given, tmp_path / "given.parquet")
    options = RankOptions(rank_by="language-model", sentences_from=sentences)
    rank_phrases(tmp_path / "given.parquet", tmp_path / "out.jsonl", options)
    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["right"] for row in rows] == ["buy", "acquire"]
    assert rows[0]["language_model"] > 0 == rows[1]["language_model"]  # both unheard of: neither better nor worse


def test_ranked_phrases_can_be_ranked_again_from_every_form_that_is_written(run: Path, tmp_path: Path) -> None:
    expected = rank_phrases(run, tmp_path / "first.parquet").best
    for name in ("a.tsv", "a.csv", "a.jsonl", "a.parquet", "a.ppdb", "a.gz"):
        rank_phrases(run, tmp_path / name)
        again = rank_phrases(tmp_path / name, tmp_path / f"again.{name}", RankOptions(language_model="none"))
        assert [best[:2] for best in again.best] == [best[:2] for best in expected], name
    with gzip.open(tmp_path / "a.gz", "rt", encoding="utf-8") as packed:
        assert packed.read() == (tmp_path / "a.ppdb").read_text(encoding="utf-8")
    scores = [row.score for row in read_ppdb(tmp_path / "a.ppdb")]
    assert scores == sorted(scores, reverse=True)


def test_rows_that_are_no_pair_are_left_out_and_counted(tmp_path: Path) -> None:
    lines = [*LINES, ("Right away", "immediately"), ("", "hit"), ("Same", "same")]
    result = rank_phrases(written(tmp_path / "given.tsv", lines), tmp_path / "out.tsv")
    assert (result.rows, result.left_out) == (5, {"identical": 1, "no_words": 1, "repeated": 1})


def refused(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


REFUSED = [
    ("empty.tsv", "left\tright\n", "out.tsv", {}, "no phrase pair"),
    ("same.tsv", "left\tright\nhit\thit\n", "out.tsv", {}, "no phrase pair"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.xlsx", {}, "End its name in one of"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "good.tsv", {"overwrite": True}, "is the file of phrases itself"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.gz", {}, "PPDB's form needs count"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.tsv", {"rank_by": "translation"}, "Rank by something else"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.tsv", {"rank_by": "language-model"}, "--sentences-from"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.tsv", {"rank_by": "luck"}, "cannot be ranked by 'luck'"),
    ("good.tsv", "left\tright\nhit\tstruck\n", "out.tsv", {"language_model": "gpt"}, "no language model 'gpt'"),
    ("bad.tsv", "left\tright\tforward\nhit\tstruck\t1.5\n", "out.tsv", {}, "is no probability"),
    ("bad.ppdb", "hit struck\n", "out.tsv", {}, "line 1"),
]


@pytest.mark.parametrize(("name", "text", "out", "options", "told"), REFUSED)
def test_what_cannot_be_ranked_is_an_error_that_says_why_and_nothing_is_written(
    tmp_path: Path, name: str, text: str, out: str, options: dict[str, Any], told: str
) -> None:
    source = refused(tmp_path, name, text)
    with pytest.raises(InputError, match=told):
        rank_phrases(source, tmp_path / out, RankOptions(**options))
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert source.read_text(encoding="utf-8") == text


def test_a_folder_without_phrases_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="has no table 'phrases'"):
        rank_phrases(tmp_path)
