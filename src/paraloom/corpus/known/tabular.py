"""A reader's files with named or numbered columns in, its corpus out: what most readers do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from paraloom.corpus.known.files import Expected, PairRow, csv_rows, named_columns, pairs_of, tsv_rows
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader


def read_table(
    reader: KnownReader,
    folder: Path,
    columns: tuple[str, ...],
    parse: Callable[[list[str]], PairRow],
    expected: Expected,
    *,
    by_left: bool = False,
) -> KnownCorpus:
    """A corpus whose files have a header: the named columns of each row are parsed."""
    parts = {}
    for split, file in reader.found(folder, expected).items():
        rows = csv_rows(file) if ".csv" in file.suffixes else tsv_rows(file)
        parts[split] = pairs_of(file, named_columns(rows, file, columns, expected), parse, expected, by_left=by_left)
    return reader.corpus(folder, parts)
