"""`paraloom build`: files of posts → a paraphrase corpus with a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.corpus.options import CorpusOptions
from paraloom.documents.options import ReadOptions
from paraloom.engine.places import PlaceOptions
from paraloom.groups.options import GroupOptions
from paraloom.labels.options import LabelOptions
from paraloom.pairs.options import PairOptions
from paraloom.sentences.options import SentenceOptions

Flat = Parameter(name="*")


def build(
    files: Annotated[list[str], Parameter(allow_leading_hyphen=True)],  # so that `-` can be one
    /,
    *,
    out: Path,
    read: Annotated[ReadOptions, Flat] = ReadOptions(),
    groups: Annotated[GroupOptions, Flat] = GroupOptions(),
    sentences: Annotated[SentenceOptions, Flat] = SentenceOptions(),
    pairs: Annotated[PairOptions, Flat] = PairOptions(),
    labels: Annotated[LabelOptions, Flat] = LabelOptions(),
    corpus: Annotated[CorpusOptions, Flat] = CorpusOptions(),
    place: Annotated[PlaceOptions, Flat] = PlaceOptions(),
) -> None:
    """Turn files of posts into a paraphrase corpus with a report.

    Reads JSONL, JSON, CSV, TSV and Parquet, plain or .gz/.zst, and recognises posts of Twitter, Bluesky and Mastodon.
    A run that was stopped goes on where it was; one made with other options is never overwritten.

    Example: `paraloom build posts/*.jsonl.gz --out run --by url --languages en`

    Parameters
    ----------
    files
        Files, folders, globs; `-` is standard input.
    out
        Run folder for the tables, `report.html` and `summary.json`.
    """
    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.build import BuildOptions
    from paraloom.workflows.build import build as build_corpus

    options = BuildOptions(
        read=read, groups=groups, sentences=sentences, pairs=pairs, labels=labels, corpus=corpus, place=place
    )
    with progress_bar() as progress:
        built = build_corpus(files, out, options, progress=progress)
    for line in built.told:
        say(line)
    print(built.report)
