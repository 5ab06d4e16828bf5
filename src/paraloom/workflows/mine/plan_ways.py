"""How many sentences in; every way to mine them out: index, dimensions, embedder, and what each takes.

The one that a run would choose comes first.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paraloom.engine.memory import available_memory
from paraloom.models.neighbours.choice import Choice, choose_index, rooms_of
from paraloom.workflows.mine.plan_costs import Calibration, Cost, Size, cost_of, machines_for, parts_of, speed_at
from paraloom.workflows.mine.plan_look import candidates_at, probes_at
from paraloom.workflows.mine.plan_options import PlanOptions, read_bytes, read_seconds
from paraloom.workflows.mine.plan_room import Disk, disk_of, memory_of, workers_that_fit

KINDS: tuple[tuple[str, str | None], ...] = (("exact", None), ("ivf", "int8"), ("ivf", "pq"))
DIMS = (64, 128, 256)
"""Dimensions that every plan compares."""
TIMES = ("1h", "24h")
"""Machines are told for these where no time is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One choice of index, dimensions and embedder, and what it takes."""

    cost: Cost
    size: Size
    seconds: float
    """In all, on the machines that were asked for."""
    steps: dict[str, float]
    """By step."""
    workers: int
    """Helper processes a machine; fewer than cores where memory is short, or is needed for the index; 0 where it is too
    short."""
    memory: int
    """Bytes that all processes of a machine hold."""
    disk: Disk
    machines: Mapping[str, int | None]
    """How many end it in a time; None where no number of machines does."""
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
            "pairs": round(self.size.candidates),
            "judged": round(self.size.judged),
            "seconds": round(self.seconds, 1),
            "steps": {step: round(seconds, 1) for step, seconds in self.steps.items()},
            "workers": self.workers,
            "memory_bytes": self.memory,
            "disk_bytes": self.disk.kept,
            "peak_disk_bytes": self.disk.most,
            "machines_within": dict(self.machines),
            "is_chosen": self.is_chosen,
        }


def ways_of(measured: Calibration, options: PlanOptions, sentences: int, cores: int) -> list[Way]:
    """All ways: the one that a run would choose, then the others, quickest first."""
    from shutil import disk_usage

    free = read_bytes(options.disk) if options.disk else disk_usage(Path.cwd()).free
    memory = read_bytes(options.memory) if options.memory else available_memory() or sys.maxsize
    own = options.dims or measured.embedder_dims[options.embedder]

    def choice_of(dims: int, kind: str | None = None, codes: str | None = None) -> Choice:
        speed = speed_at(measured, dims) * cores * options.machines  # as a run reckons when it chooses
        vectors = rooms_of(Choice(kind="exact", sentences=sentences, dims=dims), options.neighbours)["vectors"]
        left = free - vectors.kept - round(measured.tables["sentences"].kept * sentences)
        return choose_index(
            sentences,
            dims,
            speed=speed,
            disk=left,
            memory=memory,
            kind=kind,
            codes=codes,
            neighbours=options.neighbours,
        )

    chosen = choice_of(own)
    ways = {}
    for embedder, most in measured.embedder_dims.items():
        asked = own if embedder == options.embedder else most
        for dims in sorted({*(each for each in DIMS if each <= most), asked}):
            for kind, codes in KINDS:
                way = _way(measured, options, cores, choice_of(dims, kind, codes), embedder, memory)
                ways[way.name] = way
    first = replace(_way(measured, options, cores, chosen, options.embedder, memory), is_chosen=True)
    ways.pop(first.name, None)
    return [first, *sorted(ways.values(), key=lambda way: (not way.workers, way.seconds))]


def _way(measured: Calibration, options: PlanOptions, cores: int, choice: Choice, embedder: str, memory: int) -> Way:
    size = size_of(measured, options, choice.sentences, embedder, choice.dims)
    probes = options.probes or probes_at(measured.look, choice.sentences)
    disk = disk_of(measured, choice, embedder, size)
    held = memory_of(measured, choice, embedder, size, probes)
    # Fewer workers than fit may be quicker, where what they leave of the memory holds the index.
    index = rooms_of(choice, size.neighbours)["index"].kept
    fitting = {workers_that_fit(held, memory - left, cores) for left in (0, index)}
    costs = {
        workers: cost_of(
            measured,
            choice,
            embedder,
            size,
            probes,
            written=disk.written,
            cache=max(memory - held.of(max(workers, 1)), 0),
        )
        for workers in fitting - {0} or {0}
    }
    workers, cost = min(costs.items(), key=lambda each: (each[1].total(max(each[0], 1), options.machines), -each[0]))
    times = (options.within,) if options.within else TIMES
    return Way(
        cost=cost,
        size=size,
        seconds=cost.total(max(workers, 1), options.machines),
        steps=cost.seconds(max(workers, 1), options.machines),
        workers=workers,
        memory=held.of(max(workers, 1)),
        disk=disk,
        machines={time: machines_for(cost, read_seconds(time), workers) if workers else None for time in times},
    )


def size_of(measured: Calibration, options: PlanOptions, sentences: int, embedder: str, dims: int) -> Size:
    """How much there is to do with vectors of some size. Other embedders are taken to find as many pairs as the one
    that is meant."""
    look = measured.looks.get(str(dims), measured.look) if embedder == measured.embedder else measured.look
    each = options.pairs_each or candidates_at(look, sentences, options.neighbours) * (
        measured.mutual_share if options.mutual else 1.0
    )
    candidates = sentences * each
    kept = candidates * measured.kept_share
    judged = 0.0 if not options.identify else kept if options.judge_most is None else min(kept, options.judge_most)
    written = kept if not options.identify else judged * (measured.true_share if judged == kept else 1.0)
    return Size(
        sentences=sentences,
        neighbours=options.neighbours,
        candidates=candidates,
        judged=judged,
        written=written,
        parts=parts_of(sentences, measured.bytes_counted),
    )
