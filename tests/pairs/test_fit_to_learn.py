"""Pairs are fit to teach a generator, or left out for a reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu import sentence_bleu

from paraloom.errors import InputError
from paraloom.pairs.fit_options import FitOptions
from paraloom.pairs.fit_to_learn import REASONS, counted_reasons, fit_to_learn

STORM = "a heavy storm hit the coast on monday"
KEPT_OR_WHY = [
    (STORM, "the shore was struck by strong winds monday", None),
    (STORM, "", "empty"),
    (STORM, "big storm", "length"),
    (
        STORM,
        "on monday night the shore was struck by winds that nobody who lives there will ever forget in all their life",
        "length",
    ),
    (STORM, "a heavy storm hit the coast on monday night", "bleu"),
    ("They're dogs he'd seen", "they are the dogs which he has seen", "near_copy"),
    (STORM, STORM.upper(), "bleu"),
    (STORM, "winds struck the shores of Norfolk this monday", "invented"),
    (STORM, "winds struck the shores and 12 towns monday", "invented"),
    ("Ann Lee lost 12 votes in the north", "a dozen votes went to nobody up there", "missing"),
]


@pytest.mark.parametrize(("source", "target", "reason"), KEPT_OR_WHY)
def test_a_pair_is_kept_or_left_out_for_a_reason(source: str, target: str, reason: str | None) -> None:
    assert fit_to_learn([source], [target]) == (reason,)


LOOSER = [
    ("bleu", {"max_bleu": 100.0}),
    ("bleu", {"max_bleu": 96.0, "cased_bleu": True, "near_copies": True}),
    ("near_copy", {"near_copies": True}),
    ("missing", {"facts": "not-invented"}),
    ("missing", {"facts": "any"}),
    ("invented", {"facts": "any"}),
    ("length", {"min_words": 1, "max_length_ratio": 9.0, "max_bleu": 100.0, "facts": "any"}),
]


@pytest.mark.parametrize(("reason", "looser"), LOOSER)
def test_every_filter_can_be_loosened(reason: str, looser: dict[str, object]) -> None:
    rows = [(source, target) for source, target, found in KEPT_OR_WHY if found == reason]
    found = fit_to_learn(*zip(*rows, strict=True), replace(FitOptions(), **looser))  # type: ignore[arg-type]
    assert reason not in found


def test_a_pair_may_be_fit_one_way_only() -> None:
    long, short = "Joe Biden won the vote in all three states", "three states went to Biden when they voted"
    assert fit_to_learn([long, short], [short, long]) == (None, "invented")


def test_the_second_of_two_alike_is_a_duplicate_but_the_other_way_round_is_not() -> None:
    other = "the shore was struck by strong winds monday"
    found = fit_to_learn([STORM, STORM.upper() + "!", other], [other, other, STORM])
    assert found == (None, "duplicate", None)


def test_what_a_test_set_has_is_left_out_and_a_judge_is_asked_about_the_rest() -> None:
    asked: list[frozenset[str]] = []

    def judge(left, right):
        asked.extend(frozenset(pair) for pair in zip(left, right, strict=True))
        return np.array([0.4, 0.6])

    targets = [f"the shore was struck by winds on {day}" for day in ("monday", "a monday", "this monday")]
    sources = [f"{word} {STORM}" for word in ("then", "so", "and")]
    found = fit_to_learn([*sources, targets[2]], [*targets, sources[2]], seen=[False, True, False, False], judge=judge)
    assert found == ("not_strict", "seen_in_test", None, None)
    assert asked == [{sources[0], targets[0]}, {sources[2], targets[2]}], "both ways are one question"
    assert counted_reasons(found) == {"seen_in_test": 1, "not_strict": 1}


@given(
    st.lists(
        st.lists(st.sampled_from(["the", "storm", "hit", "coast", "a"]), min_size=1, max_size=8), min_size=2, max_size=2
    )
)
def test_bleu_is_sacrebleus_the_higher_way_round(texts: list[list[str]]) -> None:
    left, right = (" ".join(one) for one in texts)
    options = FitOptions(facts="any", near_copies=True, min_words=1, max_length_ratio=9.0)
    higher = max(sentence_bleu(left, [right]).score, sentence_bleu(right, [left]).score)
    for limit in (higher - 0.01, higher + 0.01):
        if 0 <= limit < 100:
            reason = None if limit > higher else "bleu"
            assert fit_to_learn([left], [right], replace(options, max_bleu=limit)) == (reason,)


def test_the_order_of_rows_decides_nothing_but_which_of_two_duplicates_is_kept() -> None:
    rows = [(source, target) for source, target, _ in KEPT_OR_WHY]
    forward = fit_to_learn(*zip(*rows, strict=True))
    backward = fit_to_learn(*zip(*rows[::-1], strict=True))
    assert forward == backward[::-1]
    assert set(forward) - {None} <= set(REASONS)


WRONG = [
    ({"max_bleu": 101}, "is no BLEU"),
    ({"min_score": 2}, "is no probability"),
    ({"min_words": 0}, "leave no text"),
    ({"min_words": 9, "max_words": 8}, "leave no text"),
    ({"max_length_ratio": 1}, "must be above 1"),
]


@pytest.mark.parametrize(("given", "complaint"), WRONG)
def test_what_cannot_be_asked_for_is_refused(given: dict[str, float], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        FitOptions(**given)  # type: ignore[arg-type]


def test_every_source_needs_its_paraphrase() -> None:
    with pytest.raises(InputError, match="1 sources and 0 paraphrases"):
        fit_to_learn([STORM], [])
