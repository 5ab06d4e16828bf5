"""Captions with times and markup in, one subtitle document out, with the exact place of every caption in its text.

Decisions. Tags, overrides and notes of music go, dashes of dialogue stay. Captions without a word are left out, and
so are those, and lines of others, that merely describe a sound: all in square brackets, or in round ones that hold no
sentence. So are captions about the subtitles themselves (`credits`). A caption whose time is negative or later than a
day is left out; one that ends before it begins, or stays for more than a minute, ends when it can be read. Captions
are put in the order of time, and one that is repeated while it is shown is there once. Where most captions begin with
the last line of the one before, as machines write them, that line is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from paraloom.documents.files.credits import AT_THE_EDGES, is_credit
from paraloom.documents.shapes.post import UNKNOWN, BadRow, Caption, Post
from paraloom.text.normalise import repair

LATEST = 24 * 3600.0
"""No film is longer: a later time is a mistake."""
LONGEST_SHOWN = 60.0
LONGEST_TEXT = 5_000
"""A caption of more characters is none."""
READ_A_SECOND = 17.0
"""Characters; a caption without a sound end is shown as long as reading takes."""
SHORTEST_READ, LONGEST_READ = 1.0, 7.0
MOST_ROLLED = 4
"""Lines that are repeated from one caption to the next."""
_ROUNDS = 4


class Timed(NamedTuple):
    """A caption as its file has it: seconds, and text with markup."""

    begins_at: float
    ends_at: float
    text: str


class _Shown(NamedTuple):
    begins_at: float
    ends_at: float
    lines: tuple[str, ...]


def subtitle(captions: Iterable[Timed], language: str | None = None) -> Post:
    """The document of these captions; `BadRow` where none has words."""
    shown = [
        _Shown(round(caption.begins_at, 3), round(caption.ends_at, 3), lines)
        for caption in captions
        if 0 <= caption.begins_at <= LATEST and (lines := lines_of(caption.text))
    ]
    shown.sort(key=lambda caption: caption.begins_at)
    shown = _without_credits(_once(_unrolled(shown)))
    if not shown:
        raise BadRow("no captions with words")
    begins = [*(caption.begins_at for caption in shown[1:]), None]
    placed: list[Caption] = []
    start = 0
    for caption, next_begins in zip(shown, begins, strict=True):
        length = sum(map(len, caption.lines)) + len(caption.lines) - 1
        placed.append(Caption(start, start + length, caption.begins_at, _end(caption, length, next_begins)))
        start += length + 1
    text = "\n".join(line for caption in shown for line in caption.lines)
    return Post(
        text=text, platform=UNKNOWN, kind="subtitle", language=language, captions=tuple(placed), is_repaired=True
    )


def _end(caption: _Shown, length: int, next_begins: float | None) -> float:
    if 0 < caption.ends_at - caption.begins_at <= LONGEST_SHOWN:
        return caption.ends_at
    end = caption.begins_at + min(max(length / READ_A_SECOND, SHORTEST_READ), LONGEST_READ)
    return round(min(end, next_begins) if next_begins is not None and next_begins > caption.begins_at else end, 3)


# ------------------------------------------------------------------------------------------------ captions

_MAY_BE_MARKED = re.compile(r"[^\n\x20-\x7e]|[<>{}\\&#*]|  |^\s|\s$", re.MULTILINE)
_OVERRIDE = re.compile(r"\{\\[^{}]*\}|\{\\\w{1,6}|\{[A-Za-z]:[^{}]*\}|\{an\d\}")
_BREAK = re.compile(r"\\[nN]|<[Bb][Rr]\s*/?>")
_HARD_BLANK = re.compile(r"\\h")
_RUBY_TEXT = re.compile(r"<rt\b[^<>]*>[^<>]*</rt>")
_TAG = re.compile(
    r"</?[a-z][^<>]{0,200}>|</?\d\d[\d:.,]{0,20}>|<\s*/?\s*(?:[ibus]|font)?\s*/?>|</?(?:[ibu]|font)$|^/?[ibu]>",
    re.IGNORECASE | re.MULTILINE,
)
_NOTES = re.compile(r"[♩♪♫♬¶]+|^[#*]+(?=\s)|(?<=\s)[#*]+$", re.MULTILINE)
_SOUND = re.compile(r"\[[^\[\]]*\]|［[^［］]*］|【[^【】]*】|(\([^()]*\)|（[^（）]*）)|(?<!\w)\*[^*\n]*\*(?!\w)")
_ENDS_A_SENTENCE = re.compile(r"[.!?…。！？][\"”’'»]?\s*.\Z", re.DOTALL)


def lines_of(text: str) -> tuple[str, ...]:
    r"""The lines of a caption that have words, without markup; none if it has none.

    >>> lines_of("{\\an8}<i>- Fish &amp; chips?</i>\n[door slams]\n-  No,   ♪ never ♪")
    ('- Fish & chips?', '- No, never')
    >>> lines_of("(LAUGHS)"), lines_of("♪♪"), lines_of("(He is lying.)")
    ((), (), ('(He is lying.)',))
    """
    if len(text) > LONGEST_TEXT:
        return ()
    if _MAY_BE_MARKED.search(text):
        for _ in range(_ROUNDS):  # an entity may be a tag, and between tags there may be half an entity
            before = text
            text = _without_markup(repair(text))
            if text == before:
                break
        else:
            text = repair(text)
    if not _has_words(text):
        return ()
    return tuple(line for line in text.split("\n") if _has_words(line))


def _without_markup(text: str) -> str:
    text = _HARD_BLANK.sub(" ", _BREAK.sub("\n", _OVERRIDE.sub("", text)))
    text = _NOTES.sub(" ", _TAG.sub("", _RUBY_TEXT.sub("", text)))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _has_words(text: str) -> bool:
    if not text.isalnum() and ("[" in text or "(" in text or "*" in text or not text.isascii()):
        text = _SOUND.sub(_unless_a_sound, text)
    return any(map(str.isalnum, text))


def _unless_a_sound(found: re.Match[str]) -> str:
    """Round brackets hold what is said aside too: a sentence, with small letters and an end."""
    is_said = found[1] is not None and _ENDS_A_SENTENCE.search(found[0]) and not found[0].isupper()
    return found[0] if is_said else " "


# --------------------------------------------------------------------------------------------- their order


def _unrolled(shown: list[_Shown]) -> list[_Shown]:
    """Captions without the lines that merely roll up, where that is how most of them begin."""
    repeats = [0, *(_repeated(left, right) for left, right in pairwise(shown))]
    if 2 * sum(map(bool, repeats)) < len(shown) or len(shown) < 6:
        return shown
    rest = (caption._replace(lines=caption.lines[count:]) for caption, count in zip(shown, repeats, strict=True))
    return [caption for caption in rest if caption.lines]


def _repeated(before: _Shown, caption: _Shown) -> int:
    """How many of the last lines of the caption before are the first of this one, which follows at once."""
    if caption.begins_at > before.ends_at + 0.1:
        return 0
    longest = min(len(before.lines), len(caption.lines), MOST_ROLLED)
    return next((size for size in range(longest, 0, -1) if before.lines[-size:] == caption.lines[:size]), 0)


def _once(shown: Sequence[_Shown]) -> list[_Shown]:
    """Captions without those whose very words are on the screen already."""
    found: list[_Shown] = []
    ends: dict[tuple[str, ...], float] = {}
    for caption in shown:
        end = ends.get(caption.lines)
        if end is None or caption.begins_at >= end:
            found.append(caption)
            ends[caption.lines] = min(
                max(caption.ends_at, caption.begins_at + 0.001), caption.begins_at + LONGEST_SHOWN
            )
    return found


def _without_credits(shown: Sequence[_Shown]) -> list[_Shown]:
    last = len(shown) - AT_THE_EDGES
    return [
        caption
        for place, caption in enumerate(shown)
        if not is_credit("\n".join(caption.lines), at_an_edge=place < AT_THE_EDGES or place >= last)
    ]
