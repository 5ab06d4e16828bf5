"""Examples or a network in, a short name for exactly these out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from paraloom.models.identifiers import Examples
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch


def hash_of_examples(sets: Sequence[Examples]) -> str:
    """A short name for examples: for their texts, targets and all else they carry.

    >>> hash_of_examples([Examples(left=["a"], right=["b"], targets=[1])])
    '97bea91ffc30c26c'
    """
    digest = blake2b(digest_size=8)
    for one in sets:
        for each in fields(one):
            value = getattr(one, each.name)
            values = [value] if value is None or isinstance(value, str) else value
            digest.update(f"\x1d{each.name}".encode())
            for item in values:
                written = repr(float(item)) if isinstance(item, (int, float, np.number)) else str(item)
                digest.update(b"\x1e" + written.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def hash_of_network(net: torch.nn.Module) -> str:
    """A short name for a network: for the names, shapes and values of its weights."""
    torch = torch_library()
    digest = blake2b(digest_size=8)
    for name, tensor in net.state_dict().items():
        digest.update(f"\x1e{name} {tuple(tensor.shape)}".encode())
        digest.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    return digest.hexdigest()
