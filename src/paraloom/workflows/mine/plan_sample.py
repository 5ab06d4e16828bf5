"""Files to be mined in; a sample of their sentences, and how many they seem to hold, out.

Sentences are taken from the beginnings of files, of many files from some that are drawn by lot. What a sentence takes
is counted in bytes of the file, whatever else is in a row, kind of file by kind of file.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.tables_in_order import PACKED

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk
    from paraloom.workflows.mine.input_files import Given

FEWEST = 16
"""Sentences that a plan needs at least."""
SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Some of the sentences that are to be mined."""

    texts: list[str]
    """Distinct ones."""
    bytes_each: float
    """Of the files, for every distinct sentence that they seem to hold."""
    counted_each: float
    """The same as a run counts it that cuts tables into parts: what is packed is taken to be larger."""


@dataclass(slots=True)
class _Kind:
    """Files that are written and packed in the same way, and what was met in those that were looked into."""

    bytes: int = 0
    """Of all of them, as they lie on disk."""
    bytes_read: float = 0.0
    sentences: int = 0


def sample_sentences(given: Given | None, count: int, lines: LineOptions = LineOptions()) -> Sample:
    """Up to so many sentences of files, or of the bundled sample where none are given."""
    if given is None:
        texts = _bundled(count)
        each = sum(len(text.encode("utf-8", "replace")) + 1 for text in texts) / count
        return Sample(texts=texts, bytes_each=each, counted_each=each)
    found: dict[str, None] = {}
    kinds: dict[tuple[str, str | None], _Kind] = defaultdict(_Kind)
    files = [list(chunks) for _, chunks in groupby(given.chunks, key=lambda chunk: chunk.path)]
    for chunks in files:
        kinds[_kind_of(chunks)].bytes += _size_of(chunks[0])
    random.Random(SEED).shuffle(files)
    share = -(-count // max(len(files), 1))
    for chunks in files:
        kind = kinds[_kind_of(chunks)]
        if len(found) >= count and kind.bytes_read:
            continue
        before, reached = len(found), 0.0
        for texts, place in _texts_of(chunks, lines):
            found.update(dict.fromkeys(texts))
            reached = place
            if len(found) - before >= share:
                break
        kind.bytes_read += reached
        kind.sentences += len(found) - before
    if len(found) < FEWEST:
        raise InputError(
            f"What was given has {len(found)} sentences that can be mined: too few to plan by. Leave it out, and say "
            "how many sentences there are (--sentences 400M)."
        )
    each = _bytes_each(kinds.values())
    counted = sum(kind.bytes * (PACKED if packed else 1) for (_, packed), kind in kinds.items())
    times = counted / sum(kind.bytes for kind in kinds.values())
    return Sample(texts=list(found)[:count], bytes_each=each, counted_each=each * times)


def bytes_of(given: Given) -> int:
    """What the files take on disk."""
    return sum(_size_of(next(chunks)) for _, chunks in groupby(given.chunks, key=lambda chunk: chunk.path))


def _bytes_each(kinds: Collection[_Kind]) -> float:
    """Bytes of all files over the sentences that they seem to hold."""
    held = sum(kind.bytes * kind.sentences / kind.bytes_read for kind in kinds if kind.bytes_read)
    return sum(kind.bytes for kind in kinds) / held


def _kind_of(chunks: Sequence[Chunk]) -> tuple[str, str | None]:
    return chunks[0].format, chunks[0].compression


def _size_of(chunk: Chunk) -> int:
    return Path(chunk.path).stat().st_size


def _texts_of(chunks: Sequence[Chunk], lines: LineOptions) -> Iterator[tuple[list[str], float]]:
    """The sentences of one file, batch by batch, each with the bytes of the file that were read up to there."""
    from paraloom.engine import foreign
    from paraloom.engine.foreign_bytes import growth_of
    from paraloom.engine.foreign_parquet import row_count
    from paraloom.sentences.lines import LineReader

    read = LineReader(lines)
    first, size = chunks[0], _size_of(chunks[0])
    if first.format == "parquet":
        scale = size / max(row_count(first), 1)  # places are numbers of rows
    else:
        scale = 1 / growth_of(Path(first.path), first.compression)
    for chunk in chunks:
        for records in foreign.records(chunk):
            rows = read(records)
            texts = [
                " ".join(text.split())
                for text, dropped in zip(
                    *(rows.column(name).to_pylist() for name in ("text", "dropped_for")), strict=True
                )
                if dropped is None
            ]
            yield texts, min(_reached(records, first.format) * scale, float(size))


def _reached(records: pa.Table, format: str) -> int:
    """The place behind the last of these records."""
    last = records.slice(len(records) - 1).to_pylist()[0]
    return int(last["offset"]) + (1 if format == "parquet" else len(last["raw"]) + 1)


def _bundled(count: int) -> list[str]:
    """Sentences of the bundled sample, then the same with words of others in places drawn by lot."""
    told = bundled_sentences()
    rng = random.Random(SEED)
    texts = dict.fromkeys(told[:count])
    while len(texts) < count:
        words = rng.choice(told).split()
        for _ in range(max(len(words) // 4, 1)):
            words[rng.randrange(len(words))] = rng.choice(rng.choice(told).split())
        texts[" ".join(words)] = None
    return list(texts)


def bundled_sentences() -> list[str]:
    """All distinct sentences of the bundled sample."""
    from paraloom import sample
    from paraloom.workflows.mine.input_files import given_files

    batches = _texts_of(given_files([sample.posts()]).chunks, LineOptions())
    return list(dict.fromkeys(text for texts, _ in batches for text in texts))
