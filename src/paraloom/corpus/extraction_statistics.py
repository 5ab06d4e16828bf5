"""Document pairs and the passages taken from them in, Table 1 of Kanerva et al. (2023) out.

For each kind of source: how many document pairs gave nothing, how many passages the others gave, how much of the text
they cover, how long the documents are. Letters and digits count, and what lies in two passages counts once. Pairs of
headings are no documents, and are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from paraloom.engine.rows import Members
from paraloom.errors import InputError
from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.text.headings import HEADED, heading

HEADING = "heading"
"""The kind of documents of which only the headings are a pair: nothing can be taken from them but all or nothing."""
Span = tuple[int, int]
"""Where a passage begins in a text, and where it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedSide:
    """What was taken from one of two documents, counted."""

    kind: str
    """What it is: subtitle, article, thread, translation, essay …; `heading` where only the headings were looked at."""
    is_left: bool
    passages: int
    letters: int
    """Letters and digits of the text."""
    covered: int
    """Those of them that lie in some passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedDocuments:
    """Two documents, or the parts of them that were looked at, and the passages taken from them."""

    kind: str
    left: str
    right: str
    spans: Sequence[tuple[Span, Span]]
    """For every pair of passages its place in the left text and in the right one."""

    def sides(self) -> Iterator[ExtractedSide]:
        """Both documents, counted."""
        yield _counted(self.kind, self.left, [spans[0] for spans in self.spans], is_left=True)
        yield _counted(self.kind, self.right, [spans[1] for spans in self.spans], is_left=False)


def sides_of_document(
    document_id: str, documents: Members, groups: Members, passages: Members
) -> Iterator[ExtractedSide]:
    """One document in each of the pairs it is in.

    Wanted of the document: kind, title, text; of its groups: group_id, is_origin, start, end; of the passages that were
    taken from it: group_id, start, end.
    """
    if not len(documents):
        return
    kind, title, text = (documents.only(name) for name in ("kind", "title", "text"))
    taken: dict[str, list[Span]] = {}
    for group_id, start, end in zip(*(passages[name] for name in ("group_id", "start", "end")), strict=True):
        taken.setdefault(group_id, []).append((start, end))
    above = heading(text, title) if kind in HEADED else None
    for group_id, is_origin, start, end in zip(
        *(groups[name] for name in ("group_id", "is_origin", "start", "end")), strict=True
    ):
        begin = start or 0
        spans = [(first - begin, last - begin) for first, last in taken.get(group_id, ())]
        of_heading = above is not None and not start and end == above[1]
        yield _counted(HEADING if of_heading else kind, text[begin:end], spans, is_left=is_origin)


def extraction_figures(sides: Iterable[ExtractedSide]) -> tuple[ExtractionFigures, ...]:
    """One line for each kind, in the order of their names; of every pair of documents both sides are wanted.

    >>> pairs = [
    ...     ExtractedDocuments(kind="article", left="It blew.", right="Wind blew!", spans=[((0, 8), (5, 10))]),
    ...     ExtractedDocuments(kind="article", left="Rain.", right="Sun.", spans=[]),
    ... ]
    >>> (article,) = extraction_figures(side for pair in pairs for side in pair.sides())
    >>> article.documents, article.empty, article.extracted_per_document, article.coverage, article.length
    (1, 0.5, 1.0, 0.714286, 7.0)
    """
    kinds: dict[str, _Sums] = {}
    for one in sides:
        kinds.setdefault(one.kind, _Sums()).add(one)
    return tuple(kinds[kind].figures(kind) for kind in sorted(kinds))


@dataclass(slots=True)
class _Sums:
    candidates: int = 0
    documents: int = 0
    extracted: int = 0
    covered: int = 0
    characters: int = 0

    def add(self, one: ExtractedSide) -> None:
        if one.is_left:  # a pair counts once
            self.candidates += 1
            self.documents += bool(one.passages)
            self.extracted += one.passages
        if one.passages:
            self.covered += one.covered
            self.characters += one.letters

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


def _counted(kind: str, text: str, spans: Sequence[Span], *, is_left: bool) -> ExtractedSide:
    return ExtractedSide(
        kind=kind,
        is_left=is_left,
        passages=len(spans),
        letters=_letters_and_digits(text),
        covered=_covered(text, spans, "left" if is_left else "right"),
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
