"""Latent similarity and latent vectors: their names, their features, and what they are factorised from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.identifiers.latent_identifier import LatentIdentifier
from paraloom.models.identifiers.latent_similarity import LatentSimilarity
from paraloom.models.identifiers.latent_vectors import LatentVectors
from paraloom.models.identifiers.systems import SYSTEMS

WEATHER = ["a storm hit the coast", "the storm flooded the coast", "rain and storm over the coast", "coast under rain"]
MONEY = ["the stock market fell", "stock prices fell again", "market prices rose", "prices on the stock market"]
PAIRS = [
    *((one, other, 1.0) for side in (WEATHER, MONEY) for one in side for other in side if one < other),
    *((one, other, 0.0) for one in WEATHER for other in MONEY),
]
EXAMPLES = Examples(
    left=[left for left, _, _ in PAIRS],
    right=[right for _, right, _ in PAIRS],
    targets=[truth for _, _, truth in PAIRS],
)
SMALL = {"dimensions": 2, "penalty": 0.5, "iterations": 10}

NAMES = [name for name, system in SYSTEMS.items() if system.module in ("latent_similarity", "latent_vectors")]


@pytest.mark.parametrize("name", NAMES)
def test_a_system_of_the_table_knows_its_own_name(name: str) -> None:
    assert untrained(name).name == name


def test_all_eight_are_in_the_table() -> None:
    assert len(NAMES) == 8


@pytest.mark.parametrize("factors", ["wmf", "ormf"])
def test_sentences_of_one_subject_are_alike_though_they_share_no_word(factors: str) -> None:
    fitted = untrained(f"{factors}-sim", **SMALL).fit([EXAMPLES], [EXAMPLES])
    same, other = fitted.score(["storm", "storm"], ["rain", "stock"])
    assert same > 0.5 > other


def test_similarity_is_the_cosine_or_whether_unknown_texts_are_equal() -> None:
    left, right = np.array([[3.0, 0], [1, 1], [0, 0], [0, 0]]), np.array([[1.0, 1], [-2, -2], [0, 0], [5, 5]])
    features = LatentSimilarity().latent_features(left, right, np.array([False, False, True, False]))
    assert features[:, 0].round(6).tolist() == [0.707107, -1.0, 1.0, 0.0]


def test_vectors_are_summed_and_subtracted() -> None:
    features = LatentVectors().latent_features(np.array([[3.0, 0]]), np.array([[1.0, 1]]), np.array([False]))
    assert features.tolist() == [[4.0, 1.0, 2.0, 1.0]]


WIDTHS = [("wmf-sim", 1), ("lex-wmf-sim", 19), ("ormf-vec", 4), ("lex-ormf-vec", 22)]


@pytest.mark.parametrize(("name", "width"), WIDTHS)
def test_lexical_systems_have_the_ngram_features_too(name: str, width: int) -> None:
    fitted = untrained(name, **SMALL).fit([EXAMPLES], [EXAMPLES])
    assert isinstance(fitted, LatentIdentifier)
    assert len(fitted.fitted["loose"].coefficients) == width
    assert fitted.latent is not None
    assert fitted.parameters == fitted.latent.vectors.size + width + 1


def test_further_sentences_are_factorised_too(tmp_path: Path) -> None:
    file = tmp_path / "posts.txt"
    file.write_text("a hurricane hit the coast\nhurricane and rain over the coast\n", encoding="utf-8")
    plain = LatentSimilarity(factors="wmf", **SMALL).fit([EXAMPLES], [EXAMPLES])
    taught = LatentSimilarity(factors="wmf", further_sentences=file, **SMALL).fit([EXAMPLES], [EXAMPLES])
    assert plain.score(["hurricane"], ["storm"])[0] < 0.5 < taught.score(["hurricane"], ["storm"])[0]


def test_further_sentences_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*posts\.txt"):
        LatentSimilarity(further_sentences=tmp_path / "posts.txt", **SMALL).fit([EXAMPLES], [EXAMPLES])


def test_held_out_sentences_are_not_factorised() -> None:
    held_out = replace(EXAMPLES, left=[f"{text} hurricane" for text in EXAMPLES.left])
    fitted = LatentSimilarity(**SMALL).fit([EXAMPLES], [held_out])
    assert fitted.latent is not None
    assert "hurricane" not in fitted.latent.number
    assert "storm" in fitted.latent.number


def test_a_score_does_not_depend_on_how_many_pairs_are_held_together(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = untrained("lex-ormf-vec", **SMALL).fit([EXAMPLES], [EXAMPLES])
    together = fitted.score(EXAMPLES.left, EXAMPLES.right).tolist()
    monkeypatch.setattr("paraloom.models.identifiers.latent_identifier.PAIRS_AT_ONCE", 3)
    assert fitted.score(EXAMPLES.left, EXAMPLES.right).tolist() == together


def test_what_has_learned_nothing_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="learned nothing to save"):
        LatentVectors().save(tmp_path / "empty")
    assert not (tmp_path / "empty").exists()


def test_an_unknown_factorisation_is_refused() -> None:
    with pytest.raises(InputError, match=r"'svd'\. Choose one of: wmf, ormf"):
        untrained("wmf-sim", factors="svd")
