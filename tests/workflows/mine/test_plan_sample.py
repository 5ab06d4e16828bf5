"""How many sentences files hold is estimated from the beginnings of some of them, whatever else their rows hold."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine import plan_sample
from paraloom.workflows.mine.input_files import given_files
from paraloom.workflows.mine.plan_sample import bytes_of, sample_sentences
from tests.workflows.mine.conftest import TOLD

TEXTS = [f"{text} It was the {number}th time." for number in range(15) for text in TOLD]
"""Twelve thousand."""


def in_lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def in_objects(texts: list[str]) -> bytes:
    rows = ({"body": text, "raw": f"{number:08}" * 40} for number, text in enumerate(texts))
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def in_parquet(texts: list[str]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"body": texts, "n": list(range(len(texts)))}), sink, row_group_size=2000)
    return sink.getvalue().to_pybytes()


WRITTEN: list[tuple[str, Callable[[list[str]], bytes]]] = [
    ("a.txt", in_lines),
    ("a.txt.gz", lambda texts: gzip.compress(in_lines(texts))),
    ("a.jsonl", in_objects),
    ("a.jsonl.bz2", lambda texts: bz2.compress(in_objects(texts))),
    ("a.parquet", in_parquet),
]


@pytest.mark.parametrize(("name", "write"), WRITTEN)
def test_a_file_is_known_to_hold_about_as_many_sentences_as_it_does(
    name: str, write: Callable[[list[str]], bytes], tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(write(TEXTS))
    lines = LineOptions(columns=("text=body",)) if "json" in name or "parquet" in name else LineOptions()
    given = given_files([tmp_path / name], lines)
    sample = sample_sentences(given, 2000, lines)
    assert sample.texts == TEXTS[:2000]
    assert bytes_of(given) == (tmp_path / name).stat().st_size
    assert bytes_of(given) / sample.bytes_each == pytest.approx(len(TEXTS), rel=0.2)


def test_files_of_different_kinds_are_each_counted_by_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(in_objects(TEXTS[:2000]).replace(b'"body"', b'"text"'))
    (tmp_path / "b.txt").write_bytes(in_lines(TEXTS[2000:]))
    given = given_files([tmp_path])
    sample = sample_sentences(given, 3000)
    assert len(sample.texts) == 3000
    assert bytes_of(given) / sample.bytes_each == pytest.approx(len(TEXTS), rel=0.1)


def test_of_many_files_some_are_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        (tmp_path / f"{number}.txt").write_bytes(in_lines(TEXTS[number::12]))
    looked, texts_of = [], plan_sample._texts_of
    monkeypatch.setattr(plan_sample, "_texts_of", lambda *asked: looked.append(asked) or texts_of(*asked))
    given = given_files([tmp_path])
    sample = sample_sentences(given, 2500)
    assert len(looked) == 3
    assert len(set(sample.texts)) == 2500
    assert bytes_of(given) / sample.bytes_each == pytest.approx(len(TEXTS), rel=0.05)


def test_texts_that_are_left_out_or_met_before_are_no_sentences(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(in_lines([*TEXTS[:100], "", "42", *TEXTS[:100], *TEXTS[:50]] * 4))
    given = given_files([tmp_path / "a.txt"])
    assert bytes_of(given) / sample_sentences(given, 1000).bytes_each == pytest.approx(100)


def test_too_few_sentences_are_an_error_and_none_given_are_the_bundled_ones(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("A storm\n")
    with pytest.raises(InputError, match="has 1 sentences that can be mined: too few"):
        sample_sentences(given_files([tmp_path / "a.txt"]), 100)
    sample = sample_sentences(None, 3000)
    assert len(set(sample.texts)) == 3000
    assert 20 < sample.bytes_each < 300
