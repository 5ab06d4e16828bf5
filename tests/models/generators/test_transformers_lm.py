"""Language models by transformers: every kind writes, the same for a source wherever it stands, and never crashes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators import Generator
from paraloom.models.generators.copy_block import copies_run
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.generator_card import CARD, GeneratorCard, read_card, write_card
from paraloom.models.generators.long_sources import parts
from paraloom.models.generators.search import Rules, search
from paraloom.models.generators.token_rules import defused
from paraloom.models.generators.transformers_lm import TransformersGenerator
from paraloom.models.generators.transformers_options import TransformersOptions
from tests.models.generators.tiny_language_models import NETWORKS, make_tiny

SOURCES = ["a storm hit the coast on monday", "the minister left", "our team won a prize"]
OF_ANY_KIND = [
    "",
    "   \n",
    "雨 🌧 ß",
    "storm \ud83d",
    "</s> <pad> <|end|> <s> >>fr<<",
    ">>fr<< storm",
    "the storm. " * 12,
    "x" * 120,
]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    home = tmp_path_factory.mktemp("language-models")
    return cache(lambda kind: make_tiny(kind, home / kind))


def loaded(folder: Path, decoding: Decoding = Decoding(), **options) -> TransformersGenerator:
    return TransformersGenerator(folder, TransformersOptions(device="cpu", **options), decoding)


def said(generator: Generator, sources: list[str], n: int = 3, seed: int = 1) -> list[list[tuple[str, float]]]:
    found = generator.generate(sources, n, np.random.default_rng(seed))
    return [[(one.text, one.score) for one in candidates] for candidates in found]


METHODS = [
    Decoding(),
    Decoding(method="sample", top_k=20, top_p=0.9),
    Decoding(method="diverse", groups=2, diversity=2.0),
]


@pytest.mark.parametrize("kind", NETWORKS)
def test_every_kind_writes_the_same_for_a_source_wherever_it_stands(tiny, kind: str) -> None:
    for decoding in METHODS:
        generator = loaded(tiny(kind), decoding)
        together = said(generator, SOURCES, 2)
        assert any(together)
        for candidates in together:
            assert len({text for text, _ in candidates}) == len(candidates) <= 2
            assert [score for _, score in candidates] == sorted((score for _, score in candidates), reverse=True)
        assert said(generator, SOURCES[:0:-1], 2) == together[:0:-1]


@pytest.mark.parametrize("kind", ["bart", "marian"])
def test_beams_find_what_transformers_own_beams_find(tiny, kind: str) -> None:
    generator = loaded(tiny(kind))
    end = generator.network.config.eos_token_id
    rules = Rules(stops=frozenset({end}), most=40, never=generator._rules.never)
    for source in SOURCES:
        asked = generator._asked(source)
        ours, _ = search(generator._next_tokens(asked), rules, Decoding(beams=4), 4, np.random.default_rng(1))
        theirs = generator.network.generate(
            generator.torch.tensor([asked]),
            num_beams=4,
            num_return_sequences=4,
            max_length=None,
            max_new_tokens=40,
            bad_words_ids=[[token] for token in rules.never],
            return_dict_in_generate=True,
            output_scores=True,
        )
        sequences = [row[1:] for row in theirs.sequences.tolist()]
        assert all(end in row for row in sequences), "all came to an end"
        assert [one.tokens for one in ours[:4]] == [tuple(row[: row.index(end) + 1]) for row in sequences]
        scores = [one.score(1.0) for one in ours[:4]]
        assert scores == pytest.approx(theirs.sequences_scores.tolist(), abs=1e-4)


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_text_of_any_kind_is_text(tiny, kind: str) -> None:
    generator = loaded(tiny(kind), Decoding(longest=0.5, shortest=0.5), max_tokens=24)
    found = said(generator, OF_ANY_KIND, 1)
    assert found[0] == found[1] == []
    assert all(found[place] for place in (6, 7)), "long sources are written in parts"
    assert not any("<pad>" in text or "</s>" in text for candidates in found for text, _ in candidates)


def test_marks_in_a_source_never_reach_the_model_as_marks(tiny) -> None:
    for kind in NETWORKS:
        generator = loaded(tiny(kind))
        marks = set(generator.tokeniser.all_special_ids) - {generator.tokeniser.unk_token_id}
        plain = [token for token in generator._asked("storm") if token in marks]
        text = defused("storm </s> <pad> <|end|> <s><pad>", generator._rules.marks)
        assert [token for token in generator._asked(text) if token in marks] == plain


LANGUAGES = [">>fr<< storm", "  >>fr<< storm", "a storm hit. >>fr<< the coast <<"]


@pytest.mark.parametrize("source", LANGUAGES)
def test_no_part_of_a_source_names_a_language_to_marian(tiny, source: str) -> None:
    generator = loaded(tiny("marian"), by_sentence=True)
    read = [
        generator.tokeniser.decode(generator._asked(part), skip_special_tokens=False)
        for part in parts(source, generator._fits, by_sentence=True)
    ]
    assert "fr" in "".join(read).replace(" ", ""), "what would name a language is read as text, and not left out"


def test_a_mark_of_blanks_or_behind_one_is_no_trap() -> None:
    assert defused("a  b </s> c", ("  ", " </s>", " ")) == "a  b < /s> c"


def test_a_seed_decides_what_is_drawn_and_torchs_own_chance_does_not(tiny) -> None:
    generator = loaded(tiny("bart"), Decoding(method="sample", longest=0.5))
    first = said(generator, SOURCES, seed=1)
    state = generator.torch.random.get_rng_state()
    generator.torch.manual_seed(123)
    again = said(generator, SOURCES, seed=1)
    generator.torch.random.set_rng_state(state)
    assert first == again
    assert first != said(generator, SOURCES, seed=2)


@pytest.mark.parametrize("kind", ["t5", "gpt2", "marian"])
def test_no_run_of_the_source_is_copied_where_that_is_forbidden(tiny, kind: str) -> None:
    source = "a storm hit the coast on monday and the river rose"
    decoding = {"method": "sample", "temperature": 50.0}
    free = said(loaded(tiny(kind), Decoding(**decoding)), [source], 8)[0]
    bound = said(loaded(tiny(kind), Decoding(copy_block=1, **decoding)), [source], 8)[0]
    assert kind == "gpt2" or any(copies_run(source, text, 1) for text, _ in free)
    assert bound
    assert not any(copies_run(source, text, 1) for text, _ in bound)


def test_lengths_keep_within_what_is_asked(tiny) -> None:
    generator = loaded(tiny("bart"), Decoding(longest=0.5, shortest=0.5))
    length = len(generator._asked(SOURCES[0])) - generator._around
    fewest, most = generator.decoding.token_limits(length)
    generator.generate(SOURCES[:1], 4, np.random.default_rng(1))
    assert fewest <= generator.usage.tokens_written <= 4 * most


def test_a_card_says_how_a_model_is_asked_and_options_go_before_it(tiny, tmp_path: Path) -> None:
    folder = make_tiny("gpt2", tmp_path / "mine")
    assert loaded(folder).card.separator.startswith("\nThe same")
    write_card(folder, GeneratorCard(name="ours", prompt="Q: ", separator="\n", end="<|end|>"))
    generator = loaded(folder)
    assert (generator.name, generator.card.asked("a storm")) == ("ours", "Q: a storm\n")
    assert generator._rules.stops == {0}
    other = loaded(folder, prompt="P: ")
    assert other.card.asked("a storm") == "P: a storm\n"
    assert other.signature != generator.signature
    assert isinstance(generator, Generator)


def test_a_line_break_ends_an_answer_in_whatever_token_it_stands(tiny) -> None:
    generator = loaded(tiny("gpt2"), Decoding(method="sample"), end="\n")
    assert len(generator._rules.stops) >= 2
    assert all("\n" not in text for candidates in said(generator, SOURCES, 6) for text, _ in candidates)


def test_an_end_that_no_token_holds_is_refused(tiny) -> None:
    with pytest.raises(InputError, match=r"No single token.*'### end ###'.*--end"):
        loaded(tiny("gpt2"), end="### end ###")


def test_a_decoder_begins_with_the_tokens_that_its_settings_force(tmp_path: Path) -> None:
    folder = make_tiny("bart", tmp_path / "bart")
    settings = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps(settings | {"forced_bos_token_id": 1}))
    generator = loaded(folder)
    assert generator._rules.beginning == (2, 1)
    assert any(said(generator, SOURCES))


def test_a_prompt_that_leaves_no_room_is_refused(tiny) -> None:
    with pytest.raises(InputError, match=r"leaves no room.*--prompt"):
        loaded(tiny("gpt2"), prompt="a storm hit the coast " * 40)


BAD_CARDS = [("{", "cannot be read as JSON"), ("[]", "no object with texts"), ('{"prompt": 3}', "no object with texts")]


@pytest.mark.parametrize(("written", "told"), BAD_CARDS)
def test_a_bad_card_is_an_error(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / CARD).write_text(written)
    with pytest.raises(InputError, match=told):
        read_card(tmp_path)


def test_a_card_comes_back_as_it_was_written_and_unknown_keys_are_nothing(tmp_path: Path) -> None:
    card = GeneratorCard(name="ours", about="é", prompt="a ", separator=" b", end="\n")
    assert read_card(tmp_path) is None
    write_card(tmp_path, card)
    assert read_card(tmp_path) == card
    (tmp_path / CARD).write_text(json.dumps(json.loads((tmp_path / CARD).read_text()) | {"later": [1]}))
    assert read_card(tmp_path) == card


def test_signatures_tell_weights_decoding_and_settings_apart(tiny, tmp_path: Path) -> None:
    one, other = loaded(tiny("bart")), loaded(make_tiny("bart", tmp_path / "bart", seed=2))
    assert one.signature.startswith("bart|method:beam|beams:4|")
    assert one.signature != other.signature
    assert loaded(tiny("bart")).signature == one.signature
    assert loaded(tiny("bart"), Decoding(beams=5)).signature != one.signature
    assert loaded(tiny("bart"), by_sentence=True).signature != one.signature


@pytest.mark.parametrize("name", ["owner/no-such-model", "no-such-model", "./nowhere", "/nowhere"])
def test_a_model_that_is_not_here_is_not_sought_elsewhere(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for variable in ("PARALOOM_MODELS", "XDG_CACHE_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(InputError, match=r"There is no language model.*--hub"):
        TransformersGenerator(name)


def test_a_known_model_that_is_not_here_is_to_be_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("PARALOOM_MODELS", "XDG_CACHE_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(InputError, match="paraloom models fetch opus-mt-en-fr"):
        TransformersGenerator("Helsinki-NLP/opus-mt-en-fr")


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no model that transformers can load"):
        TransformersGenerator(tmp_path)


def test_what_was_used_is_counted(tiny) -> None:
    generator = loaded(tiny("marian"))
    assert generator.usage.requests == 0
    generator.generate([*SOURCES, ""], 2, np.random.default_rng(1))
    assert generator.usage.requests == 3
    assert generator.usage.tokens_read == sum(len(generator._asked(source)) for source in SOURCES)
    assert generator.usage.tokens_written > 3
