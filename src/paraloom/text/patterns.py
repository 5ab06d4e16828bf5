r"""What a post is made of (links, mentions, hashtags, emoji, emoticons, word characters), as pattern strings.

In: nothing. Out: strings to build compiled patterns from, so that the normaliser, the tokeniser and the splitter
agree on what a link or an emoji is. Every pattern takes linear time on any text: repeated groups start with a
character that cannot end the repetition before, and what could be tried again from every position has a bound.
"""

from __future__ import annotations

CJK_CHARACTERS = (
    r"\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u3035\u3038-\u303c\u3041-\u309a\u309d-\u309f\u30a1-\u30fa"
    r"\u30fc-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    r"\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
"""Ideographs, kana and bopomofo, to stand inside `[...]`: scripts written without spaces between words."""

# Punctuation, symbols, spaces and controls of the living scripts. Written as a negated class because Python's `\w`
# leaves out combining marks, which would cut Devanagari, Thai, Tamil or vocalised Arabic words into pieces.
_NOT_IN_WORDS_BUT_UNDERSCORE = (
    r"\x00-/:-@\[-\^`{-\xa9\xab-\xb1\xb4\xb6-\xb8\xbb\xbf\xd7\xf7\u02c2-\u02c5\u02d2-\u02df\u02e5-\u02eb\u02ed\u02ef-\u02ff"
    r"\u0375\u037e\u0384\u0385\u0387\u03f6\u0482\u055a-\u055f\u0589-\u058f\u05be\u05c0\u05c3\u05c6\u05f3-\u060f\u061b-\u061f"
    r"\u066a-\u066d\u06d4\u06dd\u06de\u06e9\u06fd\u06fe\u0700-\u070f\u07f6-\u07f9\u07fe\u07ff\u0830-\u083e\u085e\u0964\u0965"
    r"\u0970\u09f2\u09f3\u09fa\u09fb\u09fd\u0a76\u0af0\u0af1\u0b70\u0bf3-\u0bfa\u0c77\u0c7f\u0c84\u0d4f\u0d79\u0df4\u0e3f\u0e4f"
    r"\u0e5a\u0e5b\u0f01-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f85\u0fbe-\u0fc5\u0fc7-\u0fda\u104a-\u104f"
    r"\u109e\u109f\u10fb\u1360-\u1368\u1390-\u1399\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6"
    r"\u17d8-\u17db\u1800-\u180a\u180e\u1940-\u1945\u19de-\u19ff\u1a1e\u1a1f\u1aa0-\u1aa6\u1aa8-\u1aad\u1b5a-\u1b6a\u1b74-\u1b7e"
    r"\u1bfc-\u1bff\u1c3b-\u1c3f\u1c7e\u1c7f\u1cc0-\u1cc7\u1cd3\u1fbd\u1fbf-\u1fc1\u1fcd-\u1fcf\u1fdd-\u1fdf\u1fed-\u1fef"
    r"\u1ffd-\u200b\u200e-\u206f\u207a-\u207e\u208a-\u208e\u20a0-\u20ff\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118"
    r"\u211e-\u2123\u2125\u2127\u2129\u212e\u213a\u213b\u2140-\u2144\u214a-\u214d\u214f\u218a-\u245f\u249c-\u24e9\u2500-\u2775"
    r"\u2794-\u2bff\u2ce5-\u2cea\u2cf9-\u2cfc\u2cfe\u2cff\u2d70\u2e00-\u2e2e\u2e30-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037"
    r"\u303d-\u303f\u309b\u309c\u30a0\u30fb\u3190\u3191\u3196-\u319f\u31c0-\u31ef\u3200-\u321f\u322a-\u3247\u3250\u3260-\u327f"
    r"\u328a-\u32b0\u32c0-\u33ff\u4dc0-\u4dff\ua490-\ua4cf\ua4fe\ua4ff\ua60d-\ua60f\ua673\ua67e\ua6f2-\ua716\ua720\ua721"
    r"\ua789\ua78a\ua828-\ua82b\ua836-\ua839\ua874-\ua877\ua8ce\ua8cf\ua8f8-\ua8fa\ua8fc\ua92e\ua92f\ua95f\ua9c1-\ua9cd"
    r"\ua9de\ua9df\uaa5c-\uaa5f\uaa77-\uaa79\uaade\uaadf\uaaf0\uaaf1\uab5b\uab6a\uab6b\uabeb\ud800-\uf8ff\ufb29\ufbb2-\ufbc2"
    r"\ufd3e-\ufd4f\ufdcf\ufdfc-\ufdff\ufe00-\ufe1f\ufe30-\ufe6f\ufeff-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    r"\uffe0-\uffff\U0001cf50-\U0001d241\U0001d300-\U0001d356\U0001d800-\U0001da8b\U0001eef0-\U0001f0ff"
    r"\U0001f10d-\U0001fbcf\U000e0000-\U0010ffff"
)

WORD_CHARACTER = rf"[^_{_NOT_IN_WORDS_BUT_UNDERSCORE}{CJK_CHARACTERS}]"
"""A letter, digit or combining mark of a script that is written with word boundaries (and Thai, Lao, Khmer)."""

TAG_CHARACTER = rf"[^{_NOT_IN_WORDS_BUT_UNDERSCORE}]"
"""What a hashtag or mention may hold: letters, digits, marks, underscore, of every script."""

_LINK_END = r"(?<![.,;:!?…'’\"”“‘*_~|।。、！？؟])"
_LINK_BODY = r"(?:[^\s()<>\[\]{}\"“”«»…]|\([^\s()<>]{0,200}\))"
_ALWAYS_A_DOMAIN = "com|org|net|gov|edu|mil|info|io|uk|eu|tv|app|dev"
# These are also words ("it", "me", "de", "se"), so only a path behind them makes a link.
_DOMAIN_BEFORE_A_PATH = (
    f"{_ALWAYS_A_DOMAIN}|ly|co|gl|gd|fm|be|me|us|ca|au|nz|ie|in|de|fr|es|it|pt|nl|ch|at|fi|se|no|dk|pl|ru|jp|br|mx|ar|cl"
    "|ms|ws|gg|im|to|cc|bz|news|blog|live|social|link|page|site|online|ai|st|tt|la|lt|is|ee|tl"
)
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.){1,5}"

FULL_LINK = rf"(?:[hH][tT][tT][pP][sS]?://|[wW][wW][wW]\.){_LINK_BODY}+{_LINK_END}"
"""A link that says so: http://, https:// or www. in front."""

SHORT_LINK = rf"{_HOST}(?:{_DOMAIN_BEFORE_A_PATH})/{_LINK_BODY}*{_LINK_END}"
"""A link without its scheme but with a path: bit.ly/abc, pic.twitter.com/abc."""

LINK = rf"(?:{FULL_LINK}|(?<![\w@./-]){SHORT_LINK})"
"""Any link to be removed from a text. A bare `Amazon.com` is not one: it is a name."""

DOMAIN = rf"{_HOST}(?:{_ALWAYS_A_DOMAIN})(?![\w@-])"
"""A bare domain name."""

EMAIL = r"[A-Za-z0-9][A-Za-z0-9.+_-]{0,63}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}"

MENTION = (
    rf"[@＠]{TAG_CHARACTER}+"
    r"(?:(?:[.-][A-Za-z0-9_]{1,63}){0,5}\.(?:social|com|org|net|io|app|dev)(?![\w-]))?"
    r"(?:@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5})?"
)
"""@user, @name.bsky.social (Bluesky), @user@host.tld (Mastodon)."""

HASHTAG = rf"[#＃]{TAG_CHARACTER}+"

SYMBOLS = (
    r"©®\u2117\u2120\u2122\u2139\u2190-\u21ff\u2300-\u2307\u230c-\u2328\u232b-\u23ff\u2400-\u245f\u24c2\u2500-\u2767\u2776-\u27bf"
    r"\u2800-\u297f\u2b00-\u2bff\u3004\u3012\u3013\u3020\u3030\u3036\u3037\u303d-\u303f\u3297\u3299\u4dc0-\u4dff"
    r"\ufffc\ufffd\ue000-\uf8ff\U0001cf50-\U0001d1ff\U0001f000-\U0001faff\U0001fb00-\U0001fbcf\U000f0000-\U0010ffff"
)
"""Emoji and decoration, to stand inside `[...]`. Not currency, mathematical signs, degrees: they mean something."""

_EMOJI_MODIFIER = r"[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"

EMOJI = (
    r"(?:[0-9#*]\ufe0f?\u20e3"  # keycaps
    r"|[\U0001f1e6-\U0001f1ff]{2}"  # flags are two regional letters
    rf"|[{SYMBOLS}]{_EMOJI_MODIFIER}*(?:\u200d[{SYMBOLS}]{_EMOJI_MODIFIER}*)*)"  # skin tones, families, England
)
"""One emoji or symbol, as a reader sees it."""

EMOJI_PIECE = (
    rf"(?:[{SYMBOLS}\ufe0e\ufe0f\u20e3\U000e0020-\U000e007f]|[0-9#*]\ufe0f?\u20e3|(?<=[{SYMBOLS}\ufe0f])\u200d)"
)
"""A part of an emoji: what to repeat where emoji come in runs, for `EMOJI` repeated could be read in many ways."""

EMOTICON = (
    r"(?:(?<![A-Za-z0-9])[:;=]['’]?[-o^]?(?:[DPpOo3SsXx](?![A-Za-z0-9])|[)(\]\[/\\|*$><]{1,8})"
    r"|(?<=[A-Za-z0-9])[:;]['’]?-?[)(]{1,8}"
    r"|</?3(?![0-9])|[\^]_{1,3}[\^]|-_{1,3}-|[TＴ]_{1,3}[TＴ](?![A-Za-z0-9])|¯\\_\(ツ\)_/¯)"
)
"""A face or heart in plain characters."""
