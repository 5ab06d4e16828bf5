"""What an embedder's folder holds beside its numbers: a card; and the numbers, read with errors that say what to do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.embedders.catalogue import CARD


def write_card(folder: Path, system: str, settings: Mapping[str, Any]) -> None:
    """Write which system a folder holds, and its settings; last, for a folder without a card holds no embedder."""
    card = json.dumps({"system": system, **settings}, indent=1, ensure_ascii=False)
    (folder / CARD).write_text(card + "\n", encoding="utf-8")


def prefix_length(card: Mapping[str, Any], wanted: int) -> int:
    """How many numbers of a vector are its prefix, which was trained to do alone; 0 where it has none so short.

    Between trained sizes, and from the smallest one on, any prefix will do.

    >>> fast = {"dims": 256, "sizes": [64, 128, 256]}
    >>> [prefix_length(fast, dims) for dims in (64, 100, 16, 1000, 0)], prefix_length({"dims": 8, "sizes": [8]}, 4)
    ([64, 100, 0, 0, 0], 0)
    """
    sizes, whole = [int(size) for size in card.get("sizes") or ()], int(card.get("dims") or 0)
    is_trained = bool(sizes) and min(sizes) < whole and min(sizes) <= wanted <= whole
    return wanted if is_trained else 0


def read_tensors(file: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """The tensors of a safetensors file, which must hold these."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors: dict[str, NDArray[Any]] = load_file(file)
    except (OSError, SafetensorError) as error:
        raise InputError(f"{file} cannot be read: {error}. Get or save the embedder anew.") from error
    missing = [name for name in names if name not in tensors]
    if missing:
        raise InputError(f"{file} has no tensor {missing[0]!r}; it has {', '.join(sorted(tensors)) or 'none'}.")
    return tensors


def hash_of_weights(files: Iterable[Path]) -> str:
    """Eight letters for all these files together."""
    return blake2b("".join(hash_of_file(file) for file in files).encode(), digest_size=4).hexdigest()
