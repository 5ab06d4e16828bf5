"""A Marian model as its authors saved it in, the same with its weights as safetensors out: no code is run, nor torch.

The pickle has the table of word pieces three times, since encoder, decoder and output share it; it is kept once.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from paraloom.errors import InputError
from paraloom.models.torch_pickle import read_torch_pickle

PICKLE = "pytorch_model.bin"
WEIGHTS = "model.safetensors"
SHARED = "model.shared.weight"
COPIES = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
"""Other names of the shared table; transformers ties them to it when it loads."""


def convert(folder: Path) -> None:
    """`pytorch_model.bin` becomes `model.safetensors`; what else lies in the folder stays."""
    from safetensors.numpy import save

    tensors = read_torch_pickle(folder / PICKLE)
    if not isinstance(tensors, dict) or SHARED not in tensors:
        raise InputError(f"{folder / PICKLE} does not hold the weights of a Marian model ({SHARED} is missing).")
    table = tensors[SHARED]
    for name in COPIES:
        if name in tensors and not np.array_equal(tensors.pop(name), table):
            raise InputError(
                f"{folder / PICKLE} has another table as {name}, so it cannot be kept as one with shared words."
            )
    whole = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    (folder / WEIGHTS).write_bytes(save(whole, metadata={"format": "pt"}))
    (folder / PICKLE).unlink()
