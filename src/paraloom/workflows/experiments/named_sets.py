"""Words such as NAME=FILE in, the training sets of an experiment out, each with the filters that it goes through."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paraloom.engine.given import check_file
from paraloom.errors import InputError
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.experiments.generator_options import GeneratorDataOptions, WritingStudy
from paraloom.workflows.experiments.writing_trials import PARROT, hashed_name
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.training_files import read_training_splits

ANY_BLEU = 100.0
NAME = re.compile(r"\w[\w.+-]*")
"""A name is that of a folder, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSet:
    """A file of pairs that one generator learns from."""

    name: str
    file: Path
    options: TrainGeneratorOptions
    """With a judge only where it is asked about this set."""
    fit: FitOptions

    @property
    def is_filtered(self) -> bool:
        """Whether pairs may be left out for their BLEU."""
        return self.fit.max_bleu < ANY_BLEU

    @property
    def is_judged(self) -> bool:
        """Whether only strict paraphrases are learned from."""
        return bool(self.options.judge)

    @property
    def filters(self) -> str:
        """Which of the filters that sets may do without it goes through, in words."""
        bleu = f"BLEU at most {self.fit.max_bleu:g}" if self.is_filtered else "any BLEU"
        return f"{bleu}, strict paraphrases" if self.is_judged else bleu

    def signature(self, judge: str) -> str:
        """The file and the filters that decide what is learned from under its name; `judge` is the judge's own."""
        told = {"max-bleu": f"{self.fit.max_bleu:g}", "judge": judge if self.is_judged else ""}
        filters = (f"{name}:{value}" for name, value in told.items() if value)
        return "|".join([f"{self.name}:{hashed_name(self.file)}", *filters])


def named_sets(words: Sequence[str], study: WritingStudy, settings: GeneratorDataOptions) -> list[NamedSet]:
    """The training sets in their order; names, files and switches that cannot be are refused before any work begins."""
    if not words:
        raise InputError("There is nothing to learn from. Give training sets, each as NAME=FILE.")
    files: dict[str, Path] = {}
    for word in words:
        name, equals, file = word.partition("=")
        if not equals or not file:
            raise InputError(f"{word!r} is not of the form NAME=FILE, as in crowd=crowd.tsv.")
        if not NAME.fullmatch(name) or name == PARROT:
            raise InputError(
                f"{word!r}: {name!r} cannot be the name of a training set. Choose one of letters, digits and . _ + -, "
                f"other than {PARROT}."
            )
        if name in files:
            raise InputError(f"Two training sets are called {name}: {files[name]} and {file}. Name them apart.")
        files[name] = Path(file)
    options, fit = study.training, study.fit
    _check_switches(files, options, settings)
    for path in files.values():
        check_file(path)
    return [
        NamedSet(
            name=name,
            file=file,
            options=replace(options, judge="") if name in settings.loose else options,
            fit=replace(fit, max_bleu=ANY_BLEU) if name in settings.unfiltered else fit,
        )
        for name, file in files.items()
    ]


def refuse_own_held_out(sets: Sequence[NamedSet]) -> None:
    """A file that holds out pairs of its own would choose its generator by other pairs than the others."""
    for one in sets:
        options = one.options
        read = (one.file, options.definition or "loose", named_columns(options.columns))
        _, held_out, _ = read_training_splits(*read, rewrites=not options.without_rewrites, unlabelled=True)
        if held_out is not None:
            raise InputError(
                f"{one.name}: {one.file} holds out a dev split of its own (column split), but the same pairs must be "
                "held out of all training sets. Give a file of its training pairs alone."
            )


def _check_switches(files: dict[str, Path], options: TrainGeneratorOptions, settings: GeneratorDataOptions) -> None:
    for flag, names in (("--unfiltered", settings.unfiltered), ("--loose", settings.loose)):
        if unknown := [name for name in names if name not in files]:
            raise InputError(
                f"{flag} {' '.join(unknown)}: no training set is called so. Choose among: {', '.join(files)}."
            )
    if settings.loose and not options.judge:
        raise InputError("--loose names sets that the judge is not asked about, but there is none. Give a --judge.")
