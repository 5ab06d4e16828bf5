"""Corpora and options in, one result file a training out: fits every contender on every part, and scores it.

Needs what the systems themselves need and NumPy, no more: it also runs on a bare machine with a GPU, by a few lines.

    from paraloom.corpus.known import read_corpus
    from paraloom.workflows.bench.identification_options import BenchOptions
    from paraloom.workflows.bench.runs import run_rows

    run_rows(BenchOptions(systems=("cross-encoder",), folds=1), Path("out"), [read_corpus("msrp", Path("data"))])
"""

from __future__ import annotations

import json
import shutil
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs, hash_of_pairs
from paraloom.engine.signatures import paraloom_version, plain_options
from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.significance import group_numbers
from paraloom.models.identifiers import Examples, Identifier, load, score_examples, untrained
from paraloom.models.identifiers.systems import SYSTEMS
from paraloom.models.training.plan import PlanOptions
from paraloom.models.training.surroundings import training_in
from paraloom.models.training.task import CurvePoint
from paraloom.workflows.bench.contenders import MEASURED_ON, Contender, contenders_on, why_no_base
from paraloom.workflows.bench.division import Division, Part, divide, divide_with_others, hash_of_corpus, limited
from paraloom.workflows.bench.entailments import FOLDER as ENTAILMENTS_FOLDER
from paraloom.workflows.bench.entailments import divide_with_entailments, entailment_sets, seconds_with_training
from paraloom.workflows.bench.graded_labels import as_taught
from paraloom.workflows.bench.identification_options import BenchOptions
from paraloom.workflows.bench.machine import DeviceWatch, this_machine
from paraloom.workflows.bench.measured_groups import truth_letters
from paraloom.workflows.bench.results import Result, has_result, result_file, save_reasons, save_result
from paraloom.workflows.bench.shipped import check_unseen, split_to_measure, was_chosen_on

UNFINISHED = "unfinished"
"""Folder where trainings that were stopped keep what they reached."""

FAILED = "failed"
"""Folder with the whole story of what went wrong, one file a row."""

WARM_UP = 16
"""Pairs that are scored before the clock starts: the first of any system pay for loading."""

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What came of a run, by corpus and contender's name. The results themselves lie in the folder."""

    plans: Mapping[tuple[str, str], str]
    """The plan by which each contender was asked for."""
    not_run: Mapping[tuple[str, str], str]
    """Why a contender has no results, or not all."""


def run_rows(
    options: BenchOptions,
    folder: Path,
    corpora: Sequence[KnownCorpus],
    training: PlanOptions = PlanOptions(),
    tell: Tell | None = None,
) -> Ran:
    """Run what has no result in the folder yet; what could not be run is told in the end, and never stops the rest."""
    read = {corpus.name: limited(corpus, options.limit) for corpus in corpora}
    plans: dict[tuple[str, str], str] = {}
    not_run: dict[tuple[str, str], str] = {}
    for name, corpus in read.items():
        if name not in (options.corpora or MEASURED_ON):
            continue
        digest = hash_of_corpus(corpus)
        for contender in contenders_on(corpus.name, corpus.definition, options):
            run = _Run(options, folder, corpus, digest, read, contender, training, tell or (lambda line: None), plans)
            reason = run.reason_or_none()
            if reason is not None:
                not_run[name, contender.name] = reason
    save_reasons(folder, not_run)
    return Ran(plans=plans, not_run=not_run)


@dataclass(frozen=True, slots=True)
class _Run:
    """One contender on one corpus."""

    options: BenchOptions
    folder: Path
    corpus: KnownCorpus
    digest: str
    read: Mapping[str, KnownCorpus]
    contender: Contender
    training: PlanOptions
    tell: Tell
    plans: dict[tuple[str, str], str]

    @property
    def name(self) -> str:
        return f"{self.corpus.name} · {self.contender.name}"

    def reason_or_none(self) -> str | None:
        """Run it; the reason where that was not possible."""
        try:
            if self.contender.as_shipped:
                self._score_as_shipped()
            else:
                self._fit_and_score()
        except ParaloomError as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a system that fails is a row of the table, not the end of the run
            reason = f"failed: {type(error).__name__}: {_first_line(error)}"
            self._keep_story()
        else:
            return None
        self.tell(f"{self.name}: not {'measured' if self.contender.as_shipped else 'run'}: {reason}")
        return reason

    def _fit_and_score(self) -> None:
        missing = why_no_base(self.contender, hub=self.options.hub)
        if missing:
            raise InputError(missing)
        system = untrained(self.contender.system, **self._settings())
        settings = _plain_settings(system, self.contender)
        division = self._division()
        check_unseen(system, self.corpus.name, division.split)
        if was_chosen_on(system, self.corpus.name, division.split):
            told = f"{division.protocol}; the weights it asks were chosen on it"
            division = replace(division, protocol=told)
        for seed in self.options.seeds:
            for fold, part in enumerate(division.parts):
                self._unless_there(system, settings, division, part, fold, seed)

    def _score_as_shipped(self) -> None:
        identifier = load(self.contender.system)
        if self.corpus.definition not in identifier.definitions:
            raise InputError(f"it was not trained for the definition {self.corpus.definition}")
        split = split_to_measure(identifier, self.corpus)
        pairs = self.corpus.splits[split].labelled()
        nothing = pairs.chosen([])
        part = Part(fit=nothing, held_out=nothing, measured=pairs)
        protocol = f"as shipped, on all of {split}"
        if was_chosen_on(identifier, self.corpus.name, split):
            protocol += "; not unseen: .5 was placed on it"
        division = Division(protocol=protocol, split=split, parts=(part,))
        self._unless_there(identifier, {"weights": identifier.signature}, division, part, 0, 1)

    def _settings(self) -> dict[str, Any]:
        """The base, and the system's own plan with what was asked for in its place, for systems that have them."""
        contender = self.contender
        settings: dict[str, Any] = {contender.setting: contender.base_place} if contender.base else {}
        plan = SYSTEMS[contender.system].own_plan()
        if plan is not None:
            settings["plan"] = self.training.on(plan)
        return settings

    def _division(self) -> Division:
        contender = self.contender
        if contender.learns_entailments:
            return divide_with_entailments(self.corpus, self.read.values(), self.options)
        if not contender.fit_on:
            return divide(self.corpus, self.options)
        missing = [name for name in contender.fit_on if name not in self.read]
        if missing:
            raise InputError(f"{missing[0]}, which it is fitted on, is not in the folder")
        others = [self.read[name] for name in contender.fit_on if name != self.corpus.name]
        return divide_with_others(self.corpus, others, contender.measured, self.options)

    def _unless_there(
        self, system: Identifier, settings: Mapping[str, Any], division: Division, part: Part, fold: int, seed: int
    ) -> None:
        decides = {"settings": settings, "contender": self.contender.name, "protocol": division.protocol}
        plan = self.plans[self.corpus.name, self.contender.name] = _short(decides)
        key = _short({"plan": plan, "part": part.digest(), "seed": seed})
        file = result_file(self.folder, self.corpus.name, self.contender.name, fold, seed, key)
        if has_result(file):
            return
        reached = self._kept_in(settings, part, seed) or self.folder / UNFINISHED / key
        result = self._result(system, settings, division, part, fold, seed, plan, reached)
        save_result(result, file)
        shutil.rmtree(self.folder / UNFINISHED / key, ignore_errors=True)
        where = f"fold {fold + 1} of {result.folds}, seed {seed}" if result.folds > 1 else f"seed {seed}"
        speed = len(result.scores) / max(result.score_seconds, 1e-9)
        self.tell(f"{self.name}: {where}: {result.fit_seconds:.1f} s to fit, {speed:,.0f} pairs/s on {result.device}")

    def _kept_in(self, settings: Mapping[str, Any], part: Part, seed: int) -> Path | None:
        """The folder of a training that serves every corpus; None where there is none."""
        if not self.contender.learns_entailments:
            return None
        learned = _short({"settings": settings, "entailments": hash_of_pairs([part.fit]), "seed": seed})
        return self.folder / ENTAILMENTS_FOLDER / learned

    def _result(
        self,
        system: Identifier,
        settings: Mapping[str, Any],
        division: Division,
        part: Part,
        fold: int,
        seed: int,
        plan: str,
        reached: Path,
    ) -> Result:
        definition = self.corpus.definition
        watch = DeviceWatch()
        started = perf_counter()
        curve: tuple[CurvePoint, ...] = ()
        if not self.contender.as_shipped:
            examples, held_out = self._sets(part)
            with training_in(reached, lambda line: self.tell(f"{self.name}: {line}")) as around:
                system = system.fit(examples, held_out, seed)
            curve = tuple(point for points in around.curves for point in points)
        fit_seconds = 0.0 if self.contender.as_shipped else perf_counter() - started
        if self.contender.learns_entailments:
            fit_seconds = seconds_with_training(reached, fit_seconds)
        measured = part.measured
        asked = measured.examples(definition)
        score_examples(system, asked.chosen(range(max(0, len(asked) - WARM_UP), len(asked))))
        warm = perf_counter()
        scores = score_examples(system, asked)
        done = perf_counter()
        if not np.isfinite(scores).all():
            raise InputError(f"failed: {int((~np.isfinite(scores)).sum())} of {len(scores)} scores are no numbers")
        machine = this_machine()
        return Result(
            contender=self.contender.name,
            system=self.contender.system,
            base=self.contender.base,
            corpus=self.corpus.name,
            corpus_hash=self.digest,
            protocol=division.protocol,
            fold=fold,
            folds=len(division.parts),
            seed=seed,
            plan=plan,
            settings=settings,
            identifier=system.signature,
            parameters=system.parameters,
            fit_pairs=len(part.fit),
            fit_seconds=round(fit_seconds, 3),
            score_seconds=round(done - warm, 6),
            device=watch.device(),
            processor=machine.processor,
            cores=machine.cores,
            paraloom=paraloom_version(),
            truth=truth_letters(measured),
            scores=scores.tolist(),
            groups=group_numbers(measured.groups).tolist(),
            learning_rate=max(curve, key=lambda point: point.f1).learning_rate if curve else None,
            curve=[_point(point) for point in curve],
            **_grades(system, measured),
        )

    def _sets(self, part: Part) -> tuple[list[Examples], list[Examples]]:
        """What is learned from, and what is held out."""
        definition = self.corpus.definition
        if self.contender.learns_entailments:
            return entailment_sets(part, definition)
        return [_examples(part.fit, definition)], [_examples(part.held_out, definition)]

    def _keep_story(self) -> None:
        file = result_file(self.folder, self.corpus.name, self.contender.name, 0, 0, "x")
        story = self.folder / FAILED / self.corpus.name / f"{file.name.split('.fold-')[0]}.txt"
        story.parent.mkdir(parents=True, exist_ok=True)
        story.write_text(traceback.format_exc(), encoding="utf-8")


def _examples(pairs: KnownPairs, definition: str) -> Examples:
    """What a system learns from; with grades, where the corpus has them and grades are asked for."""
    if definition != "graded" or pairs.grades is None:
        return pairs.examples(definition)
    from paraloom.models.identifiers.graded_heads import GradedExamples

    return GradedExamples.of(pairs.left, pairs.right, [as_taught(grade) for grade in pairs.grades])


def _plain_settings(system: Identifier, contender: Contender) -> dict[str, Any]:
    """Every setting of an untrained system as plain values: what decides its scores beside the pairs and the seed.

    A base counts by its name, wherever it lies, and the device not at all: results may come from another machine.
    """
    settings = plain_options(system)
    if contender.base:
        settings[contender.setting] = contender.base
    if isinstance(settings.get("plan"), dict):
        settings["plan"] = {name: value for name, value in settings["plan"].items() if name != "device"}
    plain: dict[str, Any] = json.loads(json.dumps(settings, sort_keys=True, default=str))
    return plain


def _short(decides: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(decides, sort_keys=True, default=str).encode(), digest_size=5).hexdigest()


def _point(point: CurvePoint) -> dict[str, float]:
    kept = asdict(point)
    return {name: kept[name] for name in ("learning_rate", "epoch", "step", "loss", "f1")}


def _grades(system: Identifier, measured: KnownPairs) -> dict[str, Sequence[str]]:
    """True and predicted labels of a graded scheme, where the corpus has them and the system gives them."""
    predict: Any = getattr(system, "grades", None)
    if measured.grades is None or not callable(predict):
        return {}
    return {
        "true_grades": [as_taught(grade) for grade in measured.grades],
        "predicted_grades": [str(grade) for grade in predict(measured.left, measured.right)],
    }


def _first_line(error: Exception) -> str:
    return next((line for line in str(error).splitlines() if line.strip()), "no message")
