"""Near copies: padded, misspelt and inflected ones count, paraphrases and short sources do not."""

from __future__ import annotations

import pytest

from paraloom.workflows.evaluate.near_copies import is_near_copy, prepare_near_copies

SOURCE = "the council of Norland closed the market hall after complaints"
NEAR = {
    "the source itself": SOURCE,
    "one word replaced": "the council of Norland shut the market hall after complaints",
    "words around it": f"so I just want to tell you all that {SOURCE} and I am not happy about it at all",
    "said twice": f"{SOURCE} {SOURCE}",
    "misspelt": "tha councel of Norlend clozed the marked hall afder complaints",
    "an s on every second word": "the councils of Norlands closed thes market halls after complaintss",
    "misspelt, with words around it": "they say tha councel of Norlend clozed the marked hall afder complaints or so",
}
OTHER = {
    "a paraphrase": "after people complained, Norland shut its market hall",
    "a passive": "the market hall in Norland was closed by the council after complaints",
    "nothing": "",
    "half of it": "the council of Norland closed it",
}


@pytest.mark.parametrize("what", NEAR)
def test_a_disguised_copy_is_near(what: str) -> None:
    assert is_near_copy(SOURCE, NEAR[what])


@pytest.mark.parametrize("what", OTHER)
def test_what_was_changed_is_not(what: str) -> None:
    assert not is_near_copy(SOURCE, OTHER[what])


def test_all_words_of_a_short_source_may_well_stand_in_a_paraphrase() -> None:
    assert not is_near_copy("thank you all", "I want to thank every one of you all for this")


def test_many_are_told_like_one() -> None:
    outputs = [*NEAR.values(), *OTHER.values()]
    assert prepare_near_copies([SOURCE] * len(outputs))(outputs) == [True] * len(NEAR) + [False] * len(OTHER)
