"""Word vectors as packages carry them in, the folder that `WordVectors.read` opens out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.word_vectors import WordVectors


def convert_table(folder: Path) -> None:
    """A NumPy table, and a Parquet file with the word of each row in its only column."""
    import pyarrow.parquet

    (table,), (words,) = folder.glob("*.npy"), folder.glob("*.parquet")
    column = pyarrow.parquet.read_table(words).column(0).to_pylist()
    WordVectors.of(column, np.load(table, mmap_mode="r", allow_pickle=False)).write(folder)
    table.unlink()
    words.unlink()


def convert_wink(folder: Path) -> None:
    """The JSON file of the wink packages: `"vectors": {word: [number, …, length, row], …}`, after some settings."""
    import orjson

    (file,) = folder.glob("*.json")
    content = file.read_bytes()
    start = content.index(b'"vectors":{')
    width = orjson.loads(content[: content.index(b',"words":')] + b"}")["dimensions"]
    words: list[str] = []
    rows: list[NDArray[np.float16]] = []
    for word, numbers in _entries(content, start + len(b'"vectors":{')):
        values = orjson.loads(numbers)
        if len(values) != width + 2 or values[-1] != len(words):
            raise InputError(f"{file.name} is not laid out as was thought: see its word {word!r}. Report this, please.")
        words.append(orjson.loads(word))
        rows.append(np.array(values[:width], np.float16))
    WordVectors.of(words, np.stack(rows)).write(folder)
    file.unlink()


def _entries(content: bytes, place: int) -> Iterator[tuple[bytes, bytes]]:
    """Each word and its list, still as JSON, without reading the whole: as Python objects it needs over a gigabyte."""
    while content[place : place + 1] == b'"':
        colon = content.index(b'":[', place + 1) + 1
        end = content.index(b"]", colon) + 1
        yield content[place:colon], content[colon + 1 : end]
        place = end + 1  # behind the comma, or the closing brace
