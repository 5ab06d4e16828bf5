"""What was written after `--columns` in, a file's columns by our names out."""

from __future__ import annotations

from collections.abc import Sequence

from paraloom.errors import InputError


def named_columns(written: Sequence[str]) -> dict[str, str]:
    """Our name → the file's name, or its number from 1.

    >>> named_columns(["left=sentence1,right=sentence2", "label=3"])
    {'left': 'sentence1', 'right': 'sentence2', 'label': '3'}
    """
    columns = {}
    for part in (part for text in written for part in text.split(",") if part.strip()):
        ours, equals, theirs = (piece.strip() for piece in part.partition("="))
        if not (ours and equals and theirs):
            raise InputError(f"--columns {part.strip()!r} is not of the form OURS=THEIRS, as in label=gold or label=3.")
        columns[ours] = theirs
    return columns
