"""Which posts are spam and why, and which only look like it."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.text.spam import spam_reason

SPAM_OR_NOT = [
    ("Please follow me, I need 10 more", "follow_me"),
    ("FOLLOW ME PLEASE", "follow_me"),
    ("I follow back everyone today", "follow_me"),
    ("nice day #followback #teamfollowback", "follow_me"),
    ("Get free followers today", "follow_me"),
    ("RT to win a new phone!", "retweet_to_win"),
    ("Follow & RT to enter", "retweet_to_win"),
    ("Haz RT para ganar entradas", "retweet_to_win"),
    ("Enter to win two tickets", "giveaway"),
    ("Our summer #giveaway is here", "giveaway"),
    ("Click here to claim yours now", "click_here"),
    ("New photos, link in bio", "click_here"),
    ("DM me to order yours", "offer"),
    ("Handmade bags. WhatsApp +44 7700 900123", "offer"),
    ("Use code SUN20 at checkout for 20% off", "offer"),
    ("#sun #sea #sand", "only_tags"),
    ("RT @ann @ben https://example.org/a", "only_tags"),
    ("lovely #sun #sea #sand #surf #beach #love", "hashtag_run"),
    ("Hello to @ann1 @ben2 @cy3 @di4 @eve5 @flo6", "mention_run"),
    ("buyyyyyyyyyyyyyyyyyyyyyyyyy it", "character_flood"),
    ("spam spam spam spam spam spam spam spam", "word_flood"),
    ("Storm hits the coast", None),
    ("They follow me wherever I go.", None),
    ("Follow me on my walk through the storm", None),
    ("The bill is a giveaway to the rich", None),
    ("RT @ann They want to win the election", None),
    ("Click here to read the whole report", None),
    ("Call my office at 555-0100 if you need help", None),
    ("@ann1 @ben2 @cy3 @di4 @eve5 @flo6 Thank you!", None),
    ("#Storm hits #Oslo and the #coast", None),
    ("Goooooooool for the team in the last minute of play", None),
    ("no no no, that is wrong", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "reason"), SPAM_OR_NOT)
def test_a_post_is_spam_for_a_reason_or_is_not(text, reason):
    assert spam_reason(text) == reason


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), max_size=80))
def test_no_text_is_too_strange_to_be_judged(text):
    reason = spam_reason(text)
    assert reason is None or reason.replace("_", "").isalpha()


@pytest.mark.parametrize(
    "text", ["follow me " * 100_000, "a" * 1_000_000, "#a " * 300_000, "ab ab " * 150_000, "dm for " * 140_000]
)
def test_a_megabyte_of_anything_is_judged_in_a_moment(text):
    started = time.perf_counter()
    spam_reason(text)
    assert time.perf_counter() - started < 5
