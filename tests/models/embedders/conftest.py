"""What tests of embedders share: one small embedder of each system, made here."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from paraloom.models.embedders import Embedder, learned, load_embedder
from paraloom.models.embedders.int8_encoder import pack_encoder
from paraloom.models.embedders.shared_parts import pairs_folder
from paraloom.models.embedders.static import save_static

SENTENCES = [
    f"{who} {verb} {where}"
    for who in ("the storm", "a gale", "our mayor", "the old whale", "nobody")
    for verb in ("hit", "struck", "left", "came to", "saw")
    for where in ("the coast", "the shore", "the town on Monday", "a bank in Bergen")
]

SYSTEMS = ("characters", "ormf", "static", "encoder", "transformer", "reduced")


@pytest.fixture(scope="session")
def shipped_tokeniser() -> Path:
    return pairs_folder() / "tokenizer.json"


@pytest.fixture(scope="session")
def static_folder(tmp_path_factory: pytest.TempPathFactory, shipped_tokeniser: Path) -> Path:
    """Random vectors of the shipped model's word pieces, whose tokeniser is shared."""
    folder = tmp_path_factory.mktemp("static")
    words = json.loads(shipped_tokeniser.read_text(encoding="utf-8"))["model"]["vocab"]
    vectors = np.random.default_rng(1).standard_normal((len(words), 48))
    save_static(folder, vectors, None, card={"name": "tiny", "sizes": [16, 48]})
    return folder


@pytest.fixture(scope="session")
def bert_tensors() -> Callable[[], dict[str, np.ndarray]]:
    """Random weights of a BERT model of 2 layers of 64, with the shipped model's 17,000 word pieces."""

    def made() -> dict[str, np.ndarray]:
        draw = np.random.default_rng(2)
        width, inner = 64, 128

        def matrix(rows: int, columns: int) -> np.ndarray:
            return draw.normal(0, columns**-0.5, (rows, columns)).astype(np.float32)

        tensors = {
            "embeddings.word_embeddings.weight": draw.normal(0, 1, (17_000, width)).astype(np.float32),
            "embeddings.position_embeddings.weight": draw.normal(0, 0.1, (32, width)).astype(np.float32),
            "embeddings.token_type_embeddings.weight": draw.normal(0, 0.1, (2, width)).astype(np.float32),
        }
        norms = ["embeddings.LayerNorm"]
        for layer in range(2):
            name = f"encoder.layer.{layer}"
            norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
            shapes = {f"attention.self.{part}": (width, width) for part in ("query", "key", "value")}
            shapes |= {"attention.output.dense": (width, width), "intermediate.dense": (inner, width)}
            shapes |= {"output.dense": (width, inner)}
            for part, shape in shapes.items():
                tensors[f"{name}.{part}.weight"] = matrix(*shape)
                tensors[f"{name}.{part}.bias"] = draw.normal(0, 0.1, shape[0]).astype(np.float32)
        for norm in norms:
            tensors[f"{norm}.weight"] = draw.uniform(0.8, 1.2, width).astype(np.float32)
            tensors[f"{norm}.bias"] = draw.normal(0, 0.1, width).astype(np.float32)
        return tensors

    return made


@pytest.fixture(scope="session")
def bert_config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("config") / "config.json"
    shape = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128}
    file.write_text(json.dumps({"model_type": "bert", "max_position_embeddings": 32, "vocab_size": 17_000, **shape}))
    return file


@pytest.fixture(scope="session")
def encoder_folder(
    tmp_path_factory: pytest.TempPathFactory, bert_tensors: Callable[[], dict[str, np.ndarray]], bert_config: Path
) -> Path:
    folder = tmp_path_factory.mktemp("encoder")
    pack_encoder(bert_tensors(), bert_config, folder, card={"name": "tiny", "sizes": [16, 64]})
    return folder


@pytest.fixture(scope="session")
def embedder_of(
    static_folder: Path, encoder_folder: Path, tiny_transformer: Callable[[str], Path]
) -> Callable[[str], Embedder]:
    """A system's name in, an embedder of it out that can embed."""

    @cache
    def made(system: str) -> Embedder:
        asked: dict[str, tuple[str | Path, int]] = {
            "characters": ("characters", 256),
            "ormf": ("ormf", 8),
            "static": (static_folder, 0),
            "encoder": (encoder_folder, 0),
            "transformer": (tiny_transformer("bert"), 0),
            "reduced": (tiny_transformer("bert"), 5),
        }
        name, dims = asked[system]
        return learned(load_embedder(name, dims=dims), SENTENCES)

    return made
