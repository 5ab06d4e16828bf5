"""Pairs are joined as the tokeniser itself would join them, and long ones do not take for ever."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import AutoTokenizer

from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.tokenised_pairs import (
    pair_batch,
    shares_of_room,
    template_of,
    text_batch,
    token_rows,
    tokenised,
)

KINDS = ["bert", "roberta", "albert", "deberta-v2", "mpnet", "t5"]
PAIRS = [
    ("the storm hit the coast", "a river left the town"),
    ("", "the storm"),
    ("", ""),
    ("the market won " * 8, "our team"),
    ("our team", "the market won " * 8),
    ("the market won " * 8, "the minister saw a prize " * 9),
    ("the minister saw a prize " * 9, "the market won " * 8),
    ("the vote " * 30, "the vote " * 30),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("max_tokens", [20, 21, 64])
def test_pairs_are_joined_as_the_tokeniser_does(
    kind: str, max_tokens: int, tiny_transformer: Callable[[str], Path]
) -> None:
    tokeniser = AutoTokenizer.from_pretrained(tiny_transformer(kind))
    template = template_of(tokeniser, 2, max_tokens)
    left, right = [one for one, _ in PAIRS], [other for _, other in PAIRS]
    pairs = tokenised(tokeniser, [Examples(left=left, right=right, targets=[0.0] * len(PAIRS))], ["loose"])
    found = pair_batch(pairs, range(len(PAIRS)), [False] * len(PAIRS), template, "cpu")
    turned = pair_batch(pairs, range(len(PAIRS)), [True] * len(PAIRS), template, "cpu")
    for batch, sides in ((found, (left, right)), (turned, (right, left))):
        expected = tokeniser(
            *sides, truncation="longest_first", max_length=max_tokens, padding=True, return_tensors="pt"
        )
        assert set(batch) == set(expected)
        for name in batch:
            assert torch.equal(batch[name], expected[name]), name
    assert pairs.pair_lengths(template) == found["attention_mask"].sum(dim=1).tolist()


@pytest.mark.parametrize(("max_tokens", "width"), [(64, 24), (22, 22)])
def test_a_batch_is_filled_up_to_a_multiple_of_eight_but_never_beyond_what_is_read(
    max_tokens: int, width: int, tiny_transformer: Callable[[str], Path]
) -> None:
    tokeniser = AutoTokenizer.from_pretrained(tiny_transformer("bert"))
    rows = token_rows(tokeniser, ["the storm hit the coast", " ".join(["the town"] * 10)])
    assert max(map(len, rows)) == 20
    found = text_batch(rows, template_of(tokeniser, 1, max_tokens), "cpu")
    assert {tuple(tensor.shape) for tensor in found.values()} == {(2, width)}
    assert found["attention_mask"].sum(dim=1).tolist() == [len(rows[0]) + 2, 22]


@pytest.mark.parametrize("kind", KINDS)
def test_single_texts_are_marked_as_the_tokeniser_does(kind: str, tiny_transformer: Callable[[str], Path]) -> None:
    tokeniser = AutoTokenizer.from_pretrained(tiny_transformer(kind))
    texts = [text for pair in PAIRS for text in pair]
    found = text_batch(token_rows(tokeniser, texts), template_of(tokeniser, 1, 20), "cpu")
    expected = tokeniser(texts, truncation=True, max_length=20, padding=True, return_tensors="pt")
    for name in found:
        assert torch.equal(found[name], expected[name]), name


@given(st.integers(0, 300), st.integers(0, 300), st.integers(2, 200))
def test_the_longer_text_is_cut(left: int, right: int, room: int) -> None:
    one, other = shares_of_room(left, right, room)
    assert one <= left
    assert other <= right
    assert one + other == min(left + right, room)
    assert shares_of_room(right, left, room)[::-1] == (one, other) or left == right
    if one < left and other < right:
        assert abs(one - other) <= 1


def test_marks_within_a_text_are_text(tiny_transformer: Callable[[str], Path]) -> None:
    tokeniser = AutoTokenizer.from_pretrained(tiny_transformer("bert"))
    assert tokeniser.sep_token_id not in token_rows(tokeniser, ["the [SEP] storm"])[0].tolist()


def test_two_endless_texts_are_joined_in_no_time(tiny_transformer: Callable[[str], Path]) -> None:
    tokeniser = AutoTokenizer.from_pretrained(tiny_transformer("bert"))
    endless = "the storm hit " * 5000
    started = time.perf_counter()
    pairs = tokenised(tokeniser, [Examples(left=[endless], right=[endless[4:]], targets=[1.0])], ["loose"])
    batch = pair_batch(pairs, [0], [False], template_of(tokeniser, 2, 64), "cpu")
    assert batch["input_ids"].shape == (1, 64)
    assert time.perf_counter() - started < 10
