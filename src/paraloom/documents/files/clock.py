"""A time as subtitle files write it in, seconds out."""

from __future__ import annotations

import re

TIME = r"-?\d{1,3}(?:\s?[:.,;،]\s?-?\d{1,9}){1,3}"
"""Two to four numbers, whatever parts them; a pattern."""

_SEPARATOR = re.compile(r"\s?([:.,;،])\s?")


def seconds(time: str) -> float:
    """Seconds of a time with or without hours and fractions; a sign anywhere makes it negative.

    >>> [seconds(time) for time in ("01:02:03,450", "02:03.45", "1:02:03", "00:00:03:450", "3.5", "00:-1:05,000")]
    [3723.45, 123.45, 3723.0, 3.45, 3.5, -65.0]
    """
    parts = _SEPARATOR.split(time.replace("-", ""))
    numbers, separators = parts[::2], parts[1::2]
    # In 02.03.04 and 02:03:04 nothing tells a fraction from the rest: they are hours, minutes and seconds.
    has_fraction = len(numbers) == 4 or (separators[-1] in ".,،" and len(set(separators)) == len(separators))
    fraction = numbers.pop() if has_fraction else "0"
    found = float(f"0.{int(fraction):0{len(fraction)}}")
    for number, unit in zip(reversed(numbers), (1, 60, 3600), strict=False):
        found += int(number) * unit
    return (-round(found, 3) if "-" in time else round(found, 3)) + 0.0
