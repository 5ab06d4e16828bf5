"""What is a name, a number or a denial, case by case, and what holds for all texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.text.facts import KINDS, fact_spans, facts_of

NAMES = [
    ("The mayor of Oslo met Joe Biden on Tuesday.", {"oslo", "joe biden", "tuesday"}),
    ("Storms are coming. People left.", set()),
    ("Biden wins", {"biden"}),
    ("I think I'm late, and I'd say so", set()),
    ("Bill Taylor leaves his post in Ukraine", {"bill taylor", "ukraine"}),
    ("Bill passes after a long night", set()),
    # Titles, shouting, no capitals
    ("Local Bookstores Have A New Weapon In The Fight Against Amazon", {"amazon"}),
    ("Mayor Opens The New Bridge In Riga", {"riga"}),
    ("MAYOR OPENS THE NEW BRIDGE IN RIGA", {"riga"}),
    ("the mayor of london met obama in kenya", {"london", "obama", "kenya"}),
    ("this is SO good", set()),
    ("It was a GREAT START for us all", set()),
    # Words that are names only sometimes
    ("It may rain in May", {"may"}),
    ("May it rain on us", set()),
    ("May 5 was dry", {"may"}),
    ("They told us about the US", {"us"}),
    ("The U.S. and the UK agreed", {"us", "uk"}),
    ("The WHO knows who is ill", {"who"}),
    ("We saw Mark and a mark", {"mark"}),
    # Forms
    ("We read about Lee's, Zoë’s and the Joneses' plans", {"lee", "zoe", "joneses"}),
    ("He likes Coca-Cola and his iPhone and eBay", {"coca cola", "iphone", "ebay"}),
    ("They caught COVID-19 near an F-35", {"covid19", "f35"}),
    ("She has 5G and a PS5", {"5g", "ps5"}),
    ("We met Dr. Hill and Mr. Will Stone there", {"hill", "will stone"}),
    ("They asked President Macron and the President", {"macron"}),
    ("The White House said so", {"white house"}),
    ("\"Nobody came,\" said Anna", {"anna"}),
    ("Breaking: Ships sink off Malta", {"malta"}),
    ("😀 Cars stop in Rome 🚗 Trains too", {"rome"}),
    ("He wrote: Ships sink", set()),
    ("lol smh OMG this is bad", set()),
    ("We cheered for NASA and STIs fell", {"nasa", "sti"}),
    # Other languages
    ("Le président a parlé avec Macron à Lyon", {"macron", "lyon"}),
    ("Elle arrive demain", set()),
    ("大統領は東京で話した", set()),
    ("Президент встретил Анну в Москве", {"анну", "москве"}),
    ("", set()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "names"), NAMES)
def test_a_capital_makes_a_name_where_it_need_not_stand(text: str, names: set[str]) -> None:
    assert facts_of(text).names == names


def test_german_nouns_are_no_names_where_the_language_is_said() -> None:
    assert facts_of("Die Frau kaufte in Entenhausen ein Haus", "de").names == {"entenhausen"}


NUMBERS = [
    ("two = 2", {"2"}),
    ("$18 million, $18M, US$18m, 18,000,000 and 18 million dollars", {"18000000"}),
    ("5%, five percent, 5 per cent, 5 %", {"5"}),
    ("3rd, third", {"3"}),
    ("21st, twenty-first", {"21"}),
    ("two hundred and five", {"205"}),
    ("half a million", {"500000"}),
    ("a 3pt shot, 30pts", {"3", "30"}),
    ("won 8-0", {"8-0"}),
    ("at 7:30pm", {"7:30"}),
    ("iOS 14.5 and v2.0.1", {"14.5", "2.0.1"}),
    ("on 10/3", {"10/3"}),
    ("on 2021-04-27", {"2021-4-27"}),
    ("the 1990s", {"1990s"}),
    ("the nineties, the 90s", {"90s"}),
    ("No. 1 and #1", {"1"}),
    ("10 , 000 people", {"10000"}),
    ("1,5 litres", {"1.5"}),
    ("٣ and ５", {"3", "5"}),
    ("a 15-year-old", {"15"}),
    ("top-10", {"10"}),
    ("one of the first, a second ago", set()),
    ("COVID-19", set()),
    ("5G", set()),
    ("thousands of people", set()),
    ("0.50 and .5", {"0.5"}),
    ("1" * 60, {"1" * 60}),
]


@pytest.mark.parametrize(("text", "numbers"), NUMBERS)
def test_a_number_is_its_value_however_it_is_written(text: str, numbers: set[str]) -> None:
    assert facts_of(text).numbers == numbers


NEGATIONS = [
    ("It wasn't made here", 1),
    ("He can’t and won’t", 2),
    ("No one came, nobody called", 2),
    ("Not only here but everywhere", 0),
    ("No. 5 is alive", 0),
    ("No, he came", 0),
    ("She left without him", 1),
    ("an unhappy end", 0),
    ("It does not rain", 1),
    ("He doesn´t, she didn`t, they wouldn‘t", 3),
    ("He doesnʼt, she DIDN＇T", 2),
    ("I wouldn't've come", 1),
    ("You mustnt go and needn't stay", 2),
    ("He can´t open a can `t is written on", 1),
]


@pytest.mark.parametrize(("text", "negations"), NEGATIONS)
def test_words_that_deny_are_counted(text: str, negations: int) -> None:
    assert facts_of(text).negations == negations


def test_links_and_tags_lose_what_does_not_matter() -> None:
    facts = facts_of("RT @Ann: #JoeBiden at https://www.Example.org/a/ and $TSLA")
    assert facts.urls == {"Example.org/a"}
    assert facts.hashtags == {"joebiden", "tsla"}
    assert facts.mentions == {"ann"}


def test_spans_stand_in_order_and_cover_the_fact() -> None:
    text = "NASA paid Joe Biden $3 million, not 5"
    spans = fact_spans(text)
    assert [text[span.start : span.end] for span in spans] == ["NASA", "Joe Biden", "$3 million", "not", "5"]
    assert [span.kind for span in spans] == ["name", "name", "number", "negation", "number"]


PIECES = [
    "Biden",
    "the",
    "U.S.",
    "3",
    "$5",
    "million",
    "#Tag",
    "@ann",
    "not",
    "-",
    "COVID-19",
    "8-0",
    "\n",
    "…",
    "é",
    "I'm",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=12).map(" ".join))
def test_any_text_has_spans_that_lie_within_it(text: str) -> None:
    for span in fact_spans(text):
        assert 0 <= span.start < span.end <= len(text)
        assert span.kind in KINDS
        assert span.normalised
