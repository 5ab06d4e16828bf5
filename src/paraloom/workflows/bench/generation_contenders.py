"""Options in, who is measured out: generators that are asked here, and files that others wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraloom.corpus.system_outputs import SystemRows, read_system
from paraloom.errors import InputError
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.models.generators.systems import SYSTEMS
from paraloom.pairs.generate_options import GenerateOptions
from paraloom.workflows.bench.generation_options import GenerationBenchOptions
from paraloom.workflows.bench.generation_outputs import Written
from paraloom.workflows.bench.generation_sets import BenchSet
from paraloom.workflows.generate.asked_for import Writer
from paraloom.workflows.generate.options import GenerateFileOptions

NONE = "none"
PEOPLE = "people"
"""What people's row is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """One row of the tables."""

    name: str
    generator: str = ""
    """Name, folder or model of the hub; empty where its outputs are in a file."""
    file: Path | None = None


def contenders(options: GenerationBenchOptions) -> list[Contender]:
    """Generators first, then files, in the order they were given.

    >>> [one.name for one in contenders(GenerationBenchOptions(generators=("lexical", "quora=runs/q")))]
    ['lexical', 'quora']
    """
    found = [_generator(asked) for asked in options.generators if asked != NONE]
    for asked in options.outputs:
        name, equals, file = asked.partition("=")
        if not equals or not name or not file:
            raise InputError(f"--outputs {asked!r} is not of the form NAME=FILE.")
        if not Path(file).is_file():
            raise InputError(f"--outputs {asked}: there is no file {file}. Check the path.")
        found.append(Contender(name=name, file=Path(file)))
    names = [one.name for one in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"Two contenders are called {twice}. Name them apart: --generators NAME=FOLDER.")
    if PEOPLE in names:
        raise InputError(f"{PEOPLE} is what the row of people's references is called. Name it apart: NAME=PATH.")
    if not found:
        raise InputError("There is nobody to measure. Give --generators or --outputs.")
    return found


def _generator(asked: str) -> Contender:
    """`NAME=FOLDER`, or what is asked for alone: a folder is called by its last part."""
    name, equals, folder = asked.partition("=")
    if equals and name and folder and not Path(asked).exists():
        return Contender(name=name, generator=folder)
    is_folder = asked not in SYSTEMS and Path(asked).is_dir()
    return Contender(name=Path(asked).resolve().name if is_folder else asked, generator=asked)


def load_writer(contender: Contender, options: GenerationBenchOptions) -> Writer:
    """A generator as `generate` runs it; where too few candidates pass, the least bad of the others are taken."""
    return Writer.of(
        GenerateFileOptions(
            generator=GeneratorOptions(
                generator=contender.generator,
                rank_by=options.rank_by,
                rank_judge=options.rank_judge,
                device=options.device,
                hub=options.hub,
            ),
            wanted=GenerateOptions(
                n=options.n, max_candidates=options.max_candidates, when_too_few="fill", seed=options.seed
            ),
        )
    )


def read_written(contender: Contender, one: BenchSet) -> Written:
    """A file's outputs for the sources of a set; an error where it lacks some."""
    assert contender.file is not None
    rows = read_system(contender.file)
    wanted = set(one.evaluation_set.sources)
    kept = tuple(row for row in rows.rows if row.source in wanted)
    lacking = len(wanted) - len({row.source for row in kept})
    if lacking:
        raise InputError(f"{contender.file} has no outputs for {lacking:,} of {len(wanted):,} sources.")
    found = SystemRows(name=contender.name, path=contender.file, rows=kept)
    return Written(rows=found, signature=f"file|{contender.file.name}", cost=None)
