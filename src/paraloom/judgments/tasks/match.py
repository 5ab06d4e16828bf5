"""Two documents in, whether they are worth extracting from out (Kanerva et al., 2023, section 3.3).

44% of the forum's candidate pairs were rejected at this glance: it takes less time than to find out while extracting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.judgments.tasks.documents import inside
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS, flag, only, optional_text, text
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchDocument:
    """One side of the pair."""

    text: str
    title: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchContent:
    """Two documents that may tell of the same."""

    left: MatchDocument
    right: MatchDocument


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAnswer:
    """Whether paraphrases can be expected of them."""

    accept: bool


class MatchTask:
    """Accept or reject."""

    name: ClassVar[str] = "match"
    item_kind: ClassVar[str] = "document pair"
    about: ClassVar[str] = "Two documents: accept or reject them at a glance, before paraphrases are extracted."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (Key("1", "Accept"), Key("2", "Reject"))

    def read_content(self, raw: Raw) -> MatchContent:
        """Both documents must have a text."""
        only(raw, ("left", "right"), "item")
        return MatchContent(left=_document(raw, "left"), right=_document(raw, "right"))

    def read_answer(self, raw: Raw, content: MatchContent) -> MatchAnswer:
        """Yes or no."""
        only(raw, ("accept",), "answer")
        return MatchAnswer(accept=flag(raw, "accept"))

    def votes(self, item_id: str, content: MatchContent, answer: MatchAnswer) -> Sequence[Vote]:
        """One vote on the pair of documents."""
        return (Vote(item_id, "1" if answer.accept else "0"),)

    def is_right(self, answer: MatchAnswer, expected: MatchAnswer) -> bool:
        """The same answer."""
        return answer == expected

    def instructions(self, shown: Shown) -> str:
        """What to look for in the first few sentences."""
        return guide("match")


def _document(raw: Raw, side: str) -> MatchDocument:
    fields = inside(raw.get(side), ("title", "text", "id"), side)
    return MatchDocument(
        text=text(fields, f"{side}.text", most=MOST_DOCUMENT_LETTERS),
        title=optional_text(fields, f"{side}.title"),
        id=optional_text(fields, f"{side}.id"),
    )
