"""What one kind of task is: what it shows, what may be answered, which votes follow from an answer, which keys give it.

A kind is one module of this package: the dataclass of what is shown (its content), the dataclass of the answer, both
with their checks, and a class with the members of `Task`. A template of the same name shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeVar

Raw = Mapping[str, Any]
"""JSON as it came: nothing is known of it yet."""

ContentT = TypeVar("ContentT")
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the keyboard and what it does, as the page shows and obeys it."""

    key: str
    """As the browser names it: `1`, `Enter`, `ArrowLeft`."""
    does: str


@dataclass(frozen=True, slots=True)
class Vote:
    """One value that an answer gives to one thing: what majority, kappa and alpha are counted from."""

    unit: str
    """The item's id, or the id of one of its candidates, or the item's id and the aspect that was rated."""
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a campaign decides about how its items are shown."""

    definition: str = "loose"
    """What counts as a paraphrase: the instructions' cases and examples follow it."""
    context: bool = True
    """Show the documents around a pair."""
    suggestions: bool = True
    """Show what an aligner suggests."""
    topics: tuple[str, ...] = ()
    """Categories to choose from, where the task asks for one."""


class Task(Protocol[ContentT, AnswerT]):
    """One kind of task."""

    name: ClassVar[str]
    item_kind: ClassVar[str]
    """What is judged: pair, document pair, group, text."""
    about: ClassVar[str]
    """One line for whoever chooses a kind."""
    keys: ClassVar[tuple[Key, ...]]
    scale: ClassVar[str]
    """nominal or ordinal: how far apart two votes are."""

    def read_content(self, raw: Raw) -> ContentT:
        """What is shown, checked; raises InputError that names the field."""

    def read_answer(self, raw: Raw, content: ContentT) -> AnswerT:
        """The answer, checked against what was shown; raises InputError that names the field."""

    def votes(self, item_id: str, content: ContentT, answer: AnswerT) -> Sequence[Vote]:
        """What the answer says, in values that can be counted; empty where answers cannot be compared."""

    def is_right(self, answer: AnswerT, expected: AnswerT) -> bool:
        """Whether an answer to a test question is right."""

    def instructions(self, shown: Shown) -> str:
        """Markdown to begin with: the paper's definition, cases and examples."""
