"""A title and a text in, the text with its heading out: a heading that has a place in the text can be paired."""

from __future__ import annotations

import re


def headed(title: str | None, text: str) -> tuple[str | None, str]:
    r"""The title in one line, and the text with it as its first line; it is not put there twice.

    >>> headed("Heavy\nrain", "Rain  fell.")
    ('Heavy rain', 'Heavy rain\n\nRain  fell.')
    >>> headed("Heavy rain", "HEAVY  RAIN\nRain  fell.")
    ('Heavy rain', 'Heavy rain\n\nRain  fell.')

    >>> headed("Rain", "Rain fell.")
    ('Rain', 'Rain\n\nRain fell.')
    """
    words = title.split() if title else []
    if not words:
        return None, text
    line = " ".join(words)
    there = re.match(r"\s+".join(map(re.escape, words)) + r"[^\S\n]*(?:\n\s*|\Z)", text, re.IGNORECASE)
    rest = text[there.end() :] if there else text
    return line, f"{line}\n\n{rest}" if rest else line
