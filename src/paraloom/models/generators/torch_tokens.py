"""A source's tokens in, the logits of every next token out, by a network of transformers that runs in torch.

Each source is read alone, and a batch holds its own beams or samples only: there is no padding, and what is computed
does not depend on other sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


class CausalTokens:
    """What goes on from a text, by a causal model (GPT-2, Llama)."""

    def __init__(self, torch: Any, network: Any, asked: Sequence[int]) -> None:
        self._torch = torch
        self._network = network
        self._asked = list(asked)
        self._cache: Any = None

    def first(self) -> NDArray[np.float32]:
        self._cache = None
        return self._answer([self._asked])

    def after(self, parents: Sequence[int], tokens: Sequence[int]) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            self._cache.reorder_cache(self._torch.tensor(parents, device=self._network.device))
        return self._answer([[token] for token in tokens])

    def _answer(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        with self._torch.inference_mode():
            ids = self._torch.tensor(rows, device=self._network.device)
            answer = self._network(**self._given(ids), past_key_values=self._cache, use_cache=True)
            self._cache = answer.past_key_values
            return np.asarray(answer.logits[:, -1].float().cpu().numpy())

    def _given(self, ids: Any) -> dict[str, Any]:
        return {"input_ids": ids}


class EncoderDecoderTokens(CausalTokens):
    """What is written for a text, by an encoder with a decoder (T5, BART, Marian, Pegasus)."""

    def __init__(self, torch: Any, network: Any, asked: Sequence[int], beginning: Sequence[int]) -> None:
        """`beginning` is what the decoder is given to begin with."""
        super().__init__(torch, network, beginning)
        with torch.inference_mode():
            ids = torch.tensor([list(asked)], device=network.device)
            self._states = network.get_encoder()(input_ids=ids).last_hidden_state

    def _given(self, ids: Any) -> dict[str, Any]:
        states = self._states.expand(len(ids), -1, -1)
        return {"encoder_outputs": (states,), "decoder_input_ids": ids}
