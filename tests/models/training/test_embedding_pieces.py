"""A tokeniser that is counted from texts: the same whatever their order, and able to cut words it has not met."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from paraloom.models.training.embedding_pieces import learned_tokeniser

TEXTS = ["Talossa sataa.", "autossa sataa", "talosta autosta", "kadulla sataa", "kadulta talossa"]


@given(st.permutations(TEXTS))
def test_the_order_of_texts_does_not_show(texts: list[str]) -> None:
    assert learned_tokeniser(texts, 30) == learned_tokeniser(TEXTS, 30)


def test_words_that_were_not_met_are_cut_into_parts_that_were() -> None:
    tokeniser = Tokenizer.from_str(learned_tokeniser(TEXTS * 5, 60))
    assert tokeniser.encode("sataa").tokens == ["sataa"]
    assert tokeniser.encode("Autolla").tokens == ["auto", "##lla"]
    assert "[UNK]" not in tokeniser.encode("tassu").tokens
    assert tokeniser.encode("žüx").tokens == ["[UNK]"]


def test_there_are_no_more_pieces_than_asked_for_beside_letters_and_marks() -> None:
    pieces = json.loads(learned_tokeniser(TEXTS * 5, 10))["model"]["vocab"]
    bare = [piece for piece in pieces if len(piece.removeprefix("##")) > 1 and not piece.startswith("[")]
    assert len(bare) <= 10
    assert sorted(pieces.values()) == list(range(len(pieces)))
