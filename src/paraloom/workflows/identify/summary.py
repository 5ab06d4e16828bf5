"""What was counted on the way in, a line for a person or an object for a program out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.engine.given_blocks import Block
    from paraloom.engine.written_blocks import Changed

REASONS = 5
"""So many of the commonest reasons are told to a person; the object has them all."""


@dataclass(slots=True)
class Counts:
    """Rows as they pass."""

    rows: int = 0
    paraphrases: int = 0
    empty: int = 0
    """Pairs with an empty side."""
    identical: int = 0
    """Pairs whose sides are the same text."""
    repeated: int = 0
    """Pairs that came before in their block, and were not scored again."""
    resumed: int = 0
    """Rows whose scores an earlier run had found."""

    def add(self, block: Block) -> None:
        """Count a block's rows and odd pairs."""
        self.rows += len(block)
        for one, other, trouble in zip(block.left, block.right, block.troubles, strict=True):
            if trouble is None:
                self.empty += not one.strip() or not other.strip()
                self.identical += one == other


@dataclass(frozen=True, slots=True, kw_only=True)
class Identified:
    """What `identify` made of a file."""

    out: str
    rows: int
    troubles: Mapping[str, int]
    """Why rows are no pairs, and how many."""
    counts: Counts
    changed: Changed
    seconds: float
    signature: str
    notes: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """Rows that have a score."""
        return self.rows - sum(self.troubles.values())

    @property
    def pairs_per_second(self) -> float:
        return (self.pairs - self.counts.resumed) / max(self.seconds, 1e-9)

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "out": self.out,
            "rows": self.rows,
            "pairs": self.pairs,
            "paraphrases": self.counts.paraphrases,
            "dropped_for": dict(self.troubles),
            "empty_side": self.counts.empty,
            "identical_sides": self.counts.identical,
            "repeated": self.counts.repeated,
            "resumed": self.counts.resumed,
            "tabs_and_line_ends_written_as_spaces": self.changed.spaced,
            "lone_surrogates_written_as_question_marks": self.changed.replaced,
            "seconds": round(self.seconds, 3),
            "pairs_per_second": round(self.pairs_per_second, 1),
            "signature": self.signature,
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Notes, then a line of counts, then the signature."""
        share = f" ({self.counts.paraphrases / self.pairs:.1%})" if self.pairs else ""
        told = [
            counted(self.pairs, "pair", "pairs"),
            f"{counted(self.counts.paraphrases, 'paraphrase', 'paraphrases')}{share}",
        ]
        reasons = sorted(self.troubles.items(), key=lambda item: -item[1])
        told += [f"{count:,} without a score for {reason}" for reason, count in reasons[:REASONS]]
        if others := sum(count for _, count in reasons[REASONS:]):
            told.append(f"{others:,} for other reasons")
        spaced, replaced = self.changed.spaced, self.changed.replaced
        odd = [
            (self.counts.empty, f"{self.counts.empty:,} with an empty side"),
            (self.counts.identical, f"{self.counts.identical:,} with identical sides"),
            (spaced, f"{counted(spaced, 'text', 'texts')} with tabs or line ends, written as spaces"),
            (replaced, f"{counted(replaced, 'row', 'rows')} with half a character, written as ?"),
            (self.counts.resumed, f"{self.counts.resumed:,} scored before the last run was stopped"),
        ]
        told += [words for count, words in odd if count]
        told.append(f"{self.pairs_per_second:,.0f} pairs/s")
        return "\n".join([*self.notes, ", ".join(told), self.signature])
