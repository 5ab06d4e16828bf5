"""Vectors in, codes of a few bytes out, and int8 rows back: product quantisation (Jégou et al., 2011).

A vector's code is cut into pieces, and of each piece the nearest of 256 known ones is noted. The known pieces are whole
numbers, so rows that are read back are int8 rows, and products of them are as exact as those of the rows themselves.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.store import write_text
from paraloom.errors import EngineError, InputError
from paraloom.models.neighbours.codes import LARGEST, Coder, Codes
from paraloom.models.neighbours.lists import read_array, write_array
from paraloom.models.neighbours.nearest import threads

KNOWN_PIECES = 256
"""As many as a byte can name."""
LEARNED_ON = 65_536
"""Rows that pieces are learned from: 256 for each, as FAISS takes."""
CODES = "codes.json"
PIECES = "pieces.npy"
ROWS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProductCoder:
    """Vectors as one byte a piece."""

    coder: Coder
    pieces: NDArray[np.int8]
    """For every piece of a vector the 256 known ones, a row each."""

    @property
    def dims(self) -> int:
        """Numbers in a vector."""
        return self.coder.dims

    @property
    def width(self) -> int:
        """Bytes that a row takes: one a piece."""
        return len(self.pieces)

    def encode(self, vectors: NDArray[np.float32]) -> NDArray[np.uint8]:
        """Vectors of unit length, a row of bytes each."""
        return self.pack(self.coder.encode(vectors))

    def pack(self, codes: NDArray[np.int8]) -> NDArray[np.uint8]:
        """int8 rows, a row of bytes each: the nearest known piece, the first of equally near ones."""
        size = self.pieces.shape[2]
        packed = np.empty((len(codes), self.width), np.uint8)
        for place, known in enumerate(self.pieces.astype(np.float32)):
            norms = (known**2).sum(axis=1)
            for start in range(0, len(codes), ROWS_AT_ONCE):
                rows = codes[start : start + ROWS_AT_ONCE, place * size : (place + 1) * size].astype(np.float32)
                packed[start : start + len(rows), place] = np.argmin(norms - 2 * (rows @ known.T), axis=1)
        return packed

    def decode(self, kept: NDArray[Any]) -> NDArray[np.int8]:
        """The int8 rows that rows of bytes stand for."""
        rows: NDArray[np.int8] = self.pieces[np.arange(self.width), kept].reshape(len(kept), self.dims)
        return rows


def learn_product_coder(coder: Coder, sample: NDArray[np.int8], width: int, *, seed: int = 0) -> ProductCoder:
    """Known pieces learned from a sample of codes, `width` bytes a row."""
    import faiss

    if coder.dims % width:
        raise InputError(f"{coder.dims} dimensions cannot be cut into {width} equal pieces. Choose a divisor.")
    if len(sample) < KNOWN_PIECES:
        raise InputError(f"{len(sample)} vectors are too few to learn {KNOWN_PIECES} pieces from; keep codes as int8.")
    quantizer = faiss.ProductQuantizer(coder.dims, width, 8)
    quantizer.cp.seed = 1 + seed
    quantizer.cp.min_points_per_centroid = 1  # few rows are no reason to warn
    drawn = np.sort(np.random.default_rng(seed).permutation(len(sample))[:LEARNED_ON])
    with threads(1):
        quantizer.train(sample[drawn].astype(np.float32))
    known = faiss.vector_to_array(quantizer.centroids).reshape(width, KNOWN_PIECES, coder.dims // width)
    return ProductCoder(coder=coder, pieces=np.clip(np.rint(known), -LARGEST, LARGEST).astype(np.int8))


def write_codes(folder: Path, codes: Coder | ProductCoder) -> None:
    """Write how vectors are kept into an index's folder."""
    coder = codes
    if isinstance(codes, ProductCoder):
        write_array(folder / PIECES, codes.pieces)
        coder = codes.coder
    assert isinstance(coder, Coder)
    said = {"kind": "pq" if coder is not codes else "int8", **asdict(coder)}
    write_text(folder / CODES, json.dumps(said, indent=2) + "\n")


def read_codes(folder: Path) -> Codes:
    """How vectors are kept in an index's folder."""
    file = folder / CODES
    if not file.is_file():
        raise EngineError(f"{folder} holds no index: it has no {CODES}. Make one with `paraloom mine … --out RUN`.")
    said = json.loads(file.read_text(encoding="utf-8"))
    coder = Coder(dims=said["dims"], scale=said["scale"], rotated=said["rotated"])
    if said["kind"] == "pq":
        return ProductCoder(coder=coder, pieces=read_array(folder / PIECES))
    return coder
