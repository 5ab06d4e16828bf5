"""Sources and outputs in, what types of paraphrase they are out: `profile` for pairs, `evaluate_types` for files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.corpus.pair_files import PairFile, names_of
from paraloom.corpus.system_outputs import read_system
from paraloom.engine.given import check_file
from paraloom.errors import InputError
from paraloom.metrics.types.pair_types import PairTypes
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.paraphrase_types_evidence import TypeFinder
from paraloom.workflows.evaluate.paraphrase_types_options import TypeOptions
from paraloom.workflows.evaluate.paraphrase_types_profile import TypeProfile, profile_of

Pair = tuple[str, str]
Step = Callable[[str, int, int], None]


def profile(pairs: Sequence[Pair], options: TypeOptions = TypeOptions(), step: Step | None = None) -> TypeProfile:
    """What types of paraphrase these are: a source and an output each.

    >>> quick = TypeOptions(embedder="", wordnet=False, meaning=False)
    >>> profile([("The storm hit the coast on Monday", "On Monday the storm hit the coast")], quick).good_per_output
    1.0
    """
    return _profile(pairs, TypeFinder.load(options), options, step)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesEvaluation:
    """The profile of every file, to be printed."""

    profiles: dict[str, TypeProfile]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The profile; by file under `systems` where there are several."""
        if len(self.profiles) == 1:
            return {**next(iter(self.profiles.values())).as_json(), "notes": list(self.notes)}
        return {
            "systems": {name: profile.as_json() for name, profile in self.profiles.items()},
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Tables with examples, one after another."""
        if len(self.profiles) == 1:
            return "\n\n".join([*(profile.as_text() for profile in self.profiles.values()), *self.notes])
        told = [f"{name}\n\n{profile.as_text()}" for name, profile in self.profiles.items()]
        return "\n\n".join([*told, *self.notes])


def evaluate_types(
    files: Sequence[Path], options: TypeOptions = TypeOptions(), step: Step | None = None
) -> TypesEvaluation:
    """The profiles of files: outputs as `generate` writes them, or pairs of which the left text is the source."""
    if not files:
        raise InputError("There is nothing to look at. Give files of outputs, as `generate` writes them, or of pairs.")
    if options.examples < 0:
        raise InputError(f"--examples is {options.examples}, but must be 0 or more.")
    read = {_name(file, files): _read(file, options) for file in files}
    finder = TypeFinder.load(options)
    profiles = {name: _profile(given.pairs, finder, options, step) for name, given in read.items()}
    return TypesEvaluation(profiles=profiles, notes=tuple(note for given in read.values() for note in given.notes))


@dataclass(frozen=True, slots=True)
class _Given:
    """The pairs of one file."""

    pairs: list[Pair]
    notes: tuple[str, ...]


def _read(file: Path, options: TypeOptions) -> _Given:
    check_file(file)
    names = names_of(file)
    if "source" in names and "outputs" in names:
        rows = read_system(file).rows
        pairs = [(row.source, text) for row in rows for text in (row.texts if options.every_output else row.texts[:1])]
        without = sum(not row.texts for row in rows)
        note = f"{file}: {counted(without, 'source without an output was', 'sources without an output were')} left out."
    else:
        given = PairFile(path=file)
        pairs = list(given)
        without = given.left_out
        note = f"{file}: {counted(without, 'row without two texts was', 'rows without two texts were')} left out."
    if not pairs:
        raise InputError(f"{file} holds no output. Give a file with a source and an output a row.")
    return _Given(pairs, (note,) if without else ())


def _name(file: Path, files: Sequence[Path]) -> str:
    """A file's name; its whole path where two are called alike."""
    return file.name if sum(other.name == file.name for other in files) == 1 else str(file)


def _profile(pairs: Sequence[Pair], finder: TypeFinder, options: TypeOptions, step: Step | None) -> TypeProfile:
    return profile_of(_found(pairs, finder, step), finder.signature, options.examples)


def _found(pairs: Sequence[Pair], finder: TypeFinder, step: Step | None) -> Iterator[tuple[str, str, PairTypes]]:
    for number, ((source, output), types) in enumerate(zip(pairs, finder.find(pairs), strict=True), start=1):
        yield source, output, types
        if step is not None and (number % 100 == 0 or number == len(pairs)):
            step("pairs", number, len(pairs))
