"""Our walk over the signs of a text finds the tokens that sacrebleu's rules find, whatever the text."""

from __future__ import annotations

import sys

from hypothesis import example, given, settings
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from paraloom.metrics.overlap.reference_tokens import ReferenceTokens
from paraloom.metrics.overlap.token_spans import code_points, token_spans
from paraloom.metrics.overlap.tokenisation import BEYOND_THE_LAST_SPACE, tokens_13a, white_space_tokens

SIGNS = "aé漢٣0159..,,--''&;<>sk/ \n\t\x1c\x85\xa0\u3000{~[`!(+:@\\ampquotlgt"
WORDS = ["<skipped>", "-\n", "&amp;", "&quot;", "&lt;", "&gt;", "1,000.5", "\ud800", "\udc00"]
TEXTS = st.lists(st.sampled_from([*SIGNS, *WORDS]), max_size=30).map("".join) | st.text(max_size=40)


def tokens(texts, tokenisation):
    cleaned = tokenisation.before(texts)
    points, bounds = code_points(cleaned)
    begins, ends, token_bounds = token_spans(points, bounds, tokenisation.kinds)
    row = "".join(cleaned)
    found = [row[begin:end] for begin, end in zip(begins, ends, strict=True)]
    return [found[token_bounds[n] : token_bounds[n + 1]] for n in range(len(texts))]


@settings(max_examples=500)
@given(st.lists(TEXTS, max_size=3))
@example(["a..5", "1..2", "...", "5.,5", ".5", "5.", "a.,b", "1.a", "5--6", "a-5", "5-", ",,5,,"])
@example(["&amp;quot;", "<skip<skipped>ped>", "a-\nb", "a \n", "a-\n", "a-\n \n"])
def test_the_tokens_of_13a_are_sacrebleus(texts):
    peer = Tokenizer13a()
    assert tokens(texts, tokens_13a()) == [peer(text.rstrip()).split() for text in texts]


@given(st.lists(TEXTS, max_size=3))
def test_tokens_in_lower_case_are_those_of_the_text_in_lower_case(texts):
    peer = Tokenizer13a()
    assert tokens(texts, tokens_13a(lowercase=True)) == [peer(text.lower().rstrip()).split() for text in texts]


@given(st.lists(st.text(), max_size=3))
def test_white_space_is_what_python_takes_for_it(texts):
    assert tokens(texts, white_space_tokens()) == [text.split() for text in texts]


def test_no_white_space_lies_beyond_what_the_table_knows():
    assert not any(chr(sign).isspace() for sign in range(BEYOND_THE_LAST_SPACE, sys.maxunicode + 1))


@given(st.lists(st.lists(st.text(alphabet="abAB\ud800\udc00é漢", min_size=1, max_size=3), max_size=8), min_size=1))
def test_equal_words_have_equal_numbers_and_others_have_others(sentences):
    read = ReferenceTokens.read([[" ".join(words)] for words in sentences], white_space_tokens())
    words = [word for sentence in sentences for word in sentence]
    numbers = read.tokens.ids.tolist()
    assert len(set(zip(words, numbers, strict=True))) == len(set(words)) == len(set(numbers)) == len(read.vocabulary)
    assert read.read_outputs([" ".join(words), "ab\udc00unknown"]).ids.tolist() == [*numbers, -1]


def test_a_vocabulary_grows_as_far_as_it_must():
    words = [f"word{n}" for n in range(5000)] + ["x" * 20_000]
    read = ReferenceTokens.read([[" ".join(words)], [" ".join(reversed(words))]], white_space_tokens())
    assert read.tokens.ids.tolist() == [*range(5001), *reversed(range(5001))]
    assert read.read_outputs(["word4999 " + "x" * 20_000 + " " + "x" * 19_999]).ids.tolist() == [4999, 5000, -1]
