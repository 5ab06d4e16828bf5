"""A run or a file of phrase pairs and a phrase in, its best substitutes out; of an unknown phrase, those like it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.phrases.lookup_options import LookupOptions
from paraloom.workflows.phrases.rank import RANKED

if TYPE_CHECKING:
    import pyarrow as pa

LEAST_ALIKE = 0.6
"""Edits to a phrase that is named for being like another one, as a share of letters, leave at least this."""
_MIRRORED = {
    "forward": "backward",
    "backward": "forward",
    "lexical_forward": "lexical_backward",
    "lexical_backward": "lexical_forward",
}
_SHOWN = ("left", "right", "score", "count", "pair_count", *_MIRRORED, "contexts")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPhrase:
    """What may stand for the phrase that was looked up."""

    phrase: str
    score: float | None
    """As the table has it; null where it has none."""
    count: int | None
    """How often the two were aligned."""
    pair_count: int | None
    """In how many sentence pairs."""
    forward: float | None
    """p(this | the phrase looked up)."""
    backward: float | None
    lexical_forward: float | None
    lexical_backward: float | None
    example: str | None
    """The words around the phrase that was looked up, with … where it stood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedUp:
    """What there is of a phrase."""

    phrase: str
    """As the table has it: lower-cased and folded."""
    source: str
    is_known: bool
    """Whether the table has it, be it with lower scores than are wanted."""
    total: int
    """Substitutes there are with a score that is wanted, be they more than are shown."""
    found: tuple[FoundPhrase, ...]
    nearest: tuple[str, ...]
    """Of an unknown phrase, known ones that are like it."""

    def rows(self) -> list[dict[str, Any]]:
        """A plain row a substitute, best first."""
        return [asdict(each) for each in self.found]

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "phrase": self.phrase,
            "source": self.source,
            "is_known": self.is_known,
            "total": self.total,
            "found": self.rows(),
            "nearest": list(self.nearest),
        }

    def as_text(self) -> str:
        """Lines for a person."""
        if not self.is_known:
            hint = f" Near it: {', '.join(self.nearest)}." if self.nearest else ""
            return f"{self.source} does not have “{self.phrase}”.{hint}"
        if not self.found:
            return f"Nothing in {self.source} stands for “{self.phrase}” with such a score."
        width = max(len(each.phrase) for each in self.found)
        lines = [_line(each, width) for each in self.found]
        more = self.total - len(self.found)
        return "\n".join([*lines, *([f"and {counted(more, 'other', 'others')}"] if more else [])])


def lookup(source: str | Path, phrase: str, options: LookupOptions = LookupOptions()) -> LookedUp:
    """The best substitutes of a phrase, whichever case it is written in and on whichever side of a pair it stands.

    Of a run, `ranked.parquet` is looked into where it was made of the phrases that the run has, else the table
    `phrases` with the scores of the extraction.
    """
    from paraloom.phrases.tokens import comparable_tokens

    wanted = comparable_tokens(phrase)
    if not wanted:
        raise InputError("There are no words in the phrase. Give one such as: paraloom phrases lookup RUN 'hit'.")
    path = Path(source)
    tables = list(_tables(path, options.columns))
    where = str(_ranked(path) or path)
    sides = [_of(table, wanted) for table in tables]
    of_phrase = _either_side(sides, wanted)
    if not of_phrase:
        return LookedUp(
            phrase=wanted,
            source=where,
            is_known=False,
            total=0,
            found=(),
            nearest=nearest_phrases(wanted, _phrases(tables), options.hints),
        )
    good = sorted(
        (each for each in of_phrase if (each.score or 0.0) >= options.min_score),
        key=lambda each: (-(each.score or 0.0), -(each.count or 0), each.phrase),
    )
    return LookedUp(
        phrase=wanted, source=where, is_known=True, total=len(good), found=tuple(good[: options.k]), nearest=()
    )


def nearest_phrases(phrase: str, known: Iterable[str], most: int) -> tuple[str, ...]:
    """Known phrases that begin with this one, shortest first; then those that few edits lead to.

    >>> nearest_phrases("storm hit", ["storm hits", "storm hit hard", "strom hit", "annual report"], 3)
    ('storm hits', 'storm hit hard', 'strom hit')
    """
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    each = sorted(set(known) - {phrase})
    begun = sorted((one for one in each if one.startswith(phrase)), key=lambda one: (len(one), one))[:most]
    alike = process.extract(
        phrase,
        [one for one in each if one not in begun],
        scorer=Levenshtein.normalized_similarity,
        limit=most,
        score_cutoff=LEAST_ALIKE,
    )
    return tuple([*begun, *(one for one, _, _ in alike)][:most])


def _ranked(path: Path) -> Path | None:
    """The ranked phrases of a run, if they are those of the table that it has now."""
    from paraloom.engine.store import made_by_file
    from paraloom.workflows.phrases.rank_input import TABLE, run_signature
    from paraloom.workflows.phrases.rank_output import signature_of

    if not path.is_dir() or not made_by_file(path, TABLE).is_file():
        return None
    is_current = f"|{run_signature(path)}|" in (signature_of(path / RANKED) or "")
    return path / RANKED if is_current else None


def _tables(path: Path, columns: Sequence[str]) -> Iterable[pa.Table]:
    """The rows, as far as a lookup needs them."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from paraloom.engine.store import made_by_file, read_parts
    from paraloom.workflows.phrases.rank_input import TABLE, read_phrases

    if (ranked := _ranked(path)) is not None:
        yield pq.read_table(ranked, columns=list(_SHOWN), partitioning=None)
    elif path.is_dir() and made_by_file(path, TABLE).is_file():
        for part in read_parts(path, TABLE, (*_SHOWN, "dropped_for")):
            yield part.filter(pc.is_null(part.column("dropped_for"))).select(_SHOWN)
    else:
        given = read_phrases(path, columns)
        yield given.rows.append_column("score", given.score).select(_SHOWN)


def _of(table: pa.Table, phrase: str) -> list[dict[str, Any]]:
    import pyarrow.compute as pc

    on_either = pc.or_(*(pc.equal(table.column(side), phrase) for side in ("left", "right")))
    found: list[dict[str, Any]] = table.filter(on_either).to_pylist()
    return found


def _either_side(tables: Iterable[Sequence[dict[str, Any]]], phrase: str) -> list[FoundPhrase]:
    """Substitutes, each once: a row that has the phrase on its right counts where none has it on its left."""
    found: dict[str, FoundPhrase] = {}
    rows = [row for table in tables for row in table]
    for row in sorted(rows, key=lambda row: row["left"] != phrase):
        is_mirrored = row["left"] != phrase
        other = row["left"] if is_mirrored else row["right"]
        if other in found:
            continue
        numbers = {name: row[_MIRRORED[name] if is_mirrored else name] for name in _MIRRORED}
        found[other] = FoundPhrase(
            phrase=other,
            score=row["score"],
            count=row["count"],
            pair_count=row["pair_count"],
            example=None if is_mirrored else _example(row["contexts"]),
            **numbers,
        )
    return list(found.values())


def _example(contexts: Sequence[str] | None) -> str | None:
    from paraloom.phrases.contexts import read_context

    return read_context(contexts[0]).around("…") if contexts else None


def _phrases(tables: Iterable[pa.Table]) -> set[str]:
    return {phrase for table in tables for side in ("left", "right") for phrase in table.column(side).to_pylist()}


def _line(each: FoundPhrase, width: int) -> str:
    parts = [f"{each.score:.3f}" if each.score is not None else "  –  ", each.phrase.ljust(width)]
    if each.count is not None:
        parts.append(f"{each.count:,}×")
    if each.forward is not None and each.backward is not None:
        parts.append(f"p {each.forward:.3g} / {each.backward:.3g}")
    return "  ".join([*parts, *([each.example] if each.example else [])])
