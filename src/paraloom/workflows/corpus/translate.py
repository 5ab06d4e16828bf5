"""A parallel corpus in, a file of pairs out: each sentence beside a translation of its foreign side.

A translation takes its time, so what is done is noted block by block: killed at any moment, the same command goes on
behind the last block, and writes the same rows. The file is whole or absent.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.parallel_rows import ParallelRow, read_parallel
from paraloom.models.generators.translation_options import TranslatedCorpusOptions
from paraloom.text.counted import counted
from paraloom.workflows.corpus.translate_options import ParallelOptions
from paraloom.workflows.identify.unfinished import Journal, unfinished_beside, writing_to
from paraloom.workflows.table_files import check_table_file, write_table_parts

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.models.generators import Generator
    from paraloom.models.generators.translated_corpus import TranslatedPair

ROWS_A_BLOCK = 64
"""Rows that are noted together, and that a kill can cost."""

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedCorpus:
    """What was written."""

    out: Path
    rows: int
    kept: int
    dropped_for: dict[str, int]
    signature: str

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {**asdict(self), "out": str(self.out)}

    def as_text(self) -> str:
        """A line of counts, a line for each reason, the signature."""
        told = [f"{counted(self.kept, 'pair', 'pairs')} of {counted(self.rows, 'row', 'rows')} kept, in {self.out}"]
        told += [f"  {number:,} {reason}" for reason, number in self.dropped_for.items()]
        return "\n".join([*told, self.signature])


def translate_parallel(
    file: Path,
    out: Path,
    options: ParallelOptions = ParallelOptions(),
    wanted: TranslatedCorpusOptions = TranslatedCorpusOptions(),
    decoding: Decoding = Decoding(),
    *,
    translator: Generator | None = None,
    tell: Tell | None = None,
) -> TranslatedCorpus:
    """Write every row: `left`, `right`, `foreign`, `score`, `overlap` and `dropped_for` (empty where it is kept)."""
    if len(options.parallel_columns) != 2 or min(options.parallel_columns) < 1:
        raise InputError("--parallel-columns are two numbers from 1 on: the text's column and the foreign text's.")
    given = [file, *([options.foreign] if options.foreign else [])]
    check_table_file(out, given, "pairs", overwrite=options.overwrite)
    digests = [hash_of_file(one) for one in given if one.is_file()]
    writer = translator or _load(options, decoding)
    work = _Work(translator=writer, options=options, wanted=wanted, tell=tell or (lambda done, total: None))
    identity = {
        "files": digests,
        "columns": list(options.parallel_columns),
        "translator": writer.signature,
        "wanted": asdict(wanted),
    }
    with writing_to(str(out)), unfinished_beside(out) as unfinished:
        # While this one was loading, another may have come to its end.
        check_table_file(out, given, "pairs", overwrite=options.overwrite)
        journal = unfinished.journal(identity)
        try:
            write_table_parts(work.tables(file, journal), _schema(), out)
        finally:
            journal.close()
        shutil.rmtree(unfinished.folder)
    return TranslatedCorpus(
        out=out,
        rows=work.counts.total(),
        kept=work.counts[None],
        dropped_for={reason: number for reason, number in work.counts.most_common() if reason is not None},
        signature=writer.signature,
    )


def _load(options: ParallelOptions, decoding: Decoding) -> Generator:
    from paraloom.models.generators.transformers_lm import TransformersGenerator
    from paraloom.models.generators.transformers_options import TransformersOptions

    asked = TransformersOptions(device=options.device, hub=options.hub, by_sentence=True)
    return TransformersGenerator(options.translator, asked, decoding)


@dataclass(slots=True, kw_only=True)
class _Work:
    """One corpus on its way."""

    translator: Generator
    options: ParallelOptions
    wanted: TranslatedCorpusOptions
    tell: Tell
    counts: Counter[str | None] = field(default_factory=Counter)

    def tables(self, file: Path, journal: Journal) -> Iterator[pa.Table]:
        import pyarrow as pa

        rows = read_parallel(file, self.options.foreign, columns=self.options.parallel_columns)
        number = 0
        while block := list(islice(rows, ROWS_A_BLOCK)):
            pairs = journal.read() if number < journal.whole else self._translated(block, journal)
            number += 1
            self.counts.update(pair["dropped_for"] for pair in pairs)
            self.tell(number * ROWS_A_BLOCK - ROWS_A_BLOCK + len(block), 0)
            yield pa.Table.from_pylist(pairs, schema=_schema())
        if not number:
            yield _schema().empty_table()

    def _translated(self, block: list[ParallelRow], journal: Journal) -> list[dict[str, Any]]:
        from paraloom.models.generators.translated_corpus import translate_corpus

        pairs = [_row(pair) for pair in translate_corpus(block, self.translator, self.wanted)]
        journal.add(pairs)
        return pairs


def _row(pair: TranslatedPair) -> dict[str, Any]:
    return {one.name: getattr(pair, one.name) for one in fields(pair)}


def _schema() -> pa.Schema:
    import pyarrow as pa

    text = ("left", "right", "foreign")
    number = ("score", "overlap")
    return pa.schema(
        [
            *((name, pa.string()) for name in text),
            *((name, pa.float64()) for name in number),
            ("dropped_for", pa.string()),
        ]
    )
