"""A static embedder's vector is the mean of its pieces' vectors, whichever folder they come from."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

from paraloom.errors import InputError
from paraloom.models.embedders import load_embedder
from paraloom.models.embedders.characters import CharacterEmbedder
from paraloom.models.embedders.distil import distil_static, pieces_of, tokeniser_of
from paraloom.models.embedders.static import convert_static, save_static
from paraloom.models.int8 import quantise

WORDS = ["the", "storm", "gale", "hit", "struck", "coast", "shore", "mayor"]
TEXTS = ["The storm hit the coast", "a gale struck the shore", "storm storm mayor", "雨", "stormcoast"]


def by_hand(texts: list[str], tokeniser: Path, vectors: np.ndarray) -> np.ndarray:
    """The mean of vectors straight from its definition."""
    cut = Tokenizer.from_file(str(tokeniser))
    rows = []
    for text in texts:
        known = [piece for piece in cut.encode(text, add_special_tokens=False).ids if piece != cut.token_to_id("[UNK]")]
        mean = vectors[known].mean(axis=0) if known else np.zeros(vectors.shape[1])
        rows.append(mean / (np.linalg.norm(mean) or 1))
    return np.array(rows)


@pytest.fixture
def tokeniser(tmp_path: Path) -> Path:
    file = tmp_path / "words.json"
    file.write_text(tokeniser_of(WORDS), encoding="utf-8")
    return file


@pytest.fixture
def vectors(tokeniser: Path) -> np.ndarray:
    pieces, _ = pieces_of(tokeniser.read_text(encoding="utf-8"))
    return np.random.default_rng(1).standard_normal((len(pieces), 12)).astype(np.float32)


def test_a_vector_is_the_mean_of_its_pieces(tokeniser: Path, vectors: np.ndarray, tmp_path: Path) -> None:
    weights = np.linspace(0.1, 2, len(vectors))
    save_static(tmp_path / "saved", vectors, tokeniser, weights=weights)
    numbers, steps = quantise(vectors)
    rounded = numbers * steps * weights[:, None]
    found = load_embedder(tmp_path / "saved").embed(TEXTS)
    assert np.allclose(found, by_hand(TEXTS, tokeniser, rounded), atol=1e-6)
    assert np.allclose(found, by_hand(TEXTS, tokeniser, vectors * weights[:, None]), atol=0.02)
    assert not found[TEXTS.index("雨")].any()


def model2vec_folder(folder: Path, tokeniser: Path, tensors: dict[str, np.ndarray]) -> Path:
    """As model2vec saves a model."""
    folder.mkdir()
    (folder / "tokenizer.json").write_text(tokeniser.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps({"normalize": True}))
    save_file(tensors, folder / "model.safetensors")
    return folder


@pytest.mark.parametrize("kind", ["plain", "weighed", "shared rows"])
def test_a_folder_of_model2vec_is_read_as_it_is_and_converted(
    kind: str, tokeniser: Path, vectors: np.ndarray, tmp_path: Path
) -> None:
    weights = np.linspace(0.5, 1, len(vectors))
    mapping = np.arange(len(vectors)) // 2
    tensors, whole = {
        "plain": ({"embeddings": vectors}, vectors),
        "weighed": ({"embeddings": vectors, "weights": weights}, vectors * weights[:, None]),
        "shared rows": (
            {"embeddings": vectors[: mapping.max() + 1].copy(), "mapping": mapping, "weights": weights},
            vectors[mapping] * weights[:, None],
        ),
    }[kind]
    folder = model2vec_folder(tmp_path / "theirs", tokeniser, tensors)
    wanted = by_hand(TEXTS, tokeniser, whole)
    assert np.allclose(load_embedder(folder).embed(TEXTS), wanted, atol=1e-6)
    convert_static(folder, tmp_path / "ours", {"name": "ours", "licence": "MIT"})
    converted = load_embedder(tmp_path / "ours")
    assert converted.name == "ours"
    assert (converted.embed(TEXTS) * wanted).sum(axis=1) == pytest.approx(wanted.any(axis=1).astype(float), abs=0.001)
    assert load_file(tmp_path / "ours" / "table.safetensors")["table"].dtype == np.int8
    assert load_embedder(folder, dims=4).dims == load_embedder(tmp_path / "ours", dims=4).dims == 4


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_static_embeddings_of_sentence_transformers_are_read(
    tokeniser: Path, vectors: np.ndarray, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    known = ["The storm hit the coast", "storm storm mayor", "stormcoast"]
    theirs = SentenceTransformer(
        modules=[StaticEmbedding(Tokenizer.from_file(str(tokeniser)), embedding_weights=vectors)], device="cpu"
    )
    theirs.save(str(tmp_path / "theirs"))
    ours = load_embedder(tmp_path / "theirs")
    assert np.allclose(ours.embed(known), theirs.encode(known, normalize_embeddings=True), atol=1e-6)


def test_a_table_of_another_tokeniser_is_refused(tokeniser: Path, vectors: np.ndarray, tmp_path: Path) -> None:
    save_static(tmp_path / "short", vectors[:5], tokeniser)
    with pytest.raises(InputError, match="word pieces"):
        load_embedder(tmp_path / "short")
    save_static(tmp_path / "not numbers", vectors, tokeniser, weights=np.full(len(vectors), np.nan))
    with pytest.raises(InputError, match="not numbers"):
        load_embedder(tmp_path / "not numbers")
    (tmp_path / "short" / "table.safetensors").write_bytes(b"nothing")
    with pytest.raises(InputError, match="cannot be read"):
        load_embedder(tmp_path / "short")


def test_a_signature_tells_of_other_numbers_tokens_and_dimensions(
    tokeniser: Path, vectors: np.ndarray, tmp_path: Path
) -> None:
    save_static(tmp_path / "one", vectors, tokeniser, card={"name": "mine", "sizes": [12]})
    save_static(tmp_path / "two", vectors * 2, tokeniser, card={"name": "mine", "sizes": [12]})
    asked = [("one", {}), ("two", {}), ("one", {"dims": 6}), ("one", {"max_tokens": 3})]
    signatures = [load_embedder(tmp_path / folder, **more).signature for folder, more in asked]
    assert len(set(signatures)) == 4
    assert all(one.startswith("embedder:mine|") for one in signatures)


def test_a_distilled_embedder_has_the_teachers_neighbours(tmp_path: Path) -> None:
    teacher = CharacterEmbedder(dims=64)
    words = ["storm", "storms", "stormy", "coast", "coasts", "coastal", "mayor", "mayors", "mayoral"]
    distil_static(teacher, words, tmp_path, dims=6, card={"name": "small"})
    small = load_embedder(tmp_path)
    assert (small.name, small.dims) == ("small", 6)
    rows = small.embed(words)
    products = rows @ rows.T - 2 * np.eye(len(words))
    assert (products.argmax(axis=1) // 3).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    card = json.loads((tmp_path / "embedder.json").read_text())
    assert card["distilled_from"] == teacher.signature


def test_a_common_piece_weighs_less(tmp_path: Path) -> None:
    teacher = CharacterEmbedder(dims=64)
    pieces, _ = pieces_of(tokeniser_of(WORDS))
    counts = [1000.0 if piece == "the" else 1.0 for piece in pieces]
    lengths = {}
    for name, told in (("ranked", None), ("counted", counts)):
        distil_static(teacher, WORDS, tmp_path / name, dims=8, counts=told)
        tensors = load_file(tmp_path / name / "table.safetensors")
        lengths[name] = np.linalg.norm(tensors["table"] * tensors["scales"][:, None], axis=1)
        assert lengths[name][pieces.index("the")] < lengths[name][pieces.index("mayor")]
        assert not lengths[name][:5].any(), "marks say nothing"
    with pytest.raises(InputError, match="counts"):
        distil_static(teacher, WORDS, tmp_path / "wrong", counts=[1.0])


@pytest.mark.parametrize("words", [[], ["", "  "]])
def test_a_vocabulary_without_words_is_refused(words: list[str], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no words"):
        distil_static(CharacterEmbedder(dims=8), words, tmp_path)
