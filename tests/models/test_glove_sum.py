"""Summed word vectors are compared as a plain loop compares them, for any two texts, and saved whole."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, Identifier, load, untrained
from paraloom.models.identifiers.glove_sum import TEXTS_AT_ONCE, GloveSum
from paraloom.models.word_vectors import WordVectors

WORDS = ["storm", "gale", "hit", "struck", "coast", "shore", "market", "fell", "the", "a", "."]

LIKE = {"gale": "storm", "struck": "hit", "shore": "coast", "a": "the"}
"""Words that mean nearly the same as others have nearly their vectors."""


@cache
def table() -> WordVectors:
    draw = np.random.default_rng(1)
    numbers = draw.normal(size=(len(WORDS), 12))
    for word, like in LIKE.items():
        numbers[WORDS.index(word)] = numbers[WORDS.index(like)] + draw.normal(scale=0.1, size=12)
    return WordVectors.of(WORDS, numbers, "invented")


LEFT = ["the storm hit the coast", "the market fell", "the storm hit the shore", "a gale", "the market", "the coast"]
RIGHT = ["a gale struck the shore", "a gale struck", "the storm struck a coast", "the storm", "fell .", "a shore"]
TARGETS = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]


def fitted() -> GloveSum:
    examples = Examples(left=LEFT, right=RIGHT, targets=TARGETS)
    return GloveSum(table=table()).fit([examples], [examples])


def by_plain_loop(left: str, right: str) -> float:
    sums = []
    for text in (left, right):
        total = np.zeros(12)
        for word in table().words(text):
            if word in table().row_of:
                total = total + table().table[table().row_of[word]].astype(np.float64)
        sums.append(total)
    lengths = np.linalg.norm(sums[0]) * np.linalg.norm(sums[1])
    return float(sums[0] @ sums[1] / lengths) if lengths else 0.0


def test_the_cosine_of_the_sums_is_that_of_a_plain_loop() -> None:
    expected = [by_plain_loop(*pair) for pair in zip(LEFT, RIGHT, strict=True)]
    np.testing.assert_allclose(GloveSum(table=table()).similarities(LEFT, RIGHT), expected, atol=1e-12)


def test_paraphrases_are_above_a_half_and_other_pairs_are_not() -> None:
    identifier = fitted()
    assert isinstance(identifier, Identifier)
    assert identifier.definitions == ("loose",)
    assert (identifier.score(LEFT, RIGHT) > 0.5).tolist() == [target > 0.5 for target in TARGETS]


TEXTS = st.one_of(
    st.text(),
    st.lists(st.sampled_from([*WORDS, "unheard", "@ann", "🌧", "\ud83d", "don't"]), max_size=9).map(" ".join),
)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6))
def test_any_pair_has_a_score_that_neither_order_nor_company_changes(pairs: list[tuple[str, str]]) -> None:
    identifier = fitted()
    left, right = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    scores = identifier.score(left, right)
    assert ((scores >= 0) & (scores <= 1)).all()
    np.testing.assert_array_equal(scores, identifier.score(right, left))
    alone = [identifier.score([one], [other])[0] for one, other in pairs]
    np.testing.assert_array_equal(scores, alone)


SAME = [("unheard words", "unheard words", 1.0), ("unheard", "unknown", 0.0), ("", "", 0.0), ("", "the storm", 0.0)]


@pytest.mark.parametrize(("left", "right", "cosine"), SAME)
def test_texts_without_a_known_word_are_like_their_equals_alone(left: str, right: str, cosine: float) -> None:
    assert GloveSum(table=table()).similarities([left], [right]).tolist() == [cosine]


def test_many_and_long_texts_are_scored() -> None:
    left = [f"the storm hit {number}" for number in range(TEXTS_AT_ONCE + 3)]
    right = ["a gale struck " + "the coast " * 10_000, *left[1:]]
    scores = fitted().score(left, right)
    assert (scores[1:] == scores[1]).all()
    assert np.isfinite(scores).all()
    assert fitted().score([], []).shape == (0,)


def test_a_saved_identifier_needs_neither_the_shelf_nor_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fitted()
    before.save(tmp_path / "mine")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "empty"))
    again = load(tmp_path / "mine")
    assert again.signature == before.signature
    assert "vectors:invented|width:12" in again.signature
    assert again.parameters == before.parameters == len(WORDS) * 12 + 2
    np.testing.assert_array_equal(again.score(LEFT, RIGHT), before.score(LEFT, RIGHT))
    code = "import sys; from paraloom.models.identifiers import load; load(sys.argv[1]).score(['a'], ['b']); "
    code += "print(sorted({'torch', 'transformers', 'sklearn'} & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "mine")], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_signature_follows_vectors_and_thresholds() -> None:
    other = WordVectors.of(WORDS, np.random.default_rng(2).normal(size=(len(WORDS), 12)), "invented")
    examples = Examples(left=LEFT, right=RIGHT, targets=TARGETS)
    strict = Examples(left=LEFT, right=RIGHT, targets=[1, 0, 0, 0, 0, 0], definition="strict")
    same_vectors = GloveSum(table=table()).fit([strict], [strict])
    other_vectors = GloveSum(table=other).fit([examples], [examples])
    assert len({fitted().signature, same_vectors.signature, other_vectors.signature}) == 3
    with pytest.raises(InputError, match=r"was not trained for the definition 'loose'.*: strict"):
        same_vectors.score(LEFT, RIGHT)


def test_vectors_that_are_not_there_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("PARALOOM_MODELS", raising=False)
    examples = Examples(left=LEFT, right=RIGHT, targets=TARGETS)
    with pytest.raises(InputError, match="paraloom models fetch glove-50d"):
        untrained("glove").fit([examples], [examples])
    (tmp_path / "mine.txt").write_text("storm 1 0.1\ngale 1 0.2\nmarket 0 1\n")
    scores = (
        untrained("glove", vectors=str(tmp_path / "mine.txt")).fit([examples], [examples]).score(["storm"], ["gale"])
    )
    assert scores[0] > 0.5
