"""A packed encoder gives about the vectors of the model that was packed, in a quarter of the space."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder, weight_files
from paraloom.models.embedders.int8_encoder import PROJECTION, WORDS, pack_encoder, pooled_graph
from paraloom.models.embedders.packed_in_torch import PackedInTorch
from paraloom.models.embedders.shared_parts import pairs_folder
from paraloom.models.embedders.transformer import TransformerEmbedder
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.encoders.bert_graph import BertGraph, BertShape
from paraloom.models.encoders.session import start_session
from paraloom.models.encoders.word_pieces import WordPieces
from paraloom.models.int8 import Int8File

torch.set_num_threads(1)
Tensors = Callable[[], dict[str, np.ndarray]]
TEXTS = ["The storm hit the coast", "a gale struck the shore", "mayor", "the quick brown fox " * 20, "Ünïcode — ok?"]


def unpacked(tensors: dict[str, np.ndarray], config: Path, texts: list[str], projected: bool = False) -> np.ndarray:
    """The vectors of the model before it was packed, one text at a time."""
    shape = BertShape.read(config.parent)
    assert shape is not None
    session = start_session(pooled_graph(BertGraph(tensors, shape), shape, projected))
    pieces = WordPieces(pairs_folder() / "tokenizer.json", 32)
    rows = []
    for one in pieces(texts):
        (row,) = session.run(["vectors"], {"ids": one.ids[None], "mask": np.ones((1, len(one.ids)), np.int64)})
        rows.append(row[0])
    return unit_length(np.array(rows))


def test_packed_and_unpacked_vectors_agree(bert_tensors: Tensors, bert_config: Path, encoder_folder: Path) -> None:
    packed = load_embedder(encoder_folder)
    agreement = (packed.embed(TEXTS) * unpacked(bert_tensors(), bert_config, TEXTS)).sum(axis=1)
    assert agreement.min() > 0.995
    assert (encoder_folder / "model.safetensors").stat().st_size < 0.3 * sum(
        tensor.nbytes for tensor in bert_tensors().values()
    )


def test_a_projection_is_applied_and_cut(bert_tensors: Tensors, bert_config: Path, tmp_path: Path) -> None:
    projection = np.random.default_rng(3).standard_normal((24, 64)).astype(np.float32)
    pack_encoder(bert_tensors(), bert_config, tmp_path, projection=projection, card={"sizes": [8, 24]})
    wanted = unpacked({**bert_tensors(), PROJECTION: projection}, bert_config, TEXTS, projected=True)
    assert load_embedder(tmp_path).dims == 24
    assert (load_embedder(tmp_path).embed(TEXTS) * wanted).sum(axis=1).min() > 0.995
    cut = load_embedder(tmp_path, dims=8).embed(TEXTS)
    assert (cut * unit_length(wanted[:, :8])).sum(axis=1).min() > 0.99


ROOTS = ["", "bert.", "0.auto_model."]


@pytest.mark.parametrize("root", ROOTS)
def test_tensors_are_packed_by_their_bare_names(
    root: str, bert_tensors: Tensors, bert_config: Path, encoder_folder: Path, tmp_path: Path
) -> None:
    named = {f"{root}{name}": tensor for name, tensor in bert_tensors().items()}
    named |= {f"{root}pooler.dense.weight": np.ones((2, 2)), f"{root}embeddings.position_ids": np.arange(9)}
    pack_encoder(named, bert_config, tmp_path)
    ours, before = (load_file(folder / "model.safetensors") for folder in (tmp_path, encoder_folder))
    assert ours.keys() == before.keys()
    assert all(np.array_equal(ours[name], before[name]) for name in ours)


def with_shared_words(tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Six times as wide, as the model of pairs is, with its words."""
    wide = {}
    for name, tensor in tensors.items():
        if name == WORDS:
            wide[name] = np.array(Int8File(pairs_folder() / "model.safetensors")[WORDS])
        elif name.startswith("embeddings."):
            wide[name] = np.tile(tensor, 6)
        elif "intermediate" in name:
            wide[name] = np.tile(tensor, (1, 6)) / 6 if tensor.ndim == 2 else tensor
        elif name.endswith("output.dense.weight") and "attention" not in name:
            wide[name] = np.tile(tensor, (6, 1))
        else:
            wide[name] = np.tile(tensor, (6, 6)) / 6 if tensor.ndim == 2 else np.tile(tensor, 6)
    return wide


def test_words_may_be_those_of_the_model_of_pairs(bert_tensors: Tensors, bert_config: Path, tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({**json.loads(bert_config.read_text()), "hidden_size": 384}))
    tensors = with_shared_words(bert_tensors())
    pack_encoder(tensors, config, tmp_path / "own")
    pack_encoder(tensors, config, tmp_path / "shared", shared_words=True)
    own, shared = (load_embedder(tmp_path / name) for name in ("own", "shared"))
    assert np.allclose(own.embed(TEXTS), shared.embed(TEXTS), atol=1e-3)
    assert WORDS not in load_file(tmp_path / "shared" / "model.safetensors")
    assert set(weight_files(tmp_path / "shared")) > {"shipped pairs/model.safetensors", "shipped pairs/tokenizer.json"}
    tensors[WORDS] = tensors[WORDS] + 0.1
    with pytest.raises(InputError, match="Freeze them"):
        pack_encoder(tensors, config, tmp_path / "trained", shared_words=True)


def test_what_is_no_bert_model_is_not_packed(bert_tensors: Tensors, bert_config: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no BERT model"):
        pack_encoder({"weight": np.ones((2, 2))}, bert_config, tmp_path)
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**json.loads(bert_config.read_text()), "model_type": "roberta"}))
    with pytest.raises(InputError, match="no plain BERT"):
        pack_encoder(bert_tensors(), other, tmp_path / "out")


@pytest.mark.parametrize("dims", [0, 8])
def test_in_torch_it_gives_about_the_same_vectors(
    dims: int, bert_tensors: Tensors, bert_config: Path, tmp_path: Path
) -> None:
    projection = np.random.default_rng(3).standard_normal((24, 64)).astype(np.float32)
    pack_encoder(bert_tensors(), bert_config, tmp_path, projection=projection, card={"name": "tiny", "sizes": [8, 24]})
    runs = PackedInTorch(tmp_path, json.loads((tmp_path / "embedder.json").read_text()), dims=dims, device="cpu")
    in_torch = TransformerEmbedder("tiny", runs)
    texts = [*TEXTS, "", "\U00012345"]
    ours, theirs = load_embedder(tmp_path, dims=dims).embed(texts), in_torch.embed(texts)
    assert theirs.shape == ours.shape
    assert (ours * theirs).sum(axis=1)[: len(TEXTS)].min() > 0.99
    assert not np.allclose(ours, theirs, atol=1e-4), "tokens are not rounded there"
    signatures = (load_embedder(tmp_path, dims=dims).signature, in_torch.signature)
    assert ["|arithmetic:int8|" in one for one in signatures] == [True, False]
    assert not theirs[len(TEXTS) :].any()


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_refused(encoder_folder: Path) -> None:
    with pytest.raises(InputError, match="no GPU"):
        load_embedder(encoder_folder, device="cuda")
