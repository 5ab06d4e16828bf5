"""The recipe of the embedders: no text that says the same as a pair is held against it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from recipes.embedder.encoders import Static
from recipes.embedder.learning import Lessons, Manner, learn
from recipes.embedder.teaching import groups_of_texts, hard_negatives
from recipes.identifier.tokens import Texts

torch.set_num_threads(1)
LEFT, RIGHT = torch.tensor([0, 2, 0]), torch.tensor([1, 3, 4])
GROUP = torch.tensor([7, 8, 7])


def test_texts_that_pairs_join_are_of_one_group_and_others_of_their_own() -> None:
    found = groups_of_texts(7, LEFT, RIGHT, GROUP).tolist()
    assert found[:5] == [7, 7, 8, 8, 7]
    assert len({*found[5:], 7, 8}) == 4


def test_a_text_of_a_pairs_own_group_is_never_its_hard_negative() -> None:
    drawn = torch.tensor([[1, 5], [3, 3], [6, 1]])  # the judge is wrong about 1 and 3, which say the same
    said = torch.tensor([[0.0, 0.2], [0.1, 0.0], [0.9, 0.1]])
    strange = torch.tensor([2, 6, 2])
    found = hard_negatives(drawn, said, strange, GROUP, groups_of_texts(7, LEFT, RIGHT, GROUP))
    assert found.tolist() == [5, 6, 2]
    others = hard_negatives(torch.tensor([[5, 6]] * 3), said, strange, GROUP, groups_of_texts(7, LEFT, RIGHT, GROUP))
    assert others.tolist() == [5, 6, 6]


def test_a_hard_text_of_a_pairs_own_group_does_not_compete_with_it() -> None:
    pieces = np.arange(10, 22, dtype=np.int32)
    texts = Texts(pieces, np.arange(0, 13, 2), "student", "cpu")
    table = torch.from_numpy(np.random.default_rng(1).standard_normal((30, 8)).astype(np.float32))
    two = torch.tensor([0, 2])
    lessons = Lessons(
        left=two,
        right=two + 1,
        hard=two + 1,
        weight=torch.ones(2),
        group=torch.tensor([0, 0]),
        hard_group=torch.tensor([0, 0]),
        first=two,
        second=two + 1,
        said=torch.ones(2),
    )
    manner = Manner(epochs=2, size=2, rate=0.01, sizes=(8,))
    tables = []
    for changed in ({}, {"hard": torch.tensor([4, 5])}, {"hard_group": torch.tensor([1, 1])}):
        torch.manual_seed(1)
        tables.append(learn(Static(table.clone()), texts, replace(lessons, **changed), manner).table.detach())
    assert torch.equal(tables[0], tables[1]), "which text it is changes nothing"
    assert not torch.allclose(tables[0], tables[2], atol=1e-4), "one of another group does"
