"""Long sources: parts hold all of the text, each fits, and their candidates become those of the whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from paraloom.models.generators import Candidate
from paraloom.models.generators.long_sources import joined, parts

texts = st.text(st.sampled_from("ab .!?\n\tÄ🌧"), max_size=120)


@given(texts, st.integers(1, 40), st.booleans())
def test_parts_fit_and_hold_all_of_the_text(text: str, most: int, by_sentence: bool) -> None:
    found = parts(text, lambda part: len(part) <= most, by_sentence=by_sentence)
    assert all(part and len(part) <= most for part in found)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_a_text_that_fits_is_one_part_unless_sentences_are_asked_for() -> None:
    text = "A storm hit us.  We left.\nNobody was hurt."
    assert parts(text, lambda part: True) == ["A storm hit us. We left. Nobody was hurt."]
    assert parts(text, lambda part: True, by_sentence=True) == ["A storm hit us.", "We left.", "Nobody was hurt."]


def test_a_text_that_is_too_long_is_cut_between_sentences() -> None:
    text = "One two three. Four five. Six seven eight nine."
    assert parts(text, lambda part: len(part.split()) <= 5) == ["One two three. Four five.", "Six seven eight nine."]
    assert parts(text, lambda part: len(part.split()) <= 3) == [
        "One two three.",
        "Four five.",
        "Six seven eight",
        "nine.",
    ]


def test_a_word_that_does_not_fit_is_cut_and_a_megabyte_of_them_is_quick() -> None:
    asked = []

    def fits(part: str) -> bool:
        asked.append(len(part))
        return len(part) <= 100

    found = parts("x" * 5_000 + " word" * 20_000, fits)
    assert max(map(len, found)) <= 100
    assert sum(asked) < 30 * 105_000


def test_nothing_fits_and_nothing_is_given() -> None:
    assert parts("words", lambda part: False) == []
    assert parts(" \n ", lambda part: True) == []


def candidates(*texts: str) -> list[Candidate]:
    return [Candidate(text=text, score=-float(rank)) for rank, text in enumerate(texts)]


def test_candidates_of_parts_are_joined_rank_by_rank() -> None:
    both = joined([candidates("A.", "B.", "C."), candidates("x", "y")], 4)
    assert [one.text for one in both] == ["A. x", "B. y", "C. y"]
    assert [one.score for one in both] == [0.0, -1.0, -1.5]
    assert len(joined([candidates("A.", "B.", "C.")], 2)) == 2


def test_where_a_part_has_no_candidate_the_whole_has_none() -> None:
    assert joined([candidates("A."), []], 4) == []
    assert joined([], 4) == []
