"""A generator and a set in, its outputs out, kept in a folder: no source is written for twice, and the time is told.

What a generator says to a source depends on neither its neighbours nor on when it is asked: a run that was cut off
goes on behind the last line that is whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from paraloom.corpus.system_outputs import SystemRows, read_system
from paraloom.engine.store import write_text
from paraloom.workflows.bench.generation_sets import BenchSet
from paraloom.workflows.bench.machine import DeviceWatch, this_machine
from paraloom.workflows.generate.noted import line_of

if TYPE_CHECKING:
    from paraloom.workflows.generate.asked_for import Writer

FOLDER = "outputs"

Tell = Callable[[int, int], None]
"""Told how many sources are done, and how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingCost:
    """How long a generator took, and where."""

    sources: int
    """Those that were timed."""
    seconds: float
    device: str
    processor: str
    cores: int

    @property
    def seconds_a_source(self) -> float:
        """In one process, all outputs of a source together."""
        return self.seconds / max(1, self.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a contender wrote on one set."""

    rows: SystemRows
    signature: str
    cost: WritingCost | None
    """None where the outputs came in a file."""


def write_outputs(
    writer: Writer, name: str, one: BenchSet, folder: Path, *, batch: int = 16, tell: Tell | None = None
) -> Written:
    """A generator's outputs for all sources of a set: those that the folder holds are read, the others written now."""
    file = _file(writer, name, one, folder)
    told = file.with_suffix(".json")
    if not (file.is_file() and told.is_file()):
        _write(writer, one.evaluation_set.sources, file, told, batch, tell)
    rows = read_system(file)
    return Written(
        rows=SystemRows(name=name, path=rows.path, rows=rows.rows), signature=writer.signature, cost=_read_cost(told)
    )


def _write(writer: Writer, sources: Sequence[str], file: Path, told: Path, batch: int, tell: Tell | None) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".unfinished-{file.name}")
    if not told.is_file():
        unfinished.unlink(missing_ok=True)  # nobody knows how long that took
    done = _whole_lines(unfinished)
    cost = _read_cost(told) if done else None
    timed, seconds = (cost.sources, cost.seconds) if cost else (0, 0.0)
    with unfinished.open("ab") as stream:
        for start in range(done, len(sources), batch):
            if tell:
                tell(start, len(sources))
            some = sources[start : start + batch]
            watch = DeviceWatch()
            begun = perf_counter()
            generated = writer.write(some)
            seconds += perf_counter() - begun
            timed += len(some)
            machine = this_machine()
            cost = WritingCost(
                sources=timed,
                seconds=round(seconds, 3),
                device=watch.device(),
                processor=machine.processor,
                cores=machine.cores,
            )
            write_text(told, json.dumps(asdict(cost)) + "\n")  # first: lines are never without it
            stream.writelines(line_of(each, details=False) for each in generated)
            stream.flush()
    unfinished.rename(file)  # outputs are either whole or absent


def _whole_lines(file: Path) -> int:
    """How many lines a file holds; what a kill left of the last one is cut off."""
    if not file.is_file():
        return 0
    written = file.read_bytes()
    whole = written[: written.rfind(b"\n") + 1]
    if len(whole) < len(written):
        file.write_bytes(whole)
    return whole.count(b"\n")


def _file(writer: Writer, name: str, one: BenchSet, folder: Path) -> Path:
    key = blake2b(f"{writer.signature}\n{one.digest()}".encode(), digest_size=6).hexdigest()
    plain = re.sub(r"[^\w.]+", "-", name).strip("-.") or "generator"
    return folder / FOLDER / one.name / f"{plain}.{key}.jsonl"


def _read_cost(told: Path) -> WritingCost:
    return WritingCost(**json.loads(told.read_text(encoding="utf-8")))
