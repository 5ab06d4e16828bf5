"""A learned model in, a folder that holds it out, and back."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.store import unfinished_name
from paraloom.errors import InputError, TargetTaken
from paraloom.models.aligners.statistical.options import StatisticalOptions
from paraloom.models.aligners.statistical.word_table import Direction, WordTable

CARD = "aligner.json"
WORDS = "words.json"
TABLE = "word_table.safetensors"


def write_model(folder: Path, name: str, options: StatisticalOptions, table: WordTable) -> None:
    """Write it so that the folder is either whole or absent; `TargetTaken` where something else is there."""
    from safetensors.numpy import save_file

    if folder.exists():
        raise TargetTaken(f"{folder} is there already. Choose another folder, or delete it.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = unfinished_name(folder)
    unfinished.mkdir()
    try:
        (unfinished / WORDS).write_text(json.dumps(table.words), encoding="utf-8")
        save_file(_arrays(table), str(unfinished / TABLE))
        card = {"name": name, "options": asdict(options), "words": len(table.words), "weights": table.digest}
        (unfinished / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _arrays(table: WordTable) -> dict[str, np.ndarray[Any, Any]]:
    arrays: dict[str, np.ndarray[Any, Any]] = {
        "row_starts": table.row_starts,
        "columns": table.columns,
        "left_counts": table.left_counts,
        "right_counts": table.right_counts,
    }
    for side, direction in (("forward", table.forward), ("backward", table.backward)):
        for part in Direction.__slots__:
            arrays[f"{side}.{part}"] = getattr(direction, part)
    return arrays


def read_model(folder: Path, name: str) -> tuple[StatisticalOptions, WordTable]:
    """What `write_model` wrote; `InputError` where it did not, or where the files do not belong together."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        words = json.loads((folder / WORDS).read_text(encoding="utf-8"))
        arrays = load_file(folder / TABLE)
        if card["name"] != name:
            raise InputError(f"{folder} holds the aligner {card['name']!r}, not {name!r}. Load it as what it is.")
        options = StatisticalOptions(**card["options"])
        directions = {
            side: Direction(**{part: arrays[f"{side}.{part}"] for part in Direction.__slots__})
            for side in ("forward", "backward")
        }
        table = WordTable(
            words=tuple(words),
            row_starts=arrays["row_starts"],
            columns=arrays["columns"],
            left_counts=arrays["left_counts"],
            right_counts=arrays["right_counts"],
            **directions,
        )
    except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
        raise InputError(f"{folder} holds no whole statistical aligner ({error!r}). Learn and save it anew.") from error
    if table.digest != card.get("weights"):
        raise InputError(f"The files in {folder} do not belong to their {CARD}. Learn and save the aligner anew.")
    return options, table
