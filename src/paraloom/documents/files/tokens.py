"""Tokens in, the text they were cut from out, as nearly as can be told without it."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLINGS_TO_THE_LEFT = re.compile(
    r"[.,!?;:…)\]}”»›。、，！？；：）」』】]+\Z|'(?:s|d|m|t|ll|re|ve|em)\Z|n't\Z", re.IGNORECASE
)
_CLINGS_TO_THE_RIGHT = re.compile(r"[(\[{“„‚«‹¿¡（「『【$£]+\Z|\w{1,12}['’]\Z")
_WITHOUT_BLANKS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")
"""Scripts that put none between words: Thai, Lao, Burmese, Khmer, Chinese, Japanese."""


def joined(tokens: Sequence[str], *, is_quoting: bool = False) -> str:
    r"""The tokens with blanks where blanks belong; words stay as they are.

    Quotation marks that look alike open and close by turns; `is_quoting` says that one is open already.

    >>> joined(["-", "How", "'d", "you", "say", ",", '"', "never", '"', "?"])
    '- How\'d you say, "never"?'
    >>> joined(["L'", "homme", "(", "fatigué", ")", "dort", "..."]), joined(["我", "不", "知道", "。"])
    ("L'homme (fatigué) dort...", '我不知道。')
    """
    parts: list[str] = []
    clings = True
    lone = _lone_apostrophes(tokens)
    has_low, has_high = "„" in tokens, "“" in tokens
    for place, token in enumerate(tokens):
        if place in lone:
            is_left, is_right = lone[place]
        elif token == '"' or (token == "”" and not has_low and not has_high):
            is_left, is_right = is_quoting, not is_quoting
            is_quoting = not is_quoting
        elif token == "“" and has_low:  # „so“
            is_left, is_right = True, False
        else:
            is_left = _CLINGS_TO_THE_LEFT.match(token) is not None
            is_right = _CLINGS_TO_THE_RIGHT.match(token) is not None
        if place == 0 and token in ("...", "…"):
            is_right = True
        without = parts and _WITHOUT_BLANKS.match(token) and _WITHOUT_BLANKS.match(parts[-1][-1])
        parts.append(token if clings or is_left or without else f" {token}")
        clings = is_right
    return "".join(parts)


def _lone_apostrophes(tokens: Sequence[str]) -> dict[int, tuple[bool, bool]]:
    """The sides of apostrophes that are tokens: within a word where they come single, else they open and close."""
    places = [place for place, token in enumerate(tokens) if token in ("'", "’")]
    if len(places) % 2:
        return dict.fromkeys(places, (True, True))
    return {place: (bool(turn % 2), not turn % 2) for turn, place in enumerate(places)}
