"""`paraloom align`: files of whole documents → pairs of documents, and what both of them say."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from paraloom.corpus.options import CorpusOptions
from paraloom.documents.options import DocumentReadOptions, SourceOptions
from paraloom.engine.places import PlaceOptions
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.part_options import PartOptions
from paraloom.labels.options import LabelOptions
from paraloom.pairs.extract_options import ExtractOptions

Flat = Parameter(name="*")


def align(
    files: Annotated[list[str], Parameter(allow_leading_hyphen=True)],
    /,
    *,
    out: Path,
    grid: Annotated[bool, Parameter(negative="")] = False,
    until: Literal["groups", "segments", "pairs", "corpus"] = "corpus",
    sources: Annotated[SourceOptions, Flat] = SourceOptions(),
    read: Annotated[DocumentReadOptions, Flat] = DocumentReadOptions(),
    alignment: Annotated[AlignmentOptions, Flat] = AlignmentOptions(),
    parts: Annotated[PartOptions, Flat] = PartOptions(),
    extract: Annotated[ExtractOptions, Flat] = ExtractOptions(),
    labels: Annotated[LabelOptions, Flat] = LabelOptions(),
    corpus: Annotated[CorpusOptions, Flat] = CorpusOptions(),
    place: Annotated[PlaceOptions, Flat] = PlaceOptions(),
) -> None:
    """Put documents that tell the same side by side, and find the stretches that both of them say.

    Reads subtitles (.srt, .vtt, OPUS's .xml), news (JSON, JSONL, feeds, web pages), forum threads (records with a
    title and a forum), translations and essays (plain texts in a folder a work); plain or .gz/.zst. A run that was
    stopped goes on where it was; one made with other options is never overwritten. What is found can be given to
    people (`paraloom annotate import`) and is judged by an identifier meanwhile.

    Example: `paraloom align films/ --out run` or `paraloom align news/*.jsonl --kind article --out run --grid`

    Parameters
    ----------
    files
        Files, folders, globs; `-` is standard input.
    out
        Run folder for the tables, `report.html` and `summary.json`.
    grid
        Only show how many pairs lie in which band of likeness, with examples, so that a person can choose the band.
    until
        Make the tables up to this one and stop; an identifier is wanted for the corpus alone.
    """
    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.align.options import AlignOptions

    options = AlignOptions(
        read=read,
        sources=sources,
        alignment=alignment,
        parts=parts,
        extract=extract,
        labels=labels,
        corpus=corpus,
        place=place,
    )
    if grid:
        from paraloom.workflows.align.grid import make_grid

        with progress_bar() as progress:
            made = make_grid(files, out, options, progress=progress)
        print(made.as_text())
        return
    from paraloom.workflows.align.align import align as align_documents

    with progress_bar() as progress:
        built = align_documents(files, out, options, until=until, progress=progress)
    for line in built.told:
        say(line)
    print(built.report or built.run)
