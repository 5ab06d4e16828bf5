"""File names in, texts that can be written anywhere out.

Where a name is no UTF-8, Python holds its bytes as lone surrogates: the file can be opened by it, but neither a table
nor a page nor a terminal takes it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BYTE = re.compile("[\udc80-\udcff]")
_FIRST = 0xDC00


def told_name(name: str) -> str:
    r"""A name, or a text with one, as people and tables are told it: bytes that are no UTF-8 are escapes.

    >>> told_name("caf\udce9.txt"), told_name("café.txt")
    ('caf\\xe9.txt', 'café.txt')
    """
    return _BYTE.sub(lambda byte: f"\\x{ord(byte[0]) - _FIRST:02x}", name)


def with_told_names(value: Any) -> Any:
    r"""The same for every text in nested values.

    >>> with_told_names({"files": ("caf\udce9.txt",), "rows": 3})
    {'files': ['caf\\xe9.txt'], 'rows': 3}
    """
    if isinstance(value, str):
        return told_name(value)
    if isinstance(value, Mapping):
        return {with_told_names(name): with_told_names(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [with_told_names(inner) for inner in value]
    return value
