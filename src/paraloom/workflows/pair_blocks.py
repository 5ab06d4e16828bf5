"""A file of pairs in, the same rows with new columns out, block by block: memory stays flat however long it is.

What is found of a block is noted before the next one begins: killed at any moment, the same command goes on behind the
last block that was noted and writes the same bytes.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from paraloom.engine.given_blocks import Block, Survey, read_blocks
from paraloom.engine.written_blocks import Layout, compressed, open_writer
from paraloom.errors import InputError
from paraloom.workflows.identify.unfinished import Journal, check_target, unfinished_beside, writing_to

STANDARD = "-"
"""Standard input as a file of pairs, standard output as the file to write."""
STANDARD_INPUT = "standard input"
"""What it is called where something is said of it."""
DROPPED_FOR = "dropped_for"

Tell = Callable[[int, int], None]
"""Told after each block: rows done, rows in all."""


class BlockWork(Protocol):
    """What is done to the rows of a file."""

    def find(self, block: Block) -> Any:
        """What takes its time: a value that JSON can hold, and that says all of a block."""

    def columns(self, block: Block, found: Any) -> dict[str, list[Any]]:
        """The new columns, in their order, of what was found; called once for each block, in order."""


def check_out(pairs: str | Path, out: str | Path, *, overwrite: bool) -> None:
    """Refuse a file that must not be written: the file of pairs, or, unless told so, one that is there."""
    if str(out) != STANDARD:
        given = None if str(pairs) == STANDARD else Path(pairs)
        check_target(Path(out), given=given, overwrite=overwrite)


@contextmanager
def given_file(pairs: str) -> Iterator[tuple[Path, str | None]]:
    """The file, and its format where its name does not say it: standard input is copied to a file first."""
    if pairs != STANDARD:
        yield Path(pairs), None
        return
    with tempfile.TemporaryDirectory(prefix="paraloom-") as folder:
        spool = Path(folder) / "stdin"
        with spool.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield spool, _format_by_content(spool)


def _format_by_content(spool: Path) -> str:
    """How standard input is written: Parquet and JSON show it at once; a comma between left and right is CSV."""
    from paraloom.engine.foreign_bytes import compression_of, encoding_of, head_of

    compression = compression_of(spool)
    head = head_of(spool, compression, 1 << 16, *encoding_of(spool, compression)).lstrip()
    first = head.split(b"\n", 1)[0]
    if head.startswith((b"PAR1", b"{", b"[")):
        return {b"P": "parquet", b"{": "jsonl", b"[": "json"}[head[:1]]
    return "csv" if b"\t" not in first and b"," in first else "tsv"


@dataclass(slots=True, kw_only=True)
class PairBlocks:
    """One file on its way."""

    work: BlockWork
    survey: Survey
    layout: Layout
    batch: int
    """Rows of a block."""
    identity: Mapping[str, Any]
    """All that decides what is found, beside the file and the size of its blocks."""
    tell: Tell | None = None
    rows: int = 0
    """Done so far."""
    resumed: int = 0
    """Rows that an earlier run had done."""

    def run(self, out: str) -> None:
        """Write the file, which is whole or absent."""
        with writing_to(out):
            if out == STANDARD:
                self._write(sys.stdout.buffer, out, None)
                sys.stdout.buffer.flush()
                return
            with unfinished_beside(Path(out)) as unfinished:
                journal = unfinished.journal(self._identity())
                try:
                    with unfinished.rows.open("wb") as file:
                        self._write(file, out, journal)
                        unfinished.publish(file)
                finally:
                    journal.close()

    def _identity(self) -> dict[str, Any]:
        own = {"file": self.survey.digest, "places": dict(self.survey.places), "batch": self.batch}
        return {**own, **self.identity}

    def _write(self, file: BinaryIO, out: str, journal: Journal | None) -> None:
        stream = compressed(file, out)
        writer = open_writer(stream, self.layout)
        self._tell()
        for number, block in enumerate(self._blocks()):
            if journal is not None and number < journal.whole:
                found = journal.read()
                self.resumed += len(block)
            else:
                found = self.work.find(block)
                if journal is not None:
                    journal.add(found)
            writer.write(block, self.work.columns(block, found))
            self.rows += len(block)
            self._tell()
        writer.close()
        if stream is not file:
            stream.close()

    def _blocks(self) -> Iterator[Block]:
        try:
            yield from read_blocks(self.survey, self.batch)
        except OSError as error:
            raise InputError(f"Cannot read {self.survey.called} to its end: {error.strerror or error}.") from error

    def _tell(self) -> None:
        if self.tell is not None:
            self.tell(self.rows, self.survey.rows)
