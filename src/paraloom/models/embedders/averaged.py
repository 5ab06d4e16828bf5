"""Texts in, the mean of their sub-word vectors out by the SIM model of Wieting et al. (2019), of length 1."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.models.embedders.catalogue import Asked
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.encoders.averaged_pieces import AveragedPieces
from paraloom.models.shelf import model_folder

LONGEST_TEXT = 10_000
"""Of a longer text only so many characters are read."""


class AveragedEmbedder:
    """The encoder of the metric `sim` as an embedder."""

    is_network: ClassVar[bool] = False

    def __init__(self, encoder: AveragedPieces) -> None:
        self.encoder = encoder
        self.name = encoder.name
        self.dims = int(encoder.vectors.shape[1])
        self.signature = f"embedder:{self.name}|characters:{LONGEST_TEXT}|{encoder.signature}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where no piece is known."""
        return unit_length(self.encoder.embed([text[:LONGEST_TEXT] for text in texts]))

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> AveragedEmbedder:
        """The model in a folder, or the one that was fetched."""
        return cls(AveragedPieces(folder or model_folder(asked.name), name="sim"))
