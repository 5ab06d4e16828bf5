r"""A post's text in, its tokens out, for posts in many scripts.

What is one token, by choice:

- a link, an e-mail address, a @mention, a #hashtag, an emoticon, an emoji with its skin tone or family, a flag;
- a number with what belongs to it: `1,000.5`, `$3.5M`, `50%`, `7:30pm`, `9/11`, `15-year-old`;
- a word with its inner hyphens, apostrophes and ampersands: `well-known`, `don't`, `Trump's`, `AT&T`. Contractions
  stay whole, as in the tokeniser of Gimpel et al. (2011), but French and Italian elisions are cut: `l'` `homme`;
- an abbreviation with its stops: `U.S.`, `a.m.`, `Dr.`;
- each Chinese or Japanese character; in Thai, Lao, Khmer and Burmese, which need a dictionary, each unspaced run;
- a run of one punctuation mark: `...`, `!!!`, `--`.

Nothing is lost: the tokens joined are the text without its white space.
"""

from __future__ import annotations

import re
from functools import cache

from paraloom.text.abbreviations import WITH_THEIR_STOP
from paraloom.text.patterns import (
    CJK_CHARACTERS,
    DOMAIN,
    EMAIL,
    EMOJI,
    EMOTICON,
    FULL_LINK,
    HASHTAG,
    MENTION,
    SHORT_LINK,
    WORD_CHARACTER,
)


@cache
def _token() -> re.Pattern[str]:
    # Compiled at first use: the large character classes take 25 ms, which no mere import should cost.
    return re.compile(
        "|".join(
            (
                # Most words are followed by a space or by a mark that cannot continue them: taken first, for speed.
                r"[A-Za-z]+(?![^\s,!?;)\"”])",
                FULL_LINK,
                SHORT_LINK,
                EMAIL,
                DOMAIN,
                MENTION,
                HASHTAG,
                EMOJI,
                EMOTICON,
                r"(?:[A-Za-zÀ-ÖØ-öø-ÿ]\.){2,}(?:[A-Za-z](?![\w'’-]))?",
                rf"(?:{WITH_THEIR_STOP})\.",
                rf"[$€£¥₹₩₽]?[0-9]+(?:[.,:/][0-9]+)*(?:[%‰°]|{WORD_CHARACTER}*(?:[-‑'’]{WORD_CHARACTER}+)*)",
                rf"(?:[cdjlmnstCDJLMNST]|[qQ]u|[lL]orsqu|[pP]uisqu|[jJ]usqu|[dD]ell|[dD]all|[nN]ell|[aA]ll|[sS]ull|[uU]n)['’]"
                rf"(?={WORD_CHARACTER})(?!t\b|s\b|mon\b)",
                rf"{WORD_CHARACTER}+(?:[-'’ʼ‑&_]{WORD_CHARACTER}+)*",
                rf"[{CJK_CHARACTERS}]",
                r"\.{2,}|…+|!+|\?+|[‼⁇⁈⁉]\ufe0f?|-{2,}|—+|~{2,}|\*{2,}|={2,}|_+",
                r"\S",
            )
        )
    )


def tokenise(text: str) -> list[str]:
    """The tokens of a text, in order, in their own spelling.

    >>> tokenise("@ann Dr. Lee's 15-year-old won $3.5M at 7:30pm in the U.S.!!! :) #luck https://example.org/a.")
    ['@ann', 'Dr.', "Lee's", '15-year-old', 'won', '$3.5M', 'at', '7:30pm', 'in', 'the', 'U.S.', '!!!', ':)', '#luck', \
'https://example.org/a', '.']
    >>> tokenise("我爱北京 👩🏽‍🚀")
    ['我', '爱', '北', '京', '👩🏽‍🚀']
    """
    return _token().findall(text)


_LETTERS_AND_SPACE = b" \t\n0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def token_bounds(text: str) -> tuple[int, int]:
    """The least and the most tokens a text can have, at a tenth of the cost of counting them.

    >>> token_bounds("It's a well-known fact.")
    (4, 10)
    >>> len(tokenise("It's a well-known fact."))
    5
    """
    spaced = len(text.split())  # no token has a space in it
    marks = len(text.encode("utf-8", "surrogatepass").translate(None, _LETTERS_AND_SPACE))
    return spaced, spaced + 2 * marks  # only at a mark, or at a letter that is not ASCII, can a word be cut


_BEGIN_A_WORD = "#@＃＠$€£¥₹₩₽"


def words(text: str) -> list[str]:
    """The lower-cased tokens that are more than punctuation, emoji or emoticons: what overlap and ranking count.

    The typographic apostrophe becomes the plain one, so that "don’t" and "don't" are the same word.

    >>> words("Don’t panic!!! It is only 5% :) #calm")
    ["don't", 'panic', 'it', 'is', 'only', '5%', '#calm']
    """
    lowered = [
        token.lower()
        for token in _token().findall(text)
        if token[0].isalnum() or (len(token) > 1 and token[0] in _BEGIN_A_WORD)
    ]
    return [word.replace("’", "'") for word in lowered] if "’" in text else lowered
