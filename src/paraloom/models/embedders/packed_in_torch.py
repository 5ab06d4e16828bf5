"""A packed encoder's folder in, the same network in torch out: for a GPU, on which 8-bit weights are no faster."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.models.embedders.cards import hash_of_weights
from paraloom.models.embedders.int8_encoder import CONFIG, MAX_TOKENS, PROJECTION, WEIGHTS, packed_tensors
from paraloom.models.embedders.shared_parts import deciding_files, tokeniser_file
from paraloom.models.embedders.transformer import TORCH_POOLS, check_device, in_half, silent_pieces
from paraloom.models.encoders.batches import Pieces
from paraloom.models.encoders.transformers_encoder import transformer_libraries
from paraloom.models.encoders.word_pieces import WordPieces


class PackedInTorch:
    """The weights brought back from 8 bits; states are averaged, projected and cut as in onnxruntime."""

    def __init__(
        self, folder: Path, card: Mapping[str, Any], *, dims: int = 0, max_tokens: int = 0, device: str = "cuda"
    ) -> None:
        """`dims` 0 is all of them; fewer are a prefix."""
        torch, transformers = transformer_libraries()
        check_device(torch, device)
        self.torch, self.device = torch, device
        config = transformers.BertConfig(**json.loads((folder / CONFIG).read_text(encoding="utf-8")))
        tensors = packed_tensors(folder, card)
        states = {name: torch.from_numpy(np.array(tensors[name])) for name in tensors if name != PROJECTION}
        self.model = transformers.BertModel(config, add_pooling_layer=False)
        self.model.load_state_dict(states, strict=True)
        self.model.to(device).eval()
        self.projection = None
        if PROJECTION in tensors:
            self.projection = torch.from_numpy(np.array(tensors[PROJECTION].T)).to(device)
        whole = config.hidden_size if self.projection is None else self.projection.shape[1]
        self.dims = int(min(dims or whole, whole))
        wanted = max_tokens or int(card.get("max_tokens", MAX_TOKENS))
        self.max_tokens = int(min(wanted, config.max_position_embeddings))
        tokeniser = tokeniser_file(folder, card)
        self.pieces = WordPieces(tokeniser, self.max_tokens)
        self.silent = silent_pieces(self.pieces.tokeniser)
        weights = hash_of_weights([*deciding_files(folder, card, (CONFIG, WEIGHTS)), tokeniser])
        numbers = "float32" if device == "cpu" else "float16"
        self.signature = (
            f"dims:{self.dims}|max-tokens:{self.max_tokens}|arithmetic:{numbers}|weights:{weights}"
            f"|paraloom:{paraloom_version()}"
        )

    def cut(self, texts: Sequence[str]) -> list[Pieces]:
        return self.pieces(texts)

    def pooled(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        torch = self.torch
        given, kept = (torch.from_numpy(part).to(self.device) for part in (ids, mask))
        with torch.inference_mode(), in_half(torch, self.device):
            states = self.model(input_ids=given, attention_mask=kept).last_hidden_state
            mean = TORCH_POOLS["mean"](states.float(), kept[..., None])
        if self.projection is not None:
            mean = mean @ self.projection
        return np.asarray(mean[:, : self.dims].cpu().numpy(), np.float32)
