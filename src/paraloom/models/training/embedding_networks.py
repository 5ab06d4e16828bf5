"""Texts in, vectors with gradients out: a table of word pieces, or a transformer, as a network in training gives them.

Needs torch; imported where a training begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from paraloom.models.embedders.known_pieces import KnownPieces
from paraloom.models.embedders.transformer import TORCH_POOLS
from paraloom.models.identifiers.tokenised_pairs import template_of, text_batch, token_rows
from paraloom.models.identifiers.transformer_base import Base

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]

SLOPE, MIDDLE = 10.0, 0.5
"""How a cosine becomes a probability before anything is learned: 1 / (1 + exp(-slope · (cosine - middle)))."""


class EmbeddingTask(Protocol):
    """A network that is trained to embed."""

    net: EmbeddingNetwork
    at_once: int
    """So many texts are embedded together where nothing is learned."""

    def prepare(self, texts: Sequence[str]) -> Any:
        """Texts as numbers, cut once."""

    def lengths(self, prepared: Any) -> Integers:
        """How long each is, so that like lengths share a batch."""

    def vectors(self, prepared: Any, numbers: Integers, device: str) -> Tensor:
        """One row for each of these texts, of whatever length."""


class EmbeddingNetwork(nn.Module):
    """What is learned: weights, and how a cosine becomes a probability."""

    def __init__(self) -> None:
        super().__init__()
        self.slope = nn.Parameter(torch.tensor(SLOPE))
        self.middle = nn.Parameter(torch.tensor(MIDDLE))


class _Table(EmbeddingNetwork):
    def __init__(self, learned: Floats, rest: Floats) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.from_numpy(learned))
        self.register_buffer("rest", torch.from_numpy(rest), persistent=False)
        self.rest: Tensor


class _Transformer(EmbeddingNetwork):
    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder


@dataclass(frozen=True, slots=True, eq=False)
class _Cut:
    """Pieces of texts, one after the other, and the bounds of each text's."""

    pieces: Integers
    bounds: Integers


class TableTask:
    """A vector for every word piece, averaged over a text. Only pieces that training texts have are learned."""

    at_once = 4096

    def __init__(self, pieces: KnownPieces, table: Floats, met: Integers) -> None:
        """`met` are the pieces that are learned. The table is brought to rows of length 1 on average, so that one
        learning rate suits all tables; no cosine changes by that."""
        self.pieces, self.met = pieces, met
        lengths = np.linalg.norm(table[met], axis=1)
        self.scale = np.float32(1 / max(float(lengths[lengths > 0].mean()) if lengths.any() else 1.0, 1e-12))
        self.table = table * self.scale
        is_met = np.zeros(len(table), np.bool_)
        is_met[met] = True
        self.places = np.empty(len(table), np.int64)
        self.places[met] = np.arange(len(met))
        self.places[~is_met] = len(met) + np.arange(len(table) - len(met))
        self.net: EmbeddingNetwork = _Table(self.table[met], self.table[~is_met])

    def prepare(self, texts: Sequence[str]) -> _Cut:
        pieces, bounds = self.pieces.cut(texts)
        return _Cut(self.places[pieces], bounds)

    def lengths(self, prepared: _Cut) -> Integers:
        return np.zeros(len(prepared.bounds) - 1, np.int64)  # how long a text is costs nothing

    def vectors(self, prepared: _Cut, numbers: Integers, device: str) -> Tensor:
        assert isinstance(self.net, _Table)
        lengths = np.diff(prepared.bounds)[numbers]
        offsets = np.cumsum(lengths) - lengths
        inside = np.repeat(prepared.bounds[numbers] - offsets, lengths) + np.arange(int(lengths.sum()))
        ids, starts = (torch.from_numpy(one).to(device) for one in (prepared.pieces[inside], offsets))
        table = self.net.table if self.net.training else torch.cat([self.net.table, self.net.rest])
        return nn.functional.embedding_bag(ids, table, starts, mode="mean")

    def learned_table(self) -> Floats:
        """The whole table, a row a piece, with what was learned in its place."""
        assert isinstance(self.net, _Table)
        whole = self.table.copy()
        whole[self.met] = self.net.table.detach().cpu().numpy()
        return whole


class TransformerTask:
    """A transformer's states, pooled."""

    at_once = 64

    def __init__(self, base: Base, *, mode: str, before: str, lower_case: bool, max_tokens: int) -> None:
        """`mode` is a key of `TORCH_POOLS`, `before` what stands before each text; `lower_case` reads small letters."""
        self.base, self.mode, self.before, self.lower_case = base, mode, before, lower_case
        encoder = base.network.get_encoder() if base.config.is_encoder_decoder else base.network
        self.max_tokens = min(max_tokens, base.limit)
        self.template = template_of(base.tokeniser, 1, self.max_tokens)
        self.net: EmbeddingNetwork = _Transformer(encoder)

    def prepare(self, texts: Sequence[str]) -> list[Integers]:
        read = [text.lower() for text in texts] if self.lower_case else texts
        return token_rows(self.base.tokeniser, [self.before + text for text in read])

    def lengths(self, prepared: list[Integers]) -> Integers:
        return np.array(self.template.lengths(prepared), np.int64)

    def vectors(self, prepared: list[Integers], numbers: Integers, device: str) -> Tensor:
        batch = text_batch([prepared[number] for number in numbers], self.template, device)
        assert isinstance(self.net, _Transformer)
        states = self.net.encoder(**batch).last_hidden_state
        pooled: Tensor = TORCH_POOLS[self.mode](states.float(), batch["attention_mask"][..., None])
        return pooled

    @property
    def encoder(self) -> Any:
        """The transformer itself."""
        assert isinstance(self.net, _Transformer)
        return self.net.encoder
