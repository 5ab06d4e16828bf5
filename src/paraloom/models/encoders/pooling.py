"""A model's token vectors in, one vector a sentence out, pooled as its folder says (Reimers and Gurevych, 2019)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.meaning.token_vectors import TokenEncoder

TEXTS_AT_ONCE = 2048
"""Token vectors of so many texts are in memory at a time."""
REMEMBERED = 100_000
"""Sentences whose vectors are kept: several metrics, and one system after the other, ask for the same ones."""

Pool = Callable[[NDArray[np.float32]], NDArray[np.float32]]

POOLS: dict[str, Pool] = {
    "mean": lambda vectors: vectors.mean(axis=0, dtype=np.float64).astype(np.float32),
    "cls": lambda vectors: vectors[0],
    "max": lambda vectors: vectors.max(axis=0),
}
"""Over all tokens of a text, the model's own marks included, as sentence-transformers has it."""

COMPUTED = ("Transformer", "Pooling", "Normalize")
"""Parts of a model of sentence-transformers; with any other its vectors are not what these make."""

KEYS = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls", "pooling_mode_max_tokens": "max"}


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

    @classmethod
    def read(cls, folder: Path) -> Pooling:
        """As sentence-transformers writes it down; where it has not, the mean, normalised."""
        pooling = _read_json(folder / "1_Pooling" / "config.json")
        limits = _read_json(folder / "sentence_bert_config.json")
        asked = [key for key, value in pooling.items() if key.startswith("pooling_mode") and value is True]
        if pooling.get("pooling_mode") in POOLS:  # as newer folders say it
            asked = [key for key, mode in KEYS.items() if mode == pooling["pooling_mode"]]
        if pooling and (len(asked) != 1 or asked[0] not in KEYS):
            raise InputError(
                f"{folder} pools by {' and '.join(asked) or 'nothing known'}. Known here is one of: {', '.join(KEYS)}."
            )
        modules = _read_json(folder / "modules.json", otherwise=[])
        kinds = [str(module.get("type", "")).rpartition(".")[2] for module in modules]
        if other := next((kind for kind in kinds if kind not in COMPUTED), None):
            raise InputError(
                f"{folder} has a part of the kind {other}, which is not computed here: its vectors would be others. "
                f"Known are {', '.join(COMPUTED)}."
            )
        return cls(
            mode=KEYS[asked[0]] if asked else "mean",
            normalised=not modules or "Normalize" in kinds,
            max_tokens=int(limits.get("max_seq_length") or 0),
            lower_case=bool(limits.get("do_lower_case")),
            includes_prompt=pooling.get("include_prompt") is not False,
        )


class PooledEncoder:
    """Sentence vectors from the token vectors of any encoder's last layer."""

    def __init__(self, encoder: TokenEncoder, pooling: Pooling = Pooling()) -> None:
        self.encoder = encoder
        self.pooling = pooling
        self.pool = POOLS[pooling.mode]
        self.remembered: dict[str, NDArray[np.float32]] = {}
        self.signature = (
            f"{encoder.signature}|pooling:{pooling.mode}|normalised:{'yes' if pooling.normalised else 'no'}"
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
        vector = self.pool(vectors)
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
