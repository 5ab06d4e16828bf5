"""Files of sentences in, a run folder with the pairs of them that say the same out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.workflows.mine.options import MineOptions, check_ranges
from paraloom.workflows.mine.publish import Mined, targets_of
from paraloom.workflows.tables_in_order import PACKED, Progress

if TYPE_CHECKING:
    from paraloom.engine.steps import Place
    from paraloom.workflows.mine.input_files import Given

SECONDS = "seconds.json"


def mine(
    files: Sequence[str | Path],
    out: Path,
    options: MineOptions | None = None,
    *,
    progress: Progress = lambda table, name, done, total: None,
) -> Mined:
    """Find the pairs of sentences that say the same; what is there already, made the same way, is kept.

    `out` is a run folder, or a file of pairs, beside which the run folder lies.
    """
    from paraloom.workflows.mine.publish import publish

    options = options or MineOptions()
    run, file = targets_of(out)
    with _at_work(files, run, options, progress) as (given, place):
        for name, make in _plans(given, options, place).items():
            _make(place.run, name, make)
        return publish(place, file, options, seconds_of(run))


def index_alone(files: Sequence[str | Path], run: Path, options: MineOptions, *, progress: Progress) -> None:
    """The first steps of a run, up to its index."""
    with _at_work(files, run, options, progress) as (given, place):
        for name, make in _plans(given, options, place).items():
            _make(place.run, name, make)
            if name == "index":
                return


@contextmanager
def _at_work(
    files: Sequence[str | Path], run: Path, options: MineOptions, progress: Progress
) -> Iterator[tuple[Given, Place]]:
    """What is given, and where it is worked on, alone in the run folder."""
    from paraloom.engine import places, steps, store
    from paraloom.engine.buckets import bucket_count
    from paraloom.workflows.mine.input_files import given_files

    check_ranges(options)
    given = given_files(files, options.lines.columns)
    check_options(options)
    buckets = bucket_count(sum(chunk.size * (PACKED if chunk.compression else 1) for chunk in given.chunks))
    run.mkdir(parents=True, exist_ok=True)
    with store.alone_in(run), places.at(options.place) as workers:
        place = steps.Place(
            run=run.resolve(),
            buckets=buckets,
            workers=workers,
            on_ray=options.place.engine == "ray",
            progress=progress,
        )
        yield given, place


def _make(run: Path, name: str, make: Callable[[], object]) -> None:
    """Take one step, and note how long it took."""
    from paraloom.engine.store import made_by_file

    started = time.monotonic()
    was_there = made_by_file(run, name).is_file()
    make()
    if not was_there:
        _add_seconds(run, name, time.monotonic() - started)


def _plans(given: Given, options: MineOptions, place: Place) -> dict[str, Callable[[], object]]:
    """What makes each table or folder, in order; each is planned when those before it are there."""
    from paraloom.engine.folders import make_folder
    from paraloom.engine.steps import make
    from paraloom.models.embedders import weight_files
    from paraloom.workflows.mine.candidates_step import candidates_step
    from paraloom.workflows.mine.clusters_step import clusters_step
    from paraloom.workflows.mine.earlier_runs import same_vectors
    from paraloom.workflows.mine.index_step import choose, index_step
    from paraloom.workflows.mine.labels_step import labels_step
    from paraloom.workflows.mine.neighbours_step import neighbours_step
    from paraloom.workflows.mine.pairs_step import pairs_step
    from paraloom.workflows.mine.sentences_step import sentences_step
    from paraloom.workflows.mine.vectors_step import vectors_step

    run = place.run
    earlier = same_vectors(given.runs, options.embed, weight_files(options.embed.embedder))
    plans: dict[str, Callable[[], object]] = {
        "sentences": lambda: make(sentences_step(given.chunks, given.files, options.lines), place),
        "vectors": lambda: make_folder(vectors_step(run, options.embed, earlier), place),
        "index": lambda: make_folder(
            index_step(
                run,
                options.search,
                choose(run, options.search, place.workers, earlier, device=options.embed.device),
                earlier,
                min_similarity=options.pairs.min_similarity,
            ),
            place,
        ),
        "neighbours": lambda: make_folder(neighbours_step(run, options.search, options.embed.device), place),
        "candidates": lambda: make_folder(candidates_step(run, options.pairs), place),
        "pairs": lambda: make(pairs_step(run, options.pairs, f"neighbours:{Path(options.embed.embedder).name}"), place),
    }
    if options.judge.identify:
        plans["labels"] = lambda: make(labels_step(options.judge), place)
    return plans | {"clusters": lambda: make_folder(clusters_step(run), place)}


def check_options(options: MineOptions) -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.labels.label import load_identifier
    from paraloom.models.neighbours.codes import check_dims
    from paraloom.workflows.mine.labels_step import label_options
    from paraloom.workflows.mine.vectors_step import load

    check_dims(load(options.embed).dims)
    if options.judge.identify:
        load_identifier(label_options(options.judge))


def _add_seconds(run: Path, name: str, seconds: float) -> None:
    """Note how long a step took; a step that was taken up again adds to what it took before."""
    from paraloom.engine.store import write_text

    before = seconds_of(run)
    before[name] = round(before.get(name, 0.0) + seconds, 3)
    write_text(run / SECONDS, json.dumps(before, indent=2) + "\n")


def seconds_of(run: Path) -> dict[str, float]:
    """How long each step took."""
    file = run / SECONDS
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
