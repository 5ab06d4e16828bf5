"""A file of pairs in, the same file with scores out, block by block: memory stays flat however long it is."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from paraloom.engine.given_blocks import Block, Survey, read_blocks, survey_pairs
from paraloom.engine.written_blocks import Layout, compressed, layout_for, open_writer
from paraloom.errors import InputError
from paraloom.models.identifiers.grades import grades_of
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.identify.asked_for import identifier_asked_for
from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.identify.summary import Counts, Identified
from paraloom.workflows.identify.unfinished import Journal, check_target, unfinished_beside, writing_to

if TYPE_CHECKING:
    from paraloom.models.identifiers import Identifier

STANDARD = "-"
"""Standard input as a file of pairs, standard output as the file to write."""
STANDARD_INPUT = "standard input"
"""What it is called where something is said of it."""
DROPPED_FOR = "dropped_for"

Tell = Callable[[int, int], None]
"""Told after each block: rows done, rows in all."""


def identify_file(
    pairs: str | Path, out: str | Path, options: IdentifyOptions = IdentifyOptions(), tell: Tell | None = None
) -> Identified:
    """Score every pair of a file and write all its rows with the columns `score` and `is_paraphrase`.

    `grade` is added for the graded definition, and `dropped_for` where some row cannot be read as a pair: it says
    why, and that row has no score. A file that is there is replaced only where the options say so, and the file of
    pairs never.
    """
    if options.batch < 1:
        raise InputError(f"--batch {options.batch} makes no progress. Give a number such as 10000.")
    if str(out) != STANDARD:
        given = None if str(pairs) == STANDARD else Path(pairs)
        check_target(Path(out), given=given, overwrite=options.overwrite)
    begun = time.perf_counter()
    columns = named_columns(options.columns)
    with _given(str(pairs)) as (path, format):
        identifier = identifier_asked_for(options)
        survey = survey_pairs(path, columns, format, STANDARD_INPUT if str(pairs) == STANDARD else None)
        layout = layout_for(str(out), survey, _added(options, survey), replacing=options.replace_columns)
        work = _Work(identifier=identifier, options=options, survey=survey, layout=layout, tell=tell)
        work.run(str(out))
    return Identified(
        out=str(out),
        rows=survey.rows,
        troubles=dict(survey.troubles),
        counts=work.counts,
        changed=layout.changed,
        seconds=time.perf_counter() - begun,
        signature=f"{identifier.signature}|definition:{options.definition}|threshold:{options.threshold:g}",
        notes=survey.notes,
    )


def _added(options: IdentifyOptions, survey: Survey) -> dict[str, str]:
    added = {"score": "number", "is_paraphrase": "integer"}
    if options.definition == "graded":
        added["grade"] = "text"
    if survey.troubles:
        added[DROPPED_FOR] = "text"
    return added


@contextmanager
def _given(pairs: str) -> Iterator[tuple[Path, str | None]]:
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
class _Work:
    """One file on its way."""

    identifier: Identifier
    options: IdentifyOptions
    survey: Survey
    layout: Layout
    tell: Tell | None
    counts: Counts = field(default_factory=Counts)

    def run(self, out: str) -> None:
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
        """All that decides the scores of each block."""
        return {
            "file": self.survey.digest,
            "places": dict(self.survey.places),
            "model": self.identifier.signature,
            "definition": self.options.definition,
            "batch": self.options.batch,
        }

    def _write(self, file: BinaryIO, out: str, journal: Journal | None) -> None:
        stream = compressed(file, out)
        writer = open_writer(stream, self.layout)
        self._tell()
        for number, block in enumerate(self._blocks()):
            if journal is not None and number < journal.whole:
                found = journal.read()
                self.counts.resumed += len(block)
            else:
                found = self._scored(block)
                if journal is not None:
                    journal.add(found)
            writer.write(block, self._values(block, found))
            self.counts.add(block)
            self._tell()
        writer.close()
        if stream is not file:
            stream.close()

    def _blocks(self) -> Iterator[Block]:
        try:
            yield from read_blocks(self.survey, self.options.batch)
        except OSError as error:
            raise InputError(f"Cannot read {self.survey.called} to its end: {error.strerror or error}.") from error

    def _tell(self) -> None:
        if self.tell is not None:
            self.tell(self.counts.rows, self.survey.rows)

    def _scored(self, block: Block) -> dict[str, list[Any]]:
        """The scores of a block, and its grades; a pair that comes several times is scored once."""
        rows = [row for row, trouble in enumerate(block.troubles) if trouble is None]
        pairs = [(block.left[row], block.right[row]) for row in rows]
        distinct = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        left, right = [pair[0] for pair in distinct], [pair[1] for pair in distinct]
        scores = self.identifier.score(left, right, self.options.definition)
        if not np.isfinite(scores).all():
            place = int(np.flatnonzero(~np.isfinite(scores))[0])
            raise InputError(f"{self.identifier.name} gives no score to {left[place][:40]!r}. Choose another --model.")
        found: dict[str, list[Any]] = {"score": [None] * len(block)}
        for row, pair in zip(rows, pairs, strict=True):
            found["score"][row] = float(scores[distinct[pair]])
        if self.options.definition == "graded":
            grades = grades_of(self.identifier, left, right, scores)
            found["grade"] = [None] * len(block)
            for row, pair in zip(rows, pairs, strict=True):
                found["grade"][row] = grades[distinct[pair]]
        self.counts.repeated += len(pairs) - len(distinct)
        return found

    def _values(self, block: Block, found: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
        """The new columns, in their order."""
        decided = [None if score is None else int(score > self.options.threshold) for score in found["score"]]
        self.counts.paraphrases += sum(decision == 1 for decision in decided)
        values: dict[str, list[Any]] = {**found, "is_paraphrase": decided, DROPPED_FOR: block.troubles}
        return {name: values[name] for name in self.layout.added}
