"""A mined run in, the embedder that it was embedded with out: told by its weights, wherever its folder lies now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.engine.signatures import hash_of_file
from paraloom.engine.store import read_made_by
from paraloom.errors import InputError
from paraloom.workflows.mine.run_options import noted_options
from paraloom.workflows.mine.vectors_step import load, options_of

if TYPE_CHECKING:
    from paraloom.models.embedders import Embedder


def embedder_of(run: Path, embedder: str | None = None, *, device: str = "cpu") -> Embedder:
    """The embedder of a run, or what it became by learning; an error where it is not there with the same weights.

    `embedder` is where it lies now; without it, it is looked for where it lay, then by its name.
    """
    options = options_of(run)
    wanted = read_made_by(run, "vectors")["weights"]
    noted = str(noted_options(run).get("embedder", options.embedder))
    for place in [embedder] if embedder else dict.fromkeys((noted, options.embedder)):
        if weights_in(place) == wanted:
            return load(replace(options, embedder=place, device="cuda" if device == "cuda" else "cpu"), run / "vectors")
    if embedder:
        raise InputError(
            f"{embedder} is not what {run} was embedded with: that was {noted}, of other weights. "
            "Its vectors cannot be compared with those of another. Give --embedder the folder of that one."
        )
    raise InputError(
        f"{run} was embedded with {noted}, and it is not there any more with the same weights. "
        "Say where it lies now: --embedder FOLDER."
    )


def weights_in(place: str) -> Mapping[str, str] | None:
    """The hashes of an embedder's files; None where there is no embedder."""
    from paraloom.models.embedders import weight_files

    try:
        return {name: hash_of_file(file) for name, file in weight_files(place).items()}
    except InputError:
        return None
