"""A mined run or files of pairs in, candidates out, block by block, each pair once.

Of a run the kept pairs are taken, and those that were dropped for their lexical similarity alone: where the safe
regions lie is to be learned from all of them. With a definition, the scores of the run's labels come along with who
gave them, where there are any: a run labels what it keeps.

Two rows are one pair where their texts are the same, in either order. Ids that files give are carried along and decide
nothing: two files may each number their rows from 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.corpus.pair_files import ROWS_AT_ONCE, PairFile
from paraloom.corpus.run_pairs import is_run
from paraloom.engine.given_columns import SIDES
from paraloom.engine.store import read_parts
from paraloom.errors import InputError
from paraloom.pairs.mined_texts import ABOVE_BAND, BELOW_BAND
from paraloom.tables import make_id
from paraloom.text.counted import counted
from paraloom.workflows.mine.run_labels import ScoresOfRun, labellers

STILL_CANDIDATES = (None, BELOW_BAND, ABOVE_BAND)
"""What a mined pair may have been dropped for and be a candidate here."""
TRIVIAL = "trivial: "
"""What the reasons begin with for which `--keep-trivial` drops nothing."""

SCORED = ("score", "definition", "labelled_by")
"""What an identifier says of a pair, by which definition, and who it is."""
KNOWN = ("pair_id", "left_id", "right_id", "group_id", "similarity", *SCORED, "label", "grade", "is_paraphrase")
"""Columns that are read beside the texts, where they are there."""
LABELLED = ("weight", "population", "interval", "split")
"""Those of a drawn sample."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some candidates."""

    pair_ids: list[str]
    """As they were given; of a file without ids, the keys."""
    left: list[str]
    right: list[str]
    columns: Mapping[str, Sequence[Any]]
    """What else is known of each, by name."""

    def __len__(self) -> int:
        return len(self.pair_ids)

    def text_keys(self) -> list[str]:
        """What each pair is known by, whatever its id: its texts, in either order."""
        return [make_id("pair", *sorted(both)) for both in zip(self.left, self.right, strict=True)]

    def chosen(self, rows: Sequence[int]) -> Block:
        """The candidates with these numbers."""
        return Block(
            [self.pair_ids[row] for row in rows],
            [self.left[row] for row in rows],
            [self.right[row] for row in rows],
            {name: [values[row] for row in rows] for name, values in self.columns.items()},
        )


@dataclass(slots=True, kw_only=True)
class Candidates:
    """The candidates of a run or of files, to be gone through as often as needed."""

    sources: Sequence[Path]
    columns: Mapping[str, str] = field(default_factory=dict)
    """Where `left` and `right` (and `label`, `score`) are in files, where they are called otherwise."""
    definition: str = ""
    """Whose scores are taken from a run's labels."""
    each_once: bool = True
    """Leave out rows that repeat a pair."""
    dropped: int = 0
    """Rows of a run that are no candidates, known once it was gone through."""
    trivial: int = 0
    """Those among them that differ in punctuation, digits or word order alone, likewise."""
    left_out: int = 0
    """Rows of files without two texts, likewise."""
    repeated: int = 0
    """Rows that repeat a pair in either order, likewise."""

    def __post_init__(self) -> None:
        if not self.sources:
            raise InputError("There are no pairs to read. Give a run of `paraloom mine`, or files of pairs.")
        for source in self.sources:
            if source.is_dir() and not is_run(source):
                raise InputError(f"{source} holds no pairs of a run. Give the --out of `paraloom mine`, or files.")

    def __iter__(self) -> Iterator[Block]:
        self.dropped = self.trivial = self.left_out = self.repeated = 0
        met: set[int] = set()
        several = len(self.sources) > 1
        for source in self.sources:
            is_table = source.is_dir()
            for block in self._of_run(source) if is_table else self._of_file(source):
                # A run has each pair once: its pairs are remembered only where others follow.
                is_known_once = is_table and not several
                yield self._once(block, met) if self.each_once and not is_known_once else block

    def notes(self) -> list[str]:
        """What was left out, once it was gone through."""
        told = (
            (self.left_out, "row without two texts was", "rows without two texts were"),
            (self.repeated, "row that repeats a pair was", "rows that repeat a pair were"),
            (self.dropped, "pair that the run has dropped was", "pairs that the run has dropped were"),
        )
        notes = [f"{counted(count, one, several)} left out." for count, one, several in told if count]
        if self.trivial:
            differ = counted(self.trivial, "of these differs", "of these differ")
            notes.append(
                f"{differ} in punctuation, digits or word order alone: `paraloom mine --keep-trivial` keeps such "
                "pairs, some of which are hard negatives."
            )
        return notes

    def _once(self, block: Block, met: set[int]) -> Block:
        rows = []
        for row, key in enumerate(block.text_keys()):
            number = int(key[:16], 16)
            if number not in met:
                met.add(number)
                rows.append(row)
        self.repeated += len(block) - len(rows)
        return block if len(rows) == len(block) else block.chosen(rows)

    def _of_file(self, path: Path) -> Iterator[Block]:
        file = PairFile(path=path, columns={side: self.columns[side] for side in SIDES if side in self.columns})
        places = _places(file, self.columns)
        rows: list[tuple[str, str, tuple[Any, ...]]] = []
        for row in file.rows(list(places.values())):
            if not row[0].strip() or not row[1].strip():
                self.left_out += 1
                continue
            rows.append(row)
            if len(rows) == ROWS_AT_ONCE:
                yield _block(rows, list(places))
                rows = []
        if rows:
            yield _block(rows, list(places))
        self.left_out += file.left_out

    def _of_run(self, run: Path) -> Iterator[Block]:
        scores = ScoresOfRun(run, self.definition)
        by = labellers(run, self.definition) if self.definition else ""
        wanted = ["pair_id", "left_id", "right_id", "group_id", "left", "right", "similarity", "dropped_for"]
        for part in read_parts(run, "pairs", wanted):
            for batch in part.to_batches(max_chunksize=ROWS_AT_ONCE):
                columns: dict[str, list[Any]] = {name: batch.column(name).to_pylist() for name in wanted}
                columns["score"] = [scores.of(pair_id) for pair_id in columns["pair_id"]]
                for name, said in (("definition", self.definition), ("labelled_by", by)):
                    columns[name] = [None if score is None else said for score in columns["score"]]
                reasons = columns.pop("dropped_for")
                rows = [row for row, reason in enumerate(reasons) if reason in STILL_CANDIDATES]
                self.dropped += len(reasons) - len(rows)
                self.trivial += sum(bool(reason) and reason.startswith(TRIVIAL) for reason in reasons)
                pair_ids, left, right = (columns.pop(name) for name in ("pair_id", "left", "right"))
                yield Block(pair_ids, left, right, columns).chosen(rows)


def _places(file: PairFile, columns: Mapping[str, str]) -> dict[str, int]:
    from paraloom.corpus.given_pairs import place_of

    names, texts = list(file.survey.names), set(file.survey.places.values())
    found = {
        ours: place_of(file.path, ours, theirs, names, is_json="json" in file.survey.format)
        for ours, theirs in columns.items()
        if ours not in SIDES
    }
    for name in (*KNOWN, *LABELLED):
        if name in names and names.index(name) not in texts:
            found.setdefault(name, names.index(name))
    return found


def _block(rows: Sequence[tuple[str, str, tuple[Any, ...]]], names: Sequence[str]) -> Block:
    columns = {name: [values[place] for _, _, values in rows] for place, name in enumerate(names)}
    left, right = [row[0] for row in rows], [row[1] for row in rows]
    given = columns.pop("pair_id", [None] * len(rows))
    block = Block([], left, right, columns)
    return replace(
        block,
        pair_ids=[key if one in (None, "") else str(one) for one, key in zip(given, block.text_keys(), strict=True)],
    )


def told_shared_ids(count: int) -> list[str]:
    """What is said where so many pairs have an id that is not theirs alone."""
    told = counted(count, "pair has an id that another one has too", "pairs have an id that others have too")
    return [f"{told}: known by their texts here."] if count else []


def numbers(values: Sequence[Any], what: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A column as numbers, NaN where there is nothing; what is no number is an error."""
    found = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if value is None or value == "":
            continue
        try:
            found[row] = float(value)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"The column {what} holds {value!r}, which is no number. Mend it or leave it out."
            ) from error
    return found
