r"""A post's text in; out comes the text repaired, cleaned for reading, or reduced to a key for comparing.

Use them in this order:

- `repair` once, where a text enters: what encodings, HTML and editors broke is mended, nothing readable is lost.
- `clean` on a sentence, for people and models to read: no links, emoji, decoration or retweet marks.
- `comparable`, `comparable_without_tags`, `bare` and `folded` make keys that are only compared, never shown.

None of them raises on any `str`, and each takes time linear in the text's length.
"""

from __future__ import annotations

import re
import unicodedata
from html.entities import html5
from typing import NamedTuple

from paraloom.text.patterns import EMOJI_PIECE, FULL_LINK, HASHTAG, MENTION, SHORT_LINK

# ------------------------------------------------------------------------------------------------ repair

_SUSPECT_IN_ASCII = re.compile(r"[&\x00-\x08\x0b-\x1f\x7f]")

_AMPERSANDS = re.compile(r"&(?:amp;|#38;|#0*38;|#[xX]0*26;)+", re.IGNORECASE)
# A semicolon is required, for html.unescape would turn "?a=1&region=eu" into "?a=1®ion=eu".
# The five that are often cut short need white space or the end behind them instead.
_ENTITY = re.compile(
    r"&(?:#[0-9]{1,8};|#[xX][0-9a-fA-F]{1,7};|[A-Za-z][A-Za-z0-9]{1,31};|(?:amp|lt|gt|quot|nbsp)(?!\S))"
)

_WINDOWS_1252_UPPER_HALF = "€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ"
# UTF-8 read in a one-byte encoding leaves a lead byte's letter before a continuation byte's sign. This finds that in
# Western, Cyrillic and Macintosh tables; what it lets through is judged by ftfy, which is slow but right.
_MOJIBAKE = re.compile(
    rf"[\x80-\x9f]|[Â-ô][\xa0-\xbf{_WINDOWS_1252_UPPER_HALF}]"
    r"|вЂ|[РС][ЂЃѓЉЊЌЋЏђљњќћџЎўЈҐЄЇІґєјЅѕї\xa0-\xbf‘-•–—™‚„…†‡€‰‹›]|√[\x80-\xff†≠™≤≥∂]|‚Ä|≈[°¢]|[ŔĂĹ][\xa0-\xbf€-™Ä-ż]|Γ[Ç-Ü]"
)

_LINE_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Joiners mean something after emoji and after Arabic and Indic letters only; elsewhere they are hidden noise.
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    r"\ufeff\ufff0-\ufffb\ufffe\uffff]"
    r"|(?<![\u0600-\u109f\u1780-\u17ff\u2190-\u2bff\u3030\u303d\ufe0f\U0001f000-\U0001faff])[\u200c\u200d]+"
)
_ROUNDS = 8
"""One mended layer can uncover another. Real text settles in two rounds; the bound is for text made to last."""


def repair(text: str) -> str:
    r"""The text as its author meant it: entities and mojibake decoded, NFC, `\n` line breaks, nothing invisible.

    White space within lines is kept. Repairing twice changes nothing more.

    >>> repair("Fish &amp;amp; chips &#8211; it&#39;s cafÃ© time\r\n\u200b\ufeffnow")
    "Fish & chips – it's café time\nnow"
    >>> repair("https://example.org/?a=1&region=eu")
    'https://example.org/?a=1&region=eu'
    """
    if text.isascii() and not _SUSPECT_IN_ASCII.search(text):
        return text
    for _ in range(_ROUNDS):
        repaired = _repaired_once(text)
        if repaired == text:
            break
        text = repaired
    return text


def _repaired_once(text: str) -> str:
    if not text.isascii():
        # Before anything is stripped: the C1 controls are part of what ftfy decodes.
        if _MOJIBAKE.search(text):
            text = _without_mojibake(text)
        if _SURROGATE.search(text):
            # Pairs that a careless decoder left apart are joined, single ones are dropped.
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    if "&" in text:
        text = _ENTITY.sub(_decoded_entity, _AMPERSANDS.sub("&amp;", text))
    text = _INVISIBLE.sub("", _LINE_BREAK.sub("\n", text))
    return text if text.isascii() else _normalised("NFC", text)


_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _without_mojibake(text: str) -> str:
    from ftfy import fix_encoding
    from ftfy.badness import is_bad

    # Line by line, for one line's foreign letters must not keep another line's mojibake from being decoded.
    # The break is "\n" alone: "\x85" may be half of a letter here.
    return "\n".join(fix_encoding(line) if is_bad(line) else line for line in text.split("\n"))


def _decoded_entity(match: re.Match[str]) -> str:
    entity = match[0]
    if entity[1] != "#":
        return html5.get(entity[1:].removesuffix(";") + ";", entity)
    digits = entity[2:-1]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    if 0x80 <= code < 0xA0:  # browsers read these as Windows-1252, and so do authors
        return bytes([code]).decode("cp1252", "ignore")
    return chr(code) if code <= 0x10FFFF else ""


_LONGEST_RUN_OF_MARKS = 30
"""As in Unicode's stream-safe text; no language stacks as many."""
_MAYBE_LONG_RUN_OF_MARKS = re.compile(rf"[^\w\s\x00-\u02ff]{{{_LONGEST_RUN_OF_MARKS + 1},}}")


def _normalised(form: str, text: str) -> str:
    # Python sorts a run of combining marks by insertion, so a megabyte of them would take hours.
    if len(text) > 1000 and _MAYBE_LONG_RUN_OF_MARKS.search(text):
        text = _MAYBE_LONG_RUN_OF_MARKS.sub(_with_few_marks, text)
    if form == "NFC":
        return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)
    return text if unicodedata.is_normalized("NFKC", text) else unicodedata.normalize("NFKC", text)


def _with_few_marks(match: re.Match[str]) -> str:
    kept = []
    marks = 0
    for character in match[0]:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks <= _LONGEST_RUN_OF_MARKS:
            kept.append(character)
    return "".join(kept)


# ------------------------------------------------------------------------------------------------- clean

_BEFORE_A_MARK = r"(?:(?=([.,;:!?]{1,3}(?:\s|$))))?"
_FULL_LINK = re.compile(rf" ?{FULL_LINK}{_BEFORE_A_MARK}")
_SHORT_LINK = re.compile(rf" ?(?<![\w@./-]){SHORT_LINK}{_BEFORE_A_MARK}")
_MAYBE_SHORT_LINK = re.compile(r"\.[a-z]{2,6}/")
_EMOJI_RUN = re.compile(rf"{EMOJI_PIECE}+")
_RETWEET_MARK = re.compile(rf"^(?:[\s\"“'.]*[RrMmQq][Tt]\b[\s:]*{MENTION} ?[:：]?\s*)+")
_VIA_USER = re.compile(rf"[\s(\[|/–—-]*\b(?:[Vv]ia|VIA|[Hh]/?[Tt])[\s:]+(?:{MENTION}[\s,&]*){{1,5}}[)\]]?$")
_SITE = re.compile(r"(?<=\w.) \| (?!\d)[^\s|.!?]{1,30}(?: [^\s|.!?]{1,30}){0,3}$")
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}|“\s*”")
_LEFT_AT_THE_END = " |/\\~^`<>=+*_"


def clean(text: str) -> str:
    """A sentence for reading, as MultiPIT prepares it (Dou et al., 2022, appendix B): symbols go, punctuation stays.

    Gone are links, emoji, decoration (arrows, stars, boxes, ™), the retweet mark in front ("RT @user:"), the credit
    behind ("via @user", "h/t @user"), a site's name behind a bar where at least four words stand before it
    ("... | Example News"), and brackets or bars left empty. Kept are punctuation, currency, mathematical signs,
    degrees, other mentions and hashtags (they are often part of the sentence), and letter case. White space, line
    breaks included, becomes single spaces: split into sentences first.

    >>> clean("RT @ann: Storm hits the coast 🌊🌊 — 3 dead!  https://example.org/a via @newsdesk")
    'Storm hits the coast — 3 dead!'
    >>> clean("It is 20° and 5 > 3 👩🏽‍🚀 in #Oslo today | Example News")
    'It is 20° and 5 > 3 in #Oslo today'
    """
    if not text.isascii():
        text = _EMOJI_RUN.sub(" ", text)
    text = " ".join(text.split())
    if "/" in text or "ww." in text:
        text = " ".join(_without_links(text).split())
    if "@" in text or "＠" in text:
        text = _RETWEET_MARK.sub("", text, count=1)
        text = _without_credit(text)
    if "|" in text:
        text = _without_site(text)
    if "(" in text or "[" in text or "“" in text or "{" in text:
        text = " ".join(_EMPTY_BRACKETS.sub(" ", text).split())
    if text[-1:] in _LEFT_AT_THE_END or text[:1] == "|":
        text = text.rstrip(_LEFT_AT_THE_END).lstrip(" |")
    return text


def _without_links(text: str) -> str:
    text = _FULL_LINK.sub(_space_unless_before_a_mark, text)
    if _MAYBE_SHORT_LINK.search(text):  # the pattern for short links is slow, as any word may begin one
        text = _SHORT_LINK.sub(_space_unless_before_a_mark, text)
    return text


def _space_unless_before_a_mark(match: re.Match[str]) -> str:
    return "" if match[1] else " "


_LONGEST_CREDIT = 200


def _without_credit(text: str) -> str:
    # Only the end is searched: the pattern is anchored there, and trying it from every position would be slow.
    start = max(0, len(text) - _LONGEST_CREDIT)
    found = _VIA_USER.search(text, start)
    return text[: found.start()] if found else text


def _without_site(text: str) -> str:
    bar = text.rfind(" | ")
    if bar < 0 or len(text) - bar > _LONGEST_CREDIT or text.count(" ", 0, bar) < 3:
        return text
    return text[:bar] if _SITE.match(text, bar) else text


# ------------------------------------------------------------------------------------------------ compare

_JOINS_LETTERS = "'’‘ʼ＇`´.,٫٬\u00b7"


class _PunctuationTable(dict[int, int | str | None]):
    """What `str.translate` puts in the place of a character; categories are looked up once per character."""

    def __missing__(self, code: int) -> int | str | None:
        character = chr(code)
        category = unicodedata.category(character)
        replacement: int | str | None = code
        if character in _JOINS_LETTERS or (category[0] == "C" and not character.isspace()):
            replacement = None
        elif category[0] in "PS" or character.isspace():
            replacement = " "
        elif 0xFE00 <= code <= 0xFE0F or code == 0x20E3:  # what is left of an emoji
            replacement = None
        self[code] = replacement
        return replacement


_PUNCTUATION = _PunctuationTable()
for _character in map(chr, range(128)):  # filled in now, for the fast path of str.translate
    _PUNCTUATION[ord(_character)]

_MENTION = re.compile(rf"(?<![\w]){MENTION}")
_TAG = re.compile(rf"(?<![\w])(?:{MENTION}|{HASHTAG})")


def bare(text: str) -> str:
    """The key for deduplication: lower-cased words without any punctuation (Dou et al., 2022, appendix B).

    Links, mentions and hashtags keep their letters, so two posts are duplicates only if they say and tag the same.
    Stops, commas and apostrophes vanish ("U.S." is "US", "1,000" is "1000"); other punctuation and symbols part words
    ("post-war" is "post war").

    >>> bare("The U.S. didn’t — so they say — #care...")
    'the us didnt so they say care'
    >>> bare("The US didnt, so they say, #care") == bare("The U.S. didn’t — so they say — #care...")
    True
    """
    if not text.isascii():
        text = _normalised("NFKC", text)
    return _without_punctuation(text)


def comparable(text: str) -> str:
    """The key for comparing what two posts say: as `bare`, and links and mentions are gone, hashtags are words.

    Use it for edit distance, sub-strings and likeness with a page's title.

    >>> comparable("@ann Look: #Storm hits the COAST!! https://example.org/a")
    'look storm hits the coast'
    """
    if not text.isascii():
        text = _normalised("NFKC", text)
    if "/" in text or "ww." in text:
        text = _without_links(text)
    if "@" in text:
        text = _MENTION.sub(" ", text)
    return _without_punctuation(text)


def comparable_without_tags(text: str) -> str:
    """The key that tells manual retweets: as `comparable`, and hashtags are gone with their words.

    Two posts that differ only in punctuation, case, links, mentions or hashtags have the same key.

    >>> comparable_without_tags("Storm hits the coast! #storm #news @ann")
    'storm hits the coast'
    """
    if not text.isascii():
        text = _normalised("NFKC", text)
    if "/" in text or "ww." in text:
        text = _without_links(text)
    if "@" in text or "#" in text:
        text = _TAG.sub(" ", text)
    return _without_punctuation(text)


def folded(text: str) -> str:
    """The key that tells copies of a sentence: NFKC, case and white space are no difference, punctuation is.

    >>> folded("The  STORM hit the ﬁrst town.") == folded("the storm hit the first town.")
    True
    """
    text = text.lower() if text.isascii() else _normalised("NFKC", _normalised("NFKC", text).casefold())
    return " ".join(text.split())


class Keys(NamedTuple):
    """All keys of one text."""

    bare: str
    comparable: str
    comparable_without_tags: str


def keys(text: str) -> Keys:
    """All three keys at once; most sentences have neither links nor tags, and all their keys are the same.

    >>> keys("Storm hits the coast!")
    Keys(bare='storm hits the coast', comparable='storm hits the coast', comparable_without_tags='storm hits the coast')
    """
    if text.isascii() and "@" not in text and "#" not in text and "/" not in text and "ww." not in text:
        key = _without_punctuation(text)
        return Keys(key, key, key)
    return Keys(bare(text), comparable(text), comparable_without_tags(text))


def _without_punctuation(text: str) -> str:
    if ".." in text:
        text = text.replace("..", " ")  # an ellipsis parts words, a stop may not
    text = text.lower() if text.isascii() else _normalised("NFKC", text.casefold())
    return " ".join(text.translate(_PUNCTUATION).split())
