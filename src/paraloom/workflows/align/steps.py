"""Options in, the steps of an alignment out: which stage's function runs over which rows, table by table.

How documents become pairs of documents is a step of many passes, in `groups_step`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.passes import Join, Pass, Read
from paraloom.engine.steps import Merge, Step
from paraloom.tables import Cue, Document, Pair, Segment, Sentence
from paraloom.workflows.steps import bind, files_below

if TYPE_CHECKING:
    from paraloom.documents.options import ReadOptions, SourceOptions
    from paraloom.engine.foreign import Chunk
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
    from paraloom.documents.files.formats import CAPTIONED
    from paraloom.documents.reader import CueDecoder, first_of_cues

    decode = Pass(
        name="decode-cues", by=None, work=partial(CueDecoder, read, sources), row=Cue, to="document_id", rows="any"
    )
    captioned = [chunk for chunk in chunks if chunk.format in CAPTIONED]
    paths = {chunk.path for chunk in captioned}
    read_again = {name: path for name, path in files.items() if str(path) in paths}
    return _reading("cues", decode, first_of_cues, captioned, read_again, read, sources)


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
    from paraloom.documents.reader import deciding_libraries
    from paraloom.documents.salt import without_secrets

    given = {"shorteners": read.shorteners, "pages": read.pages, "works": sources.works}
    return Step(
        table=table,
        passes=(decode,),
        options=(without_secrets(read), replace(sources, works=None)),
        stages=("documents",),
        files={**files, **files_below({name: path for name, path in given.items() if path})},
        libraries=deciding_libraries(chunk.format for chunk in chunks),
        chunks=chunks,
        merge=merge,
    )


def _grouped_documents(*, of_group: Sequence[str] = (), of_document: Sequence[str]) -> tuple[Join, Read]:
    """Every document beside its place in a pair, and how a pass reads that by pair."""
    place, told = ("group_id", "document_id", *of_group), ("document_id", *of_document)
    join = Join(
        name="grouped",
        reads=(Read(table="groups", columns=place), Read(table="documents", columns=told)),
        by="document_id",
        to="group_id",
    )
    return join, Read(table=join.name, columns=(*place, *of_document), kept_only=False)


def segments_step(options: ExtractOptions, heading_most_alike: float) -> Step:
    """Pairs of documents → the stretches of them that may say the same."""
    from paraloom.models.encoders import weight_files
    from paraloom.pairs.extract import SegmentFinder, merge_segments

    join, grouped = _grouped_documents(
        of_group=("is_origin", "start", "end", "similarity"), of_document=("kind", "title", "text")
    )
    by_meaning = bool(options.embedder)
    return Step(
        table="segments",
        passes=(
            join,
            Pass(
                name="suggested",
                reads=(grouped,),
                by="group_id",
                work=partial(SegmentFinder, options, heading_most_alike),
                row=Segment,
                to="segment_id",
            ),
        ),
        options=(options, {"heading_most_alike": heading_most_alike}),
        stages=("pairs", "models") if by_meaning else ("pairs",),
        inputs=("documents", "groups"),
        weights=weight_files(options.embedder) if by_meaning else {},
        merge=merge_segments,
    )


def spans_pass() -> Pass:
    """Segments → their sides, by document."""
    from paraloom.sentences.spans import Span, spans_of_segments

    return Pass(
        name="spans",
        reads=(Read(table="segments", columns=columns_of(Segment), kept_only=False),),
        by=None,
        work=bind(spans_of_segments),
        row=Span,
        to="document_id",
    )


def sentences_step() -> Step:
    """Segments → the stretches of text that they are made of."""
    from paraloom.sentences.spans import Span, sentences_of_spans

    return Step(
        table="sentences",
        passes=(
            spans_pass(),
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

    join, grouped = _grouped_documents(of_document=("text", "created_at"))
    return Step(
        table="pairs",
        passes=(
            join,
            Pass(
                name="proposed",
                reads=(
                    Read(table="segments", columns=columns_of(Segment), kept_only=False),
                    grouped,
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
