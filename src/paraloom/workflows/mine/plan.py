"""How many sentences in; how long mining them takes, on how much memory, disk and machines, out, for every choice.

A plan is an estimate: a small run on this machine, and what each of its rounds grows with (see `plan_costs`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine.plan_costs import Calibration
from paraloom.workflows.mine.plan_look import probes_at
from paraloom.workflows.mine.plan_options import PlanOptions, check_plan, read_count
from paraloom.workflows.mine.plan_sample import bytes_of
from paraloom.workflows.mine.plan_told import notes_of, shown_bytes, shown_seconds
from paraloom.workflows.mine.plan_ways import Way, ways_of

if TYPE_CHECKING:
    from paraloom.workflows.mine.input_files import Given


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What mining so many sentences takes."""

    sentences: int
    is_estimated: bool
    """Whether there are more sentences than were measured."""
    machines: int
    cores: int
    ways: Sequence[Way]
    """The one that a run would choose comes first, then the others, quickest first."""
    measured: Calibration
    reason: str
    """Why a run would choose that one."""
    notes: Sequence[str]

    def as_json(self) -> str:
        """For programs."""
        told = {
            "sentences": self.sentences,
            "is_estimated": self.is_estimated,
            "machines": self.machines,
            "cores": self.cores,
            "measured_on": {
                "machine": self.measured.machine,
                "cores": self.measured.cores,
                "sentences": self.measured.sentences,
                "sample": self.measured.sample,
            },
            "reason": self.reason,
            "ways": [way.told() for way in self.ways],
            "notes": list(self.notes),
        }
        return json.dumps(told, indent=2)

    def as_text(self) -> str:
        """For people."""
        best, word = self.ways[0], "estimated" if self.is_estimated else "about as measured"
        where = f"{self.machines} machine{'s' if self.machines > 1 else ''} of {self.cores} cores"
        times = list(best.machines)
        lines = [
            f"{self.sentences:,} sentences on {where}: {shown_seconds(best.seconds)} ({word}), "
            f"{shown_bytes(best.memory)} of memory a machine, {shown_bytes(best.disk.most)} of disk.",
            f"A run would choose {best.name}. {self.reason}",
            "",
            *(f"  {step:18} {shown_seconds(seconds):>10}" for step, seconds in best.steps.items()),
            "",
            f"  {'way':24} {'time':>10} {'memory':>10} {'disk':>10} {'workers':>8}  machines for {' and '.join(times)}",
        ]
        for way in self.ways:
            needed = " and ".join("none" if way.machines[time] is None else f"{way.machines[time]:,}" for time in times)
            memory, disk = shown_bytes(way.memory), shown_bytes(way.disk.most)
            time = shown_seconds(way.seconds) if way.workers else "no room"
            lines.append(f"  {way.name:24} {time:>10} {memory:>10} {disk:>10} {way.workers:>8}  {needed}")
        return "\n".join([*lines, "", *(f"- {note}" for note in self.notes)])


def plan_mining(
    files: Sequence[str | Path] = (),
    options: PlanOptions = PlanOptions(),
    lines: LineOptions = LineOptions(),
    *,
    calibrate: bool = False,
    tell: Callable[[str], None] | None = None,
) -> Plan:
    """Plan by what was measured on this machine before; it is measured now where nothing was, or on `calibrate`.

    `tell` is given a line for a person who waits while it is.
    """
    from paraloom.workflows.mine.input_files import given_files
    from paraloom.workflows.mine.plan_calibration import calibrated

    check_plan(options)
    if not options.sentences and not files:
        raise InputError("Say how many sentences are to be mined (--sentences 400M), or give files of them.")
    given = given_files(files, lines) if files else None
    return plan_by(calibrated(given, options, lines, anew=calibrate, tell=tell), given, options)


def plan_by(measured: Calibration, given: Given | None, options: PlanOptions) -> Plan:
    """Plan by these measurements."""
    check_plan(options)
    sentences = read_count(options.sentences) if options.sentences else _held_by(given, measured.bytes_a_sentence)
    cores = options.cores or measured.cores
    ways = ways_of(measured, options, sentences, cores)
    probes = options.probes or probes_at(measured.look, sentences)
    return Plan(
        sentences=sentences,
        is_estimated=sentences > measured.sentences,
        machines=options.machines,
        cores=cores,
        ways=ways,
        measured=measured,
        reason=ways[0].cost.choice.reason,
        notes=[*(given.told if given else ()), *notes_of(measured, options, ways[0], probes)],
    )


def _held_by(given: Given | None, bytes_each: float) -> int:
    assert given is not None, "either sentences or files are given"
    return max(round(bytes_of(given) / bytes_each), 1)
