"""A guide's name in, its Markdown out: the instructions that a new campaign begins with, one file each."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "guides"


@cache
def guide(name: str) -> str:
    """The text of one guide."""
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")
