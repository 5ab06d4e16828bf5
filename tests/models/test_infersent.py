"""InferSent's sentence vector is the highest state of its words, and both orders count."""

from __future__ import annotations

import torch

from paraloom.models.identifiers.networks.infersent_network import InferSentNetwork
from paraloom.models.identifiers.networks.words_in_context import WordsInContext, highest_state

torch.set_num_threads(1)


def test_a_words_state_is_what_was_read_forwards_and_backwards_up_to_it() -> None:
    words = WordsInContext(width=5, hidden=4)
    vectors, lengths = torch.randn(3, 6, 5), torch.tensor([6, 1, 4])
    with torch.no_grad():
        states = words(vectors, lengths)
        for number, length in enumerate(lengths.tolist()):
            alone, _ = words.lstm(vectors[number : number + 1, :length])
            torch.testing.assert_close(states[number, :length], alone[0])
            assert not states[number, length:].any()


def test_the_highest_state_is_one_of_a_word() -> None:
    states = -torch.rand(2, 4, 3)
    mask = torch.tensor([[True, True, False, False], [True, True, True, True]])
    states[0, 2:] = 0.0  # filling is higher than any word here
    highest = highest_state(states, mask)
    torch.testing.assert_close(highest[0], states[0, :2].amax(dim=0))
    torch.testing.assert_close(highest[1], states[1].amax(dim=0))


def test_the_classifier_sees_both_vectors_their_difference_and_their_product_in_both_orders() -> None:
    network = InferSentNetwork(width=5, hidden=4, classifier=6, dropout=0.3, heads=2).eval()
    vectors, lengths = torch.randn(2, 3, 5), torch.tensor([3, 2])
    mask = torch.arange(3) < lengths[:, None]
    with torch.no_grad():
        found = network(vectors, lengths, mask)
        u, v = highest_state(network.words(vectors, lengths), mask)
        orders = [torch.cat([one, other, (u - v).abs(), u * v]) for one, other in ((u, v), (v, u))]
        expected = torch.stack([network.classifier(order) for order in orders]).mean(dim=0)
    torch.testing.assert_close(found[0], expected)
