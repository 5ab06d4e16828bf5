"""A language model's name or folder in, its tokeniser and network out, by transformers; and hashes of its files."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.encoders.transformers_encoder import quietly, transformer_libraries, why_not_loaded
from paraloom.models.known import MODELS, known_name
from paraloom.models.shelf import CARD, find_model, model_folder

WEIGHTS = (".safetensors", ".bin")
"""Endings of files with weights, in the order in which transformers looks for them."""
SETTINGS = (".json", ".model", ".spm", ".txt")
"""Endings of the files that decide an output beside the weights."""


def place_of_model(name: str, *, hub: bool = False) -> Path:
    """The folder of a language model: one that is given, on the shelf, in the hub's cache, or fetched from the hub."""
    is_given = bool(name) and Path(name).is_dir() and known_name(name) not in MODELS
    if is_given or known_name(name) in MODELS or find_model(name) is not None:
        return model_folder(name)
    if not hub or Path(name).is_absolute() or name.startswith("."):
        raise InputError(
            f"There is no language model {name!r} on this machine: neither a folder nor in the model hub's cache. "
            "Check the name, or copy the model's folder here and name it; the hub is asked for it only with --hub "
            "(hub=True)."
        )
    from paraloom.models.embedders.hub_names import fetch_from_hub

    return fetch_from_hub(name)


def hashes_of_folder(folder: Path) -> str:
    """Short names for the weights of a folder and for all else that decides what it writes."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    weights = next(filter(None, ([file for file in files if file.suffix == ending] for ending in WEIGHTS)), [])
    settings = [file for file in files if file.suffix in SETTINGS and file.name != CARD]
    return f"weights:{_hash(weights)}|settings:{_hash(settings)}"


def _hash(files: Sequence[Path]) -> str:
    told = "".join(f"{file.name}{hash_of_file(file)}" for file in files)
    return blake2b(told.encode(), digest_size=4).hexdigest()


def load_language_model(folder: Path, *, device: str = "", dtype: str = "float32") -> tuple[Any, Any]:
    """Tokeniser and network of a folder, ready to write; no code that lies in the folder is run."""
    torch, transformers = transformer_libraries()
    try:
        with quietly(transformers), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
            kind = "AutoModelForSeq2SeqLM" if config.is_encoder_decoder else "AutoModelForCausalLM"
            tokeniser = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            network = getattr(transformers, kind).from_pretrained(
                folder, dtype=getattr(torch, dtype), local_files_only=True
            )
            return tokeniser, network.to(device or ("cuda" if torch.cuda.is_available() else "cpu")).eval()
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise InputError(why_not_loaded(str(folder), error)) from error
