"""A heading is the title, where it is the first line of a text."""

from __future__ import annotations

import pytest

from paraloom.text.headings import heading

HEADINGS = [
    ("Storm hits coast\n\nIt came.", "Storm hits coast", (0, 16)),
    ("\nStorm  hits\tcoast  \nIt came.", "Storm hits coast", (1, 18)),
    ("Storm hits coast", "Storm hits coast", (0, 16)),
    ("Storm hits coast again", "Storm hits coast", None),
    ("It came.", "Storm", None),
    ("(a+b)*?", "(a+b)*?", (0, 7)),
    ("Storm", None, None),
    ("Storm", "  ", None),
    ("", "Storm", None),
    ("a " * 1000, "a " * 1000, None),
]


@pytest.mark.parametrize(("text", "title", "expected"), HEADINGS)
def test_a_heading_is_the_title_as_first_line(text: str, title: str | None, expected: tuple[int, int] | None) -> None:
    assert heading(text, title) == expected
