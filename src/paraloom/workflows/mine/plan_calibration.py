"""A sample of sentences in, what mining costs on this machine out: three small runs, and a few short measurements.

The runs are those of `paraloom mine`, in this process alone. What each of their rounds took is counted in seconds of
the processor, so that a busy machine makes no other plan. It is kept in Paraloom's cache for the next plan.
"""

from __future__ import annotations

import json
import platform
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.sentences.line_options import LineOptions
from paraloom.workflows.mine.plan_costs import (
    LOOKED_FOR,
    PRODUCTS,
    Calibration,
    ModelCost,
    RoundCost,
    TableBytes,
    flop_of,
    speed_at,
    unit_of,
)
from paraloom.workflows.mine.plan_look import Look, look_at, look_at_size
from paraloom.workflows.mine.plan_machine import SPEED_SECONDS, Helpers, disk_speeds, helpers
from paraloom.workflows.mine.plan_models import check_models, measure_embedder, measure_identifier
from paraloom.workflows.mine.plan_options import PlanOptions
from paraloom.workflows.mine.plan_runs import ENOUGH_PAIRS, MANY_PAIRS, MeasuredRun, memory_of_small_run, small_run
from paraloom.workflows.mine.plan_sample import sample_sentences
from paraloom.workflows.mine.plan_ways import DIMS

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.workflows.mine.input_files import Given

SENTENCES = 16_000
"""Of the second run; the first one has a quarter."""
LOOKED_AT = 250_000
"""Sentences of the sample: the largest run has all that the embedder does in time."""
FEWEST = 1000
EMBEDDED_SECONDS = 10.0
"""No sample is larger than what one core embeds in this time."""
WIDTHS = (32, 128, 512)
"""Sentences of a list that a search is timed with."""
COMPARED = ("fast", "good")
"""Embedders that every plan compares."""
FIRST = 200
"""Sentences of a run that is made to load and compile what the others need, and to see what memory that takes."""
MOST_JUDGED = 4096
"""Pairs that the identifier is asked about, at most."""
VERSION = 5
"""Of what is kept."""


def calibrated(
    given: Given | None,
    options: PlanOptions,
    lines: LineOptions = LineOptions(),
    *,
    anew: bool = False,
    tell: Callable[[str], None] | None = None,
) -> Calibration:
    """What was measured on this machine before, for the same sample and embedder, or is measured now."""
    from paraloom.engine.store import write_text

    kept = kept_in(given, options, lines)
    if not anew and kept.is_file():
        return read_calibration(kept)
    check_models(options)
    if tell is not None:
        tell("Measuring how fast this machine is. That takes two or three minutes, and is kept for the next plan.")
    measured = calibrate(given, options, lines)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_text(kept, json.dumps(asdict(measured), indent=1, sort_keys=True) + "\n")
    return measured


def read_calibration(file: Path) -> Calibration:
    """What was measured before."""
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for name, kind in (("look", Look), ("judging", ModelCost)):
        told[name] = kind(**told[name])
    for name, each in (("rounds", RoundCost), ("looks", Look), ("embedders", ModelCost), ("tables", TableBytes)):
        told[name] = {key: each(**values) for key, values in told[name].items()}
    return Calibration(**told)


def kept_in(given: Given | None, options: PlanOptions, lines: LineOptions = LineOptions()) -> Path:
    """Where what is measured here is kept: for this machine, source code, sample and embedder."""
    from paraloom.engine.signatures import hash_of_source
    from paraloom.models.shelf import cache_folder
    from paraloom.workflows.bench.machine import this_machine

    here = this_machine()
    source = hash_of_source(("models", "pairs", "sentences", "workflows"))
    asked: list[Any] = [VERSION, source, platform.node(), here.processor, here.cores, options.embedder, options.dims]
    asked += [options.neighbours, options.recall, options.min_similarity, options.mutual, options.lexical_band]
    asked += [options.identifier]
    if given:
        sample = [(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in given.files.values()]
        asked += [asdict(lines), *sorted(sample)]
    name = blake2b(json.dumps(asked).encode(), digest_size=8).hexdigest()
    return cache_folder().parent / "plans" / f"mine-{name}.json"


def calibrate(given: Given | None, options: PlanOptions, lines: LineOptions = LineOptions()) -> Calibration:
    """Measure it."""
    from paraloom.models.neighbours.choice import calibrated_speed
    from paraloom.workflows.bench.machine import this_machine

    sample = sample_sentences(given, LOOKED_AT, lines)
    texts = sample.texts
    embedders = {
        name: measure_embedder(name, texts[:SENTENCES]) for name in dict.fromkeys((options.embedder, *COMPARED))
    }
    own = embedders[options.embedder]
    seen = [helpers(options.dims or own.dims)]
    affordable = max(int(EMBEDDED_SECONDS / own.cost.each), FEWEST)
    some = texts[: min(SENTENCES, affordable)]
    many = texts[: max(affordable, len(some))]
    with tempfile.TemporaryDirectory(prefix="paraloom-plan-") as named:
        folder = Path(named)
        memory_main = memory_of_small_run(some[:FIRST], folder / "alone", options)
        small_run(some[:FIRST], folder / "first", options)  # loads and compiles what the others need
        runs = [
            MeasuredRun.made(some[: len(some) // 4], folder / "less", options, min_similarity=MANY_PAIRS),
            MeasuredRun.made(some, folder / "more", options, min_similarity=MANY_PAIRS),
        ]
        seen.append(helpers(options.dims or own.dims))
        runs.append(MeasuredRun.made(many, folder / "many", options))
        seen.append(helpers(options.dims or own.dims))
        # Of few sentences every text is in many pairs, which packs well: sizes are those of the largest run, if it can.
        found = next((run for run in reversed(runs) if run.size.candidates >= ENOUGH_PAIRS), runs[1])
        shares = shares_of(found.pairs(("is_mutual", "lexical", "dropped_for")), options)
        judging = measure_identifier(
            options.identifier, found.pairs(("pair_id", "left", "right")).slice(0, MOST_JUDGED)
        )
        look = look_at(runs[-1].folder, options.neighbours, options.min_similarity)
        speeds_of_disk = disk_speeds(folder)
        tables = found.tables()
    dims = runs[-1].choice.dims
    looks = {
        str(each): look_at_size(many, options.embedder, each, look, options)
        for each in DIMS
        if each < own.dims and each != dims and not own.cost.is_network  # which would take as long again
    }
    speeds = {str(each): calibrated_speed(each, seconds=SPEED_SECONDS) for each in sorted({*DIMS, dims})}
    helped = Helpers.at([*seen, helpers(dims)])
    here = this_machine()
    partly = Calibration(
        machine=f"{platform.node()}, {here.processor}",
        cores=here.cores,
        embedder=options.embedder,
        dims=dims,
        sentences=runs[-1].size.sentences,
        sample=given.name if given else "the bundled sample",
        bytes_a_sentence=sample.bytes_each,
        bytes_counted=sample.counted_each,
        text_bytes=sum(len(text.encode("utf-8", "replace")) for text in some) / len(some),
        look=look,
        looks=looks | {str(dims): look},
        mutual_share=shares[0],
        kept_share=shares[1],
        true_share=judging.true_share,
        rounds={},
        speeds=speeds,
        in_lists={
            str(width): min(calibrated_speed(dims, seconds=SPEED_SECONDS, width=width) / speeds[str(dims)], 1.0)
            for width in WIDTHS
        },
        together=helped.share,
        embedders={name: each.cost for name, each in embedders.items()},
        embedder_dims={name: each.dims for name, each in embedders.items()},
        identifier=options.identifier,
        judging=judging.cost,
        memory_main=memory_main,
        memory_helper=helped.memory,
        start_seconds=helped.ready,
        write_speed=speeds_of_disk.write,
        read_speed=speeds_of_disk.again,
        disk_speed=speeds_of_disk.through,
        page_speed=speeds_of_disk.pages,
        tables=tables,
    )
    return replace(partly, rounds=_rounds(runs, partly))


def shares_of(pairs: pa.Table, options: PlanOptions) -> tuple[float, float]:
    """Of a run's pairs the share of mutual ones, and of those that would be proposed the share that is kept."""
    import pyarrow.compute as pc

    if not len(pairs):
        return 1.0, 1.0
    mutual = pairs.filter(pc.field("is_mutual"))
    proposed = mutual if options.mutual else pairs
    low, high = options.lexical_band
    in_band = (pc.field("lexical") >= low) & (pc.field("lexical") <= high)
    kept = proposed.filter(pc.field("dropped_for").is_null() & in_band)
    return len(mutual) / len(pairs), len(kept) / max(len(proposed), 1)


def _rounds(runs: Sequence[MeasuredRun], measured: Calibration) -> dict[str, RoundCost]:
    """What every round costs, by the two runs that had most to do in it."""
    speed = speed_at(measured, measured.dims) * 1e9
    costs = {}
    for name in dict.fromkeys(name for run in runs for name in run.seconds):
        amounts = {run.folder: run.size.amounts(run.choice)[unit_of(name)] for run in runs}
        less, more = sorted(runs, key=lambda run: amounts[run.folder])[-2:]
        rest = [
            max(run.seconds.get(name, 0.0) - flop_of(name, run.choice, run.probes, measured, run.size) / speed, 0.0)
            for run in (less, more)
        ]
        if name.endswith(LOOKED_FOR) and not name.startswith("sentences/"):  # of sentences the files are hashed
            costs[name] = RoundCost(each=0.0, fixed=sum(rest) / len(rest))
        else:
            of_two = [amounts[run.folder] for run in (less, more)]
            costs[name] = round_cost(rest, of_two, is_product=name in PRODUCTS or name == "index/probes")
    return costs


def round_cost(seconds: Sequence[float], amounts: Sequence[float], *, is_product: bool = False) -> RoundCost:
    """A line through two measurements; through the larger one alone where the smaller one took no less.

    >>> round_cost([1.5, 3.0], [100, 400])
    RoundCost(each=0.005, fixed=1.0)
    >>> round_cost([1.0, 0.8], [100, 400])
    RoundCost(each=0.002, fixed=0.0)
    """
    less, more = amounts
    if more > less and seconds[1] > seconds[0]:
        each = (seconds[1] - seconds[0]) / (more - less)
        return RoundCost(each=each, fixed=0.0 if is_product else max(seconds[0] - each * less, 0.0))
    return RoundCost(each=seconds[1] / max(more, 1.0))
