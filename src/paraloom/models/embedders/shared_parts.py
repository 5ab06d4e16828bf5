"""An embedder's card in, out come the files it shares with the shipped model of pairs, so that nothing is there twice.

A card may say `"tokeniser": "pairs"` (the word pieces are those of the shipped model of pairs) and `"words": "pairs"`
(so are their vectors).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

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
    """All files that decide the vectors of an embedder that was saved into a folder.

    The card is none of them: what it decides (name, dimensions, tokens, which files are shared) a signature tells
    otherwise, and the rest is for people.
    """
    return [folder / file for file in own] + list(shared_files(card).values())


def where_from(part: str) -> dict[str, Any]:
    """What a card must say of a part that is the model of pairs': whose it was, and what texts it has learned from.

    >>> where_from("words")["of"], where_from("tokeniser")
    ('pairs', {'of': 'pairs', 'base': 'gte-small (MIT): its first 10 layers and 17,000 of its word pieces'})
    """
    card = json.loads((pairs_folder() / "card.json").read_text(encoding="utf-8"))
    told = ("base", "trained_on", "chosen_on") if part == "words" else ("base",)
    return {"of": PAIRS, **{name: card[name] for name in told}}


def said_of_shared(card: Mapping[str, Any]) -> dict[str, Any]:
    """What a card must say of all its parts that are the model of pairs', under `shared`; nothing where it has none."""
    shared = {part: where_from(part) for part in ("tokeniser", "words") if card.get(part) == PAIRS}
    return {"shared": shared} if shared else {}
