"""A file of sources in, a line with its paraphrases for each out, block by block: memory stays flat however long it is.

What is written is whole or absent. Killed at any moment, the same command goes on behind the last block that was
noted, and writes the same bytes as a run that nothing disturbed.
"""

from __future__ import annotations

import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

from paraloom.engine.given import ENDINGS
from paraloom.engine.written_blocks import compressed, dumped
from paraloom.errors import InputError
from paraloom.models.generators import Usage
from paraloom.pairs.generate import Generated
from paraloom.workflows.generate.asked_for import Writer
from paraloom.workflows.generate.noted import as_noted, from_noted, line_of
from paraloom.workflows.generate.options import GenerateFileOptions
from paraloom.workflows.generate.pair_file import PairFile
from paraloom.workflows.generate.source_file import (
    STANDARD,
    GivenSource,
    SourceSurvey,
    given_file,
    key_of,
    read_sources,
    survey_sources,
)
from paraloom.workflows.generate.summary import Counts, GeneratedFile
from paraloom.workflows.identify.unfinished import Journal, check_target, unfinished_beside, writing_to

KEPT_IN_MIND = 20_000
"""So many sources that come again are not asked for again; of more, those not met for longest are forgotten."""
TABLES = ("tsv", "csv", "parquet")
CHARACTERS_AT_ONCE = 4 << 20
"""A block ends early where its sources are longer than this together."""

Tell = Callable[[int, int], None]
"""Told after each block: sources done, sources in all."""
Shown = Callable[[Generated], bytes]
"""How one source is written to standard output."""


def generate_file(
    file: str | Path,
    out: str | Path,
    options: GenerateFileOptions = GenerateFileOptions(),
    tell: Tell | None = None,
    *,
    as_pairs: str | Path | None = None,
    shown: Shown | None = None,
) -> GeneratedFile:
    """Write the paraphrases of every source of a file: one JSON object for each, in their order.

    `-` is standard input, or output, where `shown` may say otherwise how a source is written. `as_pairs` is a second
    file, with a row for each output beside its source.
    """
    _check_targets(file, out, as_pairs, overwrite=options.file.overwrite)
    begun = time.perf_counter()
    with given_file(file) as (path, called):
        survey = survey_sources(path, called, options.file.column, options.file.format)
        writer = Writer.of(options)
        work = _Work(writer=writer, options=options, survey=survey, tell=tell, shown=shown)
        pairs = None if as_pairs is None else PairFile(target=Path(as_pairs), generator=writer.name)
        work.run(str(out), pairs)
    return GeneratedFile(
        out=str(out),
        counts=work.counts,
        seconds=time.perf_counter() - begun,
        signature=writer.signature,
        notes=survey.notes,
        usage=_usage(writer),
        pairs=None if pairs is None else pairs.rows,
    )


def generate_texts(texts: Sequence[str], options: GenerateFileOptions = GenerateFileOptions()) -> list[Generated]:
    """What becomes of each of these texts: the same as of a file that holds them."""
    return Writer.of(options).write(texts)


@contextmanager
def texts_as_file(texts: Sequence[str]) -> Iterator[Path]:
    """A file of these texts, for as long as it is needed."""
    with TemporaryDirectory(prefix="paraloom-") as folder:
        file = Path(folder) / "texts.jsonl"
        file.write_bytes(b"".join(dumped({"text": text}) + b"\n" for text in texts))
        yield file


def _usage(writer: Writer) -> Usage | None:
    used: Any = getattr(writer.generator, "usage", None)
    return used if isinstance(used, Usage) else None


def _check_targets(file: str | Path, out: str | Path, as_pairs: str | Path | None, *, overwrite: bool) -> None:
    """Refuse files that cannot or must not be written, before anything is read."""
    if as_pairs is not None:
        if str(out) == STANDARD:
            raise InputError("--as-pairs is written beside a file of outputs. Give --out a file, too.")
        if Path(as_pairs).resolve() == Path(out).resolve():
            raise InputError(f"--as-pairs and --out are both {out}. Give each a file of its own.")
    for target, option in ((out, "--out"), (as_pairs, "--as-pairs")):
        if target is None or str(target) == STANDARD:
            continue
        if str(file) != STANDARD and Path(target).exists() and Path(file).exists() and Path(target).samefile(file):
            raise InputError(f"{option} {target} is the file of sources itself. Give {option} another one.")
    if str(out) == STANDARD:
        return
    ending = next((each for each in reversed(Path(out).suffixes) if each.lower() not in (".gz", ".zst")), "")
    if ENDINGS.get(ending.lower()) in TABLES and ending.lower() in (".tsv", ".csv", ".parquet"):
        raise InputError(
            f"{out}: a source and its outputs are one JSON object a line. Call it {Path(out).stem}.jsonl; a table of "
            "pairs is what --as-pairs writes."
        )
    check_target(Path(out), overwrite=overwrite)
    if as_pairs is not None:
        PairFile(target=Path(as_pairs), generator="").check(Path(out), overwrite=overwrite)


@dataclass(slots=True, kw_only=True)
class _Work:
    """One file on its way."""

    writer: Writer
    options: GenerateFileOptions
    survey: SourceSurvey
    tell: Tell | None
    shown: Shown | None
    counts: Counts = field(default_factory=Counts)
    known: OrderedDict[int, Generated] = field(default_factory=OrderedDict)
    """What became of sources that come again."""

    def run(self, out: str, pairs: PairFile | None) -> None:
        with writing_to(out):
            if out == STANDARD:
                self._write(sys.stdout.buffer, out, None)
                sys.stdout.buffer.flush()
                return
            with unfinished_beside(Path(out)) as unfinished:
                self._check(out, pairs)  # while this one was loading, another may have come to its end
                journal = unfinished.journal(self._identity())
                try:
                    with unfinished.rows.open("wb") as file:
                        self._write(file, out, journal)
                    self._check(out, pairs)
                    if pairs is not None:
                        pairs.write(unfinished.rows, unfinished.folder, self.survey.repeated)
                    with unfinished.rows.open("r+b") as file:
                        unfinished.publish(file)
                finally:
                    journal.close()

    def _check(self, out: str, pairs: PairFile | None) -> None:
        """Nothing that was put there meanwhile is replaced."""
        overwrite = self.options.file.overwrite
        check_target(Path(out), overwrite=overwrite)
        if pairs is not None:
            pairs.check(Path(out), overwrite=overwrite)

    def _identity(self) -> dict[str, Any]:
        """All that decides what is noted of each block."""
        survey, file = self.survey, self.options.file
        return {
            "file": survey.digest,
            "format": survey.format,
            "column": survey.column,
            "writer": self.writer.signature,
            "batch": file.batch,
            "details": file.details,
        }

    def _write(self, file: BinaryIO, out: str, journal: Journal | None) -> None:
        stream = compressed(file, out)
        shown = self.shown if out == STANDARD and self.shown else self._line
        self._tell()
        for number, block in enumerate(self._blocks()):
            is_noted = journal is not None and number < journal.whole
            for generated in self._done(block, journal, is_noted=is_noted):
                stream.write(shown(generated))
            if journal is None:
                stream.flush()
            self._tell()
        if stream is not file:
            stream.close()

    def _line(self, generated: Generated) -> bytes:
        return line_of(generated, details=self.options.file.details)

    def _blocks(self) -> Iterator[list[GivenSource]]:
        block: list[GivenSource] = []
        characters = 0
        try:
            for given in read_sources(self.survey):
                block.append(given)
                characters += len(given.text)
                if len(block) == self.options.file.batch or characters > CHARACTERS_AT_ONCE:
                    self.survey.check_unchanged()
                    yield block
                    block, characters = [], 0
        except OSError as error:
            raise InputError(f"Cannot read {self.survey.called} to its end: {error.strerror or error}.") from error
        self.survey.check_unchanged()
        if block:
            yield block

    def _tell(self) -> None:
        if self.tell is not None:
            self.tell(self.counts.sources, self.survey.rows)

    def _done(self, block: Sequence[GivenSource], journal: Journal | None, *, is_noted: bool) -> Iterator[Generated]:
        """What becomes of a block's sources, in their order."""
        texts = [given.text for given in block if given.trouble is None]
        new = [text for text in dict.fromkeys(texts) if self._known(text) is None]
        found = self._found(new, journal, is_noted=is_noted)
        here = dict(zip(new, found, strict=True))
        met: set[str] = set()
        self.counts.resumed += len(block) if is_noted else 0
        for given in block:
            if given.trouble is not None:
                generated, is_repeated = Generated(source=given.text, dropped_for=given.trouble), False
            else:
                is_repeated = given.text in met or given.text not in here
                generated = here.get(given.text) or self._remembered(given.text)
                met.add(given.text)
            self.counts.add(generated, self.options.wanted.n, is_repeated=is_repeated)
            yield generated
        self._keep_in_mind(found)

    def _found(self, new: list[str], journal: Journal | None, *, is_noted: bool) -> list[Generated]:
        if journal is not None and is_noted:
            return [from_noted(text, noted) for text, noted in zip(new, journal.read(), strict=True)]
        found = self.writer.write(new)
        if journal is not None:
            journal.add([as_noted(each, details=self.options.file.details) for each in found])
        return found

    def _known(self, text: str) -> Generated | None:
        generated = self.known.get(key_of(text)) if self.survey.repeated else None
        return generated if generated is not None and generated.source == text else None

    def _remembered(self, text: str) -> Generated:
        self.known.move_to_end(key_of(text))
        return self.known[key_of(text)]

    def _keep_in_mind(self, found: Sequence[Generated]) -> None:
        for generated in found:
            if (key := key_of(generated.source)) in self.survey.repeated:
                self.known[key] = generated
        while len(self.known) > KEPT_IN_MIND:
            self.known.popitem(last=False)
