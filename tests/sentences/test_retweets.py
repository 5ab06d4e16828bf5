"""What is a copy of the origin or of a page's title, and what only looks like one."""

from __future__ import annotations

import pytest

from paraloom.sentences.retweets import copied_from
from paraloom.text.normalise import keys

ORIGIN = "Violent storm hits the coast of Norland. Three people are missing! https://a.example/x"
SAID = ["Violent storm hits the coast of Norland.", "Three people are missing!"]
SAME, PART, CONTAINS = "retweet: same as the origin", "retweet: part of the origin", "retweet: contains the origin"
PAGE = "retweet: page title or description"


def reason(sentence: str, pages: list[str] | None = None, likeness: float = 90.0) -> str | None:
    return copied_from(ORIGIN, SAID, pages or [], likeness).reason(keys(sentence))


COPIES = [
    (ORIGIN, SAME),
    ("violent storm hits the coast of norland", SAME),
    ("Violent storm hits the coast of Norland #storm @ann", SAME),
    ("@ann Three people are MISSING…", SAME),
    ("hits the coast of Norland", PART),
    ("coast of Norland, three people are", PART),
    ("OMG violent storm hits the coast of Norland and my garden", CONTAINS),
    ("Three #people are missing in the north", CONTAINS),
    ("The coast of Norland was hit by a violent storm", None),
    ("Violent storms hit the coasts of Norland", None),
    ("Three persons are missing", None),
]


@pytest.mark.parametrize(("sentence", "why"), COPIES)
def test_a_sentence_is_a_copy_of_the_origin_or_says_something_of_its_own(sentence: str, why: str | None) -> None:
    assert reason(sentence) == why


TITLES = [
    "Harbour closed after night of waves | The Courier",
    "Harbour closed after night of waves - The Courier",
    "Harbour closed after night of waves – The Courier",
    "Harbour closed after night of waves — Courier.example",
    "Harbour closed after night of waves · Courier",
    "Harbour closed after night of waves » Courier",
    "Harbour closed after night of waves",
]


@pytest.mark.parametrize("title", TITLES)
def test_a_page_title_is_known_with_and_without_its_sites_name(title: str) -> None:
    assert reason("Harbour closed after night of waves", [title]) == PAGE
    assert reason(title, [title]) == PAGE
    assert reason("HARBOUR CLOSED after night of waves #harbour", [title]) == PAGE
    assert reason("After a night of waves the harbour is closed", [title]) is None


LIKENESS = [(90.0, "Harbour close after nights of waves", PAGE), (100.0, "Harbour close after nights of waves", None)]


@pytest.mark.parametrize(("likeness", "sentence", "why"), LIKENESS)
def test_how_like_a_title_a_copy_is_can_be_set(likeness: float, sentence: str, why: str | None) -> None:
    assert reason(sentence, ["Harbour closed after night of waves"], likeness) == why


def test_a_very_short_sentence_of_the_origin_makes_no_copies_of_what_contains_it() -> None:
    copied = copied_from(
        "Oh no! The storm is back again tonight.", ["Oh no!", "The storm is back again tonight."], [], 90
    )
    assert copied.reason(keys("oh no, my garden is under water")) is None


@pytest.mark.parametrize("origin", ["", "🌊", "https://a.example/x"])
def test_an_origin_without_words_has_no_copies(origin: str) -> None:
    assert copied_from(origin, [], [], 90).reason(keys("anything that anyone may say")) is None


def test_pages_without_words_have_no_copies() -> None:
    assert reason("anything that anyone may say", ["", "!!!", "|"]) is None
