"""Pairs of texts in, paraphrases by at least one anchor out: MultiP (Xu et al., 2014).

Two short texts on one topic say the same if some word of one and some word of the other, outside the topic's name, mean
the same here. Which word pairs do (the anchors) nobody has labelled: a perceptron learns it from the labels of
the texts, with the most probable anchors filled in as it goes. A pair's score comes from its best word pair.

What is not as in the paper: kinds of words by shape and ending stand for parts of speech, and how significant a word is
in a topic is known only for topics that were named in the examples (`Examples.topics`), because a score may not
depend on the other pairs it is asked with. New topics are scored without it, and half of the training is too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.anchors import SIZE, AnchorCandidates, candidate_pairs
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.seen_words import SeenWords, topic_key
from paraloom.models.identifiers.thresholds import Threshold, place_threshold

NAME = "multip"
SEEN_FILE = "seen_words.json"
PAIRS_AT_ONCE = 1024
"""The word pairs of so many pairs are made together, however many are scored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchoring:
    """What was learned for one definition: the weight of each feature of a word pair."""

    weights: tuple[float, ...]
    without_any: float
    """The margin of a pair that has no word pair at all: the lowest that was seen."""
    threshold: Threshold
    """Where .5 lies on the margins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiP:
    """Multi-instance learning of paraphrases: a pair of texts is one if it has an anchor.

    >>> MultiP().fit([], [])
    Traceback (most recent call last):
    paraloom.errors.InputError: There are no examples to learn from. Give pairs whose answers are known.
    """

    rounds: int = 20
    """How many times all examples are gone through."""
    longest_phrase: int = 3
    """A topic phrase that was not given, but guessed, has at most so many words."""
    language: str = "en"
    """The language whose lemmas and function words are known."""
    seen: SeenWords = field(default_factory=SeenWords)
    fitted: Mapping[str, Anchoring] = field(default_factory=dict)
    """What was learned, by definition. Empty before `fit`."""

    def __post_init__(self) -> None:
        if self.rounds < 1 or self.longest_phrase < 1:
            raise InputError("Rounds and longest_phrase are counts. Give at least 1 of each.")

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted))

    @property
    def parameters(self) -> int:
        topical = sum(len(levels) for levels in self.seen.topics.values())
        return SIZE * len(self.fitted) + len(self.seen.commonness) + topical

    @property
    def signature(self) -> str:
        told = json.dumps([self._card(), self.seen.as_json()], sort_keys=True)
        weights = blake2b(told.encode(), digest_size=4).hexdigest()
        return (
            f"{NAME}|phrase:{self.longest_phrase}|lemmas:{self.language}|paraloom:{paraloom_version()}"
            f"|weights:{weights}"
        )

    def score(
        self,
        left: Sequence[str],
        right: Sequence[str],
        definition: str = "loose",
        topics: Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase.

        `topics` are what each pair is about, where that is known; an empty one is guessed.
        """
        check_definition(NAME, definition, self.definitions)
        check_pairs(left, right)
        if topics is not None and len(topics) != len(left):
            raise InputError(f"There are {len(topics)} topics for {len(left)} pairs. Give one a pair.")
        learned = self.fitted[definition]
        weights = np.array(learned.weights)
        margins = [
            part.margins(weights, learned.without_any) for part in self._candidates(self.seen, left, right, topics)
        ]
        return learned.threshold.apply(np.concatenate([np.zeros(0), *margins]))

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> MultiP:
        """The same settings with words counted, weights learned from the examples, and .5 set by the held-out ones."""
        both = with_held_out(examples, held_out)
        texts = dict.fromkeys(text for one, _ in both for text in (*one.left, *one.right))
        seen = SeenWords.counted(texts, _by_topic([one for one, _ in both]), self.language)
        fitted = {one.definition: self._learn(seen, one, kept, seed) for one, kept in both}
        return MultiP(
            rounds=self.rounds,
            longest_phrase=self.longest_phrase,
            language=self.language,
            seen=seen,
            fitted=fitted,
        )

    def _learn(self, seen: SeenWords, examples: Examples, held_out: Examples, seed: int) -> Anchoring:
        from paraloom.models.identifiers.anchor_loops import learn_weights

        taught = AnchorCandidates.joined(self._candidates(seen, examples.left, examples.right, examples.topics))
        random = np.random.default_rng(seed)
        orders = np.stack([random.permutation(len(examples)) for _ in range(self.rounds)])
        truth = np.asarray(examples.targets) > 0.5
        weights = learn_weights(taught.starts, taught.features, taught.topical, truth, orders, SIZE)
        without_any = float(taught.margins(weights, np.inf).min(initial=0.0))
        kept = AnchorCandidates.joined(self._candidates(seen, held_out.left, held_out.right, held_out.topics))
        return Anchoring(
            weights=tuple(weights.tolist()),
            without_any=without_any,
            threshold=place_threshold(kept.margins(weights, without_any), np.asarray(held_out.targets)),
        )

    def _candidates(
        self, seen: SeenWords, left: Sequence[str], right: Sequence[str], topics: Sequence[str] | None
    ) -> list[AnchorCandidates]:
        return [
            candidate_pairs(
                left[start : start + PAIRS_AT_ONCE],
                right[start : start + PAIRS_AT_ONCE],
                None if topics is None else topics[start : start + PAIRS_AT_ONCE],
                seen,
                language=self.language,
                longest_phrase=self.longest_phrase,
            )
            for start in range(0, len(left), PAIRS_AT_ONCE)
        ]

    def _card(self) -> dict[str, Any]:
        return {
            "name": NAME,
            "settings": {
                "rounds": self.rounds,
                "longest_phrase": self.longest_phrase,
                "language": self.language,
            },
            "definitions": {definition: asdict(learned) for definition, learned in sorted(self.fitted.items())},
        }

    def save(self, folder: Path) -> None:
        """Write settings and weights into a folder as JSON, and the words that were counted beside them."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SEEN_FILE).write_text(json.dumps(self.seen.as_json()) + "\n", encoding="utf-8")
        (folder / CARD).write_text(json.dumps(self._card()) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MultiP:
        """What was saved into a folder."""
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        fitted = {
            definition: Anchoring(
                weights=tuple(learned["weights"]),
                without_any=learned["without_any"],
                threshold=Threshold(**learned["threshold"]),
            )
            for definition, learned in card["definitions"].items()
        }
        if any(len(learned.weights) != SIZE for learned in fitted.values()):
            raise InputError(f"{folder} was fitted on other features than this version computes. Fit it anew.")
        seen = SeenWords.read(json.loads((folder / SEEN_FILE).read_text(encoding="utf-8")))
        return cls(**card["settings"], seen=seen, fitted=fitted)


def _by_topic(examples: Sequence[Examples]) -> dict[str, set[str]]:
    """The texts of each topic that is named."""
    topics: dict[str, set[str]] = {}
    for one in examples:
        for topic, left, right in zip(one.topics or [], one.left, one.right, strict=False):
            if key := topic_key(topic):
                topics.setdefault(key, set()).update((left, right))
    return topics
