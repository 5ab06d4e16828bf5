"""`paraloom mine FILE...`: the whole way from sentences to pairs, labels and clusters."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.engine.places import PlaceOptions
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, SearchOptions

Flat = Parameter(name="*")
BROKEN_INPUT = 3
"""The exit status of a run that is whole but for input that could not be read, or that has no sentence."""


def mine_sentences(
    files: Annotated[list[str], Parameter(allow_leading_hyphen=True)],
    /,
    *,
    out: Path,
    skip_broken: Annotated[bool, Parameter(negative="")] = False,
    hub: Annotated[bool, Parameter(negative="")] = False,
    memory: str = "",
    lines: Annotated[LineOptions, Flat] = LineOptions(),
    embed: Annotated[EmbedOptions, Flat] = EmbedOptions(),
    search: Annotated[SearchOptions, Flat] = SearchOptions(),
    pairs: Annotated[MinedPairOptions, Flat] = MinedPairOptions(),
    judge: Annotated[JudgeOptions, Flat] = JudgeOptions(),
    place: Annotated[PlaceOptions, Flat] = PlaceOptions(),
) -> None:
    """Find the pairs of sentences that say the same, among thousands or hundreds of millions.

    Reads text (a sentence a line), TSV, CSV, JSONL and Parquet with a column `text` or `sentence`, files of pairs (both
    sides), plain or .gz/.zst/.bz2/.xz, and run folders of build, align and mine. A mined run grows as it was mined:
    its own options hold where none are given, and nothing is embedded again. A run that was stopped goes on where it
    was; one made with other options is never overwritten. The exit status is 3 where a file was broken (what could be
    read of it was mined) or nothing was a sentence.

    Example: `paraloom mine sentences.txt --out run` or `paraloom mine shards/*.txt.gz --out pairs.tsv --no-identify`

    Parameters
    ----------
    files
        Files, folders, globs, run folders; `-` is standard input.
    out
        Run folder, or a file of pairs (.tsv, .csv, .jsonl, .parquet) beside which the run folder lies.
    skip_broken
        Broken files, or none that has a sentence, are no reason for another exit status than 0.
    hub
        Ask the model hub for an embedder that is not on this machine.
    memory
        Memory of this machine that the run may use, such as `8GB` or `64GiB`: no more helper processes are started than
        fit into it, and vectors are packed (--codes auto) where their lists do not. By default what is free; where
        --workers is given, so many are started.
    """
    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.mine.mine import mine
    from paraloom.workflows.mine.options import MineOptions

    options = MineOptions(
        lines=lines, embed=embed, search=search, pairs=pairs, judge=judge, place=place, hub=hub, memory=memory
    )
    with progress_bar() as progress:
        mined = mine(files, out, options, progress=progress, tell=say)
    for line in mined.told:
        say(line)
    print(mined.file)
    if mined.is_broken and not skip_broken:
        sys.exit(BROKEN_INPUT)
