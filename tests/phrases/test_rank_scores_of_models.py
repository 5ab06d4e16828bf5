"""A phrase in another's place is read as the definition says; vectors are those of the embedder."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.models.embedders import load_embedder
from paraloom.models.generators.lexical.fluency import DISCOUNT, NgramFluency
from paraloom.models.phrase_scores.cosines import PhraseCosines
from paraloom.models.phrase_scores.substitution import SubstitutionScore

SENTENCES = ["a storm hit the coast", "a storm hit the town", "a storm struck the coast"]


def chance(history: tuple[str, ...], word: str) -> float:
    """Interpolated Kneser-Ney by its definition, of words that the sentences have, with their edges."""
    texts = [("<", "<", *sentence.split(), ">") for sentence in SENTENCES]
    triples = [text[place : place + 3] for text in texts for place in range(len(text) - 2)]
    if len(history) == 2:
        after = [triple for triple in triples if triple[:2] == history]
        if not after:
            return chance(history[1:], word)
        share = max(sum(triple[2] == word for triple in after) - DISCOUNT, 0) / len(after)
        return share + DISCOUNT * len(set(after)) / len(after) * chance(history[1:], word)
    kinds = set(triples)
    if len(history) == 1:
        followed = [triple for triple in kinds if triple[1:2] == history]
        share = max(sum(triple[2] == word for triple in followed) - DISCOUNT, 0) / len(followed)
        return share + DISCOUNT * len({triple[1:] for triple in followed}) / len(followed) * chance((), word)
    pairs = {triple[1:] for triple in kinds}
    return sum(pair[1] == word for pair in pairs) / len(pairs)


def mean_log(text: str) -> float:
    tokens = ("<", "<", *text.split(), ">")
    logs = [math.log(chance(tokens[place : place + 2], tokens[place + 2])) for place in range(len(tokens) - 2)]
    return sum(logs) / len(logs)


def test_a_substitution_is_worth_what_the_definition_of_the_language_model_says() -> None:
    places = [("a storm", "the coast"), ("a storm", "the town")]
    found = SubstitutionScore(NgramFluency.of(SENTENCES)).of(["hit"], ["struck"], [places])
    expected = [mean_log(f"{one} struck {other}") - mean_log(f"{one} hit {other}") for one, other in places]
    assert found.tolist() == pytest.approx([sum(expected) / 2], abs=2e-6)


def test_a_pair_without_places_is_read_by_itself() -> None:
    found = SubstitutionScore(NgramFluency.of(SENTENCES)).of(["hit"], ["struck"], [()])
    assert found.tolist() == pytest.approx([mean_log("struck") - mean_log("hit")], abs=2e-6)


words = st.sampled_from(("a", "storm", "hit", "struck", "the", "coast", "town", "unheard"))
places = st.lists(st.tuples(words, words), max_size=3)


@settings(max_examples=40)
@given(st.lists(st.tuples(words, words, places), min_size=1, max_size=6), st.randoms())
def test_a_score_depends_on_no_other_pair_and_going_back_costs_what_going_there_gave(
    pairs: list[tuple[str, str, list[tuple[str, str]]]], random: object
) -> None:
    score = SubstitutionScore(NgramFluency.of(SENTENCES))
    left, right, where = ([pair[part] for pair in pairs] for part in range(3))
    together = score.of(left, right, where)  # type: ignore[arg-type]
    alone = [score.of([one], [other], [some])[0] for one, other, some in pairs]
    assert together.tolist() == alone
    assert np.isfinite(together).all()
    assert score.of(right, left, where).tolist() == (-together).tolist()  # type: ignore[arg-type]
    assert score.of(left, left, where).tolist() == [0.0] * len(pairs)  # type: ignore[arg-type]


def test_cosines_are_those_of_the_embedder_in_half_precision_whatever_else_is_asked() -> None:
    left, right = ["hit the coast", "storm", "storm"], ["struck the shore", "storm", "annual report"]
    embedder = load_embedder("fast")
    expected = np.sum(embedder.embed(left) * embedder.embed(right), axis=1)
    cosines = PhraseCosines("fast")
    found = cosines.of(left, right)
    assert found.tolist() == pytest.approx(expected.tolist(), abs=2e-3)
    assert [cosines.of([one], [other])[0] for one, other in zip(left, right, strict=True)] == found.tolist()
    assert cosines.of(right, left).tolist() == found.tolist()
    assert cosines.of([], []).tolist() == []
