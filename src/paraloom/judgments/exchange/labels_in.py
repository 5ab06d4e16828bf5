"""Labels as other tools write them in, an answer of a kind of task out (still to be checked by the task itself).

A tool's control is known by its name where it is called like a field of the answer; where a task asks one thing only,
a single control may be called anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paraloom.errors import InputError
from paraloom.judgments.tasks.seed import SKIPPED

YES = ("yes", "true", "1", "y", "t", "paraphrase", "same", "accept", "accepted", "positive", "on")
NO = ("no", "false", "0", "n", "f", "not a paraphrase", "not paraphrase", "different", "reject", "rejected", "negative")
FLAGS = "<>is"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What somebody answered in another tool: the values of each control, and spans that belong together."""

    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pairs: Sequence[Mapping[str, int]] = ()
    """Offsets of spans that were joined: left_start, left_end, right_start, right_end."""

    def one(self, name: str, *, only: bool = False) -> str | None:
        """The value of a control; with `only`, that of the single control there is, whatever it is called."""
        found = self.values.get(name)
        if found is None and only and len(self.values) == 1:
            (found,) = self.values.values()
        if not found:
            return None
        if len(found) > 1:
            raise InputError(f"`{name}` has {len(found)} values, but there is one answer.")
        return found[0]

    def required(self, name: str, *, only: bool = True) -> str:
        """The value of a control that must be there."""
        found = self.one(name, only=only)
        if found is None:
            there = ", ".join(self.values) or "nothing"
            raise InputError(f"there is no answer to `{name}` (there is {there})")
        return found

    def flag(self, name: str) -> bool:
        """A box that is ticked, or not there."""
        found = self.one(name)
        return found is not None and yes_or_no(found, name)


def yes_or_no(word: str, name: str) -> bool:
    """A word for yes or no as a truth value.

    >>> yes_or_no("Paraphrase", "label"), yes_or_no("0", "label")
    (True, False)
    """
    plain = word.strip().lower().replace("_", " ")
    if plain in YES or plain in NO:
        return plain in YES
    raise InputError(f"`{name}` is {word!r}, which is neither yes nor no")


def answer_of(task: str, labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    """The answer that labels of another tool amount to."""
    return _ANSWERS[task](labels, content)


def expected_of(task: str, label: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """The right answer of a test question that is written as one word, such as a pair's label."""
    names = {"choose": "chosen"}
    values = [part.strip() for part in label.split(",") if part.strip()] if task == "choose" else [label]
    return answer_of(task, Labels(values={names.get(task, "label"): values}), content)


def _pair(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    return {"is_paraphrase": yes_or_no(labels.required("is_paraphrase"), "is_paraphrase")}


def _match(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    return {"accept": yes_or_no(labels.required("accept"), "accept")}


def _grade(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    flags = [flag for flag in labels.values.get("flags", ()) if flag]
    if unknown := [flag for flag in flags if flag not in FLAGS]:
        raise InputError(f"`flags` holds {unknown[0]!r}; there are >, <, i and s")
    return {
        "label": labels.required("label") + "".join(flags),
        "rewrite_left": labels.one("rewrite_left"),
        "rewrite_right": labels.one("rewrite_right"),
        "unsure": labels.flag("unsure"),
        "note": labels.one("note"),
    }


def _choose(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    chosen = list(labels.values.get("chosen", ()))
    if not chosen and not labels.flag("none"):
        raise InputError("neither `chosen` nor `none` is answered")
    by_text = {one["text"]: one["id"] for one in content["candidates"]}
    return {
        "chosen": [by_text.get(one, one) for one in chosen if one.lower() != "none"],
        "shown": [one["id"] for one in content["candidates"]],
    }


def _seed(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    by_text = {one["text"]: one["id"] for one in content["sentences"]}
    several = labels.values.get("seed", ())
    if len(several) > 1:  # all that are right; as somebody's answer the task refuses it
        return {"seed": [by_text.get(one, one) for one in several]}
    found = labels.required("seed")
    return {"skip": True} if found == SKIPPED else {"seed": by_text.get(found, found)}


def _topic(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    return {"topic": labels.required("topic")}


def _rate(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    asked = ["kept"] if "left" in content else list(content.get("aspects") or ("fluency", "similarity", "diversity"))
    found: dict[str, Any] = {}
    for aspect in asked:
        word = labels.required(aspect, only=len(asked) == 1)
        if not word.strip().isdecimal():
            raise InputError(f"`{aspect}` is {word!r}, not a rating")
        found[aspect] = int(word)
    return found


def _extract(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    state = labels.one("state") or ("finished" if labels.pairs else "empty")
    return {
        "pairs": [dict(pair) for pair in labels.pairs],
        "state": state,
        "suggestions_shown": labels.flag("suggestions_shown"),
    }


def _write(labels: Labels, content: Mapping[str, Any]) -> dict[str, Any]:
    if labels.flag("gave_up"):
        return {"text": "", "gave_up": True}
    return {"text": labels.required("text")}


_ANSWERS: dict[str, Callable[[Labels, Mapping[str, Any]], dict[str, Any]]] = {
    "pair": _pair,
    "choose": _choose,
    "rate": _rate,
    "topic": _topic,
    "seed": _seed,
    "match": _match,
    "extract": _extract,
    "grade": _grade,
    "write": _write,
}
