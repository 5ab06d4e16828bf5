"""That the hand-written character classes agree with Unicode's own categories."""

from __future__ import annotations

import re
import unicodedata

from paraloom.text.patterns import CJK_CHARACTERS, EMOJI, SYMBOLS, TAG_CHARACTER, WORD_CHARACTER

BASIC_PLANE = [chr(code) for code in range(0x10000) if unicodedata.category(chr(code)) != "Cn"]


def test_word_and_cjk_characters_are_the_letters_digits_and_marks_of_unicode():
    is_word = re.compile(rf"{WORD_CHARACTER}|[{CJK_CHARACTERS}]").fullmatch
    is_letter = {c for c in BASIC_PLANE if unicodedata.category(c)[0] in "LMN"}
    found = {c for c in BASIC_PLANE if is_word(c)}
    # Left out on purpose: marks that dress emoji and symbols, not letters.
    assert all(unicodedata.category(c) in ("Mn", "Me") for c in is_letter - found)
    assert all(0x20D0 <= ord(c) <= 0x20FF or 0xFE00 <= ord(c) <= 0xFE0F for c in is_letter - found)
    assert {c for c in found - is_letter if unicodedata.category(c)[0] in "PZ"} == set()


def test_tags_hold_word_characters_and_underscores_and_no_punctuation():
    is_tag = re.compile(TAG_CHARACTER).fullmatch
    assert all(is_tag(c) for c in "aÉ5_日कি한")
    assert not any(is_tag(c) for c in " .,!?#@-'’…。\u200b🌊\ufe0f")


def test_symbols_are_neither_letters_nor_punctuation_nor_currency_nor_mathematics():
    is_symbol = re.compile(f"[{SYMBOLS}]").fullmatch
    kept = {c for c in BASIC_PLANE if unicodedata.category(c)[0] in "LMZ" or unicodedata.category(c) == "Sc"}
    assert {c for c in kept if is_symbol(c)} == {"ℹ"}  # a letter to Unicode, an emoji to everyone else
    assert not any(map(is_symbol, "+-<=>~±×÷°%‰≤≠∞√.,;:!?¡¿“”‘’—…•§"))


def test_an_emoji_is_matched_as_a_reader_sees_it():
    seen = ["👍🏽", "👨‍👩‍👧‍👦", "🇫🇮", "🇸🇪", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "❤️", "🤷🏻‍♀️"]
    assert re.findall(EMOJI, "".join(seen)) == seen
