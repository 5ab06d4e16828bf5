"""Files of posts in, a run folder with every table, the corpus, report.html and summary.json out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paraloom.corpus.options import CorpusOptions
from paraloom.documents.options import ReadOptions
from paraloom.groups.options import GroupOptions
from paraloom.pairs.options import PairOptions
from paraloom.sentences.options import SentenceOptions
from paraloom.text.file_names import told_name
from paraloom.workflows.run_options import RunOptions
from paraloom.workflows.tables_in_order import Progress, make_tables

TABLES = ("documents", "groups", "sentences", "pairs", "labels", "corpus")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions(RunOptions):
    """Everything a build can be told, stage by stage."""

    read: ReadOptions = field(default_factory=ReadOptions)
    groups: GroupOptions = field(default_factory=GroupOptions)
    sentences: SentenceOptions = field(default_factory=SentenceOptions)
    pairs: PairOptions = field(default_factory=PairOptions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Where a build has put what."""

    run: Path
    report: Path | None
    summary: Path | None
    told: tuple[str, ...] = ()
    """For the person who asked for it: what there is, and what to do about a run that kept little or nothing."""


def build(
    files: Sequence[str | Path],
    out: Path,
    options: BuildOptions | None = None,
    *,
    until: str = "corpus",
    progress: Progress = lambda table, name, done, total: None,
) -> Built:
    """Build a corpus from files of posts; what is there already, made the same way, is not made again.

    `until` names the last table to make; the report is written when it is the corpus.
    """
    from paraloom.documents.salt import read_accounts, with_salt
    from paraloom.engine import foreign, foreign_files, steps
    from paraloom.workflows import steps as planned
    from paraloom.workflows.whole_run import assign_splits, clusters

    options = options or BuildOptions()
    check_options(options)
    read = with_salt(options.read)
    paths = foreign_files.expand([str(file) for file in files])
    chunks = foreign.plan(paths)
    named = {f"input/{number}/{told_name(path.name)}": path for number, path in enumerate(paths)}
    accounts = read_accounts(options.groups.accounts, read)
    plans: dict[str, Callable[[], steps.Step]] = {
        "documents": lambda: planned.documents_step(chunks, named, read),
        "groups": lambda: planned.groups_step(options.groups, accounts),
        "sentences": lambda: planned.sentences_step(options.sentences),
        "pairs": lambda: planned.pairs_step(options.pairs),
        "labels": lambda: planned.labels_step(options.labels),
        "corpus": lambda: planned.corpus_step(
            options.corpus, assign_splits(out, options.corpus), lambda: clusters(out)
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
            publish(out, options.corpus, progress) if until == "corpus" else Built(run=out, report=None, summary=None)
        ),
    )


def check_options(options: BuildOptions) -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.corpus.splits import check_shares
    from paraloom.groups.topics import check_balance, read_topics
    from paraloom.labels.label import load_identifier

    check_shares(options.corpus)
    if options.groups.balance is not None:
        check_balance(options.groups.balance)
    if options.groups.topics is not None:
        read_topics(options.groups.topics)
    load_identifier(options.labels)


def publish(out: Path, options: CorpusOptions, progress: Progress) -> Built:
    """Write what people and other programs take from a finished run: JSON lines, multi-reference sets, the report."""
    from paraloom.corpus.export import kept_rows, multi_reference_sets, write_json_lines
    from paraloom.engine import store
    from paraloom.reports.advice import advice
    from paraloom.reports.build import write_report

    progress("report", "written", 0, 3)
    write_json_lines(kept_rows(store.read_parts(out, "corpus")), out / "corpus.jsonl")
    progress("report", "written", 1, 3)
    sets = multi_reference_sets(kept_rows(store.read_parts(out, "corpus")), options.min_references)
    write_json_lines(sets, out / "multi_reference.jsonl")
    progress("report", "written", 2, 3)
    report, summary = write_report(out)
    progress("report", "written", 3, 3)
    told = tuple(advice(json.loads(summary.read_text(encoding="utf-8"))))
    return Built(run=out, report=report, summary=summary, told=told)
