"""What the readers of foreign formats yield, before it becomes an Arrow table."""

from __future__ import annotations

from typing import TypeAlias

Record: TypeAlias = tuple[int, bytes, str, bytes | None]
"""Offset, raw bytes, format, context."""

BROKEN = "broken"
"""The format of a record that cannot be right; its context is the reason."""

KEPT_OF_BROKEN = 4096
"""Bytes of a broken record that are kept."""
