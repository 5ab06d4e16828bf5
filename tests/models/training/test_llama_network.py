"""The network that learns beside a quantised base: how its updates are learned where precisions are mixed."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from paraloom.models.language_models.gguf import GgufFile
from paraloom.models.training.llama_network import llama_network
from tests.models.language_models.tiny_gguf import write_tiny_llama

IDS = torch.tensor([[1, 40, 270, 12, 280, 2]])


def slopes(file: GgufFile) -> list[Any]:
    """Of each thin matrix that adds something."""
    torch.manual_seed(1)
    net = llama_network(file, rank=3, layers=2)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.copy_(torch.randn(parameter.shape) / parameter.shape[-1] ** 0.5)
    with torch.autocast("cpu", torch.bfloat16):
        loss = torch.nn.functional.cross_entropy(net.logits(net.states(IDS))[0, :-1], IDS[0, 1:])
    loss.backward()  # type: ignore[no-untyped-call]
    return [parameter.grad.clone() for parameter in net.parameters()]


def test_it_learns_where_norms_answer_in_32_bits(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, where products are of 16 bits and other things are not: the same is learned, but for rounding."""
    file = GgufFile(write_tiny_llama(tmp_path / "tiny.gguf"))
    expected = slopes(file)
    plain = torch.nn.functional.rms_norm
    monkeypatch.setattr(
        torch.nn.functional,
        "rms_norm",
        lambda states, shape, gains, tolerance: plain(states.float(), shape, gains.float(), tolerance),
    )
    for ours, theirs in zip(slopes(file), expected, strict=True):
        assert ours.dtype == torch.float32
        assert float((ours - theirs).norm()) < 0.1 * float(theirs.norm())
