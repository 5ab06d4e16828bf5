"""An English text in, the errors of grammar that rules can tell out: few rules, each of which is seldom wrong."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from paraloom.metrics.types.words import MOST_WORDS, listed
from paraloom.text.function_words import function_words
from paraloom.text.lemmas import lemmatise
from paraloom.text.patterns import LINK

GrammarError = Literal["repeated", "loop", "article", "agreement", "verb form", "unfinished"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_LINK = re.compile(LINK)
_ARTICLE = re.compile(r"(?<![\w.'’-])(an?) ([a-z]{2,})\b(?!['’]|\.\w)")
_MAY_REPEAT = listed("had that very no so ha bye really many never far long again blah is do win go wow knock why")
_VOWEL_SOUND = re.compile(
    r"(?!one\b|once\b|one-|eu|ewe|uni(?![nmd])|us[aeiu]|ut[ei]|ur[aeiou]|ubi|uk|ufo)[aeiou]|hour|honest|hono|heir"
)
"""What begins with one, as far as spelling tells."""
_DISAGREE = frozenset(
    {
        *((one, verb) for one in ("he", "she", "it") for verb in ("are", "have", "do", "am", "don't")),
        *((one, verb) for one in ("we", "they") for verb in ("is", "was", "has", "does", "am", "isn't", "doesn't")),
        *(("you", verb) for verb in ("is", "was", "has", "does", "am")),
        *((one, verb) for one in ("these", "those") for verb in ("is", "was", "has")),
        *(("i", verb) for verb in ("is", "are", "has", "does")),
    }
)
_SUBJECT_IN_FRONT = listed("and or with let make makes made help see saw watch if wish than did does do")
"""After these a pronoun need not be the subject of what follows: "you and I are", "made it have"."""
_BEFORE_A_BASE = listed("will would should could must did didn't doesn't don't won't can't couldn't wouldn't to")
_NOT_THE_END = listed("the a an and or but because my your our their its than")
_ASKED_PLURAL = re.compile(
    r"\b(?:what|which|who|where)(?: is|'s| was) the (?:(?:best|most|first|main|top|good|some|\w+est) )(?:\w+ ){0,1}?"
    r"([a-z]{4,}s) (?:for|in|of|to|on|at|that|which|under|with)\b"
)


def grammar_errors(text: str) -> tuple[GrammarError, ...]:
    """What is wrong with a text, as far as rules tell.

    >>> grammar_errors("The storm hit the the coast and")
    ('repeated', 'unfinished')
    >>> grammar_errors("what is the best earphones for rs 3000?"), grammar_errors("An hour ago they were there.")
    (('agreement',), ())
    """
    text = _LINK.sub("¶", text)  # a link is no word, and what stood around it is not together
    words = _WORD.findall(text)[:MOST_WORDS]
    lowered = [word.lower().replace("’", "'") for word in words]
    wrong: dict[GrammarError, bool] = {
        "repeated": _repeats(text, words),
        "loop": _loops(lowered),
        "article": _has_wrong_article(text),
        "agreement": _disagrees(text, lowered),
        "verb form": _has_wrong_form(lowered),
        "unfinished": len(lowered) > 3 and lowered[-1] in _NOT_THE_END and words[-1].islower(),
    }
    return tuple(name for name, is_wrong in wrong.items() if is_wrong)


def _repeats(text: str, words: list[str]) -> bool:
    """A word twice in a row with nothing but space between, letters alike: "the the"; not "Duran Duran"."""
    return any(
        one == other and one.islower() and one.isalpha() and one not in _MAY_REPEAT and f"{one} {other}" in text
        for one, other in pairwise(words)
    )


def _loops(words: list[str]) -> bool:
    """Four words or more that follow on themselves at once, or three that stand there three times."""
    for length in range(4, len(words) // 2 + 1):
        for start in range(len(words) - 2 * length + 1):
            again = start + length
            if words[start] == words[again] and words[start:again] == words[again : again + length]:
                return True
    threes = [tuple(words[place : place + 3]) for place in range(len(words) - 2)]
    return any(threes.count(three) > 2 for three in set(threes))


def _has_wrong_article(text: str) -> bool:
    """As in "a apple" and "an dog"; how words in capitals are spoken no letter tells."""
    return any(
        (article == "an") != (_VOWEL_SOUND.match(word) is not None) and word not in function_words("en")
        for article, word in _ARTICLE.findall(text)
    )


def _disagrees(text: str, words: list[str]) -> bool:
    for place, pair in enumerate(pairwise(words)):
        before = words[place - 1] if place else ""
        if pair in _DISAGREE and before not in _SUBJECT_IN_FRONT and place < 12:
            return True
    asked = _ASKED_PLURAL.search(text.lower())
    return (
        asked is not None and lemmatise([asked[1]])[0] != asked[1] and not asked[1].endswith(("ss", "us", "is", "ics"))
    )


def _has_wrong_form(words: list[str]) -> bool:
    """As in "will went" and "did had": a past form where the base must stand."""
    return any(one in _BEFORE_A_BASE and other in _PAST for one, other in pairwise(words))


_PAST = listed("went had took gave saw came knew ate began drove fell flew wrote spoke chose")
"""Forms that are the past of a verb and nothing else."""
