"""A file of phrases that stood for each other in, substitutes out.

Four kinds of files are read, by their ending or their first line: TSV (`left`, `right`, `score`; with a header or
without), Parquet with those columns (the table `phrases`, a file or a folder), PPDB (` ||| ` between fields) and the
table that METEOR 1.5 brings along (three lines a pair: score, phrase, phrase).

Such tables are noisy: what differs only in articles, prepositions or endings is left out, and words that both phrases
begin or end with are cut off. Of METEOR's table a pair is taken if it is there in both directions.
"""

from __future__ import annotations

import gzip
import math
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO

from paraloom.engine.signatures import hash_of_file
from paraloom.errors import InputError
from paraloom.models.generators.lexical.substitutes import Counts, Substitute
from paraloom.models.generators.lexical.tags import CLOSED_WORDS
from paraloom.models.generators.lexical.words import CALENDAR, NEGATIONS, NUMBERS
from paraloom.text.lemmas import lemmatise

Row = tuple[str, str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseTableOptions:
    """Which rows of a table are taken."""

    min_score: float = 0.1
    """Rows with a lower score are left out. METEOR's is the geometric mean of both directions' probabilities."""
    max_words: int = 4
    """Longer phrases are left out."""
    most: int = 5
    """So many substitutes a phrase at most, the best ones."""
    sure: float = 0.25
    """From this score on a row is as sure as the table can make it."""
    trust: float = 0.7
    """How sure that is, from 0 to 1."""


class PhraseTable:
    """Phrases that stood for each other.

    >>> table = PhraseTable.of_rows([("the final day", "the last day", 0.5), ("in the north", "in north", 0.9)])
    >>> table.of("final"), table.of("in the north")
    ([Substitute(text='last', score=0.7, tag='', before=frozenset())], ())
    """

    def __init__(self, table: dict[str, list[Substitute]], signature: str) -> None:
        self.counts: Counts = {}
        self.signature = signature
        self._table = table
        self.longest = max((left.count(" ") + 1 for left in table), default=0)

    def of(self, phrase: str) -> Sequence[Substitute]:
        """What may stand for a phrase."""
        return self._table.get(phrase, ())

    @classmethod
    def of_rows(
        cls, rows: Iterable[Row], options: PhraseTableOptions = PhraseTableOptions(), signature: str = "phrases"
    ) -> PhraseTable:
        """Of rows of left, right and a score."""
        found: defaultdict[str, dict[str, float]] = defaultdict(dict)
        for left, right, score in rows:
            core = cut_to_core(left, right, options.max_words) if score >= options.min_score else None
            if core:
                known = found[core[0]]
                known[core[1]] = max(score, known.get(core[1], 0.0))
        table = {
            left: [
                Substitute(right, options.trust * min(1.0, math.sqrt(score / options.sure)))
                for right, score in sorted(rights.items(), key=lambda one: (-one[1], one[0]))[: options.most]
            ]
            for left, rights in found.items()
        }
        return cls(table, signature)

    @classmethod
    def read(cls, file: Path, options: PhraseTableOptions = PhraseTableOptions()) -> PhraseTable:
        """Of a file of one of the four kinds, or of a folder with the table `phrases`."""
        rows, name = _rows(file, options)
        settings = f"min:{options.min_score:g}|words:{options.max_words}|most:{options.most}"
        settings += f"|sure:{options.sure:g}|trust:{options.trust:g}"
        return cls.of_rows(rows, options, f"phrases:{name}|{settings}")


def cut_to_core(left: str, right: str, max_words: int) -> tuple[str, str] | None:
    """The words that differ, if they are words of content and one may be put for the other; else None.

    >>> cut_to_core("that the outcome", "that the result", 4)
    ('outcome', 'result')
    >>> cut_to_core("advise the", "advising the", 4), cut_to_core("no risk", "risk", 4), cut_to_core("of a", "in a", 4)
    (None, None, None)
    """
    one, other = left.split(), right.split()
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if not (0 < len(one) <= max_words and 0 < len(other) <= max_words):
        return None
    if not all(word.isascii() and word.isalpha() for word in (*one, *other)) or _is_touchy(one) != _is_touchy(other):
        return None
    if _is_touchy(one) or any(words[place] in CLOSED_WORDS for words in (one, other) for place in (0, -1)):
        return None
    if set(lemmatise(one)) & set(lemmatise(other)) or _ending(one[-1]) != _ending(other[-1]):
        return None
    return " ".join(one), " ".join(other)


def _is_touchy(words: Sequence[str]) -> bool:
    return any(word in NEGATIONS or word in NUMBERS or word in CALENDAR for word in words)


def _ending(word: str) -> str:
    """What shows its number or tense, as far as spelling does."""
    endings = ("ing", "ed", "ly", "s") if not word.endswith("ss") else ()
    return next((ending for ending in endings if word.endswith(ending)), "")


def _rows(file: Path, options: PhraseTableOptions) -> tuple[Iterator[Row], str]:
    """The rows of a file, and what a signature calls it."""
    if file.is_dir() or file.suffix == ".parquet":
        parts = sorted(file.glob("*.parquet")) if file.is_dir() else [file]
        if not parts:
            raise InputError(f"{file} holds no Parquet files. Name a folder with the table phrases, or a file.")
        return _of_parquet(parts), "+".join(hash_of_file(part)[:8] for part in parts)
    if not file.is_file():
        raise InputError(f"There is no phrase table {file}. Check the path.")
    with _opened(file) as opened:
        first = opened.readline()
    kind = _of_ppdb if " ||| " in first else _of_tsv if "\t" in first else _of_meteor
    return kind(file, options), hash_of_file(file)[:8]


@contextmanager
def _opened(file: Path) -> Iterator[IO[str]]:
    try:
        with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as opened:
            yield opened
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{file} cannot be read: {error}. Give a phrase table in UTF-8, packed or not.") from error


def _of_parquet(parts: Sequence[Path]) -> Iterator[Row]:
    import pyarrow.parquet as parquet

    for part in parts:
        try:
            noted = [name for name in ("dropped_for",) if name in parquet.read_schema(part).names]
            rows = parquet.read_table(part, columns=["left", "right", "score", *noted])
            for name in noted:  # the table `phrases` has what was left out, too
                rows = rows.filter(rows.column(name).is_null())
            columns = rows.to_pydict()
        except (OSError, ValueError) as error:
            raise InputError(f"{part} cannot be read as phrases: {error}. It needs left, right and score.") from error
        yield from zip(columns["left"], columns["right"], columns["score"], strict=True)


def _of_tsv(file: Path, options: PhraseTableOptions) -> Iterator[Row]:
    places = (0, 1, 2)
    with _opened(file) as opened:
        for number, line in enumerate(opened, 1):
            fields = line.rstrip("\n").split("\t")
            if number == 1 and {"left", "right"} <= set(fields):
                if "score" not in fields:
                    raise InputError(f"{file} has no column score. Its columns are: {', '.join(fields)}.")
                places = (fields.index("left"), fields.index("right"), fields.index("score"))
                continue
            try:
                yield fields[places[0]].lower(), fields[places[1]].lower(), float(fields[places[2]])
            except (IndexError, ValueError) as error:
                raise InputError(
                    f"{file}, line {number}: wanted left, right and a score with tabs between them, found {line!r:.80}."
                ) from error


def _of_ppdb(file: Path, options: PhraseTableOptions) -> Iterator[Row]:
    """PPDB (Pavlick et al., 2015): its score of version 2, what version 1's AGigaSim says, or our own `Score`."""
    with _opened(file) as opened:
        for number, line in enumerate(opened, 1):
            fields = line.split(" ||| ")
            features = dict(pair.split("=", 1) for pair in fields[3].split() if "=" in pair) if len(fields) > 3 else {}
            try:
                score = float(features.get("PPDB2.0Score", features.get("AGigaSim", features.get("Score", 0))))
                left, right = fields[1], fields[2]
            except (IndexError, ValueError) as error:
                raise InputError(
                    f"{file}, line {number}: wanted a kind, two phrases and features with ||| between them, found "
                    f"{line!r:.80}."
                ) from error
            entailment = fields[5].strip() if len(fields) > 5 else "Equivalence"
            if entailment == "Equivalence":
                yield left, right, score / 5 if "PPDB2.0Score" in features else score


def _of_meteor(file: Path, options: PhraseTableOptions) -> Iterator[Row]:
    """METEOR's table (Denkowski and Lavie, 2014); what is there in one direction only is left out."""
    least = options.min_score / 3  # what is much likelier in one direction than in the other is no equal
    forward: dict[tuple[str, str], float] = {}
    with _opened(file) as opened:
        while lines := list(islice(opened, 3 << 16)):
            if len(lines) % 3:
                raise InputError(f"{file} ends within a pair: it is no phrase table, or was cut off. Fetch it again.")
            for score, left, right in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
                try:
                    probability = float(score)
                except ValueError as error:
                    raise InputError(
                        f"{file} is no phrase table of a known kind: {score!r:.60} stands where a score should. "
                        "Give left, right and score with tabs between them."
                    ) from error
                if probability >= least:
                    forward[left[:-1], right[:-1]] = probability
    for (left, right), probability in forward.items():
        back = forward.get((right, left), 0.0)
        if back:
            yield left, right, math.sqrt(probability * back)
