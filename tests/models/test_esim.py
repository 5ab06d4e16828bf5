"""ESIM aligns each word with the other text's, as its equations say."""

from __future__ import annotations

import numpy as np
import torch

from paraloom.models.identifiers.networks.esim_network import EsimNetwork, align

torch.set_num_threads(1)


def by_equations(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Chen et al. (2017), equations 11 to 13, one word at a time."""
    aligned = []
    for word in ours:
        likeness = np.array([word @ other for other in theirs])
        weights = np.exp(likeness) / np.exp(likeness).sum()
        aligned.append(sum(weight * other for weight, other in zip(weights, theirs, strict=True)))
    return np.array(aligned)


def test_a_word_is_aligned_to_a_mean_of_the_other_texts_words() -> None:
    draw = np.random.default_rng(1)
    texts = [draw.normal(size=(length, 6)) for length in (3, 1, 2, 4)]  # two left texts, then two right ones
    states, mask = torch.zeros(4, 4, 6, dtype=torch.float64), torch.zeros(4, 4, dtype=torch.bool)
    for number, text in enumerate(texts):
        states[number, : len(text)] = torch.from_numpy(text)
        mask[number, : len(text)] = True
    aligned = align(states, mask).numpy()
    for ours, theirs in ((0, 2), (1, 3), (2, 0), (3, 1)):
        expected = by_equations(texts[ours], texts[theirs])
        np.testing.assert_allclose(aligned[ours, : len(expected)], expected, atol=1e-6)


def test_filling_changes_nothing() -> None:
    network = EsimNetwork(width=5, hidden=4, dropout=0.5, heads=1).eval()
    vectors, lengths = torch.randn(2, 7, 5), torch.tensor([3, 2])
    mask = torch.arange(7) < lengths[:, None]
    with torch.no_grad():
        filled = network(vectors, lengths, mask)
        bare = network(vectors[:, :3], lengths, mask[:, :3])
    torch.testing.assert_close(filled, bare)
