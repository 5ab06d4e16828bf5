"""Which function of the stage `phrases` runs over which rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.layout import Laid, laid_table
from paraloom.engine.passes import AnyPass, BucketPass, Pass, Read
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import Step
from paraloom.errors import InputError
from paraloom.phrases.aligned import AlignmentReader, merge_alignments
from paraloom.phrases.extracted import ExtractedPhrase, PhraseExtractor
from paraloom.phrases.merged import MergedPhrase, merge_phrases
from paraloom.phrases.options import PhraseOptions
from paraloom.phrases.weighed import Discount, LaidPhrase, PhraseWeigher
from paraloom.phrases.words import WordCount, WordProbability, count_words, given_probabilities, word_probabilities
from paraloom.tables import Alignment
from paraloom.workflows.steps import bind

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.engine.foreign import Chunk

GROWS = 8
"""Phrase pairs take so many times as much room as the sentence pairs that they are from, about."""
_LEXICON = ("left", "right", "forward", "backward")


def alignments_step(chunks: Sequence[Chunk], files: Mapping[str, Path]) -> Step:
    """Raw records → alignments."""
    return Step(
        table="alignments",
        passes=(Pass(name="read", by=None, work=AlignmentReader, row=Alignment, to="group_id"),),
        stages=("phrases", "models/aligners/__init__.py"),
        files=files,
        chunks=chunks,
        merge=merge_alignments,
    )


def phrases_step(run: Path, options: PhraseOptions) -> Step:
    """Alignments → phrases.

    First how likely words stand for each other, then the phrase pairs of every group: they lie by their left phrases to
    be counted, by their right ones to be weighed, and by the parts of the table in the end.
    """
    alignments = laid_table(run, "alignments")
    buckets, size = alignments.buckets, GROWS * alignments.bytes
    words: tuple[AnyPass, ...] = (
        BucketPass(
            name="words",
            reads=(Read(table="alignments", columns=("left", "right", "links", "dropped_for")),),
            work=bind(count_words, buckets=buckets),
            row=WordCount,
            to="bucket",
        ),
        BucketPass(
            name="lexicon",
            reads=(_all_of("words", WordCount),),
            work=bind(word_probabilities, buckets=buckets),
            row=WordProbability,
            to="bucket",
        ),
    )
    prepared: dict[str, tuple[str, Callable[[], pa.Table]]] = {}
    if options.lexicon is not None:
        words, prepared = (), {"lexicon": ("bucket", partial(_given_lexicon, options.lexicon, buckets))}
    return Step(
        table="phrases",
        passes=(
            *words,
            BucketPass(
                name="extracted",
                reads=(
                    Read(
                        table="alignments",
                        columns=("group_id", "alignment_id", "pair_id", "left", "right", "links"),
                    ),
                ),
                work=partial(PhraseExtractor, options, buckets),
                row=ExtractedPhrase,
                to="bucket",
                reads_bytes=size,
            ),
            BucketPass(
                name="merged",
                reads=(_all_of("extracted", ExtractedPhrase),),
                work=bind(merge_phrases, buckets=buckets, contexts=options.contexts),
                row=MergedPhrase,
                to="bucket",
            ),
            partial(_weigh_pass, options=options),
        ),
        options=replace(options, lexicon=None),  # its content counts, not where it lies
        stages=("phrases",),
        inputs=("alignments",),
        files={"lexicon": options.lexicon} if options.lexicon is not None else {},
        libraries=("numba",),
        prepared=prepared,
    )


def _weigh_pass(laid: Mapping[str, Laid], *, options: PhraseOptions) -> BucketPass:
    """It needs to know of all pairs before it can weigh one."""
    discount = None
    if options.smoothing == "kneser-ney":
        discount = Discount.of(laid["merged"].rows(("count", "reason")))
    return BucketPass(
        name="weighed",
        reads=(_all_of("merged", MergedPhrase),),
        work=partial(PhraseWeigher, laid["lexicon"], options, discount),
        row=LaidPhrase,
        to="part",
    )


def _all_of(table: str, row: type) -> Read:
    columns = tuple(name for name in row_schema(row).names if name != "bucket")
    return Read(table=table, columns=columns, kept_only=False)


def _given_lexicon(file: Path, buckets: int) -> pa.Table:
    from paraloom.engine.given import read_rows

    rows = read_rows(file, _LEXICON, required=_LEXICON[:3])
    columns = {name: values for name, values in rows.columns.items() if name in _LEXICON}
    try:
        return given_probabilities(columns, buckets)
    except (TypeError, ValueError) as error:
        raise InputError(f"{file}: a probability must be from 0 to 1 ({error}). Mend the file.") from error
