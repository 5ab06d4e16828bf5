"""The human row: lowest, mean and highest self-BLEU of references, as sacrebleu scores each of them."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.reference_diversity import reference_self_bleu

WORDS = ["the", "storm", "hit", "coast", "town", "on", "monday", "night", "and", "three", "people", "missing"]


def made_up(seed: int) -> EvaluationSet:
    random = np.random.default_rng(seed)

    def text() -> str:
        return " ".join(random.choice(WORDS, random.integers(3, 12)))

    return EvaluationSet.of(
        [text() for _ in range(12)], [[text() for _ in range(random.integers(1, 6))] for _ in range(12)]
    )


@pytest.mark.parametrize("seed", range(4))
def test_each_source_counts_once_with_its_lowest_mean_and_highest(seed: int) -> None:
    given = made_up(seed)
    scores = [
        [sacrebleu.sentence_bleu(text, [source]).score for text in texts]
        for source, texts in zip(given.sources, given.references, strict=True)
        if len(texts) > 1
    ]
    found = reference_self_bleu(given)
    assert found.lowest == pytest.approx(np.mean([min(some) for some in scores]))
    assert found.mean == pytest.approx(np.mean([np.mean(some) for some in scores]))
    assert found.deviation == pytest.approx(np.mean([np.std(some) for some in scores]))
    assert found.highest == pytest.approx(np.mean([max(some) for some in scores]))
    assert (found.sources, found.references) == (len(scores), sum(map(len, scores)))
    assert found.skipped == 12 - len(scores)
    assert found.signature.startswith("sentence-self-bleu|")


def test_references_that_copy_their_source_are_at_a_hundred() -> None:
    source = "three people are missing after the storm"
    found = reference_self_bleu(EvaluationSet.of([source], [[source, source]]))
    assert (found.lowest, found.highest, found.deviation) == pytest.approx((100, 100, 0))


def test_single_references_have_no_spread() -> None:
    with pytest.raises(InputError, match="several references"):
        reference_self_bleu(EvaluationSet.of(["a b c"], [["a c b"]]))
