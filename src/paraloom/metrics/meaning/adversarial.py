"""Outputs in, out comes how well they play the adversarial paraphrasing game: same meaning, other words.

A paraphrase passes the Adversarial Paraphrasing Task (APT; Nighojkar and Licato, 2021) if it and its source imply each
other while a similarity score finds them unlike. The model that judges both is an argument: see `models.implication`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, mean_of

MOST_SIMILAR = 0.5
"""A pair that is more alike than this does not pass, and was not paid for."""
Measure = Callable[[Sequence[str]], Measured]

IMPLIED = 0.5
"""The probability above which two texts count as mutually implicative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a model says of pairs, one number a pair each."""

    implication: NDArray[np.float64]
    """Probability that each text implies the other."""
    similarity: NDArray[np.float64]
    """How alike they are, on BLEURT's scale (usually -2.2 to 1.1)."""


class ImplicationModel(Protocol):
    """Judges mutual implication and similarity of pairs."""

    @property
    def signature(self) -> str:
        """What decides its answers."""

    def answer(self, left: Sequence[str], right: Sequence[str]) -> Answers:
        """Both answers for each pair."""


def apt_reward(mutually_implicative: bool, similarity: float) -> float:
    """What an attempt earns: mi / (1 + exp(5 · similarity))², in dollars in the study (equation 1 of the paper).

    The formula pays a little even above the border of .5 (less than a cent); `apt_passes` draws the line.

    >>> round(apt_reward(True, -1.0), 3), round(apt_reward(True, 0.0), 3), apt_reward(False, -1.0)
    (0.987, 0.25, 0.0)
    """
    if not mutually_implicative:
        return 0.0
    return float(_rewards(np.array([1.0]), np.array([similarity]))[0])


def apt_passes(mutually_implicative: bool, similarity: float) -> bool:
    """Whether an attempt passes: mutually implicative, and a similarity of at most .5.

    >>> apt_passes(True, 0.5), apt_passes(True, 0.51), apt_passes(False, -1.0)
    (True, False, False)
    """
    return mutually_implicative and similarity <= MOST_SIMILAR


def _rewards(implicative: NDArray[np.float64], similarity: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(implicative / (1 + np.exp(5 * np.clip(similarity, -100, 60))) ** 2)


@dataclass(frozen=True, slots=True)
class MutualImplication:
    """How probable it is that source and output imply each other; the mean over outputs."""

    model: ImplicationModel
    name: str = "mutual-implication"
    better: Better = "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Measure:
        """Judges outputs against their sources."""
        return _judging(self.name, self.better, self.model, evaluation_set, lambda answers: answers.implication)


@dataclass(frozen=True, slots=True)
class LearnedSimilarity:
    """How alike source and output are on BLEURT's scale. A paraphrase should score low here and imply its source."""

    model: ImplicationModel
    name: str = "learned-similarity"
    better: Better = "neither"

    def prepare(self, evaluation_set: EvaluationSet) -> Measure:
        """Judges outputs against their sources."""
        return _judging(self.name, self.better, self.model, evaluation_set, lambda answers: answers.similarity)


@dataclass(frozen=True, slots=True)
class AptReward:
    """The mean reward of the adversarial paraphrasing game, from 0 to 1; see `apt_reward`."""

    model: ImplicationModel
    name: str = "apt-reward"
    better: Better = "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Measure:
        """Judges outputs against their sources."""
        return _judging(self.name, self.better, self.model, evaluation_set, _rewards_of)


@dataclass(frozen=True, slots=True)
class AptPass:
    """The share of outputs that pass the adversarial paraphrasing task; see `apt_passes`."""

    model: ImplicationModel
    name: str = "apt-pass"
    better: Better = "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Measure:
        """Judges outputs against their sources."""
        return _judging(self.name, self.better, self.model, evaluation_set, _passes_of)


def _judging(
    name: str,
    better: Better,
    model: ImplicationModel,
    evaluation_set: EvaluationSet,
    items_of: Callable[[Answers], NDArray[np.float64]],
) -> Measure:
    def measure(outputs: Sequence[str]) -> Measured:
        texts = evaluation_set.check_outputs(outputs)
        answers = model.answer(evaluation_set.sources, texts)
        # A model answers about anything; what holds no word says nothing, and so implies nothing.
        has_words = np.array([any(character.isalnum() for character in text) for text in texts], bool)
        answers = Answers(implication=np.where(has_words, answers.implication, 0.0), similarity=answers.similarity)
        return mean_of(name, items_of(answers), f"{name}|{model.signature}", better)

    return measure


def _rewards_of(answers: Answers) -> NDArray[np.float64]:
    return _rewards((answers.implication > IMPLIED).astype(np.float64), answers.similarity)


def _passes_of(answers: Answers) -> NDArray[np.float64]:
    return ((answers.implication > IMPLIED) & (answers.similarity <= MOST_SIMILAR)).astype(np.float64)
