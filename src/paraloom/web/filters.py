"""Numbers, times and amounts in, the words a page shows for them out. What is missing is a dash."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from markupsafe import Markup

__all__ = ["FILTERS", "ago", "duration", "moment", "money", "number", "percent"]

MISSING = "–"
SIGNS = {"EUR": "€", "USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹"}
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


def number(value: float | None, decimals: int = 0) -> str:
    """Digits in groups of three.

    >>> number(1234567), number(2.5, 1), number(-3), number(None)
    ('1,234,567', '2.5', '−3', '–')
    """
    if value is None or value != value:  # NaN is missing, too
        return MISSING
    if isinstance(value, int) and not decimals:
        return f"{value:,}".replace("-", "−")  # a whole number of any size
    return f"{value:,.{decimals}f}".replace("-", "−")


def percent(share: float | None, decimals: int = 0) -> str:
    """A share of one, as per cent.

    >>> percent(0.8333), percent(0.8333, 1), percent(None)
    ('83%', '83.3%', '–')
    """
    return MISSING if share is None or share != share else f"{number(share * 100, decimals)}%"


def money(amount: Decimal | float | None, currency: str = "EUR") -> str:
    r"""An amount with its currency.

    >>> money(Decimal("1234.5")), money(0.12, "USD"), money(5, "CHF"), money(-2)
    ('€1,234.50', '$0.12', 'CHF\xa05.00', '−€2.00')
    """
    if amount is None:
        return MISSING
    sign = SIGNS.get(currency, f"{currency}\u00a0")
    return f"{'−' if amount < 0 else ''}{sign}{abs(amount):,.2f}"


def duration(seconds: float | None) -> str:
    r"""A length of time in the two units that matter.

    >>> duration(4.2), duration(75), duration(3 * 3600 + 240), duration(0)
    ('4.2\xa0s', '1\xa0min 15\xa0s', '3\xa0h 4\xa0min', '0\xa0s')
    """
    if seconds is None or seconds != seconds:
        return MISSING
    if 0 < seconds < 9.95:
        return f"{seconds:.1f}".removesuffix(".0") + "\u00a0s"
    whole = round(seconds)
    parts = ((whole // 86_400, "d"), (whole // 3_600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s"))
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    return " ".join(f"{count}\u00a0{unit}" for count, unit in parts[first : first + 2] if count or first == 3)


def moment(value: datetime | None) -> Markup | str:
    """A time to the minute, in UTC. A time without a zone is taken as UTC.

    >>> moment(datetime(2024, 5, 1, 9, 30))
    Markup('<time datetime="2024-05-01T09:30:00+00:00">2024-05-01 09:30 UTC</time>')
    """
    if value is None:
        return MISSING
    utc = _in_utc(value)
    return Markup('<time datetime="{}">{:%Y-%m-%d %H:%M} UTC</time>').format(utc.isoformat(), utc)


def ago(value: datetime | None, now: datetime | None = None) -> Markup | str:
    """How long ago a time was, with the time itself on hover; dates once it is more than a month.

    >>> ago(datetime(2024, 5, 1, 9, 30), now=datetime(2024, 5, 1, 11, 31)).striptags()
    '2 hours ago'
    """
    if value is None:
        return MISSING
    utc = _in_utc(value)
    passed = ((_in_utc(now) if now else datetime.now(UTC)) - utc).total_seconds()
    return Markup('<time datetime="{}" title="{:%Y-%m-%d %H:%M} UTC">{}</time>').format(
        utc.isoformat(), utc, _in_words(passed) or f"{utc:%Y-%m-%d}"
    )


def _in_words(passed: float) -> str | None:
    if passed > 31 * 86_400 or passed < -60:
        return None  # a date says more; and what lies ahead is not ago
    for seconds, unit in _UNITS:
        if passed >= seconds:
            count = int(passed // seconds)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _in_utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


FILTERS = {"number": number, "percent": percent, "money": money, "duration": duration, "moment": moment, "ago": ago}
