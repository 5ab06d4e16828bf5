"""The Treebank's tokens are nltk's, on invented sentences and on any string of the characters its rules speak of."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from nltk.tokenize import TreebankWordTokenizer

from paraloom.text.treebank import treebank_tokens

SENTENCES = [
    "",
    "the storm hit the coast.",
    'He said, "I can\'t go; gimme 3,000 (or 2:30)..." -- and left!',
    "'tis the dogs' bone, more'n enough, d'ye see? lemme, gotta, wanna go, wanna",
    "U.S. officials' [sic] 50% cut: $5 & #1 @ {home} <tag>.)\"",
    "她喜欢 café, 北京. 🎉🎉",
    "I'M, you'LL, DON'T, we'd cannot CANNOT ''quoted'' ``here``",
    "ends with a quote.'\"  ",
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_has_the_tokens_that_nltk_gives_it(sentence: str) -> None:
    assert treebank_tokens(sentence) == TreebankWordTokenizer().tokenize(sentence)


pieces = st.sampled_from(
    [*" .,:;'\"`()[]{}<>-?!@#$%&\n", "...", "''", "``", "--", "n't", "'ll", "'s ", "can", "not", "gon", "na", "wan",
     "'t", "is", "was", "more", "'n", "d", "'ye", "7", "a", "é", "北", " "]
)  # fmt: skip


@settings(max_examples=500)
@given(st.lists(pieces, max_size=25).map("".join))
@example(",,a")
@example("a,\n7")
@example("a''' ")
def test_any_string_has_the_tokens_that_nltk_gives_it(text: str) -> None:
    assert treebank_tokens(text) == TreebankWordTokenizer().tokenize(text)
