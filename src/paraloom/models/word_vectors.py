"""Words in, their vectors out, from a table that someone trained: GloVe by name, a folder, or a plain GloVe text file.

A folder holds `vectors.npy` (16-bit numbers, opened in place: a table of 400,000 words is there in a fifth of a
second) and `words.txt` (the word of each row, one on a line). Words are lower case, as in the GloVe of Wikipedia.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.known import MODELS
from paraloom.models.shelf import find_model, model_folder
from paraloom.text.tokenise import tokenise

TABLE, WORDS = "vectors.npy", "words.txt"

SMALL = 0.05
"""A random vector's numbers lie between this and its negative (He and Lin, 2016)."""

_RUNS = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[^\W\d_]+|.", re.DOTALL)
"""Numbers, runs of letters, single marks."""
_CONTRACTION = re.compile(r"(.+?)(n't|'[a-z]{1,2})")


@dataclass(frozen=True, eq=False, kw_only=True)
class WordVectors:
    """A table of word vectors, and the row of each word, in the order of the rows."""

    name: str
    """What a signature calls them."""
    row_of: Mapping[str, int]
    table: NDArray[np.float16]

    @classmethod
    def of(cls, words: Sequence[str], table: NDArray[np.floating], name: str = "own") -> WordVectors:
        """Vectors that are at hand, one row a word; of a word that comes twice the first counts.

        >>> WordVectors.of(["storm", "coast"], np.eye(2)).vectors(["coast"]).tolist()
        [[0.0, 1.0]]
        """
        if table.ndim != 2 or len(words) != len(table):
            raise InputError(f"There are {len(words)} words and vectors of shape {table.shape}; give one row a word.")
        rounded = table.astype(np.float16)
        if not np.isfinite(rounded).all():
            row = int(np.flatnonzero(~np.isfinite(rounded).all(axis=1))[0])
            raise InputError(f"The vector of {words[row]!r} has a number that is none, or is beyond 65504.")
        return _first_of_each(name, words, rounded)

    @classmethod
    def read(cls, folder: Path, name: str = "") -> WordVectors:
        """What `write` wrote, its table opened in place."""
        try:
            table = np.load(folder / TABLE, mmap_mode="r", allow_pickle=False)
            words = (folder / WORDS).read_bytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
        except FileNotFoundError as error:
            raise InputError(
                f"{folder} holds no word vectors: {error.filename} is missing. Name another folder, a GloVe text "
                f"file, or one of: {', '.join(vectors_by_name())}."
            ) from error
        except ValueError as error:
            raise InputError(f"The word vectors in {folder} cannot be read: {error}. Get them again.") from error
        if table.ndim != 2 or table.dtype != np.float16 or len(table) != len(words):
            raise InputError(
                f"{folder / TABLE} has {table.dtype} numbers of shape {table.shape} for {len(words)} words; it must "
                "have one row of float16 a word. Get them again."
            )
        return _first_of_each(name or folder.name, words, table)

    def write(self, folder: Path) -> None:
        """Put them into a folder, for `read`."""
        folder.mkdir(parents=True, exist_ok=True)
        np.save(folder / TABLE, self.table)
        (folder / WORDS).write_bytes("".join(f"{word}\n" for word in self.row_of).encode("utf-8", "surrogatepass"))

    @property
    def width(self) -> int:
        """How many numbers a vector has."""
        return int(self.table.shape[1])

    @cached_property
    def digest(self) -> str:
        """A hash of words and numbers: what a score depends on."""
        hashed = blake2b(digest_size=16)
        hashed.update("\n".join(self.row_of).encode("utf-8", "surrogatepass"))
        hashed.update(np.ascontiguousarray(self.table).data)
        return hashed.hexdigest()

    def words(self, text: str) -> list[str]:
        """A post's tokens in lower case, those that have no vector cut into parts that have one.

        >>> WordVectors.of(["do", "n't", "storm", "50"], np.eye(4)).words("Don't #Storm 50% http://x.org/storm")
        ['do', "n't", 'storm', '50', '%', 'http://x.org/storm']
        """
        found: list[str] = []
        for token in tokenise(text):
            word = token.lower()
            if word in self.row_of:
                found.append(word)
            else:
                found += self._parts(word.replace("’", "'"))
        return found

    def _parts(self, word: str) -> list[str]:
        """A word that has no vector, cut as GloVe's own text was cut, if any part has one; else the word."""
        if word in self.row_of or "://" in word or "@" in word:
            return [word]
        contraction = _CONTRACTION.fullmatch(word)
        cut = contraction.groups() if contraction else _RUNS.findall(word.removeprefix("#"))
        return list(cut) if any(part in self.row_of for part in cut) else [word]

    def rows(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The row of each word; -1 where it has none."""
        return np.array([self.row_of.get(word, -1) for word in words], np.int64)

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word, one row each; zeros where it has none."""
        rows = self.rows(words)
        found = np.zeros((len(rows), self.width), np.float32)
        found[rows >= 0] = self.table[rows[rows >= 0]]
        return found

    def vectors_or_random(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word; where it has none a small random one, always the same for the same word.

        So that two sentences which share an unknown name are seen to share it, in training and after.
        """
        found = self.vectors(words)
        for place in np.flatnonzero(self.rows(words) < 0).tolist():
            seed = blake2b(words[place].encode("utf-8", "surrogatepass"), digest_size=8).digest()
            drawn = np.random.default_rng(int.from_bytes(seed)).uniform(-SMALL, SMALL, self.width)
            found[place] = drawn
        return found


def load_word_vectors(name_or_path: str | Path) -> WordVectors:
    """Word vectors by name (`glove-50d`), from a folder, or from a text file: on each line a word and its numbers.

    Those read last are kept, as long as their file does not change.
    """
    given = Path(name_or_path)
    if given.is_file():
        return _read_text_once(given.resolve(), given.stat().st_mtime_ns)
    if not given.is_dir() and str(name_or_path) not in MODELS and find_model(str(name_or_path)) is None:
        raise InputError(
            f"There are no word vectors {str(name_or_path)!r}: it is neither a folder nor a file, and not one of "
            f"{', '.join(vectors_by_name())}."
        )
    folder = model_folder(name_or_path)
    changed = (folder / TABLE).stat().st_mtime_ns if (folder / TABLE).is_file() else 0
    return _read_once(folder.resolve(), given.name, changed)


def vectors_by_name() -> list[str]:
    """The names of the word vectors that can be fetched.

    >>> vectors_by_name()
    ['glove-50d', 'glove-100d']
    """
    return [model.name for model in MODELS.values() if model.kind == "word vectors"]


@lru_cache(maxsize=2)
def _read_once(folder: Path, name: str, changed: int) -> WordVectors:
    return WordVectors.read(folder, name)


@lru_cache(maxsize=1)
def _read_text_once(file: Path, changed: int) -> WordVectors:
    return read_glove_text(file)


def read_glove_text(file: Path) -> WordVectors:
    """Vectors as GloVe and word2vec write them as text: a line `word 0.1 -0.2 …` each, a first line of counts or none.

    A word may hold spaces, as some of GloVe's do: the numbers are the last of a line, as many as in the first one.
    """
    words: list[str] = []
    table: list[NDArray[np.float16]] = []
    width = 0
    with file.open("rb") as opened:
        for number, line in enumerate(opened, start=1):
            fields = line.decode("utf-8", "replace").rstrip().split(" ")
            if number == 1 and len(fields) == 2 and all(field.isdecimal() for field in fields):
                continue
            width = width or len(fields) - 1
            if width < 2 or len(fields) <= width:
                raise _not_vectors(file, number, f"{len(fields) - 1} numbers where there should be {max(width, 2)}")
            try:
                with np.errstate(over="ignore"):
                    vector = np.array(fields[-width:], np.float32).astype(np.float16)
            except ValueError as error:
                raise _not_vectors(file, number, str(error)) from error
            if not np.isfinite(vector).all():
                raise _not_vectors(file, number, "a number that is none, or is beyond 65504")
            words.append(" ".join(fields[:-width]))
            table.append(vector)
    if not words:
        raise InputError(f"{file} holds no word vectors: it is empty. Name a GloVe text file.")
    return _first_of_each(f"{file.stem}-{hash_of_file(file)[:8]}", words, np.stack(table))


def _not_vectors(file: Path, line: int, found: str) -> InputError:
    return InputError(
        f"{file} is no text file of word vectors: line {line} has {found}. Each line is a word and its numbers, "
        "separated by single spaces, as many on each."
    )


def _first_of_each(name: str, words: Sequence[str], table: NDArray[np.float16]) -> WordVectors:
    """Words and their rows, without the later rows of a word that comes twice."""
    row_of = dict(zip(words, range(len(words)), strict=True))
    if len(row_of) < len(words):
        first = {word: row for row, word in reversed(list(enumerate(words)))}
        kept = sorted(first.values())
        row_of = {words[row]: place for place, row in enumerate(kept)}
        table = table[kept]
    return WordVectors(name=name, row_of=row_of, table=table)
