"""Sentences and topics in, out comes how common each word is, and how much more frequent in a topic than elsewhere."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from paraloom.models.identifiers.topic_phrases import FUNCTION_WORDS
from paraloom.text.lemmas import lemmatise
from paraloom.text.tokenise import tokenise, words

LONGEST_TEXT = 10_000
MOST_WORDS = 200
"""Of a text only so many characters, and of these so many words, are read."""

COMMON_SHARE = 0.04
"""In a language whose function words are not listed, they are the words that so many sentences have."""
COMMONNESS = 8
"""Levels of how common a word is: each from four times as many sentences on as the one before."""
SIGNIFICANCE = 6
"""Levels of how much more frequent a word is in a topic. 0: nothing is known of the topic; 1: no more than elsewhere;
from 2 on: at least 2, 4, 8, 16 times."""
LEAST_IN_TOPIC = 3
"""A word found in fewer texts of a topic is not called significant."""


def text_words(text: str) -> list[str]:
    """The words of a text, or its tokens where it has none."""
    shown = text[:LONGEST_TEXT]
    return (words(shown) or tokenise(shown))[:MOST_WORDS]


def topic_key(topic: str) -> str:
    """A topic's name as `SeenWords` has it.

    >>> topic_key("Coach Carter ")
    'coach carter'
    """
    return " ".join(text_words(topic))


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenWords:
    """What was counted in the sentences that a model has learned from."""

    commonness: Mapping[str, int] = field(default_factory=dict)
    """Level of each lemma, above 0."""
    function_words: frozenset[str] = FUNCTION_WORDS
    topics: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """For each topic that was named, the words that are more frequent in it, with their level (above 1)."""

    def as_json(self) -> dict[str, Any]:
        """All of it, for `read`."""
        return {
            "function_words": sorted(self.function_words),
            "commonness": dict(self.commonness),
            "topics": {topic: dict(levels) for topic, levels in self.topics.items()},
        }

    @classmethod
    def read(cls, written: Mapping[str, Any]) -> SeenWords:
        """What `as_json` gave."""
        return cls(
            function_words=frozenset(written["function_words"]),
            commonness=written["commonness"],
            topics=written["topics"],
        )

    @classmethod
    def counted(cls, texts: Iterable[str], topics: Mapping[str, set[str]], language: str) -> SeenWords:
        """Count distinct texts, and the texts of each topic."""
        sentences = [text_words(text) for text in texts]
        found_in = Counter(word for sentence in sentences for word in set(sentence))
        lemmas = Counter(lemma for sentence in sentences for lemma in set(lemmatise(sentence, language)))
        levels = {lemma: min(COMMONNESS - 1, ((count + 1).bit_length() - 1) // 2) for lemma, count in lemmas.items()}
        common = frozenset(word for word, count in found_in.items() if count >= COMMON_SHARE * len(sentences))
        return cls(
            commonness={lemma: level for lemma, level in sorted(levels.items()) if level},
            function_words=FUNCTION_WORDS if language == "en" else common,
            topics={
                topic: _significant(topic_texts, found_in, len(sentences))
                for topic, topic_texts in sorted(topics.items())
            },
        )


def _significant(texts: set[str], found_in: Counter[str], sentences: int) -> dict[str, int]:
    """The level of each word by how many times more frequent it is in these texts: twice, four times …"""
    inside = Counter(word for text in texts for word in set(text_words(text)))
    levels = {}
    for word, count in sorted(inside.items()):
        times = count / len(texts) / (found_in[word] / sentences)
        if count >= LEAST_IN_TOPIC and times >= 2:
            levels[word] = min(SIGNIFICANCE - 1, 1 + int(math.log2(times)))
    return levels
