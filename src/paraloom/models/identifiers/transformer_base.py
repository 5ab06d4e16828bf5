"""A base's name or folder in, its tokeniser and network out: any transformer that transformers can load."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from paraloom.errors import InputError
from paraloom.models.encoders.transformers_encoder import (
    quietly,
    token_limit,
    transformer_libraries,
    why_not_loaded,
)
from paraloom.models.known import MODELS, known_name
from paraloom.models.shelf import find_model, model_folder

Kind = Literal["AutoModel", "AutoModelForSeq2SeqLM"]
"""The class of transformers that makes a network of a base: an encoder's states, or an encoder and a decoder."""


@dataclass(frozen=True, slots=True)
class Base:
    """A transformer to build on."""

    tokeniser: Any
    network: Any
    """A torch module, in 32 bits."""
    limit: int
    """How many tokens it reads at most."""

    @property
    def config(self) -> Any:
        return self.network.config

    def encoder(self) -> Any:
        """What reads texts: of an encoder and a decoder the encoder. The pooler, which nobody asks, is left out."""
        network = self.network.get_encoder() if self.config.is_encoder_decoder else self.network
        if getattr(network, "pooler", None) is not None:
            network.pooler = None
        return network


def place_of_base(base: str) -> str:
    """The folder of a base that is known or given as one; else the name, which is then one of the model hub's.

    >>> place_of_base("roberta-base")
    'roberta-base'
    """
    if find_model(base) is not None or known_name(base) in MODELS or Path(base).is_dir():
        return str(model_folder(base))
    return base


def open_base(base: str, kind: Kind = "AutoModel") -> Base:
    """A base with its trained weights."""
    torch, transformers = transformer_libraries()
    place = place_of_base(base)
    with quietly(transformers):
        try:
            tokeniser = transformers.AutoTokenizer.from_pretrained(place)
            network = getattr(transformers, kind).from_pretrained(place, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise InputError(why_not_loaded(place, error)) from error
    return Base(tokeniser, network, token_limit(tokeniser, network.config))


def reopen_base(folder: Path, kind: Kind = "AutoModel") -> Base:
    """The base of a saved identifier, still without its weights."""
    _, transformers = transformer_libraries()
    with quietly(transformers):
        try:
            tokeniser = transformers.AutoTokenizer.from_pretrained(folder)
            config = transformers.AutoConfig.from_pretrained(folder)
            network = getattr(transformers, kind).from_config(config)
        except (OSError, ValueError) as error:
            raise InputError(f"{why_not_loaded(str(folder), error)} Save the identifier anew.") from error
    return Base(tokeniser, network, token_limit(tokeniser, config))
