"""Texts in, the hidden states of their tokens at one layer out, by any encoder that transformers can load."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.metrics.meaning.token_vectors import TokenVectors
from paraloom.models.encoders.batches import BATCH_SIZE, Pieces, encode_in_batches, readable
from paraloom.models.encoders.onnx_bert import CONFIGURATION, TOKENISER, check_layer, encoder_signature

LONGEST = 512
"""Tokens that are read where neither tokeniser nor model has a limit (T5)."""

WEIGHT_FILES = (
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
)

VOCABULARY_FILES = (
    *("vocab.json", "merges.txt", "vocab.txt", "bpe.codes"),
    *("spiece.model", "sentencepiece.bpe.model", "tokenizer.model"),
)
"""Where a tokeniser that has no tokenizer.json keeps its words."""

FIRST_PLACE_AFTER_PADDING = frozenset({"camembert", "mpnet", "roberta", "xlm-roberta"})
"""Kinds of model that number a text's places from behind the padding's own number, and so have fewer than they say."""


class TransformersEncoder:
    """A transformer in torch: RoBERTa, MPNet, DeBERTa, the encoder of T5. Needs the extra `train`."""

    def __init__(
        self,
        name_or_folder: str,
        layer: int | None,
        *,
        name: str = "",
        max_tokens: int = 0,
        batch_size: int = BATCH_SIZE,
        device: str = "",
    ) -> None:
        """`layer` 0 is the embeddings, None the last. A name that is no folder is one of the model hub.

        `device` is torch's; without one it is the GPU where there is one.
        """
        torch, transformers = transformer_libraries()
        self.torch = torch
        try:
            with quietly(transformers):
                self.tokeniser = transformers.AutoTokenizer.from_pretrained(name_or_folder)
                model = transformers.AutoModel.from_pretrained(name_or_folder, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise InputError(why_not_loaded(name_or_folder, error)) from error
        if model.config.is_encoder_decoder:
            model = model.get_encoder()
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.model = model.to(self.device).eval()
        self.layers = int(model.config.num_hidden_layers)
        self.layer = self.layers if layer is None else layer
        check_layer(self.layer, self.layers, name_or_folder)
        self.name = name or name_or_folder
        self.batch_size = batch_size
        limit = token_limit(self.tokeniser, self.model.config)
        self.max_tokens = min(max_tokens or limit, limit)
        hashes = _hashes(transformers, name_or_folder)
        self.signature = encoder_signature(self.name, self.layer, self.max_tokens, hashes)

    def token_ids(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        return [piece.ids[~piece.special] for piece in self.pieces(texts)]

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        filler = self.tokeniser.pad_token_id or 0
        return encode_in_batches(texts, self.pieces, self._states, self.batch_size, filler)

    def _states(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        with self.torch.inference_mode():
            given = {"input_ids": ids, "attention_mask": mask}
            tensors = {key: self.torch.from_numpy(value).to(self.device) for key, value in given.items()}
            states = self.model(**tensors, output_hidden_states=True).hidden_states[self.layer]
        return np.asarray(states.cpu().numpy())

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """The pieces of each text."""
        if not texts:
            return []
        given = readable(texts)
        encoded = self.tokeniser(
            given,
            truncation=True,
            max_length=self.max_tokens,
            return_special_tokens_mask=True,
            split_special_tokens=True,  # a text that says "[SEP]" is a text about it
        )
        longer = self._are_longer(given, [len(ids) for ids in encoded["input_ids"]])
        return [
            Pieces(np.array(ids, np.int64), np.array(special, np.bool_), cut)
            for ids, special, cut in zip(encoded["input_ids"], encoded["special_tokens_mask"], longer, strict=True)
        ]

    def _are_longer(self, texts: Sequence[str], lengths: Sequence[int]) -> list[bool]:
        """Which texts have more tokens than are read: only a text that fills its places can."""
        full = [place for place, length in enumerate(lengths) if length >= self.max_tokens]
        longer = [False] * len(texts)
        if full:
            whole = self.tokeniser([texts[place] for place in full], split_special_tokens=True, verbose=False)[
                "input_ids"
            ]
            for place, ids in zip(full, whole, strict=True):
                longer[place] = len(ids) > self.max_tokens
        return longer


def token_limit(tokeniser: Any, config: Any) -> int:
    """How many tokens a model reads at most."""
    known = [int(tokeniser.model_max_length)]  # a huge number where the tokeniser has none
    positions = getattr(config, "max_position_embeddings", None)
    if positions:
        known.append(
            int(positions) - ((config.pad_token_id or 0) + 1) * (config.model_type in FIRST_PLACE_AFTER_PADDING)
        )
    return min(known) if min(known) < 10**6 else LONGEST


def transformer_libraries() -> tuple[Any, Any]:
    """Torch and transformers, or an error that says how to get them."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(
            f"This model needs torch and transformers, and {error.name} is not installed. "
            "Install them: pip install 'paraloom[train]'"
        ) from error
    return torch, transformers


@contextmanager
def quietly(transformers: Any) -> Iterator[None]:
    """No bars, no word on heads that are not used, nor on what torch plans to drop (DeBERTa is written in it)."""
    logging = transformers.utils.logging
    before, had_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=r"`torch\.jit", category=DeprecationWarning)
            yield
    finally:
        logging.set_verbosity(before)
        if had_bars:
            logging.enable_progress_bar()


def _hashes(transformers: Any, name_or_folder: str) -> dict[str, str]:
    """Of weights, tokeniser and configuration, each as it lies in files, wherever transformers keeps these."""

    def found(*names: str) -> list[Path]:
        asked = (
            transformers.utils.cached_file(name_or_folder, name, _raise_exceptions_for_missing_entries=False)
            for name in names
        )
        return [Path(file) for file in asked if file]

    weights = next((files for files in map(found, WEIGHT_FILES) if files), [])  # one by one: a hub sends each
    if not weights:
        raise InputError(f"{name_or_folder} has none of {', '.join(WEIGHT_FILES)}, so its scores could not be signed.")
    if weights[0].suffix == ".json":  # names the files that hold the weights
        parts = json.loads(weights[0].read_text(encoding="utf-8"))["weight_map"].values()
        weights = found(*sorted(set(parts)))
    return {
        "weights": _hash_of_files(weights),
        "tokeniser": _hash_of_files(found(TOKENISER) or found(*VOCABULARY_FILES)),
        "configuration": _hash_of_files(found(CONFIGURATION)),
    }


def _hash_of_files(files: Sequence[Path]) -> str:
    """Of one file its own; of several one of them all."""
    hashes = [hash_of_file(file) for file in files]
    return hashes[0] if len(hashes) == 1 else blake2b("".join(hashes).encode(), digest_size=16).hexdigest()


def why_not_loaded(name_or_folder: str, error: Exception) -> str:
    """What to say where transformers could not load a model."""
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    if Path(name_or_folder).is_dir():
        return f"The folder {name_or_folder} holds no model that transformers can load: {reason}"
    return (
        f"{name_or_folder} is no folder, and the model hub gave no model of that name: {reason} "
        "Without a network, copy the model's folder here and name the folder."
    )
