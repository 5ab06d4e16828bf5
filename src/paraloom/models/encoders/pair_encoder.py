"""Pairs of texts in, one vector a pair out, by a BERT model that reads both texts at once, in onnxruntime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.batches import BATCH_SIZE, batches, padded, readable
from paraloom.models.encoders.bert_graph import BertShape, bert_graph
from paraloom.models.encoders.session import start_session


class PairEncoder:
    """Reads `[CLS] left [SEP] right [SEP]` and gives the first token's state and the mean of all, side by side."""

    def __init__(
        self,
        shape: BertShape,
        tensors: Mapping[str, NDArray[np.float32]],
        tokenizer: Path,
        *,
        max_tokens: int,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        from tokenizers import Tokenizer

        if not tokenizer.is_file():
            raise InputError(f"There is no {tokenizer}. Get the model again.")
        self.width = shape.width
        self.batch_size = batch_size
        self.tokeniser = Tokenizer.from_file(str(tokenizer))
        self.tokeniser.no_padding()
        self.tokeniser.enable_truncation(min(max_tokens, shape.positions), strategy="longest_first")
        self.tokeniser.encode_special_tokens = True  # a text that says "[SEP]" is a text about it
        graph = bert_graph(tensors, shape, shape.layers, pairs=True)
        self.session = start_session(graph)

    def __call__(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float32]:
        """One row a pair, twice the model's width."""
        encodings = self.tokeniser.encode_batch(list(zip(readable(left), readable(right), strict=True)))
        ids = [np.array(encoding.ids, np.int64) for encoding in encodings]
        kinds = [np.array(encoding.type_ids, np.int64) for encoding in encodings]
        pooled = np.empty((len(ids), 2 * self.width), np.float32)
        for places in batches([len(one) for one in ids], self.batch_size):
            numbers, mask = padded([ids[place] for place in places], filler=0)
            segments, _ = padded([kinds[place] for place in places], filler=0)
            (states,) = self.session.run(["states"], {"ids": numbers, "mask": mask, "segments": segments})
            pooled[places, : self.width] = states[:, 0]
            shares = (mask / mask.sum(axis=1, keepdims=True)).astype(np.float32)
            pooled[places, self.width :] = np.einsum("btw,bt->bw", states, shares)
        return pooled
