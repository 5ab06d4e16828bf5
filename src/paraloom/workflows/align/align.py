"""Files of whole documents in, a run folder with pairs of documents and what both say out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

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
    from paraloom.documents.reader import check_formats
    from paraloom.documents.salt import with_salt
    from paraloom.engine import foreign, steps
    from paraloom.workflows import steps as built
    from paraloom.workflows.align import steps as planned
    from paraloom.workflows.align.publish import publish
    from paraloom.workflows.whole_run import assign_splits, clusters

    options = options or AlignOptions()
    check_options(options)
    read = with_salt(options.read)
    paths = foreign.expand([str(file) for file in files], whole=True)
    chunks = foreign.plan(paths, whole=True, named=files)
    check_formats(chunk.format for chunk in chunks)
    # A folder may say which work a file is a version of: it stands in the signature with the file's name.
    folders = {chunk.path: "".join(f"{folder}/" for folder in chunk.folders) for chunk in chunks}
    named = {f"input/{number}/{folders.get(str(path), '')}{path.name}": path for number, path in enumerate(paths)}
    plans: dict[str, Callable[[], steps.Step]] = {
        "documents": lambda: planned.documents_step(chunks, named, read, options.sources),
        "cues": lambda: planned.cues_step(chunks, named, read, options.sources),
        "groups": lambda: planned.groups_step(options.alignment, options.parts),
        "segments": lambda: planned.segments_step(options.extract),
        "sentences": planned.sentences_step,
        "pairs": planned.pairs_step,
        "labels": lambda: built.labels_step(options.labels),
        "corpus": lambda: built.corpus_step(options.corpus, assign_splits(out, options.corpus), lambda: clusters(out)),
    }
    return make_tables(
        plans,
        out,
        chunks,
        options.place,
        until=until,
        progress=progress,
        then=lambda: (
            publish(out, options, progress) if until == "corpus" else Built(run=out, report=None, summary=None)
        ),
    )


def check_options(options: AlignOptions) -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.corpus.splits import check_shares
    from paraloom.errors import InputError
    from paraloom.groups.alignment_options import BANDS
    from paraloom.groups.rounds import read_yields
    from paraloom.labels.label import load_identifier

    check_shares(options.corpus)
    load_identifier(options.labels)
    low, high = options.alignment.least_alike, options.alignment.most_alike
    kinds = (options.sources.kind,) if options.sources.kind else BANDS if low is not None and high is not None else ()
    for kind in kinds:
        band = options.alignment.band(kind)
        if not band.low < band.high:
            raise InputError(
                f"No two documents ({kind}) can be at least {band.low} and at most {band.high} alike. Change "
                "--least-alike or --most-alike."
            )
    if not 1 <= options.alignment.shortest_gram <= options.alignment.longest_gram:
        raise InputError(
            f"There are no n-grams from {options.alignment.shortest_gram} to {options.alignment.longest_gram} "
            "characters. Change --shortest-gram or --longest-gram."
        )
    for name in ("works_per_series", "versions_per_work"):
        if getattr(options.alignment, name) < 1:
            raise InputError(f"--{name.replace('_', '-')} must be at least 1.")
    if options.parts.yields is not None:
        read_yields(options.parts.yields)
    if not 0 <= options.alignment.window_days < 100_000:
        raise InputError(
            f"--window-days is {options.alignment.window_days}; give a number of days, or 0 for no window."
        )
