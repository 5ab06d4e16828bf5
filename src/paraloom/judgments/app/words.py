"""Contents and answers of any kind of task in, a line of text for lists out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

MOST_LETTERS = 160

VOTES: dict[str, dict[str, str]] = {
    "pair": {"1": "paraphrase", "0": "not a paraphrase"},
    "choose": {"1": "chosen", "0": "not chosen"},
    "match": {"1": "accepted", "0": "rejected"},
}
"""What a vote's value is called, where it is not its own name."""

ALONE: dict[str, tuple[str, str]] = {
    "is_paraphrase": ("not a paraphrase", "paraphrase"),
    "accept": ("rejected", "accepted"),
}
"""Answers of yes or no, in words."""


def vote_words(task: str, value: str) -> str:
    """What one vote says.

    >>> vote_words("pair", "1"), vote_words("grade", "4>")
    ('paraphrase', '4>')
    """
    return VOTES.get(task, {}).get(value, value)


def answer_words(answer: Mapping[str, Any], content: Mapping[str, Any] | None = None) -> str:
    """An answer in a line; what was left empty is not told. With what was shown, sentences stand for their ids.

    >>> answer_words({"is_paraphrase": False}), answer_words({"label": "4>", "note": None, "unsure": True})
    ('not a paraphrase', '4> · unsure')
    >>> answer_words({"chosen": ["a", "b"], "shown": ["a", "b", "c"]})
    'chosen: a, b · shown: a, b, c'
    """
    return _short(" · ".join(answer_lines(answer, content or {})))


def answer_lines(answer: Mapping[str, Any], content: Mapping[str, Any]) -> list[str]:
    """An answer in a line, or in one for each sentence that was picked from a list.

    >>> group = {"sentences": [{"id": "a", "text": "It rained."}, {"id": "b", "text": "Rain fell."}]}
    >>> answer_lines({"seed": "b", "skip": False}, group), answer_lines({"seed": ["a", "b"], "skip": False}, group)
    (['Rain fell.'], ['It rained.', 'or Rain fell.'])
    """
    if "chosen" in answer and "candidates" in content:
        lines = _sentences(answer["chosen"], content["candidates"]) or ["none of these"]
    elif "seed" in answer and "sentences" in content:
        seed = answer["seed"] or ()
        found = _sentences([seed] if isinstance(seed, str) else seed, content["sentences"])  # of a test maybe several
        lines = [f"or {text}" if number else text for number, text in enumerate(found)] or ["skip this group"]
    else:
        lines = [_in_general(answer)]
    return [_short(line) for line in lines]


def _sentences(ids: Iterable[str], listed: Iterable[Mapping[str, str]]) -> list[str]:
    texts = {one["id"]: one["text"] for one in listed}
    return [texts.get(one, one) for one in ids]


def _in_general(answer: Mapping[str, Any]) -> str:
    parts = []
    for name, value in answer.items():
        plain = name.replace("_", " ")
        if name in ALONE:
            parts.append(ALONE[name][bool(value)])
        elif isinstance(value, bool):
            parts += [plain] if value else []
        elif name in ("label", "topic", "text") and value is not None:
            parts.append(str(value))
        elif value not in (None, [], {}, ""):
            parts.append(f"{plain}: {_plain(value)}")
    return " · ".join(parts) or "nothing"


def content_words(content: Mapping[str, Any]) -> list[str]:
    """The texts of an item, each shortened, the first two of them; of one against ten the one.

    >>> content_words({"left": "The storm hit.", "right": "It struck.", "topic": "storm"})
    ['The storm hit.', 'It struck.']
    >>> rain = [{"id": "a", "text": "It rained."}, {"id": "b", "text": "Rain fell."}]
    >>> content_words({"sentences": rain}), content_words({"original": "Rain.", "candidates": rain})
    (['It rained.', 'Rain fell.'], ['Rain.'])
    """
    return [_short(text) for text in _texts(content) if text.strip()][:2]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from () if name in ("id", "candidates") else _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_plain(one)}" for name, one in value.items() if one not in (None, "", [], {}))
    if isinstance(value, (list, tuple)):
        return f"{len(value)}" if value and isinstance(value[0], Mapping) else ", ".join(_plain(one) for one in value)
    return str(value)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= MOST_LETTERS else f"{plain[: MOST_LETTERS - 1]}…"
