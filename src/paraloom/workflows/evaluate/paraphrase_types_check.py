"""Types that people annotated in, out comes how well ours agree with them: what the types can be trusted for.

Thresholds were chosen on one half of MSRP-A; the other half and P4P were not looked at. Types that depend on a judgment
of meaning are folded into what can be seen: `added` is add-new or hallucination, `left-out` simplification or
miss-info.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any, get_args

from paraloom.errors import InputError
from paraloom.metrics.types.pair_types import ADDED, LEFT_OUT, STRUCTURES, Change, Evidence, PairTypes, differences
from paraloom.reports.pages import decimal, number
from paraloom.reports.plain import plain_table
from paraloom.workflows.evaluate.paraphrase_types_annotated import (
    AnnotatedPair,
    Corpus,
    Phenomenon,
    Type,
    marked_types,
    read_annotated,
    token_words,
)
from paraloom.workflows.evaluate.paraphrase_types_evidence import TypeFinder
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions

PARTS: dict[str, tuple[Corpus, int | None]] = {
    "msrp-a, tuned on": ("MSRPA", 0),
    "msrp-a, held out": ("MSRPA", 1),
    "p4p": ("p4p", None),
}
"""What is checked, with the half of the corpus; None for all of it."""
FIGURES = ("precision", "recall", "f1", "always_f1", "accuracy", "most_frequent", "mcc")
TYPES: tuple[Type, ...] = get_args(Type)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How well one type is found on one set of pairs."""

    part: str
    type: str
    pairs: int
    annotated: int
    """Pairs that people gave the type."""
    found: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.annotated)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, self.found + self.annotated)

    @property
    def always_f1(self) -> float:
        """F1 of giving every pair the type."""
        return 2 * self.annotated / max(1, self.pairs + self.annotated)

    @property
    def accuracy(self) -> float:
        """Share of the pairs on which people and we agree."""
        return (self.pairs - self.found - self.annotated + 2 * self.right) / max(1, self.pairs)

    @property
    def most_frequent(self) -> float:
        """Accuracy of giving every pair the answer that is most frequent."""
        return max(self.annotated, self.pairs - self.annotated) / max(1, self.pairs)

    @property
    def mcc(self) -> float:
        """Matthews correlation: 0 for any answer that does not look at the pair."""
        both, ours, theirs = self.right, self.found - self.right, self.annotated - self.right
        neither = self.pairs - both - ours - theirs
        spread = (both + ours) * (both + theirs) * (neither + ours) * (neither + theirs)
        return (both * neither - ours * theirs) / sqrt(spread) if spread else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How many of the replaced words and phrases are found at their places: both sides share a word with one found."""

    part: str
    type: str
    annotated: int
    annotated_met: int
    found: int
    found_met: int

    @property
    def precision(self) -> float:
        return self.found_met / max(1, self.found)

    @property
    def recall(self) -> float:
        return self.annotated_met / max(1, self.annotated)

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCheck:
    """The agreement with people of every type, on every part."""

    agreements: tuple[Agreement, ...]
    overlaps: tuple[Overlap, ...]
    signature: str

    def of(self, part: str, type: str) -> Agreement:
        """One type on one part."""
        return next(one for one in self.agreements if (one.part, one.type) == (part, type))

    def as_json(self) -> dict[str, Any]:
        """F1 of every type and part under `metrics`, and all figures."""
        metrics = {f"{one.part}/{one.type}/f1": round(one.f1, 4) for one in self.agreements}
        return {
            "metrics": metrics,
            "signature": {name: f"{name}|{self.signature}" for name in metrics},
            "types": [
                {
                    "part": one.part,
                    "type": one.type,
                    "pairs": one.pairs,
                    "annotated": one.annotated,
                    "found": one.found,
                    **{name: round(float(getattr(one, name)), 4) for name in FIGURES},
                }
                for one in self.agreements
            ],
            "places": [
                {
                    "part": one.part,
                    "type": one.type,
                    "annotated": one.annotated,
                    "found": one.found,
                    **{name: round(float(getattr(one, name)), 4) for name in ("precision", "recall", "f1")},
                }
                for one in self.overlaps
            ],
        }

    def as_text(self) -> str:
        """Two tables: types of pairs, and places of replaced words."""
        header = ["part", "type", "pairs", "annotated", "found", *(name.replace("_", " ") for name in FIGURES)]
        rows = [
            [one.part, one.type, number(one.pairs), number(one.annotated), number(one.found)]
            + [decimal(float(getattr(one, name)), 3) for name in FIGURES]
            for one in self.agreements
        ]
        places = [
            [one.part, one.type, number(one.annotated), number(one.found)]
            + [decimal(value, 3) for value in (one.precision, one.recall, one.f1)]
            for one in self.overlaps
        ]
        return "\n\n".join(
            [
                plain_table(header, rows, words=(0, 1)),
                "always f1: of giving every pair the type; most frequent: accuracy of the commoner answer.\n"
                "Replaced words and phrases, place by place:",
                plain_table(["part", "type", "annotated", "found", "precision", "recall", "F1"], places, words=(0, 1)),
            ]
        )


def check_types(
    folder: Path,
    options: TypeOptions = TypeOptions(),
    *,
    limit: int = 0,
    step: Callable[[str, int, int], None] | None = None,
) -> TypeCheck:
    """Hold the types of P4P and MSRP-A against those that people marked; of each part the first `limit`, 0: all."""
    if limit < 0:
        raise InputError(f"--limit is {limit}, but must be 0 or more.")
    finder = TypeFinder.load(options)
    agreements: list[Agreement] = []
    overlaps: list[Overlap] = []
    for part, (corpus, half) in PARTS.items():
        pairs = [pair for pair in read_annotated(folder, corpus) if half is None or pair.half == half][: limit or None]
        seen = []
        for pair, types in zip(pairs, finder.find([(pair.left, pair.right) for pair in pairs]), strict=True):
            seen.append(_seen(pair, types, finder.evidence))
            if step is not None:
                step(part, len(seen), len(pairs))
        agreements += [_agreement(part, name, seen) for name in TYPES]
        overlaps += [_overlap(part, "word-syn", seen), _overlap(part, "phrase-syn", seen)]
    return TypeCheck(
        agreements=tuple(agreements),
        overlaps=tuple(overlaps),
        signature=f"limit:{limit or 'no'}|{finder.signature}",
    )


Places = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True, slots=True)
class _Seen:
    """What people and we see in one pair."""

    marked: frozenset[Type]
    found: frozenset[Type]
    marked_places: dict[str, list[Places]]
    found_places: dict[str, list[Places]]


def _seen(pair: AnnotatedPair, types: PairTypes, evidence: Evidence) -> _Seen:
    marked, poor = marked_types(pair), types.poor
    found = differences(pair.left, pair.right, evidence)
    holds: dict[Type, bool] = {
        "word-syn": found.has("word"),
        "phrase-syn": found.has("phrase"),
        "structure": found.has(*STRUCTURES),
        "added": found.content("added") >= ADDED,
        "left-out": found.content("left_out") >= LEFT_OUT,
        "misinterpret": poor == "misinterpret",
        "copy": poor == "copy",
        "small-change": poor == "small-change",
    }
    left, right = ({word.start: token for token, word in token_words(text)} for text in (pair.left, pair.right))
    return _Seen(
        marked.types,
        frozenset(
            name for name, does in holds.items() if does and (poor not in ("copy", "small-change") or name == poor)
        ),
        {"word-syn": _marked_places(marked.words), "phrase-syn": _marked_places(marked.phrases)},
        {
            "word-syn": [_places(one, left, right) for one in found.changes if one.kind == "word"],
            "phrase-syn": [_places(one, left, right) for one in found.changes if one.kind == "phrase"],
        },
    )


def _marked_places(phenomena: Iterable[Phenomenon]) -> list[Places]:
    return [(one.left, one.right) for one in phenomena]


def _places(change: Change, left: dict[int, int], right: dict[int, int]) -> Places:
    return frozenset(left[start] for start in change.source_words), frozenset(
        right[start] for start in change.output_words
    )


def _agreement(part: str, name: Type, seen: Sequence[_Seen]) -> Agreement:
    return Agreement(
        part=part,
        type=name,
        pairs=len(seen),
        annotated=sum(name in one.marked for one in seen),
        found=sum(name in one.found for one in seen),
        right=sum(name in one.marked and name in one.found for one in seen),
    )


def _overlap(part: str, name: str, seen: Sequence[_Seen]) -> Overlap:
    return Overlap(
        part=part,
        type=name,
        annotated=sum(len(one.marked_places[name]) for one in seen),
        annotated_met=sum(_met(one.marked_places[name], one.found_places[name]) for one in seen),
        found=sum(len(one.found_places[name]) for one in seen),
        found_met=sum(_met(one.found_places[name], one.marked_places[name]) for one in seen),
    )


def _met(places: Iterable[Places], others: Sequence[Places]) -> int:
    """Of how many places both sides share a word with both sides of another."""
    return sum(
        any(left & other_left and right & other_right for other_left, other_right in others) for left, right in places
    )
