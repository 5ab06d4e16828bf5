"""A dictionary of synonyms in, which words may mean the same out. All senses count: nothing tells which one is meant.

English WordNet is read from its index alone. For other languages there is a file: words of one meaning a line, or the
table of an open wordnet (`synset TAB lemma TAB word`), such as FinnWordNet's.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from paraloom.engine.given import read_lines
from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError

Meanings = tuple[int, ...]

_PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_APART = re.compile(r"\s*[;,]\s*")


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Words with the numbers of their meanings; words that share one are synonyms."""

    name: str
    """What a signature calls it."""
    meanings: dict[str, Meanings]
    left_out: int = 0
    """Expressions of several words, which are not looked for."""

    @classmethod
    def of(cls, name: str, sets: Iterable[Iterable[str]]) -> Synonyms:
        """Sets of words that mean the same.

        >>> synonyms = Synonyms.of("mine", [["car", "automobile"], ["car", "carriage"]])
        >>> synonyms.are_synonyms("Car".lower(), "carriage"), synonyms.are_synonyms("automobile", "carriage")
        (True, False)
        """
        meanings: dict[str, list[int]] = {}
        left_out = 0
        for number, words in enumerate(sets):
            for word in words:
                plain = " ".join(word.replace("_", " ").lower().split())
                if " " in plain:
                    left_out += 1
                elif plain:
                    meanings.setdefault(plain, []).append(number)
        return cls(name, {word: tuple(numbers) for word, numbers in meanings.items()}, left_out)

    def are_synonyms(self, one: str, other: str) -> bool:
        """Whether two lower-case words have a meaning in common."""
        mine = self.meanings.get(one)
        others = self.meanings.get(other) if mine else None
        return bool(mine and others and not set(mine).isdisjoint(others))


def read_synonyms(file: Path) -> Synonyms:
    """Synonyms of a file of the user's."""
    lines = [line for line in read_lines(file) if line.strip() and not line.lstrip().startswith("#")]
    rows = [line.split("\t") for line in lines]
    of_wordnet = [row for row in rows if len(row) >= 3 and row[1].rpartition(":")[2] in _COLUMNS]
    sets = _by_synset(of_wordnet) if len(of_wordnet) > len(rows) / 2 else _by_line(lines)
    synonyms = Synonyms.of(f"{file.name}/{hash_of_file(file)[:8]}", sets)
    if not synonyms.meanings:
        raise InputError(
            f"{file} has no line of two words or more. Write words of one meaning on a line, parted by tabs or commas."
        )
    return synonyms


_COLUMNS = ("lemma", "def", "exe")
"""What a row of an open wordnet's table is about; only lemmas are words."""


def _by_synset(rows: Iterable[list[str]]) -> list[list[str]]:
    sets: dict[str, list[str]] = {}
    for row in rows:
        if row[1].rpartition(":")[2] == "lemma":
            sets.setdefault(row[0], []).append(row[2])
    return list(sets.values())


def _by_line(lines: Iterable[str]) -> Iterator[list[str]]:
    for line in lines:
        words = [word.strip() for word in (line.split("\t") if "\t" in line else _APART.split(line))]
        if len([word for word in words if word]) > 1:
            yield words


@lru_cache(maxsize=2)
def read_wordnet(folder: Path) -> Synonyms:
    """English WordNet, from a folder as NLTK has it (`corpora/wordnet.zip`)."""
    archive = folder / "corpora" / "wordnet.zip"
    meanings: dict[str, list[int]] = {}
    left_out = 0
    try:
        with zipfile.ZipFile(archive) as opened:
            for place, part in enumerate(_PARTS_OF_SPEECH):
                for line in opened.read(f"wordnet/index.{part}").decode("utf-8").splitlines():
                    if line.startswith(" "):
                        continue  # the licence
                    word, _, senses, *rest = line.split()
                    if "_" in word:
                        left_out += 1
                        continue
                    numbers = (place * 10**8 + int(offset) for offset in rest[-int(senses) :])  # offsets have 8 digits
                    meanings.setdefault(word, []).extend(numbers)
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
        raise InputError(f"{archive} is no WordNet. Fetch it again: paraloom models fetch wordnet") from error
    return Synonyms("wordnet-3.0", {word: tuple(numbers) for word, numbers in meanings.items()}, left_out)
