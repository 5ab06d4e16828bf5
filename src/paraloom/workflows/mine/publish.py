"""A finished run of mining in, the file of pairs, the summary, the report and what a person is told out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import TargetTaken
from paraloom.text.counted import counted

if TYPE_CHECKING:
    from paraloom.engine.steps import Place
    from paraloom.reports.mining import MiningSummary, SearchTold
    from paraloom.workflows.mine.earlier_runs import Earlier
    from paraloom.workflows.mine.options import JudgeOptions, MineOptions

TABLES = ("sentences", "vectors", "index", "neighbours", "candidates", "pairs", "labels", "clusters")
"""The tables and folders of a mined run, in the order in which they are made."""
ENDINGS = (".tsv", ".csv", ".jsonl", ".json", ".parquet", ".gz", ".zst", ".txt", ".ndjson", ".bz2", ".xz", ".xlsx")
"""Of what is meant to be a file, though not all of them can be written."""
PAIRS = "pairs.tsv"
TOO_MANY = 0.5
"""Share of texts left out from which on something is wrong with how the files are read."""
LARGE_CLUSTER = 0.1
"""Share of the clustered sentences from which on one cluster has swallowed what does not belong together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """Where a run of mining has put what."""

    run: Path
    file: Path
    """The pairs, best first."""
    report: Path
    summary: Path
    told: tuple[str, ...] = ()
    """For the person who asked for it."""
    is_broken: bool = False
    """Whether something of the input could not be read, or nothing of it is a sentence."""


def targets_of(out: Path) -> tuple[Path, Path]:
    """The run folder and the file of pairs that `--out` means.

    >>> [str(path) for path in targets_of(Path("found.jsonl"))], [str(path) for path in targets_of(Path("run"))]
    (['found.jsonl.run', 'found.jsonl'], ['run', 'run/pairs.tsv'])
    """
    from paraloom.workflows.table_files import check_ending

    if out.suffix.lower() not in ENDINGS or out.is_dir():
        if out.exists() and not out.is_dir():
            raise TargetTaken(
                f"{out} is a file. Choose another --out: a folder, or a file of pairs, such as pairs.tsv."
            )
        return out, out / PAIRS
    check_ending(out, "pairs")
    run = out.with_name(f"{out.name}.run")
    if out.exists() and not run.is_dir():
        raise TargetTaken(f"{out} is there already, and no run of mining has made it. Choose another --out.")
    return run, out


def publish(
    place: Place,
    file: Path,
    options: MineOptions,
    seconds: dict[str, float],
    earlier: Earlier,
    *,
    there: Mapping[str, Any] | None = None,
) -> Mined:
    """Write what people and other programs take from a run; `there` says what the file that is there was made from."""
    from paraloom.reports.mining import summarise_mining, write_mining_report
    from paraloom.workflows.mine.candidates_step import tally_of
    from paraloom.workflows.mine.labels_step import read_taken
    from paraloom.workflows.mine.own_file import made_from

    run, is_judged = place.run, options.judge.identify
    tables = tuple(name for name in TABLES if is_judged or name != "labels")
    place.progress("report", "written", 0, 2)
    if there != made_from(run, options.judge) or not file.is_file():
        _write_file(place, file, options.judge)
    place.progress("report", "written", 1, 2)
    summary = summarise_mining(
        run,
        tables,
        search_told(run, options, earlier),
        tally_of(run / "candidates"),
        seconds,
        taken=read_taken(run) if is_judged else {},
    )
    report, numbers = write_mining_report(run, summary)
    place.progress("report", "written", 2, 2)
    return Mined(
        run=run,
        file=file,
        report=report,
        summary=numbers,
        told=tuple(told_of(summary)),
        is_broken=bool(summary.sentences.broken) or not summary.sentences.kept,
    )


def _write_file(place: Place, file: Path, options: JudgeOptions) -> None:
    from paraloom.workflows.mine.own_file import begin_file, made_from, note_written
    from paraloom.workflows.mine.written_pairs import write_pairs

    unfinished = begin_file(place.run, file)
    content = write_pairs(place, file, unfinished, is_judged=options.identify, with_negatives=options.keep_negatives)
    note_written(place.run, file, content, made_from(place.run, options))


def search_told(run: Path, options: MineOptions, earlier: Earlier) -> SearchTold:
    """How the neighbours of this run were looked for."""
    from paraloom.reports.mining import SearchTold
    from paraloom.workflows.mine.earlier_told import earlier_told
    from paraloom.workflows.mine.index_step import read_choice, read_probes
    from paraloom.workflows.mine.unknown_texts import unknown_texts

    choice = read_choice(run)
    probes = read_probes(run) if choice.kind == "ivf" else None
    return SearchTold(
        embedder=Path(options.embed.embedder).name,
        dims=choice.dims,
        neighbours=options.search.neighbours,
        kind=choice.kind,
        reason=choice.reason,
        lists=choice.lists,
        probes=probes["probes"] if probes else 0,
        asked_probes=options.search.probes,
        codes=choice.codes,
        recall=probes["recall"] if probes else None,
        wanted_recall=probes["wanted"] if probes else 1.0,
        min_similarity=probes["min_similarity"] if probes else options.pairs.min_similarity,
        earlier=earlier_told(run, earlier),
        unknown=unknown_texts(run),
    )


def _recall_told(search: SearchTold) -> str:
    """What the search is estimated to find, in a sentence; nothing where it is exact."""
    from paraloom.reports.pages import percent

    if search.recall is None:
        return ""
    low, high = (percent(search.recall[end]) for end in ("low", "high"))
    told = (
        f" With {counted(search.probes, 'list', 'lists')}, and then through the neighbours of neighbours, an estimated "
        f"{percent(search.recall['share'])} ({low} to {high}) are found of each sentence's "
        f"{counted(search.neighbours, 'nearest one', 'nearest')} that are {search.min_similarity:g} alike or more."
    )
    if search.recall["share"] < search.wanted_recall:
        told += f" That is less than {percent(search.wanted_recall)}: {how_to_find_more(search)}"
    return told


def how_to_find_more(search: SearchTold) -> str:
    """What a person may do: what is there was searched for so, and is not searched for again."""
    if search.asked_probes:
        return "give more --probes, or leave them out, and another --out."
    if search.probes < search.lists:
        return f"let this run grow into another --out, with --probes above {search.probes:,}."
    return "give --codes int8 and another --out."


def told_of(summary: MiningSummary) -> Iterator[str]:
    """What there is, in a few lines, and what to do about input that is broken or a run that found nothing."""
    from paraloom.reports.pages import reason
    from paraloom.workflows.mine.earlier_told import lines_of
    from paraloom.workflows.mine.judging_told import taken_told

    sentences, pairs, labels = summary.sentences, summary.pairs, summary.labels
    left_out = ", ".join(f"{drop.count:,} {reason(drop.name)}" for drop in sentences.dropped[:5])
    line = counted(sentences.kept, "sentence", "different sentences")
    line += f" of {counted(sentences.read, 'text', 'texts')}"
    yield line + (f"; left out: {left_out}" if left_out else "")
    yield summary.search.reason + _recall_told(summary.search)
    yield from lines_of(summary.search.earlier)
    found = f"{counted(summary.candidates['found'], 'pair', 'pairs')} of neighbours, {pairs.kept:,} kept"
    if labels is not None:
        found += f", {labels.paraphrases:,} of {labels.judged:,} judged to be paraphrases"
        found += f" ({taken_told(summary.taken)})" if summary.taken else ""
    clusters = counted(summary.clusters.clusters, "cluster", "clusters")
    yield f"{found}; {clusters} of {counted(summary.clusters.sentences, 'sentence', 'sentences')}"
    yield from advice(summary)


def advice(summary: MiningSummary) -> Iterator[str]:
    """What to look at before the result is used."""
    from paraloom.workflows.mine.unknown_texts import unknown_told

    sentences, pairs = summary.sentences, summary.pairs
    for place in sentences.broken[:10]:
        yield f"Broken: {place.file} ({place.reason}, at {place.offset:,}). What could be read of it was mined."
    if (more := len(sentences.broken) - 10) > 0:
        yield f"And {more} more broken places; summary.json names them."
    yield from unknown_told(summary.search, sentences.kept)
    dropped = sum(drop.count for drop in sentences.dropped)
    if dropped and dropped >= TOO_MANY * sentences.read:
        yield (
            f"{dropped:,} of {sentences.read:,} texts were left out. Is the text in another column "
            "(--columns text=COLUMN), or are texts longer than --max-characters?"
        )
    if not sentences.read:
        yield "The files are empty: nothing was mined."
    if sentences.kept > 1 and not pairs.kept:
        yield (
            "No pair was kept. The report says where pairs were left out: a lower --min-similarity or --min-margin "
            "proposes more of them."
        )
    clusters = summary.clusters
    if clusters.largest > 100 and clusters.largest > LARGE_CLUSTER * clusters.sentences:
        yield (
            f"The largest cluster has {clusters.largest:,} of {clusters.sentences:,} sentences: pairs that are not "
            "paraphrases have joined what does not belong together. A higher --threshold or --min-similarity parts it."
        )
