"""What is one token, case by case, and that no character is lost."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.text.tokenise import token_bounds, tokenise, words

# The expected tokens are written with spaces between them.
TOKENS = [
    ("Storm hits the coast.", "Storm hits the coast ."),
    (
        "see https://example.org/a_(b)?c=d#e, or www.example.org.",
        "see https://example.org/a_(b)?c=d#e , or www.example.org .",
    ),
    ("on bit.ly/abc and Example.com!", "on bit.ly/abc and Example.com !"),
    ("mail ann.lee@example.org now", "mail ann.lee@example.org now"),
    ("@ann, @ben_1: @cy.bsky.social @di@example.social hi", "@ann , @ben_1 : @cy.bsky.social @di@example.social hi"),
    ("#COVID19, #été #हिन्दी #日本", "#COVID19 , #été #हिन्दी #日本"),
    ("good :) sad :-( wink ;) <3 :D ^_^", "good :) sad :-( wink ;) <3 :D ^_^"),
    ("Note:Do it: now", "Note : Do it : now"),
    ("hi👍🏽👨‍👩‍👧🇫🇮🇸🇪1️⃣!", "hi 👍🏽 👨‍👩‍👧 🇫🇮 🇸🇪 1️⃣ !"),
    ("wait... what?! no!!! … so", "wait ... what ? ! no !!! … so"),
    ("the U.S. at 5 a.m. with Dr. Lee etc.", "the U.S. at 5 a.m. with Dr. Lee etc."),
    ("1,000.5 and $3.5M, 50%, 7:30pm, 9/11, 1990s", "1,000.5 and $3.5M , 50% , 7:30pm , 9/11 , 1990s"),
    ("a 15-year-old's COVID-19 test", "a 15-year-old's COVID-19 test"),
    ("don't Trump’s O'Neill well-known AT&T", "don't Trump’s O'Neill well-known AT&T"),
    ("l'homme qu’il c'est d'été", "l' homme qu’ il c' est d' été"),
    ("'quoted' “so” (there)", "' quoted ' “ so ” ( there )"),
    ("he said—no -- and/or", "he said — no -- and / or"),
    ("我爱iPhone手机。", "我 爱 iPhone 手 机 。"),
    ("東京タワー", "東 京 タ ワ ー"),
    ("हिन्दी में लिखा।", "हिन्दी में लिखा ।"),
    ("สวัสดีครับ 123", "สวัสดีครับ 123"),
    ("مرحبا بالعالم، كيف؟", "مرحبا بالعالم ، كيف ؟"),
    ("한국어 문장", "한국어 문장"),
    ("Привет, мир", "Привет , мир"),
    ("snake_case _ __", "snake_case _ __"),
    ("", ""),
    (" \n\t", ""),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_a_text_is_cut_into_its_tokens(text, expected):
    assert tokenise(text) == expected.split()


WORDS = [
    ("The STORM hit!!! :) 👍", ["the", "storm", "hit"]),
    ("Don’t @ann #Storm $5 50%", ["don't", "@ann", "#storm", "$5", "50%"]),
    ("... — !? :D", []),
]


@pytest.mark.parametrize(("text", "expected"), WORDS)
def test_words_are_lower_cased_tokens_that_are_more_than_marks(text, expected):
    assert words(text) == expected


PIECES = st.sampled_from(
    [
        "http://",
        "www.",
        "a.co/",
        "@",
        "#",
        "a",
        "É",
        "1",
        ",",
        ".",
        "'",
        "’",
        "-",
        ":",
        ")",
        "$",
        "%",
        "&",
        "_",
        " ",
        "\n",
        "👍",
        "🏽",
        "\u200d",
        "🇫",
        "️",
        "⃣",
        "我",
        "हि",
        "U.S.",
        "Dr.",
        "<3",
        "�",
        "\x00",
        "́",
        "…",
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.text(st.characters(), max_size=80), st.lists(PIECES, max_size=20).map("".join)))
def test_the_tokens_joined_are_the_text_without_its_white_space(text):
    tokens = tokenise(text)
    assert "".join(tokens) == "".join(text.split())
    assert all(tokens)
    assert len(words(text)) <= len(tokens)


LONG = [
    "a" * 1_000_000,
    "a." * 500_000,
    "1," * 500_000,
    "a-" * 500_000,
    "@a." * 300_000,
    "http://" * 140_000,
    "👍🏽" * 300_000,
]
LONG += [
    "www." + "." * 1_000_000,
    "www.a(" * 150_000,
    "a@" * 400_000,
    "e\u0301" * 500_000,
    "." * 1_000_000,
    "l'" * 400_000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:8]))
def test_a_megabyte_of_anything_is_cut_in_seconds(text):
    started = time.perf_counter()
    tokenise(text)
    assert time.perf_counter() - started < 10


@given(
    st.one_of(
        st.text(), st.text(alphabet="ab1 .,:)-'’#@/&\n漢あéß😀"), st.from_regex(r"([a-zA-Z0-9.'#@:/-]{1,9} ){1,9}")
    )
)
def test_the_bounds_hold_for_any_text(text: str) -> None:
    least, most = token_bounds(text)
    assert least <= len(tokenise(text)) <= most
