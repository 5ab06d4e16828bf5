"""`paraloom phrases …`: pairs of sentences → aligned words → a table of phrases that stand for each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from paraloom.engine.places import PlaceOptions
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.phrases.options import PhraseOptions
from paraloom.workflows.phrases.align_options import AlignOptions
from paraloom.workflows.phrases.lookup_options import LookupOptions
from paraloom.workflows.phrases.phenomena_options import PhenomenaOptions
from paraloom.workflows.phrases.rank_options import RankOptions

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
    aligner: Annotated[AlignerOptions, Flat] = AlignerOptions(),
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
        aligned = align_pairs(pairs, out, options, tell, aligner=aligner)
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
    overwrite: bool = False,
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
    overwrite
        Replace the file that --ppdb names; tables are never overwritten.
    json
        Print one JSON object of what was counted.
    """
    import json as to_json

    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.identify.unfinished import check_target
    from paraloom.workflows.phrases.extract import extract_phrases, write_ppdb

    if ppdb is not None:
        check_target(ppdb, overwrite=overwrite, option="--ppdb")
    with progress_bar() as progress:
        found = extract_phrases(aligned, out, options, place, progress=progress)
    if ppdb is not None:
        say(f"{write_ppdb(out, ppdb):,} lines in {ppdb}")
    if json:
        print(to_json.dumps(found.as_json()))
    else:
        print(found.as_text())


@phrases.command
def rank(
    source: Path,
    /,
    *,
    out: Path | None = None,
    options: Annotated[RankOptions, Flat] = RankOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Put phrase pairs in the order in which people would rate them.

    Of a run the kept phrases, into its file ranked.parquet, from which lookup then reads; or of any file of phrase
    pairs (TSV, CSV, JSONL, Parquet with left and right), with --out.

    Example: `paraloom phrases rank run`

    Example: `paraloom phrases rank phrases.tsv --out ranked.tsv --effort usual`

    Parameters
    ----------
    source
        Run folder with phrases, or a file of phrase pairs.
    out
        File to write, by its ending: .parquet, .jsonl, .tsv, .csv or .ppdb (.ppdb.gz).
    json
        Print one JSON object of what was counted.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.phrases.rank import rank_phrases

    show(rank_phrases(source, out, options, tell=say), None, as_json=json)


@phrases.command
def lookup(
    source: Path,
    phrase: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    options: Annotated[LookupOptions, Flat] = LookupOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Show what may stand for a phrase, best first, with counts, probabilities and a place where it stood.

    Example: `paraloom phrases lookup run "storm hit"`

    Parameters
    ----------
    source
        Run folder with phrases, ranked or not, or a file of phrase pairs.
    phrase
        One or several words, in any case.
    json
        Print one JSON object.
    """
    from paraloom.cli.evaluate.results import show
    from paraloom.workflows.phrases.lookup import lookup as look_up

    show(look_up(source, phrase, options), None, as_json=json)


@phrases.command
def phenomena(
    files: Annotated[list[str] | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    aligner: Annotated[AlignerOptions, Flat] = AlignerOptions(),
    options: Annotated[PhenomenaOptions, Flat] = PhenomenaOptions(),
    check: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Count in what paraphrases differ: elaboration, spelling, synonym, phrasal, anaphora, reordering.

    Of files of pairs, run folders and, with --data, published corpora: per pair, adjusted by length, with intervals and
    examples (table 7 of Lan et al., 2017). Only pairs that are labelled as paraphrases are counted.

    Example: `paraloom phrases phenomena --data corpora --corpora msrp pit2015`

    Example: `paraloom phrases phenomena pairs.tsv run --aligner lexical`

    Parameters
    ----------
    files
        Files of pairs, or run folders.
    check
        Count nothing: hold the phenomena against what people marked in P4P and MSRP-A, which lie in this folder.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import rows_told
    from paraloom.cli.evaluate.results import show
    from paraloom.errors import InputError
    from paraloom.workflows.phrases.phenomena import corpus_phenomena
    from paraloom.workflows.phrases.phenomena_check import check_phenomena

    if check is not None:
        if files or options != PhenomenaOptions(limit=options.limit):
            raise InputError(
                "--check looks at P4P and MSRP-A alone. Beside it --limit, --aligner and --settings count."
            )
        show(check_phenomena(check, aligner, limit=options.limit), None, as_json=json)
        return
    with rows_told("looked at") as tell:
        counted = corpus_phenomena(
            files or (), options, aligner=aligner, step=lambda title, done, total: tell(done, total)
        )
    show(counted, None, as_json=json)
