"""Options in, the steps of an alignment out: which stage's function runs over which rows, table by table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.layout import Laid
from paraloom.engine.passes import Join, Pass, Read
from paraloom.engine.steps import Merge, Step
from paraloom.tables import Cue, Document, Group, Pair, Segment, Sentence
from paraloom.workflows.steps import bind, files_below

if TYPE_CHECKING:
    from paraloom.documents.options import ReadOptions, SourceOptions
    from paraloom.engine.foreign import Chunk
    from paraloom.groups.alignment_options import AlignmentOptions
    from paraloom.groups.part_options import PartOptions
    from paraloom.pairs.extract_options import ExtractOptions


def columns_of(row: type) -> tuple[str, ...]:
    """The names of all columns of a table or of what a pass makes."""
    from paraloom.engine.rows import row_schema

    return tuple(row_schema(row).names)


def documents_step(
    chunks: Sequence[Chunk], files: Mapping[str, Path], read: ReadOptions, sources: SourceOptions
) -> Step:
    """Whole files and records → documents."""
    from paraloom.documents.reader import SourceDecoder, merge_documents

    decode = Pass(
        name="decode",
        by=None,
        work=partial(SourceDecoder, read, sources),
        row=Document,
        to="document_id",
        rows="one or more",
    )
    return _reading("documents", decode, merge_documents, chunks, files, read, sources)


def cues_step(chunks: Sequence[Chunk], files: Mapping[str, Path], read: ReadOptions, sources: SourceOptions) -> Step:
    """Subtitle files → their captions with times."""
    from paraloom.documents.reader import CueDecoder, first_of_cues

    decode = Pass(
        name="decode-cues", by=None, work=partial(CueDecoder, read, sources), row=Cue, to="document_id", rows="any"
    )
    return _reading("cues", decode, first_of_cues, chunks, files, read, sources)


def _reading(
    table: str,
    decode: Pass,
    merge: Merge,
    chunks: Sequence[Chunk],
    files: Mapping[str, Path],
    read: ReadOptions,
    sources: SourceOptions,
) -> Step:
    """A step that reads files; those that say something about documents are in its signature too."""
    from paraloom.documents.salt import without_secrets

    given = {"shorteners": read.shorteners, "pages": read.pages, "works": sources.works}
    return Step(
        table=table,
        passes=(decode,),
        options=(without_secrets(read), replace(sources, works=None)),
        stages=("documents",),
        files={**files, **files_below({name: path for name, path in given.items() if path})},
        chunks=chunks,
        merge=merge,
    )


def groups_step(options: AlignmentOptions, parts: PartOptions) -> Step:
    """Documents and their captions → pairs of documents, or of parts of them."""
    from paraloom.groups.aligned_groups import Side, sides
    from paraloom.groups.blocks import SHOWN, Placed, place_documents
    from paraloom.groups.by_alignment import Aligned, works_of_family

    columns = columns_of(Aligned)
    told = {field.name: getattr(parts, field.name) for field in fields(parts) if field.name != "yields"}
    return Step(
        table="groups",
        passes=(
            Pass(
                name="placed",
                reads=(Read(table="documents", columns=SHOWN),),
                by=None,
                work=bind(place_documents, options=options),
                row=Placed,
                to="block",
            ),
            partial(_compare_pass, options=options),
            Pass(
                name="chosen",
                reads=(Read(table="compared", columns=columns, kept_only=False),),
                by="family",
                work=bind(works_of_family, options=options),
                row=Aligned,
                to="group_id",
            ),
            Pass(
                name="sides",
                reads=(Read(table="chosen", columns=columns),),
                by=None,
                work=bind(sides),
                row=Side,
                to="document_id",
            ),
            Join(
                name="timed",
                reads=(
                    Read(table="sides", columns=("document_id", "group_id", "is_left"), kept_only=False),
                    Read(table="cues", columns=columns_of(Cue), kept_only=False),
                ),
                by="document_id",
                to="group_id",
            ),
            partial(_part_pass, options=parts),
        ),
        options=(options, told),  # what the yields are counts, not where they lie
        stages=("groups",),
        inputs=("documents", "cues"),
        files={"yields": parts.yields} if parts.yields else {},
    )


def _compare_pass(laid: Mapping[str, Laid], *, options: AlignmentOptions) -> Pass:
    """Learns what is common among the documents, and compares those of a block."""
    from paraloom.groups.blocks import Placed
    from paraloom.groups.by_alignment import Aligned, Aligner
    from paraloom.groups.common_grams import common_grams

    models = common_grams(laid["placed"].rows(("kind", "document_id", "text")), options)
    return Pass(
        name="compared",
        reads=(Read(table="placed", columns=columns_of(Placed), kept_only=False),),
        by="block",
        work=partial(Aligner, models, options),
        row=Aligned,
        to="family",
    )


def _part_pass(laid: Mapping[str, Laid], *, options: PartOptions) -> Pass:
    """Sees which works there are, and takes those of this round."""
    from paraloom.groups.aligned_groups import groups_of_pair
    from paraloom.groups.by_alignment import Aligned
    from paraloom.groups.rounds import read_yields, works_by_yield

    works: frozenset[str] | None = None
    if options.yields is not None:
        columns = ("key", "document_kind", "dropped_for")
        rows = (row for part in laid["chosen"].rows(columns) for row in part.to_pylist())
        films = {row["key"] for row in rows if row["dropped_for"] is None and row["document_kind"] == "subtitle"}
        works = frozenset(works_by_yield(films, read_yields(options.yields), options.most_works))
    return Pass(
        name="parted",
        reads=(
            Read(table="chosen", columns=columns_of(Aligned), kept_only=False),
            Read(
                table="timed",
                columns=("group_id", "is_left", "start", "end", "text", "begins_at", "ends_at"),
                kept_only=False,
            ),
        ),
        by="group_id",
        work=bind(groups_of_pair, options=options, works=works),
        row=Group,
        to="group_id",
    )


def _grouped_documents() -> Join:
    """Every document's text beside its place in a pair."""
    return Join(
        name="grouped",
        reads=(
            Read(table="groups", columns=("group_id", "document_id", "start", "end", "similarity")),
            Read(table="documents", columns=("document_id", "kind", "title", "text", "created_at")),
        ),
        by="document_id",
        to="group_id",
    )


GROUPED = ("group_id", "document_id", "start", "end", "similarity", "kind", "title", "text", "created_at")


def segments_step(options: ExtractOptions) -> Step:
    """Pairs of documents → the stretches of them that may say the same."""
    from paraloom.pairs.extract import SegmentFinder, merge_segments

    return Step(
        table="segments",
        passes=(
            _grouped_documents(),
            Pass(
                name="suggested",
                reads=(Read(table="grouped", columns=GROUPED, kept_only=False),),
                by="group_id",
                work=partial(SegmentFinder, options),
                row=Segment,
                to="segment_id",
            ),
        ),
        options=options,
        stages=("pairs",),
        inputs=("documents", "groups"),
        merge=merge_segments,
    )


def sentences_step() -> Step:
    """Segments → the stretches of text that they are made of."""
    from paraloom.sentences.spans import Span, sentences_of_spans, spans_of_segments

    return Step(
        table="sentences",
        passes=(
            Pass(
                name="spans",
                reads=(Read(table="segments", columns=columns_of(Segment), kept_only=False),),
                by=None,
                work=bind(spans_of_segments),
                row=Span,
                to="document_id",
            ),
            Pass(
                name="cut",
                reads=(
                    Read(table="spans", columns=columns_of(Span), kept_only=False),
                    Read(table="documents", columns=("document_id", "text")),
                ),
                by="document_id",
                work=bind(sentences_of_spans),
                row=Sentence,
                to="sentence_id",
            ),
        ),
        stages=("sentences",),
        inputs=("documents", "segments"),
    )


def pairs_step() -> Step:
    """Segments → pairs of texts."""
    from paraloom.pairs.extract import pairs_of_segments
    from paraloom.pairs.members import merge_pairs

    return Step(
        table="pairs",
        passes=(
            _grouped_documents(),
            Pass(
                name="proposed",
                reads=(
                    Read(table="segments", columns=columns_of(Segment), kept_only=False),
                    Read(table="grouped", columns=GROUPED, kept_only=False),
                ),
                by="group_id",
                work=bind(pairs_of_segments),
                row=Pair,
                to="pair_id",
            ),
        ),
        stages=("pairs",),
        inputs=("documents", "groups", "segments"),
        merge=merge_pairs,
    )
