"""The closed classes of English words behind small changes: what may be left out, and what may stand for what.

After the examples of Dou et al. (2022, figure 14, score 2). What carries a meaning of its own is in no class and must
stay as it is: negation ("not", "no", "without"), persons ("he", "she"), "or", "before" and "after", "up" and "down",
"should" and "must".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

KINDS = (
    "determiner",
    "contraction",
    "plural",
    "tense",
    "numeral",
    "preposition",
    "conjunction",
    "filler",
    "spacing",
    "other",
)
"""The kinds of small changes, in the paper's order; `spacing` ("web site", "website") is ours."""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_ARTICLES = _words("a an the this that these those some any")
_POSSESSIVES = _words("my your his her its our their")
_SAME_OWNERS = (("its", "their"), ("my", "our"), ("his", "their"), ("her", "their"))
"""Possessives that differ in number alone; others would name another person."""
_PRONOUNS = (
    *(("it", other) for other in ("this", "that", "these", "those", "they", "them")),
    *(("they", other) for other in ("these", "those")),
    *(("them", other) for other in ("these", "those")),
)
_QUANTIFIERS = ("all", "each", "every")

_PREPOSITIONS = _words("in on at of for to by with from about as into onto upon")
_PREPOSITIONS_TO_KEEP = _words(
    "over through throughout during within across among amongst between toward towards along around amid via per"
)
"""These may be exchanged for others but not left out: they say more than that two words belong together."""
_OPPOSED = (("to", "from"), ("into", "from"), ("onto", "from"), ("toward", "from"), ("towards", "from"))
_PREPOSITIONS_ALIKE = (("until", "till", "til"), ("under", "below", "beneath", "underneath"))

_CONJUNCTIONS = _words("and but so that then however")
RELATIVES = frozenset({"which", "who", "whom"})
"""May be left out where they continue a sentence; in front they ask a question."""
_RELATIVES_ALIKE = (("that", "which"), ("that", "who"), ("that", "whom"), ("who", "whom"), ("what", "which"))
FILLERS = _words(
    "just really very actually basically literally simply quite indeed also too oh ah um uh er hmm hey yeah ok okay "
    "lol haha well"
)
"""Meaningless words: may come and go, but not stand for each other, which would be a synonym."""
ONLY_IN_FRONT = frozenset({"well"})

AUXILIARIES: dict[str, str] = {
    form: lemma
    for lemma, forms in {
        "be": "be am is are was were been being 's",
        "have": "have has had having",
        "do": "do does did",
        "will": "will would 'd",
    }.items()
    for form in forms.split()
}
"""Forms that make a tense, by lemma; 's is also "has" and 'd also "had", which `SWAPPED` knows."""
PARTICIPLES_OF_DO = frozenset({"done", "doing"})
"""Forms of a verb, not of an auxiliary: "did" may become "has done", but "done" may not be left out."""
_AGREEING = (("am", "is", "are"), ("was", "were"), ("has", "have"), ("do", "does"))
_MODALS = (("can", "could"), ("may", "might"))
_SHORT = {"'s": ("is", "has"), "'d": ("would", "had", "did")}
_SHORT_IN_ANOTHER_TENSE = {
    "'s": ("was", "were", "are", "am", "had", "have", "been", "be"),
    "'d": ("will", "has", "have"),
}


def _pairs(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    listed = sorted(words)
    return ((left, right) for left in listed for right in listed if left != right)


def _both_ways(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for left, right in pairs:
        yield left, right
        yield right, left


def _swapped() -> dict[tuple[str, str], str]:
    swapped: dict[tuple[str, str], str] = {}
    auxiliaries = set(AUXILIARIES)
    swapped |= {
        pair: "tense" for pair in _pairs(auxiliaries - {"'s", "'d"}) if AUXILIARIES[pair[0]] == AUXILIARIES[pair[1]]
    }
    swapped |= dict.fromkeys(_pairs({"do", "does", "did"} | PARTICIPLES_OF_DO), "tense")
    swapped |= {pair: "plural" for group in _AGREEING for pair in _pairs(group)}
    swapped |= {pair: "tense" for group in _MODALS for pair in _pairs(group)}
    for short, others in _SHORT_IN_ANOTHER_TENSE.items():
        swapped |= dict.fromkeys(_both_ways((short, other) for other in others), "tense")
    for short, others in _SHORT.items():
        swapped |= dict.fromkeys(_both_ways((short, other) for other in others), "contraction")
    swapped |= dict.fromkeys(_pairs(_PREPOSITIONS | _PREPOSITIONS_TO_KEEP), "preposition")
    swapped |= {pair: "preposition" for group in _PREPOSITIONS_ALIKE for pair in _pairs(group)}
    for pair in _both_ways(_OPPOSED):
        del swapped[pair]
    swapped |= dict.fromkeys(_pairs(_ARTICLES), "determiner")
    swapped |= dict.fromkeys(_both_ways((a, p) for a in _ARTICLES for p in _POSSESSIVES), "determiner")
    swapped |= dict.fromkeys(_both_ways(_SAME_OWNERS), "plural")
    swapped |= dict.fromkeys(_both_ways(_PRONOUNS), "determiner")
    swapped |= dict.fromkeys(_both_ways((("a", "1"), ("an", "1"))), "determiner")
    swapped |= dict.fromkeys(_pairs(_QUANTIFIERS), "determiner")
    swapped |= dict.fromkeys(_both_ways(_RELATIVES_ALIKE), "conjunction")
    swapped |= dict.fromkeys(_both_ways((("to", "will"), ("to", "would"))), "other")
    return swapped


SWAPPED = _swapped()
"""Pairs of words of which one may stand for the other, and the kind of change that is."""

DROPPED = (
    dict.fromkeys(FILLERS, "filler")
    | dict.fromkeys(AUXILIARIES, "tense")
    | dict.fromkeys(_PREPOSITIONS, "preposition")
    | dict.fromkeys(_ARTICLES | _POSSESSIVES, "determiner")
    | dict.fromkeys(_CONJUNCTIONS | RELATIVES, "conjunction")
    | {"'s": "other"}
)
"""Words that may be added or left out, and the kind of change that is."""

BEFORE_A_NOUN = _ARTICLES | _POSSESSIVES | FILLERS | {"1", "'s"}
"""What may stand between a determiner and its noun, besides words of content."""

CLOSED = frozenset(DROPPED) | {word for pair in SWAPPED for word in pair}
"""All words that some rule is about; every other word carries content."""

NO_VERB_BEGINS_WITH = _words("i you he she we what which who when where why how there")
"""After one of these an auxiliary stands in a question: to leave it out changes the structure, not the tense."""
