"""Files or corpora to train on and to hold out in, what they share out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.corpus.known import CORPORA, KnownCorpus, read_corpus
from paraloom.corpus.leakage import LeakageReport, Pairs, check_no_leakage
from paraloom.corpus.pair_files import PairFile
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.reports.pages import number, percent
from paraloom.reports.plain import plain_table
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.leakage_options import LeakageOptions
from paraloom.workflows.evaluate.named_columns import named_columns

SIGNATURE = "compared:letters-and-digits|links:out|mentions:out|order:either"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakageEvaluation:
    """What every two sets share, to be printed."""

    report: LeakageReport
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Totals under `metrics`, and every two sets with examples."""
        shared = self.report.shared
        return {
            "metrics": {
                "shared-pairs": sum(one.pairs for one in shared),
                "shared-texts": sum(one.texts for one in shared),
            },
            "signature": {
                name: f"{name}|{SIGNATURE}|paraloom:{paraloom_version()}" for name in ("shared-pairs", "shared-texts")
            },
            "compared": [
                {
                    "training": one.training,
                    "held_out": one.held_out,
                    "shared_pairs": one.pairs,
                    "held_out_pairs": one.of_pairs,
                    "shared_texts": one.texts,
                    "held_out_texts": one.of_texts,
                    "rows": list(one.rows),
                    "pair_examples": [list(pair) for pair in one.pair_examples],
                    "text_examples": list(one.text_examples),
                }
                for one in shared
            ],
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """A table of every two sets, and the shared pairs."""
        rows = [
            [
                one.training,
                one.held_out,
                number(one.pairs),
                percent(one.pairs / max(1, one.of_pairs)),
                number(one.texts),
                percent(one.texts / max(1, one.of_texts)),
            ]
            for one in self.report.shared
        ]
        header = ["training", "held out", "pairs", "of them", "texts", "of them"]
        return "\n\n".join([plain_table(header, rows, words=(0, 1)), self._verdict(), *self._shown(), *self.notes])

    def _verdict(self) -> str:
        leaks = self.report.leaks
        if leaks:
            return "Held-out pairs are among the training pairs: take them out before training."
        if any(one.texts for one in self.report.shared):
            return "No held-out pair is among the training pairs; some of their texts are."
        return "Nothing held out is among the training pairs."

    def _shown(self) -> list[str]:
        shown = []
        for one in (one for one in self.report.leaks if one.pair_examples):
            lines = [f"{one.held_out} in {one.training}:"]
            lines += [f"  - {left}\n    {right}" for left, right in one.pair_examples]
            shown.append("\n".join(lines))
        return shown


def evaluate_leakage(
    training: Sequence[str], held_out: Sequence[str], options: LeakageOptions = LeakageOptions()
) -> LeakageEvaluation:
    """Hold each of the training sets against each of the held-out ones; each is a file, or a corpus of `--data`."""
    if not training or not held_out:
        raise InputError("Give at least one set to train on, and one with --held-out.")
    if options.examples < 0:
        raise InputError(f"--examples is {options.examples}, but must be 0 or more.")
    sets = _Sets(options)
    to_train = {name: pairs for given in training for name, pairs in sets.named(given).items()}
    to_hold_out = {name: pairs for given in held_out for name, pairs in sets.named(given).items()}
    report = check_no_leakage(to_train, to_hold_out, examples=options.examples)
    return LeakageEvaluation(report=report, notes=_notes({**to_train, **to_hold_out}))


class _Sets:
    """What was given, by name; a corpus is read once."""

    def __init__(self, options: LeakageOptions) -> None:
        self._data = options.data
        self._columns = named_columns(options.columns)
        self._read: dict[str, KnownCorpus] = {}

    def named(self, given: str) -> dict[str, Pairs]:
        name, _, split = given.partition(":")
        if name in CORPORA and not Path(given).exists():
            return self._of_corpus(name, split)
        return {given: PairFile(path=Path(given), columns=self._columns)}

    def _of_corpus(self, name: str, split: str) -> dict[str, Pairs]:
        if self._data is None:
            raise InputError(f"{name} is a published corpus. Say where its files are: --data FOLDER.")
        corpus = self._read.setdefault(name, read_corpus(name, self._data))
        if split and split not in corpus.splits:
            raise InputError(f"{self._data} has no {split} of {name}; it has {', '.join(corpus.splits)}.")
        return {f"{name}:{one}": pairs for one, pairs in corpus.splits.items() if not split or one == split}


def _notes(sets: Mapping[str, Pairs]) -> tuple[str, ...]:
    return tuple(
        f"{name}: {counted(pairs.left_out, 'row without two texts was', 'rows without two texts were')} left out."
        for name, pairs in sets.items()
        if isinstance(pairs, PairFile) and pairs.left_out
    )
