"""`paraloom corpus …`: what is done with a whole corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.models.generators.translation_options import TranslatedCorpusOptions
from paraloom.workflows.corpus.graded_options import GradedOptions
from paraloom.workflows.corpus.translate_options import ParallelOptions

corpus = App(
    name="corpus",
    help="Work on a whole corpus of pairs.\n\nExample: `paraloom corpus stats pairs.tsv --out report`",
)


@corpus.command
def stats(
    files: list[Path],
    /,
    *,
    options: Annotated[StatisticsOptions, Parameter(name="*")] = StatisticsOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Count a corpus: labels, lexical similarity, lengths, sentences on either side, trivial patterns.

    Pairs are TSV, CSV, JSONL, JSON or Parquet with two texts a row, with labels (graded, or yes and no) or without; the
    files of the Turku corpus are read as they are. A folder is that of a run. Several corpora are shown side by side.

    Example: `paraloom corpus stats dev.json mined.tsv --language fi --out report`

    Parameters
    ----------
    files
        Files of pairs, or folders of runs.
    out
        Folder for `report.html` and `statistics.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import rows_told
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.statistics import write_statistics_report
    from paraloom.workflows.corpus.stats import check_statistics_folder, corpus_statistics

    if out:
        check_statistics_folder(out)
    with rows_told("counted") as tell:
        evaluation = corpus_statistics(files, options, step=lambda _, done, total: tell(done, total))
    report = write_statistics_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)


@corpus.command
def graded(
    given: list[Path],
    /,
    *,
    out: Path,
    options: Annotated[GradedOptions, Parameter(name="*")] = GradedOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Make a graded corpus of judged pairs: labels, votes, contexts, rewrites and splits in one file.

    What is given may be folders of runs (of `align`, `build` or `annotate export`), judgments, labels of `paraloom
    label --definition graded`, and files of pairs with a label a person; they are put together by `pair_id`. A label is
    one that all gave, or that a dispute was settled on. Rewritten pairs are pairs of their own; skipped ones (`x`) are
    left out.

    Example: `paraloom corpus graded run exported labels.parquet --out corpus.jsonl`

    Parameters
    ----------
    given
        Folders of runs, and files of pairs, judgments or labels.
    out
        File for the corpus (JSONL, JSON, TSV, CSV or Parquet, by its ending).
    json
        Print one JSON object: what came in, what was released, what was left out and why.
    """
    import json as writer

    from paraloom.cli.console import say
    from paraloom.workflows.corpus.graded import graded_corpus

    made = graded_corpus(given, out, options)
    if json:
        print(writer.dumps(made.as_json(), ensure_ascii=False))
    else:
        say(made.as_text())


@corpus.command
def translate(
    file: Path,
    /,
    *,
    out: Path,
    options: Annotated[ParallelOptions, Parameter(name="*")] = ParallelOptions(),
    wanted: Annotated[TranslatedCorpusOptions, Parameter(name="*")] = TranslatedCorpusOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Make pairs of a parallel corpus: each sentence beside a translation of its foreign side (as ParaNMT was made).

    The corpus is one file with tabs between its columns, or two files whose lines belong together (also .gz). Every
    row is written, with the reason in `dropped_for` where its pair is not wanted. A run that was stopped goes on.

    Example: `paraloom corpus translate sentences.en --foreign sentences.fr --translator opus-mt-fr-en --out pairs.tsv`

    Parameters
    ----------
    file
        The text, or both languages in columns.
    out
        File for the pairs (TSV, CSV, JSONL, JSON or Parquet, by its ending).
    json
        Print one JSON object: what came in, what was kept, what was left out and why.
    """
    import json as writer

    from paraloom.cli.console import rows_told, say
    from paraloom.workflows.corpus.translate import translate_parallel

    with rows_told("translated") as tell:
        made = translate_parallel(file, out, options, wanted, tell=tell)
    if json:
        print(writer.dumps(made.as_json(), ensure_ascii=False))
    else:
        say(made.as_text())
