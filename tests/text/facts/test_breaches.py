"""What is lost and what is made up between a source and an output, case by case, and what holds for all pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.facts import KINDS, Breach, breaches

KEPT = [
    # Names in other forms
    ("Joe Biden won", "Biden won"),
    ("Joe Biden won", "The win is #JoeBiden's"),
    ("Joe Biden won", "BIDEN WINS AGAIN"),
    ("Joe Biden won", "joe biden is the winner"),
    ("Joe Biden won", "@JoeBiden did win"),
    ("Bernie Sanders spoke", "Bernie gave a speech"),
    ("They praised Zoë", "They had praise for Zoe"),
    ("We met the Blairs", "We met Blair"),
    ("Macron resigned", "President Macron has resigned"),
    ("Dr. Lee resigned", "Lee has resigned"),
    ("Mr Macron is here", "Macron has come"),
    ("the Biden team", "the Biden Administration"),
    ("France won the cup", "The French team won the cup"),
    ("A Russian ship sank", "A ship of Russia's went down"),
    ("A Yemeni hospital", "a hospital in Yemen"),
    ("Pakistan agreed", "The Pakistani side agreed"),
    ("The US agreed", "America said yes"),
    ("The U.S. agreed", "The United States agreed"),
    ("The UK agreed", "Britain agreed"),
    ("Republicans agreed", "The GOP agreed"),
    ("The Food and Drug Administration agreed", "The FDA agreed"),
    ("The FDA agreed", "The Food and Drug Administration agreed"),
    ("The World Health Organization agreed", "WHO agreed"),
    ("New York reopens", "NYC opens again"),
    ("COVID-19 is back", "Covid returns"),
    ("COVID-19 is back", "The coronavirus has returned"),
    ("They use Facebook", "face book is used by them"),
    ("They bought a PS5", "They got a PS 5"),
    ("Zelensky spoke", "Zelenskyy gave a speech"),
    ("Jonathan Ashworth left", "Jon Ashworth has gone"),
    ("Mike Nesmith died", "Michael Nesmith is dead"),
    ("Adam forshaw was superb", "Forshaw was great"),
    ("The Bank of England agreed", "The BoE agreed"),
    ("They launched it on iOS1", "It was launched on iOS"),
    ("In Jan. it rained", "It rained in January"),
    ("on May 15", "till may 15"),
    ("Cars sell well", "Sales of cars are good"),
    ("He Says The New Bridge Is Open", "the new bridge is open, he says"),
    ("Merry Christmas to you", "Have a nice Christmas"),
    ("Storms hit Malta 🌊", "Malta is hit by storms"),
    ("pro-Trump ads", "ads for Trump"),
    # Numbers in other spellings
    ("2 people left", "Two people left"),
    ("They paid $18 million", "They paid $18M"),
    ("They paid $18 million", "They paid 18,000,000 dollars"),
    ("They paid $18 million", "18 million was paid"),
    ("up 5%", "up five percent"),
    ("won 8-0", "an 8–0 win"),
    ("lost 0-8", "were beaten 8-0"),
    ("5 to 10 people", "5-10 people"),
    ("the 1990s", "the '90s"),
    ("at 19:30", "at 7:30pm"),
    ("at 7:00 pm", "at 7pm"),
    ("at 7 a.m.", "at seven am"),
    ("at 7 p.m.", "at 19:00"),
    ("from 10am to 5pm", "between 10 AM and 5 P.M."),
    ("at 7 pm", "at 7 in the evening"),
    ("on 10/3", "on October 3"),
    ("On Oct. 3 it fell", "It fell on 10/3"),
    ("in third place", "No. 3"),
    ("1 man died", "A man is dead"),
    ("a 4-year-old girl", "a girl, four"),
    ("50% of them", "half of them"),
    ("the 1st", "the first"),
    ("1.000 Menschen", "1000 Menschen"),
    ("a dozen eggs", "12 eggs"),
    ("back-to-back 3s", "two threes in a row"),
    ("a bag of 5 kilos", "a 5kg bag"),
    ("in 24 hours", "within a day"),
    ("a wait of 12 months", "a wait of a year"),
    ("after 20 minutes", "20 mins later"),
    ("a 10-day trip", "a trip of 10 days"),
    ("for two months", "2 long months"),
    ("gusts of 70 mph", "gusts of 70 miles per hour"),
    ("gusts of 70 mph", "wind at 70 miles an hour"),
    ("wind at 80 km/h", "80 kph winds"),
    ("at 80km/h", "at 80 kilometres per hour"),
    ("a 20-year-old man", "a man of 20"),
    ("a two-month ban", "banned for 2 months"),
    ("", ""),
]


@pytest.mark.parametrize(("source", "output"), KEPT)
def test_names_and_numbers_are_kept_in_many_forms(source: str, output: str) -> None:
    assert breaches(source, output) == ()


BROKEN = [
    ("Biden won", "He won", ["name biden missing"]),
    ("He won", "Biden won", ["name biden invented"]),
    ("Biden won", "Trump won", ["name biden missing", "name trump invented"]),
    ("Biden won", "Joe Biden won", ["name joe biden invented"]),
    ("Joe Biden won", "Jill Biden won", ["name jill biden invented"]),
    ("They are in Austria", "They are in Australia", ["name austria missing", "name australia invented"]),
    ("They are in India", "They are in Indiana", ["name india missing", "name indiana invented"]),
    ("They are in Niger", "They are in Nigeria", ["name niger missing", "name nigeria invented"]),
    ("It was all about Ivy Tan", "It was all about her", ["name ivy tan missing"]),
    ("They saw Julia", "They saw Julian", ["name julia missing", "name julian invented"]),
    ("They are in Iran", "They are in Iraq", ["name iran missing", "name iraq invented"]),
    ("Masks protect us", "Masks protect the US", ["name us invented"]),
    ("It rains in May", "It may rain", ["name may missing"]),
    ("It rained on Monday", "It rained", ["name monday missing"]),
    ("It rained", "It rained on Monday", ["name monday invented"]),
    ("The deal with Apple is off", "The deal is off", ["name apple missing"]),
    ("It Was A Long Day In Riga", "it was a long day", ["name riga missing"]),
    ("3 people left", "Four people left", ["number 3 missing", "number 4 invented"]),
    ("They paid $5", "They paid £5", ["number 5 missing", "number 5 invented"]),
    ("They paid $18 million", "They paid $18 billion", ["number 18000000 missing", "number 18000000000 invented"]),
    ("They won 8-0", "They won 8-1", ["number 8-0 missing", "number 8-1 invented"]),
    ("It is 1.5 litres", "It is 15 litres", ["number 1.5 missing", "number 15 invented"]),
    ("at 7 am", "at 7 pm", ["number 7 missing", "number 7 invented"]),
    ("at 7:30 a.m.", "at 7:30 P.M.", ["number 7:30 missing", "number 7:30 invented"]),
    ("at 7:30", "at 7:45", ["number 7:30 missing", "number 7:45 invented"]),
    ("on 10/3", "on 10/4", ["number 10/3 missing", "number 10/4 invented"]),
    ("in the 1990s", "in the 1980s", ["number 1990s missing", "number 1980s invented"]),
    ("He turned 88", "He had a birthday", ["number 88 missing"]),
    ("It weighs 5 kg", "It weighs 5 g", ["number 5 missing", "number 5 invented"]),
    ("for two months", "for 2 years", ["number 2 missing", "number 2 invented"]),
    ("a two-month ban", "a two-year ban", ["number 2 missing", "number 2 invented"]),
    ("a 10-year sentence", "10 months in prison", ["number 10 missing", "number 10 invented"]),
    ("70 miles away", "at 70 miles per hour", ["number 70 missing", "number 70 invented"]),
    ("a drive of 30 miles", "30 km to go", ["number 30 missing", "number 30 invented"]),
    ("It has 5G", "It is fast", ["name 5g missing"]),
]


def _in_words(found: tuple[Breach, ...]) -> list[str]:
    return [f"{breach.kind} {breach.fact} {breach.what}" for breach in found]


@pytest.mark.parametrize(("source", "output", "expected"), BROKEN)
def test_what_is_lost_or_made_up_is_named(source: str, output: str, expected: list[str]) -> None:
    assert _in_words(breaches(source, output)) == expected


OTHER_KINDS = [
    ("see https://example.org/a", "see http://www.example.org/a/", []),
    ("see https://example.org/", "see example.org.", []),
    ("see Example.org", "see http://www.example.org", []),
    ("see https://Example.org/a", "see https://example.org/a", []),
    (
        "see https://example.org/a",
        "see https://example.org/A",
        ["url example.org/a missing", "url example.org/A invented"],
    ),
    ("see https://example.org", "see example.org.uk", ["url example.org missing"]),
    (
        "see https://example.org",
        "write to ann@example.org",
        ["url example.org missing", "url ann@example.org invented"],
    ),
    ("see https://example.org/a", "see it", ["url example.org/a missing"]),
    ("a #GlobalEconomy in crisis", "the global economy is in crisis", []),
    ("the global economy", "the #GlobalEconomy", []),
    ("the economy", "the economy #news", ["hashtag news invented"]),
    ("thanks @ann", "thanks ann", []),
    ("thanks Ann", "thanks @ann", ["mention ann invented"]),
    ("thanks @ann", "thanks", ["mention ann missing"]),
    ("it is not true", "it is false", []),
    ("it is not true", "it is true", ["negation not missing"]),
    ("it is true", "it isn't true", ["negation not invented"]),
    # Doubts
    ("Apple is expected to show it", "Apple to show it", ["hedge expected missing"]),
    ("Apple is expected to show it", "#Apple will show it", ["hedge expected missing"]),
    ("the bank may close", "the bank closes", ["hedge may missing"]),
    ("this may hurt", "this hurts", ["hedge may missing"]),
    ("he was allegedly robbed", "he was robbed", ["hedge allegedly missing"]),
    ("he might've died", "he died", ["hedge might missing"]),
    ("an ant could be the fastest animal", "an ant is the fastest animal", ["hedge could missing"]),
    ("the bank closes", "perhaps the bank closes", ["hedge perhaps invented"]),
    ("the bank may close", "the bank might shut down", []),
    ("the bank may close", "the bank is considering a shutdown", []),
    ("this may take a while", "this could take a while", []),
    ("he was allegedly robbed", "he says that he was robbed", []),
    ("he allegedly stole it", "prosecutors allege that he stole it", []),
    ("it is expected to rise", "analysts are expecting a rise", []),
    ("Apple May Launch New Phone", "Apple might launch a new phone", []),
    ("in May it closes", "it closes in spring", []),
    ("from may to june", "between spring and summer", []),
    ("theresa may resigns", "the prime minister steps down", []),
    ("may the best team win", "let the best team win", []),
    ("may he rest in peace", "rest in peace", []),
    ("we might as well go", "let us go", []),
    ("their military might", "their military strength", []),
    ("I could barely walk", "walking was hard", []),
    ("we could use your help", "we need your help", []),
    ("you are supposed to wash it", "you need to wash it", []),
    ("twice as likely to die", "die twice as often", []),
    ("no one expected this", "nobody saw this coming", []),
    ("how could I lose weight", "how do I lose weight", []),
    ("could it rain?", "will it rain?", []),
    ("@ann could it rain", "@ann will it rain", []),
    ("it rose more than expected", "it rose a lot", []),
    ("he is not able to come", "he is unable to come", []),
    ("nobody came", "they never came", []),
]


@pytest.mark.parametrize(("source", "output", "expected"), OTHER_KINDS)
def test_links_tags_and_denials_are_held_too_where_asked_for(source: str, output: str, expected: list[str]) -> None:
    kinds = tuple(kind for kind in KINDS if kind != "name")
    assert _in_words(breaches(source, output, kinds)) == expected


WORDS = [
    "Biden",
    "biden",
    "the",
    "US",
    "us",
    "3",
    "three",
    "$5",
    "million",
    "#Tag",
    "@ann",
    "not",
    "COVID-19",
    "8-0",
    "May",
]
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=10).map(" ".join)


@given(TEXTS, TEXTS)
def test_what_one_lacks_is_what_the_other_has_too_much(left: str, right: str) -> None:
    kinds = ("number", "url", "negation", "hedge")  # a name may be cut short, but not made longer

    def of(source: str, output: str, what: str) -> list[tuple[str, str]]:
        return [(breach.kind, breach.fact) for breach in breaches(source, output, kinds) if breach.what == what]

    assert of(left, right, "missing") == of(right, left, "invented")


@given(TEXTS)
def test_a_text_breaks_nothing_of_itself(text: str) -> None:
    assert breaches(text, text, KINDS) == ()
    assert breaches(text, f"{text} ", KINDS) == ()
