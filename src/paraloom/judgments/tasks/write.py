"""The adversarial paraphrasing game: say the same in words as different as can be (Nighojkar and Licato, 2021, section
3.1). A model judges attempts while they are written (see `judgments.game`); what is submitted is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import flag, only, text
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote
from paraloom.text.normalise import bare


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteContent:
    """The sentence to say otherwise."""

    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteAnswer:
    """What was written, or that nothing came of it."""

    text: str
    """Empty for those who gave up, and only for them."""
    gave_up: bool = False


class WriteTask:
    """Write a paraphrase that a similarity score does not recognise."""

    name: ClassVar[str] = "write"
    item_kind: ClassVar[str] = "text"
    about: ClassVar[str] = "A game: write the same in words so different that a similarity score does not see it."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        Key("Control+Enter", "Check"),
        Key("Control+Shift+Enter", "Submit"),
        Key("Alt+↑ Alt+↓", "Take an older or a newer attempt up again"),
    )

    def read_content(self, raw: Raw) -> WriteContent:
        """The source must hold a word: what says nothing cannot be said otherwise."""
        only(raw, ("source",), "text")
        source = text(raw, "source")
        if not bare(source):
            raise InputError("`source` holds no word, so it cannot be said in other words.")
        return WriteContent(source=source)

    def read_answer(self, raw: Raw, content: WriteContent) -> WriteAnswer:
        """Other words than the source's, or giving up with none."""
        only(raw, ("text", "gave_up"), "answer")
        if flag(raw, "gave_up", default=False):
            if text(raw, "text", empty=True).strip():
                raise InputError("`text` must be empty for those who give up.")
            return WriteAnswer(text="", gave_up=True)
        return WriteAnswer(text=attempt(raw, content))

    def votes(self, item_id: str, content: WriteContent, answer: WriteAnswer) -> Sequence[Vote]:
        """None: everybody writes something else."""
        return ()

    def is_right(self, answer: WriteAnswer, expected: WriteAnswer) -> bool:
        """Something was written, unless nothing was expected; how good it is, the reward says."""
        return expected.gave_up or not answer.gave_up

    def instructions(self, shown: Shown) -> str:
        """What Nighojkar and Licato (2021) told their participants, and how the reward is reckoned."""
        return guide("write")


def attempt(raw: Raw, content: WriteContent) -> str:
    """A text that can be checked or submitted: it holds a word, and not only the source's own.

    >>> attempt({"text": "the STORM hit"}, WriteContent(source="The storm hit."))
    Traceback (most recent call last):
    paraloom.errors.InputError: `text` is the given sentence again, but for case and punctuation. Say it in other words.
    """
    written = text(raw, "text")
    key = bare(written)
    if not key:
        raise InputError("`text` holds no word.")
    if key == bare(content.source):
        raise InputError("`text` is the given sentence again, but for case and punctuation. Say it in other words.")
    return written
