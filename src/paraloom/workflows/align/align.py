"""Files of whole documents in, a run folder with pairs of documents and what both say out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from paraloom.text.file_names import told_name
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.build import Built
from paraloom.workflows.tables_in_order import Progress, make_tables

TABLES = ("documents", "cues", "groups", "segments", "sentences", "pairs", "labels", "corpus")


def align(
    files: Sequence[str | Path],
    out: Path,
    options: AlignOptions | None = None,
    *,
    until: str = "corpus",
    progress: Progress = lambda table, name, done, total: None,
) -> Built:
    """Put documents side by side, and suggest what both say; what is there already, made the same way, is kept.

    `until` names the last table to make; the report is written when it is the corpus.
    """
    from paraloom.documents.files.works import check_works
    from paraloom.documents.reader import check_formats
    from paraloom.documents.salt import with_salt
    from paraloom.engine import foreign, foreign_files, steps
    from paraloom.workflows import steps as built
    from paraloom.workflows.align import steps as planned
    from paraloom.workflows.align.groups_step import groups_step
    from paraloom.workflows.align.publish import publish
    from paraloom.workflows.align.splits import assign_document_splits
    from paraloom.workflows.align.told import told_of
    from paraloom.workflows.whole_run import clusters

    options = options or AlignOptions()
    check_options(options, until)
    read = with_salt(options.read)
    paths = foreign_files.expand([str(file) for file in files], whole=True)
    chunks = foreign.plan(paths, whole=True, named=files)
    check_formats(chunk.format for chunk in chunks)
    works = options.sources.works
    notes = check_works(works, ((chunk.name, chunk.folders) for chunk in chunks)) if works else ()
    # A folder may say which work a file is a version of: it stands in the signature with the file's name.
    folders = {chunk.path: "".join(f"{folder}/" for folder in chunk.folders) for chunk in chunks}
    named = {
        f"input/{number}/{folders.get(str(path), '')}{told_name(path.name)}": path for number, path in enumerate(paths)
    }
    plans: dict[str, Callable[[], steps.Step]] = {
        "documents": lambda: planned.documents_step(chunks, named, read, options.sources),
        "cues": lambda: planned.cues_step(chunks, named, read, options.sources),
        "groups": lambda: groups_step(options.alignment, options.parts),
        "segments": lambda: planned.segments_step(options.extract, options.alignment.heading_most_alike),
        "sentences": planned.sentences_step,
        "pairs": planned.pairs_step,
        "labels": lambda: built.labels_step(options.labels),
        "corpus": lambda: built.corpus_step(
            options.corpus, assign_document_splits(out, options.corpus), lambda: clusters(out)
        ),
    }
    return make_tables(
        plans,
        out,
        chunks,
        options.place,
        until=until,
        progress=progress,
        then=lambda place: (
            publish(place, notes)
            if until == "corpus"
            else Built(run=out, report=None, summary=None, told=told_of(out, until, notes))
        ),
    )


def check_options(options: AlignOptions, until: str = "corpus") -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.corpus.splits import check_shares
    from paraloom.errors import InputError
    from paraloom.groups.rounds import read_yields
    from paraloom.labels.label import load_identifier
    from paraloom.pairs.extract import SegmentFinder

    check_shares(options.corpus)
    made = TABLES[: TABLES.index(until) + 1]
    if "segments" in made:
        SegmentFinder(options.extract)  # loads the encoder
    if "labels" in made:
        load_identifier(options.labels)
    if options.sources.kind:
        band = options.alignment.band(options.sources.kind)
        if not band.low < band.high:
            raise InputError(
                f"No two documents ({options.sources.kind}) can be at least {band.low} and at most {band.high} alike. "
                "Change --least-alike or --most-alike."
            )
    if options.parts.yields is not None:
        read_yields(options.parts.yields)
