"""A generator is found by its name or folder, with its settings; what is missing for it is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators import Candidate, Generator
from paraloom.models.generators.decoding_options import Decoding
from paraloom.models.generators.loading import load_generator, load_ranker
from paraloom.models.generators.loading_options import GeneratorOptions
from paraloom.models.generators.parroting import ParrotGenerator
from paraloom.models.generators.systems import SYSTEMS
from paraloom.models.settings import read_settings

REFUSED = [
    (GeneratorOptions(generator="nobody"), r"no generator 'nobody': it is none of paraloom, lexical.*generator\.json"),
    (GeneratorOptions(generator="server"), "server must be told more: --settings url=… model=…"),
    (GeneratorOptions(generator="server", settings=("url=x", "model=m", "tries=often")), "tries=often: give a whole"),
    (GeneratorOptions(generator="server", settings=("url=x", "model=m", "endpoint=sea")), "choose one of chat"),
    (GeneratorOptions(generator="parrot", settings=("ratios",)), "not of the form NAME=VALUE"),
    (GeneratorOptions(generator="parrot", settings=("mood=good",)), "no setting 'mood'. It has: kinds, ratios"),
    (GeneratorOptions(generator="parrot", settings=("kinds=sing",)), "choose one of cut"),
    (GeneratorOptions(generator="parrot", settings=("ratios=0.5,2",)), "cannot change 2.0 of its words. Give ratios"),
    (GeneratorOptions(generator="parrot", settings=("ratios=nan",)), "Give ratios from 0 to 1"),
    (GeneratorOptions(generator="lexical", settings=("phrases=nowhere.tsv",)), "phrases=nowhere.tsv: there is no such"),
    (GeneratorOptions(generator="lexical", settings=("find=perhaps",)), "give true or false"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED)
def test_what_cannot_be_loaded_is_refused_in_words(options: GeneratorOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        load_generator(options)


def test_decoding_is_refused_by_who_does_not_decode() -> None:
    with pytest.raises(InputError, match="parrot does not decode: --beams and --top-p says nothing"):
        load_generator("parrot", Decoding(beams=7, top_p=0.5))


def test_a_formula_makes_a_ranker_and_anything_else_is_refused() -> None:
    parrot = load_generator("parrot")
    candidates = [Candidate(text="a storm hit the coast", score=0.9), Candidate(text="heavy winds on shore", score=0.5)]
    own, novel = load_ranker("own-score", parrot), load_ranker("own=1,novelty=3", parrot)
    source = "a storm hit the coast today"
    assert [output.score for output in own.rank(source, candidates)] == [0.9, 0.5]
    assert [output.parts["own"] for output in novel.rank(source, candidates)] == [0.5, 0.9]
    with pytest.raises(InputError, match="put in order by 'mood'"):
        load_ranker("mood", parrot)
    with pytest.raises(InputError, match="parrot does not say how likely a text is"):
        load_ranker("back=1", parrot)


def test_the_judged_order_puts_what_is_not_implied_below_what_is() -> None:
    parrot = load_generator("parrot")
    source = "The committee refused to raise taxes."
    candidates = [
        Candidate(text="The committee agreed to raise taxes.", score=0.5),
        Candidate(text="The committee declined to increase taxes.", score=0.4),
    ]
    unjudged, judged = (load_ranker(written, parrot).rank(source, candidates) for written in ("unjudged", "judged"))
    assert [output.text for output in unjudged] == [one.text for one in candidates]
    assert [output.text for output in judged] == [one.text for one in reversed(candidates)]
    assert judged[0].parts["implication"] > 0.5 > judged[1].parts["implication"]


SETTINGS = [
    ("parrot", "kinds=cut,replace", {"kinds": ("cut", "replace")}),
    ("server", "url=http://a.example/v1?x=1", {"url": "http://a.example/v1?x=1"}),
    ("server", "temperature=none", {"temperature": None}),
    ("server", "temperature=0.5", {"temperature": 0.5}),
    ("server", "logprobs=true", {"logprobs": True}),
    ("back-translation", "pivots=fr,de", {"pivots": ("fr", "de")}),
]


@pytest.mark.parametrize(("name", "written", "value"), SETTINGS)
def test_a_setting_is_read_in_its_kind(name: str, written: str, value: dict[str, object]) -> None:
    needed = ["url=http://b.example/v1", "model=m"] if name == "server" else []
    found = read_settings(name, SYSTEMS[name], [*needed, written])
    assert {key: found[key] for key in value} == value


def test_every_name_has_a_module_and_settings_that_can_be_told() -> None:
    for name, system in SYSTEMS.items():
        assert system.about
        assert isinstance(system.setting_kinds(), dict), name


def test_parrots_are_a_generator_whose_candidates_are_different_and_depend_on_the_source_alone() -> None:
    parrot: Generator = load_generator("parrot")
    assert isinstance(parrot, ParrotGenerator)
    sources = ["a storm hit the coast of norland on monday", "two words", "", "one"]
    together = parrot.generate(sources, 8, np.random.default_rng(3))
    for source, candidates in zip(sources, together, strict=True):
        assert parrot.generate([source], 8, np.random.default_rng(3)) == [candidates]
        texts = [candidate.text for candidate in candidates]
        assert len(set(texts)) == len(texts) <= 8
        assert [candidate.score for candidate in candidates] == sorted((c.score for c in candidates), reverse=True)
        assert not candidates or texts[0] == source
    assert [len(candidates) for candidates in together] == [8, 5, 0, 2]
    other = parrot.generate(sources, 8, np.random.default_rng(4))
    assert other != together


def test_an_adapter_is_told_no_settings_that_it_would_not_hear(tmp_path: Path) -> None:
    (tmp_path / "adapter.safetensors").touch()
    with pytest.raises(InputError, match=r"was trained with all its settings. Leave out --settings"):
        load_generator(GeneratorOptions(generator=str(tmp_path), settings=("prompt=Say: ",)))
