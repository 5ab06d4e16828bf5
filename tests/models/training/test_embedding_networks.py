"""A network in training reads what the embedder it becomes will read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.models.identifiers.transformer_base import open_base
from paraloom.models.training.embedding_networks import TransformerTask

torch.set_num_threads(1)


@pytest.mark.parametrize("lower_case", [True, False])
def test_texts_are_trained_on_in_small_letters_where_they_are_read_so(lower_case: bool, tiny_bert: Path) -> None:
    base = open_base(str(tiny_bert))
    base.tokeniser.backend_tokenizer.normalizer = None
    task = TransformerTask(base, mode="mean", before="", lower_case=lower_case, max_tokens=16)
    one, other = task.prepare(["The STORM", "the storm"])
    assert np.array_equal(one, other) == lower_case
