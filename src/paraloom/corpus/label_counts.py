"""Labels as a file has them in, the scheme they follow and their distribution out (Kanerva et al., 2023, figure 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from paraloom.metrics.agreement.scale import WHOLE
from paraloom.metrics.corpus_figures import LabelFigures, Scheme, parts_of
from paraloom.metrics.identification.graded import (
    FLAGS,
    MERGED,
    SKIP,
    collapse,
    is_label,
    is_paraphrase,
    read_label,
)

YES_OR_NO = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
"""Labels of two answers, in lower case."""

UNREADABLE, UNLABELLED, OTHER = "unreadable", "unlabelled", "other"

DISTINCT = 10_000
"""So many different labels are told apart; more are no labels, and are counted together."""

SHOWN = 12
"""So many labels of no known scheme are shown apart."""

MOSTLY = 0.9
"""So many labels must be of a scheme for the corpus to follow it; the others cannot be read."""


def told_label(value: Any) -> str | None:
    """A value of a file as a label; None where there is none.

    >>> told_label(" 4> "), told_label(True), told_label(0.0), told_label("1.0"), told_label(None), told_label("")
    ('4>', '1', '0', '1', None, None)
    """
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return None if value is None else WHOLE.sub(r"\1", str(value).strip()) or None


class LabelCounter:
    """Labels as they are written, counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.unlabelled = 0

    def add(self, label: str | None) -> None:
        """Count one label."""
        if label is None:
            self.unlabelled += 1
        elif label in self.counts or len(self.counts) < DISTINCT:
            self.counts[label] += 1
        else:
            self.counts[OTHER] += 1

    @property
    def labelled(self) -> int:
        """How many pairs have a label."""
        return self.counts.total()


@dataclass(frozen=True, slots=True)
class LabelReader:
    """How the labels of one corpus are read."""

    scheme: Scheme
    shown: tuple[str, ...]
    """The names that labels are grouped under, in their order."""

    @classmethod
    def of(cls, counted: LabelCounter) -> LabelReader:
        """The scheme that nearly all of the labels follow.

        >>> counted = LabelCounter()
        >>> for label in ["4>", "2", "3", "4s"]:
        ...     counted.add(label)
        >>> LabelReader.of(counted).scheme
        'graded'
        """
        counts, enough = counted.counts, MOSTLY * counted.labelled
        if not counts:
            return cls("none", (UNLABELLED,))
        graded = {label for label in counts if is_label(label)}
        if graded - {"1"} and _rows(counts, graded) >= enough:
            return cls("graded", (*MERGED, SKIP, UNREADABLE, UNLABELLED))
        if _rows(counts, (label for label in counts if label.lower() in YES_OR_NO)) >= enough:
            return cls("yes-no", ("no", "yes", UNREADABLE, UNLABELLED))
        common = [label for label, _ in _by_count(counts)]
        shown = sorted(common[:SHOWN]) if len(common) <= SHOWN else [*sorted(common[: SHOWN - 1]), OTHER]
        return cls("other", (*dict.fromkeys(shown), UNLABELLED))

    def group(self, label: str | None) -> str:
        """The name that a label is counted under: its number and direction, `yes` or `no`, or itself."""
        if label is None:
            return UNLABELLED
        if self.scheme == "graded":
            return collapse(label, "base-and-direction") if is_label(label) else UNREADABLE
        if self.scheme == "yes-no":
            answer = YES_OR_NO.get(label.lower())
            return UNREADABLE if answer is None else "yes" if answer else "no"
        return label if label in self.shown else OTHER

    def is_paraphrase(self, label: str | None) -> bool | None:
        """What a label says; None where it says neither."""
        if label is None or self.scheme in ("other", "none"):
            return None
        if self.scheme == "yes-no":
            return YES_OR_NO.get(label.lower())
        return is_paraphrase(label) if is_label(label) else None


def label_figures(counted: LabelCounter, reader: LabelReader, *, rewrites: int = 0, rewritten: int = 0) -> LabelFigures:
    """The distribution of labels, in full, merged, and of their flags."""
    full: Counter[str] = Counter()
    merged: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    for label, count in counted.counts.items():
        group = reader.group(label)
        merged[group] += count
        grade = read_label(label) if reader.scheme == "graded" and is_label(label) else None
        full[grade.label if grade else group] += count
        if grade:
            flags["i"] += count * grade.minor
            flags["s"] += count * grade.style
    merged_order = [name for name in reader.shown if name in merged]
    full_order = sorted(full, key=lambda name: (_place(reader, name), len(name), name))
    yes = sum(count for label, count in counted.counts.items() if reader.is_paraphrase(label))
    return LabelFigures(
        scheme=reader.scheme,
        full=parts_of({name: full[name] for name in full_order}, counted.labelled),
        merged=parts_of({name: merged[name] for name in merged_order}, counted.labelled),
        flags=parts_of({name: flags[name] for name in FLAGS}, counted.labelled) if reader.scheme == "graded" else (),
        paraphrases=yes if reader.scheme in ("graded", "yes-no") else None,
        labelled=counted.labelled,
        unlabelled=counted.unlabelled,
        unreadable=merged[UNREADABLE],
        rewrites=rewrites,
        rewritten=rewritten,
    )


def _place(reader: LabelReader, name: str) -> int:
    """Where a full label stands: with the merged one it belongs to."""
    group = reader.group(name) if reader.scheme == "graded" and is_label(name) else name
    return reader.shown.index(group) if group in reader.shown else len(reader.shown)


def _rows(counts: Mapping[str, int], labels: Iterable[str]) -> int:
    return sum(counts[label] for label in labels)


def _by_count(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
