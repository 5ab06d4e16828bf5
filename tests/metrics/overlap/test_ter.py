"""TER's edits by hand; parity with sacrebleu has its own file."""

from __future__ import annotations

import pytest

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.ter import Ter

EDITS = [
    ("the storm hit the coast", "the storm hit the coast", 0),
    ("The Storm hit the coast", "the storm hit the coast", 0),
    ("the storm hit coast", "the storm hit the coast", 1),
    ("the big storm hit the coast", "the storm hit the coast", 1),
    ("the gale hit the coast", "the storm hit the coast", 1),
    ("hit the coast the storm", "the storm hit the coast", 1),
    ("on monday the storm hit the coast", "the storm hit the coast on monday", 1),
    ("", "the storm hit the coast", 5),
    ("the", "the storm hit the coast", 4),
    ("words that are all quite different ones", "the storm", 7),
]


@pytest.mark.parametrize(("output", "reference", "edits"), EDITS)
def test_edits_and_moves_are_counted(output, reference, edits):
    measured = Ter().prepare(EvaluationSet.of(["source"], [[reference]]))([output])
    assert measured.statistics.tolist() == [[edits, len(reference.split())]]
    assert measured.value == 100 * (edits / len(reference.split()))


def test_the_nearest_of_several_references_counts_over_their_mean_length():
    measured = Ter().prepare(EvaluationSet.of(["source"], [["a b c d e f", "a b"]]))(["a b"])
    assert measured.statistics.tolist() == [[0, 4]]
    measured = Ter().prepare(EvaluationSet.of(["source"], [["a b c d e f", "x y"]]))(["a b"])
    assert measured.statistics.tolist() == [[2, 4]]


def test_a_reference_that_is_all_punctuation_costs_one_for_any_output():
    """Only where punctuation is left out; sacrebleu gives 100 and so do we."""
    measured = Ter(no_punct=True).prepare(EvaluationSet.of(["source", "source"], [["!"], ["?"]]))(["a b c", "."])
    assert measured.items.tolist() == [100, 0]
    assert measured.value == 100
