"""A source and an output in; out comes whether names and numbers are kept and none made up, and in how many outputs.

What a name and a number is, and what keeps one, is said in `paraloom.text.facts`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paraloom.metrics.diversity.source_against_output import mean_over_pairs
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.text.facts import breaches

RULES = 2
"""Number of the set of rules, for the signature: a change of theirs changes values."""


def keeps_facts(source: str, output: str, language: str = "en") -> bool:
    """Whether an output has all names and numbers of its source and no others.

    >>> keeps_facts("Joe Biden won 3 states", "Biden took three states")
    True
    >>> keeps_facts("Joe Biden won 3 states", "Biden won"), keeps_facts("Biden won", "Biden won on Monday")
    (False, False)
    """
    return not breaches(source, output, language=language)


def invents_facts(source: str, output: str, language: str = "en") -> bool:
    """Whether an output has a name or a number that its source has not.

    >>> invents_facts("Joe Biden won 3 states", "Biden won"), invents_facts("Biden won", "Biden won on Monday")
    (False, True)
    """
    return any(breach.what == "invented" for breach in breaches(source, output, language=language))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsKept:
    """Share of the outputs, in per cent, that keep all names and numbers of their source and invent none."""

    language: str = "en"
    """Of the texts: its dictionary tells names from other words."""

    @property
    def name(self) -> str:
        """`facts-kept`."""
        return "facts-kept"

    @property
    def better(self) -> Better:
        """Higher; a copy has 100."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""

        def score(source: str, output: str) -> float:
            return 100.0 * keeps_facts(source, output, self.language)

        return mean_over_pairs(self, evaluation_set, read=str, score=score, settings=_settings(self.language))


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsInvented:
    """Share of the outputs, in per cent, with a name or a number that their source has not."""

    language: str = "en"
    """Of the texts: its dictionary tells names from other words."""

    @property
    def name(self) -> str:
        """`facts-invented`."""
        return "facts-invented"

    @property
    def better(self) -> Better:
        """Lower; a copy has 0."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""

        def score(source: str, output: str) -> float:
            return 100.0 * invents_facts(source, output, self.language)

        return mean_over_pairs(self, evaluation_set, read=str, score=score, settings=_settings(self.language))


def _settings(language: str) -> dict[str, object]:
    return {"language": language, "kinds": "name+number", "rules": RULES}
