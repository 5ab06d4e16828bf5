"""Aligned pairs in, as files or as Python values; the chunks that a run reads out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias

import orjson

from paraloom.engine import foreign
from paraloom.engine.foreign_files import named_files
from paraloom.engine.signatures import hash_of_file
from paraloom.engine.store import unfinished_name
from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners import Links, Tokens, written
from paraloom.text.file_names import told_name

GIVEN = "aligned.jsonl"
"""The file of a run folder that pairs are put into which were given as values."""
FORMATS = ("jsonl", "json", "parquet")


class AlignedPair(NamedTuple):
    """Two texts as tokens, and which of these stand for each other."""

    left: Tokens
    right: Tokens
    links: Links
    pair_id: str | None = None
    group_id: str | None = None


Aligned: TypeAlias = str | Path | Iterable[str | Path | AlignedPair]
"""A file or folder, several of them, or pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenPairs:
    """What phrases are to be extracted from."""

    chunks: tuple[foreign.Chunk, ...]
    files: dict[str, Path]
    """Every file by its name in the signature."""
    told: tuple[str, ...] = ()


def given_pairs(aligned: Aligned, run: Path) -> GivenPairs:
    """The files that are named; pairs that are given as values are written into the run's folder first."""
    if isinstance(aligned, (str, Path)):
        return _of_files([aligned], run)
    each = iter(aligned)
    if (first := next(each, None)) is None:
        raise InputError("There are no aligned pairs. Give files, a folder or at least one pair.")
    everything = chain([first], each)
    if isinstance(first, AlignedPair):
        return _of_files([_written_down(everything, run)], run)
    return _of_files([name for name in everything if isinstance(name, (str, Path))], run)


def _of_files(named: Sequence[str | Path], run: Path) -> GivenPairs:
    own = [run / name for name in ("unfinished", "alignments", "phrases")]
    found = named_files(named, leave_out=own)
    paths = [Path(os.path.abspath(path)) for path in found.files]  # workers may be in another folder
    chunks = foreign.plan(paths)
    if strange := sorted({chunk.path for chunk in chunks if chunk.format not in FORMATS}):
        raise InputError(
            f"{strange[0]} holds neither JSON nor Parquet. Aligned pairs are JSON lines with `left`, `right` and "
            "`alignment`, as `paraloom phrases align` writes them, or Parquet with these columns."
        )
    if not chunks:
        raise InputError(f"There are no aligned pairs in {', '.join(map(str, named))}. Check that the files have rows.")
    ordered = sorted(paths, key=lambda path: (path.name, path.stat().st_size, str(path)))
    files = {f"input/{number}/{told_name(path.name)}": path for number, path in enumerate(ordered)}
    return GivenPairs(chunks=tuple(chunks), files=files, told=tuple(found.told()))


def _written_down(pairs: Iterable[object], run: Path) -> Path:
    """A file of the run with these pairs; the same that is there, where they have been given before."""
    run.mkdir(parents=True, exist_ok=True)
    target = run / GIVEN
    unfinished = unfinished_name(target)
    try:
        with unfinished.open("wb") as opened:
            opened.writelines(_lines(pairs))
        if target.exists() and hash_of_file(target) != hash_of_file(unfinished):
            raise TargetTaken(f"{target} holds other pairs. Choose another --out, or delete the folder to begin anew.")
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return target


def _lines(pairs: Iterable[object]) -> Iterator[bytes]:
    for number, pair in enumerate(pairs):
        if not isinstance(pair, AlignedPair):
            raise InputError(f"Pair {number} is {pair!r:.60}, no AlignedPair. Give either files or pairs.")
        row = {"left": list(pair.left), "right": list(pair.right), "alignment": written(pair.links)}
        row |= {name: value for name, value in pair._asdict().items() if name.endswith("_id") and value is not None}
        try:
            yield orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)
        except TypeError as error:
            raise InputError(f"Pair {number} cannot be written down: {error}. Tokens are texts of letters.") from error
