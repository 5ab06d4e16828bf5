"""What a row says of rewrites in, new pairs out.

A pair that fell short of a plain 4 may have been rewritten until it was one (Kanerva et al., 2023, section 5.3): each
rewritten form is a pair of its own, with the label 4. The Turku corpus has them as a list of two texts each.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

REWRITES = "rewrites"
"""The column that holds them."""
REWRITTEN = "4"
"""The label of a pair that was rewritten until it was a paraphrase in every context."""


class Rewrite(NamedTuple):
    """A rewritten form of a pair."""

    left: str
    right: str
    label: str = REWRITTEN


def rewrites_of(given: Any) -> list[Rewrite]:
    """The rewritten forms that a value holds: a list of two texts each, or in a file of plain cells its JSON.

    What has not two texts, or an empty one, is no pair.

    >>> rewrites_of([["It blew hard.", "A gale blew."], ["alone"], ["", "A gale."]])
    [Rewrite(left='It blew hard.', right='A gale blew.', label='4')]
    >>> rewrites_of('[["It blew hard.", "A gale blew."]]') == rewrites_of([("It blew hard.", "A gale blew.")])
    True
    >>> rewrites_of(None), rewrites_of("none")
    ([], [])
    """
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return []
    return [Rewrite(*texts) for texts in given if _is_pair(texts)] if isinstance(given, list) else []


def _is_pair(texts: Any) -> bool:
    return (
        isinstance(texts, Sequence)
        and not isinstance(texts, str)
        and len(texts) == 2
        and all(isinstance(text, str) and text.strip() for text in texts)
    )
