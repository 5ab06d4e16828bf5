"""Tokenised text becomes text again, and what was never tokenised stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.detokenise import detokenise

TOKENISED = [
    ("Cole Cassidy sounds like a porn star name .", "Cole Cassidy sounds like a porn star name."),
    ("the coast 's storm , he said , is n't over !", "the coast's storm, he said, isn't over!"),
    ("I ’m sure they ’ll go , we ’ve been", "I’m sure they’ll go, we’ve been"),
    ("ca n't , wo n't , DO N'T", "can't, won't, DON'T"),
    ("gon na rain , got ta run", "gonna rain, gotta run"),
    ("-LRB- see below -RRB- and -lsb- here -rsb- .", "(see below) and [here]."),
    ("a ( small ) town", "a (small) town"),
    ("`` it rains '' , she said", '"it rains", she said'),
    ('Blair has apologised for " mistakes " made', 'Blair has apologised for "mistakes" made'),
    ('he said " no " .', 'he said "no".'),
    ('" yes " and " no "', '"yes" and "no"'),
    (
        "citing ' economic imperative , ' he 's of ' The Monkees '",
        "citing 'economic imperative,' he's of 'The Monkees'",
    ),
    ("Johnson & amp ; Johnson & lt ; 3", "Johnson & Johnson < 3"),
    ("# storm hits , $ 5 and € 3", "#storm hits, $5 and €3"),
    ("really ?! who knows ... not me !!", "really?! who knows... not me!!"),
    ("india ' s stand after today ' s vote", "india's stand after today's vote"),
    ("i don ' t know , you ' re right", "i don't know, you're right"),
    ("the # of cases , # storm", "the # of cases, #storm"),
    ("the U.S . won : 3 %", "the U.S. won: 3%"),
    ("two  blanks\there .", "two blanks here."),
]


@pytest.mark.parametrize(("tokenised", "plain"), TOKENISED)
def test_blanks_of_a_tokeniser_are_gone(tokenised: str, plain: str) -> None:
    assert detokenise(tokenised) == plain
    assert detokenise(plain) == plain


PLAIN = [
    'She said "it\'s fine" (really), at 7:30.',
    "costs .5 or $5 :) ;) :D <3 #tag @ann & co",
    "a - b – c / d",
    'a lone " quote stays',
    'he said "no" and " stays',
    "rock 'n' roll, the dogs' home",
    "https://t.co/a1?b=c&d=e",
    "The # of cases rose",
    "we fought to get $ to these firms",
    "I pay in £ and $ when I travel",
    "I lost my phone :( what now",
    "set x=[ or =[ whatever",
    "",
]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert detokenise(text) == text


@pytest.mark.parametrize("language", ["fr", ""])
def test_french_and_what_may_be_french_keep_their_blanks(language: str) -> None:
    assert detokenise("Quoi ? Oui , 3 % .", language) == "Quoi ? Oui, 3 %."


@given(st.text(alphabet='ab .,"()$#!?;:n\n-'))
def test_nothing_but_blanks_is_ever_lost(text: str) -> None:
    assert "".join(detokenise(text).split()) == "".join(text.split())
