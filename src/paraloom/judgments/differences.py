"""Answers to one item in, what they say side by side out, in words a person reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paraloom.judgments.tasks.grade import MEANINGS, SKIPPED
from paraloom.metrics.identification.graded import read_grade

NOTHING = "–"
Content = Mapping[str, Any]
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One thing that was asked, and what each of the answers says to it."""

    what: str
    values: tuple[str, ...]
    matters: bool
    """False for remarks and rewrites: nobody has to agree on them."""

    @property
    def differs(self) -> bool:
        """The answers contradict each other here."""
        return self.matters and len(set(self.values)) > 1


def compare_answers(task: str, content: Content, answers: Sequence[Answer]) -> list[Compared]:
    """Everything that was asked, in its order; a remark that nobody made is left out.

    >>> rows = compare_answers("grade", {}, [{"label": "4>"}, {"label": "4>s"}])
    >>> [(row.what, row.values) for row in rows if row.differs]
    [('Style', ('–', 's: differ in style'))]
    """
    told = [_TOLD.get(task, _in_general)(content, answer) for answer in answers]
    remarks = [_remarks(answer) for answer in answers]
    rows = [
        Compared(what=what, values=tuple(one.get(what, NOTHING) for one in told), matters=True) for what in _all(told)
    ]
    rows += [
        Compared(what=what, values=tuple(one.get(what, NOTHING) for one in remarks), matters=False)
        for what in _all(remarks)
    ]
    return rows


def short_label(answer: Answer) -> str:
    """An answer in a word or two, for a list.

    >>> short_label({"label": "4>"}), short_label({"is_paraphrase": False}), short_label({"chosen": ["a", "b"]})
    ('4>', 'no', '2 chosen')
    """
    for name in ("label", "topic", "seed"):
        if answer.get(name):
            return str(answer[name])
    for name in ("is_paraphrase", "accept"):
        if name in answer:
            return "yes" if answer[name] else "no"
    if answer.get("skip"):
        return "skip"
    if "chosen" in answer:
        return f"{len(answer['chosen'])} chosen"
    ratings = [str(value) for value in answer.values() if isinstance(value, int) and not isinstance(value, bool)]
    return " ".join(ratings) or NOTHING


def headlines(content: Content) -> list[str]:
    """The texts that tell one item from another, shortened: at most two.

    >>> headlines({"left": "The storm hit.", "right": {"title": "Storm", "text": "It hit."}})
    ['The storm hit.', 'Storm']
    """
    found: list[str] = []
    for name in ("original", "source", "left", "right", "generated", "candidates", "sentences", "phrase"):
        value = content.get(name)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, Mapping):
            value = value.get("title") or value.get("text")
        if isinstance(value, str) and value:
            found.append(value if len(value) <= 160 else f"{value[:159]}…")
    found = found or [str(value)[:160] for value in content.values() if isinstance(value, str)]
    return found[:2]


def _all(told: Sequence[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(what for one in told for what in one))


def _graded(content: Content, answer: Answer) -> dict[str, str]:
    label = str(answer["label"])
    if label == SKIPPED:
        return {"Label": f"{SKIPPED}: {MEANINGS[SKIPPED].lower()}"}
    grade = read_grade(label)
    return {
        "Label": f"{grade.base}: {MEANINGS[grade.base].lower()}",
        "Direction": {">": "A > B: B is more general", "<": "A < B: A is more general"}.get(grade.direction, NOTHING),
        "Deviation": "i: deviate a little" if grade.minor else NOTHING,
        "Style": "s: differ in style" if grade.style else NOTHING,
    }


def _paired(content: Content, answer: Answer) -> dict[str, str]:
    return {"Answer": "Paraphrase" if answer["is_paraphrase"] else "Not a paraphrase"}


def _matched(content: Content, answer: Answer) -> dict[str, str]:
    return {"Answer": "Accept" if answer["accept"] else "Reject"}


def _chosen(content: Content, answer: Answer) -> dict[str, str]:
    texts = {one["id"]: one["text"] for one in content.get("candidates", ())}
    return {texts.get(one, one): "✓" if one in answer["chosen"] else NOTHING for one in answer["shown"]}


def _seeded(content: Content, answer: Answer) -> dict[str, str]:
    texts = {one["id"]: one["text"] for one in content.get("sentences", ())}
    return {"Seed": "Skip the group" if answer.get("skip") else texts.get(answer["seed"], str(answer["seed"]))}


def _in_general(content: Content, answer: Answer) -> dict[str, str]:
    return {
        _named(name): _said(value)
        for name, value in answer.items()
        if value not in (None, False) and name not in _REMARKS
    }


def _remarks(answer: Answer) -> dict[str, str]:
    return {words: _said(answer[name]) for name, words in _REMARKS.items() if answer.get(name)}


def _named(field: str) -> str:
    return field.replace("_", " ").capitalize()


def _said(value: Any) -> str:
    if value is True:
        return "✓"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


_REMARKS = {"rewrite_left": "A, rewritten", "rewrite_right": "B, rewritten", "unsure": "Unsure", "note": "Note"}
_TOLD: dict[str, Callable[[Content, Answer], dict[str, str]]] = {
    "grade": _graded,
    "pair": _paired,
    "match": _matched,
    "choose": _chosen,
    "seed": _seeded,
}
