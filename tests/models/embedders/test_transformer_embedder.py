"""Any transformer's pooled vectors equal those of sentence-transformers, in onnxruntime and in torch."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense

from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder, weight_files
from paraloom.models.encoders import load_sentence_encoder
from paraloom.models.encoders.pooling import KEYS
from paraloom.workflows.train.embedder_bases import open_source
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions

torch.set_num_threads(1)
TEXTS = ["the storm hit the coast", "our team won a prize", "storm " * 90, "a", "the harbour left nothing"]


def pooled_by(folder: Path, copy: Path, mode: str, before: str = "") -> Path:
    """The same model with a folder's usual notes on pooling, and on what is read before a text."""
    shutil.copytree(folder, copy)
    (copy / "1_Pooling").mkdir()
    told = {key: named == mode for key, named in KEYS.items()}
    (copy / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 16, **told}))
    kinds = [("0", "", "Transformer"), ("1", "1_Pooling", "Pooling"), ("2", "2_Normalize", "Normalize")]
    modules = [
        {"idx": int(number), "name": number, "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, path, kind in kinds
    ]
    (copy / "modules.json").write_text(json.dumps(modules))
    (copy / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 40}))
    prompts = {"prompts": {"ask": before}, "default_prompt_name": "ask"} if before else {}
    (copy / "config_sentence_transformers.json").write_text(json.dumps(prompts))
    return copy


CASES = [
    ("bert", "mean", ""),
    ("bert", "cls", ""),
    ("bert", "max", ""),
    ("bert", "mean", "the coast "),
    ("mpnet", "mean", ""),
    ("roberta", "cls", ""),
    ("roberta", "max", ""),
    *((kind, mode, "") for kind in ("bert", "mpnet") for mode in ("lasttoken", "weightedmean", "mean_sqrt_len_tokens")),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(("kind", "mode", "before"), CASES)
def test_vectors_equal_those_of_sentence_transformers(
    kind: str, mode: str, before: str, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = pooled_by(tiny_transformer(kind), tmp_path / "model", mode, before)
    theirs = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    ours = load_embedder(folder)
    assert np.allclose(ours.embed(TEXTS), theirs, atol=1e-5)
    assert f"pooling:{mode}" in ours.signature
    assert ("before:the coast" in ours.signature) == bool(before)


def with_told(folder: Path, file: str, **told: object) -> Path:
    """The same folder, of which one file says something more."""
    place = folder / file
    place.write_text(json.dumps({**json.loads(place.read_text()), **told}))
    return folder


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("before", ["", "The Coast "])
def test_texts_are_read_in_small_letters_where_the_folder_says_so(
    before: str, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = pooled_by(tiny_transformer("bert"), tmp_path / "model", "mean", before)
    tokeniser = json.loads((folder / "tokenizer.json").read_text())
    tokeniser["normalizer"] = None
    (folder / "tokenizer.json").write_text(json.dumps(tokeniser))
    texts = ["The STORM hit the Coast", "a storm"]
    as_written = load_embedder(folder)
    with_told(folder, "sentence_bert_config.json", do_lower_case=True)
    ours = load_embedder(folder)
    assert not np.allclose(ours.embed(texts)[0], as_written.embed(texts)[0], atol=1e-3)
    assert np.allclose(ours.embed(texts), SentenceTransformer(str(folder), device="cpu").encode(texts), atol=1e-5)
    assert "|lower-case:yes|" in ours.signature
    if not before:
        assert np.allclose(load_sentence_encoder(folder).embed(texts), ours.embed(texts), atol=1e-5)


def test_a_prompt_that_is_not_to_be_pooled_is_refused(tiny_transformer: Callable[[str], Path], tmp_path: Path) -> None:
    for before in ("", "the coast "):
        folder = pooled_by(tiny_transformer("bert"), tmp_path / f"model{len(before)}", "mean", before)
        with_told(folder, "1_Pooling/config.json", include_prompt=False)
        if not before:
            assert load_embedder(folder).embed(TEXTS).any()
            continue
        with pytest.raises(InputError, match="include_prompt"):
            load_embedder(folder)


def with_layers(folder: Path, *layers: Dense, normalised: bool = True) -> Path:
    """The same model, of which pooled vectors go through these layers, as sentence-transformers saves them."""
    first, pooling, last = json.loads((folder / "modules.json").read_text())
    dense = []
    for number, layer in enumerate(layers):
        (folder / f"{number + 2}_Dense").mkdir()
        layer.save(str(folder / f"{number + 2}_Dense"))
        dense.append({"path": f"{number + 2}_Dense", "type": "sentence_transformers.models.Dense"})
    parts = [first, pooling, *dense, *([last] if normalised else [])]
    modules = [{**part, "idx": number, "name": str(number)} for number, part in enumerate(parts)]
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder


ACTIVATIONS_OF_TORCH = [None, torch.nn.Tanh(), torch.nn.ReLU(), torch.nn.Sigmoid(), torch.nn.SiLU(), torch.nn.GELU()]
LAYERED = [
    *(("bert", "mean", [(16, 8, activation, True, False)]) for activation in ACTIVATIONS_OF_TORCH),
    ("bert", "cls", [(16, 16, torch.nn.Tanh(), True, False)]),
    ("mpnet", "mean", [(16, 12, None, False, False)]),
    ("t5", "mean", [(16, 16, None, False, False)]),
    ("roberta", "mean_sqrt_len_tokens", [(16, 24, torch.nn.Tanh(), True, False), (24, 7, None, True, False)]),
    ("bert", "mean", [(16, 16, torch.nn.Tanh(), True, True), (16, 5, torch.nn.Tanh(), True, True)]),
]
"""A model's kind, how it is pooled, and each layer: numbers in and out, activation, bias, whether it adds its input."""


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(("kind", "mode", "layers"), LAYERED)
def test_dense_layers_are_computed_as_sentence_transformers_does(
    kind: str,
    mode: str,
    layers: list[tuple[int, int, torch.nn.Module | None, bool, bool]],
    tiny_transformer: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    torch.manual_seed(5)
    made = [
        Dense(before, after, bias=bias, activation_function=activation, use_residual=adds)
        for before, after, activation, bias, adds in layers
    ]
    folder = with_layers(pooled_by(tiny_transformer(kind), tmp_path / "model", mode), *made)
    ours = load_embedder(folder)
    theirs = SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    assert ours.dims == layers[-1][1] == theirs.shape[1]
    assert np.allclose(ours.embed(TEXTS), theirs, atol=1e-5)
    assert ours.signature.count("|dense:") == len(layers)
    assert np.array_equal(ours.embed(TEXTS[:1]), ours.embed(TEXTS)[:1]), "a row does not depend on its company"


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_pickled_layer_is_read_too_and_other_weights_are_another_embedder(
    tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    torch.manual_seed(6)
    layer = Dense(16, 8)
    safe, pickled, other = (
        with_layers(pooled_by(tiny_transformer("bert"), tmp_path / name, "mean"), one, normalised=False)
        for name, one in (("safe", layer), ("pickled", layer), ("other", Dense(16, 8)))
    )
    (pickled / "2_Dense" / "model.safetensors").unlink()
    layer.save(str(pickled / "2_Dense"), safe_serialization=False)
    embedders = [load_embedder(folder) for folder in (safe, pickled, other)]
    rows = [embedder.embed(TEXTS) for embedder in embedders]
    assert np.array_equal(rows[0], rows[1])
    assert not np.allclose(rows[0], rows[2], atol=1e-2)
    assert embedders[0].signature.split("|dense:")[1] != embedders[2].signature.split("|dense:")[1]
    encoder = load_sentence_encoder(safe)
    assert np.allclose(encoder.embed(TEXTS), SentenceTransformer(str(safe), device="cpu").encode(TEXTS), atol=1e-5)
    assert "2_Dense/model.safetensors" in weight_files(safe)


def of_a_layer(folder: Path, **told: object) -> Path:
    return with_told(folder, "2_Dense/config.json", **told)


def without_weights(folder: Path) -> Path:
    (folder / "2_Dense" / "model.safetensors").unlink()
    return folder


def turned(folder: Path) -> Path:
    modules = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(json.dumps([*modules[:2], modules[3], modules[2]]))
    return folder


WRONG_LAYERS = [
    (lambda folder: of_a_layer(folder, activation_function="torch.nn.modules.activation.Mish"), "Mish"),
    (lambda folder: of_a_layer(folder, module_input_name="token_embeddings"), "something else"),
    (without_weights, "has neither"),
    (turned, "in the order Transformer, Pooling, Normalize, Dense"),
]


@pytest.mark.parametrize(("change", "told"), WRONG_LAYERS)
def test_a_layer_that_is_not_computed_is_refused_with_the_reason(
    change: Callable[[Path], Path], told: str, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = change(with_layers(pooled_by(tiny_transformer("bert"), tmp_path / "model", "mean"), Dense(16, 8)))
    with pytest.raises(InputError, match=told):
        load_embedder(folder)


def test_a_base_with_a_dense_layer_is_not_trained(tiny_transformer: Callable[[str], Path], tmp_path: Path) -> None:
    folder = with_layers(pooled_by(tiny_transformer("bert"), tmp_path / "model", "mean"), Dense(16, 8))
    with pytest.raises(InputError, match="dense layer"):
        open_source(TrainEmbedderOptions(system="transformer", base=str(folder)))


OTHER_PARTS = ["LayerNorm", "WeightedLayerPooling", "CNN", "own.module.Gate"]


@pytest.mark.parametrize("kind", OTHER_PARTS)
def test_a_folder_with_a_part_that_is_not_computed_is_refused(
    kind: str, tiny_transformer: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = pooled_by(tiny_transformer("bert"), tmp_path / "model", "mean", "")
    modules = json.loads((folder / "modules.json").read_text())
    modules.insert(2, {"idx": 2, "name": "2", "path": "2_More", "type": f"sentence_transformers.models.{kind}"})
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(InputError, match=kind.rpartition(".")[2]):
        load_embedder(folder)


def test_vanilla_bert_is_averaged(tiny_transformer: Callable[[str], Path]) -> None:
    folder = tiny_transformer("bert")
    ours = load_embedder(folder)
    assert np.allclose(ours.embed(TEXTS), load_sentence_encoder(folder).embed(TEXTS), atol=1e-6)
    assert "model.safetensors" in weight_files(folder)


@pytest.mark.parametrize("kind", ["bert", "mpnet"])
def test_a_text_of_nothing_but_unknown_pieces_gets_zeros(kind: str, tiny_transformer: Callable[[str], Path]) -> None:
    rows = load_embedder(tiny_transformer(kind)).embed(["雨雨雨", "the storm", "☂"])
    assert [bool(row.any()) for row in rows] == [False, True, False]


def test_a_folder_of_e5_is_asked_as_it_was_trained(tiny_transformer: Callable[[str], Path], tmp_path: Path) -> None:
    folder = tmp_path / "multilingual-e5-small"
    shutil.copytree(tiny_transformer("bert"), folder)
    plain = load_embedder(tiny_transformer("bert"))
    asked = load_embedder(folder)
    assert "|before:query:|" in asked.signature
    assert np.allclose(asked.embed(["the storm"]), plain.embed(["query: the storm"]), atol=1e-6)
    assert not asked.embed([""]).any()


def test_fewer_tokens_are_read_where_asked(tiny_transformer: Callable[[str], Path]) -> None:
    few = load_embedder(tiny_transformer("bert"), max_tokens=8)
    one, other = few.embed(["the storm hit the coast", "the storm hit the harbour and the town"])
    assert not np.array_equal(one, other)
    start = "a a a a a a a a a a "
    one, other = few.embed([start + "storm", start + "market"])
    assert np.array_equal(one, other)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_refused(tiny_transformer: Callable[[str], Path]) -> None:
    with pytest.raises(InputError, match="no GPU"):
        load_embedder(tiny_transformer("bert"), device="cuda")
