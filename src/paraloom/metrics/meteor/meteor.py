"""Outputs and references in, METEOR 1.5 out, computed by its own jar (Denkowski and Lavie, 2014).

NLTK's METEOR is another metric with other numbers: see `nltk_meteor`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, signature
from paraloom.metrics.meteor.files import MeteorFiles, meteor_files, short_hash, why_no_meteor
from paraloom.metrics.meteor.pool import shared_pool
from paraloom.metrics.meteor.process import one_line, question
from paraloom.metrics.meteor.score import meteor_of_sums, summable
from paraloom.metrics.parts import cores


@dataclass(frozen=True, slots=True, kw_only=True)
class Meteor:
    """METEOR 1.5 for English, from 0 to 100: its value over a set is the jar's own, not a mean over items.

    Of several references, METEOR takes for each output the one that scores best. Prepared measures share their Java
    processes, which end with the last of them.
    """

    processes: int = 2
    """At most so many Java processes, where there are as many cores and enough to do."""
    memory: str = "2G"
    """Memory of each, as Java takes it (`-Xmx`)."""

    def __post_init__(self) -> None:
        """Refuse what cannot be run before Java is started."""
        if self.processes < 1:
            raise InputError(f"METEOR cannot run in {self.processes} processes. Give at least 1.")

    @property
    def name(self) -> str:
        """`meteor`."""
        return "meteor"

    @property
    def better(self) -> Better:
        """Higher: more of a reference is met."""
        return "higher"

    def why_not(self) -> str | None:
        """What must be installed before this metric can be measured; None where it can."""
        return why_no_meteor()

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; Java is started at the first outputs."""
        files = meteor_files()
        pool = shared_pool(files, self.memory, min(self.processes, cores()))
        questions = [question(texts) for texts in evaluation_set.references]
        signed = _signature(evaluation_set, files)

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            lines = [asked + one_line(output) for asked, output in zip(questions, outputs, strict=True)]
            statistics = summable(pool.statistics(lines))
            return Measured(
                name=self.name,
                value=float(meteor_of_sums(statistics.sum(axis=0))),
                items=meteor_of_sums(statistics),
                signature=signed,
                better=self.better,
                statistics=statistics,
                combine=meteor_of_sums,
            )

        return measure


def _signature(evaluation_set: EvaluationSet, files: MeteorFiles) -> str:
    counts = set(evaluation_set.reference_counts)
    return signature(
        "meteor",
        {
            "nrefs": counts.pop() if len(counts) == 1 else "var",
            "version": "1.5",
            "lang": "en",
            "norm": "yes",
            "modules": "exact,stem,synonym,paraphrase",
            "jar": short_hash(files.jar),
            "paraphrases": short_hash(files.paraphrases),
        },
    )
