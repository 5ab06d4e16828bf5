"""Rows and functions of the tests of steps, in a module of their own so that other processes can import them."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from paraloom.engine.rows import Members, from_rows, row_schema
from paraloom.errors import InputError
from paraloom.tables import Phrase, make_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of one line."""

    KEY: ClassVar[tuple[str, ...]] = ("word_id",)

    word_id: str
    word: str
    line: int
    process: int
    dropped_for: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often a word was met."""

    KEY: ClassVar[tuple[str, ...]] = ("word",)

    word: str
    count: int
    lines: list[int]
    meaning: str | None


def words_of_batch(batch: pa.Table) -> pa.Table:
    """One word a record: its first letter's line and all."""
    rows = []
    for raw, offset in zip(batch.column("raw").to_pylist(), batch.column("offset").to_pylist(), strict=True):
        said = json.loads(raw)
        dropped = "short" if len(said["word"]) == 1 else None
        rows.append(
            Word(
                word_id=make_id(offset), word=said["word"], line=said["line"], process=os.getpid(), dropped_for=dropped
            )
        )
    return from_rows(rows, row_schema(Word))


def tally(word: str, *inputs: Members) -> Iterator[Tally]:
    words, *meanings = inputs
    if len(words):
        meaning = meanings[0]["meaning"][0] if meanings and len(meanings[0]) else None
        yield Tally(word=word, count=len(words), lines=sorted(set(words["line"])), meaning=meaning)


def constantly(function: Callable[..., Any]) -> Callable[..., Any]:
    return function


def meaning_of(word: str, joined: Members) -> Iterator[Tally]:
    yield Tally(word=word, count=len(joined), lines=sorted(set(joined["line"])), meaning=joined["meaning"][0])


def at_least(least: int, word: str, tallies: Members) -> Iterator[Tally]:
    """Most keys make no rows at all."""
    if tallies.only("count") >= least:
        yield Tally(word=word, **{name: tallies.only(name) for name in ("count", "lines", "meaning")})


def at_nothing(word: str, words: Members) -> Iterator[Tally]:
    yield from ()


def too_few(batch: pa.Table) -> pa.Table:
    return words_of_batch(batch).slice(1)


def one_for_all(batch: pa.Table) -> pa.Table:
    return words_of_batch(batch).slice(0, 1)


def broken(batch: pa.Table) -> pa.Table:
    raise ValueError("the cable is cut")


def misled(batch: pa.Table) -> pa.Table:
    raise InputError("There is no file pages.csv. Check the path.")


def other_column(batch: pa.Table) -> pa.Table:
    return words_of_batch(batch).rename_columns(["word_id", "wort", "line", "process", "dropped_for"])


def without_word(batch: pa.Table) -> pa.Table:
    made = words_of_batch(batch)
    return made.set_column(1, made.schema.field("word"), pa.nulls(len(made), pa.string()))


def same_id(batch: pa.Table) -> pa.Table:
    made = words_of_batch(batch)
    return made.set_column(0, made.schema.field("word_id"), pa.array([make_id("same")] * len(made)))


def once_mended(mark: str, batch: pa.Table) -> pa.Table:
    if not Path(mark).exists():
        raise RuntimeError("not yet")
    return words_of_batch(batch)


def node_of_batch(batch: pa.Table) -> pa.Table:
    """On Ray: every record, and the node that worked on it."""
    import time

    import ray

    time.sleep(0.5)  # long enough for the other node to take its share
    node = ray.get_runtime_context().get_node_id()
    places = zip(batch.column("file").to_pylist(), batch.column("offset").to_pylist(), strict=True)
    return from_rows([phrase(make_id(file, offset), node) for file, offset in places], row_schema(Phrase))


@contextmanager
def no_room_for(name: str) -> Iterator[None]:
    """A disk whose quota is used up just when something is to get this name."""
    import pytest

    rename = os.rename

    def refuse(source: str | Path, target: str | Path) -> None:
        if Path(target).name == name:
            raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
        rename(source, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "rename", refuse)
        yield


def same_phrase(batch: pa.Table) -> pa.Table:
    return from_rows([phrase("twice", "said")] * len(batch), row_schema(Phrase))


def phrase(left: str, right: str) -> Phrase:
    numbers = ("forward", "backward", "lexical_forward", "lexical_backward", "score")
    return Phrase(left=left, right=right, count=1, **dict.fromkeys(numbers, 0.5))


def squared(number: int, target: Path) -> None:
    """A task of a folder: its number times itself."""
    target.write_text(str(number * number))


def doubled(squares: Path, number: int, target: Path) -> None:
    """A task of the next round: what the first one laid aside, twice."""
    target.write_text(str(2 * int((squares / f"{number}.txt").read_text())))


def cores_told(number: int, target: Path) -> None:
    """A task of a folder: how many cores its process thinks it may use, and which process that is."""
    from paraloom.metrics.parts import cores

    target.write_text(f"{cores()} {os.getpid()}")


def gpus_told(number: int, target: Path) -> None:
    """On Ray: the GPUs that are this worker's own, and which process it is."""
    import ray

    target.write_text(f"{len(ray.get_gpu_ids())} {os.getpid()}")


def words_again(batch: pa.Table) -> pa.Table:
    """The same words, and the process that was given them."""
    process = pa.array([os.getpid()] * len(batch), pa.int64())
    return batch.set_column(batch.schema.get_field_index("process"), "process", process)
