"""One sentence against ten: which of them mean the same (the crowd's task of Lan et al., 2017, section 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.listed import MOST_ID_LETTERS, Listed, cases, ids, listed
from paraloom.judgments.tasks.reading import only, text, texts
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote

LEAST_CANDIDATES = 2
MOST_CANDIDATES = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseContent:
    """A sentence and those it is compared with; the paper shows ten."""

    original: str
    candidates: tuple[Listed, ...]
    """Their ids are those of the pairs with the original: votes are counted by them, over the whole campaign."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChooseAnswer:
    """The candidates that mean the same as the original, out of those that were on the screen."""

    chosen: tuple[str, ...]
    """In the candidates' order; empty where the person said that none does."""
    shown: tuple[str, ...]


class ChooseTask:
    """One against ten."""

    name: ClassVar[str] = "choose"
    item_kind: ClassVar[str] = "group"
    about: ClassVar[str] = "One sentence against ten: tick those that mean the same."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        *(Key(str(number % 10), f"Tick or untick sentence {number}") for number in range(1, 11)),
        Key("n", "None of these"),
        Key("Enter", "Submit"),
    )

    def read_content(self, raw: Raw) -> ChooseContent:
        """The original, and 2 to 20 candidates with an id each."""
        only(raw, ("original", "candidates"), "item")
        candidates = listed(raw, "candidates", least=LEAST_CANDIDATES, most=MOST_CANDIDATES)
        return ChooseContent(original=text(raw, "original"), candidates=candidates)

    def read_answer(self, raw: Raw, content: ChooseContent) -> ChooseAnswer:
        """Ids of candidates, each once; and what was shown must be what the item holds."""
        only(raw, ("chosen", "shown"), "answer")
        there = ids(content.candidates)
        shown = texts(raw, "shown", least=LEAST_CANDIDATES, most=MOST_CANDIDATES, letters=MOST_ID_LETTERS)
        if shown != there:
            raise InputError("`shown` must be the ids of the item's candidates in their order.")
        chosen = texts(raw, "chosen", least=0, most=len(there), letters=MOST_ID_LETTERS)
        if unknown := [one for one in chosen if one not in there]:
            raise InputError(f"`chosen` holds {unknown[0]!r}, which is not the id of a candidate.")
        if len(set(chosen)) < len(chosen):
            raise InputError("`chosen` holds the same id twice.")
        return ChooseAnswer(chosen=tuple(one for one in there if one in chosen), shown=shown)

    def votes(self, item_id: str, content: ChooseContent, answer: ChooseAnswer) -> Sequence[Vote]:
        """One vote on each candidate: what was not chosen was judged, too."""
        return tuple(Vote(f"{item_id}:{one}", "1" if one in answer.chosen else "0") for one in answer.shown)

    def is_right(self, answer: ChooseAnswer, expected: ChooseAnswer) -> bool:
        """At most one candidate in ten is judged otherwise, and "none" only where none was right."""
        if bool(answer.chosen) != bool(expected.chosen):
            return False  # whoever never ticks anything must not pass where a single one was right
        return len(set(answer.chosen) ^ set(expected.chosen)) <= len(expected.shown) // 10

    def instructions(self, shown: Shown) -> str:
        """How to choose, then the cases of the campaign's definition."""
        return f"{guide('choose')}\n{cases(shown)}"
