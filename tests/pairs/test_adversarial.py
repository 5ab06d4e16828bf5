"""The adversarial paraphrasing game: rounds, stopping, rewards, and what a generator can learn from attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.metrics.meaning.adversarial import Answers, apt_passes, apt_reward
from paraloom.models.generators import Candidate, streams
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.parroting import ParrotGenerator
from paraloom.models.implication import load
from paraloom.pairs.adversarial import Attempt, play
from paraloom.pairs.adversarial_lessons import parted, passing_pairs, preferences_of
from paraloom.pairs.adversarial_options import GameOptions, LessonOptions

SOURCES = ["The mayor refused to resign.", "A storm hit the coast on Monday.", "Two ships sank near the harbour."]


class Draws:
    """A generator that draws words, and says with which settings."""

    name = "draws"

    def __init__(self, decoding: Decoding = Decoding()) -> None:
        self.decoding = decoding

    @property
    def signature(self) -> str:
        return f"draws|{self.decoding.signature}"

    def with_decoding(self, decoding: Decoding) -> Draws:
        return Draws(decoding)

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        return [
            [
                Candidate(text=f"{self.decoding.top_k} {self.decoding.top_p:g} {own.integers(10**6)}", score=-place)
                for place in range(n)
            ]
            for own in streams(sources, rng)
        ]


class Judge:
    """Holds everything for mutually implicative, and unlike its source from a value of k on."""

    signature = "judge"

    def __init__(self, unlike_from: int) -> None:
        self.unlike_from = unlike_from

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        top_k = np.array([int(text.split()[0]) if text.strip() else 0 for text in right])
        similarity = np.where(top_k >= self.unlike_from, 0.5, 0.51)
        return Answers(implication=np.full(len(right), 0.9), similarity=similarity)


def test_a_source_is_tried_in_rounds_that_draw_from_more_tokens_and_less_probability() -> None:
    [attempts] = play(SOURCES[:1], Draws(), Judge(10**9))
    assert len(attempts) == 50
    assert sorted({(one.round, one.top_k, one.top_p) for one in attempts}) == [
        (1, 120, 0.95),
        (2, 140, 0.9),
        (3, 160, 0.85),
        (4, 180, 0.8),
        (5, 200, 0.75),
    ]
    assert all(one.attempt.startswith(f"{one.top_k} {one.top_p:g} ") for one in attempts)


@pytest.mark.parametrize(("unlike_from", "rounds"), [(120, 1), (160, 3), (201, 5)])
def test_the_round_in_which_an_attempt_passes_is_the_last_and_is_recorded_whole(unlike_from, rounds) -> None:
    [attempts] = play(SOURCES[:1], Draws(), Judge(unlike_from))
    assert len(attempts) == 10 * rounds
    assert {one.round for one in attempts if one.passes} == ({rounds} if unlike_from <= 200 else set())


def test_what_is_drawn_for_a_source_does_not_depend_on_the_sources_beside_it() -> None:
    together = play(SOURCES, Draws(), Judge(160))
    alone = [play([source], Draws(), Judge(160), rows=[row])[0] for row, source in enumerate(SOURCES, start=1)]
    assert together == alone
    assert together[0][0].attempt != together[1][0].attempt
    assert play(SOURCES, Draws(), Judge(160), GameOptions(seed=2)) != together


def test_a_generator_that_draws_nothing_plays_one_round() -> None:
    [attempts] = play(SOURCES[1:2], ParrotGenerator(), load())
    assert {(one.round, one.top_k, one.top_p) for one in attempts} == {(1, None, None)}
    assert len(attempts) == 10
    copy = attempts[0]
    assert copy.attempt == copy.source
    assert copy.is_mutual
    assert not copy.passes
    assert copy.reward == round(apt_reward(True, copy.similarity), 6)


def test_texts_without_words_and_very_long_ones_are_not_played() -> None:
    assert play(["", " … ", "a " * 401], ParrotGenerator(), load()) == [[], [], []]


def test_an_attempt_without_a_word_implies_nothing() -> None:
    class Silent(Draws):
        def with_decoding(self, decoding: Decoding) -> Draws:
            return Silent(decoding)

        def generate(self, sources, n, rng):
            return [[Candidate(text=" ", score=0.0)] for _ in sources]

    [attempts] = play(SOURCES[:1], Silent(), Judge(0))
    assert {(one.implication, one.is_mutual, one.reward) for one in attempts} == {(0.0, False, 0.0)}


@pytest.mark.parametrize(
    "wrong",
    [{"rounds": 0}, {"attempts": 0}, {"rounds": 30}, {"first_top_p": 1.5}, {"less_top_p": -0.1}, {"seed": -1}],
)
def test_a_game_that_cannot_be_played_is_refused(wrong) -> None:
    with pytest.raises(InputError):
        GameOptions(**wrong)


def attempt(text: str, reward: float, *, source: str = "Two ships sank.", number: int = 1) -> Attempt:
    return Attempt(
        row=1,
        round=1,
        number=number,
        source=source,
        attempt=text,
        top_k=None,
        top_p=None,
        score=0.0,
        implication=0.9 if reward else 0.1,
        similarity=0.0,
        is_mutual=reward > 0,
        reward=reward,
        passes=reward > 0.1,
        generator="by hand",
    )


def test_the_best_attempts_are_preferred_to_the_worst_where_they_earn_enough_more() -> None:
    attempts = [attempt("two vessels sank", 0.8), attempt("two ships did sink", 0.3), attempt("ships two sank", 0.28)]
    attempts += [attempt("three ships sailed", 0.0), attempt("two vessels sank", 0.8, number=2)]
    found = preferences_of(attempts, LessonOptions(least_gap=0.05))
    assert [(one.better, one.worse, one.gap) for one in found] == [("two vessels sank", "three ships sailed", 0.8)]
    found = preferences_of(attempts, LessonOptions(least_gap=0.01))
    assert [(one.better, one.worse) for one in found] == [
        ("two vessels sank", "three ships sailed"),
        ("two ships did sink", "ships two sank"),
    ]
    assert len(preferences_of(attempts, LessonOptions(least_gap=0.01, lessons_a_source=1))) == 1


def real(text: str, similarity: float, *, is_mutual: bool = True, source: str = "Two ships sank.") -> Attempt:
    """An attempt that earns what the paper says."""
    earned = {"reward": apt_reward(is_mutual, similarity), "passes": apt_passes(is_mutual, similarity)}
    return replace(attempt(text, 1.0, source=source), similarity=similarity, is_mutual=is_mutual, **earned)


def test_the_better_stands_over_what_says_something_else_and_over_what_is_too_alike_in_turns() -> None:
    good = [real("two vessels sank", 0.1), real("two boats sank", 0.2)]
    alike = [real("two ships sank", 0.9), real("two ships sank!", 0.95)]
    other = [real("two ships sailed", 0.8, is_mutual=False), real("two ships", 0.5, is_mutual=False)]
    found = preferences_of([*good, *alike, *other])
    assert [(one.better, one.worse) for one in found] == [
        ("two vessels sank", "two ships"),
        ("two boats sank", "two ships sank!"),
    ]
    assert [one.worse for one in preferences_of([*good, *alike])] == ["two ships sank!", "two ships sank"]
    assert all(one.gap >= 0.004 for one in found)


def test_the_turns_go_on_from_source_to_source() -> None:
    sources = ["Two ships sank.", "Two towns burned.", "Two men left."]
    attempts = [
        one
        for source in sources
        for one in (
            real("it was so", 0.2, source=source),
            real("it was not so", 0.1, is_mutual=False, source=source),
            real("it was so, so", 0.9, source=source),
        )
    ]
    worse = [one.worse for one in preferences_of(attempts, LessonOptions(keep=("none",)))]
    assert worse == ["it was not so", "it was so, so", "it was not so"]


def test_no_attempt_is_in_two_preferences() -> None:
    some = [attempt(f"two ships sank {word}", reward) for word, reward in zip("abcdefgh", range(1, 9), strict=True)]
    found = preferences_of([*some, attempt("no", 0.0)], LessonOptions(lessons_a_source=9))
    texts = [text for one in found for text in (one.better, one.worse)]
    assert len(texts) == len(set(texts)) == 8


def test_an_attempt_that_changes_a_number_is_never_followed_unless_nothing_is_checked() -> None:
    attempts = [attempt("Three ships went down.", 0.9), attempt("Two ships went down.", 0.4), attempt("No.", 0.0)]
    assert [one.better for one in preferences_of(attempts)] == ["Two ships went down."]
    assert passing_pairs(attempts) == [("Two ships sank.", "Two ships went down.")]
    unchecked = LessonOptions(keep=("none",))
    assert preferences_of(attempts, unchecked)[0].better == "Three ships went down."
    assert len(passing_pairs(attempts, unchecked)) == 2


def test_only_attempts_that_passed_are_learned_from_by_themselves() -> None:
    attempts = [attempt("two vessels sank", 0.05), replace(attempt("two ships went down", 0.5), passes=True)]
    assert passing_pairs(attempts) == [("Two ships sank.", "two ships went down")]


def test_no_source_is_both_learned_from_and_held_out() -> None:
    learned, held_out = parted([f"source {number}" for number in range(20)], 0.1, seed=1)
    assert len(held_out) == 2
    assert not learned & held_out
    assert parted(["only"], 0.5, seed=1) == ({"only"}, frozenset())
