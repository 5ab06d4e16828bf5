"""What repairing, cleaning and reducing a text does, case by case, and what holds for every text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.text.normalise import bare, clean, comparable, comparable_without_tags, keys, repair

ANY_TEXT = st.text(st.characters(), max_size=120)  # lone surrogates and controls included
TROUBLE = st.lists(
    st.sampled_from(
        [
            "&amp;",
            "&",
            "amp;",
            "lt;",
            "#38;",
            "&#8203;",
            "\u200b",
            "\u200d",
            "�",
            "�",
            "Ã",
            "©",
            "â€™",
            "\x85",
            "\r",
            "\n",
            "é",
            "\ufeff",
            "क",
            "👩",
            "🏽",
            "&#xD800;",
            "&nbsp",
            " ",
            "é",
            "\xa0",
            "вЂ",
            "™",
            "&eacute;",
        ]
    ),
    max_size=12,
).map("".join)

REPAIRED = [
    ("plain text stays", "plain text stays"),
    ("Fish &amp; chips", "Fish & chips"),
    ("Fish &amp;amp;amp; chips", "Fish & chips"),
    ("5 &lt; 6 &amp;gt; 4", "5 < 6 > 4"),
    ("&quot;hi&quot; &#39;you&#x27;", "\"hi\" 'you'"),
    ("cut short &amp", "cut short &"),
    ("https://example.org/?a=1&copy=2&region=eu", "https://example.org/?a=1&copy=2&region=eu"),
    ("AT&T &notanentity;", "AT&T &notanentity;"),
    ("cafÃ© and itâ€™s", "café and it’s"),
    ("caf\u00e3 \u00e0 propos\u2026 S\u00e3o", "caf\u00e3 \u00e0 propos\u2026 S\u00e3o"),
    ("РџСЂРёРІРµС‚", "Привет"),
    ("Київ і Львів", "Київ і Львів"),
    ("e\u0301te\u0301", "été"),
    ("one\r\ntwo\rthree\u2028four\x0cfive", "one\ntwo\nthree\nfour\nfive"),
    ("and so on\x85", "and so on…"),
    ("\ufeffze\u200bro wi\xaddth\x00", "zero width"),
    ("a\u200db", "ab"),
    ("می\u200cخواهم", "می\u200cخواهم"),
    ("👩\u200d🚀", "👩\u200d🚀"),
    ("\ud83d\ude00 and \ud83d alone", "😀 and  alone"),
    ("&#128;5 &#0;", "€5 "),
]


@pytest.mark.parametrize(("broken", "mended"), REPAIRED)
def test_a_broken_text_is_mended_and_a_whole_one_is_left_alone(broken, mended):
    assert repair(broken) == mended


@settings(max_examples=150, deadline=None)
@given(st.one_of(ANY_TEXT, TROUBLE))
def test_repairing_twice_changes_nothing_more(text):
    assert repair(repair(text)) == repair(text)


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT)
def test_a_repaired_text_can_be_written_as_utf_8(text):
    repair(text).encode("utf-8")


CLEANED = [
    ("Storm hits the coast 🌊🌊 now", "Storm hits the coast now"),
    ("Family 👨‍👩‍👧‍👦 flag 🇫🇮 tone 👍🏽 key 1️⃣ England 🏴󠁧󠁢󠁥󠁮󠁧󠁿 end", "Family flag tone key England end"),
    ("★ Breaking ► news ™ → here", "Breaking news here"),
    ("“Quotes”, dashes — and… stops!", "“Quotes”, dashes — and… stops!"),
    ("5 > 3, 20°C, €5, 50%, a+b", "5 > 3, 20°C, €5, 50%, a+b"),
    ("read https://example.org/a?b=1 and bit.ly/abc today", "read and today"),
    ("read it at https://example.org.", "read it at."),
    ("I bought it on Example.com yesterday", "I bought it on Example.com yesterday"),
    ("RT @ann: RT @ben_1: it is true", "it is true"),
    ("RT @ann It is true", "It is true"),
    ("Please RT @ann today", "Please RT @ann today"),
    ("Storm hits coast via @newsdesk", "Storm hits coast"),
    ("Storm hits coast (h/t @ann, @ben)", "Storm hits coast"),
    ("We got there via @trainline.", "We got there via @trainline."),
    ("Storm hits the coast today | Example News", "Storm hits the coast today"),
    ("Ann | Ben", "Ann | Ben"),
    ("Storm hits the coast … |", "Storm hits the coast …"),
    ("Look (https://example.org/a) there", "Look there"),
    ("#Storm hits @ann in\n\n Oslo", "#Storm hits @ann in Oslo"),
    ("हिन्दी में क्\u200dष", "हिन्दी में क्\u200dष"),
    ("🔥", ""),
    ("", ""),
]


@pytest.mark.parametrize(("text", "expected"), CLEANED)
def test_a_cleaned_sentence_keeps_its_punctuation_and_loses_symbols_and_links(text, expected):
    assert clean(text) == expected


def test_every_emoji_there_is_is_cleaned_away():
    import emoji

    punctuation_too = {"‼", "⁉"}
    left = [character for character in emoji.EMOJI_DATA if clean(f"a {character} b") != "a b"]
    assert [character for character in left if character.rstrip("\ufe0f") not in punctuation_too] == []


BARE = [
    ("The U.S. didn’t — so they say — care...", "the us didnt so they say care"),
    ("1,000 people; post-war", "1000 people post war"),
    ("wait...what", "wait what"),
    ("#Tag @ann", "tag ann"),
    ("STRASSE Straße", "strasse strasse"),
    ("ﬁne 𝐛𝐨𝐥𝐝 ①", "fine bold 1"),
    ("¿Qué? «Sí»", "qué sí"),
    ("你好，世界。", "你好世界"),
    ("?!…", ""),
]


@pytest.mark.parametrize(("text", "key"), BARE)
def test_a_bare_text_is_lower_cased_words_without_punctuation(text, key):
    assert bare(text) == key


SAME_POST = [
    ("Storm hits the coast", "STORM hits the coast!!!"),
    ("Storm hits the coast", "@ann: Storm hits the coast https://example.org/a"),
    ("Storm hits the coast", "Storm hits the coast #storm #news"),
    ("It’s the U.S. coast", "Its the US coast"),
    ("Storm hits, the coast", "Storm hits — the coast bit.ly/abc"),
    ("Hi @ann@example.social", "hi @ben.bsky.social"),
]


@pytest.mark.parametrize(("left", "right"), SAME_POST)
def test_posts_that_differ_in_punctuation_case_links_and_tags_only_have_the_same_key(left, right):
    assert comparable_without_tags(left) == comparable_without_tags(right)


WORDS = st.lists(st.sampled_from(["storm", "hits", "the", "coast", "été", "строка", "city"]), min_size=1, max_size=8)
DRESS = st.sampled_from([" ", "! ", ", ", " @ann ", " #tag ", " https://example.org/a ", " — ", "… ", " (", ") ", '" '])


@settings(max_examples=100, deadline=None)
@given(WORDS, st.data())
def test_dressing_a_post_in_tags_links_and_marks_does_not_change_its_key(words, data):
    dressed = "".join(data.draw(st.sampled_from([word, word.upper()])) + data.draw(DRESS) for word in words)
    assert comparable_without_tags(dressed) == " ".join(words)


def test_comparable_keeps_the_words_of_hashtags_and_bare_keeps_everyone_mentioned():
    post = "@ann Look: #Storm!"
    assert (bare(post), comparable(post), comparable_without_tags(post)) == ("ann look storm", "look storm", "look")


@settings(max_examples=100, deadline=None)
@given(ANY_TEXT)
def test_a_key_is_its_own_key_and_has_single_spaces(text):
    for key_of in (bare, comparable, comparable_without_tags):
        key = key_of(text)
        assert key_of(key) == key
        assert key == " ".join(key.split())


LONG = [
    "a" * 1_000_000,
    " " * 1_000_000,
    "." * 1_000_000,
    "@a" * 300_000,
    "www." * 250_000,
    "http://" * 150_000,
    "a.b" * 300_000,
    "&amp;" * 200_000,
    "&#38;#" * 150_000,
    "👍🏽" * 300_000,
    "a" + "\u0316\u0301" * 300_000,
    "Ã©" * 200_000,
    "(" * 500_000,
    " | a" * 250_000,
    "RT @a: " * 100_000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: ascii(text[:8]))
def test_a_megabyte_of_anything_takes_seconds_not_hours(text):
    started = time.perf_counter()
    for function in (repair, clean, bare, comparable, comparable_without_tags):
        function(text)
    assert time.perf_counter() - started < 20


@given(st.one_of(ANY_TEXT, st.text(alphabet="aB .,!@#/w＃ｗ’é")))
def test_the_keys_made_at_once_are_the_keys_made_one_by_one(text: str) -> None:
    assert keys(text) == (bare(text), comparable(text), comparable_without_tags(text))
