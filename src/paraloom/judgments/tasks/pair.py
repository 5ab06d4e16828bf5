"""One pair at a time: paraphrase or not (Dou et al., 2022, sections 2.4 and 2.5, figures 9 to 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import flag, only, optional_text, text
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote


@dataclass(frozen=True, slots=True, kw_only=True)
class PairContent:
    """Two sentences, and what they are about where that is known (a trend, a headline)."""

    left: str
    right: str
    topic: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAnswer:
    """Whether they are paraphrases under the campaign's definition."""

    is_paraphrase: bool


class PairTask:
    """Paraphrase or not."""

    name: ClassVar[str] = "pair"
    item_kind: ClassVar[str] = "pair"
    about: ClassVar[str] = "One pair at a time: paraphrase or not."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (Key("1", "Paraphrase"), Key("2", "Not a paraphrase"))

    def read_content(self, raw: Raw) -> PairContent:
        """Both sentences must be there."""
        only(raw, ("left", "right", "topic"), "pair")
        return PairContent(left=text(raw, "left"), right=text(raw, "right"), topic=optional_text(raw, "topic"))

    def read_answer(self, raw: Raw, content: PairContent) -> PairAnswer:
        """Yes or no; there is no third way."""
        only(raw, ("is_paraphrase",), "answer")
        return PairAnswer(is_paraphrase=flag(raw, "is_paraphrase"))

    def votes(self, item_id: str, content: PairContent, answer: PairAnswer) -> Sequence[Vote]:
        """One vote on the pair."""
        return (Vote(item_id, "1" if answer.is_paraphrase else "0"),)

    def is_right(self, answer: PairAnswer, expected: PairAnswer) -> bool:
        """The same answer."""
        return answer == expected

    def instructions(self, shown: Shown) -> str:
        """The loose definition's cases or the strict one's, with the papers' examples."""
        return guide(f"pair_{'loose' if shown.definition == 'loose' else 'strict'}")
