"""Python values in, what both databases store alike out: moments as whole microseconds, JSON as text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import BigInteger, Dialect, Integer, Text, TypeDecorator

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Number = BigInteger().with_variant(Integer, "sqlite")
"""A row's number: SQLite counts up by itself only in columns that are called INTEGER."""


class Moment(TypeDecorator[datetime]):
    """A moment in UTC, stored as microseconds since 1970: sorted alike everywhere, exact, and never without a zone."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Refuses a moment without a zone: nobody knows when that is."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone.")
        return (value - EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Back as it was given, in UTC."""
        return None if value is None else EPOCH + timedelta(microseconds=value)


class Json(TypeDecorator[Any]):
    """Any JSON value as text, so that both databases give back the same characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """None stays none: a value that is absent is not the value `null`."""
        return None if value is None else orjson.dumps(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """The value that was given."""
        return None if value is None else orjson.loads(value)


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)
