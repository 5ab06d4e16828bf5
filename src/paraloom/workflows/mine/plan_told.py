"""A plan in, what is said of it beside its numbers out: what was measured, and what is supposed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paraloom.workflows.mine.plan_costs import Calibration
    from paraloom.workflows.mine.plan_options import PlanOptions
    from paraloom.workflows.mine.plan_ways import Way


def notes_of(measured: Calibration, options: PlanOptions, way: Way, probes: int) -> Iterator[str]:
    """What a reader of the plan has to know; `way` is the one that a run would choose."""
    look, size = measured.look, way.size
    yield (
        f"Measured with {measured.sentences:,} sentences of {measured.sample} on {measured.machine}, "
        f"{measured.cores} cores; anything beyond is estimated."
    )
    needed = f": {look.probes:,} were needed for {look.sentences:,} sentences"
    yield (
        f"With lists, each sentence is supposed to look into {probes:,} of them{'' if options.probes else needed} "
        "(--probes); a run finds out how many its recall needs."
    )
    seen = "" if options.pairs_each else ", by how near those sentences are to each other"
    each = size.candidates / max(size.sentences, 1)
    yield f"{each:.2g} candidate pairs a sentence are supposed{seen} (--pairs-each)."
    named = f"{measured.embedder} {measured.dims} ivf int8"
    others = [f"{measured.embedder} {dims} with its own" for dims in measured.looks if int(dims) != measured.dims]
    yield (
        f"All ways are planned with the lists that {named} needs, and with its pairs"
        + (f" ({', '.join(others)})" if others else "")
        + ": another embedder or size, and packed codes, may need more; --embedder and --dims tell."
    )
    if options.mutual or tuple(options.lexical_band) != (0.0, 1.0):
        yield (
            f"Of pairs alike enough {measured.mutual_share:.0%} are mutual among {measured.sentences:,} sentences (of "
            f"more sentences fewer are), and {measured.kept_share:.0%} of those proposed are kept."
        )
    yield "--min-margin, --keep-trivial and --most of a run are not looked at."
    if size.judged:
        yield (
            f"{size.judged:,.0f} pairs are judged by {measured.identifier}, {1 / measured.judging.each:,.0f} a second "
            "and core. --judge-most N or --no-identify makes it quicker."
        )
    yield f"Of the disk {shown_bytes(way.disk.kept)} stay; the rest is free again when the run has ended."
    cores = options.cores or measured.cores
    if 0 < way.workers < cores:
        yield f"{way.workers} of {cores} cores are used, for memory is short (`paraloom mine --workers {way.workers}`)."
    if options.machines > 1:
        yield (
            "Machines are taken to share a disk that is as fast for each as this one is here, and a network that is no "
            "hindrance."
        )


def shown_seconds(seconds: float) -> str:
    """A time as people say it.

    >>> [shown_seconds(each) for each in (0.4, 75, 5400, 200_000, 90_000_000)]
    ['0.4 s', '75 s', '90 min', '56 h', '1,042 d']
    """
    for unit, size, least in (("d", 86_400.0, 4.0), ("h", 3600.0, 3.0), ("min", 60.0, 3.0)):
        if seconds >= size * least:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


def shown_bytes(size: float) -> str:
    """An amount as people say it.

    >>> shown_bytes(2_500_000), shown_bytes(1.2e12)
    ('2.5 MB', '1.2 TB')
    """
    for unit, one in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} KB"
