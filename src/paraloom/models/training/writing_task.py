"""Pairs of texts in, what a network loses on writing each second text after its first out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch

    from paraloom.models.language_models.gguf_tokeniser import GgufTokeniser

MULTIPLE = 8
"""Batches are filled up to a multiple of so many pieces."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One pair as pieces: what is read, and what is to be written."""

    read: tuple[int, ...]
    written: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.read) + len(self.written)


class WritingTask(Protocol):
    """A network that learns to write."""

    net: torch.nn.Module

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Asked]:
        """Pairs as pieces."""

    def losses(self, asked: Sequence[Asked], device: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Of every piece to be written the negative log-probability, and the number of its pair."""


class LlamaTask:
    """A Llama that reads and writes in one row of pieces: begin, source, end, paraphrase, end."""

    def __init__(self, net: torch.nn.Module, tokeniser: GgufTokeniser) -> None:
        self.net = net
        self.tokeniser = tokeniser

    def prepare(self, pairs: Sequence[tuple[str, str]]) -> list[Asked]:
        begin, end, encode = self.tokeniser.begin, self.tokeniser.end, self.tokeniser.encode
        return [Asked((begin, *encode(source), end), (*encode(target), end)) for source, target in pairs]

    def losses(self, asked: Sequence[Asked], device: str) -> tuple[torch.Tensor, torch.Tensor]:
        library = torch_library()
        width = -(-max(len(one) for one in asked) // MULTIPLE) * MULTIPLE
        ids = library.full((len(asked), width), self.tokeniser.end)
        places: list[int] = []
        for row, one in enumerate(asked):
            ids[row, : len(one)] = library.tensor([*one.read, *one.written])
            places += range(row * width + len(one.read) - 1, row * width + len(one) - 1)
        targets = library.tensor([piece for one in asked for piece in one.written], device=device)
        owners = library.repeat_interleave(
            library.arange(len(asked)), library.tensor([len(one.written) for one in asked])
        )
        net: Any = self.net
        states = net.states(ids.to(device)).flatten(0, 1)[library.tensor(places, device=device)]
        return library.nn.functional.cross_entropy(net.logits(states), targets, reduction="none"), owners.to(device)
