"""A result that does not tell the groups of its pairs in, these out: from the corpus that it was measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs
from paraloom.metrics.significance import group_numbers
from paraloom.workflows.bench.division import measured_sets
from paraloom.workflows.bench.results import Result


def truth_letters(pairs: KnownPairs) -> str:
    """One letter a pair, 1 for a paraphrase."""
    return "".join("1" if target > 0.5 else "0" for target in pairs.targets)


@dataclass(frozen=True, slots=True)
class MeasuredGroups:
    """The groups of every set of pairs that is measured on; a set is known by its labels, pair after pair."""

    corpora: Mapping[str, KnownCorpus]
    found: dict[tuple[str, int], Mapping[str, Sequence[int]]] = field(default_factory=dict)

    def of(self, result: Result) -> Sequence[int]:
        """The number of each pair's group; empty where the corpus is not there, or its labels fit several sets."""
        if result.groups or result.corpus not in self.corpora:
            return result.groups
        place = (result.corpus, result.folds)
        if place not in self.found:
            self.found[place] = _by_truth(self.corpora[result.corpus], result.folds)
        return self.found[place].get(result.truth, ())


def _by_truth(corpus: KnownCorpus, folds: int) -> dict[str, Sequence[int]]:
    found: dict[str, Sequence[int]] = {}
    for pairs in measured_sets(corpus, folds):
        numbers: Sequence[int] = group_numbers(pairs.groups).tolist()
        found[truth_letters(pairs)] = numbers if found.get(truth_letters(pairs), numbers) == numbers else ()
    return found
