"""Ways to train a generator in, what each one writes for the same sources out, measured; each is done once and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np

from paraloom.engine.given import check_file
from paraloom.engine.signatures import hash_of_file, paraloom_version
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.loading import load_generator
from paraloom.models.known import short_name
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.reports.experiments import Cell, ResultRow, ResultTable
from paraloom.reports.pages import number
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.metrics import chosen_metrics
from paraloom.workflows.experiments.generator_options import WritingExperimentOptions, WritingStudy
from paraloom.workflows.experiments.saved_rows import SavedRows
from paraloom.workflows.train.generator import train_generator
from paraloom.workflows.train.generator_bases import PLANS, open_base, plan_for
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.generator_seen import Pair
from paraloom.workflows.train.generator_sets import read_measured

FIGURES = ("bleu", "self-bleu", "source-bertscore-f1", "bert-ibleu", "copy-rate")
"""BLEU against the references; the others against the source."""
PARROT = "parrot"
TRAINED = "generators"
"""The folder of what was trained."""

Tell = Callable[[str], None]
Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WritingTrials:
    """Everything that all trainings of one experiment share."""

    files: Sequence[Path]
    options: TrainGeneratorOptions
    plan: PlanOptions
    decoding: Decoding
    evaluation_set: EvaluationSet
    measures: dict[str, Callable[[Sequence[str]], Measured]]
    """By metric, what measures outputs."""
    signatures: dict[str, str]
    """By metric, how it is measured."""
    not_run: dict[str, str]
    made_by: dict[str, Any]
    rows: SavedRows
    folder: Path | None
    tell: Tell

    @classmethod
    def of(
        cls,
        experiment: str,
        files: Sequence[Path],
        study: WritingStudy,
        *,
        changed: Sequence[str] = (),
        out: Path | None = None,
        tell: Tell | None = None,
    ) -> WritingTrials:
        """The trainings of an experiment, with those that are in the folder already.

        `changed` are those of the filters by which its trainings differ.
        """
        options, writing = study.training, study.writing
        for file in options.never:
            check_file(file)
        writer = open_base(options)
        evaluation_set = _evaluation_set(read_measured(files, options, study.fit), options, writing)
        metrics, not_run = chosen_metrics(None, MetricOptions(encoder=writing.encoder), among=FIGURES)
        measures = {metric.name: metric.prepare(evaluation_set) for metric in metrics}
        signatures = {name: measure(evaluation_set.sources).signature for name, measure in measures.items()}
        told = {name: value for name, value in asdict(study.fit).items() if name not in changed}
        made_by = {
            "experiment": experiment,
            "base": writer.signature,
            "fit": told,
            "one way": options.one_way,
            "judge": options.judge,
            "files": [hashed_name(file) for file in files],
            "never": [hashed_name(file) for file in options.never],
            "corpora": list(options.corpora),
            "max pairs": options.max_pairs,
            "weights": options.weights_column,
            "sources": _hash(evaluation_set),
            "beams": writing.beams,
            "seed": options.seed,
            "plan": {**asdict(plan_for(writer, study.plan.on(PLANS[options.method]))), "device": "any"},
            "metrics": signatures,
            "paraloom": paraloom_version(),
        }
        return cls(
            files=files,
            options=options,
            plan=study.plan,
            decoding=Decoding(method="beam", beams=writing.beams),
            evaluation_set=evaluation_set,
            measures=measures,
            signatures=signatures,
            not_run=not_run,
            made_by=made_by,
            rows=SavedRows(out, made_by),
            folder=out,
            tell=tell or (lambda line: None),
        )

    def trained(self, name: str, options: TrainGeneratorOptions, fit: FitOptions, *, kept_as: str = "") -> Result:
        """What a generator that is trained so writes: from the file, or made now and kept.

        `kept_as` is its name in the file, where what is learned from is not the same for all trainings.
        """
        row = kept_as or name
        if self.rows.get(row) is None:
            self.tell(f"{name} …")
            with self._place() as place:
                folder = Path(place) / name.replace(" ", "_")
                card = train_generator(self.files, folder, options, self.plan, fit=fit, tell=self.tell)
                generator = load_generator(folder, self.decoding)
                found = generator.generate(self.evaluation_set.sources, 1, np.random.default_rng(options.seed))
                outputs = [candidates[0].text if candidates else "" for candidates in found]
            learned = {
                "pairs": card.more.get("pairs"),
                "examples": card.examples,
                "left out": dict(card.left_out),
                "perplexity": card.after,
            }
            self.rows.add(row, {**learned, **self._measured(outputs), "outputs": outputs})
            self.tell(f"{name}: {self._told(row)}")
        return cast("Result", self.rows.get(row))

    def parrot(self) -> Result:
        """What copying every source brings."""
        return {"examples": 0, **self._measured(self.evaluation_set.sources)}

    def table(
        self,
        results: dict[str, Result],
        *,
        first: str,
        title: str,
        columns: Sequence[str] = FIGURES,
        about: Mapping[str, str] | None = None,
        published: Mapping[str, Mapping[str, float]] | None = None,
    ) -> ResultTable:
        """One row a training, and the parrot.

        `about` tells by name what each learned from, where that is more than a number of examples; `published` has the
        figures of a paper, by name and column.
        """
        told = {name: f"{number(result['examples'])} examples" for name, result in results.items()}
        told |= {PARROT: "copies every source", **(about or {})}
        beside = published or {}
        rows = [
            ResultRow(
                label=name,
                about=told[name],
                cells=tuple(
                    Cell(values=(result[column],), published=beside.get(name, {}).get(column))
                    if column in result
                    else None
                    for column in columns
                ),
            )
            for name, result in [*results.items(), (PARROT, self.parrot())]
        ]
        return ResultTable(
            system=self.system,
            title=title,
            about=f"{number(len(self.evaluation_set.sources))} held-out sources, the likeliest of "
            f"{self.decoding.beams} beams.",
            first=first,
            second="learned from",
            columns=tuple(columns),
            rows=tuple(rows),
        )

    @property
    def system(self) -> str:
        """What learns."""
        return short_name(self.options.base).removesuffix(".gguf")

    @property
    def signature(self) -> str:
        """All that decides the figures, in the manner of sacrebleu."""
        told = {name: value for name, value in self.made_by.items() if name not in ("fit", "plan", "metrics") and value}
        told |= {f"fit-{name}": value for name, value in self.made_by["fit"].items()}
        told |= {f"plan-{name}": value for name, value in self.made_by["plan"].items() if name != "device"}
        return "|".join(f"{name.replace(' ', '-')}:{_written(value)}" for name, value in told.items())

    @property
    def notes(self) -> tuple[str, ...]:
        """How figures were measured, and which were not."""
        measured = tuple(f"{name}: {signature}" for name, signature in self.signatures.items())
        return (*measured, *(f"{name} was not measured: {why}" for name, why in self.not_run.items()))

    def best(self, results: Mapping[str, Result]) -> tuple[str, str]:
        """The training with the highest BERT-iBLEU, or the lowest self-BLEU where that cannot be measured; in words."""
        is_weighed = all("bert-ibleu" in result for result in results.values())
        figure, best_of, told = ("bert-ibleu", max, "highest") if is_weighed else ("self-bleu", min, "lowest")
        best = best_of(results, key=lambda name: float(results[name][figure]))
        beside = f" (self-bleu {results[best]['self-bleu']:.2f})" if is_weighed else ""
        sources = number(len(self.evaluation_set.sources))
        return best, f"has the {told} {figure}, {results[best][figure]:.2f}{beside}, on {sources} held-out sources"

    def _measured(self, outputs: Sequence[str]) -> dict[str, float]:
        return {name: round(measure(outputs).value, 6) for name, measure in self.measures.items()}

    def _told(self, name: str) -> str:
        result = cast("Result", self.rows.get(name))
        return ", ".join(f"{figure} {result[figure]:.2f}" for figure in FIGURES if figure in result)

    def _place(self) -> AbstractContextManager[Path | str]:
        return TemporaryDirectory() if self.folder is None else nullcontext(self.folder / TRAINED)


def hashed_name(file: Path) -> str:
    """A file by its name and the first digits of its hash."""
    return f"{file.name}-{hash_of_file(file)[:6]}"


def _evaluation_set(
    pairs: Sequence[Pair], options: TrainGeneratorOptions, writing: WritingExperimentOptions
) -> EvaluationSet:
    references: dict[str, list[str]] = {}
    for source, reference in pairs:
        references.setdefault(source, []).append(reference)
    sources = list(references)
    order = np.random.default_rng(options.split_seed).permutation(len(sources))[: writing.most_sources]
    drawn = [sources[place] for place in sorted(order)]
    return EvaluationSet.of(drawn, [references[source] for source in drawn])


def _hash(evaluation_set: EvaluationSet) -> str:
    from hashlib import blake2b

    told = repr((evaluation_set.sources, evaluation_set.references))
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def _written(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
