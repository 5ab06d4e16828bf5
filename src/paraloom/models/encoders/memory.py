"""An encoder in, the same encoder out with a memory: texts it has just encoded are not encoded again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.meaning.token_vectors import TokenEncoder, TokenVectors

REMEMBERED = 512 * 2**20
"""Bytes of vectors: about 17,000 posts at 384 dimensions."""


class RememberingEncoder:
    """Several metrics, and one system after the other, ask for the same references: they are encoded once.

    What was asked for longest ago is forgotten first.
    """

    def __init__(self, encoder: TokenEncoder, most_bytes: int = REMEMBERED) -> None:
        self.encoder = encoder
        self.most_bytes = most_bytes
        self.bytes = 0
        self.remembered: OrderedDict[str, TokenVectors] = OrderedDict()

    @property
    def signature(self) -> str:
        return self.encoder.signature

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        return self.encoder.token_ids(texts)

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        distinct = dict.fromkeys(texts)
        unknown = [text for text in distinct if text not in self.remembered]
        found = dict(zip(unknown, self.encoder.encode(unknown), strict=True)) if unknown else {}
        for text in distinct:
            if text not in found:
                found[text] = self.remembered[text]
                self.remembered.move_to_end(text)
        for text in unknown:
            self.remembered[text] = found[text]
            self.bytes += found[text].vectors.nbytes
        while self.bytes > self.most_bytes:
            _, forgotten = self.remembered.popitem(last=False)
            self.bytes -= forgotten.vectors.nbytes
        return [found[text] for text in texts]
