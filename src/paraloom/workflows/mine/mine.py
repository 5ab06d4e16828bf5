"""Files of sentences in, a run folder with the pairs of them that say the same out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from paraloom.text.file_names import told_name
from paraloom.workflows.mine.options import MineOptions, check_ranges
from paraloom.workflows.mine.publish import Mined, targets_of
from paraloom.workflows.mine.whole_paths import with_whole_paths
from paraloom.workflows.tables_in_order import PACKED, Progress

if TYPE_CHECKING:
    from paraloom.engine.steps import Place
    from paraloom.workflows.mine.earlier_runs import Earlier
    from paraloom.workflows.mine.input_files import Given
    from paraloom.workflows.mine.labels_step import Judging

Tell = Callable[[str], None]
"""Given a line for a person who waits."""
SECONDS = "seconds.json"


def mine(
    files: Sequence[str | Path],
    out: str | Path,
    options: MineOptions | None = None,
    *,
    progress: Progress = lambda table, name, done, total: None,
    tell: Tell | None = None,
) -> Mined:
    """Find the pairs of sentences that say the same; what is there already, made the same way, is kept.

    `out` is a run folder, or a file of pairs, beside which the run folder lies. `tell` is given lines for a person who
    waits.
    """
    from paraloom.workflows.mine.memory import fitting
    from paraloom.workflows.mine.own_file import clear_begun, file_made_from
    from paraloom.workflows.mine.publish import publish
    from paraloom.workflows.mine.run_options import note_options

    options = with_whole_paths(options or MineOptions())
    run, file = targets_of(Path(out))
    with _at_work(files, run, options, progress, file) as (given, place):
        there = file_made_from(run, file)
        clear_begun(run, file)
        if tell is not None:
            for line in given.told:
                tell(line)
        _refuse_ahead(options, place)
        place = fitting(options, place, _bytes_of(given), tell)
        earlier = earlier_of(given, options, tell)
        _make_sentences(given, options, place)
        earlier = large_enough(earlier, place.run, tell)
        for name, make in _plans(given, options, place, earlier, tell).items():
            _make(place.run, name, make)
            note_options(place.run, name, options)
        return publish(place, file, options, seconds_of(run), earlier, there=there)


def index_alone(files: Sequence[str | Path], run: Path, options: MineOptions, *, progress: Progress) -> None:
    """The first steps of a run, up to its index."""
    with _at_work(files, run, options, progress) as (given, place):
        _make_sentences(given, options, place)
        earlier = large_enough(earlier_of(given, options), place.run)
        for name, make in _plans(given, options, place, earlier).items():
            _make(place.run, name, make)
            if name == "index":
                return


@contextmanager
def _at_work(
    files: Sequence[str | Path], run: Path, options: MineOptions, progress: Progress, file: Path | None = None
) -> Iterator[tuple[Given, Place]]:
    """What is given, and where it is worked on, alone in the run folder."""
    from paraloom.engine import places, steps, store
    from paraloom.engine.buckets import bucket_count
    from paraloom.engine.run_folders import check_run_folder
    from paraloom.workflows.mine.input_files import given_files

    check_ranges(options)
    check_run_folder(run)
    given = given_files(files, options.lines, leave_out=[run] if file is None else [run, file])
    check_options(options)
    buckets = bucket_count(_bytes_of(given))
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


def _bytes_of(given: Given) -> int:
    """How much text there is, about."""
    return sum(chunk.size * (PACKED if chunk.compression else 1) for chunk in given.chunks)


def _make(run: Path, name: str, make: Callable[[], object]) -> None:
    """Take one step, and note how long it took."""
    from paraloom.engine.store import made_by_file

    started = time.monotonic()
    file = made_by_file(run, name)
    before = file.read_bytes() if file.is_file() else None
    try:
        make()
    except KeyboardInterrupt:  # it goes on later; of a run that is killed nobody tells
        _note_seconds(run, name, time.monotonic() - started, is_anew=before is not None)
        raise
    if file.read_bytes() != before:
        _note_seconds(run, name, time.monotonic() - started, is_anew=before is not None)


def earlier_of(given: Given, options: MineOptions, tell: Tell | None = None) -> Earlier:
    """What mined runs among the files have that can be used again; of those that have nothing, a person is told now."""
    from paraloom.models.embedders import weight_files
    from paraloom.workflows.mine.earlier_runs import same_vectors
    from paraloom.workflows.mine.earlier_told import nothing_used

    earlier = same_vectors(given.runs, options.embed, weight_files(options.embed.embedder))
    if tell is not None:
        for run, why in earlier.passed_over:
            tell(nothing_used(run, why))
    return earlier


def large_enough(earlier: Earlier, run: Path, tell: Tell | None = None) -> Earlier:
    """What of it is used again now that the sentences are there; of a run that is too small for them, a person is
    told."""
    from paraloom.engine.store import read_made_by
    from paraloom.workflows.mine.earlier_runs import without_small
    from paraloom.workflows.mine.earlier_told import nothing_used

    enough = without_small(earlier, int(read_made_by(run, "sentences")["rows"]))
    if tell is not None:
        for small, why in enough.passed_over[len(earlier.passed_over) :]:
            tell(nothing_used(small, why))
    return enough


def _refuse_ahead(options: MineOptions, place: Place) -> None:
    """An error now for labels by another identifier, and not when all before them has been made."""
    from paraloom.engine.steps import refuse_ahead
    from paraloom.workflows.mine.labels_step import labels_step

    if options.judge.identify:
        refuse_ahead(labels_step(place.run, options.judge), place)


def _make_sentences(given: Given, options: MineOptions, place: Place) -> None:
    """The first step: of how many sentences there are it hangs what of earlier runs is used again."""
    from paraloom.engine.steps import make
    from paraloom.workflows.mine.sentences_step import sentences_step

    step = sentences_step(given.chunks, given.files, options.lines)
    _make(place.run, "sentences", lambda: make(step, place))


def _plans(
    given: Given, options: MineOptions, place: Place, earlier: Earlier, tell: Tell | None = None
) -> dict[str, Callable[[], object]]:
    """What makes each table or folder of the sentences, in order; each is planned when those before it are there."""
    from paraloom.engine.folders import make_folder
    from paraloom.engine.steps import make
    from paraloom.workflows.mine.candidates_step import candidates_step
    from paraloom.workflows.mine.clusters_step import clusters_step
    from paraloom.workflows.mine.index_step import choose, index_step
    from paraloom.workflows.mine.labels_step import labels_step
    from paraloom.workflows.mine.memory import fitting_pairs, memory_allowed
    from paraloom.workflows.mine.neighbours_step import neighbours_step
    from paraloom.workflows.mine.pairs_step import pairs_step
    from paraloom.workflows.mine.vectors_step import vectors_step

    run = place.run
    plans: dict[str, Callable[[], object]] = {
        "vectors": lambda: make_folder(vectors_step(run, options.embed, earlier, on_ray=place.on_ray), place),
        "index": lambda: make_folder(
            index_step(
                run,
                options.search,
                choose(
                    run,
                    options.search,
                    place.workers,
                    earlier,
                    device=options.embed.device,
                    on_ray=place.on_ray,
                    memory=memory_allowed(options),
                ),
                earlier,
                min_similarity=options.pairs.min_similarity,
            ),
            place,
        ),
        "neighbours": lambda: make_folder(neighbours_step(run, options.search, options.embed.device, earlier), place),
        "candidates": lambda: make_folder(candidates_step(run, options.pairs), place),
        "pairs": lambda: make(
            pairs_step(run, options.pairs, f"neighbours:{told_name(Path(options.embed.embedder).name)}"),
            fitting_pairs(options, place, tell),
        ),
    }
    if options.judge.identify:
        begin = partial(_tell_of_judging, options, place.workers, tell)
        plans["labels"] = lambda: make(labels_step(run, options.judge, given.runs, begin=begin), place)
    clusters = partial(clusters_step, run, is_judged=options.judge.identify)
    return plans | {"clusters": lambda: make_folder(clusters(), place)}


def _tell_of_judging(options: MineOptions, workers: int, tell: Tell | None, judging: Judging) -> None:
    from paraloom.workflows.mine.judging_told import told_before_judging
    from paraloom.workflows.mine.labels_step import label_options

    if tell is not None:
        for line in told_before_judging(judging, label_options(options.judge), workers):
            tell(line)


def check_options(options: MineOptions) -> None:
    """An error now for what cannot be, not when its step has its turn, which may be hours later."""
    from paraloom.labels.label import load_identifier
    from paraloom.models.embedders import embedder_folder
    from paraloom.models.neighbours.codes import check_dims
    from paraloom.models.neighbours.torch_search import torch_on
    from paraloom.workflows.mine.labels_step import label_options
    from paraloom.workflows.mine.vectors_step import load

    if options.embed.device == "cuda" and options.place.engine == "local":  # on Ray other nodes may have one
        torch_on("cuda")
    embedder_folder(options.embed.embedder, hub=options.hub)
    here = options.embed if options.place.engine == "local" else replace(options.embed, device="cpu")
    check_dims(load(here).dims)
    if options.judge.identify:
        load_identifier(label_options(options.judge))


def _note_seconds(run: Path, name: str, seconds: float, *, is_anew: bool) -> None:
    """Note how long a step took; one that was taken up again adds to what it took before, one made anew does not."""
    from paraloom.engine.store import write_text

    before = seconds_of(run)
    before[name] = round((0.0 if is_anew else before.get(name, 0.0)) + seconds, 3)
    write_text(run / SECONDS, json.dumps(before, indent=2) + "\n")


def seconds_of(run: Path) -> dict[str, float]:
    """How long each step took."""
    file = run / SECONDS
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
