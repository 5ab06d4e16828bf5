"""The pieces of a text in; out come its numbers, whatever way they are written, and what else may stand for a number.

A number is its value in figures: "18 million", "$18M" and "18,000,000" are all "18000000", "third" and "3rd" are "3".
A score, range or date ("8-0", "10/3") is kept as it stands, with its parts beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from paraloom.text.facts.lexicon import look_up
from paraloom.text.facts.pieces import CURRENCIES, Piece
from paraloom.text.facts.tables import MONTHS, words_of
from paraloom.text.spelled_numbers import SPELLED, in_figures


class Number(NamedTuple):
    """One number of a text."""

    start: int
    end: int
    values: tuple[str, ...]
    """How it can be read; the first is its normal form."""
    unit: str
    """`$` (or another currency), `%`, `am`, `pm`, a measure (`kg`, `day`), or nothing."""
    parts: tuple[str, ...] = ()
    """Of a score, range or date."""
    firm: bool = True
    """It is a fact. Otherwise it can only stand for one: "one of them" for a 1, but nobody must keep it."""


_SHAPE = re.compile(
    rf"(?:(?P<currency>[A-Z]{{0,2}}[{CURRENCIES}] ?)|[vV])?(?P<core>\.?\d(?:[\d.,:/–-]| , )*)"
    r"(?P<suffix>[^\W\d_]+|\s?[%‰％€£])?"
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?")
_POINT_GROUPED = re.compile(r"\d{1,3}(?:\.\d{3})+")
_PLAIN = re.compile(r"\d*\.?\d+")
_BROKEN_ENTITIES = words_of("#39 #34 #8211 #8212 #8216 #8217 #8220 #8221 #8230")
"""What is left of escaped apostrophes, quotes and dashes."""
_DIGITS = re.compile(r"\d+")
_LONGEST = 25
"""More digits than this are compared as they stand."""

_SCALES = {
    "hundred": 2, "k": 3, "thousand": 3, "lakh": 5, "m": 6, "mn": 6, "mil": 6, "mill": 6, "mln": 6, "mm": 6,
    "million": 6, "crore": 7, "cr": 7, "b": 9, "bn": 9, "bil": 9, "billion": 9, "t": 12, "tn": 12, "trn": 12,
    "trillion": 12,
}  # fmt: skip
_MAYBE_SCALES = words_of("k m b t mm")
"""Metres or millions, a screen of 4K or four thousand: both readings count, unless money is meant."""
_SPACED_SCALES = words_of("mn mil mln bn tn trn mm thousand million billion trillion hundred lakh crore cr")
_SPACED_LETTERS = words_of("M B K T m b k t")
"""Behind an amount of money, these are scales; M and B behind any figures."""
_CAPITAL_UNITS = words_of(
    "AM PM KM KG MPH X H MM CM KB MB GB TB HZ KHZ MHZ GHZ KW MW GW KWH MWH GWH FT LB LBS HR HRS YR"
)
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_PERCENT = frozenset(("percent", "pct", "percentage", "percents"))
_CURRENCY_WORDS = {
    "dollar": "$", "dollars": "$", "usd": "$", "bucks": "$", "euro": "€", "euros": "€", "eur": "€", "pound": "£",
    "pounds": "£", "gbp": "£", "quid": "£", "yen": "¥", "rupee": "₹", "rupees": "₹",
}  # fmt: skip
_HALVES_OF_A_DAY = {"am": "am", "a.m.": "am", "a.m": "am", "pm": "pm", "p.m.": "pm", "p.m": "pm"}
_MEASURES = {
    form: forms.split()[0]
    for forms in (
        "second seconds sec secs", "minute minutes min mins", "hour hours h hr hrs", "day days", "week weeks wk wks",
        "month months", "year years yr yrs", "mm millimetre millimetres millimeter millimeters",
        "cm centimetre centimetres centimeter centimeters", "metre metres meter meters",
        "km kilometre kilometres kilometer kilometers kms", "inch inches", "foot feet ft", "yard yards yds",
        "mile miles", "mg milligram milligrams", "g gram grams gramme grammes",
        "kg kilo kilos kilogram kilograms kgs", "ton tons tonne tonnes", "ml millilitre millilitres milliliter",
        "litre litres liter liters", "gallon gallons", "kb kilobyte kilobytes", "mb megabyte megabytes",
        "gb gigabyte gigabytes", "tb terabyte terabytes", "kw kilowatt kilowatts", "mw megawatt megawatts",
        "gw gigawatt gigawatts", "mph", "kph kmh",
    )
    for form in forms.split()
}  # fmt: skip
"""What is measured: "5 kg" are no "5 g", nor "two months" two years. Pounds are money, m a million or a metre."""
_SPEEDS = {"mile": "mph", "km": "kph"}
_BY = frozenset(("per", "an", "a", "/"))
_NOTHING = Piece("mark", "", 0, 0)
_DECADES = {
    "twenties": "20s", "thirties": "30s", "forties": "40s", "fifties": "50s", "sixties": "60s", "seventies": "70s",
    "eighties": "80s", "nineties": "90s",
}  # fmt: skip

_STANDING_FOR = {
    "a": ("1",), "an": ("1",), "one": ("1",), "first": ("1",), "single": ("1",), "once": ("1",), "lone": ("1",),
    "sole": ("1",), "solo": ("1",), "another": ("1",), "two": ("2",), "second": ("2",), "twice": ("2",),
    "double": ("2",), "doubles": ("2",), "doubled": ("2",), "both": ("2",), "pair": ("2",), "couple": ("2",),
    "duo": ("2",), "brace": ("2",), "twins": ("2",), "back": ("2",), "trio": ("3",), "triple": ("3",),
    "triples": ("3",), "tripled": ("3",), "thrice": ("3",), "trick": ("3",), "trilogy": ("3",), "third": ("3", "33"),
    "thirds": ("3", "67", "66"), "quartet": ("4",), "quarter": ("4", "25", "0.25"), "quarters": ("4", "75"),
    "half": ("0.5", "50", "2", "1/2", "6", "30"), "halves": ("2",), "halved": ("50", "2"), "week": ("7",),
    "fortnight": ("14",), "decade": ("10",), "decades": ("10", "20"), "year": ("12", "365"), "day": ("24",),
    "hour": ("60",), "minute": ("60",), "century": ("100",), "hundred": ("100",), "thousand": ("1000",),
    "million": ("1000000",), "billion": ("1000000000",), "dozen": ("12",), "zero": ("0",), "no": ("0",), "nil": ("0",),
    "none": ("0",), "nobody": ("0",), "noon": ("12",), "midday": ("12",), "midnight": ("12", "0", "24"),
    "all": ("100",), "twos": ("2",), "threes": ("3",), "fours": ("4",), "fives": ("5",), "sixes": ("6",),
    "tens": ("10",), "hundreds": ("100s", "100"), "thousands": ("1000s", "1000"), "millions": ("1000000s", "1000000"),
}  # fmt: skip
"""Words that keep a number without being one that must be kept."""
_NOT_ALONE = frozenset(("one", "first", "second", "zero", "thousand", "million", "billion", "trillion"))
_IN_SPELLED = SPELLED | {"hundred", "and", "a", "an"}
_BEGINS_SPELLED = SPELLED | {"a", "an"}


def numbers_of(pieces: Sequence[Piece]) -> list[Number]:
    """The numbers of a text, in the order of their places.

    >>> from paraloom.text.facts.pieces import pieces_of
    >>> [number.values[0] for number in numbers_of(pieces_of("Twenty-one of 1,000 won $3.5 million on the 3rd, 8-0"))]
    ['21', '1000', '3500000', '3', '8-0']
    """
    found: list[Number] = []
    position = 0
    while position < len(pieces):
        piece = pieces[position]
        length = 1
        if piece.kind == "number":
            number, length = _in_figures(pieces, position)
            found.extend(number)
        elif piece.kind == "hashtag" and piece.text[1:].isdigit() and piece.text not in _BROKEN_ENTITIES:
            found.append(Number(piece.start, piece.end, _values(piece.text[1:]), ""))
        elif piece.kind == "word":
            form = piece.text.lower()
            if form in _BEGINS_SPELLED:
                spelled, length = _spelled(pieces, position)
                found.extend(spelled)
            elif form in _STANDING_FOR:
                found.append(Number(piece.start, piece.end, _STANDING_FOR[form], "", firm=False))
            elif form in _DECADES:
                found.append(Number(piece.start, piece.end, _decades(_DECADES[form]), ""))
            elif not form.isalpha():
                found.extend(
                    Number(piece.start, piece.end, (digits,), "", (), False) for digits in _DIGITS.findall(form)
                )
        position += length
    return found


def _in_figures(pieces: Sequence[Piece], position: int) -> tuple[list[Number], int]:
    piece = pieces[position]
    read = _SHAPE.fullmatch(piece.text)
    if read is None:
        return [Number(piece.start, piece.end, (piece.text,), "")], 1
    currency = (read["currency"] or "").strip()[-1:]
    core, suffix = read["core"].replace(" ", ""), (read["suffix"] or "").strip()
    if is_name_in_figures(piece):
        return [Number(piece.start, piece.end, _values(core), "", firm=False)], 1
    unit = currency or ("%" if suffix in "%‰％" and suffix else suffix if suffix in "€£" else "")
    length, scale, end = 1, _SCALES.get(suffix.lower(), 0), piece.end
    following = pieces[position + 1 : position + 6]
    at = 0
    if not scale and following and following[0].kind == "mark" and following[0].text == "-":
        at = 1  # "a 3-million house"
    if not scale and not suffix and at < len(following):
        word = following[at].text
        if word.lower() in _SPACED_SCALES or (word in _SPACED_LETTERS if currency else word in ("M", "B")):
            scale, end, at = _SCALES[word.lower()], following[at].end, at + 1
            length = at + 1
        elif at:
            at = 0
    unit = unit or _HALVES_OF_A_DAY.get(suffix.lower(), "")
    if not unit and not scale and suffix.lower() in _MEASURES:
        unit = _measured(_MEASURES[suffix.lower()], following, at)
    unit = unit or _unit_in_words(following, at)
    values, parts = _read_core(core, scale, unit, suffix)
    tied = position > 0 and pieces[position - 1].end == piece.start and pieces[position - 1].kind in ("word", "number")
    return [Number(piece.start, end, values, unit, parts, firm=not tied)], length


def _unit_in_words(following: Sequence[Piece], at: int) -> str:
    """The unit that stands behind a number, also with a hyphen between: "a 10-day trip"."""
    if at + 1 < len(following) and following[at].text == "-" and following[at + 1].start == following[at].end:
        at += 1
    if at >= len(following) or following[at].kind != "word":
        return ""
    word = following[at].text.lower()
    if word in _MEASURES:
        return _measured(_MEASURES[word], following, at + 1)
    if word in _PERCENT or _is_per_cent(following, at):
        return "%"
    return _CURRENCY_WORDS.get(word) or _HALVES_OF_A_DAY.get(word, "")


def _measured(measure: str, following: Sequence[Piece], at: int) -> str:
    """A length by the hour is a speed."""
    by, hour = (piece.text.lower() for piece in (*following[at : at + 2], *[_NOTHING] * 2)[:2])
    return _SPEEDS.get(measure, measure) if by in _BY and _MEASURES.get(hour) == "hour" else measure


def _is_per_cent(following: Sequence[Piece], at: int) -> bool:
    return following[at].text.lower() == "per" and at + 1 < len(following) and following[at + 1].text.lower() == "cent"


def is_name_in_figures(piece: Piece) -> bool:
    """Whether what begins like a number is a name: "5G", "3D", "49ers", "23andMe".

    >>> is_name_in_figures(Piece("number", "5G", 0, 2)), is_name_in_figures(Piece("number", "10am", 0, 4))
    (True, False)
    """
    letters = piece.text.lstrip("0123456789")
    if piece.kind != "number" or not letters.isalpha() or letters.lower() in _ORDINALS:
        return False
    if letters.lower() in _SCALES or letters in _CAPITAL_UNITS:
        return False
    return letters[0].isupper() or (len(letters) > 4 and not look_up(letters).everyday) or letters == "ers"


@lru_cache(maxsize=1 << 14)
def _read_core(core: str, scale: int, unit: str, suffix: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The readings of figures, and the parts they are made of."""
    suffix = suffix.lower()
    core = core.replace("–", "-")
    if "-" in core or "/" in core:
        return _compound(core, scale)
    if ":" in core:
        return _time(core, suffix), tuple(_trimmed(part) for part in core.split(":"))
    if suffix == "s" and len(core) > 1:
        return _decades(f"{_trimmed(core)}s"), ()
    values = _values(core)
    if not scale:
        return values, ()
    scaled = tuple(_times(value, scale) for value in values)
    return (scaled + values if suffix in _MAYBE_SCALES and not unit else scaled), ()


def _compound(core: str, scale: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    sign = "/" if "/" in core else "-"
    parts = [_values(part)[0] for part in core.split(sign) if part]
    readings = [sign.join(parts)]
    if sign == "-" and len(parts) == 2:
        readings.append(sign.join(reversed(parts)))  # whoever is named first, the score is the same
    if parts == ["1", "2"] and sign == "/":
        readings.append("0.5")
    if scale:
        parts = [*(_times(part, scale) for part in parts)]
    return tuple(readings), tuple(parts)


def _time(core: str, suffix: str) -> tuple[str, ...]:
    hour, *rest = core.split(":")
    hour = _trimmed(hour)
    readings = [":".join([hour, *rest])]
    if len(rest) == 1 and len(hour) <= 2:
        other = int(hour) - 12 if int(hour) > 12 else int(hour) + 12 if suffix in ("pm", "p") else None
        hours = [hour] if other is None else [hour, str(other)]
        readings += [f"{one}:{rest[0]}" for one in hours[1:]]
        readings += hours if set(rest[0]) == {"0"} else []
    return tuple(readings)


def _decades(decade: str) -> tuple[str, ...]:
    """A decade with and without its century.

    >>> _decades("1990s"), _decades("90s")
    (('1990s', '90s', '1990'), ('90s', '1990s', '90'))
    """
    digits = decade[:-1]
    if len(digits) == 4:
        return (decade, f"{digits[2:]}s", digits)
    return (decade, f"19{digits}s", digits) if len(digits) == 2 else (decade, digits)


@lru_cache(maxsize=1 << 14)
def _values(digits: str) -> tuple[str, ...]:
    """The readings of figures with points and commas: "1.000" is 1 in English, a thousand elsewhere."""
    if _GROUPED.fullmatch(digits):
        return (_trimmed(digits.replace(",", "")),)
    if _POINT_GROUPED.fullmatch(digits):
        return (_trimmed(digits), _trimmed(digits.replace(".", "")))
    if digits.count(",") == 1 and "." not in digits:
        return (_trimmed(digits.replace(",", ".")),)
    return (_trimmed(digits),)


def _trimmed(digits: str) -> str:
    if not _PLAIN.fullmatch(digits) or len(digits) > _LONGEST:
        return digits
    return format(Decimal(digits).normalize(), "f")


def _times(value: str, scale: int) -> str:
    if not _PLAIN.fullmatch(value) or len(value) > _LONGEST:
        return value
    return format((Decimal(value) * 10**scale).normalize(), "f")


def _spelled(pieces: Sequence[Piece], position: int) -> tuple[list[Number], int]:
    """Numbers in words from here on, and how many pieces they take."""
    run: list[Piece] = []
    places: list[int] = []
    at = position
    while at < len(pieces):
        piece = pieces[at]
        if piece.kind == "word" and piece.text.lower() in _IN_SPELLED:
            run.append(piece)
            places.append(at)
        elif not (piece.text == "-" and run and piece.start == run[-1].end):
            break
        at += 1
    found: list[Number] = []
    place = 0
    for written in in_figures([piece.text.lower() for piece in run]):
        first, last = run[place], run[place + written.length - 1]
        place += written.length
        form = first.text.lower()
        if written.spelled:
            value = written.word.removesuffix("th")
            if form in ("a", "an") and first is run[0] and position and pieces[position - 1].text.lower() == "half":
                value = format(Decimal(value) / 2, "f")
            firm = not (written.length == 1 and form in _NOT_ALONE)
            unit = _unit_behind(pieces, places[place - 1])
            found.append(Number(first.start, last.end, (value, *_STANDING_FOR.get(form, ())[1:]), unit, (), firm))
        elif form in _STANDING_FOR:
            found.append(Number(first.start, last.end, _STANDING_FOR[form], "", (), firm=False))
    return found, max(at - position, 1)


def _unit_behind(pieces: Sequence[Piece], last: int) -> str:
    following = pieces[last + 1 : last + 6]
    if not following:
        return ""
    return "%" if following[0].text == "%" else _unit_in_words(following, 0)


def dates_of(numbers: Iterable[Number]) -> set[str]:
    """The months that dates in figures may mean: "10/3" is in October or in March."""
    months = list(MONTHS)
    return {
        months[int(part) - 1]
        for number in numbers
        if "/" in number.values[0] or number.values[0].count("-") == 2
        for part in number.parts
        if part.isascii() and part.isdigit() and len(part) <= 2 and 1 <= int(part) <= 12
    }
