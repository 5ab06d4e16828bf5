"""Files of texts in, blocks of distinct texts out, as a stream: what answers are hidden among."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.text_key import text_key
from paraloom.engine.given import check_file, format_of
from paraloom.engine.given_lines import READERS, TextSource
from paraloom.errors import InputError
from paraloom.text.counted import counted
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


class SeenKeys:
    """Which keys were met before: exact, in 8 bytes each."""

    def __init__(self) -> None:
        self.sorted = np.empty(0, np.uint64)
        self.recent: set[int] = set()

    def is_new(self, key: int) -> bool:
        """Whether a key is met for the first time."""
        if key in self.recent:
            return False
        place = int(np.searchsorted(self.sorted, np.uint64(key))) if len(self.sorted) else 0
        if place < len(self.sorted) and int(self.sorted[place]) == key:
            return False
        self.recent.add(key)
        if len(self.recent) >= RECENT:
            latest = np.fromiter(self.recent, np.uint64, len(self.recent))
            self.sorted = np.sort(np.concatenate([self.sorted, latest]), kind="stable")
            self.recent = set()
        return True


@dataclass(slots=True)
class Distractors:
    """Texts of some files; each time they are gone through, the files are read anew."""

    files: Sequence[Path]
    most: int = 0
    """At most so many distinct ones, the first; 0 takes all."""
    distinct: int = field(default=0, init=False)
    repeated: int = field(default=0, init=False)
    unreadable: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        for file in self.files:
            check_file(file)

    def blocks(self) -> Iterator[TextBlock]:
        """All distinct texts, as `text_key` compares them, in the order of the files; those without a key are none."""
        self.distinct = self.repeated = self.unreadable = 0
        seen = SeenKeys()
        texts: list[str] = []
        keys: list[int] = []
        for text in self._texts():
            key = text_key(text)
            hashed = hash_of_key(key)
            if not key or not seen.is_new(hashed):
                self.repeated += bool(key)
                continue
            texts.append(text)
            keys.append(hashed)
            self.distinct += 1
            is_last = self.distinct == self.most
            if len(texts) == AT_ONCE or is_last:
                yield TextBlock(texts, np.array(keys, np.uint64))
                texts, keys = [], []
            if is_last:
                return
        if texts:
            yield TextBlock(texts, np.array(keys, np.uint64))

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

    def _texts(self) -> Iterator[str]:
        for file in self.files:
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


def _columns(file: Path, there: Sequence[str]) -> Sequence[str]:
    for names in NAMES:
        if set(names) <= set(there):
            return names
    told = ", ".join(there[:8]) or "none"
    raise InputError(
        f"{file} has no column with texts; it has {told}. Name one `text`, or two `left` and `right`, or give a text "
        "file with one text a line."
    )
