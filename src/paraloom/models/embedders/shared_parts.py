"""An embedder's card in, out come the files it shares with the shipped model of pairs, so that nothing is there twice.

A card may say `"tokeniser": "pairs"` (the word pieces are those of the shipped model of pairs) and `"words": "pairs"`
(so are their vectors).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paraloom.models.embedders.catalogue import CARD

PAIRS = "pairs"
"""What a card says where a part is that of the shipped model of pairs."""
TOKENISER = "tokenizer.json"
WEIGHTS = "model.safetensors"


def pairs_folder() -> Path:
    """Where the shipped model of pairs lies."""
    from paraloom.models.identifiers import SHIPPED

    return SHIPPED / PAIRS


def tokeniser_file(folder: Path, card: Mapping[str, Any]) -> Path:
    """The tokeniser that a card names: a file of its folder, or the one of the model of pairs."""
    named = str(card.get("tokeniser", TOKENISER))
    return pairs_folder() / TOKENISER if named == PAIRS else folder / named


def shared_files(card: Mapping[str, Any]) -> dict[str, Path]:
    """The files that decide its vectors but do not lie in its folder, by name.

    >>> list(shared_files({"tokeniser": "pairs"}))
    ['shipped pairs/tokenizer.json']
    """
    parts = {"tokeniser": TOKENISER, "words": WEIGHTS}
    shared = [file for part, file in parts.items() if card.get(part) == PAIRS]
    return {f"shipped {PAIRS}/{file}": pairs_folder() / file for file in shared}


def deciding_files(folder: Path, card: Mapping[str, Any], own: tuple[str, ...]) -> list[Path]:
    """All files that decide the vectors of an embedder that was saved into a folder."""
    return [folder / file for file in (CARD, *own)] + list(shared_files(card).values())
