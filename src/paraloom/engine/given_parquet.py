"""A Parquet file of pairs in, its rows out block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from paraloom.engine.foreign import Chunk
from paraloom.engine.foreign_bytes import compression_of
from paraloom.engine.foreign_parquet import opened
from paraloom.engine.given import told
from paraloom.engine.given_blocks import Block, Survey
from paraloom.engine.given_columns import SIDES, places_of
from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.text.file_names import told_name


@contextmanager
def _opened(path: Path, called: str) -> Iterator[pq.ParquetFile]:
    chunk = Chunk(path=str(path), name=told_name(path.name), format="parquet", compression=compression_of(path))
    with ExitStack() as until_read:
        try:
            file = until_read.enter_context(opened(chunk))
        except InputError as error:
            raise InputError(str(error).replace(str(path), called)) from error
        yield file


def survey_parquet(path: Path, columns: Mapping[str, str], called: str) -> Survey:
    """What the file's schema says, and how many rows have no text in one of the two columns."""
    with _opened(path, called) as file:
        schema = file.schema_arrow
        names = tuple(schema.names)
        places = places_of(called, names, columns)
        for side, place in places.items():
            if not _holds_text(schema.field(place).type):
                raise InputError(
                    f"{called}: the column {names[place]!r} holds {schema.field(place).type}, not text. "
                    f"Say which column is {side}: --columns {side}=COLUMN."
                )
        troubles: Counter[str] = Counter()
        for batch in _batches(called, file, 1 << 16, [names[place] for place in places.values()]):
            for trouble in _troubles_of_table(*(batch.column(names[place]).to_pylist() for place in places.values())):
                if trouble:
                    troubles[trouble] += 1
        rows = file.metadata.num_rows
    return Survey(
        path=path,
        called=called,
        format="parquet",
        names=names,
        places=places,
        has_header=True,
        rows=rows,
        troubles=troubles,
        kinds={},
        notes=(),
        digest=hash_of_file(path),
    )


def _holds_text(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _batches(
    called: str, file: pq.ParquetFile, rows_at_once: int, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    try:
        yield from file.iter_batches(rows_at_once, columns=columns)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{called} cannot be read to its end ({told(str(error))}). Write it again.") from error


def _troubles_of_table(left: Sequence[str | None], right: Sequence[str | None]) -> list[str | None]:
    return [
        "bad_row: no left" if one is None else "bad_row: no right" if other is None else None
        for one, other in zip(left, right, strict=True)
    ]


def parquet_blocks(survey: Survey, rows_at_once: int) -> Iterator[Block]:
    """All rows, in their order, as Arrow tables."""
    with _opened(survey.path, survey.called) as file:
        for batch in _batches(survey.called, file, rows_at_once):
            table = pa.Table.from_batches([batch])
            left, right = (table.column(survey.places[side]).to_pylist() for side in SIDES)
            troubles = _troubles_of_table(left, right)
            yield Block(
                left=[text or "" for text in left], right=[text or "" for text in right], troubles=troubles, table=table
            )


def schema_of(path: Path) -> pa.Schema:
    """The columns of a file and their types."""
    with _opened(path, str(path)) as file:
        return file.schema_arrow
