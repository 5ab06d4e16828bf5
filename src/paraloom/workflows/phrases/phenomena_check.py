"""Phenomena that people marked in, out comes how well ours agree with them: what the counts can be trusted for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.metrics.correlation import spearman
from paraloom.models.aligners import Aligner
from paraloom.models.aligners.loading import load_aligner
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.phrases.phenomena import KINDS, Kind
from paraloom.reports.pages import decimal, number
from paraloom.reports.plain import markdown_table, plain_table
from paraloom.workflows.evaluate.paraphrase_types_annotated import AnnotatedPair, read_annotated
from paraloom.workflows.evaluate.paraphrase_types_check import PARTS, Agreement
from paraloom.workflows.phrases.phenomena import pair_phenomena
from paraloom.workflows.phrases.phenomena_annotated import marked_phenomena

FIGURES = ("precision", "recall", "f1", "always_f1", "mcc")
"""Of whether a pair has a phenomenon at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindAgreement:
    """How well one phenomenon is found on one set of pairs."""

    pairs: Agreement
    """Whether a pair has it."""
    annotated_per_pair: float
    found_per_pair: float
    correlation: float | None
    """Spearman's, of how often a pair has it; None where one side is constant."""

    def as_json(self) -> dict[str, Any]:
        """All figures of a row."""
        figures = {name: round(float(getattr(self.pairs, name)), 4) for name in FIGURES}
        return {
            "part": self.pairs.part,
            "kind": self.pairs.type,
            "pairs": self.pairs.pairs,
            "annotated": self.pairs.annotated,
            "found": self.pairs.found,
            **figures,
            "annotated_per_pair": round(self.annotated_per_pair, 4),
            "found_per_pair": round(self.found_per_pair, 4),
            "correlation": None if self.correlation is None else round(self.correlation, 4),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PhenomenaCheck:
    """The agreement with people of every phenomenon, on every part."""

    agreements: tuple[KindAgreement, ...]
    signature: str

    def of(self, part: str, kind: Kind) -> KindAgreement:
        """One phenomenon on one part."""
        return next(one for one in self.agreements if (one.pairs.part, one.pairs.type) == (part, kind))

    def as_json(self) -> dict[str, Any]:
        """Matthews correlations under `metrics`, and all figures."""
        metrics = {f"{one.pairs.part}/{one.pairs.type}/mcc": round(one.pairs.mcc, 4) for one in self.agreements}
        return {
            "metrics": metrics,
            "signature": {name: f"{name}|{self.signature}" for name in metrics},
            "phenomena": [one.as_json() for one in self.agreements],
        }

    def as_text(self) -> str:
        """A table, and what decides it."""
        return "\n\n".join([plain_table(*self._table(), words=(0, 1)), f"signature: {self.signature}"])

    def as_markdown(self) -> str:
        """The table, for a page."""
        return markdown_table(*self._table())

    def _table(self) -> tuple[list[str], list[list[str]]]:
        header = ["part", "phenomenon", "pairs", "annotated", "found"]
        header += ["precision", "recall", "F1", "always F1", "MCC", "people, a pair", "ours, a pair", "correlation"]
        rows = [
            [one.pairs.part, one.pairs.type, *map(number, (one.pairs.pairs, one.pairs.annotated, one.pairs.found))]
            + [decimal(float(getattr(one.pairs, name)), 3) for name in FIGURES]
            + [decimal(one.annotated_per_pair, 2), decimal(one.found_per_pair, 2), decimal(one.correlation, 3)]
            for one in self.agreements
        ]
        return header, rows


def check_phenomena(folder: Path, options: AlignerOptions = AlignerOptions(), *, limit: int = 0) -> PhenomenaCheck:
    """Hold phenomena against what people marked in P4P and MSRP-A; of each part the first `limit` pairs, 0: all."""
    aligner = load_aligner(options)
    agreements: list[KindAgreement] = []
    for part, (corpus, half) in PARTS.items():
        pairs = [pair for pair in read_annotated(folder, corpus) if half is None or pair.half == half][: limit or None]
        agreements += _agreements(part, pairs, aligner)
    return PhenomenaCheck(
        agreements=tuple(agreements), signature=f"limit:{limit or 'no'}|aligner:{{{aligner.signature}}}"
    )


def _agreements(part: str, pairs: list[AnnotatedPair], aligner: Aligner) -> list[KindAgreement]:
    tokens = [(pair.left.split(), pair.right.split()) for pair in pairs]
    found = [Counter(one.kind for one in ours) for ours in pair_phenomena(tokens, aligner)]
    marked = [Counter(one.kind for one in marked_phenomena(pair)) for pair in pairs]
    return [
        _agreement(part, kind, [ours[kind] for ours in found], [theirs[kind] for theirs in marked]) for kind in KINDS
    ]


def _agreement(part: str, kind: Kind, found: list[int], marked: list[int]) -> KindAgreement:
    together = spearman(found, marked)
    return KindAgreement(
        pairs=Agreement(
            part=part,
            type=kind,
            pairs=len(found),
            annotated=sum(count > 0 for count in marked),
            found=sum(count > 0 for count in found),
            right=sum(ours > 0 and theirs > 0 for ours, theirs in zip(found, marked, strict=True)),
        ),
        annotated_per_pair=sum(marked) / max(1, len(marked)),
        found_per_pair=sum(found) / max(1, len(found)),
        correlation=None if together is None else together.value,
    )
