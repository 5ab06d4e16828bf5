"""What a record says about when it was written in, microseconds since 1970 (UTC) out."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache

from paraloom.documents.shapes.post import LONGEST_FIELD, BadRow

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_EARLIEST = (datetime(1990, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LATEST = (datetime(2100, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_MONTHS = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6,
    "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11, "Dec": 12,
}  # fmt: skip
_SCALES = ((1e11, 1_000_000), (1e14, 1_000), (1e17, 1))
"""A number below the first limit is in seconds, then in milliseconds, then in microseconds, else in nanoseconds."""
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]*)?")
_LENGTH_OF_A_DATE = len("20260301")


def microseconds(value: object) -> int | None:
    """The moment a value names, or None where there is no value; a time without zone is taken as UTC.

    ISO 8601, seconds, milliseconds, microseconds or nanoseconds since 1970, Twitter's own and e-mail's format are read.
    A value that cannot be read, or lies before 1990 or after 2099, raises `BadRow`: a date was meant, and it is not it.

    >>> microseconds("2020-10-01T22:19:25-04:00") == microseconds("Fri Oct 02 02:19:25 +0000 2020") == 1601605165000000
    True
    """
    if type(value) is str:
        return _of_text(value)
    if value is None or value != value:  # NaN is the only value unlike itself
        return None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _in_range(_of_number(value))
    raise BadRow("created_at is not a time")


@lru_cache(maxsize=1 << 15)
def _of_text(text: str) -> int | None:
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST_FIELD:
        raise BadRow("created_at is unreadable")
    if len(text) != _LENGTH_OF_A_DATE and _NUMBER.fullmatch(text):  # before ISO, which sees years in milliseconds
        return _in_range(_of_number(float(text) if "." in text else int(text[:30])))
    try:
        moment = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1] in "zZ" else text)
    except ValueError:
        moment = _of_other(text)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return _in_range((moment - _EPOCH) // _MICROSECOND)
    except OverflowError as error:
        raise BadRow("created_at is out of range") from error


def _of_other(text: str) -> datetime:
    parts = text.split()
    try:
        if len(parts) == 6 and parts[1] in _MONTHS:  # Sun Oct 09 23:56:23 +0000 2016
            moment = f"{parts[5]:0>4}-{_MONTHS[parts[1]]:02}-{parts[2]:0>2}T{parts[3]}{parts[4][:3]}:{parts[4][3:]}"
            return datetime.fromisoformat(moment)
        if len(parts) > 1 and parts[-1] in ("UTC", "GMT"):
            try:
                return datetime.fromisoformat(" ".join(parts[:-1]))
            except ValueError:
                pass
        return parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise BadRow("created_at is unreadable") from error


def _of_number(number: float) -> int:
    for limit, factor in _SCALES:
        if abs(number) < limit:
            return int(number * factor)
    return int(number // 1000) if abs(number) < 1e20 else _LATEST


def _in_range(moment: int) -> int:
    if not _EARLIEST <= moment < _LATEST:
        raise BadRow("created_at is out of range")
    return moment
