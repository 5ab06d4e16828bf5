"""Texts in, vectors of a small transformer with 8-bit weights out, in onnxruntime: no torch.

A folder holds `embedder.json`, `config.json` (BERT's), `model.safetensors` (matrices in 8 bits with a scale a row) and
a tokeniser. Its card may say that word pieces, or their vectors too, are those of the shipped model of pairs: they are
read from there. States are averaged over a text's tokens, multiplied by `projection.weight` where there is one, and
cut to the dimensions asked for.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.embedders.cards import hash_of_weights, prefix_length, write_card
from paraloom.models.embedders.catalogue import Asked
from paraloom.models.embedders.shared_parts import (
    PAIRS,
    TOKENISER,
    deciding_files,
    pairs_folder,
    said_of_shared,
    tokeniser_file,
)
from paraloom.models.embedders.transformer import (
    TEXTS_AT_ONCE,
    TransformerEmbedder,
    says_something,
    silent_pieces,
)
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.encoders.batches import alike, padded
from paraloom.models.encoders.bert_graph import BertGraph, BertShape
from paraloom.models.encoders.int8_graph import Int8Graph
from paraloom.models.encoders.pair_states import CHARACTERS_A_TOKEN
from paraloom.models.encoders.session import OnnxModel, start_session
from paraloom.models.encoders.word_pieces import WordPieces
from paraloom.models.int8 import Int8File, write_int8

CONFIG, WEIGHTS = "config.json", "model.safetensors"
WORDS = "embeddings.word_embeddings.weight"
PROJECTION = "projection.weight"
ROOTS = ("0.auto_model.", "auto_model.", "bert.", "")
"""What the names of a saved model's tensors may begin with."""
MAX_TOKENS = 128
BATCH_SIZE = 32
TOO_FAR = 0.02
"""Words whose vectors differ by more than this share of their length from the shared ones are not those."""


class SharedWords(Int8File):
    """Tensors of a file, but the vectors of words of another one."""

    def __init__(self, file: Path, words: Path) -> None:
        super().__init__(file)
        self.words = Int8File(words)

    def __getitem__(self, name: str) -> NDArray[np.float32]:
        return self.words[name] if name == WORDS else super().__getitem__(name)

    def __iter__(self) -> Iterator[str]:
        yield from (WORDS, *super().__iter__())

    def __len__(self) -> int:
        return super().__len__() + 1


def packed_tensors(folder: Path, card: Mapping[str, Any]) -> Int8File:
    """The tensors of a packed encoder, its words from where its card says."""
    if card.get("words") == PAIRS:
        return SharedWords(folder / WEIGHTS, pairs_folder() / WEIGHTS)
    return Int8File(folder / WEIGHTS)


class Int8Encoder:
    """A BERT model whose layers multiply in 8 bits, averaged over tokens, of length 1."""

    is_network: ClassVar[bool] = True

    def __init__(self, folder: Path, card: Mapping[str, Any], *, name: str, dims: int = 0, max_tokens: int = 0) -> None:
        """`dims` 0 is all of them; fewer are a prefix."""
        shape = BertShape.read(folder)
        if shape is None:
            raise InputError(f"{folder / CONFIG} describes no plain BERT model. Save the embedder anew.")
        tensors = packed_tensors(folder, card)
        whole = len(tensors[PROJECTION]) if PROJECTION in tensors else shape.width
        self.name = name
        self.dims = min(dims or whole, whole)
        self.max_tokens = min(max_tokens or int(card.get("max_tokens", MAX_TOKENS)), shape.positions)
        tokeniser = tokeniser_file(folder, card)
        self.pieces = WordPieces(tokeniser, self.max_tokens)
        self.silent = silent_pieces(self.pieces.tokeniser)
        self.session = start_session(pooled_graph(Int8Graph(tensors, shape), shape, PROJECTION in tensors))
        weights = hash_of_weights([*deciding_files(folder, card, (CONFIG, WEIGHTS)), tokeniser])
        self.signature = (
            f"embedder:{name}|dims:{self.dims}|max-tokens:{self.max_tokens}|arithmetic:int8|weights:{weights}"
            f"|paraloom:{paraloom_version()}"
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row a text, of length 1; zeros where a text has no piece that the tokeniser knows."""
        found = np.zeros((len(texts), self.dims), np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            found[start : start + TEXTS_AT_ONCE] = self._block(texts[start : start + TEXTS_AT_ONCE])
        return found

    def _block(self, texts: Sequence[str]) -> NDArray[np.float32]:
        most = CHARACTERS_A_TOKEN * self.max_tokens
        pieces = self.pieces([text[:most] for text in texts])
        told = [place for place, one in enumerate(pieces) if says_something(one.ids[~one.special], self.silent)]
        rows = np.zeros((len(texts), self.dims), np.float32)
        for together, width in alike([len(pieces[place].ids) for place in told], BATCH_SIZE):
            places = [told[one] for one in together]
            ids, mask = padded([pieces[place].ids for place in places], 0, min(width, self.max_tokens))
            (vectors,) = self.session.run(["vectors"], {"ids": ids, "mask": mask})
            rows[places] = vectors[:, : self.dims]
        return unit_length(rows)

    @classmethod
    def load(cls, folder: Path | None, asked: Asked) -> Int8Encoder | TransformerEmbedder:
        """The encoder in a folder, on a GPU in torch; fewer dimensions are a prefix from the least trained size on."""
        from paraloom.models.embedders import read_card

        assert folder is not None, "an encoder is read from a folder"
        card = read_card(folder)
        name = str(card.get("name") or folder.name)
        dims = prefix_length(card, asked.dims)
        if asked.device != "cpu":
            from paraloom.models.embedders.packed_in_torch import PackedInTorch

            runs = PackedInTorch(folder, card, dims=dims, max_tokens=asked.max_tokens, device=asked.device)
            return TransformerEmbedder(name, runs, on_gpu=True)
        return cls(folder, card, name=name, dims=dims, max_tokens=asked.max_tokens)


def pooled_graph(graph: BertGraph, shape: BertShape, is_projected: bool) -> OnnxModel:
    """A BERT model and the mean over its last states, projected where it is so.

    In: `ids` and `mask`, batch × length. Out: `vectors`, batch × dimensions.
    """
    from onnx import TensorProto, helper

    states = graph.layers(graph.embeddings("ids"), 0, shape.layers)
    graph.constant("along_tokens", np.array([1], np.int64))
    graph.constant("last_axis", np.array([2], np.int64))
    kept = graph.add("Cast", ["mask"], to=TensorProto.FLOAT)
    count = graph.add("ReduceSum", [kept, "along_tokens"], keepdims=1)
    shares = graph.add("Unsqueeze", [graph.add("Div", [kept, count]), "last_axis"])
    mean = graph.add("ReduceSum", [graph.add("Mul", [states, shares]), "along_tokens"], keepdims=0)
    projected = graph.product(mean, PROJECTION, np.float32(1)) if is_projected else mean
    graph.add("Identity", [projected], output="vectors")
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("ids", "mask")]
    told = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["batch", "dimensions"])
    return graph.model("pooled", given, [told])


def pack_encoder(
    tensors: Mapping[str, NDArray[Any]],
    config: Path,
    out: Path,
    *,
    tokeniser: Path | None = None,
    shared_words: bool = False,
    projection: NDArray[Any] | None = None,
    card: Mapping[str, Any] | None = None,
) -> None:
    """Write a BERT model's tensors in 8 bits, with what the card is to say beside (`name`, `sizes`, `licence` …).

    `config` is its config.json; `tokeniser` the tokenizer.json that is copied, or None for that of the shipped model
    of pairs; `shared_words` leaves the vectors of words out, which must be those of that model; `projection` has a row
    a dimension.
    """
    bare = _bare(tensors)
    if shared_words:
        _check_words(bare.pop(WORDS, None))
    if projection is not None:
        bare[PROJECTION] = np.asarray(projection, np.float32)
    out.mkdir(parents=True, exist_ok=True)
    write_int8(bare, out / WEIGHTS)
    shutil.copyfile(config, out / CONFIG)
    if tokeniser is not None:
        shutil.copyfile(tokeniser, out / TOKENISER)
    shape = BertShape.read(out)
    if shape is None:
        raise InputError(f"{config} describes no plain BERT model, so its weights cannot be packed.")
    parts = {
        "dims": shape.width if projection is None else len(projection),
        "tokeniser": PAIRS if tokeniser is None else TOKENISER,
        "words": PAIRS if shared_words else "own",
    }
    write_card(out, "encoder", {**parts, **(card or {}), **said_of_shared(parts)})


def _bare(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
    """The tensors that decide hidden states, by their names in a bare model."""
    root = next((root for root in ROOTS if f"{root}embeddings.LayerNorm.weight" in tensors), None)
    if root is None:
        raise InputError("These tensors are no BERT model's: embeddings.LayerNorm.weight is missing.")
    wanted = (f"{root}embeddings.", f"{root}encoder.")
    return {
        name.removeprefix(root): np.asarray(tensor, np.float32)
        for name, tensor in tensors.items()
        if name.startswith(wanted) and not name.endswith("position_ids")
    }


def _check_words(given: NDArray[np.float32] | None) -> None:
    """Refuse words that were trained on: they would be lost."""
    if given is None:
        return
    shared = Int8File(pairs_folder() / WEIGHTS)[WORDS]
    apart = np.linalg.norm(given - shared) / np.linalg.norm(shared) if given.shape == shared.shape else np.inf
    if apart > TOO_FAR:
        raise InputError(
            f"The vectors of words are not those of the shipped model of pairs: they differ by {apart:.2g} of their "
            "length. Freeze them in training, or pack them too (shared_words=False)."
        )
