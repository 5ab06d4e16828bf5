"""A file's tokeniser: the pieces that transformers finds, text back as it was, and no text that is a control piece."""

from __future__ import annotations

from pathlib import Path

import pytest
import transformers
from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser
from tests.models.language_models.tiny_gguf import CONTROL, write_tiny_llama

TEXTS = [
    "the storm hit the coast on monday",
    "storms, 1234 of them; 12.5% don't",
    "  a   b\n\n\tthe storm ",
    "雨 🌧 ß naïve",
    "",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tokeniser") / "tiny.gguf", layers=1)


@pytest.fixture(scope="module")
def tokeniser(path: Path) -> GgufTokeniser:
    return GgufTokeniser(GgufFile(path))


def test_pieces_are_those_that_transformers_finds(path: Path, tokeniser: GgufTokeniser) -> None:
    theirs = transformers.AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    for text in TEXTS:
        assert tokeniser.encode(text) == theirs(text, add_special_tokens=False)["input_ids"]


@given(st.text())
def test_a_text_comes_back_as_it_was(tokeniser: GgufTokeniser, text: str) -> None:
    ids = tokeniser.encode(text)
    assert tokeniser.decode(ids) == text.encode("utf-8", "replace").decode()
    assert not tokeniser.control.intersection(ids)


@pytest.mark.parametrize("mark", CONTROL)
def test_what_looks_like_a_control_piece_is_letters(tokeniser: GgufTokeniser, mark: str) -> None:
    ids = tokeniser.encode(f"a storm {mark} hit{mark}")
    assert not tokeniser.control.intersection(ids)
    assert tokeniser.decode(ids) == f"a storm {mark} hit{mark}"


def test_half_a_letter_is_read_as_a_question_mark(tokeniser: GgufTokeniser) -> None:
    assert tokeniser.decode(tokeniser.encode("storm \ud83d!")) == "storm ?!"


def test_control_pieces_say_nothing(tokeniser: GgufTokeniser) -> None:
    ids = [tokeniser.begin, *tokeniser.encode("a storm"), tokeniser.end]
    assert tokeniser.decode(ids) == "a storm"
    assert (tokeniser.begin, tokeniser.end) == (1, 2)


@pytest.mark.parametrize(("cut", "pieces"), [("smollm", 4), ("gpt-2", 2)])
def test_digits_are_joined_only_where_the_file_says_so(tmp_path: Path, cut: str, pieces: int) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", layers=1, words=("12",), settings={"tokenizer.ggml.pre": cut})
    assert len(GgufTokeniser(GgufFile(path)).encode("1212")) == pieces


@pytest.mark.parametrize("kinds", [None, [1, 1, 1]])
def test_what_begins_and_ends_a_text_says_nothing_also_where_the_file_does_not_tell_kinds(
    tmp_path: Path, kinds
) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", layers=1, settings={"tokenizer.ggml.token_type": kinds})
    tokeniser = GgufTokeniser(GgufFile(path))
    assert tokeniser.decode([tokeniser.begin, *tokeniser.encode("a storm"), tokeniser.end]) == "a storm"


def test_kinds_of_pieces_that_are_not_there_are_nothing(tmp_path: Path) -> None:
    path = write_tiny_llama(tmp_path / "tiny.gguf", layers=1, settings={"tokenizer.ggml.token_type": [3] * 3000})
    tokeniser = GgufTokeniser(GgufFile(path))
    assert max(tokeniser.control) < tokeniser.pieces
