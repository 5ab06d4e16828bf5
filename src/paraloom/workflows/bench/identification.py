"""A folder of published corpora in, the papers' tables with our figures beside theirs out."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from paraloom.corpus.known.nli import found_entailments
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.errors import InputError
from paraloom.models.training.plan import PlanOptions
from paraloom.reports.bench_identification import IdentificationBench
from paraloom.workflows.bench.collected import collect
from paraloom.workflows.bench.contenders import MEASURED_ON, check_systems, contenders_on
from paraloom.workflows.bench.division import hash_of_corpus, limited
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.known import READERS, read_known
from paraloom.workflows.bench.label_tables import label_tables
from paraloom.workflows.bench.measured_groups import MeasuredGroups
from paraloom.workflows.bench.noise_table import noise_table
from paraloom.workflows.bench.results import read_reasons, read_results
from paraloom.workflows.bench.runs import Ran, Tell, run_rows
from paraloom.workflows.bench.tables import Bench


def bench_identification(
    data: Path,
    options: BenchOptions = BenchOptions(),
    training: PlanOptions = PlanOptions(),
    *,
    folder: Path | None = None,
    tell: Tell | None = None,
) -> IdentificationBench:
    """Run every system on every corpus that lies in a folder, and set our figures beside the published ones.

    Results are kept in `folder`, one file a training: what is there already is not run again. Without a folder they
    are forgotten.
    """
    if folder is None:
        if not options.fit:
            raise InputError("--no-fit makes the report of results in --out. Say with --out where they are.")
        with TemporaryDirectory(prefix="paraloom-bench-") as forgotten:
            return _bench(data, options, training, Path(forgotten), tell)
    return _bench(data, options, training, folder, tell)


def _bench(
    data: Path, options: BenchOptions, training: PlanOptions, folder: Path, tell: Tell | None
) -> IdentificationBench:
    check_systems(options.systems)
    if not options.fit and next(read_results(folder), None) is None:
        raise InputError(f"--no-fit makes the report of results in --out; {folder} holds none.")
    corpora, skipped = _read(data, options)
    ran = Ran(plans={}, not_run={})
    if options.fit:
        ran = run_rows(options, folder, list(corpora.values()), training, tell)
    measured = {name: limited(corpus, options.limit) for name, corpus in corpora.items()}
    hashes = {name: hash_of_corpus(corpus) for name, corpus in measured.items()}
    collected = collect(folder, hashes, ran.plans, options.resamples, MeasuredGroups(measured))
    if not options.fit and not collected.pooled:
        raise InputError(" ".join([f"None of the results in {folder} can be shown.", *collected.notes]))
    not_run = read_reasons(folder) | dict(ran.not_run)
    bench = Bench(corpora=corpora, collected=collected, not_run=not_run, options=options)
    return IdentificationBench(
        tables=bench.tables(),
        labels=label_tables(bench),
        noise=noise_table(folder),
        skipped=tuple(skipped),
        notes=collected.notes,
        resamples=options.resamples,
    )


def _read(data: Path, options: BenchOptions) -> tuple[dict[str, KnownCorpus], list[str]]:
    """The corpora to measure on and those to fit on too; a line for each that is not there."""
    if not data.is_dir():
        raise InputError(f"--data {data} is no folder. Give the one that holds the corpora.")
    unknown = [name for name in options.corpora if name not in READERS]
    if unknown:
        raise InputError(f"There is no corpus {unknown[0]!r}. Choose from: {', '.join(READERS)}.")
    found: dict[str, KnownCorpus] = {}
    skipped = []
    for name in options.corpora or MEASURED_ON:
        try:
            found[name] = read_known(name, data)
        except InputError as error:
            skipped.append(f"{name} is skipped: {error}")
    if not found:
        raise InputError(f"--data {data} holds none of {', '.join(options.corpora or MEASURED_ON)}. " + skipped[0])
    contenders = [one for corpus in found.values() for one in contenders_on(corpus.name, corpus.definition, options)]
    for name in dict.fromkeys(name for one in contenders for name in one.fit_on):
        if name not in found:
            try:
                found[name] = read_known(name, data)
            except InputError as error:
                skipped.append(f"{name} is skipped: {error}")
    if any(one.learns_entailments for one in contenders):
        told, missing = found_entailments(data)
        found |= {corpus.name: corpus for corpus in told}
        skipped += missing
    return found, list(dict.fromkeys(skipped))
