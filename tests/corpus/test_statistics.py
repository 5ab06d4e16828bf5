"""Every figure of a corpus, counted by hand on pairs written here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from paraloom.corpus import statistics
from paraloom.corpus.given_pairs import GivenPair
from paraloom.corpus.patterns import PatternFinder
from paraloom.corpus.statistics import measure_corpus
from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.corpus.synonyms import Synonyms
from paraloom.errors import InputError
from paraloom.metrics.corpus_figures import CorpusFigures, Part


@dataclass(frozen=True)
class Given:
    """Pairs of a list, as a file would give them."""

    pairs: list[GivenPair]
    name: str = "mine"

    def __iter__(self) -> Iterator[GivenPair]:
        return iter(self.pairs)

    def notes(self) -> list[str]:
        return ["read from a list"]


PAIRS = [
    GivenPair("A storm hit the coast.", "The coast was hit by a storm.", "4", "subtitle", 1),
    GivenPair("It rained.", "it rained", "4>", "subtitle"),
    GivenPair("The town was flooded. Nobody was hurt.", "The town flooded, and nobody was hurt.", "3", "article"),
    GivenPair("The mayor spoke to people in the harbour.", "The ferry was late again.", "2", "article", 2),
    GivenPair("unlabelled text", "another text", None),
]


def counts(parts: tuple[Part, ...]) -> dict[str, int]:
    return {part.name: part.count for part in parts if part.count}


def test_similarity_lengths_sentences_and_patterns_are_those_of_paraphrases() -> None:
    found = measure_corpus(Given(PAIRS))
    assert (found.name, found.pairs, found.measured, found.measured_on) == ("mine", 5, 3, "paraphrases")
    assert found.language == "en"
    assert counts(found.labels.merged) == {"2": 1, "3": 1, "4>": 1, "4": 1}
    assert (found.labels.rewrites, found.labels.rewritten, found.labels.unlabelled) == (3, 2, 1)
    assert counts(found.mapping.pairs) == {"1-1": 1, "1-phrase": 1, "1-2": 1}
    assert counts(found.patterns.patterns) == {"same_words": 1, "function_words": 2}
    assert set(found.patterns.not_looked_for) == {"synonyms", "function_words_and_synonyms"}
    assert found.lengths.statements == 6
    assert found.lengths.mean == pytest.approx((6 + 8 + 3 + 2 + 9 + 9) / 6, abs=1e-6)
    assert counts(found.sources) == {"article": 2, "subtitle": 2}
    assert {one.name: one.pairs for one in found.similarity.by_label} == {
        "2": 1,
        "3": 1,
        "4>": 1,
        "4": 1,
        "unlabelled": 1,
    }
    assert found.similarity.measured.pairs == 3
    assert found.notes == ("read from a list",)


def test_all_pairs_may_be_measured() -> None:
    found = measure_corpus(Given(PAIRS), StatisticsOptions(with_negatives=True))
    assert (found.measured, found.measured_on, found.lengths.statements) == (5, "all pairs", 10)
    assert "of:all-pairs" in found.signature["patterns"]


def test_where_labels_do_not_say_it_all_pairs_are_measured() -> None:
    for label in (None, "topic"):
        found = measure_corpus(Given([pair._replace(label=label) for pair in PAIRS]))
        assert (found.measured, found.measured_on) == (5, "all pairs")


def test_a_corpus_without_paraphrases_has_figures_of_nothing() -> None:
    found = measure_corpus(Given([pair._replace(label="2") for pair in PAIRS]))
    assert (found.measured, found.lengths.mean, found.similarity.measured.mean) == (0, None, None)
    assert found.patterns.trivial.share == 0.0


def test_figures_do_not_depend_on_the_size_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_corpus(Given(PAIRS * 7))
    for size in (1, 3):
        monkeypatch.setattr(statistics, "PAIRS_AT_ONCE", size)
        told: list[tuple[int, int]] = []
        assert measure_corpus(Given(PAIRS * 7), told=lambda done, total: told.append((done, total))) == whole  # noqa: B023
        assert told[-1] == (35, 35)
        assert len(told) == -(-35 // size)


def test_the_language_may_be_said_and_decides_the_patterns() -> None:
    pairs = Given([GivenPair("Hän osti auton", "Hän ostaa autoja", "4")])
    english, finnish = (measure_corpus(pairs, StatisticsOptions(language=code)) for code in ("en", "fi"))
    assert counts(finnish.patterns.patterns) == {"inflection": 1}
    assert counts(english.patterns.patterns) == {"others": 1}
    assert "language:fi|lemmas:simplemma" in finnish.signature["patterns"]


def test_synonyms_are_passed_in() -> None:
    def finder(language: str | None) -> PatternFinder:
        return PatternFinder(language, Synonyms.of("mine", [["gale", "storm"]]))

    pairs = Given([GivenPair("The gale hit the northern coast", "The storm hit the northern coast", "1")])
    found = measure_corpus(pairs, find_patterns=finder)
    assert counts(found.patterns.patterns) == {"synonyms": 1}
    assert found.patterns.not_looked_for == {}
    assert "synonyms:mine" in found.signature["patterns"]


def test_a_corpus_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="mine has no pair of two texts"):
        measure_corpus(Given([]))


def test_a_corpus_is_not_changed_by_its_order() -> None:
    def without_examples(found: CorpusFigures) -> tuple[object, ...]:
        return found.labels, found.similarity, found.lengths, found.mapping, found.patterns.patterns, found.sources

    assert without_examples(measure_corpus(Given(PAIRS))) == without_examples(measure_corpus(Given(PAIRS[::-1])))
