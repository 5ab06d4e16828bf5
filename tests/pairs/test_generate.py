"""Candidates are refused for a reason, ranked, and different ones chosen; a source's outputs are its own affair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.models.generators import Candidate
from paraloom.models.generators.parroting import ParrotGenerator
from paraloom.models.generators.ranking import ByOwnScore, Output, Ranker
from paraloom.pairs.generate import (
    NEVER,
    Generated,
    as_asked,
    breach_of,
    cleaned,
    different,
    generate_paraphrases,
)
from paraloom.pairs.generate_options import GenerateOptions

STORM = "The storm hit the coast of Norland on Monday and left 3 people dead."
GOOD = "On Monday a gale struck the shore of Norland, killing 3 people."


@dataclass
class Reciting:
    """A generator whose candidates are known beforehand, best first."""

    said: dict[str, list[str]]
    asked: list[tuple[list[str], int]] = field(default_factory=list)
    name: str = "reciting"
    signature: str = "reciting"

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        self.asked.append((list(sources), n))
        return [
            [Candidate(text=text, score=-float(place)) for place, text in enumerate(self.said.get(source, []))]
            for source in sources
        ]


def of(*candidates: str, source: str = STORM, options: GenerateOptions = GenerateOptions()) -> Generated:
    return generate_paraphrases([source], Reciting({source: list(candidates)}), ByOwnScore(), options)[0]


REFUSED = [
    ("The storm hit the coast of Norland on Monday and left 3 people dead", "copy"),
    ("the STORM hit the coast of norland on monday, and left 3 people dead!!", "copy"),
    ("A storm hit the coast of Norland on Monday and left three people dead.", "near_copy"),
    ("", "empty"),
    (" \n ", "empty"),
    ("…!?", "empty"),
    ("Norland: 3 dead Monday", "too_short"),
    (f"{GOOD} {GOOD} {GOOD}", "too_long"),
    ("On Monday a gale struck struck the shore of Norland, killing 3 people.", "bad_grammar"),
    ("On Monday a gale a gale a gale a gale a gale struck Norland, killing 3 people.", "bad_grammar"),
    ("On Monday an gale struck the shore of Norland, killing 3 people.", "bad_grammar"),
    ("On Monday a gale struck the shore, killing 3 people there.", "missing_name"),
    ("On Monday a gale struck the shore of Norland, killing 4 people.", "missing_number"),
    ("On Monday a gale named Ophelia struck the shore of Norland, killing 3.", "invented_name"),
    ("On Monday a gale struck the shore of Norland, killing 3 of 50 people.", "invented_number"),
    ("On Monday a gale struck the shore of Norland, killing 3 people #storm2020", "invented_hashtag"),
    ("@jim On Monday a gale struck the shore of Norland, killing 3 people.", "invented_mention"),
    ("On Monday a gale struck the shore of Norland, killing 3: http://example.org/a", "invented_url"),
]


@pytest.mark.parametrize(("candidate", "reason"), REFUSED)
def test_a_candidate_is_refused_for_a_reason(candidate: str, reason: str) -> None:
    generated = of(candidate, GOOD)
    assert [each.reason for each in generated.refused] == [reason]
    assert [output.text for output in generated.outputs] == [GOOD]


def test_the_letters_of_a_link_are_no_grammar() -> None:
    source = "See https://example.org/a: the storm hit the coast of Norland."
    said = "Norland's shore was struck by the storm, see https://example.org/a"
    assert [output.text for output in of(said, source=source).outputs] == [said]


def test_english_rules_of_grammar_hold_for_english_alone() -> None:
    source = "El presidente dijo que la tormenta llegará mañana por la noche a la costa."
    said = "La tormenta llegará mañana de noche a ella, la costa, dijo el presidente."
    assert [output.text for output in of(said, source=source).outputs] == [said]
    again = "La tormenta llegará llegará mañana de noche a la costa, dijo el presidente."
    assert [each.reason for each in of(again, source=source).refused] == ["bad_grammar"]


def test_what_denies_the_source_is_refused() -> None:
    source = "The mayor of Norland will resign on Friday."
    generated = of("The mayor of Norland will not step down this Friday.", source=source)
    assert [each.reason for each in generated.refused] == ["invented_negation"]


def test_what_says_the_same_with_other_marks_is_a_duplicate() -> None:
    generated = of(GOOD, GOOD.replace(",", " –").lower())
    assert [each.reason for each in generated.refused] == ["duplicate"]


OPTIONS = [
    (GenerateOptions(keep=("none",)), "On Monday a gale struck the shore, killing 4 people there."),
    (GenerateOptions(keep=("names",)), "On Monday a gale struck the shore of Norland, killing 4 people."),
    (GenerateOptions(keep=("numbers,urls",)), "On Sunday a gale struck the shore of Sudland, killing 3 people."),
    (GenerateOptions(min_length=0.2), "Norland: 3 dead Monday"),
    (GenerateOptions(small_changes=True), "A storm hit the coast of Norland on Monday and left three people dead."),
]


@pytest.mark.parametrize(("options", "candidate"), OPTIONS)
def test_what_is_refused_can_be_let_pass(options: GenerateOptions, candidate: str) -> None:
    assert of(candidate).dropped_for == "all_refused"
    assert [output.text for output in of(candidate, options=options).outputs] == [candidate]


def test_likeness_has_a_range() -> None:
    far, near = GOOD, "The storm hit Norland on Monday at the coast, leaving 3 people dead."
    assert [output.text for output in of(far, near).outputs] == [far, near]
    below = of(far, near, options=GenerateOptions(max_similarity=0.6))
    assert ([output.text for output in below.outputs], below.refused[0].reason) == ([far], "too_similar")
    above = of(far, near, options=GenerateOptions(min_similarity=0.6))
    assert ([output.text for output in above.outputs], above.refused[0].reason) == ([near], "not_similar")


DROPPED = [
    ("", "empty"),
    ("  \t ", "empty"),
    ("\x00\x07\u200b", "empty"),
    ("!!! … 🙂", "no_words"),
    ("word " * 401, "too_long"),
    ("x" * 1_000_000, "too_long"),
    ("nobody has said anything of this", "no_candidates"),
]


@pytest.mark.parametrize(("source", "reason"), DROPPED)
def test_a_source_without_outputs_has_a_reason(source: str, reason: str) -> None:
    (generated,) = generate_paraphrases([source], Reciting({}))
    assert generated == Generated(source=source, dropped_for=reason)


def test_sources_in_other_languages_are_left_out_if_asked() -> None:
    sources = [STORM, "Der Sturm traf am Montag die Küste und drei Menschen starben."]
    english = generate_paraphrases(sources, ParrotGenerator(), options=GenerateOptions(languages=("en",)))
    assert [one.dropped_for for one in english] == [None, "other_language"]
    every = generate_paraphrases(sources, ParrotGenerator())
    assert [one.dropped_for for one in every] == [None, None]


@pytest.mark.parametrize("languages", [("en,de",), ("EN", "De"), ("en", "de")])
def test_languages_are_named_with_commas_and_capitals_or_without(languages: tuple[str, ...]) -> None:
    sources = [STORM, "Der Sturm traf am Montag die Küste und drei Menschen starben."]
    taken = GenerateOptions(languages=languages)
    assert [one.dropped_for for one in generate_paraphrases(sources, ParrotGenerator(), options=taken)] == [None, None]
    assert taken.signature == GenerateOptions(languages=("en", "de")).signature


def test_a_generator_is_asked_once_for_each_text_and_never_for_what_is_dropped() -> None:
    generator = Reciting({STORM: [GOOD]})
    found = generate_paraphrases([STORM, "", f" {STORM}\r", STORM], generator, options=GenerateOptions(n=2))
    assert generator.asked == [([STORM], 16)]
    assert [one.source for one in found] == [STORM, "", f" {STORM}\r", STORM]
    assert [len(one.outputs) for one in found] == [1, 0, 1, 1]


CLEANED = [
    ('"A gale."', "The storm.", "A gale."),
    ("“A gale.”", "The storm.", "A gale."),
    ('"A gale."', '"The storm."', '"A gale."'),
    ('"A" and "b"', "c", '"A" and "b"'),
    (" A\n gale &amp; more\x00 ", "The storm.", "A gale & more"),
]


@pytest.mark.parametrize(("candidate", "source", "text"), CLEANED)
def test_a_candidate_is_cleaned(candidate: str, source: str, text: str) -> None:
    assert cleaned(candidate, source) == text


def test_outputs_differ_from_each_other_where_that_is_asked() -> None:
    ranked = [
        Output(text="a gale struck the shore", score=0.9),
        Output(text="a gale struck the shores", score=0.89),
        Output(text="the coast saw heavy winds", score=0.8),
        Output(text="wind", score=0.0),
    ]
    assert [each.score for each in different(ranked, 2, variety=0)] == [0.9, 0.89]
    assert [each.score for each in different(ranked, 2, variety=0.3)] == [0.9, 0.8]
    assert different(ranked, 9, variety=1) == ranked


FILLERS = [
    "On Monday a gale named Ophelia struck the shore of Norland, killing 3.",
    "On Monday a gale struck the shore, killing 3 people there.",
    "A storm hit the coast of Norland on Monday and left three people dead.",
    "Norland: 3 dead Monday",
    STORM,
]


def test_too_few_are_filled_up_with_the_least_bad_and_never_with_copies() -> None:
    few = of(GOOD, *FILLERS)
    assert [output.text for output in few.outputs] == [GOOD]
    filled = of(GOOD, *FILLERS, options=GenerateOptions(when_too_few="fill", n=3))
    reasons = [output.refused_for for output in filled.outputs]
    assert reasons == [None, "too_short", "near_copy"]
    assert {each.reason for each in filled.refused} == {"invented_name", "missing_name", "copy"}
    every = of(*FILLERS, options=GenerateOptions(when_too_few="fill", n=9))
    assert [output.refused_for for output in every.outputs] == [
        "too_short",
        "near_copy",
        "missing_name",
        "invented_name",
    ]
    assert of(STORM, options=GenerateOptions(when_too_few="fill")).dropped_for == "all_refused"


@dataclass
class Shortest:
    """Prefers short candidates, and says how long they are."""

    signature: str = "shortest"

    def rank(self, source: str, candidates: Sequence[Candidate]) -> list[Output]:
        outputs = [Output(text=one.text, score=-len(one.text), parts={"length": len(one.text)}) for one in candidates]
        return sorted(outputs, key=lambda output: -output.score)


def test_the_ranker_decides_the_order() -> None:
    ranker: Ranker = Shortest()
    longer = "On Monday a terrible gale struck the shore of Norland, killing 3 people."
    (generated,) = generate_paraphrases([STORM], Reciting({STORM: [longer, GOOD]}), ranker)
    assert [output.text for output in generated.outputs] == [GOOD, longer]
    assert generated.outputs[0].parts == {"length": len(GOOD)}


WRONG = [
    ({"n": 0}, "--n is 0"),
    ({"n": 4, "max_candidates": 3}, "--max-candidates 3 are too few"),
    ({"keep": ("names,moods",)}, "--keep moods: there is nothing so called"),
    ({"min_length": 3.0}, "--min-length 3 and --max-length 2 let nothing pass"),
    ({"max_similarity": -1.0}, "let nothing pass"),
    ({"variety": 2.0}, "--variety is 2"),
    ({"seed": -1}, "--seed is -1"),
    ({"languages": ("en,english",)}, "--languages english is no two-letter code"),
]


@pytest.mark.parametrize(("given_options", "told"), WRONG)
def test_options_that_make_no_sense_are_refused(given_options: dict[str, object], told: str) -> None:
    with pytest.raises(InputError, match=told):
        GenerateOptions(**given_options)  # type: ignore[arg-type]


PIECES = ["Norland", "storm", "3", "coast", "not", "#tag", "@jim", "http://a.example", "hit", "a", "the"]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40) | st.lists(
    st.sampled_from(PIECES), max_size=12
).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, max_size=5), st.integers(1, 4))
def test_outputs_do_not_depend_on_neighbours_and_are_never_copies(sources: list[str], n: int) -> None:
    options = GenerateOptions(n=n)
    together = generate_paraphrases(sources, ParrotGenerator(), options=options)
    alone = [generate_paraphrases([source], ParrotGenerator(), options=options)[0] for source in sources]
    assert together == alone
    for generated in together:
        assert (generated.dropped_for is None) == bool(generated.outputs)
        assert len({output.text for output in generated.outputs}) == len(generated.outputs) <= n
        for output in generated.outputs:
            assert output.text != generated.source
            assert breach_of(as_asked(generated.source), output.text, options.kept) is None
        for each in generated.refused:
            assert each.reason in NEVER or each.text


def test_the_seed_decides_what_is_drawn() -> None:
    def said(seed: int) -> list[str]:
        (one,) = generate_paraphrases([STORM], ParrotGenerator(), options=GenerateOptions(seed=seed, keep=("none",)))
        return [output.text for output in one.outputs]

    assert said(1) == said(1)
    assert len({tuple(said(seed)) for seed in range(6)}) > 1


@dataclass
class Drawing(Reciting):
    """One whose candidates change each time it is asked."""

    draws: bool = True

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        self.asked.append((list(sources), n))
        place = len(self.asked) - 1
        return [
            [Candidate(text=text, score=0.0) for text in self.said[source][place : place + 1]] for source in sources
        ]


@pytest.mark.parametrize(("draws", "tries", "outputs"), [(True, 3, [GOOD]), (True, 1, []), (False, 3, [])])
def test_what_draws_by_chance_is_asked_again_where_too_few_pass(draws: bool, tries: int, outputs: list[str]) -> None:
    generator = Drawing({STORM: ["My cat sleeps all day long here.", GOOD, "not asked for any more"]}, draws=draws)
    found = generate_paraphrases([STORM], generator, options=GenerateOptions(n=1, tries=tries))[0]
    assert [output.text for output in found.outputs] == outputs
    assert len(generator.asked) == (2 if outputs else 1)


def test_a_source_with_enough_is_not_asked_about_again_with_one_that_has_too_few() -> None:
    short = "Rain fell on the hills of Norland all night."
    generator = Drawing({STORM: [GOOD, "never"], short: ["no", "All night the hills of Norland got rain."]})
    found = generate_paraphrases([STORM, short], generator, options=GenerateOptions(n=1))
    assert [len(each.outputs) for each in found] == [1, 1]
    assert [sources for sources, _ in generator.asked] == [[STORM, short], [short]]


def test_what_is_only_attached_to_a_post_is_not_asked_about_and_comes_back() -> None:
    tail = "#weather https://example.org/storm"
    generator = Reciting({STORM: [GOOD]})
    found = generate_paraphrases([f"{STORM} {tail}"], generator, options=GenerateOptions(n=1))[0]
    assert generator.asked[0][0] == [STORM]
    assert [output.text for output in found.outputs] == [f"{GOOD} {tail}"]


def test_what_a_tokeniser_has_parted_is_asked_about_as_people_type_it() -> None:
    parted = "The storm hit the coast of Norland on Monday , and left 3 people dead ."
    typed = "The storm hit the coast of Norland on Monday, and left 3 people dead."
    generator = Reciting({typed: [GOOD]})
    found = generate_paraphrases([parted], generator, options=GenerateOptions(n=1))[0]
    assert generator.asked[0][0] == [typed]
    assert (found.source, [output.text for output in found.outputs]) == (parted, [GOOD])
