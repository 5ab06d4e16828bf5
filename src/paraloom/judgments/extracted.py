"""What somebody marked in two documents in, two sentences out, each with its id and its exact place in its document.

The text that was shown may be a part of a document: a quarter of an hour of a film. Offsets of an answer count from
where the part begins; those of a sentence count from where the document does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from paraloom.judgments.tasks.extract import ExtractAnswer, ExtractContent, Segment, Side, segments
from paraloom.tables import make_id, pair_id_of, sentence_id_of

SIDES = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """One side of a pair that was extracted."""

    document_id: str
    text: str
    """With blanks for its line breaks, as a run of aligned documents tells the same sentence."""
    start: int
    """In the document, as `end` is."""
    end: int
    shown: Side
    """The document, or the part of it, that it was marked in."""
    shown_start: int
    """In the part that was shown, as `shown_end` is."""
    shown_end: int

    @property
    def sentence_id(self) -> str:
        """The same whoever marked it."""
        return sentence_id_of(self.document_id, self.start, self.end)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPair:
    """Two stretches that somebody marked as telling the same."""

    left: Stretch
    right: Stretch

    @property
    def pair_id(self) -> str:
        """The same whoever found it, in whichever campaign."""
        return pair_id_of(self.left.sentence_id, self.right.sentence_id)


def extracted_pairs(
    content: ExtractContent, answer: ExtractAnswer, origin: Mapping[str, Any]
) -> Iterator[ExtractedPair]:
    """The pairs of one answer, each once; `origin` is that of the item, which tells where a part begins."""
    met: set[str] = set()
    for segment in segments(content, answer):
        pair = ExtractedPair(
            left=_stretch(content.left, segment, "left", part_start(origin, "left")),
            right=_stretch(content.right, segment, "right", part_start(origin, "right")),
        )
        if pair.pair_id not in met:  # two that differ in white space alone are one
            met.add(pair.pair_id)
            yield pair


def part_start(origin: Mapping[str, Any], side: str) -> int:
    """Where the text of an item begins in its document."""
    found = origin.get(f"{side}_part_start")
    return found if isinstance(found, int) else 0


def _stretch(shown: Side, segment: Segment, side: str, begins: int) -> Stretch:
    """Without the white space around it, which people mark or not as it comes."""
    marked = getattr(segment, side)
    start = getattr(segment, f"{side}_start") + len(marked) - len(marked.lstrip())
    end = getattr(segment, f"{side}_end") - (len(marked) - len(marked.rstrip()))
    return Stretch(
        document_id=shown.id or make_id("document", shown.text),
        text=" ".join(marked.split()),
        start=begins + start,
        end=begins + end,
        shown=shown,
        shown_start=start,
        shown_end=end,
    )
