"""Files, folders and runs in, the chunks to read out, and what must be said of files that cannot be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from paraloom.engine import foreign
from paraloom.engine.foreign_bytes import head_of
from paraloom.engine.foreign_csv import column_names
from paraloom.engine.store import made_by_file, part_files
from paraloom.errors import InputError
from paraloom.sentences.record_texts import asked_columns, columns_among

HEAD = 1 << 16
NOT_SENTENCES = (*foreign.ONE_RECORD, "raw-day")
"""Formats of files that are whole documents: `build` and `align` read those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What is to be mined."""

    chunks: tuple[foreign.Chunk, ...]
    files: dict[str, Path]
    """Every file by its name in the signature."""
    runs: tuple[Path, ...] = ()
    """Mined runs among what was given: what they have computed is used again."""
    unreadable: tuple[str, ...] = ()
    """Why files could not be read at all."""


def given_files(named: Sequence[str | Path], columns: Sequence[str] = ()) -> Given:
    """What these paths, globs, folders and run folders name."""
    runs = [Path(name) for name in named if str(name) != "-" and made_by_file(Path(name), "sentences").is_file()]
    others = [name for name in named if str(name) == "-" or Path(name) not in runs]
    paths = foreign.expand([str(name) for name in others]) if others else []
    asked = asked_columns(columns)
    chunks: list[foreign.Chunk] = []
    unreadable: list[str] = []
    for path in paths:
        try:
            found = foreign.plan([path])
        except InputError as error:
            if path.suffix.lower() not in (".parquet", ".pq"):
                raise
            unreadable.append(str(error))
            found = [foreign.Chunk(path=str(path), name=path.name, format=foreign.UNREADABLE)]
        chunks += [_told_apart(chunk, asked) for chunk in found]
    for run in runs:
        chunks += foreign.plan(part_files(run, "sentences"))
        paths += part_files(run, "sentences")
    return Given(
        chunks=tuple(chunks),
        files=_named(paths),
        runs=tuple(run for run in runs if made_by_file(run, "vectors").is_file()),
        unreadable=tuple(unreadable),
    )


def _named(paths: Sequence[Path]) -> dict[str, Path]:
    """Files by a name that does not depend on the order in which they were given."""
    ordered = sorted(paths, key=lambda path: (path.name, path.stat().st_size, str(path)))
    return {f"input/{number}/{path.name}": path for number, path in enumerate(ordered)}


def _told_apart(chunk: foreign.Chunk, asked: dict[str, str]) -> foreign.Chunk:
    """The same chunk, as its sentences are to be read."""
    if chunk.format in NOT_SENTENCES:
        raise InputError(
            f"{chunk.path} is a document of its own ({chunk.format}), not a file of sentences. Give text with a "
            "sentence a line, a table, or the --out of `paraloom build` or `paraloom align`."
        )
    if chunk.format == "text":
        return dataclasses.replace(chunk, blanks=True)
    if chunk.format in ("tsv", "csv", "ssv"):
        return _with_columns(chunk, asked)
    if chunk.format == "parquet":
        _check_parquet(chunk, asked)
    return chunk


def _with_columns(chunk: foreign.Chunk, asked: dict[str, str]) -> foreign.Chunk:
    head = head_of(Path(chunk.path), chunk.compression, HEAD, chunk.encoding, chunk.start)
    names = column_names(head.split(chunk.line_end, 1)[0].rstrip(b"\r"), chunk.format)
    if columns_among(names, {ours: theirs for ours, theirs in asked.items() if not theirs.isdecimal()}):
        return chunk
    by_number = asked and all(theirs.isdecimal() for theirs in asked.values())
    if chunk.format == "tsv" and (not asked or by_number):
        return dataclasses.replace(chunk, format=foreign.BARE_TSV)
    if by_number:
        return chunk
    raise _no_column(chunk, names)


def _check_parquet(chunk: foreign.Chunk, asked: dict[str, str]) -> None:
    from paraloom.engine.foreign_parquet import opened

    with opened(chunk) as file:
        names = list(file.schema_arrow.names)
    if not columns_among(names, asked):
        raise _no_column(chunk, names)


def _no_column(chunk: foreign.Chunk, names: Sequence[str]) -> InputError:
    shown = orjson.dumps(list(names)[:20]).decode()
    return InputError(
        f"It is not known which column of {chunk.path} holds sentences; it has {shown}. "
        "Say which: --columns text=COLUMN, or left=COLUMN right=COLUMN (a name or a number from 1)."
    )
