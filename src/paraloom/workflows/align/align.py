"""Files of whole documents in, a run folder with pairs of documents and what both say out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.build import PACKED, Built, Progress

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
    from paraloom.engine import foreign, places, steps, store
    from paraloom.engine.buckets import bucket_count
    from paraloom.workflows import steps as built
    from paraloom.workflows.align import steps as planned
    from paraloom.workflows.align.publish import publish
    from paraloom.workflows.whole_run import assign_splits, clusters

    options = options or AlignOptions()
    check_options(options)
    read = with_salt(options.read)
    paths = foreign.expand([str(file) for file in files], whole=True)
    chunks = foreign.plan(paths, whole=True)
    check_formats(chunk.format for chunk in chunks)
    buckets = bucket_count(sum(chunk.size * (PACKED if chunk.compression else 1) for chunk in chunks))
    out.mkdir(parents=True, exist_ok=True)
    named = {f"input/{number}/{path.name}": path for number, path in enumerate(paths)}
    with store.alone_in(out), places.at(options.place) as workers:
        place = steps.Place(
            run=out.resolve(),
            buckets=buckets,
            workers=workers,
            on_ray=options.place.engine == "ray",
            progress=progress,
        )
        plans: dict[str, Callable[[], steps.Step]] = {
            "documents": lambda: planned.documents_step(chunks, named, read, options.sources),
            "cues": lambda: planned.cues_step(chunks, named, read, options.sources),
            "groups": lambda: planned.groups_step(options.alignment, options.parts),
            "segments": lambda: planned.segments_step(options.extract),
            "sentences": planned.sentences_step,
            "pairs": planned.pairs_step,
            "labels": lambda: built.labels_step(options.labels),
            "corpus": lambda: built.corpus_step(
                options.corpus, assign_splits(out, options.corpus), lambda: clusters(out)
            ),
        }
        for table, plan in plans.items():
            steps.make(plan(), place)
            if table == until:
                break
        return publish(out, options, progress) if until == "corpus" else Built(run=out, report=None, summary=None)


def check_options(options: AlignOptions) -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.corpus.splits import check_shares
    from paraloom.errors import InputError
    from paraloom.labels.label import load_identifier

    check_shares(options.corpus)
    load_identifier(options.labels)
    for kind in ("subtitle", "translation", "essay", "thread", "article"):
        band = options.alignment.band(kind)
        if not band.low < band.high:
            raise InputError(
                f"No {kind} can be at least {band.low} and at most {band.high} alike. Change "
                "--least-alike or --most-alike."
            )
    if options.alignment.window_days < 0:
        raise InputError(
            f"--window-days is {options.alignment.window_days}; give a number of days, or 0 for no window."
        )
