"""Compiled loops cut texts into the pieces that the tokenizers library cuts them into."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from paraloom.errors import InputError
from paraloom.models.embedders.distil import tokeniser_of
from paraloom.models.embedders.known_pieces import RANGES, KnownPieces
from paraloom.models.embedders.shared_parts import pairs_folder

SHIPPED = pairs_folder() / "tokenizer.json"


@pytest.fixture(scope="module")
def shipped() -> KnownPieces:
    return KnownPieces(SHIPPED, 512)


@pytest.fixture(scope="module")
def oracle() -> Tokenizer:
    """The library itself."""
    tokeniser = Tokenizer.from_file(str(SHIPPED))
    tokeniser.no_truncation()
    tokeniser.no_padding()
    tokeniser.encode_special_tokens = True
    return tokeniser


def by_library(tokeniser: Tokenizer, texts: list[str]) -> list[list[int]]:
    """The pieces of each text that are known."""
    unknown = tokeniser.token_to_id("[UNK]")
    readable = [text.encode("utf-8", "replace").decode() for text in texts]
    cut = tokeniser.encode_batch(readable, add_special_tokens=False)
    return [[number for number in one.ids if number != unknown] for one in cut]


def by_us(pieces: KnownPieces, texts: list[str]) -> list[list[int]]:
    numbers, bounds = pieces.cut(texts)
    assert len(bounds) == len(texts) + 1
    return [numbers[first:last].tolist() for first, last in pairwise(bounds)]


TEXTS = [
    "The storm hit the coast.",
    "unaffable antidisestablishmentarianism!?",
    "[SEP] [CLS] [unused3] ##ing",
    "中文 and ひらがな and 한국어, mixed中in",
    "é É ñ İ ß ﬁ Ⅷ ½ Å",
    "zero\u200dwidth so\u00adft a\u0301c\u0327",
    "x" * 101 + " y " + "x" * 100 + " z",
    "tabs\tand\nnew\r\nlines\x00\x01\ufffd\x7f end",
    "🤷🏽‍♀️ ok 🫠",
    "ΑΣ ς Σ Привет שלום مرحبا",
    "q|q Q | ||",
    "don't @user's #tag http://t.co/AbC?x=1&y=2 $5.20",
    "broken \ud83d surrogate",
    "𐎀𐎁 \U00012345 \U000e0041",
    "",
    " ",
]


def test_texts_of_many_scripts_are_cut_as_the_library_cuts_them(shipped: KnownPieces, oracle: Tokenizer) -> None:
    assert shipped.tables is not None
    assert by_us(shipped, TEXTS) == by_library(oracle, TEXTS)


def test_every_code_point_that_loops_know_is_cut_as_the_library_cuts_it(
    shipped: KnownPieces, oracle: Tokenizer
) -> None:
    codes = [code for first, last in RANGES for code in range(first, last, 1 if first < 0x4E00 else 7)]
    texts = ["".join(f"go{chr(code)}ne {chr(code)} " for code in codes[start : start + 40]) for start in codes[::40]]
    texts = [text for text in texts if text]
    assert by_us(shipped, texts) == by_library(oracle, texts)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6))
@example(["a" * 200, "", "İ"])
def test_any_text_is_cut_as_the_library_cuts_it(texts: list[str]) -> None:
    ours, theirs = _both()
    assert by_us(ours, texts) == by_library(theirs, texts)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet=" aeinrst.,'-A1éü", max_size=80), min_size=1, max_size=4))
def test_words_of_common_letters_are_cut_as_the_library_cuts_them(texts: list[str]) -> None:
    ours, theirs = _both()
    assert by_us(ours, texts) == by_library(theirs, texts)


def _both() -> tuple[KnownPieces, Tokenizer]:
    if not _LOADED:
        tokeniser = Tokenizer.from_file(str(SHIPPED))
        tokeniser.no_truncation()
        tokeniser.encode_special_tokens = True
        _LOADED.append((KnownPieces(SHIPPED, 512), tokeniser))
    return _LOADED[0]


_LOADED: list[tuple[KnownPieces, Tokenizer]] = []


def test_no_more_pieces_are_read_than_asked_for(shipped: KnownPieces) -> None:
    few = KnownPieces(SHIPPED, 3)
    texts = ["the storm hit the coast again", "ひらがなとカタカナ and 한국어 한국어 한국어", "the"]
    assert by_us(few, texts) == [one[:3] for one in by_us(shipped, texts)]


def test_accents_stay_where_the_tokeniser_keeps_them(tmp_path: Path) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_text(tokeniser_of(["sää", "saa", "tuuli"]), encoding="utf-8")
    pieces = KnownPieces(file, 512)
    assert pieces.tables is not None
    texts = ["Sää", "saa", "SÄÄ tuuli", "saatuuli", "tuulta", "x"]
    assert by_us(pieces, texts) == by_library(Tokenizer.from_file(str(file)), texts)
    assert by_us(pieces, ["Sää"]) != by_us(pieces, ["saa"])


def test_a_tokeniser_of_another_kind_is_asked_itself(tmp_path: Path) -> None:
    tokeniser = Tokenizer(models.WordLevel({"[UNK]": 0, "storm": 1, "coast": 2}, unk_token="[UNK]"))
    tokeniser.normalizer = normalizers.Lowercase()
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    tokeniser.save(str(tmp_path / "tokenizer.json"))
    pieces = KnownPieces(tmp_path / "tokenizer.json", 512)
    assert pieces.tables is None
    assert by_us(pieces, ["The STORM, the coast", "rain", "storm"]) == [[1, 2], [], [1]]


def test_a_missing_or_broken_tokeniser_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no"):
        KnownPieces(tmp_path / "tokenizer.json", 9)
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        KnownPieces(tmp_path / "tokenizer.json", 9)


def test_numbers_come_as_whole_numbers(shipped: KnownPieces) -> None:
    numbers, bounds = shipped.cut(["the storm", "中"])
    assert (numbers.dtype, bounds.dtype) == (np.int32, np.int64)
