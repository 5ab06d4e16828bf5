"""Files of texts and mined runs in, blocks of distinct texts out, as a stream: what answers are hidden among."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.text_key import text_key
from paraloom.engine.given import check_file, format_of
from paraloom.engine.given_lines import READERS, TextSource
from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.mined_runs import is_mined, sentences_of
from paraloom.workflows.evaluate.retrieval_sets import hash_of_key

AT_ONCE = 8192
RECENT = 1_000_000
"""So many keys are held one by one; more are sorted into an array of 8 bytes each."""
NAMES = (("text",), ("sentence",), ("left", "right"), ("txt1", "txt2"), ("sentence1", "sentence2"))
"""Columns that hold texts: the first of these that a table has."""
TABLES = (".tsv", ".csv", ".jsonl", ".ndjson", ".json", ".parquet")
"""Endings of tables; any other file is text, one a line."""


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some distinct texts and the hashes of their keys."""

    texts: Sequence[str]
    keys: NDArray[np.uint64]
    run: Path | None = None
    """The mined run that they are from; None where they are a file's."""
    codes: NDArray[np.int8] | None = None
    """What that run has of them."""


class SeenKeys:
    """Which keys were met before: exact, in 8 bytes each."""

    def __init__(self) -> None:
        self.sorted = np.empty(0, np.uint64)
        self.recent: set[int] = set()

    def are_new(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of these keys are met for the first time, one after the other.

        >>> SeenKeys().are_new(np.array([7, 8, 7], np.uint64)).tolist()
        [True, True, False]
        """
        places = np.searchsorted(self.sorted, keys)
        are_new = np.ones(len(keys), np.bool_)
        inside = np.flatnonzero(places < len(self.sorted))
        are_new[inside] = self.sorted[places[inside]] != keys[inside]
        for row in np.flatnonzero(are_new).tolist():
            key = int(keys[row])
            are_new[row] = key not in self.recent
            self.recent.add(key)
        if len(self.recent) >= RECENT:
            latest = np.fromiter(self.recent, np.uint64, len(self.recent))
            self.sorted = np.sort(np.concatenate([self.sorted, latest]), kind="stable")
            self.recent = set()
        return are_new


@dataclass(slots=True)
class Distractors:
    """Texts of some files and mined runs; each time they are gone through, these are read anew."""

    files: Sequence[Path]
    """Files, and folders of mined runs."""
    most: int = 0
    """At most so many distinct ones, the first; 0 takes all."""
    distinct: int = field(default=0, init=False)
    repeated: int = field(default=0, init=False)
    unreadable: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        for file in self.files:
            if not is_mined(file):
                check_file(file)

    @property
    def runs(self) -> list[Path]:
        """The mined runs among them."""
        return [file for file in self.files if is_mined(file)]

    def blocks(self) -> Iterator[TextBlock]:
        """All distinct texts, as `text_key` compares them, in the order of the files; those without a key are none."""
        self.distinct = self.repeated = self.unreadable = 0
        seen = SeenKeys()
        for met in self._met():
            named = [text_key(text) for text in met.texts]
            keys = np.array([hash_of_key(key) for key in named], np.uint64)
            has_key = np.array([bool(key) for key in named], np.bool_)
            rows = np.flatnonzero(has_key)
            rows = rows[seen.are_new(keys[rows])]
            if self.most and self.distinct + len(rows) >= self.most:
                last = rows[self.most - self.distinct - 1]
                has_key[last + 1 :] = False
                rows = rows[: self.most - self.distinct]
            self.repeated += int(has_key.sum()) - len(rows)
            self.distinct += len(rows)
            if len(rows):
                codes = None if met.codes is None else met.codes[rows]
                yield TextBlock([met.texts[row] for row in rows.tolist()], keys[rows], met.run, codes)
            if self.distinct == self.most:
                return

    def notes(self) -> list[str]:
        """What the last time through them has met."""
        if not self.files:
            return []
        told = [f"Distractors: {counted(self.distinct, 'distinct text', 'distinct texts')}."]
        if self.repeated:
            told.append(f"Distractors: {counted(self.repeated, 'text', 'texts')} repeat another and count once.")
        if self.unreadable:
            told.append(f"Distractors: {counted(self.unreadable, 'row', 'rows')} cannot be read and are left out.")
        return told

    def _met(self) -> Iterator[_Met]:
        """Texts as they are met, so many at a time; those of a run with their codes."""
        files: list[Path] = []
        for file in self.files:
            if not is_mined(file):
                files.append(file)
                continue
            yield from _some(self._texts(files))
            files = []
            for texts, codes in sentences_of(file):
                for start in range(0, len(texts), AT_ONCE):
                    part = slice(start, start + AT_ONCE)
                    yield _Met(texts[part], file, np.asarray(codes[part]))
        yield from _some(self._texts(files))

    def _texts(self, files: Sequence[Path]) -> Iterator[str]:
        for file in files:
            if not any(suffix.lower() in TABLES for suffix in file.suffixes[-2:]):
                source = TextSource.open(file)
                yield from (source.decoded(line, number) for number, _, line, _ in source.lines())
            elif format_of(file) == "parquet":
                yield from self._of_parquet(file)
            else:
                yield from self._of_table(file)

    def _of_table(self, file: Path) -> Iterator[str]:
        names: Sequence[str] | None = None
        header: list[str] = []
        for row in READERS[format_of(file)](TextSource.open(file)):
            if row.trouble:
                self.unreadable += 1
                continue
            if row.cells and not header:
                header = row.cells
                names = _columns(file, header)
                continue
            if row.cells:
                values = dict(zip(header, row.cells, strict=False))
            else:
                values = row.values
                names = names or _columns(file, list(values))
            found = [values.get(name) for name in names or ()]
            if not all(isinstance(text, str) for text in found):
                self.unreadable += 1
            yield from (text for text in found if isinstance(text, str))

    def _of_parquet(self, file: Path) -> Iterator[str]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(file) as opened:
                names = _columns(file, opened.schema_arrow.names)
                for batch in opened.iter_batches(AT_ONCE, columns=list(names)):
                    for column in batch.columns:
                        yield from (text for text in column.to_pylist() if isinstance(text, str))
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"{file} is not a Parquet file that can be read: {error}") from error


@dataclass(frozen=True, slots=True)
class _Met:
    """Texts as they are met."""

    texts: Sequence[str]
    run: Path | None = None
    codes: NDArray[np.int8] | None = None


def _some(texts: Iterator[str]) -> Iterator[_Met]:
    while some := list(islice(texts, AT_ONCE)):
        yield _Met(some)


def _columns(file: Path, there: Sequence[str]) -> Sequence[str]:
    for names in NAMES:
        if set(names) <= set(there):
            return names
    told = ", ".join(there[:8]) or "none"
    raise InputError(
        f"{file} has no column with texts; it has {told}. Name one `text`, or two `left` and `right`, or give a text "
        "file with one text a line."
    )
