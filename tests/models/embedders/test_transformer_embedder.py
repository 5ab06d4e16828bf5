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

from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder, weight_files
from paraloom.models.encoders import load_sentence_encoder

torch.set_num_threads(1)
TEXTS = ["the storm hit the coast", "our team won a prize", "storm " * 90, "a", "the harbour left nothing"]


def pooled_by(folder: Path, copy: Path, mode: str, before: str = "") -> Path:
    """The same model with a folder's usual notes on pooling, and on what is read before a text."""
    shutil.copytree(folder, copy)
    (copy / "1_Pooling").mkdir()
    told = {f"pooling_mode_{name}": name.startswith(mode) for name in ("mean_tokens", "cls_token", "max_tokens")}
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


OTHER_PARTS = ["Dense", "LayerNorm", "WeightedLayerPooling", "CNN", "own.module.Gate"]


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
