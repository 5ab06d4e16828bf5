"""A model's token vectors in, one vector a sentence out, pooled as its folder says (Reimers and Gurevych, 2019)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.meaning.token_vectors import TokenEncoder
from paraloom.models.encoders.dense import Dense

TEXTS_AT_ONCE = 2048
"""Token vectors of so many texts are in memory at a time."""
REMEMBERED = 100_000
"""Sentences whose vectors are kept: several metrics, and one system after the other, ask for the same ones."""

Pool = Callable[[NDArray[np.float32]], NDArray[np.float32]]

POOLS: dict[str, Pool] = {
    "mean": lambda vectors: vectors.mean(axis=0, dtype=np.float64).astype(np.float32),
    "cls": lambda vectors: vectors[0],
    "max": lambda vectors: vectors.max(axis=0),
    "lasttoken": lambda vectors: vectors[-1],
    "weightedmean": lambda vectors: np.average(
        vectors.astype(np.float64), axis=0, weights=np.arange(1, len(vectors) + 1)
    ).astype(np.float32),
    "mean_sqrt_len_tokens": lambda vectors: (vectors.sum(axis=0, dtype=np.float64) / np.sqrt(len(vectors))).astype(
        np.float32
    ),
}
"""Over all tokens of a text, the model's own marks included, as sentence-transformers has it."""

COMPUTED = ("Transformer", "Pooling", "Dense", "Normalize")
"""Parts of a model of sentence-transformers, in their order; with any other its vectors are not what these make."""

KEYS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
    "pooling_mode_weightedmean_tokens": "weightedmean",
    "pooling_mode_mean_sqrt_len_tokens": "mean_sqrt_len_tokens",
}
"""What older folders call each way of pooling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooling:
    """How a folder says its sentence vectors are made."""

    mode: str = "mean"
    normalised: bool = True
    max_tokens: int = 0
    """0 where the folder does not say."""
    lower_case: bool = False
    """Whether texts are read in small letters, whatever the tokeniser does."""
    includes_prompt: bool = True
    """Whether the tokens of what is read before a text are pooled too."""
    layers: tuple[Dense, ...] = ()
    """What pooled vectors go through."""

    @property
    def described(self) -> str:
        """As a signature has it.

        >>> Pooling(mode="cls").described
        'pooling:cls'
        """
        return "|".join((f"pooling:{self.mode}", *(f"dense:{layer.digest}" for layer in self.layers)))

    def dims(self, width: int) -> int:
        """How many numbers a vector has, if so many are pooled."""
        return self.layers[-1].dims if self.layers else width

    def through_layers(self, pooled: NDArray[np.float32]) -> NDArray[np.float32]:
        """What the layers make of pooled vectors, a row each."""
        for layer in self.layers:
            pooled = layer(pooled)
        return pooled

    @classmethod
    def read(cls, folder: Path) -> Pooling:
        """As sentence-transformers writes it down; where it has not, the mean, normalised."""
        modules = _read_json(folder / "modules.json", otherwise=[])
        kinds = _kinds(folder, modules)
        places = [str(module.get("path", "")) for module in modules]
        pooling = _read_json(folder / (places[kinds.index("Pooling")] if kinds else "1_Pooling") / "config.json")
        limits = _read_json(folder / "sentence_bert_config.json")
        asked = [key for key, value in pooling.items() if key.startswith("pooling_mode") and value is True]
        if isinstance(named := pooling.get("pooling_mode"), str):  # as newer folders say it
            asked = [key for key, mode in KEYS.items() if mode == named]
        if pooling and (len(asked) != 1 or asked[0] not in KEYS):
            raise InputError(
                f"{folder} pools by {' and '.join(asked) or 'nothing known'}. Known here is one of: {', '.join(KEYS)}."
            )
        return cls(
            mode=KEYS[asked[0]] if asked else "mean",
            normalised=not modules or "Normalize" in kinds,
            max_tokens=int(limits.get("max_seq_length") or 0),
            lower_case=bool(limits.get("do_lower_case")),
            includes_prompt=pooling.get("include_prompt") is not False,
            layers=tuple(
                Dense.read(folder / place, _read_json(folder / place / "config.json"))
                for kind, place in zip(kinds, places, strict=True)
                if kind == "Dense"
            ),
        )


def _kinds(folder: Path, modules: Sequence[Mapping[str, Any]]) -> list[str]:
    """The kinds of a model's parts, one after the other."""
    kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
    if other := next((kind for kind in kinds if kind not in COMPUTED), None):
        raise InputError(
            f"{folder} has a part of the kind {other}, which is not computed here: its vectors would be others. "
            f"Known are {', '.join(COMPUTED)}."
        )
    if kinds and (kinds[:2] != ["Transformer", "Pooling"] or kinds != sorted(kinds, key=COMPUTED.index)):
        raise InputError(
            f"{folder} has its parts in the order {', '.join(kinds)}, which is not computed here. Known is "
            f"{', '.join(COMPUTED)}."
        )
    return kinds


class PooledEncoder:
    """Sentence vectors from the token vectors of any encoder's last layer."""

    def __init__(self, encoder: TokenEncoder, pooling: Pooling = Pooling()) -> None:
        self.encoder = encoder
        self.pooling = pooling
        self.pool = POOLS[pooling.mode]
        self.remembered: dict[str, NDArray[np.float32]] = {}
        self.signature = (
            f"{encoder.signature}|{pooling.described}|normalised:{'yes' if pooling.normalised else 'no'}"
            f"{'|lower-case:yes' if pooling.lower_case else ''}"
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        distinct = dict.fromkeys(texts)
        unknown = [text for text in distinct if text not in self.remembered]
        if len(self.remembered) + len(unknown) > REMEMBERED:
            self.remembered.clear()
            unknown = list(distinct)
        for start in range(0, len(unknown), TEXTS_AT_ONCE):
            part = unknown[start : start + TEXTS_AT_ONCE]
            read = [text.lower() for text in part] if self.pooling.lower_case else part
            for text, tokens in zip(part, self.encoder.encode(read), strict=True):
                self.remembered[text] = self._pooled(tokens.vectors)
        return np.stack([self.remembered[text] for text in texts])

    def _pooled(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        vector = self.pooling.through_layers(self.pool(vectors)[None])[0]
        if self.pooling.normalised:
            vector = vector / max(float(np.linalg.norm(vector)), 1e-12)
        return np.asarray(vector, np.float32)


def _read_json(file: Path, otherwise: Any = None) -> Any:
    """What a JSON file holds; `otherwise` (an empty object) where there is none."""
    if not file.is_file():
        return {} if otherwise is None else otherwise
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{file} is not JSON: {error}. Get the model again.") from error
