"""What was measured in, what was promised and whether it is kept out. What could not be compared is never kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHIPPED, CASCADE, CHEAP = "paraloom", "cascade", "ngram-regression"
PEER = "sentence-transformers CrossEncoder, MiniLM-L6"
TIMES_AS_FAST = {SHIPPED: 1.5, CASCADE: 10.0}
"""As the peer at its best batch size, at least."""
MOST_LOSS = 0.005
"""F1 that the cascade may lose against the shipped model."""
FLAT = 1.25
"""Times as much memory for the largest file as for the smallest, at most."""


@dataclass(frozen=True, kw_only=True)
class SpeedRow:
    """One contender: the median over repeats, and its F1 where it can be told."""

    contender: str
    pairs_per_second: float
    repeats: list[float]
    parameters: int
    times_as_fast: float | None
    """As the peer at its best batch size; None where the peer was not run."""
    f1: float | None
    max_f1: float | None
    no_f1: str = ""
    """Why F1 is not told: no labels, an untrained head, or pairs it has learned from."""


@dataclass(frozen=True, kw_only=True)
class MemoryRow:
    """`paraloom identify` on one file."""

    model: str
    pairs: int
    megabytes: float | None = None
    seconds: float | None = None
    not_run: str = ""
    """Why there are no figures."""
    failed: bool = False
    """Whether it was run and failed."""


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One promise, and whether it is kept."""

    promise: str
    found: str = ""
    met: bool | None = None
    """None where it was not compared."""
    why: str = ""
    """Why it was not compared."""
    is_asked: bool = True
    """Whether this run was to compare it: F1 takes labelled pairs and a trained peer."""


def bars(
    rows: Sequence[SpeedRow],
    memory: Sequence[MemoryRow],
    sizes: Sequence[int],
    *,
    with_labels: bool,
    with_trained_peer: bool,
) -> list[Bar]:
    """Every promise: speed, F1, memory."""
    models = dict.fromkeys(row.model for row in memory)
    return [
        speed_bar(rows, SHIPPED),
        peer_bar(rows, is_asked=with_trained_peer),
        speed_bar(rows, CASCADE),
        loss_bar(rows, is_asked=with_labels),
        *(memory_bar(memory, model, sizes) for model in models or [SHIPPED]),
    ]


def speed_bar(rows: Sequence[SpeedRow], contender: str) -> Bar:
    """How many times as fast as the peer."""
    wanted = TIMES_AS_FAST[contender]
    promise = f"{contender} is at least {wanted:g} times as fast as the peer"
    row = _row(rows, contender)
    if row is None:
        return Bar(promise=promise, why=f"{contender} was not run")
    if row.times_as_fast is None:
        return Bar(promise=promise, why="the peer was not run")
    return Bar(promise=promise, found=f"{row.times_as_fast:.2f} times", met=row.times_as_fast >= wanted)


def peer_bar(rows: Sequence[SpeedRow], *, is_asked: bool) -> Bar:
    """F1 of the shipped model against the peer's."""
    promise = f"{SHIPPED} has at least the F1 of the peer"
    ours, theirs = _f1(rows, SHIPPED), _f1(rows, PEER)
    if isinstance(ours, str) or isinstance(theirs, str):
        return Bar(promise=promise, why=_first_reason(ours, theirs), is_asked=is_asked)
    return Bar(promise=promise, found=f"{ours:.3f} against {theirs:.3f}", met=ours >= theirs, is_asked=is_asked)


def loss_bar(rows: Sequence[SpeedRow], *, is_asked: bool) -> Bar:
    """What the cascade loses of the shipped model's F1."""
    promise = f"{CASCADE} loses at most {MOST_LOSS:g} F1 against {SHIPPED}"
    ours, cascade = _f1(rows, SHIPPED), _f1(rows, CASCADE)
    if isinstance(ours, str) or isinstance(cascade, str):
        return Bar(promise=promise, why=_first_reason(ours, cascade), is_asked=is_asked)
    lost = ours - cascade
    return Bar(promise=promise, found=f"{lost:.4f}", met=lost <= MOST_LOSS, is_asked=is_asked)


def memory_bar(memory: Sequence[MemoryRow], model: str, sizes: Sequence[int]) -> Bar:
    """Memory on the largest file against that on the smallest."""
    promise = f"memory of {model} grows at most {FLAT:g} times"
    if failed := [row for row in memory if row.model == model and row.failed]:
        return Bar(promise=promise, found=f"with {failed[0].pairs:,} pairs it {failed[0].not_run}", met=False)
    grown = flat(memory, model, sizes)
    if grown is None:
        missing = [row for row in memory if row.model == model and row.megabytes is None]
        why = f"{missing[0].pairs:,} pairs were not run, {missing[0].not_run}" if missing else "it takes two sizes"
        return Bar(promise=promise, why=why)
    return Bar(promise=promise, found=f"{grown:.2f} times", met=grown <= FLAT)


def flat(memory: Sequence[MemoryRow], model: str, sizes: Sequence[int]) -> float | None:
    """Memory for the largest file that was asked for over that for the smallest; None where one was not run."""
    held = {row.pairs: row.megabytes for row in memory if row.model == model}
    smallest, largest = held.get(min(sizes, default=0)), held.get(max(sizes, default=0))
    if smallest is None or largest is None or len({*sizes}) < 2:
        return None
    return largest / smallest


def why_it_failed(told: Sequence[Bar]) -> str | None:
    """Promises that are not kept, and those that were to be compared and were not; None where all is well."""
    missed = [f"{bar.promise} ({bar.found})" for bar in told if bar.met is False]
    open_ones = [f"{bar.promise} ({bar.why})" for bar in told if bar.met is None and bar.is_asked]
    parts = [f"Not as promised: {'; '.join(missed)}."] if missed else []
    parts += [f"Not compared: {'; '.join(open_ones)}."] if open_ones else []
    return " ".join(parts) or None


def shown(row: SpeedRow) -> str:
    """One line of the table."""
    against = "" if row.times_as_fast is None else f", {row.times_as_fast:7.2f} times the peer"
    quality = f", F1 not told: {row.no_f1}" if row.f1 is None else f", F1 {row.f1:.3f}, max F1 {row.max_f1:.3f}"
    return f"{row.contender:57} {row.pairs_per_second:>9,.0f} pairs/s{against}{quality}"


def shown_memory(row: MemoryRow) -> str:
    """One line of the table."""
    begun = f"paraloom identify --model {row.model:17} {row.pairs:>9,} pairs: "
    if row.megabytes is None:
        return f"{begun}{'FAILED' if row.failed else 'not run'}: {row.not_run}"
    return f"{begun}{row.megabytes:7.0f} MB, {row.seconds:7.1f} s"


def shown_bar(bar: Bar) -> str:
    """One line below the table."""
    if bar.met is None:
        return f"{bar.promise}: NOT COMPARED, {bar.why}"
    return f"{bar.promise}: {bar.found}, {'met' if bar.met else 'MISSED'}"


def _row(rows: Sequence[SpeedRow], contender: str) -> SpeedRow | None:
    """The contender's row; the peer has one for each batch size, with the same F1."""
    return next((row for row in rows if row.contender.startswith(contender)), None)


def _f1(rows: Sequence[SpeedRow], contender: str) -> float | str:
    """A contender's F1, or why it has none."""
    row, name = _row(rows, contender), "the peer" if contender == PEER else contender
    if row is None:
        return f"{name} was not run"
    return f"no F1 of {name}: {row.no_f1}" if row.f1 is None else row.f1


def _first_reason(*found: float | str) -> str:
    return next(one for one in found if isinstance(one, str))
