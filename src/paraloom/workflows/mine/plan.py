"""How many sentences in; how long mining them takes, on how much memory, disk and machines, out, for every choice.

A plan is an estimate: a small run on this machine, and what each of its rounds grows with (see `plan_costs`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.models.neighbours.choice import Choice, choose_index
from paraloom.workflows.mine.plan_costs import (
    Calibration,
    Cost,
    Size,
    cost_of,
    machines_for,
    speed_at,
    workers_that_fit,
)
from paraloom.workflows.mine.plan_look import candidates_at, probes_at
from paraloom.workflows.mine.plan_options import PlanOptions, check_plan, read_bytes, read_count, read_seconds

KINDS: tuple[tuple[str, str | None], ...] = (("exact", None), ("ivf", "int8"), ("ivf", "pq"))
PACKED = 3.0
"""How many times as large a compressed file is unpacked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One choice of index, dimensions and embedder, and what it takes."""

    cost: Cost
    seconds: float
    """In all, on the machines that were asked for."""
    steps: dict[str, float]
    """By step."""
    workers: int
    """Helper processes a machine; fewer than cores where memory is short, 0 where it is too short."""
    memory: int
    """Bytes that all processes of a machine hold."""
    machines_needed: int | None
    """To end within the time asked for; None where none was, or no number of machines does."""
    is_chosen: bool = False

    @property
    def name(self) -> str:
        """The choice in a few words."""
        choice = self.cost.choice
        kind = choice.kind if choice.kind == "exact" else f"{choice.kind} {choice.codes}"
        return f"{self.cost.embedder} {choice.dims} {kind}"

    def told(self) -> dict[str, Any]:
        """All of it, for programs."""
        choice = self.cost.choice
        return {
            "embedder": self.cost.embedder,
            "dims": choice.dims,
            "index": choice.kind,
            "codes": choice.codes,
            "lists": choice.lists,
            "cells": choice.cells,
            "seconds": round(self.seconds, 1),
            "steps": {step: round(seconds, 1) for step, seconds in self.steps.items()},
            "workers": self.workers,
            "memory_bytes": self.memory,
            "disk_bytes": self.cost.disk,
            "machines_needed": self.machines_needed,
            "is_chosen": self.is_chosen,
        }


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
        lines = [
            f"{self.sentences:,} sentences on {where}: {shown_seconds(best.seconds)} ({word}), "
            f"{shown_bytes(best.memory)} of memory a machine, {shown_bytes(best.cost.disk)} of disk.",
            f"A run would choose {best.name}. {self.reason}",
            "",
            *(f"  {step:18} {shown_seconds(seconds):>10}" for step, seconds in best.steps.items()),
            "",
            f"  {'way':24} {'time':>10} {'memory':>10} {'disk':>10} {'workers':>8}  machines in time",
        ]
        for way in self.ways:
            needed = "" if way.machines_needed is None else f"{way.machines_needed:,}"
            memory, disk = shown_bytes(way.memory), shown_bytes(way.cost.disk)
            time = shown_seconds(way.seconds) if way.workers else "no room"
            lines.append(f"  {way.name:24} {time:>10} {memory:>10} {disk:>10} {way.workers:>8}  {needed}")
        return "\n".join([*lines, "", *(f"- {note}" for note in self.notes)])


def plan_mining(file: Path | None = None, options: PlanOptions = PlanOptions(), *, calibrate: bool = False) -> Plan:
    """Plan by what was measured on this machine before; it is measured now where nothing was, or on `calibrate`."""
    from paraloom.workflows.mine.plan_calibration import calibrated

    check_plan(options)
    if not options.sentences and file is None:
        raise InputError("Say how many sentences are to be mined (--sentences 400M), or give a file of them.")
    if file is not None and not file.is_file():
        raise InputError(f"{file} is no file. Give one of the files of sentences, or leave it out.")
    return plan_by(calibrated(file, options, anew=calibrate), file, options)


def plan_by(measured: Calibration, file: Path | None, options: PlanOptions) -> Plan:
    """Plan by these measurements."""
    check_plan(options)
    sentences = read_count(options.sentences) if options.sentences else _held_by(file, measured.bytes_a_sentence)
    cores = options.cores or measured.cores
    each = options.pairs_each or candidates_at(measured.look, sentences, options.neighbours)
    probes = options.probes or probes_at(measured.look, sentences)
    candidates = sentences * each
    judged = candidates * measured.kept_share if options.identify else 0.0
    judged = judged if options.judge_most is None else min(judged, options.judge_most)
    size = Size(sentences=sentences, neighbours=options.neighbours, candidates=candidates, judged=judged)
    chosen, ways = _ways(measured, replace(options, probes=probes), size, cores)
    return Plan(
        sentences=sentences,
        is_estimated=sentences > measured.sentences,
        machines=options.machines,
        cores=cores,
        ways=ways,
        measured=measured,
        reason=chosen,
        notes=_notes(measured, options, size, each, probes),
    )


def _held_by(file: Path | None, bytes_each: float) -> int:
    assert file is not None, "either sentences or a file is given"
    packed = PACKED if file.suffix.lower() in (".gz", ".zst", ".bz2", ".xz") else 1.0
    return max(round(file.stat().st_size * packed / bytes_each), 1)


def _ways(measured: Calibration, options: PlanOptions, size: Size, cores: int) -> tuple[str, list[Way]]:
    """Why a run would choose what it would, and all ways, that one first."""
    from shutil import disk_usage

    from paraloom.workflows.mine.plan_calibration import DIMS

    disk = read_bytes(options.disk) if options.disk else disk_usage(Path.cwd()).free
    own = options.dims or measured.embedder_dims[options.embedder]
    speed = speed_at(measured, own) * measured.together * cores * options.machines
    chosen = choose_index(size.sentences, own, speed=speed, disk=disk)
    ways = [_way(measured, options, size, cores, chosen, options.embedder, is_chosen=True)]
    for embedder, most in measured.embedder_dims.items():
        asked = own if embedder == options.embedder else most
        for dims in sorted({*(each for each in DIMS if each <= most), asked}):
            speed = speed_at(measured, dims) * measured.together * cores * options.machines
            for kind, codes in KINDS:
                choice = choose_index(size.sentences, dims, speed=speed, disk=disk, kind=kind, codes=codes)
                is_same = (kind, choice.codes, dims, embedder) == (chosen.kind, chosen.codes, own, options.embedder)
                if not is_same:
                    ways.append(_way(measured, options, size, cores, choice, embedder))
    return chosen.reason, [ways[0], *sorted(ways[1:], key=lambda way: (not way.workers, way.seconds))]


def _way(
    measured: Calibration,
    options: PlanOptions,
    size: Size,
    cores: int,
    choice: Choice,
    embedder: str,
    *,
    is_chosen: bool = False,
) -> Way:
    cost = cost_of(measured, choice, embedder, size, options.probes)
    workers = workers_that_fit(cost, read_bytes(options.memory), cores) if options.memory else cores
    at_work = max(workers, 1) * measured.together
    return Way(
        cost=cost,
        seconds=cost.total(at_work * options.machines, options.machines),
        steps=cost.seconds(at_work * options.machines, options.machines),
        workers=workers,
        memory=cost.memory_main + max(workers, 1) * cost.memory_worker,
        machines_needed=machines_for(cost, read_seconds(options.within), at_work) if options.within else None,
        is_chosen=is_chosen,
    )


def _notes(measured: Calibration, options: PlanOptions, size: Size, each: float, probes: int) -> list[str]:
    look = measured.look
    notes = [
        f"Measured with {measured.sentences:,} sentences of {measured.sample} on {measured.machine}, "
        f"{measured.cores} cores; anything beyond is estimated.",
        f"With lists, each sentence is supposed to look into {probes:,} of them"
        + (
            " (--probes)"
            if options.probes
            else f": {look.probes:,} were needed for {look.sentences:,} sentences (--probes)"
        )
        + "; a run finds out how many its recall needs.",
        f"{each:.2g} candidate pairs a sentence are supposed"
        + (
            " (--pairs-each)."
            if options.pairs_each
            else ", by how near those sentences are to each other (--pairs-each)."
        ),
    ]
    if size.judged:
        notes.append(
            f"{size.judged:,.0f} pairs are judged by the identifier. --judge-most N or --no-identify makes it quicker."
        )
    if options.machines > 1:
        notes.append("Machines are taken to share a disk as fast as this one each, and a network that is no hindrance.")
    return notes


def shown_seconds(seconds: float) -> str:
    """A time as people say it.

    >>> [shown_seconds(each) for each in (0.4, 75, 5400, 200_000, 90_000_000)]
    ['0.4 s', '75 s', '90 min', '56 h', '1,042 d']
    """
    for unit, size, least in (("d", 86_400.0, 4.0), ("h", 3600.0, 3.0), ("min", 60.0, 3.0)):
        if seconds >= size * least:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:,.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


def shown_bytes(size: float) -> str:
    """An amount as people say it.

    >>> shown_bytes(2_500_000), shown_bytes(1.2e12)
    ('2.5 MB', '1.2 TB')
    """
    for unit, one in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if size >= one:
            return f"{size / one:,.1f} {unit}"
    return f"{size / 1e3:,.1f} KB"
