"""A run with alignments and phrases in, what there is of each and what was left out of them out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.text.counted import counted

SUMMARY = "phrases.summary.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedPhrases:
    """What a run has of phrases. Phrase pairs are counted once, though the table has each in either order."""

    run: Path
    sentence_pairs: int
    """Those that phrases were extracted from."""
    bad_rows: dict[str, int]
    """Rows of the input that could not be used, by reason."""
    occurrences: int
    """How often phrases were found aligned with each other."""
    extracted: int
    """Different phrase pairs."""
    dropped_for: dict[str, int]
    """Different phrase pairs that were left out, by reason."""
    kept: int
    signature: str
    told: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "sentence_pairs": self.sentence_pairs,
            "bad_rows": self.bad_rows,
            "occurrences": self.occurrences,
            "extracted": self.extracted,
            "dropped_for": self.dropped_for,
            "kept": self.kept,
            "signature": self.signature,
        }

    def as_text(self) -> str:
        """A few lines of counts."""
        lines = [*self.told, counted(self.sentence_pairs, "aligned pair", "aligned pairs")]
        lines += [f"{number:,} left out for {reason}" for reason, number in self.bad_rows.items()]
        lines.append(f"{counted(self.extracted, 'phrase pair', 'phrase pairs')}, met {self.occurrences:,} times")
        lines += [f"{number:,} left out for {reason}" for reason, number in self.dropped_for.items()]
        lines.append(f"{self.kept:,} kept")
        return "\n".join(lines)


def count_alignments(run: Path) -> tuple[int, dict[str, int]]:
    """How many rows can be used, and the others by reason, those of which there are most first."""
    from paraloom.engine.store import read_parts

    reasons: Counter[str | None] = Counter()
    for part in read_parts(run, "alignments", ("copies", "dropped_for")):
        for copies, reason in zip(*(column.to_pylist() for column in part.columns), strict=True):
            reasons[reason] += copies if reason is not None else 1
    usable = reasons.pop(None, 0)
    return usable, {str(reason): number for reason, number in reasons.most_common()}


def summarise(run: Path, told: tuple[str, ...] = ()) -> ExtractedPhrases:
    """What the tables of a finished run have."""
    import pyarrow.compute as pc

    from paraloom.engine.store import read_made_by, read_parts

    sentence_pairs, bad_rows = count_alignments(run)
    occurrences, rows, ordered = 0, 0, Counter[str | None]()
    for part in read_parts(run, "phrases", ("left", "right", "count", "dropped_for")):
        occurrences += int(pc.sum(part.column("count")).as_py() or 0)
        rows += len(part)
        counts = pc.value_counts(part.column("dropped_for"))
        for reason, number in zip(*(counts.field(name).to_pylist() for name in ("values", "counts")), strict=True):
            ordered[reason] += number
    identical = ordered.pop("identical", 0)
    kept = ordered.pop(None, 0) // 2
    dropped = {"identical": identical} if identical else {}
    dropped |= {str(reason): number // 2 for reason, number in sorted(ordered.items(), key=lambda item: -item[1])}
    return ExtractedPhrases(
        run=run,
        sentence_pairs=sentence_pairs,
        bad_rows=bad_rows,
        occurrences=occurrences // 2,
        extracted=identical + (rows - identical) // 2,
        dropped_for=dropped,
        kept=kept,
        signature=str(read_made_by(run, "phrases")["signature"]),
        told=told,
    )
