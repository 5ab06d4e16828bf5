"""A file of pairs or the folder of a run in, its pairs with their labels out, as often as they are needed.

Any file with two texts a row will do, the Turku corpus' JSON among them: `txt1`, `txt2`, `label` and `rewrites` are
known there. Texts are read row by row; a pair without two texts is left out and counted, and so is a pair that only
repeats another one with its sides swapped (`is_turned` of a graded corpus).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from paraloom.corpus.label_counts import told_label
from paraloom.corpus.pair_files import PairFile
from paraloom.corpus.rewrites import REWRITES, rewrites_of
from paraloom.engine.given_columns import SIDES
from paraloom.errors import InputError
from paraloom.text.counted import counted

LABELS = ("label", "labels", "grade", "is_paraphrase", "is_duplicate", "Quality")
"""What the label of a pair is called in files that are handed around; the first that is there is taken."""

SOURCES = ("kind", "source")
"""What says where the texts come from, where it is not one of the texts itself."""


TURNED = "is_turned"
"""What says that a row is another one with its sides swapped."""


def label_column(columns: Mapping[str, Sequence[Any]], usual: Sequence[str] = LABELS) -> str | None:
    """Which column has the labels: the first of a usual name that says anything, else the first; None without any.

    >>> label_column({"left": ["a storm"], "grade": [None], "is_paraphrase": [True]})
    'is_paraphrase'
    """
    there = [name for name in usual if name in columns]
    filled = (name for name in there if any(told_label(value) is not None for value in columns[name]))
    return next(filled, there[0] if there else None)


class GivenPair(NamedTuple):
    """One pair of a corpus."""

    left: str
    right: str
    label: str | None = None
    source: str | None = None
    rewrites: int = 0
    """How many rewritten forms it has."""


class GivenPairs(Protocol):
    """The pairs of a corpus, to be gone through as often as needed."""

    @property
    def name(self) -> str:
        """What the corpus is called."""

    def __iter__(self) -> Iterator[GivenPair]: ...

    def notes(self) -> list[str]:
        """What its owner should know, once it was gone through."""


@dataclass(slots=True, kw_only=True)
class PairsOfFile:
    """The pairs of one file."""

    path: Path
    name: str
    columns: Mapping[str, str] = field(default_factory=dict)
    """Where `left`, `right`, `label` and `source` are: a name of the file's, or a number from 1."""
    with_rewrites: bool = False
    """Each rewritten form follows its pair, with the label 4."""
    _file: PairFile = field(init=False, repr=False)
    _empty: int = field(init=False, default=0, repr=False)
    _turned: int = field(init=False, default=0, repr=False)

    def __post_init__(self) -> None:
        known = (*SIDES, "label", "source")
        if unknown := next((ours for ours in self.columns if ours not in known), None):
            raise InputError(f"--columns {unknown}=… says nothing here: {', '.join(known)} are read. Leave it out.")
        self._file = PairFile(
            path=self.path, columns={ours: self.columns[ours] for ours in SIDES if ours in self.columns}
        )

    def __iter__(self) -> Iterator[GivenPair]:
        label, source, rewrites, turned = (self._place(name) for name in ("label", "source", REWRITES, TURNED))
        wanted = [place for place in (label, source, rewrites, turned) if place is not None]
        self._empty = self._turned = 0
        for left, right, values in self._file.rows(wanted):
            found: dict[int | None, Any] = dict(zip(wanted, values, strict=True))
            if not left.strip() or not right.strip():
                self._empty += 1
                continue
            if (told_label(found.get(turned)) or "").lower() in ("1", "true"):
                self._turned += 1
                continue
            others = rewrites_of(found.get(rewrites))
            told = told_label(found.get(label))
            where = told_label(found.get(source))
            yield GivenPair(left, right, told, where, len(others))
            for other in others if self.with_rewrites else ():
                yield GivenPair(*other, where)

    def _place(self, ours: str) -> int | None:
        """Where a column lies that is no text; None where the file has none."""
        names, texts = self._file.survey.names, self._file.survey.places.values()
        if ours in self.columns:
            return place_of(self.path, ours, self.columns[ours], names, is_json="json" in self._file.survey.format)
        usual: Sequence[str] = {"label": LABELS, "source": SOURCES}.get(ours, (ours,))
        return next((names.index(name) for name in usual if name in names and names.index(name) not in texts), None)

    def notes(self) -> list[str]:
        """Rows that were left out, and whether there are labels."""
        notes = list(self._file.survey.notes)
        for count, why in ((self._file.left_out, "no two texts"), (self._empty, "an empty text")):
            if count:
                notes.append(
                    f"{self.path.name}: {count:,} of {self._file.survey.rows:,} rows have {why} and are left out."
                )
        if self._turned:
            twins = counted(self._turned, "row repeats a pair", "rows repeat a pair")
            notes.append(f"{self.path.name}: {twins} with its sides swapped ({TURNED}), left out.")
        if self._place("label") is None:
            notes.append(
                f"{self.path.name} has no column of labels. Where one is meant, name it: --columns label=COLUMN."
            )
        return notes


def place_of(path: Path, ours: str, theirs: str, names: Sequence[str], *, is_json: bool) -> int:
    """Where a column lies that was named, or given by its number from 1."""
    if theirs.isdecimal() and 1 <= int(theirs) <= len(names) and not is_json:
        return int(theirs) - 1
    if theirs in names:
        return names.index(theirs)
    raise InputError(f"{path} has no column {theirs!r} to take for {ours}; it has {', '.join(names)}.")
