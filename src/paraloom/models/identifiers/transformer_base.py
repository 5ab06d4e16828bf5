"""A base's name or folder in, its tokeniser and network out: any transformer that transformers can load."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.encoders.transformers_encoder import (
    quietly,
    token_limit,
    transformer_libraries,
    why_not_loaded,
)
from paraloom.models.known import MODELS, known_name
from paraloom.models.shelf import find_model, model_folder
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.training.rates import with_rates

Kind = Literal["AutoModel", "AutoModelForSeq2SeqLM"]
"""The class of transformers that makes a network of a base: an encoder's states, or an encoder and a decoder."""

TELLS_NOTHING = frozenset({"_name_or_path", "architectures", "dtype", "torch_dtype", "transformers_version"})
"""What a configuration says that decides no score."""
LEFT_BY_CALLS = frozenset({"padding", "truncation"})
"""What a tokeniser's rules say of the last call; every call here says anew what it wants."""


@dataclass(frozen=True, slots=True)
class Base:
    """A transformer to build on."""

    tokeniser: Any
    network: Any
    """A torch module, in 32 bits."""
    limit: int
    """How many tokens it reads at most."""
    identity: Mapping[str, str]
    """Short names for its tokeniser and configuration: what decides a score beside the weights."""

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


def lasting_name(base: str) -> str:
    """A base as a card names it: a folder by its whole path, so that it is found, and signed, alike from anywhere.

    >>> lasting_name("roberta-base"), Path(lasting_name("..")).is_absolute()
    ('roberta-base', True)
    """
    is_folder = known_name(base) not in MODELS and Path(base).is_dir()
    return str(Path(base).resolve()) if is_folder else base


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
    return _base(tokeniser, network)


def save_base(folder: Path, base: Base) -> None:
    """Write all of a base but its weights into a folder."""
    base.tokeniser.save_pretrained(folder)
    base.config.save_pretrained(folder)


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
    return _base(tokeniser, network)


def plan_for(plan: TrainingPlan, base: str) -> TrainingPlan:
    """A plan with the learning rates that suit a base, where it names none of its own."""
    if plan.learning_rates:
        return plan
    _, transformers = transformer_libraries()
    place = place_of_base(base)
    with quietly(transformers):
        try:
            config = transformers.AutoConfig.from_pretrained(place)
        except (OSError, ValueError) as error:
            raise InputError(why_not_loaded(place, error)) from error
    return with_rates(plan, config.model_type)


def _base(tokeniser: Any, network: Any) -> Base:
    identity = {"tokeniser": _hash(_rules(tokeniser)), "configuration": _hash(_shape(network.config))}
    return Base(tokeniser, network, token_limit(tokeniser, network.config), identity)


def _rules(tokeniser: Any) -> dict[str, Any]:
    """All that decides which tokens a text becomes, and how many are read."""
    told = {"limit": tokeniser.model_max_length, "inputs": list(tokeniser.model_input_names)}
    told["marks"] = {name: str(mark) for name, mark in tokeniser.special_tokens_map.items()}
    compiled = getattr(tokeniser, "backend_tokenizer", None)
    if compiled is not None:
        rules = json.loads(compiled.to_str())
        return told | {"rules": {name: rule for name, rule in rules.items() if name not in LEFT_BY_CALLS}}
    with TemporaryDirectory() as folder:  # one that is written in Python (BERTweet) keeps its words in files alone
        words = {Path(file).name: hash_of_file(Path(file)) for file in tokeniser.save_vocabulary(folder)}
    switches = {name: on for name, on in tokeniser.init_kwargs.items() if isinstance(on, bool) and "local" not in name}
    return told | {"kind": type(tokeniser).__name__, "words": words, "switches": switches}


def _shape(config: Any) -> dict[str, Any]:
    """All that a configuration decides: heads, activation, epsilon …"""
    return {name: value for name, value in config.to_diff_dict().items() if name not in TELLS_NOTHING}


def _hash(told: Mapping[str, Any]) -> str:
    return blake2b(json.dumps(told, sort_keys=True, default=str).encode(), digest_size=4).hexdigest()
