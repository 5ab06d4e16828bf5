"""Copies: which tokens would make one, and which texts are one."""

from __future__ import annotations

import pytest

from paraloom.models.generators.copy_block import CopyBlock, Vocabulary, copies_run

TOKENS = ["▁the", "▁The", "▁storm", "▁st", "orm", "▁hit", "▁coast", "the", "▁to", "wn", None, ",", "▁théâtre"]
VOCABULARY = Vocabulary(TOKENS, lambda number: str(TOKENS[number]).lstrip("▁"))
SOURCE = "The storm hit the town, the storm"

BLOCKED = [
    (1, "", {"▁the", "▁The", "the", "▁storm", "▁hit"}),
    (1, "a to", {"▁the", "▁The", "▁storm", "▁hit", "wn"}),
    (2, "", set()),
    (2, "the", {"▁storm"}),
    (2, "So THE,", {"▁storm"}),
    (2, "the st", {"orm"}),
    (2, "a st", set()),
    (3, "the storm", {"▁hit"}),
    (3, "storm hit", {"▁the", "▁The"}),
    (3, "hit the to", {"wn"}),
    (3, "the town", {"▁the", "▁The"}),
    (4, "the storm", set()),
    (9, "the storm hit the town the storm", set()),
]


@pytest.mark.parametrize(("n", "text", "blocked"), BLOCKED)
def test_tokens_that_would_end_a_run_of_the_source_are_blocked(n: int, text: str, blocked: set[str]) -> None:
    assert {TOKENS[number] for number in CopyBlock(SOURCE, n, VOCABULARY).after(text)} == blocked


COPIES = [
    ("a storm hit us", "a storm hit us", 4, True),
    ("a storm hit us", "A STORM hit, us!", 4, True),
    ("a storm hit us", "a storm hit us", 5, False),
    ("a storm hit us", "us hit storm a", 2, False),
    ("a storm hit us", "anything", 0, False),
    ("", "", 1, False),
]


@pytest.mark.parametrize(("source", "text", "n", "copied"), COPIES)
def test_a_text_copies_a_run_or_not(source: str, text: str, n: int, copied: bool) -> None:
    assert copies_run(source, text, n) is copied
    if n:
        assert CopyBlock(source, n, VOCABULARY).copies(text) is copied
