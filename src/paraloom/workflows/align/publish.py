"""A finished run of aligned documents in, what people and other programs take from it out.

Tables are gone through bucket by bucket, what belongs together having been laid down together before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from paraloom.workflows.build import Built

if TYPE_CHECKING:
    from paraloom.corpus.extraction_statistics import ExtractedSide
    from paraloom.engine.steps import Place


def publish(place: Place, notes: Sequence[str] = ()) -> Built:
    """Write the corpus in its context as JSON lines, and the report; `notes` are told with what comes out."""
    from paraloom.corpus.export import write_json_lines
    from paraloom.corpus.extraction_statistics import extraction_figures
    from paraloom.reports.alignment import write_alignment_report
    from paraloom.workflows.align.told import told_of

    run = place.run
    place.progress("report", "written", 0, 2)
    write_json_lines(pairs_in_context(place), run / "corpus.jsonl")
    place.progress("report", "written", 1, 2)
    report, summary = write_alignment_report(run, extraction_figures(extracted_sides(place)))
    place.progress("report", "written", 2, 2)
    return Built(run=run, report=report, summary=summary, told=told_of(run, "corpus", notes))


def pairs_in_context(place: Place) -> Iterator[dict[str, Any]]:
    """The released pairs with the place of both sides in their documents: `text[start:end]` of the table documents."""
    from paraloom.corpus.context import PairPlaces, in_context, places_of_pairs
    from paraloom.corpus.export import kept_rows
    from paraloom.engine.layout import laid_table
    from paraloom.engine.passes import Pass, Read
    from paraloom.engine.steps import laid_aside
    from paraloom.workflows.align.steps import columns_of
    from paraloom.workflows.steps import bind

    columns = columns_of(PairPlaces)
    placed = Pass(
        name="places",
        reads=(Read(table="segments", columns=columns[1:]),),
        by=None,
        work=bind(places_of_pairs),
        row=PairPlaces,
        to="pair_id",
    )
    corpus = laid_table(place.run, "corpus")
    with laid_aside("context", [placed], place) as laid:
        for bucket in range(place.buckets):  # both lie by pair_id
            rows = kept_rows([corpus.read(bucket, corpus.schema.names)])
            yield from in_context(rows, laid["places"].read(bucket, columns))


def extracted_sides(place: Place) -> Iterator[ExtractedSide]:
    """Either document of every kept pair, with how much was suggested in it."""
    from paraloom.corpus.extraction_statistics import ExtractedSide, sides_of_document
    from paraloom.engine.passes import Pass, Read
    from paraloom.engine.steps import laid_aside
    from paraloom.workflows.align.steps import columns_of, spans_pass
    from paraloom.workflows.steps import bind

    counted = Pass(
        name="counted",
        reads=(
            Read(table="documents", columns=("document_id", "kind", "title", "text")),
            Read(table="groups", columns=("document_id", "group_id", "is_origin", "start", "end")),
            Read(table="spans", columns=("document_id", "group_id", "start", "end")),
        ),
        by="document_id",
        work=bind(sides_of_document),
        row=ExtractedSide,
        to="kind",
    )
    with laid_aside("extraction", [spans_pass(), counted], place) as laid:
        for part in laid["counted"].rows(columns_of(ExtractedSide)):
            yield from (ExtractedSide(**row) for row in part.to_pylist())
