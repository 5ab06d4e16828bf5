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


def answer_words(answer: Mapping[str, Any]) -> str:
    """An answer in a line; what was left empty is not told.

    >>> answer_words({"is_paraphrase": False}), answer_words({"label": "4>", "note": None, "unsure": True})
    ('not a paraphrase', '4> · unsure')
    >>> answer_words({"chosen": ["a", "b"], "shown": ["a", "b", "c"]})
    'chosen: a, b · shown: a, b, c'
    """
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
    return _short(" · ".join(parts)) or "nothing"


def content_words(content: Mapping[str, Any]) -> list[str]:
    """The texts of an item, each shortened, the first two of them.

    >>> content_words({"left": "The storm hit.", "right": "It struck.", "topic": "storm"})
    ['The storm hit.', 'It struck.']
    """
    return [_short(text) for text in _texts(content) if text.strip()][:2]


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
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
