"""WordNet's files in, synonyms that are safe to use out, and its sentences; read as they are, without NLTK.

A word is given for another where both are most often used in the sense they share, as counted in the texts that
WordNet's makers tagged. Rare words, and senses that WordNet calls slang, archaic, obscene or offensive, are left out.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.generators.lexical.built_in import Entry
from paraloom.models.generators.lexical.forms import forms_of
from paraloom.models.generators.lexical.substitutes import Thesaurus
from paraloom.models.generators.lexical.tags import CLOSED_WORDS
from paraloom.models.generators.lexical.words import CALENDAR, NEGATIONS, NUMBERS

FILE = "corpora/wordnet.zip"
_PARTS = {"noun": "N", "verb": "V", "adj": "J", "adv": "R"}
_KINDS = {"1": "N", "2": "V", "3": "J", "4": "R", "5": "J"}
"""Kinds of synsets in keys of senses."""
_UNFIT = re.compile(
    r"slang|vulgar|obscene|offensive|disparag|slur|archaic|obsolete|dialect|derogat|euphemis|slave|sexual|genital"
    r"|\b(?:sex|racis|coit|copulat|intercourse|prostitut|excre|urin|feces|genus|taxonom|chemical|Roman|Greek)",
    re.IGNORECASE,
)
"""What the gloss of a sense says that is no use here."""
_SHARES = {
    "N": {"NN": 0.7, "NS": 0.3},
    "V": {"VB": 0.35, "VS": 0.12, "VD": 0.23, "VN": 0.2, "VG": 0.1},
    "J": {"JJ": 0.9, "JR": 0.05, "JS": 0.05},
    "R": {"RB": 1.0},
}
"""How often which form is met, by rule of thumb."""
_BEHIND_VERBS = frozenset({"D", "E", "NN", "NS", "J", "X", "R"})
"""Synonyms may want other prepositions and clauses behind them: only where none follows is one put for another."""
_TOUCHY = NEGATIONS | NUMBERS | CALENDAR
_TAG = {"JJ": "J", "JR": "J", "JS": "J", "RB": "R"}


@dataclass(frozen=True, slots=True, kw_only=True)
class WordnetOptions:
    """Which synonyms are safe."""

    min_share: float = 0.5
    """A word, and what is to stand for it, must be used in the sense they share so often, of all its uses."""
    min_count: int = 3
    """What is to stand for a word must have been met so often in the tagged texts, in the sense they share."""


@dataclass(frozen=True, slots=True)
class _Synset:
    words: tuple[str, ...]
    gloss: str


class Wordnet:
    """The files, read once: synonyms, and the sentences of glosses and examples."""

    def __init__(self, file: Path) -> None:
        """`file` is `wordnet.zip` as NLTK has it."""
        self.file = file
        try:
            with ZipFile(file) as opened:
                files = {Path(name).name: name for name in opened.namelist()}
                texts = {
                    name: opened.read(files[name]).decode("utf-8", "replace")
                    for name in ("cntlist.rev", *(f"{kind}.{part}" for part in _PARTS for kind in ("data", "index")))
                }
        except (OSError, BadZipFile, KeyError) as error:
            raise InputError(
                f"{file} cannot be read as WordNet: {error}. Run: paraloom models fetch wordnet."
            ) from error
        self._synsets = {_PARTS[part]: dict(_synsets(texts[f"data.{part}"])) for part in _PARTS}
        self._senses = {_PARTS[part]: dict(_index(texts[f"index.{part}"])) for part in _PARTS}
        self._counts = _sense_counts(texts["cntlist.rev"])

    def thesaurus(self, options: WordnetOptions = WordnetOptions()) -> Thesaurus:
        """What may stand for a word, with how often words are which part of speech."""
        settings = f"share:{options.min_share:g}|count:{options.min_count}"
        signature = f"wordnet:{hash_of_file(self.file)[:8]}|{settings}"
        return Thesaurus(self._entries(options), signature=signature, counts=self._tag_counts())

    def sentences(self) -> Iterator[str]:
        """Glosses and examples: English, if of a dictionary's kind."""
        for synsets in self._synsets.values():
            for synset in synsets.values():
                gloss, *examples = synset.gloss.split('; "')
                yield gloss.rstrip("; ")
                for example in examples:
                    yield example.strip('" ')

    def _entries(self, options: WordnetOptions) -> Iterator[Entry]:
        by_sense: defaultdict[tuple[str, int], list[tuple[str, float, int]]] = defaultdict(list)
        for (word, tag), counts in self._counts.items():
            senses = self._senses[tag].get(word, ())
            whole = sum(counts.values()) + 0.5 * len(senses)
            for number, count in counts.items():
                if number <= len(senses) and count / whole >= options.min_share:
                    by_sense[tag, senses[number - 1]].append((word, count / whole, count))
        for (tag, offset), members in sorted(by_sense.items()):
            synset = self._synsets[tag].get(offset)
            if synset is None or _UNFIT.search(synset.gloss):
                continue
            fit = [one for one in members if one[0] in synset.words]
            for left, left_share, _ in fit:
                for right, right_share, count in fit:
                    if left != right and count >= options.min_count and not _is_poor(left, right):
                        score = 0.75 * math.sqrt(left_share * right_share)
                        if tag == "N" and ("_" in right or _looks_plural(right) != _looks_plural(left)):
                            continue
                        before = _BEHIND_VERBS if tag == "V" else frozenset()
                        yield Entry(left.replace("_", " "), right.replace("_", " "), tag, score, before)

    def _tag_counts(self) -> dict[str, dict[str, float]]:
        told: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for (word, tag), counts in self._counts.items():
            if not word.isalpha():
                continue
            whole = sum(counts.values())
            for fine, form in forms_of(word, tag).items():
                known = told[form]
                coarse = _TAG.get(fine, fine)
                known[coarse] = known.get(coarse, 0.0) + whole * _SHARES[tag][fine]
        return told


def _synsets(text: str) -> Iterator[tuple[int, _Synset]]:
    for line in text.split("\n"):
        if not line[:1].isdigit():
            continue
        said, _, gloss = line.partition(" | ")
        fields = said.split(" ", 4 + 2 * int(said[14:16], 16))
        words = tuple(word.split("(")[0] for word in fields[4:-1:2])
        # What has a capital is a name: it has no place among synonyms.
        yield int(fields[0]), _Synset(tuple(word for word in words if word.islower()), gloss.strip())


def _index(text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for line in text.split("\n"):
        fields = line.split()
        if line[:1] not in ("", " "):
            yield fields[0], tuple(int(offset) for offset in fields[-int(fields[2]) :])


def _sense_counts(text: str) -> dict[tuple[str, str], dict[int, int]]:
    """For each word and part of speech, how often each of its senses, by number, was met."""
    counts: defaultdict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    for line in text.split("\n"):
        key, _, rest = line.partition(" ")
        word, _, sense = key.partition("%")
        if rest and word.replace("_", "").isalpha():
            number, count = rest.split()
            counts[word, _KINDS[sense[0]]][int(number)] = int(count)
    return counts


def _is_poor(left: str, right: str) -> bool:
    """Whether two words are spellings of one ("center", "centre"), or one is a function word or an abbreviation."""
    if left.replace("s", "z") == right.replace("s", "z") or sorted(left) == sorted(right):
        return True
    if left.startswith(right) or right.startswith(left):  # an abbreviation, a plural
        return True
    if not _TOUCHY.isdisjoint((*left.split("_"), *right.split("_"))):
        return True
    if any(CLOSED_WORDS.issuperset(word.split("_")) for word in (left, right)):
        return True
    return len(right) < 3 or not set(right) & set("aeiouy")


def _looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))
