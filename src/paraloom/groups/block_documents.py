"""The rows of a block in, its documents ready to be compared out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache

import numpy as np

from paraloom.engine.rows import Members, members_of
from paraloom.groups.near_documents import Compared, Near
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf, CharacterVectors
from paraloom.text.headings import heading
from paraloom.text.language import detect

_FAR = float("inf")
LETTERS_TO_TELL = 2000
"""So many letters of a text tell its language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockDocument:
    """A document of a block."""

    document_id: str
    kind: str
    work: str | None
    series: str | None
    source: str
    language: str | None
    created_at: datetime | None
    title: str | None
    text: str

    @property
    def seconds(self) -> float:
        """When it was published; those that nobody dated come last."""
        return _FAR if self.created_at is None else self.created_at.timestamp()

    @property
    def age(self) -> tuple[float, str]:
        """By which documents are ordered: the older first, then by their ids."""
        return self.seconds, self.document_id

    @property
    def heading_end(self) -> int | None:
        """Where its heading ends, if its text begins with its title."""
        found = heading(self.text, self.title)
        return None if found is None else found[1]

    def is_in_another_language(self, other: BlockDocument) -> bool:
        """Whether sources name different languages, and the texts are not in the same one for all that: sources err."""
        if None in (self.language, other.language) or self.language == other.language:
            return False
        found = {_language(document.text[:LETTERS_TO_TELL]) for document in (self, other)}
        return len(found) > 1 or None in found


SHOWN = tuple(BlockDocument.__dataclass_fields__)
"""What of a document is compared, or told of it."""


@lru_cache(maxsize=1 << 12)  # a document is compared with many
def _language(beginning: str) -> str | None:
    return detect(beginning)


@dataclass(frozen=True)
class Block:
    """Documents that are compared with each other, by age."""

    documents: tuple[BlockDocument, ...]
    compared: Compared

    @classmethod
    def of(cls, given: Members, model: CharacterTfidf) -> Block:
        """The documents of these rows."""
        rows = zip(*(given[name] for name in SHOWN), strict=True)
        found = (BlockDocument(**dict(zip(SHOWN, row, strict=True))) for row in rows)
        documents = tuple(sorted(found, key=lambda document: document.age))
        vectors = model.vectors([document.text for document in documents])
        return cls(documents, Compared(vectors, np.array([document.seconds for document in documents])))

    @cached_property
    def titles(self) -> CharacterVectors:
        """What titles look like; how common an n-gram is does not matter in them."""
        model = CharacterTfidf(shortest=2, longest=4)
        return model.vectors([document.title or "" for document in self.documents])

    def title_likeness(self, other: Block, near: Near) -> list[float]:
        """How alike the titles of pairs of documents are, the right ones of another block or of this one."""
        cosines = self.titles.cosines_of_rows(other.titles, near.left, near.right)
        return [round(float(cosine), 6) for cosine in cosines]


def no_documents(block: str) -> Members:
    """The rows of a block that has none."""
    return members_of(**dict.fromkeys(SHOWN, ()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """The other blocks that a block of articles is compared with."""

    meets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    read: Callable[[str], Members] = no_documents
    """Gives the rows of a block."""
