r"""A post's text in, the exact spans of its sentences out.

A sentence ends at a line break, at `.` `!` `?` `…` and their like in other scripts, and before a retweet mark
(`RT @user:`) inside the text. It does not end after titles and abbreviations (six languages), initials, the number of a
list item, an ellipsis that goes on in lower case, nor inside links and decimals. What closes (quotes, brackets) and
what is hung on behind (emoji, emoticons, links, and hashtags or mentions up to the end of the line) belongs to the
sentence before it, also when it stands on a line of its own.
"""

from __future__ import annotations

import re

from paraloom.text.abbreviations import (
    BEFORE_A_NUMBER,
    GERMAN_MONTHS,
    MAYBE_LAST,
    MAYBE_LAST_WITH_CAPITAL,
    POINTING_FORWARD,
    SENTENCE_STARTERS,
    TITLES,
)
from paraloom.text.patterns import EMOJI_PIECE, EMOTICON, HASHTAG, LINK, MENTION

_LINE_BREAKS = r"\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_CLOSERS = r"\ufe0f\"'”’“»›)\]}*_）」』】》〉"
_STOPS = ".!?…‼⁇⁈⁉"
# Scripts in which a stop needs no space behind it: CJK, danda, Arabic, Urdu, Armenian, Ethiopic, Burmese, Khmer.
_STOPS_WITHOUT_SPACE = "。！？｡।॥؟۔։።፧။។"

# It begins with one set of characters, for then `search` skips quickly to the next of them. A stop before a letter or
# digit is no candidate (decimals, links), but `!` and `?` before a capital are ("Great!Now").
_CLOSING = rf"(?:[{_CLOSERS}]|[ \xa0\u202f]»)*"
_CANDIDATE_PATTERN = (
    rf"[{_STOPS}{_STOPS_WITHOUT_SPACE}{_LINE_BREAKS}]"
    rf"(?:(?<=[{_LINE_BREAKS}])[{_LINE_BREAKS}]*"
    rf"|(?<=[{_STOPS}])(?:[{_STOPS}]+{_CLOSING}|{_CLOSING}(?!\w)|(?<=[!?])(?=[A-Z]))"
    rf"|(?<=[{_STOPS_WITHOUT_SPACE}])[{_STOPS}{_STOPS_WITHOUT_SPACE}]*[{_CLOSERS}]*)"
)
_CANDIDATE = re.compile(_CANDIDATE_PATTERN)
_CANDIDATE_OR_RETWEET_MARK = re.compile(rf"{_CANDIDATE_PATTERN}|(?<=\s)(?=QT @\w|[RM]T @\w{{1,30}}:)")

_BLANKS = rf"[^\S{_LINE_BREAKS}]*"
# One item a match, never a repeated group: hashtags, links and emoji can be cut in many ways, and a group that fails at
# the end of the line would try them all.
_HUNG_ON = re.compile(rf"{_BLANKS}(?:{EMOJI_PIECE}+|{EMOTICON}(?!\w)|{LINK})")
_TAG = re.compile(
    rf"{_BLANKS}(?:{EMOJI_PIECE}+|{HASHTAG}|(?:[vV]ia )?{MENTION}|{LINK}|[|,;&+•·—–-]"
    r"|\(?[0-9]{1,2}/[0-9]{0,2}\)?(?!\w))"  # the last is a thread's counter: (2/4)
)
_END_OF_LINE = re.compile(rf"{_BLANKS}[.!?]*{_BLANKS}(?=[{_LINE_BREAKS}]|\Z)")
_NEXT_LINE = re.compile(rf"{_BLANKS}[{_LINE_BREAKS}]\s*")

_NEXT_WORD = re.compile(r"[\s\"'“”‘’«‹(\[¿¡*_]{0,20}([^\W_][\w'’]{0,30})?")
_LAST_WORD = re.compile(r"[^\s\"'“”‘’«»()\[\]]*\Z")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_WORD = re.compile(r"\w")
_WINDOW = 40
"""How far back the word before a stop is sought; longer words are no abbreviations."""


def split(text: str) -> list[tuple[int, int]]:
    r"""The spans of the sentences of a post, in order, without outer white space; together they hold all the rest.

    >>> text = "Dr. Lee won! 🎉 #luck\nShe said “I did it.” She left at 5 p.m. on Monday"
    >>> [text[start:end] for start, end in split(text)]
    ['Dr. Lee won! 🎉 #luck', 'She said “I did it.”', 'She left at 5 p.m. on Monday']
    """
    search = (_CANDIDATE_OR_RETWEET_MARK if "T @" in text else _CANDIDATE).search
    spans: list[tuple[int, int]] = []
    start = wordless_until = position = 0
    while found := search(text, position):
        end = _end_of_sentence(text, start, found)
        position = max(found.end(), end or 0)
        if end is None:
            continue
        if _WORD.search(text, max(start, wordless_until), end):
            spans.append((start, end))
            start = end
        else:
            wordless_until = end  # not searched again, or a megabyte of "!\n" would take quadratic time
        if position == found.start():
            position += 1  # before a retweet mark nothing was consumed
    spans.append((start, len(text)))
    return _trimmed(text, spans)


def _end_of_sentence(text: str, start: int, found: re.Match[str]) -> int | None:
    """Where the sentence that began at `start` ends, if it ends at this candidate."""
    candidate = found[0]
    end = found.end()
    if not candidate:
        return end
    if candidate.isspace():
        return _end_of_tag_lines(text, found.start())
    if candidate[0] in _STOPS and end < len(text):
        following = text[end]
        if not following.isspace():
            return _end_before_visible(text, found)
        if not _is_end(text, start, found):
            return None
    return _end_with_what_is_hung_on(text, end)


def _end_before_visible(text: str, found: re.Match[str]) -> int | None:
    """The same for a stop without white space behind it: an emoji or a capital may follow."""
    end = found.end()
    if found[0][-1] in "!?" and text[end].isupper():
        before = text[max(0, found.start() - 300) : found.start()].rsplit(None, 1)
        in_link = bool(before) and ("/" in before[-1] or "www." in before[-1])
        return None if in_link else end
    if text[end].isascii():
        return None
    hung_on = _HUNG_ON.match(text, end)
    return _end_with_what_is_hung_on(text, hung_on.end()) if hung_on else None


def _is_end(text: str, start: int, found: re.Match[str]) -> bool:
    """Whether a stop with white space behind it ends a sentence, judged by the words on both sides."""
    stop = found[0].rstrip("\ufe0f\"'”’“»›)]}*_ \xa0\u202f")
    closed = len(stop) < len(found[0])
    next_match = _NEXT_WORD.match(text, found.end())
    next_word = next_match[1] if next_match else None
    goes_on_in_lower_case = next_word is not None and next_word[0].islower()
    if not stop.strip("!?‼⁇⁈⁉") or "!" in stop or "?" in stop:
        return not (closed and goes_on_in_lower_case)
    if len(stop) > 1 or stop == "…" or closed:
        return not goes_on_in_lower_case
    before = text[max(start, found.start() - _WINDOW) : found.start()]
    last_match = _LAST_WORD.search(before)
    last_word = last_match[0] if last_match else ""
    return _full_stop_ends(last_word, next_word, is_first_word=last_word == before.strip())


def _full_stop_ends(last_word: str, next_word: str | None, *, is_first_word: bool) -> bool:
    """Whether "last_word. next_word" holds the end of a sentence."""
    lowered = last_word.lower()
    if not lowered:
        return True  # tokenised text: the stop stands alone
    if lowered in POINTING_FORWARD or (lowered in TITLES and last_word[0].isupper()):
        return False
    if next_word is None:
        return True
    if lowered.isdigit():
        is_list_item = is_first_word and len(lowered) <= 3
        return not (is_list_item or next_word[0].islower() or next_word.lower() in GERMAN_MONTHS)
    next_begins_a_sentence = next_word[0].isupper() and next_word.lower() in SENTENCE_STARTERS
    if _ACRONYM.match(lowered):
        return next_begins_a_sentence and lowered not in ("e.g", "i.e", "z.b", "d.h", "u.a", "p.ex")
    if len(lowered) == 1 and lowered.isalpha():
        return next_begins_a_sentence
    if lowered in MAYBE_LAST or (lowered in MAYBE_LAST_WITH_CAPITAL and last_word[0].isupper()):
        return next_begins_a_sentence
    if next_word[0].isdigit():
        return lowered not in BEFORE_A_NUMBER and "." not in lowered  # "H.Res. 1153"
    if next_word[0].islower():
        # Careless posts go on in lower case; so do sentences after an abbreviation we do not know, but those are short.
        return len(last_word) >= 4 and last_word.isalpha() and last_word.islower()
    return True


def _end_with_what_is_hung_on(text: str, end: int) -> int:
    """The end moved behind the emoji and links that follow, and behind tags if nothing else follows on the line."""
    while hung_on := _HUNG_ON.match(text, end):
        end = hung_on.end()
    tags_end = _end_of_tags(text, end)
    return end if tags_end is None else _end_of_tag_lines(text, tags_end)


def _end_of_tag_lines(text: str, end: int) -> int:
    """The end (of a line) moved behind the lines that hold only tags, links and emoji."""
    while line := _NEXT_LINE.match(text, end):
        tags_end = _end_of_tags(text, line.end())
        if tags_end is None or tags_end == line.end():
            break
        end = tags_end
    return end


def _end_of_tags(text: str, position: int) -> int | None:
    """The end of a line of tags; None where something else stands on the line."""
    while tag := _TAG.match(text, position):
        position = tag.end()
    end_of_line = _END_OF_LINE.match(text, position)
    return end_of_line.end() if end_of_line else None


def _trimmed(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans without outer white space or empty ones; a last one without words joins the one before."""
    trimmed: list[tuple[int, int]] = []
    for start, end in spans:
        piece = text[start:end]
        visible = piece.strip()
        if not visible:
            continue
        start += len(piece) - len(piece.lstrip())
        end = start + len(visible)
        if trimmed and not _WORD.search(visible):
            trimmed[-1] = (trimmed[-1][0], end)
        else:
            trimmed.append((start, end))
    return trimmed
