"""Hashed character vectors have about the cosines of the exact ones; latent vectors know what goes together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.embedders import learned, load_embedder
from paraloom.models.embedders.characters import CharacterEmbedder
from paraloom.models.embedders.samples import sample_of

TEXTS = [f"{who} {verb} the {where} of {what}" for who in ("storms", "mayors", "whales") for verb in ("hit", "left")
         for where in ("coast", "harbour", "market") for what in ("Bergen", "Turku", "Sevilla")]  # fmt: skip


@pytest.mark.parametrize(("dims", "error"), [(256, 0.09), (1024, 0.045)])
def test_hashing_errs_by_about_one_over_the_root_of_the_dimensions(dims: int, error: float) -> None:
    embedder = CharacterEmbedder(dims=dims).learn(TEXTS)
    exact = embedder.tfidf.vectors(TEXTS)
    rows = embedder.embed(TEXTS)
    apart = rows @ rows.T - exact.cosines(exact)
    assert np.sqrt((apart**2).mean()) < error


def test_more_dimensions_err_less() -> None:
    exact = CharacterEmbedder().learn(TEXTS).tfidf.vectors(TEXTS)
    errors = []
    for dims in (64, 256, 1024):
        rows = CharacterEmbedder(dims=dims).learn(TEXTS).embed(TEXTS)
        errors.append(float(((rows @ rows.T - exact.cosines(exact)) ** 2).mean()))
    assert errors == sorted(errors, reverse=True)


def test_a_saved_embedder_may_be_asked_for_other_dimensions(tmp_path: Path) -> None:
    CharacterEmbedder(dims=64).learn(TEXTS).save(tmp_path)
    assert load_embedder(tmp_path).dims == 64
    again = load_embedder(tmp_path, dims=128)
    assert np.array_equal(again.embed(TEXTS), CharacterEmbedder(dims=128).learn(TEXTS).embed(TEXTS))


def test_no_dimensions_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        CharacterEmbedder(dims=0)


def test_words_of_like_company_have_like_latent_vectors() -> None:
    weather = ["storm rain coast", "rain wind coast", "storm wind", "rain storm wind coast"]
    money = ["market stock price", "stock bank price", "market bank", "price stock bank market"]
    ormf = learned(load_embedder("ormf", dims=2), [f"{one} {number}" for number in range(9) for one in weather + money])
    rain, wind, price, unknown = ormf.embed(["rain", "wind", "price", "zebra"])
    assert rain @ wind > abs(rain @ price)
    assert not unknown.any()


def test_a_sample_does_not_depend_on_order_or_repetition() -> None:
    assert sample_of(TEXTS * 2, 5) == sample_of(TEXTS[::-1], 5)
    assert sorted(sample_of(TEXTS, 0)) == sorted(TEXTS)
    assert sample_of(TEXTS, 5) != sample_of(TEXTS, 5, seed=2)
    assert sample_of(["\ud83d", "a"], 9, seed=-1)
