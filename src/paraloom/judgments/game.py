"""Attempts in, what they are worth out: the adversarial paraphrasing game (Nighojkar and Licato, 2021, section 3.1).

An attempt passes if it and its source imply each other while a similarity score finds them unlike; the less alike they
are, the higher the reward, up to 1. A campaign may pay money for it: amounts are whole millionths of its currency.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from paraloom.metrics.meaning.adversarial import IMPLIED, ImplicationModel, apt_passes, apt_reward
from paraloom.text.normalise import bare

MILLIONTHS = 1_000_000
CAP = 20 * MILLIONTHS
"""The study ended for a person who had earned 20 dollars, so that more people took part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What one attempt is worth."""

    implication: float
    """Probability that source and text imply each other."""
    similarity: float
    """On BLEURT's scale, usually -2.2 to 1.1."""
    reward: float
    """From 0 to 1; 0 for what does not pass."""
    passes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One person's row of the leader board."""

    place: int
    """From 1; who has the same total has the same place."""
    person: str
    total: float
    submitted: int
    passed: int
    """Of those submitted: with a reward above 0."""
    best: float


def judge(model: ImplicationModel, source: str, text: str) -> Check:
    """What an attempt is worth. The formula's last half cent above a similarity of .5 is not paid, as in the paper."""
    answers = model.answer([source], [text])
    # A model answers about anything; what holds no word says nothing, and so implies nothing.
    implication = round(float(answers.implication[0]), 6) if bare(text) else 0.0
    similarity = round(float(answers.similarity[0]), 6)
    implied = implication > IMPLIED
    passes = apt_passes(implied, similarity)
    reward = round(apt_reward(implied, similarity), 6) if passes else 0.0
    return Check(implication=implication, similarity=similarity, reward=reward, passes=passes)


def leader_board(rewards: Iterable[tuple[str, Sequence[float]]]) -> list[Place]:
    """Everybody who submitted, by what all their submitted answers are worth together.

    >>> rows = leader_board([("ann", [0.5]), ("bo", [0.0, 0.75]), ("cy", [0.5])])
    >>> [(row.place, row.person, row.total, row.passed) for row in rows]
    [(1, 'bo', 0.75, 1), (2, 'ann', 0.5, 1), (2, 'cy', 0.5, 1)]
    """
    theirs = {person: each for person, each in rewards if each}
    totals = {person: round(fsum(each), 6) for person, each in theirs.items()}
    best_first = sorted(totals.values(), reverse=True)
    rows = [
        Place(
            place=best_first.index(totals[person]) + 1,
            person=person,
            total=totals[person],
            submitted=len(each),
            passed=sum(reward > 0 for reward in each),
            best=max(each),
        )
        for person, each in theirs.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.person))


def payment(reward: float, *, pay: int, earned: int, cap: int | None = CAP) -> int:
    """What a submitted answer is paid, in millionths: `pay` for a reward of 1, nothing once the cap is reached.

    The answer that reaches the cap is paid in full: it was written under that promise.

    >>> payment(0.25, pay=1_000_000, earned=19_900_000), payment(0.25, pay=1_000_000, earned=20_150_000)
    (250000, 0)
    """
    return 0 if has_earned_all(earned, cap) else round(reward * pay)


def has_earned_all(earned: int, cap: int | None = CAP) -> bool:
    """Whether the game is over for somebody who has earned so much; without a cap it never is.

    >>> has_earned_all(19_999_999), has_earned_all(20_000_000), has_earned_all(99_000_000, cap=None)
    (False, True, False)
    """
    return cap is not None and earned >= cap
