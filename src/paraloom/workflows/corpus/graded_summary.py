"""What a graded corpus was made of in, lines for a person or an object for a program out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from paraloom.corpus.graded.merge import DIFFERING
from paraloom.text.counted import counted

SHOWN = 8
"""So many reasons are told to a person; the object has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedCorpus:
    """What came in, what was released, and why the rest was not."""

    out: str
    scheme: str
    differing: str
    given_pairs: int
    """Pairs that were met, rewrites aside, labelled or not."""
    given_rewrites: int
    pairs: int
    """Released, rewrites aside."""
    rewrites: int
    rows: int
    """As they are written: with twins, and with a row for every label where all are kept."""
    paraphrases: int
    """Of these."""
    labels: Mapping[str, int]
    """Rows by their label."""
    splits: Mapping[str, int]
    groups: int
    left_out: Mapping[str, int]
    """Pairs, rows and labels by the reason why they are not in it."""
    differs_in: Mapping[str, int]
    """Of pairs that people differ on, whatever became of them: in what; one pair may differ in several things."""
    settled: int
    """Of these, on how many somebody decided."""
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return asdict(self) | {"notes": list(self.notes)}

    def as_text(self) -> str:
        """Notes, counts, labels, splits, what was left out."""
        labels = ", ".join(f"{label} {count:,}" for label, count in self.labels.items())
        splits = ", ".join(f"{split} {count:,}" for split, count in self.splits.items())
        lines = [
            *self.notes,
            f"given: {counted(self.given_pairs, 'pair', 'pairs')}, "
            f"{counted(self.given_rewrites, 'rewrite', 'rewrites')}",
            f"released: {counted(self.pairs, 'pair', 'pairs')}, {counted(self.rewrites, 'rewrite', 'rewrites')}, "
            f"{counted(self.rows, 'row', 'rows')} ({self.paraphrases / self.rows:.1%} paraphrases)",
            f"labels ({self.scheme}): {labels}",
            f"splits: {splits}; {counted(self.groups, 'group', 'groups')}",
        ]
        if self.differs_in:
            parts = ", ".join(f"{part} {count:,}" for part, count in self.differs_in.items())
            decided = f"; {counted(self.settled, 'was', 'were')} decided" if self.settled else ""
            lines.append(f"people differ in: {parts}{decided}")
        if self.left_out:
            reasons = sorted(self.left_out.items(), key=lambda item: (-item[1], item[0]))
            told = [f"{count:,} × {reason}" for reason, count in reasons[:SHOWN]]
            if others := sum(count for _, count in reasons[SHOWN:]):
                told.append(f"{others:,} for other reasons")
            lines.append(f"left out: {'; '.join(told)}")
        if self.left_out.get(DIFFERING):
            lines.append("(--differing vote takes what most say; --scheme base asks for less agreement)")
        return "\n".join([*lines, self.out])
