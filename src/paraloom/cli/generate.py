"""`paraloom generate`: sources → what a generator says in other words, checked and ranked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paraloom.engine.places import PlaceOptions
from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.pairs.generate_options import GenerateOptions
from paraloom.workflows.generate.options import GenerateFileOptions, SourceFileOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from paraloom.pairs.generate import Generated

Flat = Parameter(name="*")
# Its help stands here: without, it would equal that of other commands' lists, and typing keeps the first of equals.
OneAtATime = Parameter(
    allow_leading_hyphen=True,
    consume_multiple=False,
    help="A source itself, instead of a file; may be given several times.",
)


def _flag(name: str) -> str:
    """The flag of a field of `Decoding`; other commands mean groups of posts by --groups."""
    return {"groups": "beam-groups"}.get(name, name.replace("_", "-"))


def generate(
    file: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    /,
    *,
    texts: Annotated[list[str], OneAtATime] = [],  # noqa: B006
    out: Annotated[str | None, Parameter(allow_leading_hyphen=True)] = None,
    as_pairs: Path | None = None,
    run: Path | None = None,
    wanted: Annotated[GenerateOptions, Flat] = GenerateOptions(),
    generator: Annotated[GeneratorOptions, Flat] = GeneratorOptions(),
    decoding: Annotated[Decoding, Parameter(name="*", name_transform=_flag)] = Decoding(),
    reading: Annotated[SourceFileOptions, Flat] = SourceFileOptions(),
    place: Annotated[PlaceOptions, Flat] = PlaceOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Say the same in other words: several paraphrases of every source of a file.

    A file is text with a sentence a line, or JSONL, TSV, CSV or Parquet with a column of texts (also .gz and .zst).
    Each source gives one JSON object with `source` and `outputs`, best first, in the order of the file; without --out
    they go to standard output, and at a terminal are laid out to be read. Candidates that copy their source, lose or
    invent a name or a number, or repeat each other are refused and counted. A run that was stopped goes on where it
    was, with the same outputs.

    Example: `paraloom generate sentences.txt --out paraphrases.jsonl --n 4`

    Example: `paraloom generate --texts "The storm hit the coast on Monday."`

    Parameters
    ----------
    file
        File of sources; `-` is standard input.
    out
        File to write, one JSON object a source; `-` is standard output.
    as_pairs
        Second file to write: every output beside its source, as `left` and `right` with `generator_score`,
        `generator` and `refused_for`.
    run
        Run folder to make instead: `sentences` and `pairs`, refused candidates among them with their reasons.
    json
        Print what was counted as one JSON object.
    """
    options = GenerateFileOptions(generator=generator, decoding=decoding, wanted=wanted, file=reading)
    if (file is None) == (not texts):
        raise InputError("Give a file of sources (- is standard input), or sources themselves with --texts TEXT.")
    if run is not None:
        if file is None or out is not None or as_pairs is not None:
            raise InputError("--run makes a run folder of a file, and nothing beside it. Leave out the others.")
        _run(file, run, options, place, as_json=json)
    elif place != PlaceOptions():
        raise InputError("--engine, --ray-address and --workers are about --run DIR. Leave them out, or give it.")
    elif json and out in (None, "-"):
        raise InputError("--json and the outputs would both be written to standard output. Give --out a file.")
    else:
        _file(file, texts, out or "-", as_pairs, options, as_json=json)


def _file(
    file: str | None,
    texts: list[str],
    out: str,
    as_pairs: Path | None,
    options: GenerateFileOptions,
    *,
    as_json: bool,
) -> None:
    import json
    from contextlib import nullcontext

    from paraloom.cli.console import rows_told, say
    from paraloom.workflows.generate.generate_file import generate_file, texts_as_file

    with nullcontext(file) if file is not None else texts_as_file(texts) as given, rows_told("generated") as tell:
        done = generate_file(given, out, options, tell, as_pairs=as_pairs, shown=_shown())
    if as_json:
        print(json.dumps(done.as_json()))
    else:
        say(done.as_text())


def _shown() -> Callable[[Generated], bytes] | None:
    """How a source is written to standard output: for a person where one looks on, else as in a file."""
    import sys

    from paraloom.workflows.generate.noted import told

    if not sys.stdout.isatty():
        return None
    return lambda generated: told(generated).encode("utf-8", "replace")


def _run(file: str, run: Path, options: GenerateFileOptions, place: PlaceOptions, *, as_json: bool) -> None:
    import json

    from paraloom.cli.console import progress_bar, say
    from paraloom.workflows.generate.generate_run import generate_run

    with progress_bar() as progress:
        made = generate_run([file], run, options, place, progress=progress)
    if as_json:
        print(json.dumps(made.as_json()))
    else:
        say(made.as_text())
