"""A name or a folder in, an encoder out: what turns texts into vectors, of tokens or of whole sentences.

A BERT model runs in onnxruntime, without torch; any other goes through transformers (the extra `train`). Metrics ask
for no more than the Protocols `TokenEncoder` and `SentenceEncoder`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.models.known import MODELS, known_name, short_name
from paraloom.models.shelf import find_model, model_folder

if TYPE_CHECKING:
    from paraloom.metrics.meaning.embedding_cosine import SentenceEncoder
    from paraloom.metrics.meaning.token_vectors import TokenEncoder

DEFAULT_ENCODER = "all-MiniLM-L6-v2"

LAYERS = {
    "all-MiniLM-L6-v2": 5,
    "bert-base-uncased": 9,
    "bert-large-uncased": 18,
    "bert-base-multilingual-cased": 9,
    "roberta-base": 10,
    "roberta-large": 17,
    "microsoft/deberta-base-mnli": 9,
    "microsoft/deberta-large-mnli": 18,
    "microsoft/deberta-xlarge-mnli": 40,
}
"""The layer to match tokens at: for all-MiniLM-L6-v2 our choice, for the others that of Zhang et al.'s package."""


def load_encoder(
    name_or_folder: str | Path = DEFAULT_ENCODER,
    layer: int | None = None,
    *,
    max_tokens: int = 0,
    batch_size: int = 0,
    remember: bool = True,
) -> TokenEncoder:
    """The encoder of that name or in that folder, at one layer (0 is the embeddings).

    `layer` may be left out where `LAYERS` has one; `max_tokens` 0 is as many as the model reads; `remember` keeps the
    latest vectors, so that several metrics may ask for the same texts.
    """
    from paraloom.models.encoders.memory import RememberingEncoder

    name = known_name(str(name_or_folder))
    if layer is None:
        layer = LAYERS.get(name)
    if layer is None:
        raise InputError(f"Say which layer of {name} to match tokens at: layer=… (0 is the embeddings).")
    encoder = _token_encoder(name, layer, max_tokens, batch_size)
    return RememberingEncoder(encoder) if remember else encoder


def load_sentence_encoder(
    name_or_folder: str | Path = DEFAULT_ENCODER, *, max_tokens: int = 0, batch_size: int = 0
) -> SentenceEncoder:
    """The sentence encoder of that name or in that folder: a pooled transformer's last layer, or `sim`."""
    from paraloom.models.encoders.averaged_pieces import AveragedPieces, is_averaged_pieces
    from paraloom.models.encoders.pooling import PooledEncoder, Pooling

    name = known_name(str(name_or_folder))
    folder = _folder(name)
    if folder is not None and is_averaged_pieces(folder):
        return AveragedPieces(folder, name=short_name(name))
    pooling = Pooling() if folder is None else Pooling.read(folder)
    return PooledEncoder(_token_encoder(name, None, max_tokens or pooling.max_tokens, batch_size), pooling)


def weight_files(name_or_folder: str | Path) -> dict[str, Path]:
    """The files an encoder's vectors depend on, by name: what a signature hashes.

    None of a model that only the hub has: once it is loaded it lies in the hub's cache, and is found there.
    """
    folder = _folder(known_name(str(name_or_folder)))
    if folder is None:
        return {}
    return {file.relative_to(folder).as_posix(): file for file in sorted(folder.rglob("*")) if file.is_file()}


def _token_encoder(name: str, layer: int | None, max_tokens: int, batch_size: int) -> TokenEncoder:
    """In onnxruntime where it can be; `layer` None is the last."""
    from paraloom.models.encoders.batches import BATCH_SIZE
    from paraloom.models.encoders.bert_graph import BertShape
    from paraloom.models.encoders.onnx_bert import OnnxBert, can_run
    from paraloom.models.encoders.transformers_encoder import TransformersEncoder

    folder = _folder(name)
    batch_size = batch_size or BATCH_SIZE
    if folder is not None and can_run(folder):
        shape = BertShape.read(folder)
        last = shape.layers if shape is not None else 0
        chosen = last if layer is None else layer
        return OnnxBert(folder, chosen, name=short_name(name), max_tokens=max_tokens, batch_size=batch_size)
    place = name if folder is None else str(folder)
    return TransformersEncoder(place, layer, name=short_name(name), max_tokens=max_tokens, batch_size=batch_size)


def _folder(name: str) -> Path | None:
    """The model's folder; None where only the hub may have it: whoever names such a model asks the hub."""
    if name in MODELS or Path(name).is_dir():
        return model_folder(name)
    found = find_model(name)
    if found is None and Path(name).is_absolute():
        raise InputError(f"There is no folder {name}. Check the path.")
    return found
