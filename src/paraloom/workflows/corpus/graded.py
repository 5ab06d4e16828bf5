"""Judged pairs in, a graded corpus out: one file with labels, votes, contexts, rewrites and splits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.corpus.graded.judged import JudgedPair
from paraloom.corpus.graded.merge import labels_of
from paraloom.corpus.graded.pair_files import OTHER_TEXTS, PairsOfFiles, about_rows
from paraloom.corpus.graded.released import (
    GradedRow,
    both_ways,
    families,
    in_order,
    row_of,
    splits_of,
    with_texts_around,
)
from paraloom.corpus.options import CorpusOptions
from paraloom.corpus.pair_files import names_of, usual_columns
from paraloom.corpus.splits import check_shares
from paraloom.engine.given import check_file, format_of
from paraloom.engine.rows import from_rows, row_schema
from paraloom.errors import InputError
from paraloom.labels.graded import merge
from paraloom.metrics.identification.graded import BASES
from paraloom.tables import SPLITS
from paraloom.text.counted import counted
from paraloom.workflows.corpus.graded_labels import GivenLabels, put_to_the_vote, read_all_labels
from paraloom.workflows.corpus.graded_options import GradedOptions
from paraloom.workflows.corpus.graded_runs import PairsOfRuns, is_given_run, read_pairs
from paraloom.workflows.corpus.graded_summary import GradedCorpus
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.label.judgment_files import MARK
from paraloom.workflows.table_files import check_table_file, write_table_file
from paraloom.workflows.table_lines import NOT_IN_TSV

if TYPE_CHECKING:
    import pyarrow as pa

AROUND = ("left_before", "left_after", "right_before", "right_after")
REWRITE = "rewrite"


def graded_corpus(
    given: Sequence[str | Path], out: str | Path, options: GradedOptions = GradedOptions()
) -> GradedCorpus:
    """Write the corpus that folders of runs, judgments, files of labels and files of pairs make together."""
    target, paths = Path(out), [Path(path) for path in given]
    if not paths:
        raise InputError("There is nothing to make a corpus of. Give folders of runs, or files of pairs and labels.")
    _check(options)
    check_table_file(target, paths, "pairs", overwrite=options.overwrite)
    found = _gathered(_sorted_out(paths, named_columns(options.columns)), options)
    pairs = in_order(found.pairs.values())
    rows, left_out = _released(pairs, found, options)
    if not rows:
        reasons = "; ".join(f"{count:,} × {reason}" for reason, count in sorted(left_out.items()))
        raise InputError(
            " ".join([f"No pair can be released: {reasons or 'none was given'}. Nothing is written.", *found.notes])
        )
    written = list(both_ways(rows, options.scheme)) if options.both_ways else rows
    table = _table(written, options)
    write_table_file(table, target)
    differs, settled = _disputes(pairs)
    ids = {row.pair_id: row.rewrite_of is not None for row in rows}
    return GradedCorpus(
        out=str(out),
        scheme=options.scheme,
        differing=options.differing,
        given_pairs=found.met - found.rewrites,
        given_rewrites=found.rewrites,
        pairs=len(ids) - sum(ids.values()),
        rewrites=sum(ids.values()),
        rows=len(written),
        paraphrases=sum(row.is_paraphrase for row in written),
        labels=dict(sorted(Counter(row.label for row in written).items())),
        splits={split: count for split in SPLITS if (count := sum(row.split == split for row in written))},
        groups=len({row.group for row in written}),
        left_out=dict(sorted(left_out.items())),
        differs_in=differs,
        settled=settled,
        notes=(*found.notes, *_about_writing(written, target)),
    )


def _check(options: GradedOptions) -> None:
    if str(options.least_grade) not in BASES:
        raise InputError(f"--least-grade {options.least_grade} is no grade. Give a number from 1 to 4.")
    if options.letters_around < 0:
        raise InputError(
            f"--letters-around {options.letters_around} makes no sense. Give a number of characters, or 0."
        )
    check_shares(CorpusOptions(train_share=options.train_share, dev_share=options.dev_share))


@dataclass(slots=True, kw_only=True)
class _Given:
    """What was given, by its kind."""

    runs: list[Path] = field(default_factory=list)
    judgments: list[Path] = field(default_factory=list)
    labels: list[Path] = field(default_factory=list)
    pairs: list[Path] = field(default_factory=list)
    columns: Mapping[str, str] = field(default_factory=dict)


def _sorted_out(paths: Iterable[Path], columns: Mapping[str, str]) -> _Given:
    """Folders are runs or tables; files are judgments or labels where their columns say so, else pairs."""
    given = _Given(columns=columns)
    for path in paths:
        if is_given_run(path):
            given.runs.append(path)
        elif path.is_dir():
            given.judgments.append(path)  # a table of its own, or an error that says what is missing
        else:
            check_file(path)
            names = names_of(path)
            is_pairs = "left" in columns or usual_columns(path)
            if MARK in names:
                given.judgments.append(path)
            elif {"pair_id", "grade"} <= names and not is_pairs:
                given.labels.append(path)
            else:
                given.pairs.append(path)
    if columns and not given.pairs:
        raise InputError("--columns is about files of pairs, and none is given. Leave it out.")
    return given


@dataclass(slots=True, kw_only=True)
class _Gathered:
    """All pairs, each with all that was said of it."""

    pairs: dict[str, JudgedPair]
    met: int
    rewrites: int
    dropped_for: Counter[str]
    texts: Mapping[str, str]
    notes: list[str]


def _gathered(given: _Given, options: GradedOptions) -> _Gathered:
    labels = read_all_labels(given.runs, given.judgments, given.labels)
    files = PairsOfFiles()
    for path in given.pairs:
        files.read(path, given.columns, needs_labels=not len(labels))
    if labels.are_of_people or any(pair.said or pair.joined for pair in files.pairs.values()):
        labels.without_machines()
    runs = read_pairs(given.runs, labels, files.pairs, with_texts=options.letters_around > 0)
    pairs = _together(files, runs)
    for pair in pairs.values():
        labels.attach(pair)
    put_to_the_vote(pairs.values())
    return _Gathered(
        pairs=pairs,
        met=len(pairs) + len(runs.unlabelled),
        rewrites=sum(pair.is_rewrite for pair in pairs.values()),
        dropped_for=files.dropped_for + Counter(runs.unlabelled.values()) + labels.dropped_for,
        texts=runs.texts,
        notes=[*about_rows(files), *labels.notes, *_about_labels(labels, pairs, options)],
    )


def _together(files: PairsOfFiles, runs: PairsOfRuns) -> dict[str, JudgedPair]:
    """Pairs of files and of runs; one that is in both is the run's, with what the file says of it."""
    for name, pair in files.pairs.items():
        known = runs.pairs.get(name)
        if known is None:
            continue
        if known.has_texts(pair.left, pair.right):
            known.take(pair)
        else:
            files.dropped_for[OTHER_TEXTS] += 1
    return {**files.pairs, **runs.pairs}


def _about_labels(labels: GivenLabels, pairs: Mapping[str, JudgedPair], options: GradedOptions) -> list[str]:
    notes = []
    if beside := labels.names_beside(pairs):
        notes.append(
            f"{counted(beside, 'label is', 'labels are')} of pairs that were not given. Give the run or the file that "
            "holds them too; a file's `pair_id` must be what was judged."
        )
    if unsided := labels.without_sides(pairs.values()):
        whose = counted(unsided, "pair has a label", "pairs have labels")
        notes.append(
            f"{whose} with a direction (< or >) whose left sentence is known, but the file of pairs does not say which "
            "of its texts that is: they are taken as they stand. Give the run too, or `left_id` and `right_id` there."
        )
    if labels.joined and not labels.said and options.differing == "drop" and options.scheme != "binary":
        notes.append(
            "Labels tell how many voted for a paraphrase, not what each person said: where people differ in less than "
            "that, the vote counts. Give the judgments too to have those left out."
        )
    return notes


def _released(
    pairs: Sequence[JudgedPair], found: _Gathered, options: GradedOptions
) -> tuple[list[GradedRow], Counter[str]]:
    """The rows of all pairs that have a label; by its reason, how often one has none."""
    left_out = Counter(found.dropped_for)
    whole = [pair for pair in pairs if pair.dropped_for is None]
    group = families(whole)  # of all of them, so that no option moves a pair to another split
    split, parted = splits_of(whole, group, options.train_share, options.dev_share)
    if parted:
        groups = counted(parted, "group has", "groups have")
        found.notes.append(f"{groups} pairs in several splits, as they were given.")
    rows: list[GradedRow] = []
    for pair in pairs:
        reason = pair.dropped_for or (REWRITE if pair.is_rewrite and options.without_rewrites else None)
        made = labels_of(pair, options.scheme, options.differing, options.least_grade)
        if (reason := reason or made.dropped_for) is not None:
            left_out[reason] += 1
            continue
        rows += [row_of(pair, one, group[pair.pair_id], split[pair.pair_id]) for one in made.labels]
    if options.letters_around:
        rows = [with_texts_around(row, found.texts, options.letters_around) for row in rows]
    return rows, left_out


def _disputes(pairs: Iterable[JudgedPair]) -> tuple[dict[str, int], int]:
    """In what people differ, and how often somebody decided."""
    differs: Counter[str] = Counter()
    settled = 0
    for pair in pairs:
        found = merge(pair.said.values()) if len(pair.said) > 1 else None
        if found is not None and found.is_conflict:
            differs.update(found.differs)
            settled += pair.is_settled
    return dict(sorted(differs.items())), settled


def _table(rows: Sequence[GradedRow], options: GradedOptions) -> pa.Table:
    table = from_rows(rows, row_schema(GradedRow))
    return table if options.letters_around else table.drop_columns(list(AROUND))


def _about_writing(rows: Iterable[GradedRow], target: Path) -> list[str]:
    if format_of(target) != "tsv":
        return []
    spaced = sum(bool(NOT_IN_TSV.search(text)) for row in rows for text in (row.left, row.right))
    words = counted(spaced, "text has", "texts have")
    return [f"{words} tabs or line ends, written as spaces: TSV cannot hold them."] if spaced else []
