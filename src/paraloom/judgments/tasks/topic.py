"""A group of sentences in, what it is about out (Dou et al., 2022, section 2.2: topics are balanced by hand)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import choice, only, optional_text, texts
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote
from paraloom.tables import TOPICS

MOST_SENTENCES = 100
KEYS = "123456789abcdefijklmnopqrstuvwxyz"
"""Of the topics, one by one; the page itself needs g and h."""
MOST_TOPIC_LETTERS = 200
"""A topic is a vote, and the store keeps so much of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicContent:
    """Sentences of one group, and what holds it together where that is known (a trend, an address)."""

    sentences: tuple[str, ...]
    key: str | None = None
    topics: tuple[str, ...] = ()
    """Categories of its own; none for the eight of the paper."""

    @property
    def choices(self) -> tuple[str, ...]:
        """The topics to choose from."""
        return self.topics or TOPICS

    @property
    def keyed(self) -> tuple[tuple[str, str], ...]:
        """Each topic with its key."""
        return tuple(zip(KEYS, self.choices, strict=False))


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicAnswer:
    """What the group is about."""

    topic: str


class TopicTask:
    """Name the topic."""

    name: ClassVar[str] = "topic"
    item_kind: ClassVar[str] = "group"
    about: ClassVar[str] = "A group of sentences: what is it about?"
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        *(Key(str(number), f"Topic {number}") for number in range(1, 10)),
        Key("a", "Topic 10, and so on through the alphabet"),
    )

    def read_content(self, raw: Raw) -> TopicContent:
        """At least one sentence; topics of the item's own must differ."""
        only(raw, ("sentences", "key", "topics"), "item")
        sentences = texts(raw, "sentences", least=1, most=MOST_SENTENCES)
        topics: tuple[str, ...] = ()
        if raw.get("topics"):
            topics = texts(raw, "topics", least=2, most=len(KEYS), letters=MOST_TOPIC_LETTERS)
        if len(set(topics)) < len(topics):
            raise InputError("`topics` holds the same topic twice.")
        return TopicContent(sentences=sentences, key=optional_text(raw, "key"), topics=topics)

    def read_answer(self, raw: Raw, content: TopicContent) -> TopicAnswer:
        """One of the topics."""
        only(raw, ("topic",), "answer")
        return TopicAnswer(topic=choice(raw, "topic", content.choices))

    def votes(self, item_id: str, content: TopicContent, answer: TopicAnswer) -> Sequence[Vote]:
        """One vote on the group."""
        return (Vote(item_id, answer.topic),)

    def is_right(self, answer: TopicAnswer, expected: TopicAnswer) -> bool:
        """The same topic."""
        return answer == expected

    def instructions(self, shown: Shown) -> str:
        """The eight topics of the paper, and what to do where two fit."""
        return guide("topic")
