"""A run or a file of phrase pairs in, the same pairs with scores, best first, out (Lan et al., 2017, section 5.1)."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.text.counted import counted
from paraloom.workflows.identify.unfinished import check_target
from paraloom.workflows.phrases.rank_options import RankOptions

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.workflows.phrases.rank_input import GivenPhrases
    from paraloom.workflows.phrases.rank_scores import PhraseScorer

RANKED = "ranked.parquet"
"""The file of a run folder that its ranked phrases are in."""
SHOWN = 10
NO_SENTENCES = "there are no sentences for n-grams to learn from: language_model is not known (--sentences-from FILE)"

Tell = Callable[[str], None]
"""Told what is being worked out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPhrases:
    """What `rank_phrases` wrote."""

    out: Path
    rows: int
    by: str
    left_out: dict[str, int]
    missing: dict[str, int]
    """Rows of which a score is not known, by score; `by` among them: these are the last ones, with 0."""
    best: tuple[tuple[str, str, float], ...]
    """The first rows, of pairs that are there in both orders one: left, right, score."""
    signature: str
    signatures: dict[str, str]
    """Of each score, all that decides it."""
    seconds: float
    is_new: bool
    """False where the file was there already, made just so."""
    notes: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "out": str(self.out),
            "rows": self.rows,
            "by": self.by,
            "dropped_for": self.left_out,
            "missing": self.missing,
            "best": [{"left": left, "right": right, "score": score} for left, right, score in self.best],
            "seconds": round(self.seconds, 3),
            "is_new": self.is_new,
            "signature": {"ranked": self.signature, **self.signatures},
            "notes": list(self.notes),
        }

    def as_text(self) -> str:
        """Lines for a person: the best pairs first."""
        lines = [f"{score:.3f}  {left}  |  {right}" for left, right, score in self.best]
        lines.append(f"{counted(self.rows, 'phrase pair', 'phrase pairs')} ranked by {self.by}: {self.out}")
        if not self.is_new:
            lines.append("it was there already, made just so")
        lines += [f"{number:,} left out for {reason}" for reason, number in self.left_out.items()]
        lines += [f"{number:,} without {name}" for name, number in self.missing.items() if number]
        return "\n".join([*lines, *self.notes, f"signature: {self.signature}"])


def rank_phrases(
    source: str | Path,
    out: str | Path | None = None,
    options: RankOptions = RankOptions(),
    *,
    tell: Tell = lambda what: None,
) -> RankedPhrases:
    """Score every phrase pair of a run or a file and write them, best first.

    `out` ends in .parquet, .jsonl, .tsv, .csv, .ppdb or .gz (PPDB's form); None is `ranked.parquet` in the run. A
    Parquet file that is there, made just so, is left as it is; any other file that is there is refused, unless
    `options.overwrite`.
    """
    from paraloom.engine.store import alone_in
    from paraloom.workflows.phrases.rank_input import read_phrases
    from paraloom.workflows.phrases.rank_output import check_ending, signature_of, write_ranked
    from paraloom.workflows.phrases.rank_scores import PhraseScorer

    begun = time.perf_counter()
    target = _target(Path(source), out)
    check_ending(target)
    if target.exists() and Path(source).is_file() and target.samefile(source):
        raise InputError(f"{target} is the file of phrases itself. Choose another --out.")
    given = read_phrases(source, options.columns)
    scorer = PhraseScorer(options, given.run)
    signature = f"phrases|by:{options.rank_by}|{given.signature}|{scorer.signature}"
    if signature_of(target) == signature:
        import pyarrow.parquet as pq

        rows = pq.read_table(target, partitioning=None)
        return _told(rows, given, scorer, options, target, signature, begun, is_new=False)
    check_target(target, overwrite=options.overwrite)
    rows = scorer.rank(given.rows, tell)
    tell("writing")
    with alone_in(target.parent) if out is None else nullcontext():
        write_ranked(rows, target, signature)
    return _told(rows, given, scorer, options, target, signature, begun, is_new=True)


def _target(source: Path, out: str | Path | None) -> Path:
    if out is not None:
        return Path(out)
    if not source.is_dir():
        raise InputError("Say with --out where the ranked phrases of a file are to go, such as ranked.tsv.")
    return source / RANKED


def _told(
    rows: pa.Table,
    given: GivenPhrases,
    scorer: PhraseScorer,
    options: RankOptions,
    target: Path,
    signature: str,
    begun: float,
    *,
    is_new: bool,
) -> RankedPhrases:
    from paraloom.phrases.rank_rows import SINGLE

    best: dict[frozenset[str], tuple[str, str, float]] = {}
    for row in rows.select(("left", "right", "score")).slice(0, 2 * SHOWN).to_pylist():
        best.setdefault(frozenset((row["left"], row["right"])), (row["left"], row["right"], row["score"]))
    lacks_sentences = "language_model" not in scorer.signatures and options.language_model != "none"
    return RankedPhrases(
        out=target,
        rows=len(rows),
        by=options.rank_by,
        left_out=given.left_out,
        missing={name: rows.column(name).null_count for name in SINGLE},
        best=tuple(best.values())[:SHOWN],
        signature=signature,
        signatures=scorer.signatures,
        seconds=time.perf_counter() - begun,
        is_new=is_new,
        notes=(NO_SENTENCES,) if lacks_sentences else (),
    )
