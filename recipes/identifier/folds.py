"""Rows in, the fold of each out: texts that belong together are never on both sides of a split."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

FOLDS = 8
HELD_OUT = 0
"""Rows of this fold are never learned from."""
PARTS = 5
"""As many teachers; each leaves out one part, so that every row that people judged has a teacher who never saw it."""


@dataclass(slots=True, kw_only=True)
class Row:
    """A pair, where it comes from, and what is known of it."""

    left: str
    right: str
    kind: str
    loose: float | None = None
    strict: float | None = None
    implication: float | None = None
    similarity: float | None = None
    likeness: float | None = None
    forwards: float | None = None
    duplicate: float | None = None
    weight: float = 1.0
    topic: str = ""
    source: str = ""
    """The corpus and split it was read from; empty for pairs that were put together here."""
    decided: bool = True
    """Whether people agreed on it well enough to be measured on."""


def letters(text: str) -> str:
    """A text without what corpora write differently: case, white space, punctuation."""
    return "".join(character for character in text.lower() if character.isalnum())


MADE = ("more-", "near-", "strangers", "copies")
"""How the kinds of pairs begin that were put together here; they join no groups, but stay out where a text does."""


def folds(rows: list[Row]) -> tuple[list[int], list[int]]:
    """The fold and the part of each row; those that share a text or a topic, however far around, have the same.

    MultiPIT's own held-out pairs are of the fold that is held out, its training pairs are not.
    """
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        while parent.setdefault(text, text) != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for row in rows:
        if not row.kind.startswith(MADE):
            texts = [root(letters(text)) for text in (row.left, row.right)] + ([root(row.topic)] if row.topic else [])
            for other in texts[1:]:
                one, another = root(texts[0]), root(other)
                if one != another:
                    parent[max(one, another)] = min(one, another)
    fixed = {root(letters(row.left)): 1 for row in rows if row.kind == "multipit-train"}
    fixed |= {root(letters(row.left)): HELD_OUT for row in rows if row.kind == "multipit-val"}

    def drawn(text: str, purpose: str, choices: int) -> int:
        digest = hashlib.blake2b((purpose + root(letters(text))).encode(), digest_size=4)
        return int(digest.hexdigest(), 16) % choices

    def fold(text: str) -> int:
        group = root(letters(text))
        return fixed[group] if group in fixed else drawn(text, "", FOLDS)

    found = [(fold(row.left), fold(row.right)) for row in rows]
    return (
        [HELD_OUT if HELD_OUT in pair else pair[0] for pair in found],
        [drawn(row.left, "part", PARTS) for row in rows],
    )
