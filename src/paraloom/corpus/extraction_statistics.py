"""Document pairs and the passages taken from them in, Table 1 of Kanerva et al. (2023) out.

For each kind of source: how many document pairs gave nothing, how many passages the others gave, how much of the text
they cover, how long the documents are. Letters and digits count, and what lies in two passages counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.metrics.corpus_figures import ExtractionFigures

Span = tuple[int, int]
"""Where a passage begins in a text, and where it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedDocuments:
    """Two documents, or the parts of them that were looked at, and the passages taken from them."""

    kind: str
    """What they are: subtitle, article, thread, translation, essay …"""
    left: str
    right: str
    spans: Sequence[tuple[Span, Span]]
    """For every pair of passages its place in the left text and in the right one."""


def extraction_figures(documents: Iterable[ExtractedDocuments]) -> tuple[ExtractionFigures, ...]:
    """One line for each kind, in the order of their names.

    >>> documents = [
    ...     ExtractedDocuments(kind="article", left="It blew.", right="Wind blew!", spans=[((0, 8), (5, 10))]),
    ...     ExtractedDocuments(kind="article", left="Rain.", right="Sun.", spans=[]),
    ... ]
    >>> (article,) = extraction_figures(documents)
    >>> article.documents, article.empty, article.extracted_per_document, article.coverage, article.length
    (1, 0.5, 1.0, 0.714286, 7.0)
    """
    kinds: dict[str, _Sums] = {}
    for one in documents:
        kinds.setdefault(one.kind, _Sums()).add(one)
    return tuple(kinds[kind].figures(kind) for kind in sorted(kinds))


@dataclass(slots=True)
class _Sums:
    candidates: int = 0
    documents: int = 0
    extracted: int = 0
    covered: int = 0
    characters: int = 0

    def add(self, one: ExtractedDocuments) -> None:
        self.candidates += 1
        if not one.spans:
            return
        self.documents += 1
        self.extracted += len(one.spans)
        for side, (name, text) in enumerate((("left", one.left), ("right", one.right))):
            self.covered += _covered(text, [spans[side] for spans in one.spans], name)
            self.characters += _letters_and_digits(text)

    def figures(self, kind: str) -> ExtractionFigures:
        return ExtractionFigures(
            kind=kind,
            candidates=self.candidates,
            documents=self.documents,
            empty=_ratio(self.candidates - self.documents, self.candidates),
            extracted=self.extracted,
            extracted_per_document=_ratio(self.extracted, self.documents),
            coverage=_ratio(self.covered, self.characters),
            length=_ratio(self.characters, 2 * self.documents),
        )


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None


def _letters_and_digits(text: str) -> int:
    return sum(map(str.isalnum, text))


def _covered(text: str, spans: Sequence[Span], side: str) -> int:
    """Letters and digits in any of the spans, which may overlap."""
    covered = reached = 0
    for start, end in sorted(spans):
        if not 0 <= start < end <= len(text):
            raise InputError(
                f"A passage of the {side} text is said to lie from {start} to {end}, but the text has {len(text)} "
                "characters. Give places in the same text that is counted."
            )
        covered += _letters_and_digits(text[max(start, reached) : end])
        reached = max(reached, end)
    return covered
