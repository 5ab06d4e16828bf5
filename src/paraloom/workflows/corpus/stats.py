"""Files of pairs and folders of runs in, the figures of each corpus out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from paraloom.corpus.given_pairs import GivenPairs, PairsOfFile
from paraloom.corpus.patterns import PatternFinder
from paraloom.corpus.run_pairs import PairsOfRun, is_run
from paraloom.corpus.statistics import measure_corpus
from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.corpus.synonyms import Synonyms, read_synonyms, read_wordnet
from paraloom.engine.given import ENDINGS
from paraloom.errors import InputError
from paraloom.models.shelf import find_model
from paraloom.reports.statistics import StatisticsEvaluation
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.report_folder import check_report_folder

Step = Callable[[str, int, int], None]
"""Called with a corpus, its pairs that are done and their number."""

_LANGUAGE = re.compile(r"[a-z]{2,3}")


def corpus_statistics(
    files: Sequence[str | Path], options: StatisticsOptions = StatisticsOptions(), *, step: Step | None = None
) -> StatisticsEvaluation:
    """The figures of every corpus, each for itself: what it is compared with changes none of them."""
    if not files:
        raise InputError("There is no corpus to count. Give a file of pairs, or the folder of a run.")
    options = replace(options, language=_language(options.language))
    columns = named_columns(options.columns)
    paths = [Path(file) for file in files]
    corpora = [_pairs(path, name, columns, options) for path, name in zip(paths, _names(paths), strict=True)]
    lexicon = _Lexicon(options)
    figures = tuple(
        measure_corpus(
            corpus,
            options,
            find_patterns=lexicon.finder,
            told=partial(step, corpus.name) if step else None,
        )
        for corpus in corpora
    )
    return StatisticsEvaluation(corpora=figures, notes=lexicon.notes())


def check_statistics_folder(out: Path) -> None:
    """Refuse a folder whose own report would be lost."""
    check_report_folder(out)
    if is_run(out):
        raise InputError(
            f"--out {out} is the folder of a run, which has a report.html of its own. Give another folder."
        )


def _language(given: str) -> str:
    """The two-letter code of what was given: `fi` of `fi-FI`."""
    code = re.split("[-_]", given.strip().lower())[0]
    if code and not _LANGUAGE.fullmatch(code):
        raise InputError(f"--language {given} is no code of a language. Give two letters, such as fi.")
    return code


def _pairs(path: Path, name: str, columns: Mapping[str, str], options: StatisticsOptions) -> GivenPairs:
    if not path.is_dir():
        return PairsOfFile(path=path, name=name, columns=columns, with_rewrites=options.with_rewrites)
    if columns:
        raise InputError(f"--columns is about files, and {path} is a folder. Leave it out.")
    return PairsOfRun(run=path, name=name)


def _names(paths: Sequence[Path]) -> list[str]:
    """Short names where they differ, the whole path where not."""
    short = [_short(path) for path in paths]
    names = [name if short.count(name) == 1 else str(path) for name, path in zip(short, paths, strict=True)]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"{twice} is given twice. Give every corpus once.")
    return names


def _short(path: Path) -> str:
    """A name without the ending of a file.

    >>> _short(Path("data/dev.json.gz")), _short(Path("runs/v1.2"))
    ('dev', 'v1.2')
    """
    name = path.name or path.resolve().name
    for ending in (".gz", ".zst"):
        name = name.removesuffix(ending)
    return Path(name).stem if Path(name).suffix.lower() in ENDINGS else name


class _Lexicon:
    """Synonyms by language: those of a file for every language, WordNet for English where it is here."""

    def __init__(self, options: StatisticsOptions) -> None:
        self._given = None if options.synonyms is None else read_synonyms(options.synonyms)

    def finder(self, language: str | None) -> PatternFinder:
        """What finds patterns in a language."""
        synonyms, why = self._of(language)
        return PatternFinder(language, synonyms, why)

    def _of(self, language: str | None) -> tuple[Synonyms | None, str]:
        if self._given is not None or language != "en":
            return self._given, "no file of synonyms was given (--synonyms)"
        folder = find_model("wordnet")
        if folder is None:
            return None, "WordNet is not on this machine (paraloom models fetch wordnet)"
        return read_wordnet(folder), ""

    def notes(self) -> tuple[str, ...]:
        """What of the file was not used."""
        left_out = self._given.left_out if self._given else 0
        return (f"{left_out:,} synonyms of several words are left out: single words are looked up.",) * bool(left_out)
