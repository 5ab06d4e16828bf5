"""Texts in, the hidden states of their tokens at one layer out, by a BERT model in onnxruntime: no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file, paraloom_version
from paraloom.errors import InputError
from paraloom.metrics.meaning.token_vectors import TokenVectors
from paraloom.models.encoders.batches import BATCH_SIZE, encode_in_batches
from paraloom.models.encoders.bert_graph import BertShape, bert_graph, read_tensors
from paraloom.models.encoders.session import start_session
from paraloom.models.encoders.word_pieces import WordPieces

CONFIGURATION, WEIGHTS, TOKENISER = "config.json", "model.safetensors", "tokenizer.json"
FILES = (CONFIGURATION, WEIGHTS, TOKENISER)


def can_run(folder: Path) -> bool:
    """Whether a folder holds a BERT model with all that is needed here."""
    return all((folder / name).is_file() for name in FILES) and BertShape.read(folder) is not None


class OnnxBert:
    """A BERT model up to one layer (Devlin et al., 2019), in 32 bits; its hidden states equal those of transformers."""

    def __init__(
        self, folder: Path, layer: int, *, name: str = "", max_tokens: int = 0, batch_size: int = BATCH_SIZE
    ) -> None:
        """`layer` 0 is the embeddings; `max_tokens` 0 is as many as the model has places for."""
        shape = BertShape.read(folder)
        if shape is None:
            raise InputError(f"{folder} holds no plain BERT model. Load it with load_encoder, which finds another way.")
        check_layer(layer, shape.layers, str(folder))
        self.name = name or folder.name
        self.layer = layer
        self.layers = shape.layers
        self.max_tokens = min(max_tokens or shape.positions, shape.positions)
        self.batch_size = batch_size
        self.pieces = WordPieces(folder / TOKENISER, self.max_tokens)
        self.session = start_session(bert_graph(read_tensors(folder / WEIGHTS), shape, layer))
        files = {"weights": WEIGHTS, "tokeniser": TOKENISER, "configuration": CONFIGURATION}
        hashes = {part: hash_of_file(folder / file) for part, file in files.items()}
        self.signature = encoder_signature(self.name, layer, self.max_tokens, hashes)

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        return [piece.ids[~piece.special] for piece in self.pieces(texts)]

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        return encode_in_batches(texts, self.pieces, self.states, self.batch_size, filler=0)

    def states(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """The hidden states of a batch: batch × length × width."""
        (states,) = self.session.run(["states"], {"ids": ids, "mask": mask})
        return np.asarray(states)


def check_layer(layer: int, layers: int, model: str) -> None:
    """Refuse a layer that the model does not have."""
    if not 0 <= layer <= layers:
        raise InputError(f"{model} has layers 0 (the embeddings) to {layers}; there is no layer {layer}.")


def encoder_signature(name: str, layer: int, max_tokens: int, hashes: Mapping[str, str]) -> str:
    """What decides a token's vector, whichever library computes it: also the files that it is computed from."""
    files = "".join(f"|{part}:{digest[:8]}" for part, digest in hashes.items())
    return f"encoder:{name}|layer:{layer}|max-tokens:{max_tokens}{files}|paraloom:{paraloom_version()}"
