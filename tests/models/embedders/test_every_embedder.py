"""What holds of every embedder, whatever its system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.embedders import (
    EMBEDDERS,
    Embedder,
    LearningEmbedder,
    can_embed,
    learned,
    load_embedder,
    weight_files,
)
from paraloom.models.known import MODELS
from tests.models.conftest import TEXTS_OF_ANY_KIND

SYSTEMS = ("characters", "ormf", "static", "encoder", "transformer", "reduced")
LEARNING = ("characters", "ormf", "reduced")
ODD = [*TEXTS_OF_ANY_KIND, "x" * 1_000_000, "?" * 3, "\x00\x01", "a\u0301 \u200d \ufffd", "\U00012345 \U000e0041"]
SENTENCES = ["the storm hit the coast", "a gale struck the shore", "our mayor left the town on Monday", "nobody saw it"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_rows_have_length_one_or_zero_whatever_the_text(system: str, embedder_of: Callable[[str], Embedder]) -> None:
    embedder = embedder_of(system)
    rows = embedder.embed(ODD)
    assert rows.shape == (len(ODD), embedder.dims)
    assert rows.dtype == np.float32
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))
    assert lengths[ODD.index("the storm hit the coast")] > 0
    assert lengths[ODD.index("")] == lengths[ODD.index("   \n")] == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_row_does_not_depend_on_its_company(system: str, embedder_of: Callable[[str], Embedder]) -> None:
    embedder = embedder_of(system)
    texts = [*SENTENCES, *ODD[:7], *(f"{one} {number}" for number in range(30) for one in SENTENCES)]
    together = embedder.embed(texts)
    assert np.array_equal(np.concatenate([embedder.embed([text]) for text in texts[:14]]), together[:14])
    turned = embedder.embed(texts[::-1])[::-1]
    assert np.array_equal(turned, together)


def test_it_is_known_which_are_networks(embedder_of: Callable[[str], Embedder], static_folder: Path) -> None:
    networks = {system for system in SYSTEMS if embedder_of(system).is_network}
    assert networks - {"reduced"} == {"encoder", "transformer"}
    assert not load_embedder(static_folder, dims=3).is_network  # one that is cut is what it was cut from
    assert load_embedder("good", dims=20).is_network


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_texts_give_no_rows(system: str, embedder_of: Callable[[str], Embedder]) -> None:
    embedder = embedder_of(system)
    assert embedder.embed([]).shape == (0, embedder.dims)
    assert isinstance(embedder, Embedder)


@pytest.mark.parametrize("system", LEARNING)
def test_what_was_learned_comes_back_from_its_folder(
    system: str, embedder_of: Callable[[str], Embedder], tmp_path: Path
) -> None:
    embedder = embedder_of(system)
    assert isinstance(embedder, LearningEmbedder)
    embedder.save(tmp_path / "saved")
    again = load_embedder(tmp_path / "saved")
    assert can_embed(again)
    assert again.signature == embedder.signature
    assert np.array_equal(again.embed(SENTENCES), embedder.embed(SENTENCES))
    assert "embedder.json" in weight_files(tmp_path / "saved")


@pytest.mark.parametrize("system", ["characters", "ormf"])
def test_what_is_learned_does_not_depend_on_the_order_of_texts(system: str) -> None:
    texts = [*SENTENCES, "the storm left the shore", "a gale hit our town", "the mayor struck nobody"] * 2
    one, other = (learned(load_embedder(system, dims=4), some) for some in (texts, texts[::-1]))
    assert one.signature == other.signature
    assert one.signature != learned(load_embedder(system, dims=4), texts[:3]).signature


@pytest.mark.parametrize("name", ["ormf", "reduced"])
def test_one_that_has_still_to_learn_says_so(name: str, encoder_folder: Path, tmp_path: Path) -> None:
    asked = {"ormf": ("ormf", 0), "reduced": (_without_sizes(encoder_folder, tmp_path), 5)}
    embedder = load_embedder(asked[name][0], dims=asked[name][1])
    assert isinstance(embedder, LearningEmbedder)
    assert not can_embed(embedder)
    with pytest.raises(InputError, match="learn"):
        embedder.embed(["a storm"])
    with pytest.raises(InputError, match="learn"):
        embedder.save(tmp_path / "nothing")


def _without_sizes(folder: Path, copy: Path) -> Path:
    """The same encoder, but its card names no prefixes."""
    import json
    import shutil

    shutil.copytree(folder, copy / "plain")
    card = copy / "plain" / "embedder.json"
    told = json.loads(card.read_text())
    del told["sizes"]
    card.write_text(json.dumps(told))
    return copy / "plain"


REFUSED = [
    ({"name_or_folder": "characters", "dims": -1}, "counts"),
    ({"name_or_folder": "/no/such/folder"}, "There is no folder"),
    ({"name_or_folder": "./nowhere"}, "There is no folder"),
]


@pytest.mark.parametrize(("asked", "reason"), REFUSED)
def test_what_cannot_be_loaded_is_refused_with_a_reason(asked: dict[str, object], reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        load_embedder(**asked)  # type: ignore[arg-type]


CARDS = [("[]", "does not know"), ('{"system": "new"}', "does not know"), ("{", "not JSON")]


@pytest.mark.parametrize(("card", "reason"), CARDS)
def test_a_folder_with_a_wrong_card_is_refused(card: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "embedder.json").write_text(card)
    with pytest.raises(InputError, match=reason):
        load_embedder(tmp_path)


def test_more_dimensions_than_there_are_are_refused(static_folder: Path, encoder_folder: Path) -> None:
    for folder in (static_folder, encoder_folder):
        with pytest.raises(InputError, match="Choose --dims"):
            load_embedder(folder, dims=1000)


@pytest.mark.parametrize("system", ["static", "encoder"])
def test_fewer_dimensions_are_a_prefix_where_sizes_are_named(
    system: str, static_folder: Path, encoder_folder: Path
) -> None:
    folder = {"static": static_folder, "encoder": encoder_folder}[system]
    whole, cut = (load_embedder(folder, dims=dims).embed(SENTENCES) for dims in (0, 16))
    wanted = whole[:, :16] / np.linalg.norm(whole[:, :16], axis=1, keepdims=True)
    assert np.allclose(cut, wanted, atol=1e-6)


def test_directions_are_kept_that_keep_the_products(embedder_of: Callable[[str], Embedder]) -> None:
    texts = [f"{one} {other}" for one in SENTENCES for other in SENTENCES]
    whole, reduced = (embedder_of(system).embed(texts) for system in ("transformer", "reduced"))
    kept = np.corrcoef((whole @ whole.T).ravel(), (reduced @ reduced.T).ravel())[0, 1]
    first = whole[:, :5] / np.linalg.norm(whole[:, :5], axis=1, keepdims=True)
    assert kept > np.corrcoef((whole @ whole.T).ravel(), (first @ first.T).ravel())[0, 1]
    assert kept > 0.9


def test_directions_learned_with_another_model_are_refused(
    embedder_of: Callable[[str], Embedder], tmp_path: Path
) -> None:
    import json

    reduced = embedder_of("reduced")
    assert isinstance(reduced, LearningEmbedder)
    reduced.save(tmp_path)
    card = json.loads((tmp_path / "embedder.json").read_text())
    (tmp_path / "embedder.json").write_text(json.dumps({**card, "of_weights": "another"}))
    with pytest.raises(InputError, match="Learn it anew"):
        load_embedder(tmp_path)


def test_known_embedders_say_what_they_need() -> None:
    for name, embedder in EMBEDDERS.items():
        assert embedder.name == name
        assert 0 < embedder.dims <= 1040
        if embedder.is_shipped or embedder.learns:
            assert not embedder.needs
        else:
            assert f"paraloom models fetch {name}" in embedder.needs
            assert MODELS[name].licence == embedder.licence
            assert MODELS[name].megabytes == embedder.megabytes


def test_an_embedder_on_the_shelf_is_listed_and_loaded_by_name(
    static_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    from paraloom.models.shelf import show_model

    shutil.copytree(static_folder, tmp_path / "mine")
    monkeypatch.setenv("PARALOOM_MODELS", str(tmp_path))
    assert show_model("mine").kind == "embedder"
    assert show_model("mine").card()["system"] == "static"
    assert load_embedder("mine").dims == 48
    assert "shipped pairs/tokenizer.json" in weight_files("mine")
