"""`paraloom identify`: pairs → how likely each is a paraphrase; one pair → the same, with the words behind it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.errors import InputError
from paraloom.workflows.identify.options import IdentifyOptions


def identify(
    pairs: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    out: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    left: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    right: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    options: Annotated[IdentifyOptions, Parameter(name="*")] = IdentifyOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say how likely two texts are paraphrases: every pair of a file, or one pair with the words behind its score.

    A file is TSV, CSV, JSONL or Parquet with `left` and `right`, by its ending (also .gz and .zst). Every row, column
    and their order are kept; `score`, `is_paraphrase` and, for the graded definition, `grade` are added.

    Example: `paraloom identify pairs.tsv --out scores.tsv`

    Example: `paraloom identify --left "The storm hit the coast." --right "A storm struck the shore."`

    Parameters
    ----------
    pairs
        File of pairs; `-` is standard input.
    out
        File to write; `-` is standard output.
    left
        One text of a single pair.
    right
        The other text of a single pair.
    json
        Print one JSON object: the answer, or what was counted in the file.
    """
    if left is not None or right is not None:
        if left is None or right is None or pairs is not None or out is not None:
            raise InputError("One pair has --left and --right, and neither a file nor --out. Give both, or a file.")
        _answer(left, right, options, as_json=json)
    elif pairs is None or out is None:
        raise InputError("Give a file of pairs and --out FILE, or one pair with --left TEXT --right TEXT.")
    elif out == "-" and json:
        raise InputError("--out - and --json would both write to standard output. Give --out a file.")
    else:
        _file(pairs, out, options, as_json=json)


def _answer(left: str, right: str, options: IdentifyOptions, *, as_json: bool) -> None:
    import json

    from paraloom.cli.console import console
    from paraloom.workflows.identify.one_pair import identify_pair

    for name in options.about_files():
        console.print(
            f"--{name.replace('_', '-')} is about files: it says nothing here.", markup=False, highlight=False
        )
    answer = identify_pair(left, right, options)
    print(json.dumps(answer.as_json()) if as_json else answer.as_text())


def _file(pairs: str, out: str, options: IdentifyOptions, *, as_json: bool) -> None:
    import json

    from paraloom.cli.console import rows_told, say
    from paraloom.workflows.identify.pair_file import identify_file

    with rows_told("scored") as tell:
        identified = identify_file(pairs, out, options, tell)
    if as_json:
        print(json.dumps(identified.as_json()))
    else:
        say(identified.as_text())
