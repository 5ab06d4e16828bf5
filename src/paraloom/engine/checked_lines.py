"""Values in, lines of a journal out, each with its checksum: what a kill has cut off is not taken for a value."""

from __future__ import annotations

import zlib
from typing import Any

import orjson


def checked_line(value: Any) -> bytes:
    r"""A value as one line of JSON behind its checksum.

    >>> checked_line({"rows": 2})
    b'9af9efb8 {"rows":2}\n'
    """
    written = orjson.dumps(value)
    return b"%08x %s\n" % (zlib.crc32(written), written)


def checked_value(line: bytes) -> Any:
    """What was noted; None where the line is not whole.

    >>> checked_value(checked_line([1, "a"])), checked_value(checked_line([1, "a"])[:-2])
    ([1, 'a'], None)
    """
    checksum, _, written = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or checksum != b"%08x" % zlib.crc32(written):
        return None
    return orjson.loads(written)
