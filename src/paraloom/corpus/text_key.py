"""A text in, what it has in common with the same text in another corpus out."""

from __future__ import annotations

import re

from paraloom.text.normalise import comparable

_ENTITY = re.compile(r"&\s?(?:#\s?\d{1,5}|#\s?[xX]\s?[0-9a-fA-F]{1,5}|amp|lt|gt|quot|apos|nbsp)\s?;")
_BRACKET = re.compile(r"-[LR][RSC]B-", re.IGNORECASE)


def text_key(text: str) -> str:
    """Letters and digits alone: one key for a text however it was tokenised, cased and punctuated.

    Links and mentions are gone, as some corpora removed them; so are what tokenisers leave of characters (`& amp ;`,
    `-LRB-`). A text without letters and digits is its own key, without its spaces.

    >>> text_key("It's the #storm , @ann : do n't go -LRB- https://t.co/a1 -RRB-")
    'itsthestormdontgo'
    >>> text_key("It's the #Storm: don't go") == text_key("it 's the # storm : do n't go")
    True
    >>> text_key("?! \U0001f327")
    '?!\U0001f327'
    """
    bare = text
    if "&" in bare:
        bare = _ENTITY.sub(" ", bare)
    if "B-" in bare or "b-" in bare:
        bare = _BRACKET.sub(" ", bare)
    return comparable(bare).replace(" ", "") or "".join(text.split())
