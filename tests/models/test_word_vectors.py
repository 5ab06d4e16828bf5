"""Word vectors come by name, from a folder or from a text file, and a damaged one is said to be so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.carried_vectors import convert_table, convert_wink
from paraloom.models.word_vectors import SMALL, WordVectors, load_word_vectors, read_glove_text

WORDS = ["the", "storm", "do", "n't", "'s", "50", "%", "15-year-old", "new", "york", "…", "naïve", "\u2028"]


def some(words: list[str] = WORDS, width: int = 4, seed: int = 1) -> WordVectors:
    return WordVectors.of(words, np.random.default_rng(seed).normal(size=(len(words), width)), "some")


CUT = [
    ("The STORM", ["the", "storm"]),
    ("don’t", ["do", "n't"]),
    ("storm's", ["storm", "'s"]),
    ("50%", ["50", "%"]),
    ("#storm @storm", ["storm", "@storm"]),
    ("15-year-old New-York", ["15-year-old", "new", "-", "york"]),
    ("#NewYork", ["#newyork"]),
    ("https://the.org/storm me@storm.org", ["https://the.org/storm", "me@storm.org"]),
    ("unheard-of", ["unheard-of"]),
    ("naïve storm…", ["naïve", "storm", "…"]),
    ("storm \ud83d", ["storm", "\ud83d"]),
    ("", []),
    (" \n", []),
]


@pytest.mark.parametrize(("text", "words"), CUT)
def test_a_text_is_cut_into_words_that_have_vectors_where_it_can_be(text: str, words: list[str]) -> None:
    assert some().words(text) == words


def test_unknown_words_have_zeros_or_a_small_vector_of_their_own() -> None:
    vectors = some(width=50)
    asked = ["storm", "gale", "gust", "gale", "\ud83d", ""]
    zeros, drawn = vectors.vectors(asked), vectors.vectors_or_random(asked)
    np.testing.assert_array_equal(zeros[0], vectors.table[1].astype(np.float32))
    assert not zeros[1:].any()
    np.testing.assert_array_equal(drawn[0], zeros[0])
    np.testing.assert_array_equal(drawn[1], drawn[3])
    assert len({row.tobytes() for row in drawn}) == 5
    assert np.abs(drawn[1:]).max() <= SMALL
    np.testing.assert_array_equal(drawn[1], some(seed=2, width=50).vectors_or_random(["gale"])[0])
    assert vectors.rows(asked).tolist() == [1, -1, -1, -1, -1, -1]


@given(st.lists(st.text(st.characters(exclude_characters="\n")), min_size=1, max_size=8), st.integers(1, 5))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, words: list[str], width: int) -> None:
    folder = tmp_path_factory.mktemp("vectors")
    before = some(words, width)
    before.write(folder)
    after = WordVectors.read(folder)
    assert dict(after.row_of) == dict(before.row_of)
    np.testing.assert_array_equal(after.table, before.table)
    assert isinstance(after.table, np.memmap)
    assert after.digest == before.digest


def test_of_a_word_that_comes_twice_the_first_counts() -> None:
    vectors = WordVectors.of(["a", "b", "a", "c"], np.arange(8).reshape(4, 2))
    assert vectors.vectors(["a", "b", "c"]).tolist() == [[0, 1], [2, 3], [6, 7]]
    assert vectors.table.shape == (3, 2)


def test_a_hash_tells_other_words_and_other_numbers_apart() -> None:
    assert len({some().digest, some(seed=2).digest, some([*WORDS[:-1], "coast"]).digest}) == 3
    assert some().digest == some().digest


def test_a_text_file_gives_the_vectors_that_are_in_it(tmp_path: Path) -> None:
    lines = ["the 0.5 -1.25 2e-1", ". . . 1 2 3", "naïve 0 0 1", "the 9 9 9"]
    for name, first in (("glove.txt", []), ("word2vec.txt", ["4 3"])):
        (tmp_path / name).write_text("\n".join([*first, *lines]) + "\n", encoding="utf-8")
        vectors = load_word_vectors(tmp_path / name)
        assert list(vectors.row_of) == ["the", ". . .", "naïve"]
        np.testing.assert_allclose(vectors.vectors(["the", ". . ."]), [[0.5, -1.25, 0.2], [1, 2, 3]], atol=1e-4)
    before = load_word_vectors(tmp_path / "glove.txt")
    assert load_word_vectors(tmp_path / "glove.txt") is before
    (tmp_path / "glove.txt").write_text("the 1 2\n")
    os.utime(tmp_path / "glove.txt", ns=(1, 1))
    assert load_word_vectors(tmp_path / "glove.txt").width == 2


BAD_LINES = [
    ("", "it is empty"),
    ("the 1 2\nstorm 1\n", r"line 2 has 1 numbers where there should be 2.*as many on each"),
    ("the 1 2\nstorm 1 x\n", "line 2 has could not convert string to float: 'x'"),
    ("the 1 2\nstorm 1 nan\n", "line 2 has a number that is none"),
    ("the 1 99999\n", "line 1 has a number that is none, or is beyond 65504"),
    ("the\n", "line 1 has 0 numbers"),
    ("\x00\x01binary", "line 1 has 0 numbers"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_LINES)
def test_a_file_that_is_no_table_of_vectors_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "glove.txt").write_text(content)
    with pytest.raises(InputError, match=complaint):
        read_glove_text(tmp_path / "glove.txt")


def without_words(folder: Path) -> None:
    (folder / "words.txt").unlink()


def with_too_few_words(folder: Path) -> None:
    (folder / "words.txt").write_text("the\n")


def cut_off(folder: Path) -> None:
    (folder / "vectors.npy").write_bytes((folder / "vectors.npy").read_bytes()[:100])


def with_other_numbers(folder: Path) -> None:
    np.save(folder / "vectors.npy", np.zeros((len(WORDS), 4), np.float64))


BAD_FOLDERS = [
    (without_words, r"words\.txt is missing\. .*glove-50d, glove-100d"),
    (with_too_few_words, "for 1 words; it must have one row of float16 a word"),
    (cut_off, "cannot be read: .*Get them again"),
    (with_other_numbers, "has float64 numbers"),
]


@pytest.mark.parametrize(("damage", "complaint"), BAD_FOLDERS)
def test_a_damaged_folder_is_refused(tmp_path: Path, damage, complaint: str) -> None:
    some().write(tmp_path)
    damage(tmp_path)
    with pytest.raises(InputError, match=complaint):
        load_word_vectors(tmp_path)


def test_names_are_looked_for_on_the_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PARALOOM_MODELS", str(tmp_path / "shelf"))
    with pytest.raises(InputError, match="Fetch it: paraloom models fetch glove-50d"):
        load_word_vectors("glove-50d")
    with pytest.raises(InputError, match=r"no word vectors 'glove-1d'.*glove-50d, glove-100d"):
        load_word_vectors("glove-1d")
    some().write(tmp_path / "shelf" / "glove-50d")
    vectors = load_word_vectors("glove-50d")
    assert (vectors.name, vectors.width) == ("glove-50d", 4)
    assert load_word_vectors("glove-50d") is vectors


@pytest.mark.parametrize("table", [np.zeros((2, 3)), np.zeros(1), np.full((1, 2), np.inf), np.full((1, 2), 1e6)])
def test_vectors_that_do_not_fit_their_words_are_refused(table: np.ndarray) -> None:
    with pytest.raises(InputError, match=r"one row a word|beyond 65504"), np.errstate(over="ignore"):
        WordVectors.of(["storm"], table)


def test_vectors_of_a_carrier_with_a_table_become_ours(tmp_path: Path) -> None:
    numbers = np.random.default_rng(3).normal(size=(3, 5)).astype(np.float32)
    np.save(tmp_path / "glove_emb.npy", numbers)
    pq.write_table(pa.table({"index": ["the", "storm", "ß"]}), tmp_path / "glove_index.parquet")
    convert_table(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["vectors.npy", "words.txt"]
    np.testing.assert_allclose(load_word_vectors(tmp_path).vectors(["the", "storm", "ß"]), numbers, atol=2e-3)


def wink(words: list[str], numbers: np.ndarray, **other: object) -> bytes:
    """As the wink packages write it: after the numbers of a word come its length and its row."""
    entries = {
        word: [*row.tolist(), float(np.linalg.norm(row)), place]
        for place, (word, row) in enumerate(zip(words, numbers, strict=True))
    }
    told = {
        "precision": 8,
        "dimensions": numbers.shape[1],
        "words": words,
        "vectors": entries,
        "unkVector": [0],
        **other,
    }
    return json.dumps(told, separators=(",", ":")).encode()


def test_vectors_of_a_carrier_with_json_become_ours(tmp_path: Path) -> None:
    words = ["the", '"', "]", "[", "ß", "\\", ":[", "},"]
    numbers = np.random.default_rng(3).normal(size=(len(words), 5))
    (tmp_path / "wink.json").write_bytes(wink(words, numbers))
    convert_wink(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["vectors.npy", "words.txt"]
    np.testing.assert_allclose(load_word_vectors(tmp_path).vectors(words), numbers, atol=2e-3)


def test_a_carrier_that_is_laid_out_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "wink.json").write_bytes(wink(["the"], np.zeros((1, 5)), dimensions=6))
    with pytest.raises(InputError, match="not laid out as was thought"):
        convert_wink(tmp_path)


LOAD = """
import sys, time
from paraloom.models.word_vectors import load_word_vectors
started = time.perf_counter()
load_word_vectors(sys.argv[1]).vectors(["word7"])
print(time.perf_counter() - started)
"""


def test_a_large_table_is_there_in_well_under_a_second(tmp_path: Path) -> None:
    some([f"word{number}" for number in range(400_000)], 50).write(tmp_path)
    begun = time.process_time()
    done = subprocess.run(
        [sys.executable, "-c", LOAD, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert float(done.stdout) < 2  # 0.2 s on a machine that is not busy
    assert time.process_time() - begun < 10
