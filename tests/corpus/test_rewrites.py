"""A rewritten pair is a pair of its own, however a file holds it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paraloom.corpus.rewrites import rewrites_of

GALE = ("It blew hard.", "A gale blew.", "4")

HELD = [
    ([["It blew hard.", "A gale blew."]], [GALE]),
    ([("It blew hard.", "A gale blew.")], [GALE]),
    (json.dumps([["It blew hard.", "A gale blew."]]), [GALE]),
    ([["one"], ["a", "b", "c"], ["a", " "], ["a", None], "ab", 7, ["It blew hard.", "A gale blew."]], [GALE]),
    ([], []),
    (None, []),
    ("", []),
    ("[[", []),
    ({"left": "a", "right": "b"}, []),
    (3.5, []),
]


@pytest.mark.parametrize(("given", "expected"), HELD)
def test_what_has_two_texts_is_a_pair_with_the_label_4(given: Any, expected: list[tuple[str, str, str]]) -> None:
    assert rewrites_of(given) == expected
