"""Attempts in the folder of a game, or in the published files, in; counts, distributions and pass rates out.

AP_T5's files have no header: source, attempt, BLEURT, 1 or 0 by an NLI model; the first line of each is left out, as
its authors' script does (so their counts are met). AP_H's have `text_a`, `text_b`, `labels` and no similarity, which
the judge then gives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from glob import glob
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known.files import BadRow, tsv_rows
from paraloom.errors import InputError
from paraloom.metrics.meaning.adversarial import ImplicationModel, apt_passes, apt_reward
from paraloom.metrics.measured import Measured, mean_of
from paraloom.metrics.significance import Comparison, bootstrap_interval, compare
from paraloom.pairs.adversarial import Attempt
from paraloom.reports.adversarial import AdversarialReport, AttemptSet, RoundCounts, ShownAttempt
from paraloom.reports.adversarial_counts import KINDS, count_attempts, similarity_bins
from paraloom.tables import schema
from paraloom.text.counted import counted

if TYPE_CHECKING:
    import pyarrow as pa

ATTEMPTS = "attempts.parquet"
MADE_BY = "made_by.json"
BY_PEOPLE = ("text_a", "text_b", "labels")
SHOWN_OF_A_KIND = 6
LoadJudge = Callable[[], ImplicationModel]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAttempt:
    """One attempt and what it earned, whoever made it."""

    source: str
    attempt: str
    is_mutual: bool
    reward: float
    passes: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """All attempts of one player, as columns."""

    name: str
    sources: Sequence[str]
    attempts: Sequence[str]
    similarity: NDArray[np.float64]
    is_mutual: NDArray[np.bool_]
    given: int
    """Sources that were to be played."""
    rows: Sequence[Attempt] = ()
    """As they were played here; empty where they were read from another file."""
    signature: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def passes(self) -> NDArray[np.bool_]:
        pairs = zip(self.is_mutual.tolist(), self.similarity.tolist(), strict=True)
        return np.array([apt_passes(*pair) for pair in pairs], bool)

    @property
    def rewards(self) -> NDArray[np.float64]:
        pairs = zip(self.is_mutual.tolist(), self.similarity.tolist(), strict=True)
        return np.array([apt_reward(*pair) for pair in pairs], np.float64)

    def judged(self) -> list[JudgedAttempt]:
        """One after the other, in the order they were made."""
        columns = (self.sources, self.attempts, self.is_mutual.tolist(), self.rewards.tolist(), self.passes.tolist())
        return [
            JudgedAttempt(source=source, attempt=attempt, is_mutual=is_mutual, reward=reward, passes=passes)
            for source, attempt, is_mutual, reward, passes in zip(*columns, strict=True)
        ]


def attempts_table(attempts: Sequence[Attempt]) -> pa.Table:
    """Rows of `attempts.parquet`, in the order of their key."""
    import pyarrow as pa

    ordered = sorted(attempts, key=lambda one: (one.row, one.round, one.number))
    return pa.Table.from_pylist([asdict(one) for one in ordered], schema=schema(Attempt))  # type: ignore[arg-type]


def read_played(folder: Path, name: str = "") -> Attempts:
    """The attempts of a game that was played."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(folder / ATTEMPTS)
        made_by = json.loads((folder / MADE_BY).read_text(encoding="utf-8"))
    except (OSError, ValueError, pa.ArrowException) as error:
        raise InputError(f"{folder} is no folder of a game that was played to its end ({error}).") from error
    if missing := {one.name for one in fields(Attempt)} - set(table.column_names):
        raise InputError(f"{folder / ATTEMPTS} has no column {sorted(missing)[0]!r}. Play the game again.")
    rows = [Attempt(**row) for row in table.select([one.name for one in fields(Attempt)]).to_pylist()]
    return Attempts(
        name=name or folder.name,
        sources=[one.source for one in rows],
        attempts=[one.attempt for one in rows],
        similarity=np.array([one.similarity for one in rows], np.float64),
        is_mutual=np.array([one.is_mutual for one in rows], bool),
        given=int(made_by["given"]),
        rows=rows,
        signature={
            "generator": made_by["generator"],
            "game": "|".join(f"{key}:{value}" for key, value in made_by["game"].items()),
            "judge": made_by["judge"],
        },
    )


def read_attempts(named: str, judge: LoadJudge) -> Attempts:
    """NAME=PATH or PATH: a folder of a game, a file of attempts, a folder of such files, or a pattern with `*`."""
    name, equals, written = named.partition("=")
    if not equals or Path(named).exists():  # a path may have that sign, too
        equals, written = "", named
    path = Path(written)
    if (path / ATTEMPTS).is_file():
        return read_played(path, name if equals else "")
    files = sorted(path.glob("*.tsv")) if path.is_dir() else sorted(map(Path, glob(written))) if "*" in written else []
    files = files or [path]
    if missing := next((file for file in files if not file.is_file()), None):
        raise InputError(
            f"{missing} is no file or folder of attempts. Check the path, and that the game was played to its end."
        )
    return _read_files(name if equals else path.stem.rstrip("*-"), files, judge)


def _read_files(name: str, files: Sequence[Path], judge: LoadJudge) -> Attempts:
    read = [_read_file(file) for file in files]
    sources = [source for rows, _ in read for source, *_ in rows]
    texts = [text for rows, _ in read for _, text, *_ in rows]
    given = [similarity for rows, _ in read for *_, similarity, _ in rows]
    notes = [note for _, told in read for note in told]
    if any(similarity is not None for similarity in given):
        notes.append("The first line of each file without a header is left out, as the authors' script leaves it out.")
    signature = {"attempts": " ".join(file.name for file in files)}
    unknown = [place for place, similarity in enumerate(given) if similarity is None]
    similarity = np.array([0.0 if one is None else one for one in given], np.float64)
    if unknown:
        model = judge()
        answers = model.answer([sources[place] for place in unknown], [texts[place] for place in unknown])
        similarity[unknown] = answers.similarity
        signature["judge"] = model.signature
        notes.append(f"The similarity of {counted(len(unknown), 'attempt', 'attempts')} is the judge's.")
    return Attempts(
        name=name,
        sources=sources,
        attempts=texts,
        similarity=similarity,
        is_mutual=np.array([mutual for rows, _ in read for *_, mutual in rows], bool),
        given=len(set(sources)),
        signature=signature,
        notes=tuple(notes),
    )


Row = tuple[str, str, float | None, bool]


def _read_file(file: Path) -> tuple[list[Row], list[str]]:
    lines = tsv_rows(file)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{file} is empty. Give a file of attempts.")
    notes: list[str] = []
    by_people = isinstance(first[1], list) and tuple(first[1]) == BY_PEOPLE
    rows: list[Row] = []
    bad = 0
    for _, cells in lines:
        row = None if isinstance(cells, BadRow) else _row(cells, by_people=by_people)
        if row is None:
            bad += 1
        else:
            rows.append(row)
    if bad > len(rows):
        raise InputError(
            f"{file} is no file of attempts: give tab-separated source, attempt, similarity, 1 or 0; or text_a, "
            "text_b, labels with a header; or the folder of a game."
        )
    if bad:
        notes.append(f"{file.name}: {counted(bad, 'row', 'rows')} left out that cannot be read.")
    return rows, notes


def _row(cells: Sequence[str], *, by_people: bool) -> Row | None:
    if len(cells) != (3 if by_people else 4) or cells[-1].strip() not in ("0", "1"):
        return None
    if by_people:
        return cells[0], cells[1], None, cells[-1].strip() == "1"
    try:
        similarity = float(cells[2])
    except ValueError:
        return None
    return (cells[0], cells[1], similarity, cells[3].strip() == "1") if isfinite(similarity) else None


def reported(sets: Sequence[Attempts], made_by: Mapping[str, Any] | None = None) -> AdversarialReport:
    """Sets of attempts, counted; each beside the first one on the sources that both have."""
    first = sets[0] if sets else None
    return AdversarialReport(
        sets=tuple(attempt_set(one, None if one is first else first) for one in sets), made_by=made_by or {}
    )


def attempt_set(attempts: Attempts, first: Attempts | None = None) -> AttemptSet:
    """Table 2, figure 2 and the pass rate of one set."""
    passes = attempts.passes
    by_source = passing_by_source(attempts)
    rate = _pass_rate([*by_source.values(), *[0.0] * (attempts.given - len(by_source))])
    best: dict[str, float] = {}
    for source, reward in zip(attempts.sources, attempts.rewards.tolist(), strict=True):
        best[source] = max(best.get(source, 0.0), reward)
    return AttemptSet(
        counts=count_attempts(attempts.name, attempts.sources, attempts.is_mutual, passes),
        given=attempts.given,
        pass_rate=bootstrap_interval(rate),
        mean_reward=round(sum(best.values()) / max(attempts.given, 1), 6),
        bins=similarity_bins(attempts.similarity, attempts.is_mutual, passes),
        rounds=tuple(_rounds(attempts.rows)),
        gain=None if first is None else gain_over(attempts, first),
        examples=tuple(_shown(attempts)),
        signature=attempts.signature,
        notes=attempts.notes,
    )


def passing_by_source(attempts: Attempts) -> dict[str, float]:
    """1 for a source with a passing attempt, 0 for one without; only of sources with any attempt."""
    found: dict[str, float] = {}
    for source, passes in zip(attempts.sources, attempts.passes.tolist(), strict=True):
        found[source] = max(found.get(source, 0.0), float(passes))
    return found


def gain_over(ours: Attempts, first: Attempts) -> Comparison | None:
    """How much larger our share of sources that pass is, on the sources that both have; None where there are none."""
    mine, theirs = passing_by_source(ours), passing_by_source(first)
    shared = [source for source in theirs if source in mine]
    if not shared:
        return None
    return compare(_pass_rate([mine[one] for one in shared]), _pass_rate([theirs[one] for one in shared]))


def _pass_rate(outcomes: Sequence[float]) -> Measured:
    return mean_of("apt-pass-per-source", np.array(outcomes), "apt-pass-per-source", "higher")


def _rounds(rows: Sequence[Attempt]) -> Iterator[RoundCounts]:
    by_round: dict[int, list[Attempt]] = {}
    for one in rows:
        by_round.setdefault(one.round, []).append(one)
    for number, some in sorted(by_round.items()):
        yield RoundCounts(
            round=number,
            top_k=some[0].top_k,
            top_p=some[0].top_p,
            sources=len({one.row for one in some}),
            attempts=len(some),
            passing_sources=len({one.row for one in some if one.passes}),
        )


def _shown(attempts: Attempts) -> Iterator[ShownAttempt]:
    """Of each kind a few, one a source, evenly over the whole: the first ones of a file may be of one sort."""
    passes = attempts.passes
    chosen = zip(KINDS, (passes, attempts.is_mutual & ~passes, ~attempts.is_mutual), strict=True)
    for kind, is_kind in chosen:
        first_of: dict[str, int] = {}
        for place in np.flatnonzero(is_kind).tolist():
            first_of.setdefault(attempts.sources[place], place)
        places = list(first_of.values())
        step = max(1, len(places) // SHOWN_OF_A_KIND)
        for place in places[::step][:SHOWN_OF_A_KIND]:
            yield ShownAttempt(
                source=attempts.sources[place],
                attempt=attempts.attempts[place],
                similarity=float(attempts.similarity[place]),
                kind=kind,
            )
