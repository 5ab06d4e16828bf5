"""Losses of embedders equal those of sentence-transformers where it has them, and what their formulas say."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from paraloom.models.training.embedding_objectives import alike_as, binary, contrastive, matryoshka


class Given(nn.Module):
    """A model of sentence-transformers whose vectors are those it is given."""

    def forward(self, features: dict[str, Tensor]) -> dict[str, Tensor]:
        return features


def drawn(rows: int, dims: int = 6, seed: int = 1) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).standard_normal((rows, dims)).astype(np.float32))


def ranking_loss(anchors: Tensor, *others: Tensor) -> float:
    """What sentence-transformers makes of it."""
    from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss

    loss = MultipleNegativesRankingLoss(Given(), scale=20.0)
    return float(loss([{"sentence_embedding": one} for one in (anchors, *others)], labels=torch.zeros(0)))


def test_contrastive_is_the_ranking_loss_of_sentence_transformers_both_ways() -> None:
    left, right, hard = drawn(5), drawn(5, seed=2), drawn(5, seed=3)
    assert float(contrastive(left, right)) == pytest.approx(
        (ranking_loss(left, right) + ranking_loss(right, left)) / 2, rel=1e-5
    )
    assert float(contrastive(left, right, hard)) == pytest.approx(
        (ranking_loss(left, right, hard) + ranking_loss(right, left)) / 2, rel=1e-5
    )


def by_hand(left: Tensor, right: Tensor, groups: list[int]) -> float:
    """The mean over pairs and both directions of -log of the answer's share; the same group does not compete."""
    ours, theirs = (one.numpy() / np.linalg.norm(one.numpy(), axis=1, keepdims=True) for one in (left, right))
    alike = np.exp(ours @ theirs.T / 0.05)
    found = []
    for table in (alike, alike.T):
        for row in range(len(left)):
            rivals = [table[row, other] for other in range(len(left)) if other == row or groups[other] != groups[row]]
            found.append(-np.log(table[row, row] / sum(rivals)))
    return float(np.mean(found))


@given(st.lists(st.integers(0, 3), min_size=2, max_size=7), st.integers(0, 1000))
def test_pairs_of_one_group_do_not_compete(groups: list[int], seed: int) -> None:
    left, right = drawn(len(groups), seed=seed), drawn(len(groups), seed=seed + 1)
    found = float(contrastive(left, right, groups=torch.tensor(groups)))
    assert found == pytest.approx(by_hand(left, right, groups), rel=1e-4, abs=1e-5)


def test_a_hard_text_does_not_compete_with_its_own_group() -> None:
    left, right, hard = drawn(3), drawn(3, seed=2), drawn(2, seed=3)
    groups, own = torch.tensor([0, 1, 2]), torch.tensor([0, 1])
    every = float(contrastive(left, right, hard, groups=groups, hard_groups=torch.tensor([7, 8])))
    without = float(contrastive(left, right, hard, groups=groups, hard_groups=own))
    assert every == pytest.approx(float(contrastive(left, right, hard)), rel=1e-5)
    assert without < every
    assert without > float(contrastive(left, right))


def test_binary_is_the_cross_entropy_of_a_curve_over_cosines() -> None:
    left, right, targets = drawn(4), drawn(4, seed=2), torch.tensor([1.0, 0.0, 0.3, 1.0])
    cosines = np.array(
        [
            float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
            for one, other in zip(left.numpy(), right.numpy(), strict=True)
        ]
    )
    likely = 1 / (1 + np.exp(-10 * (cosines - 0.5)))
    wanted = -np.mean(targets.numpy() * np.log(likely) + (1 - targets.numpy()) * np.log(1 - likely))
    assert float(binary(left, right, targets)) == pytest.approx(wanted, rel=1e-5)


def test_rows_that_are_as_alike_as_the_teachers_lose_nothing_whatever_their_space() -> None:
    teacher = drawn(6, 8)
    turned, _ = torch.linalg.qr(drawn(8, 8, seed=5))
    wider = torch.cat([teacher @ turned * 3, torch.zeros(6, 2)], dim=1)
    assert float(alike_as(wider, teacher)) == pytest.approx(0, abs=1e-5)
    assert float(alike_as(drawn(6, 8, seed=9), teacher)) > 0.1


def test_matryoshka_is_the_mean_over_prefixes() -> None:
    left, right = drawn(4), drawn(4, seed=2)
    parts = [float(contrastive(left[:, :size], right[:, :size])) for size in (2, 6)]
    assert float(matryoshka(contrastive, (2, 6), left, right)) == pytest.approx(np.mean(parts), rel=1e-5)
