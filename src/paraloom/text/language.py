"""A text in; out come the script it is mostly written in (cheap) and its language (not cheap)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter

from paraloom.text.patterns import EMAIL, HASHTAG, LINK, MENTION

_SCRIPTS_FROM = (
    (0x0000, "latin"),
    (0x0370, "greek"),
    (0x0400, "cyrillic"),
    (0x0530, "armenian"),
    (0x0590, "hebrew"),
    (0x0600, "arabic"),
    (0x0700, "other"),
    (0x0750, "arabic"),
    (0x0780, "other"),
    (0x08A0, "arabic"),
    (0x0900, "devanagari"),
    (0x0980, "bengali"),
    (0x0A00, "gurmukhi"),
    (0x0A80, "gujarati"),
    (0x0B00, "oriya"),
    (0x0B80, "tamil"),
    (0x0C00, "telugu"),
    (0x0C80, "kannada"),
    (0x0D00, "malayalam"),
    (0x0D80, "sinhala"),
    (0x0E00, "thai"),
    (0x0E80, "lao"),
    (0x0F00, "tibetan"),
    (0x1000, "myanmar"),
    (0x10A0, "georgian"),
    (0x1100, "hangul"),
    (0x1200, "ethiopic"),
    (0x13A0, "other"),
    (0x1780, "khmer"),
    (0x1800, "mongolian"),
    (0x18B0, "other"),
    (0x1C80, "cyrillic"),
    (0x1C90, "georgian"),
    (0x1CC0, "other"),
    (0x1D00, "latin"),
    (0x1F00, "greek"),
    (0x2000, "latin"),
    (0x2C00, "other"),
    (0x2C60, "latin"),
    (0x2C80, "other"),
    (0x2D00, "georgian"),
    (0x2D30, "other"),
    (0x2DE0, "cyrillic"),
    (0x2E80, "han"),
    (0x3040, "kana"),
    (0x3100, "han"),
    (0x3130, "hangul"),
    (0x3190, "han"),
    (0x31F0, "kana"),
    (0x3200, "han"),
    (0xA000, "other"),
    (0xA640, "cyrillic"),
    (0xA6A0, "other"),
    (0xA720, "latin"),
    (0xA800, "other"),
    (0xA8E0, "devanagari"),
    (0xA900, "other"),
    (0xA960, "hangul"),
    (0xA980, "other"),
    (0xAB30, "latin"),
    (0xAB70, "other"),
    (0xAC00, "hangul"),
    (0xD800, "other"),
    (0xF900, "han"),
    (0xFB00, "latin"),
    (0xFB13, "armenian"),
    (0xFB1D, "hebrew"),
    (0xFB50, "arabic"),
    (0xFE00, "other"),
    (0xFE70, "arabic"),
    (0xFF00, "latin"),
    (0xFF66, "kana"),
    (0xFFA0, "hangul"),
    (0xFFE0, "other"),
    (0x1D400, "latin"),
    (0x1D800, "other"),
    (0x20000, "han"),
    (0x40000, "other"),
)
_STARTS = [start for start, _ in _SCRIPTS_FROM]
_NAMES = [name for _, name in _SCRIPTS_FROM]

_READ_AT_MOST = 2000
"""Characters looked at: a long text is in its language from the start, and a megabyte must not take a second."""

_ONLY_LANGUAGE_OF = {
    "armenian": "hy",
    "georgian": "ka",
    "greek": "el",
    "gujarati": "gu",
    "gurmukhi": "pa",
    "hangul": "ko",
    "kana": "ja",
    "kannada": "kn",
    "khmer": "km",
    "lao": "lo",
    "malayalam": "ml",
    "oriya": "or",
    "sinhala": "si",
    "tamil": "ta",
    "telugu": "te",
    "thai": "th",
}
"""Scripts that one language of posts uses, so that nothing need be guessed."""

_NOT_LANGUAGE = re.compile(rf"{LINK}|{EMAIL}|{MENTION}|{HASHTAG}|[^\w\s'’-]|\d|_")
_LEAST_LETTERS = 12
_LEAST_LETTERS_OF_HAN = 4


def script(text: str) -> str | None:
    """The script of most of a text's letters ("latin", "cyrillic", "han", "kana", …), None if it has no letters.

    Japanese is "kana": a text is Japanese if at least a tenth of its letters are kana, however many are Chinese.

    >>> script("Привет, world и мир"), script("東京は雨です"), script("12:30 !!!")
    ('cyrillic', 'kana', None)
    """
    if len(text) > _READ_AT_MOST:
        text = text[:_READ_AT_MOST]
    if text.isascii():
        return "latin" if any(map(str.isalpha, text)) else None
    counts = Counter(_NAMES[bisect_right(_STARTS, ord(character)) - 1] for character in text if character.isalpha())
    if not counts:
        return None
    if counts["han"] and counts["kana"] * 10 >= counts["han"] + counts["kana"]:
        counts["kana"] += counts.pop("han")
    # By count, then by name: the answer must not depend on which letter came first.
    return min(counts.items(), key=lambda item: (-item[1], item[0]))[0]


def detect(text: str) -> str | None:
    """The language of a text as an ISO 639-1 code, by py3langid; None where there is too little text to tell.

    Links, mentions, hashtags and emoji are not counted as text. A post costs about half a millisecond, so callers
    choose where to ask.

    >>> detect("La tormenta golpeó la costa el lunes por la noche"), detect("東京は今日も雨です"), detect("ok @ann")
    ('es', 'ja', None)
    """
    letters_only = " ".join(_NOT_LANGUAGE.sub(" ", text[:_READ_AT_MOST]).split())
    written_in = script(letters_only)
    if written_in is None:
        return None
    least = _LEAST_LETTERS_OF_HAN if written_in in ("han", "kana", "hangul") else _LEAST_LETTERS
    if sum(map(str.isalpha, letters_only)) < least:
        return None
    if written_in in _ONLY_LANGUAGE_OF:
        return _ONLY_LANGUAGE_OF[written_in]
    from py3langid import classify

    language, _ = classify(letters_only)
    return str(language)
