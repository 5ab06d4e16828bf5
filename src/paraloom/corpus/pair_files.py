"""A file of pairs in, its texts out, row by row: however many there are, only one is held in memory.

Any file that has two texts a row will do, whatever its columns are called and whether or not it has labels. Where rows
belong together by their order, `engine.given` reads a file whole; here a bad row is left out and counted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paraloom.corpus.known.files import BadRow, csv_rows, lines_of, tsv_rows
from paraloom.errors import InputError

NAMES = (
    ("left", "right"),
    ("sentence1", "sentence2"),
    ("text_a", "text_b"),
    ("question1", "question2"),
    ("source", "target"),
    ("source", "output"),
    ("#1 String", "#2 String"),
    ("txt1", "txt2"),
)
"""What the two texts of a pair are called in files that are handed around."""

Row = tuple[str, str]


@dataclass(slots=True, kw_only=True)
class PairFile:
    """The texts of a pair file, to be gone through as often as needed."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """Where `left` and `right` are: a name of the file's, or a number from 1. Empty: by their usual names."""
    left_out: int = 0
    """Rows that the latest pass could not read."""

    def __post_init__(self) -> None:
        if not self.path.is_file():
            raise InputError(f"There is no file {self.path}. Check the path.")
        if self.columns and set(self.columns) != {"left", "right"}:
            raise InputError(f"--columns must say where left and right are, but has: {', '.join(self.columns)}.")

    def __iter__(self) -> Iterator[Row]:
        self.left_out = 0
        read = 0
        for row in _FORMATS[_ending(self.path)](self):
            if isinstance(row, BadRow):
                self.left_out += 1
            else:
                read += 1
                yield row
        if self.left_out >= max(1, read):
            raise InputError(
                f"{self.path}: {self.left_out} rows of {read + self.left_out} have no two texts. Give a file of pairs, "
                "or say which columns hold them: --columns left=COLUMN right=COLUMN."
            )

    def places(self, header: Sequence[str] | None) -> tuple[int, int, bool]:
        """Where both texts are in a row of cells, and whether the first row was a header."""
        names = [name.strip() for name in header or ()]
        if self.columns:
            left, right = (_place(names, self.columns[side], self.path) for side in ("left", "right"))
            by_name = any(self.columns[side] in names for side in ("left", "right"))
            return left, right, by_name or any({*known} <= {*names} for known in NAMES)
        found = next((known for known in NAMES if {*known} <= {*names}), None)
        return (0, 1, False) if found is None else (names.index(found[0]), names.index(found[1]), True)


def _place(names: Sequence[str], wanted: str, path: Path) -> int:
    if wanted in names:
        return names.index(wanted)
    if wanted.isdigit() and 1 <= int(wanted) <= len(names):
        return int(wanted) - 1
    raise InputError(f"{path} has no column {wanted!r}; it has {', '.join(names) or 'none'}.")


def _ending(path: Path) -> str:
    ending = (path.suffixes[-2:-1] or [""])[0] if path.suffix == ".gz" else path.suffix
    if ending.lower() not in _FORMATS:
        raise InputError(f"{path} ends in {ending or 'nothing'!r}. Files of pairs end in {', '.join(_FORMATS)}.")
    return ending.lower()


def _cells(file: PairFile, rows: Iterator[tuple[int, list[str] | BadRow]]) -> Iterator[Row | BadRow]:
    first = next(rows, None)
    if first is None:
        return
    left, right, has_header = file.places(None if isinstance(first[1], BadRow) else first[1])
    if not has_header:
        yield _picked(first[1], left, right)
    for _, cells in rows:
        yield _picked(cells, left, right)


def _picked(cells: list[str] | BadRow, left: int, right: int) -> Row | BadRow:
    if isinstance(cells, BadRow):
        return cells
    return (cells[left], cells[right]) if max(left, right) < len(cells) else BadRow("too few columns")


def _tsv(file: PairFile) -> Iterator[Row | BadRow]:
    return _cells(file, tsv_rows(file.path))


def _csv(file: PairFile) -> Iterator[Row | BadRow]:
    return _cells(file, csv_rows(file.path))


def _jsonl(file: PairFile) -> Iterator[Row | BadRow]:
    for _, line in lines_of(file.path):
        if isinstance(line, BadRow):
            yield line
        elif line.strip():
            try:
                yield _named(file, json.loads(line))
            except ValueError:
                yield BadRow("not JSON")


def _json(file: PairFile) -> Iterator[Row | BadRow]:
    try:
        items = json.loads(b"".join(_bytes(file.path)))
    except ValueError as error:
        raise InputError(f"{file.path} is not JSON: {error}. Mend it there.") from error
    if not isinstance(items, list):
        raise InputError(f"{file.path} holds no list of objects. Give one object a pair.")
    for item in items:
        yield _named(file, item)


def _bytes(path: Path) -> Iterator[bytes]:
    for _, line in lines_of(path):
        yield (str(line) if not isinstance(line, BadRow) else "\ufffd").encode() + b"\n"


def _named(file: PairFile, item: Any) -> Row | BadRow:
    if not isinstance(item, dict):
        return BadRow("no object")
    candidates = [(file.columns["left"], file.columns["right"])] if file.columns else NAMES
    for left, right in candidates:
        if isinstance(item.get(left), str) and isinstance(item.get(right), str):
            return item[left], item[right]
    return BadRow("no two texts")


def _parquet(file: PairFile) -> Iterator[Row | BadRow]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.ParquetFile(file.path)
        names = table.schema_arrow.names
        left, right, _ = file.places(names)
        for batch in table.iter_batches(columns=[names[left], names[right]]):
            for one, other in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                is_pair = isinstance(one, str) and isinstance(other, str)
                yield (one, other) if is_pair else BadRow("no two texts")
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{file.path} is not a Parquet file that can be read: {error}") from error


_FORMATS = {
    ".tsv": _tsv,
    ".txt": _tsv,
    ".data": _tsv,
    ".csv": _csv,
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".json": _json,
    ".parquet": _parquet,
}
"""A file's ending, and what reads it."""
