"""The folder of a generator that was trained here in, the generator out: an adapter and its base, or a network.

`generator.json` says what it is: `adapter`, a file beside it, and `base`, the GGUF file that it changes, by name or
path and by its hash; or `network`, a folder beside it that transformers reads.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.generators import Generator
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.generator_card import CARD
from paraloom.models.known import MODELS
from paraloom.models.shelf import find_model

NETWORK = "network"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedFolder:
    """What a trained generator says of itself."""

    name: str
    about: str
    """What it was trained on, in words."""
    base: str
    """What it started from: a name of the shelf or the hub, or a path."""
    base_hash: str = ""
    """Of the GGUF file that an adapter changes: no other will do."""
    adapter: str = ""
    network: str = ""
    kind: str = "generator"


def write_trained(folder: Path, trained: TrainedFolder) -> None:
    """Put the card into a folder."""
    (folder / CARD).write_text(json.dumps(asdict(trained), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_trained(folder: Path) -> TrainedFolder | None:
    """What a folder says of itself; None where it is none of these."""
    try:
        said = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(said, dict) or not (said.get("adapter") or said.get("network")):
        return None
    known = {field.name for field in fields(TrainedFolder)}
    if any(not isinstance(said.get(name, ""), str) for name in known) or not said.get("name"):
        raise InputError(f"{folder / CARD} is not what a training writes. Train it anew.")
    return TrainedFolder(**{"about": "", "base": "", **{name: said[name] for name in known if name in said}})


def load_trained(folder: Path, trained: TrainedFolder, decoding: Decoding, *, device: str = "") -> Generator:
    """The generator, ready to be asked."""
    if trained.network:
        from paraloom.models.generators.transformers_lm import TransformersGenerator
        from paraloom.models.generators.transformers_options import TransformersOptions

        options = TransformersOptions(device=device)
        return TransformersGenerator(folder / trained.network, options, decoding, name=trained.name)
    from paraloom.models.generators.llama_generator import LlamaGenerator

    adapter = folder / trained.adapter
    if not adapter.is_file():
        raise InputError(f"{folder} has no {trained.adapter}, which its {CARD} names. Copy it there, or train it anew.")
    base = _base_file(folder, trained)
    return LlamaGenerator(base, adapter, decoding, name=trained.name, device=device or "cpu")


def _base_file(folder: Path, trained: TrainedFolder) -> Path:
    """The GGUF file that the adapter was trained on: beside it, where its path says, or on the shelf."""
    places = [folder / Path(trained.base).name, Path(trained.base), *gguf_files(find_model(trained.base))]
    found = [file for file in places if file.is_file()]
    for file in found:
        if not trained.base_hash or hash_of_file(file) == trained.base_hash:
            return file
    if found:
        raise InputError(
            f"{folder} changes the weights of {trained.base} with the hash {trained.base_hash[:8]}, and {found[0]} has "
            "others. Put the file that it was trained on beside the adapter."
        )
    fetch = (
        f"Fetch it: paraloom models fetch {trained.base}" if trained.base in MODELS else "Put it beside the adapter."
    )
    raise InputError(f"{folder} changes the weights of {trained.base}, which is not on this machine. {fetch}")


def gguf_files(folder: Path | None) -> list[Path]:
    """The GGUF files of a folder; none where there is no folder.

    >>> gguf_files(None)
    []
    """
    return [] if folder is None else sorted(folder.glob("*.gguf"))
