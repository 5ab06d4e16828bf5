"""How a language model of transformers is loaded and asked: its options alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformersOptions:
    """How a language model is loaded and asked."""

    prompt: str | None = None
    """What stands before the source, as T5's `paraphrase: `; without one, what the folder's generator.json says."""
    separator: str | None = None
    """What stands after the source, from where a causal model goes on."""
    end: str | None = None
    """The text at which an answer ends."""
    max_tokens: int = 256
    """A source of more tokens, or of more than the model reads, is paraphrased in parts of whole sentences."""
    by_sentence: bool = False
    """Every sentence is paraphrased by itself, as translation models want it."""
    device: str = ""
    """Where it runs, as torch calls it (`cpu`, `cuda`); without one the GPU where there is one."""
    dtype: Literal["float32", "bfloat16"] = "float32"
    """The numbers it reckons with; 16 bits halve the memory and are meant for GPUs."""
    hub: bool = False
    """Ask the model hub for a model that is not on this machine."""

    def __post_init__(self) -> None:
        if self.max_tokens < 8:
            raise InputError(f"max_tokens is {self.max_tokens}, and must be 8 or more. Choose another --max-tokens.")
