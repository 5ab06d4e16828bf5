"""A word's base in, its inflected forms out; a form in, what it may be a form of."""

from __future__ import annotations

from functools import cache

from paraloom.metrics.diversity.grammar.irregular_forms import NOUNS, VERBS
from paraloom.metrics.diversity.grammar.regular_forms import with_ending, with_s

VERB_TAGS = ("VB", "VS", "VD", "VN", "VG")
"""Base, third person, past, participle, "ing"."""

_AS_BASE = frozenset({"become", "come", "overcome", "run"})
"""Their participle is the base."""
_CORRECTED = {
    "be": ("was", "been"),
    "beat": ("beat", "beaten"),
    "bet": ("bet", "bet"),
    "bid": ("bid", "bid"),
    "dive": ("dived", "dived"),
    "get": ("got", "got"),
    "hang": ("hung", "hung"),
    "plead": ("pleaded", "pleaded"),
    "shine": ("shone", "shone"),
    "sneak": ("sneaked", "sneaked"),
    "speed": ("sped", "sped"),
    "strike": ("struck", "struck"),
    "lie": ("lay", "lain"),
    "lay": ("laid", "laid"),
}
_LISTED_DOUBLED = """
    admit begin commit compel confer control defer deter equip expel forbid forget infer occur omit permit prefer
    propel rebel refer regret submit transfer transmit upset
"""
_DOUBLED = frozenset(_LISTED_DOUBLED.split())
"""Verbs of more than one syllable that double their last letter, as the last syllable is stressed."""
_LISTED_UNCHANGED_NOUNS = """
    series species means sheep fish deer aircraft news police staff equipment information furniture advice homework
    research evidence proof traffic luggage software hardware knowledge money pay garbage trash rubbish rainfall
    research happiness joy sorrow sadness anger rage dread assistance aid help weaponry liberty freedom
"""
_UNCHANGED_NOUNS = frozenset(_LISTED_UNCHANGED_NOUNS.split())


def verb_form(base: str, tag: str) -> str:
    """The form of a verb, or of the verb that a phrase begins with.

    >>> [verb_form("carry out", tag) for tag in VERB_TAGS]
    ['carry out', 'carries out', 'carried out', 'carried out', 'carrying out']
    >>> verb_form("begin", "VD"), verb_form("begin", "VN"), verb_form("hit", "VD"), verb_form("occur", "VG")
    ('began', 'begun', 'hit', 'occurring')
    """
    head, space, rest = base.partition(" ")
    return _forms(head)[VERB_TAGS.index(tag)] + space + rest


@cache
def _forms(base: str) -> tuple[str, str, str, str, str]:
    if base == "have":
        return ("have", "has", "had", "had", "having")
    if base in ("do", "go"):
        return (base, base + "es", *_irregular()[base], base + "ing")
    past, participle = _irregular().get(base) or (_ending(base, "ed"),) * 2
    return (base, with_s(base)[0], past, participle, _ending(base, "ing"))


def _ending(base: str, ending: str) -> str:
    choices = with_ending(base, ending)
    if base in _DOUBLED:
        return base + base[-1] + ending
    if base.endswith(("ee", "oe", "ye")) and ending == "ing":
        return base + ending
    return choices[0]


@cache
def _irregular() -> dict[str, tuple[str, str]]:
    """Past and participle of each verb that has others than the rules of spelling make."""
    table = {}
    for line in VERBS.strip().split("\n"):
        base, *rest = line.split()
        forms = [form for form in rest if not form.endswith("ing") and form != "has"]
        regular = set(with_ending(base, "ed"))
        if not forms or (len(forms) == 1 and forms[0] in {*regular, base + "ed"}):
            table[base] = (base, base)
        elif base in _AS_BASE:
            table[base] = (forms[0], base)
        else:
            own = [form for form in forms[1:] if form not in regular]
            table[base] = (forms[0], own[0] if own else forms[0])
    return table | _CORRECTED


def irregular_verbs() -> list[str]:
    """Verbs whose past no rule of spelling makes, but for auxiliaries."""
    return sorted(_irregular().keys() - {"be", "have", "do"})


def noun_plural(base: str) -> str | None:
    """The plural of a noun, or of the noun a phrase ends with; None where it has none.

    >>> noun_plural("police officer"), noun_plural("woman"), noun_plural("city"), noun_plural("advice")
    ('police officers', 'women', 'cities', None)
    """
    rest, space, head = base.rpartition(" ")
    if head in _UNCHANGED_NOUNS or (head.endswith("s") and not head.endswith(("ss", "us", "as", "is", "ns"))):
        return None
    return rest + space + (_irregular_plurals().get(head) or _regular_plural(head))


def _regular_plural(base: str) -> str:
    if base.endswith("o"):
        return base + ("es" if base in ("hero", "potato", "tomato", "echo", "veto", "torpedo", "mosquito") else "s")
    if base.endswith("z") and not base.endswith("tz"):
        return base + "zes"
    return with_s(base)[0]


@cache
def _irregular_plurals() -> dict[str, str]:
    return {line.split()[0]: line.split()[1] for line in NOUNS.strip().split("\n")} | {"penny": "pennies"}


def compared(base: str, tag: str) -> str | None:
    """The comparative (`JR`) or superlative (`JS`) of an adjective; of long ones that with "more" or "most".

    >>> compared("big", "JR"), compared("happy", "JS"), compared("important", "JR"), compared("nice", "JS")
    ('bigger', 'happiest', 'more important', 'nicest')
    """
    ending, more = ("er", "more") if tag == "JR" else ("est", "most")
    if " " in base or "-" in base or base in ("good", "bad", "far", "many", "several"):
        return None
    if base.endswith(("ed", "ing", "id", "al")) or len(base) < 3:
        return f"{more} {base}" if len(base) > 2 else None
    if base.endswith("e") and len(base) < 6:
        return base + ending[1:]
    if base.endswith("y") and len(base) < 7:
        return base[:-1] + "i" + ending
    if len(base) > 5:
        return f"{more} {base}"
    return with_ending(base, "ed")[0][:-2] + ending


def past_of(participle: str) -> str | None:
    """The past of a verb by its participle; None where it is not known to be one.

    >>> past_of("written"), past_of("approved"), past_of("hit"), past_of("north")
    ('wrote', 'approved', 'hit', None)
    """
    return _pasts().get(participle) or (participle if participle.endswith("ed") else None)


def participle_of(past: str) -> str | None:
    """The participle of a verb by its past; None where it is not known to be one.

    >>> participle_of("wrote"), participle_of("approved"), participle_of("coast")
    ('written', 'approved', None)
    """
    return _participles().get(past) or (past if past.endswith("ed") else None)


@cache
def _pasts() -> dict[str, str]:
    return {participle: past for past, participle in _irregular().values()}


@cache
def _participles() -> dict[str, str]:
    return dict(_irregular().values())


def forms_of(base: str, tag: str) -> dict[str, str]:
    """Every form of a base as verb (`V`), noun (`N`), adjective (`J`) or adverb (`R`), by its finer tag.

    >>> forms_of("storm", "N")
    {'NN': 'storm', 'NS': 'storms'}
    >>> forms_of("big", "J")
    {'JJ': 'big', 'JR': 'bigger', 'JS': 'biggest'}
    """
    if tag == "V":
        return {fine: verb_form(base, fine) for fine in VERB_TAGS}
    if tag == "N":
        plural = noun_plural(base)
        return {"NN": base} | ({"NS": plural} if plural else {})
    if tag == "J":
        return {"JJ": base} | {fine: form for fine in ("JR", "JS") if (form := compared(base, fine))}
    return {"RB": base}
