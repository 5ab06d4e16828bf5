"""How many phenomena each corpus has in, the table of them out: as text, JSON or Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from paraloom.phrases.phenomena_difference import KINDS, Kind
from paraloom.reports.pages import decimal, number, percent
from paraloom.reports.plain import markdown_table, plain_table
from paraloom.text.counted import counted

PAPER: dict[str, dict[Kind, float]] = {
    "msrp": dict(zip(KINDS, (0.60, 0.17, 0.26, 0.42, 0.27, 0.53), strict=True)),
    "pit2015": dict(zip(KINDS, (0.23, 0.13, 0.10, 0.56, 0.08, 0.33), strict=True)),
    "twitter-url": dict(zip(KINDS, (0.79, 0.35, 0.13, 0.35, 0.33, 0.49), strict=True)),
}
"""Table 7 of Lan et al. (2017): a pair, as people counted them in 100 pairs of each corpus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean and the interval it lies in at 95%."""

    value: float
    low: float | None
    high: float | None

    def told(self) -> str:
        """As tables have it.

        >>> Mean(value=0.5, low=0.45, high=0.554).told()
        '0.50 [0.45, 0.55]'
        """
        if self.low is None or self.high is None:
            return decimal(self.value, 2)
        return f"{decimal(self.value, 2)} [{decimal(self.low, 2)}, {decimal(self.high, 2)}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Two texts, and the words of each that make a phenomenon."""

    left: str
    right: str
    left_words: str
    right_words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFigures:
    """How often one phenomenon was found in one corpus."""

    kind: Kind
    per_pair: Mean
    adjusted: Mean
    """As many as a pair of the reference's length would have."""
    share: float
    """Of the pairs that have at least one."""
    paper: float | None
    """A pair, as people counted."""
    examples: tuple[Example, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPhenomena:
    """The phenomena of one corpus."""

    name: str
    title: str
    pairs: int
    of: int
    """Paraphrases that the corpus has."""
    tokens: float
    """Of a sentence, on average."""
    kinds: tuple[KindFigures, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhenomenaTable:
    """Corpora side by side, as in Table 7 of Lan et al. (2017)."""

    corpora: tuple[CorpusPhenomena, ...]
    reference: str
    """Name of the corpus whose length the adjusted figures are for."""
    signature: str
    notes: tuple[str, ...] = ()

    def of(self, corpus: str, kind: Kind) -> KindFigures:
        """The figures of one phenomenon in one corpus."""
        return next(one for found in self.corpora if found.name == corpus for one in found.kinds if one.kind == kind)

    def as_json(self) -> dict[str, Any]:
        """Means a pair under `metrics`, by corpus and kind, and all figures."""
        metrics = {
            f"{corpus.name}/{one.kind}{suffix}": round(mean.value, 6)
            for corpus in self.corpora
            for one in corpus.kinds
            for suffix, mean in (("", one.per_pair), ("/adjusted", one.adjusted))
        }
        return {
            "metrics": metrics,
            "signature": {name: f"{name}|{self.signature}" for name in metrics},
            "reference": self.reference,
            "corpora": [asdict(corpus) for corpus in self.corpora],
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Tables and examples for a person to read."""
        parts = [*map(_opening, self.corpora), *self.notes, *self._tables(plain_table)]
        for corpus in self.corpora:
            shown = [line for one in corpus.kinds for line in _shown(one)]
            parts += ["\n".join([f"{corpus.title}:", *shown])] if shown else []
        return "\n\n".join([*parts, f"signature: {self.signature}"])

    def as_markdown(self) -> str:
        """The two tables, for a page."""
        return "\n\n".join(self._tables(markdown_table))

    def _tables(self, table: Callable[[Sequence[str], Sequence[Sequence[str]]], str]) -> list[str]:
        lengths = ["tokens of a sentence", *(decimal(corpus.tokens, 1) for corpus in self.corpora)]
        reference = next(corpus.title for corpus in self.corpora if corpus.name == self.reference)
        return [
            table(self._header("a pair"), [*self._rows(lambda one: one.per_pair), lengths]),
            table(self._header(f"as long as {reference}"), self._rows(lambda one: one.adjusted)),
            table(self._header("pairs with any"), self._rows(lambda one: one.share)),
            *self._paper(table),
        ]

    def _paper(self, table: Callable[[Sequence[str], Sequence[Sequence[str]]], str]) -> list[str]:
        """What people counted, where any of these corpora is in the paper."""
        if not any(one.paper is not None for corpus in self.corpora for one in corpus.kinds):
            return []
        return [table(self._header("people, of 100 pairs"), self._rows(lambda one: one.paper, 2))]

    def _header(self, title: str) -> list[str]:
        return [title, *(corpus.title for corpus in self.corpora)]

    def _rows(self, figure: Callable[[KindFigures], Mean | float | None], places: int | None = None) -> list[list[str]]:
        rows = []
        for place, kind in enumerate(KINDS):
            row: list[str] = [kind]
            for corpus in self.corpora:
                found = figure(corpus.kinds[place])
                if isinstance(found, Mean):
                    row.append(found.told())
                else:
                    row.append(percent(found) if places is None else decimal(found, places))
            rows.append(row)
        return rows


def _opening(corpus: CorpusPhenomena) -> str:
    of = "" if corpus.pairs == corpus.of else f" of {number(corpus.of)}"
    return f"{corpus.title}: {counted(corpus.pairs, 'paraphrase', 'paraphrases')}{of}."


def _shown(one: KindFigures) -> list[str]:
    lines = []
    for example in one.examples:
        words = " → ".join(filter(None, (example.left_words, example.right_words)))
        lines += [f"  {one.kind}: {words}", f"    {example.left}", f"    {example.right}"]
    return lines
