"""Back-translation: there and back by real (tiny) Marian models, candidates of all routes together, each once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators import Candidate, Generator, streams
from paraloom.models.generators.back_translation import (
    BackTranslation,
    Route,
    load_back_translation,
)
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.translation_options import BackTranslationOptions
from tests.models.generators.tiny_language_models import make_tiny

SOURCES = ["a storm hit the coast", "the minister left the town. our team won", "a storm hit the coast"]


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Translation models between English, French and German, each with its own random weights."""
    home = tmp_path_factory.mktemp("shelf")
    for seed, name in enumerate(["en-fr", "fr-en", "en-de", "de-en"]):
        make_tiny("marian", home / f"opus-mt-{name}", seed=seed)
    return home


class Dictionary:
    """A translator by a list: what it says to each text, with scores."""

    name = signature = "dictionary"

    def __init__(self, **said: Sequence[tuple[str, float]]) -> None:
        self.said = said

    def generate(self, sources, n, rng) -> list[list[Candidate]]:
        streams(sources, rng)
        return [[Candidate(text=text, score=score) for text, score in self.said[source][:n]] for source in sources]


THERE = Dictionary(storm=[("tempête", -0.1), ("orage", -0.5), ("averse", -3.0)], none=[])
BACK = Dictionary(
    tempête=[("tempest", -0.2), ("storm", -0.4)], orage=[("thunderstorm", -0.1), ("storm", -0.6)], averse=[]
)
OTHER = Route(Dictionary(storm=[("Sturm", -0.05)], none=[]), Dictionary(Sturm=[("gale", -0.05), ("tempest", -0.05)]))


def said(routes: dict[str, Route], source: str, n: int, **options) -> list[tuple[str, float]]:
    found = BackTranslation(routes, **options).generate([source], n, np.random.default_rng(1))
    return [(one.text, one.score) for one in found[0]]


def test_what_comes_back_stands_once_with_the_sum_of_both_ways() -> None:
    assert said({"fr": Route(THERE, BACK)}, "storm", 4) == [
        ("tempest", -0.3),
        ("storm", -0.5),
        ("thunderstorm", -0.6),
    ]
    assert said({"fr": Route(THERE, BACK)}, "storm", 1) == [("tempest", -0.3)]
    assert said({"fr": Route(THERE, BACK)}, "storm", 4, wordings=1) == [("tempest", -0.3), ("storm", -0.5)]
    assert said({"fr": Route(THERE, BACK)}, "none", 4) == []


def test_routes_are_taken_together() -> None:
    both = said({"fr": Route(THERE, BACK), "de": OTHER}, "storm", 3)
    assert both == [("gale", -0.1), ("tempest", -0.1), ("storm", -0.5)]


def test_what_copies_the_source_is_left_out_where_that_is_forbidden() -> None:
    assert "storm" not in dict(said({"fr": Route(THERE, BACK)}, "storm", 4, copy_block=1))


@pytest.mark.parametrize("method", ["beam", "sample"])
def test_a_source_comes_back_the_same_wherever_it_stands(shelf: Path, monkeypatch, method) -> None:
    monkeypatch.setenv("PARALOOM_MODELS", str(shelf))
    options = BackTranslationOptions(pivots=("fr", "de"), wordings=1, device="cpu")
    generator = load_back_translation(options, Decoding(method=method, beams=2, longest=0.1))
    together = generator.generate(SOURCES, 2, np.random.default_rng(1))
    assert together[0] == together[2] != []
    assert together[1]
    assert generator.usage.requests > 8
    assert generator.generate(SOURCES[1:2], 2, np.random.default_rng(1)) == together[1:2]
    assert isinstance(generator, Generator)
    assert generator.signature.startswith("back-translation|wordings:1|copy_block:0|de:(opus-mt-en-de|method:")


def test_models_may_be_folders_and_the_signature_tells_them_apart(shelf: Path) -> None:
    pattern = str(shelf / "opus-mt-{source}-{target}")
    by_french, by_german = (
        load_back_translation(BackTranslationOptions(pivots=(pivot,), models=pattern, device="cpu"))
        for pivot in ("fr", "de")
    )
    assert by_french.signature != by_german.signature
    assert str(shelf) not in by_french.signature


def test_models_that_are_missing_are_told_before_any_is_loaded(tmp_path: Path, monkeypatch) -> None:
    for variable in ("PARALOOM_MODELS", "XDG_CACHE_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(InputError, match="paraloom models fetch opus-mt-en-fr"):
        load_back_translation()
    with pytest.raises(InputError, match=r"no language model 'opus-mt-en-xx'.*--hub"):
        load_back_translation(BackTranslationOptions(pivots=("xx",)))


def test_a_model_in_the_hubs_cache_is_found_by_the_languages(shelf: Path, tmp_path: Path, monkeypatch) -> None:
    for variable in ("PARALOOM_MODELS", "XDG_CACHE_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    for name in ("opus-mt-en-de", "opus-mt-de-en"):
        snapshots = tmp_path / f"models--Helsinki-NLP--{name}" / "snapshots"
        snapshots.mkdir(parents=True)
        (snapshots / "abc").symlink_to(shelf / name)
    generator = load_back_translation(BackTranslationOptions(pivots=("de",), device="cpu"))
    assert generator.generate(SOURCES[:1], 2, np.random.default_rng(1))[0]


REFUSED = [
    ({"pivots": ()}, "--pivots"),
    ({"pivots": ("en",)}, "own language"),
    ({"wordings": 0}, "--wordings"),
    ({"models": "opus-mt"}, "does not say where the languages stand"),
    ({"models": "opus-{from}"}, "does not say where the languages stand"),
    ({"models": "opus-{source}"}, "does not say where the languages stand"),
    ({"models": "{source.x}{target}"}, "does not say where the languages stand"),
    ({"models": "{source[a]}{target}"}, "does not say where the languages stand"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_options_that_cannot_be_are_refused(options, told: str) -> None:
    with pytest.raises(InputError, match=told):
        BackTranslationOptions(**options)
