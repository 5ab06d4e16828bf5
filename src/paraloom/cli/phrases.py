"""`paraloom phrases …`: pairs of sentences → aligned words → a table of phrases that stand for each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.engine.places import PlaceOptions
from paraloom.phrases.options import PhraseOptions
from paraloom.workflows.phrases.align_options import AlignOptions

Flat = Parameter(name="*")

phrases = App(
    name="phrases",
    help="Align the words of paraphrases, and make a table of the phrases that stand for each other.\n\n"
    "Example: `paraloom phrases align pairs.tsv --out aligned.jsonl --aligner statistical`",
)


@phrases.command
def align(
    pairs: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    out: Annotated[str, Parameter(allow_leading_hyphen=True)],
    options: Annotated[AlignOptions, Flat] = AlignOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say which words of two texts stand for each other, for every pair of a file.

    A file is TSV, CSV, JSONL or Parquet with left and right, by its ending (also .gz and .zst). Every row and its
    other columns are kept; left and right are written as words with blanks between them, and alignment as links such
    as 0-0 1-2. A run that was stopped goes on where it was.

    Example: `paraloom phrases align pairs.tsv --out aligned.jsonl`

    Example: `paraloom phrases align pairs.tsv --out aligned.jsonl --aligner statistical --learn-from more.tsv`

    Parameters
    ----------
    pairs
        File of pairs; `-` is standard input.
    out
        File to write, such as aligned.jsonl; `-` is standard output.
    json
        Print one JSON object of what was counted.
    """
    import json as to_json

    from paraloom.cli.console import rows_told, say
    from paraloom.errors import InputError
    from paraloom.workflows.phrases.align_pairs import align_pairs

    if out == "-" and json:
        raise InputError("--out - and --json would both write to standard output. Give --out a file.")
    with rows_told("aligned") as tell:
        aligned = align_pairs(pairs, out, options, tell)
    if json:
        print(to_json.dumps(aligned.as_json()))
    else:
        say(aligned.as_text())


@phrases.command
def extract(
    aligned: Annotated[list[str], Parameter(allow_leading_hyphen=True)],
    /,
    *,
    out: Path,
    options: Annotated[PhraseOptions, Flat] = PhraseOptions(),
    place: Annotated[PlaceOptions, Flat] = PlaceOptions(),
    ppdb: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Take the phrases out of aligned pairs that stand for each other, and count them.

    Makes a run folder with the tables alignments and phrases. A run that was stopped goes on; one made with other
    options is never overwritten.

    Example: `paraloom phrases extract aligned.jsonl --out run --ppdb phrases.txt.gz`

    Parameters
    ----------
    aligned
        Files of aligned pairs, as `phrases align` writes them, or folders of such files.
    out
        Run folder for the tables.
    ppdb
        File to write, too: the kept phrases in PPDB's text form.
    json
        Print one JSON object of what was counted.
    """
    import json as to_json

    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.identify.unfinished import check_target
    from paraloom.workflows.phrases.extract import extract_phrases, write_ppdb

    if ppdb is not None:
        check_target(ppdb, option="--ppdb")
    with progress_bar() as progress:
        found = extract_phrases(aligned, out, options, place, progress=progress)
    if ppdb is not None:
        say(f"{write_ppdb(out, ppdb):,} lines in {ppdb}")
    if json:
        print(to_json.dumps(found.as_json()))
    else:
        print(found.as_text())
