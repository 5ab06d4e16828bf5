"""A post's text in; out comes the reason why it is spam, or nothing.

The rules are the patterns that fill social media and say nothing to paraphrase ("Follow me please", Dou et al., 2022,
appendix B). They are narrow on purpose: a lost post costs more than a junk one that a later filter or a person drops.
"""

from __future__ import annotations

import re

from paraloom.text.patterns import EMOJI_PIECE, HASHTAG, LINK, MENTION

_PLEASE = r"(?:please|pls+|plz+)"
_PHONE = r"(?<!\w)\+?\(?\d[\d() .-]{7,17}\d(?!\w)"

_PHRASES = {
    "follow_me": (
        rf"{_PLEASE},? follow (?:me|back|us back)\b|^\W*follow me\W*$"
        rf"|\bfollow me,? (?:{_PLEASE}|back|and i|i follow|for (?:a )?follow|if you want)"
        r"|\b(?:i|we|will|always|i'll) follow ?back\b|\bfollow (?:for|4) follow"
        r"|\b(?:gain|get|want) (?:more|free|\d+k?\+?|instant) (?:\w+ )?followers\b"
        r"|#(?:team)?follow_?(?:back|4follow|forfollow|me|train)\b|#f4f\b"
        r"|#s[ií]gueme\b|\bte sigo de vuelta"
        r"|\bs[ií]gueme y te sigo|\bsuivez[- ]moi (?:svp|et je)|\bje vous suis en retour"
    ),
    "retweet_to_win": (
        r"\b(?:retweet|repost|rt (?:to|for|this))\b[^.!?\n]{0,40}\bwin\b"
        r"|\b(?:follow|like) ?(?:\+|&|and|,) ?(?:rt|retweet|repost)\b"
        r"|\b(?:rt|retweet) ?(?:\+|&|and|,) ?(?:follow|like)\b"
        r"|\b(?:rt|retweet) (?:if|when) (?:you|u) (?:follow|love|miss|want (?:a|to win))\b"
        r"|\bhaz rt (?:para|y) gana|\brt (?:y sigue|et follow)|\bconcours\b[^.!?\n]{0,60}\brt\b"
    ),
    "giveaway": (
        r"#(?:giveaway|sweepstakes?|freebie|sorteo)\b|\bgiveaway (?:alert|time|winner|ends|closes|is live|now)\b"
        r"|\b(?:enter|join|win) (?:my|our|the|this)(?: \w+)? giveaway"
        r"|\benter (?:for a chance )?to win\b|\bwin (?:a )?free\b"
        r"|\byou(?:'ve| have) (?:been selected|won)\b[^.!?\n]{0,40}(?:prize|gift card|iphone|\$)"
        r"|\bfree (?:gift ?cards?|iphones?|v-?bucks|robux)\b"
    ),
    "click_here": (
        r"\bclick (?:here|(?:on )?(?:the |this |my )?link)\b[^.!?\n]{0,30}\b(?:free|win|buy|discount|earn|deal|claim)\b"
        r"|\bclick here!{2,}|^\W*click here\W*$|\blink in (?:my )?bio\b"
        r"|\bcheck (?:out )?my (?:bio|onlyfans|channel|mixtape|soundcloud)\b"
        r"|\bsubscribe to my (?:channel|onlyfans|youtube)\b"
    ),
    "offer": (
        r"\b(?:dm|inbox|whats?app|text|message|call)\b[^.!?\n]{0,40}\b(?:for|to) (?:\w+ ){0,2}"
        r"(?:prices?|rates|orders?|promos?|bookings?|collabs?|buy)\b"
        r"|\bdm (?:me|us) (?:now|if you (?:want|need)|to (?:buy|order|earn|get|make|invest))\b"
        rf"|\bwhats?app:? ?{_PHONE}"
        r"|\b(?:earn|make) (?:up to )?[$€£]\s?\d[\d,.]{0,9}k? (?:a|per|every|each|daily|weekly|in)\b[^.!?\n]{0,20}"
        r"\b(?:from home|online)\b|\bwork from home\b[^.!?\n]{0,40}[$€£]\d"
        r"|\b\d{1,2}% off\b[^.!?\n]{0,60}\b(?:code|coupon)\b"
        r"|\buse (?:my |promo |discount )?code\b[^.!?\n]{0,40}(?:% off|discount|checkout)"
        r"|\b(?:cheap|buy) (?:\w+ )?(?:viagra|cialis|followers|likes)\b"
        r"|\b(?:crypto|bitcoin|forex)\b[^.!?\n]{0,60}\b(?:dm me|guaranteed profits?|double your)\b"
    ),
}
# One of these is in every match of the pattern above, so that most posts are spared it.
_IN_EVERY_MATCH = {
    "follow_me": "follow|gueme|te sigo|suivez|suis en retour|#f4f",
    "retweet_to_win": (
        "retweet|repost| rt to| rt for| rt if| rt when| rt this| rt y | rt et| rt &| rt+| rt +| rt and| rt,"
        "|& rt|+ rt|and rt|, rt|&rt|+rt|haz rt|concours"
    ),
    "giveaway": (
        "giveaway|sweepstake|#freebie|sorteo| to win|win free|win a free|been selected|e won"
        "|free gift|free iphone|bucks|robux"
    ),
    "click_here": "click | bio|check my|check out my|subscribe to my",
    "offer": (
        "dm |inbox|whatsapp|whatapp|price| rates| order|promo|booking|collab| buy|from home| online|% off| code|cheap"
        "|buy |crypto|bitcoin|forex"
    ),
}
_PHRASES_AND_HINTS = [
    (reason, _IN_EVERY_MATCH[reason].split("|"), re.compile(pattern)) for reason, pattern in _PHRASES.items()
]

_LETTER_RUN = re.compile(r"([^\W\d_]|[!?])\1{7,}")
_THREE_ALIKE = re.compile(r"(.)\1\1")
_LONGEST_RUN_FOR_EMPHASIS = 14
"""A cry of joy ("Gooool") is not a flood; a longer run is one where it fills much of the post."""
_SHARE_OF_A_FLOOD = 0.4
_WORD_FLOOD = re.compile(r"\b([^\W\d]{2,30})\b(?:[\s,!.]{1,3}\1\b){6}")
_TAG = re.compile(rf"({HASHTAG})|({MENTION})|{LINK}|{EMOJI_PIECE}+")
_REPLY_TO = re.compile(rf"\s*(?:RT\s+)?(?:{MENTION}[\s:]+)+")
_HASHTAGS_IN_A_ROW = re.compile(rf"(?:{HASHTAG}[\s,|]{{0,3}}){{4}}")
_MENTION = re.compile(MENTION)
_REST_WORD = re.compile(r"\w[\w'’]*")
_MARKS = frozenset(("RT", "QT", "MT", "via", "Via"))
_LEAST_TAGS = 5
"""Fewer tags than this are no run, even where they outnumber the words."""
_READ_AT_MOST = 5000
"""Characters looked at: spam is short, and an article is not spam for what stands in its tenth paragraph."""


def spam_reason(text: str) -> str | None:
    """Why a post is spam, in a word, or None: `follow_me`, `retweet_to_win`, `giveaway`, `click_here`, `offer`,
    `only_tags`, `hashtag_run`, `mention_run`, `character_flood`, `word_flood`.

    >>> spam_reason("Follow me please! I always follow back")
    'follow_me'
    >>> spam_reason("#a #b #c #d #e #f nice")
    'hashtag_run'
    >>> spam_reason("Follow me on my walk through the storm: the coast is gone.") is None
    True
    """
    if len(text) > _READ_AT_MOST:
        text = text[:_READ_AT_MOST]
    lowered = " " + text.lower().replace("’", "'")
    for reason, hints, phrase in _PHRASES_AND_HINTS:
        for hint in hints:
            if hint in lowered:
                if phrase.search(lowered):
                    return reason
                break
    return _reason_in_tags(text) or _reason_in_floods(lowered)


def _reason_in_tags(text: str) -> str | None:
    signs = text.count("#") + text.count("@") + text.count("＃") + text.count("＠")
    if signs == 0 or (signs < _LEAST_TAGS and any(map(_is_plain_word, text.split()))):
        return None
    found = _TAG.findall(text)
    hashtags = sum(1 for hashtag, _ in found if hashtag)
    mentions = sum(1 for _, mention in found if mention)
    if hashtags + mentions == 0:
        return None
    words = sum(1 for word in _REST_WORD.findall(_TAG.sub(" ", text)) if word not in _MARKS)
    if words == 0:
        return "only_tags"
    if hashtags >= _LEAST_TAGS and hashtags > words and _HASHTAGS_IN_A_ROW.search(text):
        return "hashtag_run"
    if mentions >= _LEAST_TAGS and mentions > words and (reply_to := _REPLY_TO.match(text)):
        # Mentions in front are put there by the platform when people answer each other.
        mentions -= len(_MENTION.findall(reply_to[0]))
    return "mention_run" if mentions >= _LEAST_TAGS and mentions > words else None


def _is_plain_word(token: str) -> bool:
    return token.isalpha() and token not in _MARKS


def _reason_in_floods(lowered: str) -> str | None:
    words = lowered.split()
    if len(set(words)) <= len(words) - 6 and _WORD_FLOOD.search(lowered):
        return "word_flood"
    if not _THREE_ALIKE.search(lowered[::2]):  # a run of eight shows four times among every second
        return None
    runs = [match.end() - match.start() for match in _LETTER_RUN.finditer(lowered)]
    if runs and max(runs) > _LONGEST_RUN_FOR_EMPHASIS and sum(runs) > _SHARE_OF_A_FLOOD * len(lowered):
        return "character_flood"
    return None
