"""What was labelled in, lines for a person or an object for a program out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from paraloom.labels.aggregate.result import Aggregated
from paraloom.labels.graded import GradedAgreement
from paraloom.metrics.agreement.coefficient import Coefficient
from paraloom.text.counted import counted

SHOWN = 5
"""So many reasons, and annotators that were left out, are told to a person; the object has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far those agree whose votes were counted."""

    alpha: Coefficient
    mean_kappa: float | None
    """Of every two annotators, each pair counting the same."""
    mean_kappa_by_items: float | None
    """Each pair counting by the items it shares."""
    items_compared: int
    graded: tuple[GradedAgreement, ...] = ()
    """By parts of the label, for grades."""
    items_settled: int | None = None
    """Of the items compared, those that were decided or on which all agree; None where nothing was decided."""

    def metrics(self) -> dict[str, float | None]:
        return {
            "krippendorff-alpha": self.alpha.value,
            "cohen-kappa-mean": self.mean_kappa,
            "cohen-kappa-mean-by-items": self.mean_kappa_by_items,
        }

    def as_text(self) -> str:
        if self.alpha.value is None:
            return f"no agreement can be told: {self.alpha.why_none}"
        told = f"Krippendorff's alpha {self.alpha.value:.3f}"
        if (interval := self.alpha.interval) is not None:
            told += f" ({interval.level:.0%}: {interval.low:.3f} to {interval.high:.3f})"
        return told if self.mean_kappa is None else f"{told}, mean kappa {self.mean_kappa:.3f}"

    def parts_as_text(self) -> list[str]:
        """Of grades: how far people agree on each part, and how far they, and each of them, go with the consensus."""
        lines = [
            f"{one.part}: {_figures('agreement', one.agreement, one.kappa)} "
            f"({counted(one.pairs, 'comparison', 'comparisons')})"
            for one in self.graded
            if one.agreement is not None
        ]
        if self.items_settled is None:
            return lines
        settled = counted(self.items_settled, "item", "items")
        disputed = f"{self.items_compared - self.items_settled:,}"
        lines.append(f"{settled} with a consensus, decided or of all; {disputed} in dispute.")
        if self.items_settled:
            lines[-1] += " Against it:"
            lines += [f"  {name}: {told}" for name, told in self._against_consensus()]
        return lines

    def _against_consensus(self) -> Iterator[tuple[str, str]]:
        """Everybody's labels by each part, then each annotator's, the least accurate first."""
        parts = [(one.part, one.consensus, one.annotators or {}) for one in self.graded if one.consensus is not None]
        for part, everybody, _ in parts:
            told = _figures("accuracy", everybody.accuracy, everybody.kappa)
            yield part, f"{told} ({counted(everybody.labels, 'label', 'labels')})"
        _, _, people = parts[0]
        order = sorted(people, key=lambda name: (people[name].accuracy or 0.0, name))
        for name in order[:SHOWN]:
            told = ", ".join(
                f"{part} {each[name].accuracy:.3f}"
                f"{'' if each[name].kappa is None else f' (kappa {each[name].kappa:.3f})'}"
                for part, _, each in parts
            )
            yield name, f"{told}; {counted(people[name].labels, 'label', 'labels')}"
        if len(order) > SHOWN:
            yield "…", f"{len(order) - SHOWN:,} more annotators (--json)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """One whose votes were counted."""

    name: str
    votes: int
    competence: float | None
    """As the method tells it; None where it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """What `label` made of some judgments."""

    out: str
    definition: str
    rows: int
    """That were read."""
    items: int
    paraphrases: int
    others: int
    votes: int
    """That the labels are made of."""
    decided: int
    """Items whose label is an expert's decision."""
    aggregated: Aggregated
    labelled_by: str
    agreement: Agreement
    before: Agreement | None
    """The same before annotators were left out; None where nobody was."""
    annotators: tuple[Annotator, ...]
    excluded: Mapping[str, float]
    """Annotators left out for their kappa."""
    excluded_votes: int
    superseded: int
    tests: int
    dropped_for: Mapping[str, int]
    notes: tuple[str, ...]

    @property
    def undecided(self) -> int:
        return self.items - self.paraphrases - self.others

    def as_json(self) -> dict[str, Any]:
        """One object."""
        agreement, interval = self.agreement, self.agreement.alpha.interval
        return {
            "out": self.out,
            "metrics": agreement.metrics(),
            "signature": self.labelled_by,
            "intervals": {} if interval is None else {"krippendorff-alpha": asdict(interval)},
            "why_none": {} if agreement.alpha.why_none is None else {"krippendorff-alpha": agreement.alpha.why_none},
            "metrics_before_exclusion": None if self.before is None else self.before.metrics(),
            "graded": {one.part: _part(one) for one in agreement.graded},
            "definition": self.definition,
            "items": self.items,
            "items_compared": agreement.items_compared,
            "paraphrases": self.paraphrases,
            "not_paraphrases": self.others,
            "undecided": self.undecided,
            "votes": self.votes,
            "decided": self.decided,
            "items_settled": agreement.items_settled,
            "annotators": [asdict(one) for one in self.annotators],
            "excluded": {name: round(kappa, 6) for name, kappa in self.excluded.items()},
            "excluded_votes": self.excluded_votes,
            "rows": self.rows,
            "superseded": self.superseded,
            "test_questions": self.tests,
            "dropped_for": dict(self.dropped_for),
            "log_likelihood": self.aggregated.log_likelihood,
            "iterations": self.aggregated.iterations,
            "converged": self.aggregated.converged,
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Notes, counts, agreement, what was left out, the signature."""
        by = f" by {counted(len(self.annotators), 'annotator', 'annotators')}" if self.annotators else ""
        lines = [
            *self.notes,
            f"{counted(self.votes, 'vote', 'votes')}{by} on {counted(self.items, 'item', 'items')}: "
            f"{counted(self.paraphrases, 'paraphrase', 'paraphrases')}, {self.others:,} not, "
            f"{self.undecided:,} undecided",
            *([f"{counted(self.decided, 'label is', 'labels are')} what experts decided"] if self.decided else []),
            self.agreement.as_text(),
            *self.agreement.parts_as_text(),
        ]
        if left := self._left_out():
            lines.append(f"left out: {'; '.join(left)}")
        if self.before is not None:
            lines.append(f"before annotators were left out: {self.before.as_text()}")
        if not self.aggregated.converged:
            lines.append(f"{self.aggregated.method} had not settled after {self.aggregated.iterations} iterations")
        return "\n".join([*lines, self.labelled_by])

    def _left_out(self) -> list[str]:
        told = []
        if self.tests:
            told.append(f"{counted(self.tests, 'answer', 'answers')} to test questions")
        if self.superseded:
            told.append(f"{counted(self.superseded, 'answer', 'answers')} that the same person changed later")
        reasons = sorted(self.dropped_for.items(), key=lambda item: (-item[1], item[0]))
        told += [f"{count:,} × {reason}" for reason, count in reasons[:SHOWN]]
        if others := sum(count for _, count in reasons[SHOWN:]):
            told.append(f"{others:,} for other reasons")
        if self.excluded:
            lowest = sorted(self.excluded.items(), key=lambda item: (item[1], item[0]))[:SHOWN]
            names = ", ".join(f"{name} ({kappa:.2f})" for name, kappa in lowest)
            more = " …" if len(self.excluded) > SHOWN else ""
            people = counted(len(self.excluded), "annotator", "annotators")
            told.append(f"{counted(self.excluded_votes, 'vote', 'votes')} of {people} with low kappa: {names}{more}")
        return told


def _part(one: GradedAgreement) -> dict[str, Any]:
    return {
        "pairs": one.pairs,
        "agreement": one.agreement,
        "kappa": one.kappa,
        "consensus": None if one.consensus is None else asdict(one.consensus),
        "annotators": {name: asdict(each) for name, each in sorted((one.annotators or {}).items())},
    }


def _figures(name: str, share: float | None, kappa: float | None) -> str:
    told = f"{name} –" if share is None else f"{name} {share:.3f}"
    return told if kappa is None else f"{told}, kappa {kappa:.3f}"
