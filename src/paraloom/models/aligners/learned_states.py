"""Pairs of tokens in, what the shipped model of pairs makes of each token out, at some of its layers.

The model reads both texts at once, in batches, in 8 bits. Half-way up it knows what a word means in its sentence, and
has not yet forgotten which word it was; further up it has found the word's counterpart in the other text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.aligners import TokenPair
from paraloom.models.aligners.lexical_words import PLAIN_MARKS
from paraloom.models.encoders.batches import alike, padded, readable
from paraloom.models.encoders.bert_graph import BertShape
from paraloom.models.encoders.int8_graph import Int8Graph
from paraloom.models.encoders.session import OnnxModel, start_session
from paraloom.models.int8 import Int8File

if TYPE_CHECKING:
    from tokenizers import Encoding

Floats = NDArray[np.float32]

WEIGHTS, TOKENISER = "model.safetensors", "tokenizer.json"
MAX_PIECES = 384
"""Of both texts together; word pieces beyond are not read."""
LONGEST_TOKEN = 32
"""Characters of a token that are read: a link says no more than its beginning does."""
BATCH_SIZE = 16


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Side:
    """One text of a pair, as the model has read it beside the other."""

    states: Floats
    """Layers × tokens × width, each token of length 1; zeros for a token that was not read so far."""
    rarity: Floats
    """How late the rarest piece of each token stands among the model's pieces, which are sorted so: from 0 to 1."""


class TokenStates:
    """Reads `[CLS] left [SEP] right [SEP]` up to the last of some layers, and keeps these."""

    def __init__(self, folder: Path, layers: Sequence[int]) -> None:
        from tokenizers import Tokenizer

        shape = BertShape.read(folder)
        if shape is None or not layers or not 0 < min(layers) <= max(layers) <= shape.layers:
            raise InputError(f"{folder} holds no BERT model of {max(layers, default=1)} layers. Name another folder.")
        self.layers, self.width = tuple(layers), shape.width
        self.tokeniser = Tokenizer.from_file(str(folder / TOKENISER))
        self.tokeniser.no_padding()
        self.tokeniser.enable_truncation(min(MAX_PIECES, shape.positions), strategy="longest_first")
        self.tokeniser.encode_special_tokens = True
        self.most = float(np.log1p(self.tokeniser.get_vocab_size()))
        self.session = start_session(_graph(Int8File(folder / WEIGHTS), shape, self.layers))

    def __call__(self, pairs: Sequence[TokenPair]) -> list[tuple[Side, Side]]:
        """The states of each pair, which do not depend on the pairs beside it."""
        encodings = self.tokeniser.encode_batch(
            [tuple(_read_as(side) for side in pair) for pair in pairs], is_pretokenized=True
        )
        found: list[tuple[Side, Side] | None] = [None] * len(pairs)
        for together, width in alike([len(encoding) for encoding in encodings], BATCH_SIZE):
            given = {
                name: padded([np.array(getattr(encodings[place], part), np.int64) for place in together], 0, width)[0]
                for name, part in (("ids", "ids"), ("mask", "attention_mask"), ("segments", "type_ids"))
            }
            states = np.stack(self.session.run([f"layer_{layer}" for layer in self.layers], given), axis=1)
            for place, one in zip(together, states, strict=True):
                left, right = (self._of_tokens(encodings[place], one, side, len(pairs[place][side])) for side in (0, 1))
                found[place] = left, right
        return [sides for sides in found if sides is not None]

    def _of_tokens(self, encoding: Encoding, states: Floats, side: int, tokens: int) -> Side:
        """A token is the mean of its pieces, at each layer."""
        of_side = np.flatnonzero(np.array(encoding.sequence_ids) == side)
        owners = np.array(encoding.word_ids)[of_side].astype(np.int64)
        summed = np.zeros((tokens, len(self.layers), self.width), np.float32)
        np.add.at(summed, owners, states[:, of_side].transpose(1, 0, 2))
        rarity = np.zeros(tokens, np.float32)
        np.maximum.at(rarity, owners, np.log1p(np.array(encoding.ids)[of_side]).astype(np.float32) / self.most)
        lengths = np.linalg.norm(summed, axis=2, keepdims=True)
        return Side(states=(summed / np.maximum(lengths, 1e-9)).transpose(1, 0, 2), rarity=rarity)


def _read_as(tokens: Sequence[str]) -> list[str]:
    return readable([PLAIN_MARKS.get(token, token[:LONGEST_TOKEN]) for token in tokens])


def _graph(tensors: Int8File, shape: BertShape, layers: Sequence[int]) -> OnnxModel:
    """In: `ids`, `mask` and `segments`, batch × length. Out: `layer_N` for each layer, batch × length × width."""
    from onnx import TensorProto, helper

    graph = Int8Graph(tensors, shape)
    first, *_ = wanted = sorted(set(layers))
    states = graph.layers(graph.embeddings("ids", "segments"), 0, first)
    for number in range(first, wanted[-1] + 1):
        if number in wanted:
            graph.add("Identity", [states], output=f"layer_{number}")
        if number < wanted[-1]:
            states = graph.layer(states, number)
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("ids", "mask", "segments")
    ]
    told = [
        helper.make_tensor_value_info(f"layer_{layer}", TensorProto.FLOAT, ["batch", "length", shape.width])
        for layer in wanted
    ]
    return graph.model("token_states", given, told)


@lru_cache(maxsize=2)
def open_states(folder: Path, layers: tuple[int, ...]) -> TokenStates:
    """The reader of a folder, opened once."""
    return TokenStates(folder, layers)
