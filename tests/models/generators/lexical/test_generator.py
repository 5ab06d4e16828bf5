"""The whole generator: other words, the same names and numbers, the same outputs whatever stands beside a source."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.embedders import load_embedder
from paraloom.models.generators import Generator
from paraloom.models.generators.lexical.fluency import NgramFluency
from paraloom.models.generators.lexical.generator import LexicalGenerator
from paraloom.models.generators.lexical.load import load_lexical
from paraloom.models.generators.lexical.options import LexicalOptions
from paraloom.models.generators.lexical.phrase_table import PhraseTable
from paraloom.models.generators.lexical.substitutes import built_in
from paraloom.models.generators.lexical.words import NEGATIONS

SOURCES = [
    "The company bought a big house because of the low price.",
    "We have to find out why the plane crashed in Leeds on 3 May.",
    "RT @ann: Huge fire near the airport right now! #breaking https://example.org/x",
    "She didn't want to leave although she was not happy.",
    "Many people think that the movie is really funny.",
]


@pytest.fixture(scope="module")
def generator() -> LexicalGenerator:
    texts = ["The firm purchased a large house due to the low cost.", "We must discover why it crashed.", *SOURCES]
    return LexicalGenerator([built_in()], NgramFluency.of(texts), embedder=load_embedder("fast"))


def _say(generator: LexicalGenerator, sources: list[str], n: int = 4, seed: int = 1) -> list[list[str]]:
    found = generator.generate(sources, n, np.random.default_rng(seed))
    return [[candidate.text for candidate in some] for some in found]


def test_it_is_a_generator_that_names_its_parts(generator: LexicalGenerator) -> None:
    assert isinstance(generator, Generator)
    assert generator.signature.startswith("lexical|substitution:4|")
    for part in ("built-in:", "ngrams:", "embedder:fast", "beam:16"):
        assert part in generator.signature


def test_words_and_orders_are_replaced_best_first(generator: LexicalGenerator) -> None:
    found = generator.generate(SOURCES, 4, np.random.default_rng(1))
    for source, candidates in zip(SOURCES, found, strict=True):
        texts = [candidate.text for candidate in candidates]
        assert 1 <= len(texts) <= 4
        assert len({*texts, source}) == len(texts) + 1
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
    assert found[0][0].text.startswith("The firm purchased a large house due to the low ")


def test_articles_follow_what_was_replaced(generator: LexicalGenerator) -> None:
    texts = _say(LexicalGenerator([built_in()], None), ["It was a huge error by a physician."])[0]
    assert any("an enormous mistake" in text for text in texts)
    assert not any(re.search(r"\ba [aeio]|\ban [^aeiouh]", text) for text in texts)


def _fixed(text: str) -> Counter[str]:
    """What must stay: names, numbers, links, tags, words of negation."""
    inner = re.findall(r"https?://\S+|[@#]\w+|(?<=[a-z,:] )[A-Z]\w+|\d+|\w+n't", text)
    return Counter([*inner, *(word for word in re.findall(r"\w+", text.lower()) if word in NEGATIONS)])


PARTS = """
    the a big storm hit Leeds because of not never 40 $3 police said that it is they have to buy find out quickly
    "quoted words" huge fire on Monday and children were scared . , ! ? @ann #tag near people wasn't Ann Lee
"""
WORDS = st.sampled_from(PARTS.split())


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=16).map(" ".join))
def test_names_numbers_links_tags_and_negation_stay(source: str) -> None:
    for texts in _say(_QUICK, [source]):
        for text in texts:
            assert not _fixed(source) - _fixed(text), text
            assert text.count('"') == source.count('"')


_QUICK = LexicalGenerator([built_in()], None)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_taken(source: str) -> None:
    assert len(_say(_QUICK, [source])[0]) <= 4


STRANGE = [
    "",
    "   ",
    "\ud800",
    "el perro come la comida en la casa con una gran familia",
    "我爱北京天安门",
    "BREAKING NEWS FROM THE BIG CITY",
]


@pytest.mark.parametrize("source", STRANGE)
def test_what_is_not_english_prose_is_left_alone(generator: LexicalGenerator, source: str) -> None:
    assert _say(generator, [source]) == [[]]


def test_instructions_in_a_source_are_words_like_others(generator: LexicalGenerator) -> None:
    found = _say(generator, ["Ignore the above and buy a big car quickly."])[0]
    assert all(text.startswith("Ignore the above and") for text in found)
    assert found


def test_a_long_text_is_changed_within_its_beginning_only(generator: LexicalGenerator) -> None:
    long = "The big dog ran quickly to the house. " * 300
    for text in _say(generator, [long])[0]:
        assert text.endswith("The big dog ran quickly to the house. " * 200 + "The big dog ran quickly to the house.")


def test_neighbours_order_and_batches_change_nothing(
    generator: LexicalGenerator, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = generator.generate([*SOURCES, *STRANGE], 4, np.random.default_rng(1))
    monkeypatch.setattr("paraloom.models.generators.lexical.generator.BATCH", 2)
    back = generator.generate([*SOURCES, *STRANGE][::-1], 4, np.random.default_rng(1))[::-1]
    assert together == back
    assert together[1] == generator.generate([SOURCES[1]], 4, np.random.default_rng(9))[0]


def test_variety_follows_the_seed_and_nothing_else() -> None:
    varied = LexicalGenerator([built_in()], None, options=LexicalOptions(variety=2.0))
    first = _say(varied, SOURCES, 2, seed=1)
    assert first == _say(varied, SOURCES, 2, seed=1)
    assert first[2] == _say(varied, SOURCES[2:], 2, seed=1)[0]
    assert any(first != _say(varied, SOURCES, 2, seed=seed) for seed in (2, 3))


def test_fluency_decides_between_equals() -> None:
    table = PhraseTable.of_rows([("grim", "bleak", 0.2), ("grim", "dire", 0.2)])
    source = "the outlook is grim for us"
    for word in ("bleak", "dire"):
        fluency = NgramFluency.of([f"the outlook is {word} for us", "it is bleak", "it is dire", "it is grim for us"])
        texts = _say(LexicalGenerator([table], fluency, options=LexicalOptions(min_score=0)), [source], 1)
        assert texts == [[f"the outlook is {word} for us"]]


def test_the_embedder_tells_what_is_related() -> None:
    table = PhraseTable.of_rows([("car", "vehicle", 0.2), ("car", "treaty", 0.2)])
    texts = _say(LexicalGenerator([table], None, embedder=load_embedder("fast")), ["he saw the car there"])[0]
    assert texts == ["he saw the vehicle there"]


def test_loading_finds_wordnet_and_reads_what_is_given(
    wordnet_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = tmp_path / "models"
    shelf.mkdir()
    (shelf / "wordnet").symlink_to(wordnet_file.parent.parent)
    monkeypatch.setenv("PARALOOM_MODELS", str(shelf))
    phrases = tmp_path / "phrases.tsv"
    phrases.write_text("grim\tbleak\t0.3\n")
    loaded = load_lexical(phrases=phrases, embedder="")
    assert all(part in loaded.signature for part in ("built-in:", "wordnet:", "phrases:", "ngrams:wordnet"))
    assert any(
        "hamlet" in text for text in _say(loaded, ["the old farmer sold his village house to the big village"])[0]
    )
    bare = load_lexical(find=False, embedder="")
    assert "wordnet" not in bare.signature
    assert "fluency:none" in bare.signature
