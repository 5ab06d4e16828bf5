"""An adapter put into a network that learns: it foretells what the adapter has made of the base, or is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from paraloom.errors import InputError
from paraloom.models.language_models.adapter import Update
from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.language_models.llama import Llama
from paraloom.models.training.llama_network import llama_network
from paraloom.models.training.llama_start import rank_of, start_from
from tests.models.language_models.tiny_gguf import write_tiny_llama

IDS = [1, 40, 270, 12, 280, 2]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> GgufFile:
    return GgufFile(write_tiny_llama(tmp_path_factory.mktemp("start") / "tiny.gguf"))


def thin(file: GgufFile, *names: str, rank: int = 3) -> Update:
    """An adapter of random numbers for some matrices."""
    rng = np.random.default_rng(1)
    shapes = {name: file.shape(name + ".weight") for name in names}
    return {
        name: (
            rng.standard_normal((rows, rank)).astype(np.float32) / rank,
            rng.standard_normal((rank, columns)).astype(np.float32) / columns**0.5,
        )
        for name, (rows, columns) in shapes.items()
    }


@pytest.mark.parametrize("rank", [3, 5])
def test_a_network_goes_on_from_what_an_adapter_foretells(file: GgufFile, rank: int) -> None:
    update = thin(file, "blk.0.attn_q", "blk.1.ffn_down")
    net = start_from(llama_network(file, rank=rank, layers=2, dtype="float32"), update)
    theirs, _ = Llama(file, update, device="cpu:0").read(IDS)
    with torch.no_grad():
        states = net.states(torch.tensor([IDS]))
        ours = net.logits(states[:, -1]).log_softmax(-1).numpy()
    assert ours == pytest.approx(theirs, abs=1e-3)
    assert rank_of(net.update()) == rank
    for name, (left, right) in net.update().items():
        changed = left @ right
        expected = update[name][0] @ update[name][1] if name in update else np.zeros_like(changed)
        assert changed == pytest.approx(expected, abs=1e-5)
        assert np.abs(right).min(1).max() > 0  # what is left of them can learn


def test_the_rank_is_that_of_the_widest() -> None:
    assert rank_of({}) == 0
    assert rank_of({"a": (np.zeros((9, 2)), np.zeros((2, 9))), "b": (np.zeros((9, 4)), np.zeros((4, 9)))}) == 4


REFUSED = [
    (
        {"rank": 2, "layers": 2},
        "blk.0.attn_q by a rank of 3, which is more than is to learn there. Give a larger --rank",
    ),
    ({"rank": 3, "layers": 1}, "let all --layers learn"),
]


@pytest.mark.parametrize(("learning", "told"), REFUSED)
def test_an_adapter_that_would_be_lost_is_refused(file: GgufFile, learning: dict[str, int], told: str) -> None:
    with pytest.raises(InputError, match=told):
        start_from(llama_network(file, **learning), thin(file, "blk.0.attn_q"))


def test_an_adapter_of_another_base_is_refused(file: GgufFile, tmp_path: Path) -> None:
    wider = GgufFile(write_tiny_llama(tmp_path / "wider.gguf", inner=256))
    with pytest.raises(InputError, match="Choose the base it is for"):
        start_from(llama_network(file, rank=3, layers=2), thin(wider, "blk.0.ffn_down"))
    deeper = GgufFile(write_tiny_llama(tmp_path / "deeper.gguf", layers=3))
    with pytest.raises(InputError, match="more than is to learn there"):
        start_from(llama_network(file, rank=3, layers=2), thin(deeper, "blk.2.attn_q"))
