"""Rows of the table `phrases` in, a file in PPDB's text form out, and back.

A line is `[X] ||| phrase ||| paraphrase ||| name=value … ||| 0-0 … ||| Equivalence`. Features have PPDB's names where
there are such (Ganitkevitch et al., 2013; e is the paraphrase, f the phrase; probabilities as negative logarithms).
`Score` is ours, from 0 to 1.
"""

from __future__ import annotations

import gzip
import io
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from paraloom.engine.store import unfinished_name
from paraloom.errors import InputError
from paraloom.tables import Phrase

BETWEEN = " ||| "
_LOGARITHMS = {
    "p(e|f)": "forward",
    "p(f|e)": "backward",
    "Lex(e|f)": "lexical_forward",
    "Lex(f|e)": "lexical_backward",
}
_COUNTS = {
    "Count": "count",
    "PhraseCount": "left_count",
    "ParaphraseCount": "right_count",
    "PairCount": "pair_count",
    "GroupCount": "group_count",
}
_ENTAILMENT = "Equivalence"


PPDB_ENDINGS = (".ppdb", ".gz")


def is_ppdb(path: Path) -> bool:
    """Whether a file's name says that it has PPDB's text form."""
    return path.name.endswith(PPDB_ENDINGS) and not path.name.endswith((".jsonl.gz", ".tsv.gz", ".csv.gz", ".json.gz"))


def write_ppdb(rows: Iterable[Phrase], file: Path) -> int:
    """Write rows as PPDB does, packed where the name ends in `.gz`; the file is whole or absent.

    Gives the number of lines. Left out are phrases with a `|||` in them, which the form cannot hold.
    """
    unfinished, count = unfinished_name(file), 0
    try:
        with _to_write(unfinished, packed=file.suffix == ".gz") as opened:
            for row in rows:
                if "|||" not in row.left and "|||" not in row.right:
                    opened.write(f"{ppdb_line(row)}\n")
                    count += 1
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


@contextmanager
def _to_write(file: Path, *, packed: bool) -> Iterator[IO[str]]:
    if not packed:
        with file.open("w", encoding="utf-8", newline="\n") as opened:
            yield opened
        return
    # Neither name nor time in it: the same rows are the same bytes.
    with (
        file.open("wb") as raw,
        gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as inner,
        io.TextIOWrapper(inner, encoding="utf-8", newline="\n") as opened,
    ):
        yield opened


def ppdb_line(row: Phrase) -> str:
    """One row, without the end of the line.

    >>> row = Phrase(left="hit", right="struck", count=2, forward=0.5, backward=1.0, lexical_forward=0.5,
    ...     lexical_backward=1.0, score=0.707107, links="0-0")
    >>> ppdb_line(row)
    '[X] ||| hit ||| struck ||| Score=0.707107 p(e|f)=0.693147 p(f|e)=0 Lex(e|f)=0.693147 Lex(f|e)=0 Count=2 ||| 0-0 |||
    Equivalence'
    """
    features = [f"Score={row.score:.6g}"]
    features += [f"{name}={_negative_log(getattr(row, column)):.6g}" for name, column in _LOGARITHMS.items()]
    counts = ((name, getattr(row, column)) for name, column in _COUNTS.items())
    features += [f"{name}={count}" for name, count in counts if count is not None]
    return BETWEEN.join(("[X]", row.left, row.right, " ".join(features), row.links or "", _ENTAILMENT))


def _negative_log(probability: float) -> float:
    return -math.log(probability) + 0.0 if probability > 0 else math.inf


def read_ppdb(file: Path) -> Iterator[Phrase]:
    """The rows of a file that `write_ppdb` wrote. Probabilities are as exact as six digits of their logarithms are."""
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as opened:
        for number, line in enumerate(opened, 1):
            fields = line.rstrip("\n").split(BETWEEN)
            try:
                _, left, right, written, links, _ = fields
                features = dict(feature.rsplit("=", 1) for feature in written.split())
                values: dict[str, Any] = {
                    column: math.exp(-float(features[name])) for name, column in _LOGARITHMS.items()
                }
                values |= {column: int(features[name]) for name, column in _COUNTS.items() if name in features}
                yield Phrase(left=left, right=right, score=float(features["Score"]), links=links, **values)
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{file}, line {number}: wanted a line as `write_ppdb` writes it, found {line!r:.80}."
                ) from error
