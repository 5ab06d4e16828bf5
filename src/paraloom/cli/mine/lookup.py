"""`paraloom mine lookup`: what a mined run has that is near to a text."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter


def lookup(
    run: Path,
    texts: Annotated[list[str] | None, Parameter(allow_leading_hyphen=False)] = None,
    /,
    *,
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    k: Annotated[int, Parameter(name=("--k", "-k"))] = 10,
    probes: int = 0,
    embedder: str | None = None,
    device: Literal["cpu", "cuda"] = "cpu",
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Show the sentences of a mined run that are nearest to a text.

    Example: `paraloom mine lookup run "The storm hit the coast" -k 5` or `paraloom mine lookup run --file said.txt`

    Parameters
    ----------
    run
        Run folder of `paraloom mine`.
    texts
        Texts to look for.
    file
        File of further texts, one a line; `-` is standard input.
    k
        So many sentences of each.
    probes
        Look into so many lists of the index, and at neighbours of what they hold; 0: at all sentences up to 1 GB of
        vectors, beyond into four times as many lists as the run did.
    embedder
        Where the embedder's folder lies now, if the run was made with one of a folder; its weights must be the same.
    device
        Where texts become vectors, wherever those of the run were made.
    json
        Print one JSON object a text.
    """
    from paraloom.errors import InputError
    from paraloom.workflows.mine.lookup import look_up_all

    if not texts and file is None:
        raise InputError("There is no text to look for. Give one, or a file of them with --file (- is standard input).")
    asked = chain(texts or (), _lines(file) if file is not None else ())
    for looked in look_up_all(run, asked, k, probes=probes, embedder=embedder, device=device):
        print(looked.as_json() if json else looked.as_text())


def _lines(file: str) -> Iterator[str]:
    """The texts of a file, packed or not, one a line."""
    from paraloom.engine.given_lines import TextSource
    from paraloom.errors import InputError

    if file == "-":
        yield from (line.rstrip("\r\n") for line in sys.stdin)
        return
    if not Path(file).is_file():
        raise InputError(f"{file} is no file. Give --file a file of texts, one a line, or - for standard input.")
    source = TextSource.open(Path(file))
    for number, _, raw, _ in source.lines():
        yield source.decoded(raw, number).removesuffix("\r")
