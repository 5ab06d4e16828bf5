"""One pair at a time, graded and in its context: the scheme of the Turku corpus (Kanerva et al., 2023, section 5).

A label is 1, 2, 3, 4 or x (skipped); behind 4 alone stand flags: `>` or `<` points to the more general text, `i` is a
minor deviation, `s` a difference of style. A pair that falls short of 4 may be rewritten into one that does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from paraloom.errors import InputError
from paraloom.judgments.tasks.documents import inside, span
from paraloom.judgments.tasks.guides import guide
from paraloom.judgments.tasks.reading import MOST_DOCUMENT_LETTERS, flag, only, optional_text, text
from paraloom.judgments.tasks.task import Key, Raw, Shown, Vote
from paraloom.metrics.identification.graded import SKIP, collapse, written

SKIPPED = SKIP
UNIVERSAL = "4"
MEANINGS = {
    "1": "Unrelated",
    "2": "Related, but not a paraphrase",
    "3": "Paraphrase in this context",
    "4": "Paraphrase in every context",
    SKIPPED: "Skip: cannot be labelled",
}
"""What each base label means, in one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The whole document that one text of the pair stands in, and where it stands."""

    text: str
    start: int
    end: int
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeContent:
    """Two texts, a few words or a few sentences long, and the documents around them where those are known."""

    left: str
    right: str
    left_document: Surroundings | None = None
    right_document: Surroundings | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeAnswer:
    """The label, and what the annotator made of the pair besides."""

    label: str
    """In canonical form: base, direction, `i`, `s`."""
    rewrite_left: str | None = None
    """The left text mended so that the pair deserves a plain 4; None where it was left as it is."""
    rewrite_right: str | None = None
    unsure: bool = False
    """Hard, doubtful or worth talking about."""
    note: str | None = None


class GradeTask:
    """A graded label with flags, and a rewrite where one is easy."""

    name: ClassVar[str] = "grade"
    item_kind: ClassVar[str] = "pair"
    about: ClassVar[str] = "One pair at a time, in its documents: a label from 1 to 4 with flags, and a rewrite."
    scale: ClassVar[str] = "nominal"
    keys: ClassVar[tuple[Key, ...]] = (
        *(Key(label, meaning) for label, meaning in MEANINGS.items()),
        Key(">", "The second text is more general (also .)"),
        Key("<", "The first text is more general (also ,)"),
        Key("s", "They differ in style"),
        Key("i", "They deviate a little"),
        Key("r", "Rewrite the pair into a 4"),
        Key("u", "Unsure: to be discussed"),
        Key("↑ ↓", "Scroll both documents (also Page Up and Page Down)"),
    )

    def read_content(self, raw: Raw) -> GradeContent:
        """Both texts must be there, and stand in their documents where they are said to."""
        only(raw, ("left", "right", "left_document", "right_document"), "pair")
        left, right = text(raw, "left"), text(raw, "right")
        return GradeContent(
            left=left,
            right=right,
            left_document=_surroundings(raw.get("left_document"), "left_document", left),
            right_document=_surroundings(raw.get("right_document"), "right_document", right),
        )

    def read_answer(self, raw: Raw, content: GradeContent) -> GradeAnswer:
        """A label of the scheme; a rewrite only where there is something to mend, and only if it mends something."""
        only(raw, ("label", "rewrite_left", "rewrite_right", "unsure", "note"), "answer")
        answer = GradeAnswer(
            label=_label(text(raw, "label")),
            rewrite_left=optional_text(raw, "rewrite_left"),
            rewrite_right=optional_text(raw, "rewrite_right"),
            unsure=flag(raw, "unsure", default=False),
            note=optional_text(raw, "note"),
        )
        _check_rewrite(content, answer)
        return answer

    def votes(self, item_id: str, content: GradeContent, answer: GradeAnswer) -> Sequence[Vote]:
        """One vote on the pair: the whole label."""
        return (Vote(item_id, answer.label),)

    def is_right(self, answer: GradeAnswer, expected: GradeAnswer) -> bool:
        """The same base and the same direction; the flags s and i may differ.

        Kanerva et al. (2023, section 6.1) measure agreement in this way, too: s and i are the flags on which trained
        annotators differ most, so a test question that hung on them would turn good annotators away.
        """
        said, right = (collapse(one.label, "base-and-direction") for one in (answer, expected))
        return said == right

    def instructions(self, shown: Shown) -> str:
        """The scheme and the guidelines of Kanerva et al. (2023), with their examples in English."""
        return guide("grade")


def rewritten(content: GradeContent, answer: GradeAnswer) -> tuple[str, str] | None:
    """The new pair that a rewrite makes, to be labelled 4; None where nothing was rewritten.

    >>> pair = GradeContent(left="I worked hard for that money.", right="I toiled away.")
    >>> rewritten(pair, GradeAnswer(label="4>", rewrite_right="I toiled away for it."))
    ('I worked hard for that money.', 'I toiled away for it.')
    """
    if answer.rewrite_left is None and answer.rewrite_right is None:
        return None
    return answer.rewrite_left or content.left, answer.rewrite_right or content.right


def _surroundings(raw: Any, field: str, segment: str) -> Surroundings | None:
    if raw is None:
        return None
    given = inside(raw, ("text", "start", "end", "title"), field)
    document = text(given, f"{field}.text", most=MOST_DOCUMENT_LETTERS)
    start, end = span(given, f"{field}.start", f"{field}.end", document)
    if document[start:end].split() != segment.split():  # a stretch may go over line breaks that its pair has not
        side = field.removesuffix("_document")
        raise InputError(
            f"`{field}` has {_short(document[start:end])} from {start} to {end}, but `{side}` is {_short(segment)}. "
            "Offsets count characters (Unicode code points) from 0."
        )
    return Surroundings(text=document, start=start, end=end, title=optional_text(given, f"{field}.title"))


def _short(words: str) -> str:
    return repr(words if len(words) <= 40 else f"{words[:39]}…")


def _label(label: str) -> str:
    try:
        return written(label)
    except InputError:
        raise InputError(
            f"`label` is {_short(label)}. It must be 1, 2, 3, 4 or x, and behind a 4 any of the flags > or <, i and s."
        ) from None


def _check_rewrite(content: GradeContent, answer: GradeAnswer) -> None:
    pair = rewritten(content, answer)
    if pair is None:
        return
    rewrites = {
        "rewrite_left": (answer.rewrite_left, content.left),
        "rewrite_right": (answer.rewrite_right, content.right),
    }
    field = next(name for name, (rewrite, _) in rewrites.items() if rewrite is not None)
    if answer.label in (UNIVERSAL, SKIPPED):
        why = "is skipped" if answer.label == SKIPPED else "is a plain 4 already"
        raise InputError(f"`{field}` must be left out: a pair that {why} has nothing to be rewritten.")
    for name, (rewrite, original) in rewrites.items():
        if rewrite is not None and _same(rewrite, original):
            raise InputError(f"`{name}` is the text as it was. Change it, or leave it out.")
    if _same(*pair):
        raise InputError(f"`{field}` makes both texts the same; a rewritten pair must still be a paraphrase.")


def _same(one: str, other: str) -> bool:
    return one.split() == other.split()
