"""Options in, the steps of an alignment out: which stage's function runs over which rows, table by table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    from paraloom.groups.block_documents import Neighbours
    from paraloom.groups.blocks import Plan
    from paraloom.groups.part_options import PartOptions
    from paraloom.metrics.likeness.character_tfidf import CharacterTfidf
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


def groups_step(options: AlignmentOptions, parts: PartOptions) -> Step:
    """Documents and their captions → pairs of documents, or of parts of them."""
    from paraloom.groups.aligned_groups import Version, versions_of_film
    from paraloom.groups.by_alignment import Aligned, works_of_family

    told = {field.name: getattr(parts, field.name) for field in fields(parts) if field.name != "yields"}
    return Step(
        table="groups",
        passes=(
            *placing_passes(options),
            partial(_compare_pass, options=options),
            Pass(
                name="chosen",
                reads=(Read(table="compared", columns=columns_of(Aligned), kept_only=False),),
                by="family",
                work=bind(works_of_family, options=options),
                row=Aligned,
                to="work_id",
            ),
            Pass(
                name="versions",
                reads=(Read(table="chosen", columns=("work_id", "document_kind", "left_id", "right_id")),),
                by="work_id",
                work=bind(versions_of_film),
                row=Version,
                to="document_id",
            ),
            Join(
                name="timed",
                reads=(
                    Read(table="versions", columns=columns_of(Version), kept_only=False),
                    Read(table="cues", columns=columns_of(Cue), kept_only=False),
                ),
                by="document_id",
                to="work_id",
            ),
            partial(_part_pass, alignment=options, parts=parts),
        ),
        options=(options, told),  # what the yields are counts, not where they lie
        stages=("groups",),
        inputs=("documents", "cues"),
        files={"yields": parts.yields} if parts.yields else {},
    )


def placing_passes(options: AlignmentOptions) -> tuple[Pass | Callable[[Mapping[str, Laid]], Pass], ...]:
    """Documents → the same in blocks of those that are compared with each other."""
    from paraloom.groups.blocks import WEIGHED, Weighed, weigh_documents

    weigh = Pass(
        name="weighed",
        reads=(Read(table="documents", columns=WEIGHED),),
        by=None,
        work=bind(weigh_documents, options=options),
        row=Weighed,
        to="block",
    )
    return weigh, partial(_place_pass, options=options)


def plan_of(laid: Mapping[str, Laid], options: AlignmentOptions) -> Plan:
    """Which blocks there are, seen from what every document weighs."""
    from paraloom.groups.blocks import Weighed, plan_blocks

    return plan_blocks(lambda: laid["weighed"].rows(columns_of(Weighed)), options)


def _place_pass(laid: Mapping[str, Laid], *, options: AlignmentOptions) -> Pass:
    from paraloom.groups.blocks import SHOWN, Placed, place_documents

    plan = plan_of(laid, options)
    return Pass(
        name="placed",
        reads=(Read(table="documents", columns=SHOWN),),
        by=None,
        work=bind(place_documents, options=options, cuts=plan.cuts, last=plan.last),
        row=Placed,
        to="block",
    )


def models_of(laid: Mapping[str, Laid], options: AlignmentOptions) -> dict[str, CharacterTfidf]:
    """What is common among the documents of every kind."""
    from paraloom.groups.common_grams import common_grams

    return common_grams(laid["placed"].rows(("kind", "document_id", "text")), options)


def neighbours_of(laid: Mapping[str, Laid], plan: Plan) -> Neighbours:
    """Blocks that meet, and their documents where they lie."""
    from paraloom.groups.block_documents import BlockDocument, Neighbours

    return Neighbours(meets=plan.meets, read=partial(laid["placed"].of_key, columns=BlockDocument._fields))


def _compare_pass(laid: Mapping[str, Laid], *, options: AlignmentOptions) -> Pass:
    """Learns what is common among the documents, and compares those of blocks that meet."""
    from paraloom.groups.blocks import Placed
    from paraloom.groups.by_alignment import Aligned, Aligner

    neighbours = neighbours_of(laid, plan_of(laid, options))
    return Pass(
        name="compared",
        reads=(Read(table="placed", columns=columns_of(Placed), kept_only=False),),
        by="block",
        work=partial(Aligner, models_of(laid, options), options, neighbours),
        row=Aligned,
        to="family",
    )


def _part_pass(laid: Mapping[str, Laid], *, alignment: AlignmentOptions, parts: PartOptions) -> Pass:
    """Sees which works there are, and takes those of this round."""
    from paraloom.groups.aligned_groups import CAPTIONS, FILM, groups_of_work
    from paraloom.groups.by_alignment import Aligned
    from paraloom.groups.rounds import read_yields, works_by_yield

    works: frozenset[str] | None = None
    if parts.yields is not None:
        columns = ("key", "document_kind", "dropped_for")
        rows = (row for part in laid["chosen"].rows(columns) for row in part.to_pylist())
        films = {row["key"] for row in rows if row["dropped_for"] is None and row["document_kind"] == FILM}
        works = frozenset(works_by_yield(films, read_yields(parts.yields), parts.most_works))
    return Pass(
        name="parted",
        reads=(
            Read(table="chosen", columns=columns_of(Aligned), kept_only=False),
            Read(table="timed", columns=CAPTIONS, kept_only=False),
        ),
        by="work_id",
        work=bind(groups_of_work, alignment=alignment, parts=parts, works=works),
        row=Group,
        to="group_id",
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
