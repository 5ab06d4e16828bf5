"""A finished run of aligned documents in, what people and other programs take from it out."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.build import Built
from paraloom.workflows.tables_in_order import Progress

if TYPE_CHECKING:
    from paraloom.corpus.extraction_statistics import ExtractedDocuments

SIDES = ("left", "right")


def publish(out: Path, options: AlignOptions, progress: Progress) -> Built:
    """Write the corpus in its context as JSON lines, and the report."""
    from paraloom.corpus.export import write_json_lines
    from paraloom.corpus.extraction_statistics import extraction_figures
    from paraloom.reports.alignment import write_alignment_report

    progress("report", "written", 0, 2)
    write_json_lines(pairs_in_context(out), out / "corpus.jsonl")
    progress("report", "written", 1, 2)
    report, summary = write_alignment_report(out, extraction_figures(extracted_documents(out)))
    progress("report", "written", 2, 2)
    return Built(run=out, report=report, summary=summary, advice=advice(json.loads(summary.read_text("utf-8"))))


def pairs_in_context(run: Path) -> Iterator[dict[str, Any]]:
    """The released pairs with the place of both sides in their documents: `text[start:end]` of the table documents."""
    from paraloom.corpus.export import kept_rows
    from paraloom.engine.store import read_parts

    places = {
        row.pop("sentence_id"): row
        for part in read_parts(run, "sentences", ("sentence_id", "document_id", "start", "end"))
        for row in part.to_pylist()
    }
    for row in kept_rows(read_parts(run, "corpus")):
        context = {f"{side}_{name}": value for side in SIDES for name, value in places[row[f"{side}_id"]].items()}
        yield {**row, "context": context}


def extracted_documents(run: Path) -> Iterator[ExtractedDocuments]:
    """Every kept pair of documents with what was suggested in it."""
    from paraloom.corpus.extraction_statistics import ExtractedDocuments
    from paraloom.engine.store import read_parts

    spans: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for part in read_parts(run, "segments"):
        for row in part.to_pylist():
            if row["dropped_for"] is None:
                spans[row["group_id"]].append(row)
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for part in read_parts(run, "groups", ("group_id", "document_id", "start", "end", "dropped_for")):
        for row in part.to_pylist():
            if row["dropped_for"] is None:
                groups[row["group_id"]].append(row)
    wanted = {row["document_id"] for rows in groups.values() for row in rows}
    documents = {
        row["document_id"]: row
        for part in read_parts(run, "documents", ("document_id", "kind", "text"))
        for row in part.to_pylist()
        if row["document_id"] in wanted
    }
    for group_id, rows in groups.items():
        begins = {row["document_id"]: row["start"] or 0 for row in rows}
        texts = {
            row["document_id"]: documents[row["document_id"]]["text"][row["start"] or 0 : row["end"]] for row in rows
        }
        first, second = (row["document_id"] for row in rows)
        found = spans.get(group_id, [])
        left, right = (found[0]["left_document_id"], found[0]["right_document_id"]) if found else (first, second)
        yield ExtractedDocuments(
            kind=documents[left]["kind"],
            left=texts[left],
            right=texts[right],
            spans=[
                (
                    (row["left_start"] - begins[left], row["left_end"] - begins[left]),
                    (row["right_start"] - begins[right], row["right_end"] - begins[right]),
                )
                for row in found
            ],
        )


def advice(summary: dict[str, Any]) -> tuple[str, ...]:
    """What to do about a run that kept little or nothing."""
    documents, pairs = summary["documents"], summary["pairs"]
    read = sum(kind["count"] for kind in documents["kinds"])
    told = []
    if not read:
        told.append("No document could be read. The report says why; --encoding and --map help with unusual files.")
    elif not pairs["kept"]:
        if documents["without_date"]:
            told.append(
                f"{documents['without_date']:,} articles have no date. Name its column with --map created_at=COLUMN, "
                "or compare all with all: --window-days 0."
            )
        if documents["without_work"]:
            told.append(
                f"{documents['without_work']:,} documents are versions of nothing known. Put the versions of a work "
                "into one folder, or name works with --works TABLE."
            )
        told.append("No two documents lie in the band of likeness. --grid shows where pairs lie.")
    return tuple(told)
