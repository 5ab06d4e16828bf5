"""A caption in, whether it is about the subtitles themselves out: who made them, and what a site wants to sell.

Names of sites, addresses and plain credits are left out wherever they stand. Words that may be part of a film
(`Translation:`) are taken for credits near its beginning and its end only.
"""

from __future__ import annotations

import re

AT_THE_EDGES = 5
"""So many captions at the beginning and at the end are where credits stand."""

_SUBTITLES = (
    "subtitles?|captions?|tekstity[sk]\\w*|suomennos|undertext(?:er|ning)?|undertekst(?:er|ing)?|untertitel(?:ung)?"
    "|sous-titr(?:es|age)|napisy|titulky|titlovi|subtítulos|legendas|sottotitoli|ondertitel(?:s|ing)|altyazı|felirat"
    "|subtitr(?:are|area|ări)|субтитры|субтитри|титри|υπότιτλοι|字幕|자막"
)
_OTHERS = (
    "subs|translat(?:ion|ed|or)|correct(?:ed|ions?)|tim(?:ed|ing)|encoded|edited|transcri(?:pt|ption|bed)|suomentanut"
    "|suomentaja|käännös|oikoluku|översättning|översatt|svensk text|översättare|synk|text|tekst|tekster|oversættelse"
    "|oversettelse|oversatt"
    "|übersetzung|übersetzt|bearbeitung|traduction|adaptation|traduit|tłumaczenie|przekład|korekta|překlad|přeložila?"
    "|preklad|časování|traducción|traducido|tradução|tradutor|traduzione|tradotto|vertaling|vertaald|çeviri|çeviren"
    "|fordítás|fordította|traducerea|traducere|prevod|prijevod|перевод|переклад|превод|μετάφραση|απόδοση διαλόγων"
    "|翻译|翻譯|校对|校對|翻訳|번역"
)
_BY = r"(?:by|av|af|von|par|por|pelos?|di|door|od)\b"
_AND = r"(?:and|och|og|ja|und|et|i|a|y|e|en|ve|&|\+|/|,)"
_WORDS = f"{_SUBTITLES}|{_OTHERS}".replace(" ", r"\ ")  # for verbose patterns
_ANYWHERE = re.compile(
    rf"""
    https?:// | \bwww\s?\. | \bopen\s?subtitles\b | \baddic7ed | \bsubscene\b | \bpodnapisi | \btvsubtitles | 字幕[组組]
    | \btitlovi\.com | \bnapisy24 | \bdivx\s?(?:finland|sweden) | \bsubihaku | \bswesub | \bundertexter\.se | \bsubrip\b
    | \b(?:please\ rate\ this\ subtitle|advertise\ your\ product|become\ (?:a\ )?vip\ member|support\ us\ and\ become)\b
    | ^\W*(?:(?:{_SUBTITLES})\s*[:：] | (?:{_SUBTITLES})\b.{{0,40}}\b{_BY}\s
    | (?:(?:re-?)?sync(?:ed|hroni[sz]ed)|subtitled|captioned|captioning|subbed|fansubbed)\b.{{0,40}}\bby\b
    | (?:(?:re-?)?sync|synchroni[sz]ation|rip|ripped)\s*(?:[:：]|by\b|{_AND}\s*(?:{_WORDS})\b))
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_SURE = "com|org|net|info|tv|fi|dk|fr|nl|pl|cz|sk|hu|ro|ru|tr|gr"
_UNSURE = "se|de|es|it|no|be|is"
"""Countries that are words too: `Stop.it hurts` is no site."""
_NAME = r"(?<![\w.@-])[\w-]{2,40}(?:\.[\w-]{2,40}){0,2}"
_EDGES = re.compile(
    rf"""
    ^\W*(?:{_WORDS})\b\s*(?:[:：/–-] | $ | {_AND}\s*(?:{_WORDS})\b | .{{0,20}}\b{_BY}\s)
    | ^[^\w\n]*{_NAME}\.(?-i:{_SURE}|{_SURE.upper()})[^\w\n]*$
    | ©
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_SITE = re.compile(rf"{_NAME}\.(?:{_SURE}|{_UNSURE})(?![\w-])")
_SITE_IN_CAPITALS = re.compile(rf"{_NAME}\.(?:{_SURE.upper()}|{_UNSURE.upper()})(?![\w-])")
_BESIDE_A_SITE = re.compile(
    rf"""
    \b(?:{_WORDS}|subs?\b|downloaded|uploaded|visit|presents?|released?|shared|brought\ to\ you|hämtad|besök|ladattu
    |pobrane|heruntergeladen|descargado|téléchargé)\b | \w(?:subs?|text(?:er)?|napisy|titlovi|titles)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What is said of a site that subtitles come from, or is a part of its name."""


def is_credit(caption: str, *, at_an_edge: bool) -> bool:
    """Whether a caption names who made the subtitles, or a site.

    >>> is_credit("Subtitles by Ada", at_an_edge=False), is_credit("Suomennos: Aino", at_an_edge=False)
    (True, True)
    >>> [is_credit("Translation: we are lost.", at_an_edge=at_an_edge) for at_an_edge in (False, True)]
    [False, True]
    """
    return _ANYWHERE.search(caption) is not None or (
        at_an_edge and (_EDGES.search(caption) is not None or _is_of_a_site(caption))
    )


def _is_of_a_site(caption: str) -> bool:
    """Whether a site is named and something is said of it that is said where subtitles come from.

    >>> [_is_of_a_site(said) for said in ("Downloaded from films.se", "I read it on films.se", "Stop.It hurts")]
    [True, False, False]
    """
    is_named = _SITE.search(caption) is not None or _SITE_IN_CAPITALS.search(caption) is not None
    return is_named and _BESIDE_A_SITE.search(caption) is not None
