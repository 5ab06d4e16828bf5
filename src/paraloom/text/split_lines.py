r"""A text whose sentences run over line breaks in; the same text out with a blank for each break inside a sentence.

The result is as long as the text, so that a place in one is a place in the other: `split` cuts it at what is left.
Captions cut a sentence wherever a line is full; plain texts are often wrapped at a column.
"""

from __future__ import annotations

import re

_BREAK = re.compile(r"(?<![^\S\n])[^\S\n]*\n\s*")  # from the first blank on: long runs are looked at once
_ELLIPSIS = re.compile(r"\.{2,}|…")
_DASH = re.compile(r"[-–—‐‑]")
_OPENERS = "\"'“”„‘’«‹([¿¡*_"
_CLOSERS = "\"'”’“»›)]}*_"
_STOPS = ".!?…‼⁇⁈⁉。！？｡।॥؟۔։።፧။។"
_GOES_ON = ",;:、，；"
_WORD = re.compile(r"\w[\w'’-]*")
_NAME_AFTER_A_WORD = re.compile(r"(?<=[^\W\d_][ ,])[ ]?([^\W\d_][\w'’]*)")
_LONGEST_LINE = 120
"""Texts that are wrapped have lines no longer than this."""
_ITEM = re.compile(r"[-–—•*·]\s|\(?[0-9]{1,3}[.)]\s|#")
_SHORT_LINE = 0.5
"""In a wrapped text, a line below this part of the longest was ended by its writer."""
_WRAPPED = 0.4
_PUNCTUATED = 0.2


def join_captions(text: str) -> str:
    r"""Captions, with a blank for each line break that a sentence runs over.

    A line goes on in the next one if that begins in lower case, with a figure, with an ellipsis after an ellipsis, or
    with a word that this text capitalises elsewhere in the middle of a line (a name). A dash at the beginning of a
    line is another speaker. Where a line ends with a stop, the break is a blank too, for the words around it tell more.

    >>> join_captions("Gone, with the bones\nby now.\n- Who told you\nthat?\nWe saw Ann\n and then\nAnn saw us")
    'Gone, with the bones by now.\n- Who told you that? We saw Ann  and then Ann saw us'
    >>> join_captions("It was the...\n...best of all.\nNo stop here\nSo it ends")
    'It was the...    best of all. No stop here\nSo it ends'
    """
    found = list(_BREAK.finditer(text))
    names = _names(text)
    stops_are_usual = _share_with_stop(text, found) >= _PUNCTUATED
    pieces, done = [], 0
    for line_break in found:
        end = _caption_goes_on(text, line_break, names, stops_are_usual)
        if end is not None:
            pieces += [text[done : line_break.start()], " " * (end - line_break.start())]
            done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _caption_goes_on(text: str, line_break: re.Match[str], names: frozenset[str], stops_are_usual: bool) -> int | None:
    """Up to where to write blanks if the sentence goes on over this line break."""
    start, end = line_break.span()
    if end == len(text) or _DASH.match(text, end):
        return None
    before = text[max(0, start - 8) : start].rstrip(_CLOSERS)
    if ellipsis := _ELLIPSIS.match(text, end):
        trails_off = before.endswith(("..", "…"))
        goes_on = trails_off or (before[-1:] not in _STOPS and text[ellipsis.end() : ellipsis.end() + 1].islower())
        return ellipsis.end() if goes_on else None
    if before and before[-1] in _STOPS:
        return end
    next_word = _WORD.search(text, end, end + 40)
    if next_word is None or text[end : next_word.start()].strip(_OPENERS):
        return None
    first = next_word[0][0]
    if first.isupper():
        return end if before[-1:] in _GOES_ON or next_word[0] in names else None
    return end if stops_are_usual or first.islower() or first.isdigit() else None


def _names(text: str) -> frozenset[str]:
    """Words that are capitalised in the middle of a line, and never written small."""
    capitalised = {word for word in _NAME_AFTER_A_WORD.findall(text) if word[0].isupper()}
    small = {word for word in _WORD.findall(text) if word[0].islower()}
    return frozenset(word for word in capitalised if word.lower() not in small)


def join_wrapped(text: str) -> str:
    r"""Prose, with a blank for each line break of a text that is wrapped at a column; other texts stay as they are.

    A blank line always ends a sentence, and so does a line that is much shorter than the others, or an item of a list.

    >>> join_wrapped("A heading\nThe storm had come over\nnight, and nobody in the\ntown had slept.\n\nIt was over")
    'A heading\nThe storm had come over night, and nobody in the town had slept.\n\nIt was over'
    >>> join_wrapped("The storm came.\nIt went.\nIt was over.")
    'The storm came.\nIt went.\nIt was over.'
    """
    breaks = [found for found in _BREAK.finditer(text) if found[0].count("\n") == 1]
    longest = max(map(len, text.split("\n")))
    if not breaks or longest > _LONGEST_LINE or _share_with_stop(text, breaks) > 1 - _WRAPPED:
        return text
    pieces, done = [], 0
    for found in breaks:
        start, end = found.span()
        line = start - (text.rfind("\n", 0, start) + 1)
        if line < _SHORT_LINE * longest or _ITEM.match(text, end) or end == len(text):
            continue
        pieces += [text[done:start], " " * (end - start)]
        done = end
    pieces.append(text[done:])
    return "".join(pieces)


def _share_with_stop(text: str, breaks: list[re.Match[str]]) -> float:
    """How many of the line breaks have a stop before them."""
    ends = [text[max(0, found.start() - 8) : found.start()].rstrip(_CLOSERS)[-1:] for found in breaks]
    return sum(end in _STOPS for end in ends if end) / len(breaks) if breaks else 1.0
