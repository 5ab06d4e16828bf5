r"""The bytes of a file in, its text out, whatever encoding they are in.

A mark at the beginning tells the encoding; without one, what reads as UTF-8 is UTF-8. Other bytes are in the old
encoding whose reading is the likeliest (`guesses`). Files may be mixed: lines of UTF-8 are read as such even where
others are not, and where most lines are UTF-8, so are the sound parts of a broken one.
"""

from __future__ import annotations

import codecs
import re

from paraloom.documents.files.guesses import MULTIBYTE, guess
from paraloom.documents.shapes.post import BadRow
from paraloom.errors import InputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the first half of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ESCAPES = {b"\x1b$)C": "iso2022_kr", b"\x1b$": "iso2022_jp_2", b"\x1b(J": "iso2022_jp_2"}
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\x0b\x0c\x1a\x1b")) + b"\x7f"
_HIGH = re.compile(rb"[\x80-\xff]")
_SEQUENCE = (
    rb"[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]"
    rb"|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
)
_CUT_SEQUENCE = (
    rb"[\xe1-\xef][\x80-\xbf](?![\x80-\xbf])|[\xf0-\xf4][\x80-\xbf]{2}(?![\x80-\xbf])|\xed[\xa0-\xbf][\x80-\xbf]"
)
_UTF8 = re.compile(rb"(?:%b)+" % _SEQUENCE)
_UTF8_OR_CUT = re.compile(rb"((?:%b)+)|(%b)" % (_SEQUENCE, _CUT_SEQUENCE))
_EASTERN = re.compile("[\u2e80-\ud7ff\uf900-\ufaff]")


def decoded(raw: bytes, encoding: str | None) -> str:
    r"""The text of these bytes in the encoding that is given, else in the one they seem to be in.

    A mark at the beginning is believed before both. Bytes that have no meaning become U+FFFD.

    >>> decoded("Hyvää päivää".encode("cp1252"), None), decoded("Zażółć gęślą jaźń".encode("cp1250"), None)
    ('Hyvää päivää', 'Zażółć gęślą jaźń')
    >>> decoded("Tänään sataa.\n".encode() + "On märkää.\n".encode("cp1252") + "Käärme nukkuu.".encode(), None)
    'Tänään sataa.\nOn märkää.\nKäärme nukkuu.'
    """
    text = _marked(raw)
    if text is None:
        text = _guessed(raw) if encoding is None else _as_told(raw, encoding)
    return text.replace("\ufeff", "").replace("\x00", "")


def _marked(raw: bytes) -> str | None:
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            rest = raw[len(mark) :]
            text = _guessed(rest) if encoding == "utf-8" else _if_sound(rest, encoding)
            if text is not None:
                return text
    return None


def _as_told(raw: bytes, encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "a".encode(encoding)  # there are codecs that are none of texts
    except (LookupError, ValueError):
        raise InputError(
            f"No encoding of texts is called {encoding!r}. Give one such as utf-8, cp1252 or iso-8859-2, or none: "
            "then it is guessed, file by file."
        ) from None
    if name.startswith(("utf-16", "utf-32")) and b"\x00" not in raw:
        name = "utf-8"  # such files are recoded when they are opened
    try:
        return raw.decode(name)
    except UnicodeError:
        raise BadRow(f"not in the encoding {name}") from None


def _guessed(raw: bytes) -> str:
    if b"\x00" in raw and (wide := _wide(raw)) is not None:
        return wide
    for escape, encoding in _ESCAPES.items():
        if escape in raw and not _HIGH.search(raw) and (escaped := _if_sound(raw, encoding)) is not None:
            return escaped
    if 20 * len(raw.translate(None, _CONTROLS)) < 19 * len(raw.replace(b"\x00", b"")):
        raise BadRow("not a text")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return _mixed(raw)


def _wide(raw: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: digits and line breaks leave zeros in the same places everywhere."""
    zeros = [raw[place::4].count(0) for place in range(4)]
    most = 0.95 * (len(raw) // 4)
    if min(zeros[2:]) > most > min(zeros[:2]):
        return _if_sound(raw, "utf-32-le")
    if min(zeros[:2]) > most > min(zeros[2:]):
        return _if_sound(raw, "utf-32-be")
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    if min(even, odd) > 0.02 * max(even, odd) or max(even, odd) < 0.02 * len(raw):
        return None
    if (
        max(even, odd) < 0.3 * len(raw)
        and raw.isascii()
        and len(raw.translate(None, _CONTROLS)) == len(raw) - even - odd
    ):
        return None  # ASCII in UTF-16 would have a zero for every letter
    return _if_sound(raw, "utf-16-le" if odd > even else "utf-16-be")


def _if_sound(raw: bytes, encoding: str) -> str | None:
    text = raw.decode(encoding, "replace")
    return text if text.count("\ufffd") <= len(text) // 50 + 1 else None


def _mixed(raw: bytes) -> str:
    """The text of bytes that are not, or not all, UTF-8."""
    lines = raw.splitlines(keepends=True)
    read = [_as_utf8(line) for line in lines]
    strange = [line for line, text in zip(lines, read, strict=True) if text is None]
    sound = [text for text in read if text is not None and not text.isascii()]
    if len(sound) > len(strange) or _share_of_utf8(b"".join(strange)) > 0.9:
        rests = [line if _share_of_utf8(line) < 0.5 else _UTF8_OR_CUT.sub(b"", line) for line in strange]
        encoding = guess([rest for rest in rests if _HIGH.search(rest)], "".join(sound))
        return "".join(
            _mended(line, encoding) if text is None else text for line, text in zip(lines, read, strict=True)
        )
    encoding = guess(strange, "".join(sound))
    if encoding in MULTIBYTE:  # a short line in one of these may look like UTF-8, but then as odd letters of Europe
        sound = [text for text in sound if _EASTERN.search(text)]
    if not sound:
        return raw.decode(encoding, "replace")
    meant = frozenset(sound)
    return "".join(
        text if text in meant else line.decode(encoding, "replace") for line, text in zip(lines, read, strict=True)
    )


def _as_utf8(line: bytes) -> str | None:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _fits(line: bytes, encoding: str) -> bool:
    return "\ufffd" not in line.decode(encoding, "replace")


def _share_of_utf8(lines: bytes) -> float:
    return sum(map(len, _UTF8.findall(lines))) / (len(_HIGH.findall(lines)) or 1)


def _mended(line: bytes, encoding: str) -> str:
    """A strange line of a UTF-8 file: it is in the other encoding, or it is UTF-8 with some bytes of the other."""
    share = _share_of_utf8(line)
    if share < 0.5 or (share < 0.9 and encoding in MULTIBYTE and _fits(line, encoding)):
        return line.decode(encoding, "replace")
    parts = _UTF8_OR_CUT.split(line)  # by threes: something else, UTF-8, a letter that was cut
    return "".join(
        other.decode(encoding, "replace") + (sound.decode() if sound else "\ufffd" if cut else "")
        for other, sound, cut in zip(parts[::3], [*parts[1::3], b""], [*parts[2::3], b""], strict=True)
    )
