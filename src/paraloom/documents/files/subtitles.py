"""A subtitle file in, one document with its captions out: SubRip (.srt) and WebVTT (.vtt), however careless.

Decisions. What makes a caption is its line of times; numbers, names and blank lines between captions may be wrong or
missing. Text in front of the first times, or behind times that cannot be read, belongs to no caption and is left out.
In SubRip, blank lines within a caption are; in WebVTT they end it, as its specification has it. Either format may hide
behind the other's ending.
"""

from __future__ import annotations

import re

from paraloom.documents.files.captions import Timed, subtitle
from paraloom.documents.files.clock import TIME, seconds
from paraloom.documents.files.encodings import decoded
from paraloom.documents.shapes.post import BadRow, Post

_LINE_BREAK = re.compile(r"\r\n?")
_TIMES = re.compile(rf"\s*(?:\d{{1,6}}\s+)?({TIME})\s*(?:[-–—=]{{1,3}}\s?-?>+|→)\s*({TIME})(.*)", re.DOTALL)
_LONGEST_TIMES = 300
_SETTINGS = re.compile(r"(?:\s*\b[A-Za-z]{1,8}[12]?\s?:\s?[\w.,%-]+)*\s*")
_OTHER_FORMATS = {
    "MicroDVD": re.compile(r"^[ \t]*\{\d+\}\s*\{\d*\}", re.MULTILINE),
    "MPL2": re.compile(r"^[ \t]*\[\d+\]\s*\[\d*\]", re.MULTILINE),
    "SubStation Alpha": re.compile(r"^[ \t]*(?:\[Script Info\]|Dialogue:)", re.MULTILINE),
    "SubViewer": re.compile(r"^[ \t]*\d+:\d\d:\d\d[.,]\d+,\d+:\d\d:\d\d", re.MULTILINE),
    "TMPlayer": re.compile(r"^[ \t]*\d+:\d\d:\d\d[:=,]", re.MULTILINE),
    "SAMI": re.compile(r"<sami\b", re.IGNORECASE),
    "TTML": re.compile(r"<(?:\w+:)?tt[\s>]"),
    "HTML": re.compile(r"<html\b", re.IGNORECASE),
}
_HEAD = 10_000


def read_srt(raw: bytes, encoding: str | None) -> list[Post]:
    r"""The one document of a SubRip file.

    >>> raw = b"1\n00:00:01,000 --> 00:00:02,500\n<i>Good morning.</i>\n\n2\n00:00:03,000 --> 00:00:04,000\n- Is it?\n"
    >>> read_srt(raw, None)[0].text
    'Good morning.\n- Is it?'
    """
    return _read(raw, encoding, is_vtt=False)


def read_vtt(raw: bytes, encoding: str | None) -> list[Post]:
    r"""The one document of a WebVTT file.

    >>> raw = b"WEBVTT\n\nNOTE A test\n\n00:01.000 --> 00:02.500 align:start\n<v Anna>Good morning.</v>\n"
    >>> read_vtt(raw, None)[0].captions
    (Caption(start=0, end=13, begins_at=1.0, ends_at=2.5),)
    """
    return _read(raw, encoding, is_vtt=True)


def _read(raw: bytes, encoding: str | None, *, is_vtt: bool) -> list[Post]:
    text = _LINE_BREAK.sub("\n", decoded(raw, encoding))
    lines = text.split("\n")
    is_vtt = text.lstrip()[:6].upper() == "WEBVTT" or (is_vtt and "WEBVTT" in text[:_HEAD])
    captions = _of_vtt(lines) if is_vtt else _of_srt(lines)
    if is_vtt and not any(caption.text.strip() for caption in captions):
        captions = _of_srt(lines)  # a blank line follows every line
    if not captions:
        head = text[:_HEAD]
        other = next((name for name, pattern in _OTHER_FORMATS.items() if pattern.search(head)), None)
        raise BadRow(f"{other}, not SubRip or WebVTT" if other else "no captions")
    return [subtitle(captions)]


def _of_srt(lines: list[str]) -> list[Timed]:
    """All lines from one line of times to the next are a caption's, less the number of the next."""
    found: list[tuple[Timed | None, list[str]]] = [(None, [])]
    for line in lines:
        timed = _timed(line)
        if timed is not None:
            found.append((timed, []))
        elif _is_broken_times(line):
            found.append((None, []))
        else:
            found[-1][1].append(line.strip())
    for _, each in found:
        while each and not each[-1]:
            each.pop()
    ends_in_number = [bool(each) and _is_number(each[-1]) for _, each in found[:-1]]
    is_numbered = 2 * sum(ends_in_number) >= len(ends_in_number)
    captions: list[Timed] = []
    number: int | None = None
    for (timed, each), is_followed in zip(found, [*ends_in_number, False], strict=True):
        next_number = int(each.pop()) if is_numbered and is_followed else None
        if number is not None:
            each = _without_untimed(each, number + 1)
        if timed is not None:
            captions.append(timed._replace(text="\n".join(filter(None, [timed.text, *each]))))
        number = next_number
    return captions


def _is_number(line: str) -> bool:
    return line.isdecimal() and len(line) < 10


def _without_untimed(lines: list[str], next_number: int) -> list[str]:
    """The lines before the next caption's number, where its times are missing."""
    for place in range(1, len(lines)):
        if not lines[place - 1] and _is_number(lines[place]) and int(lines[place]) == next_number:
            return lines[:place]
    return lines


def _of_vtt(lines: list[str]) -> list[Timed]:
    """The lines behind times, up to a blank one; what stands elsewhere are names, notes and styles."""
    found: list[tuple[Timed, list[str]]] = []
    is_within = False
    for line in lines:
        timed = _timed(line)
        if timed is not None:
            if is_within and found[-1][1] and _is_number(found[-1][1][-1].strip()):
                found[-1][1].pop()  # the blank line before the next caption's name is missing
            found.append((timed, []))
            is_within = True
        elif not line.strip() or _is_broken_times(line):
            is_within = False
        elif is_within:
            found[-1][1].append(line)
    return [timed._replace(text="\n".join(filter(None, [timed.text, *each]))) for timed, each in found]


def _timed(line: str) -> Timed | None:
    """The times of a line of times, and what is written behind them if it is text."""
    if ">" not in line[:_LONGEST_TIMES] and "→" not in line[:_LONGEST_TIMES]:
        return None
    times = _TIMES.fullmatch(line)
    if times is None:
        return None
    rest = times[3].strip()
    is_text = len(rest) > _LONGEST_TIMES or not _SETTINGS.fullmatch(rest)
    return Timed(seconds(times[1]), seconds(times[2]), rest if is_text else "")


def _is_broken_times(line: str) -> bool:
    return "-->" in line and any(map(str.isdecimal, line[:_LONGEST_TIMES]))
