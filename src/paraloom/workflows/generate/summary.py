"""What was counted on the way in, lines for a person or an object for a program out."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from paraloom.models.generators import Usage
from paraloom.pairs.generate import Generated
from paraloom.text.counted import counted
from paraloom.text.language import detect

ENGLISH = "en"
"""What most generators are made for."""
UNKNOWN = "unknown"
REASONS = 8
"""So many of the commonest reasons are told to a person; the object has them all."""


@dataclass(slots=True)
class Counts:
    """Sources as they pass."""

    sources: int = 0
    outputs: int = 0
    filled: int = 0
    """Outputs that would have been refused, had there been enough better ones."""
    too_few: int = 0
    """Sources with outputs, but fewer than asked for."""
    repeated: int = 0
    """Sources that came before, and were not asked for again."""
    resumed: int = 0
    """Sources that an earlier run had come to."""
    dropped: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    """What sources that were asked for seem to be written in, where that can be told; each source once."""

    def add(self, generated: Generated, wanted: int, *, is_repeated: bool) -> None:
        """Count one source; candidates of one that came before are not counted again."""
        self.sources += 1
        self.outputs += len(generated.outputs)
        self.filled += sum(output.refused_for is not None for output in generated.outputs)
        self.too_few += 0 < len(generated.outputs) < wanted
        self.repeated += is_repeated
        if generated.dropped_for is not None:
            self.dropped[generated.dropped_for] += 1
        if not is_repeated:
            self.refused.update(each.reason for each in generated.refused)
            if generated.outputs or generated.refused:
                self.languages[detect(generated.source) or UNKNOWN] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedFile:
    """What `generate` made of a file."""

    out: str
    counts: Counts
    seconds: float
    signature: str
    notes: tuple[str, ...]
    usage: Usage | None = None
    """What a generator that counts it has used up in this run."""
    pairs: int | None = None
    """Pairs that were written, where that was asked for."""

    @property
    def sources_per_second(self) -> float:
        """Those of this run, be they dropped or not."""
        return (self.counts.sources - self.counts.resumed) / max(self.seconds, 1e-9)

    @property
    def _other_languages(self) -> int:
        languages = self.counts.languages
        return sum(languages.values()) - languages[ENGLISH] - languages[UNKNOWN]

    def as_json(self) -> dict[str, Any]:
        """One object."""
        counts = self.counts
        return {
            "out": self.out,
            "sources": counts.sources,
            "outputs": counts.outputs,
            "with_too_few_outputs": counts.too_few,
            "dropped_for": dict(counts.dropped.most_common()),
            "refused_for": dict(counts.refused.most_common()),
            "filled_with_refused": counts.filled,
            "languages": dict(counts.languages.most_common()),
            "repeated": counts.repeated,
            "resumed": counts.resumed,
            **({} if self.pairs is None else {"pairs": self.pairs}),
            **({} if self.usage is None else {"usage": asdict(self.usage)}),
            "seconds": round(self.seconds, 3),
            "sources_per_second": round(self.sources_per_second, 2),
            "signature": self.signature,
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Notes, then a line of counts, one of refusals, then the signature."""
        counts = self.counts
        told = [counted(counts.sources, "source", "sources"), counted(counts.outputs, "output", "outputs")]
        told += [f"{number:,} without any for {reason}" for reason, number in counts.dropped.most_common(REASONS)]
        odd = [
            (counts.too_few, f"{counts.too_few:,} with fewer than asked for"),
            (counts.filled, f"{counted(counts.filled, 'output', 'outputs')} filled up with refused ones"),
            (self._other_languages, f"{self._other_languages:,} that seem not to be English"),
            (counts.repeated, f"{counts.repeated:,} that came before"),
            (counts.resumed, f"{counts.resumed:,} done before the last run was stopped"),
        ]
        told += [words for number, words in odd if number]
        if self.pairs is not None:
            told.append(counted(self.pairs, "pair", "pairs"))
        told.append(f"{self.sources_per_second:,.1f} sources/s")
        return "\n".join([*self.notes, ", ".join(told), *self._refusals(), *self._used(), self.signature])

    def _refusals(self) -> list[str]:
        counts = self.counts.refused
        if not counts:
            return []
        told = [f"{reason} {number:,}" for reason, number in counts.most_common(REASONS)]
        if others := sum(counts.values()) - sum(number for _, number in counts.most_common(REASONS)):
            told.append(f"others {others:,}")
        return [f"{counted(sum(counts.values()), 'candidate', 'candidates')} refused: {', '.join(told)}"]

    def _used(self) -> list[str]:
        if self.usage is None or not self.usage.requests:
            return []
        usage = self.usage
        cost = f", cost {usage.cost:.4f}" if usage.cost else ""
        tokens = f"{usage.tokens_read:,} tokens read, {usage.tokens_written:,} written"
        return [f"{counted(usage.requests, 'request', 'requests')}, {tokens}{cost}"]
