"""A sample of sentences in, what mining costs on this machine out: two small runs, an index, a few short measurements.

The runs are those of `paraloom mine`, in this process alone. What each of their rounds took is counted in seconds of
the processor, so that a busy machine makes no other plan. It is kept in Paraloom's cache for the next plan.
"""

from __future__ import annotations

import json
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paraloom.errors import InputError
from paraloom.workflows.mine.plan_costs import PRODUCTS, Calibration, RoundCost, Size, flop_of, speed_at, unit_of
from paraloom.workflows.mine.plan_look import Look, look_at
from paraloom.workflows.mine.plan_machine import SPEED_SECONDS, disk_speeds, helpers, most_held
from paraloom.workflows.mine.plan_options import PlanOptions

if TYPE_CHECKING:
    from paraloom.models.neighbours.choice import Choice

SENTENCES = 16_000
"""Of the larger of the two small runs; the smaller one has a quarter."""
LOOKED_AT = 250_000
"""Sentences of the sample whose index is made, to see how many lists and neighbours they have."""
FEWEST = 1000
MANY_PAIRS = 0.3
"""Similarity that pairs of the small runs have at least: few sentences have few pairs that are more alike, and what a
pair costs would be drowned by what a run does."""
EMBEDDED_SECONDS = 10.0
"""No sample is larger than what one core embeds in this time."""
DIMS = (64, 128, 256)
WIDTHS = (32, 128, 512)
"""Sentences of a list that a search is timed with."""
COMPARED = ("fast", "good")
"""Embedders that every plan compares."""
JUDGED = (50, 200)
"""Pairs that the identifier judges in the two runs: it takes longer than all else."""
LOOKED_FOR = "looked for"
"""What steps call comparing how a table was made with how it would be: it takes as long whatever the size."""
FEW_TEXTS = 32
EMBED_SECONDS = 1.0
"""An embedder is given more texts until it takes so long."""
VERSION = 3
"""Of what is kept."""


def sample_sentences(file: Path | None, count: int) -> tuple[list[str], float]:
    """Distinct sentences from the beginning of a file, or of the bundled sample, and the bytes a sentence takes."""
    texts = list(islice(dict.fromkeys(_texts_of(file)), count)) if file else _bundled(count)
    if len(texts) < 16:
        raise InputError(f"{file} has {len(texts)} sentences that can be mined: too few to plan by. Leave it out.")
    return texts, sum(len(text.encode("utf-8", "replace")) + 1 for text in texts) / len(texts)


def _texts_of(file: Path) -> Iterator[str]:
    from paraloom.engine import foreign
    from paraloom.sentences.line_options import LineOptions
    from paraloom.sentences.lines import LineReader
    from paraloom.workflows.mine.input_files import given_files

    read = LineReader(LineOptions())
    for chunk in given_files([file]).chunks:
        for records in foreign.records(chunk):
            rows = read(records)
            for text, dropped in zip(*(rows.column(name).to_pylist() for name in ("text", "dropped_for")), strict=True):
                if dropped is None:
                    yield " ".join(text.split())


def _bundled(count: int) -> list[str]:
    """Sentences of the bundled sample, then the same with words of others in places drawn by lot."""
    import random

    from paraloom import sample

    told = list(dict.fromkeys(_texts_of(sample.posts())))
    rng = random.Random(1)
    texts = dict.fromkeys(told[:count])
    while len(texts) < count:
        words = rng.choice(told).split()
        for _ in range(max(len(words) // 4, 1)):
            words[rng.randrange(len(words))] = rng.choice(rng.choice(told).split())
        texts[" ".join(words)] = None
    return list(texts)


class RoundTimes:
    """Hears how a run goes, and counts the processor's seconds of every round."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.now = ""
        self.since = time.process_time()

    def __call__(self, table: str, name: str, done: int, total: int) -> None:
        """The round goes on until the next one is heard of."""
        self.turn_to(f"{table}/{name}")

    def turn_to(self, name: str) -> None:
        """What has passed belongs to the round before."""
        now = time.process_time()
        if self.now:
            self.seconds[self.now] = self.seconds.get(self.now, 0.0) + now - self.since
        self.now, self.since = name, now


def small_run(
    texts: Sequence[str], folder: Path, options: PlanOptions, judged: int = 0
) -> tuple[dict[str, float], Path]:
    """Seconds of every round of mining these texts with lists, and the run; up to its index where nothing is judged."""
    from paraloom.engine.places import PlaceOptions
    from paraloom.pairs.mine_options import MinedPairOptions
    from paraloom.workflows.mine.mine import index_alone, mine
    from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions

    given, run = folder / "sentences.txt", folder / "run"
    folder.mkdir()
    given.write_text("\n".join(texts) + "\n", encoding="utf-8", errors="replace")
    asked = MineOptions(
        embed=EmbedOptions(embedder=options.embedder, dims=options.dims),
        search=SearchOptions(neighbours=options.neighbours, index="ivf", recall=options.recall),
        pairs=MinedPairOptions(
            min_similarity=min(MANY_PAIRS, options.min_similarity) if judged else options.min_similarity
        ),
        judge=JudgeOptions(judge_most=judged),
        place=PlaceOptions(workers=1),
    )
    heard = RoundTimes()
    if judged:
        mine([given], run, asked, progress=heard)
    else:
        index_alone([given], run, asked, progress=heard)
    heard.turn_to("")
    return heard.seconds, run


def calibrated(file: Path | None, options: PlanOptions, *, anew: bool = False) -> Calibration:
    """What was measured on this machine before, for the same sample and embedder, or is measured now."""
    from paraloom.engine.store import write_text

    kept = kept_in(file, options)
    if not anew and kept.is_file():
        return read_calibration(kept)
    measured = calibrate(file, options)
    kept.parent.mkdir(parents=True, exist_ok=True)
    write_text(kept, json.dumps(asdict(measured), indent=1, sort_keys=True) + "\n")
    return measured


def read_calibration(file: Path) -> Calibration:
    """What was measured before."""
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    rounds = {name: RoundCost(**cost) for name, cost in told.pop("rounds").items()}
    return Calibration(rounds=rounds, look=Look(**told.pop("look")), **told)


def kept_in(file: Path | None, options: PlanOptions) -> Path:
    """Where what is measured here is kept: for this machine, source code, sample and embedder."""
    from paraloom.engine.signatures import hash_of_source
    from paraloom.models.shelf import cache_folder
    from paraloom.workflows.bench.machine import this_machine

    here = this_machine()
    source = hash_of_source(("models", "pairs", "sentences", "workflows"))
    asked = [VERSION, source, platform.node(), here.processor, here.cores, options.embedder, options.dims]
    asked += [options.neighbours, options.recall, options.min_similarity]
    if file:
        asked += [str(file.resolve()), file.stat().st_size, file.stat().st_mtime_ns]
    name = blake2b(json.dumps(asked).encode(), digest_size=8).hexdigest()
    return cache_folder().parent / "plans" / f"mine-{name}.json"


def calibrate(file: Path | None, options: PlanOptions) -> Calibration:
    """Measure it."""
    from paraloom.models.neighbours.choice import calibrated_speed
    from paraloom.workflows.bench.machine import this_machine

    texts, size_each = sample_sentences(file, LOOKED_AT)
    embedding, embedder_dims = _embedding(texts[:SENTENCES], options)
    affordable = max(int(EMBEDDED_SECONDS / embedding[options.embedder]), FEWEST)
    some = texts[: min(SENTENCES, affordable)]
    many = texts[: max(affordable, len(some))]
    with tempfile.TemporaryDirectory(prefix="paraloom-plan-") as named:
        folder = Path(named)
        small_run(some[:200], folder / "first", options, JUDGED[0])  # loads and compiles what the others need
        runs = [
            _Run.made(some[: len(some) // 4], folder / "less", options, JUDGED[0]),
            _Run.made(some, folder / "more", options, JUDGED[1]),
        ]
        sentences = runs[-1].size.sentences
        disk_sentence = _bytes_of(runs[-1].folder, ("sentences",)) / max(sentences, 1)
        tables = ("candidates", "pairs", "labels", "clusters")
        disk_candidate = _bytes_of(runs[-1].folder, tables) / max(runs[-1].size.candidates, 1.0)
        kept_share = _kept_share(runs[-1].folder, options.min_similarity)
        runs.append(_Run.made(many, folder / "many", options, 0))
        look = look_at(runs[-1].folder, options.neighbours, options.min_similarity)
        write_speed, read_speed = disk_speeds(folder)
    dims = runs[-1].choice.dims
    speeds = {str(each): calibrated_speed(each, seconds=SPEED_SECONDS) for each in sorted({*DIMS, dims})}
    together, start_seconds, memory_helper = helpers(dims)
    here = this_machine()
    partly = Calibration(
        machine=f"{platform.node()}, {here.processor}",
        cores=here.cores,
        embedder=options.embedder,
        dims=dims,
        sentences=sentences,
        sample=file.name if file else "the bundled sample",
        bytes_a_sentence=size_each,
        look=look,
        kept_share=kept_share,
        rounds={},
        speeds=speeds,
        in_lists={
            str(width): min(calibrated_speed(dims, seconds=SPEED_SECONDS, width=width) / speeds[str(dims)], 1.0)
            for width in WIDTHS
        },
        together=together,
        embedding=embedding,
        embedder_dims=embedder_dims,
        memory_main=most_held(),
        memory_helper=memory_helper,
        start_seconds=start_seconds,
        write_speed=write_speed,
        read_speed=read_speed,
        disk_sentence=disk_sentence,
        disk_candidate=disk_candidate,
    )
    return replace(partly, rounds=_rounds(runs, partly, options.neighbours))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """A run of a part of the sample: how long its rounds took, and how much there was to do."""

    seconds: dict[str, float]
    folder: Path
    size: Size
    choice: Choice
    probes: int
    kept: float

    @classmethod
    def made(cls, texts: Sequence[str], folder: Path, options: PlanOptions, judged: int) -> _Run:
        """Make it, whole where pairs are judged."""
        from paraloom.workflows.mine.index_step import read_choice, read_probes

        seconds, run = small_run(texts, folder, options, judged)
        count, found, kept = _counted(run)
        return cls(
            seconds=seconds,
            folder=run,
            size=Size(sentences=count, neighbours=options.neighbours, candidates=found, judged=min(kept, judged)),
            choice=read_choice(run),
            probes=int(read_probes(run)["probes"]),
            kept=kept,
        )


def _rounds(runs: Sequence[_Run], measured: Calibration, neighbours: int) -> dict[str, RoundCost]:
    """What every round costs, by the two largest runs that have it."""
    speed = speed_at(measured, measured.dims) * 1e9
    costs = {}
    for name in dict.fromkeys(name for run in runs for name in run.seconds):
        less, more = [run for run in runs if name in run.seconds][-2:] if _is_in_two(name, runs) else (runs[0], runs[1])
        rest = [
            max(run.seconds.get(name, 0.0) - flop_of(name, run.choice, run.probes, measured, neighbours) / speed, 0.0)
            for run in (less, more)
        ]
        amounts = [run.size.amounts(run.choice)[unit_of(name)] for run in (less, more)]
        if name.endswith(LOOKED_FOR) and not name.startswith("sentences/"):  # of sentences the files are hashed
            costs[name] = RoundCost(each=0.0, fixed=sum(rest) / len(rest))
        else:
            costs[name] = round_cost(rest, amounts, is_product=name in PRODUCTS or name == "index/probes")
    return costs


def _is_in_two(name: str, runs: Sequence[_Run]) -> bool:
    return sum(name in run.seconds for run in runs) >= 2


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


def _counted(run: Path) -> tuple[int, float, float]:
    """How many sentences, candidates and kept pairs a run has."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from paraloom.engine.store import part_files
    from paraloom.pairs.mine import PROPOSED
    from paraloom.workflows.mine.candidates_step import tally_of
    from paraloom.workflows.mine.numbers import Numbers

    if not (run / "pairs").is_dir():
        return len(Numbers.of(run / "vectors")), 0.0, 0.0
    kept = 0
    for part in part_files(run, "pairs"):
        reasons = pq.read_table(part, columns=["dropped_for"], partitioning=None).column("dropped_for")
        kept += pc.sum(pc.is_null(reasons)).as_py() or 0
    return len(Numbers.of(run / "vectors")), float(tally_of(run / "candidates")[PROPOSED]), float(kept)


def _kept_share(run: Path, min_similarity: float) -> float:
    """The share of a run's pairs of some similarity that were kept."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from paraloom.engine.store import part_files

    all_pairs = kept = 0
    for part in part_files(run, "pairs"):
        pairs = pq.read_table(part, columns=["similarity", "dropped_for"], partitioning=None)
        reasons = pairs.filter(pc.field("similarity") >= min_similarity).column("dropped_for")
        all_pairs += len(reasons)
        kept += reasons.null_count
    return kept / all_pairs if all_pairs else 1.0


def _bytes_of(run: Path, folders: Sequence[str]) -> int:
    return sum(file.stat().st_size for name in folders for file in (run / name).rglob("*") if file.is_file())


def _embedding(texts: Sequence[str], options: PlanOptions) -> tuple[dict[str, float], dict[str, int]]:
    """Seconds of the processor that every embedder takes for a sentence, and its dimensions."""
    from paraloom.models.embedders import learned, load_embedder

    seconds: dict[str, float] = {}
    dims: dict[str, int] = {}
    for name in dict.fromkeys((options.embedder, *COMPARED)):
        embedder = learned(load_embedder(name), texts)
        dims[name] = embedder.dims
        embedder.embed(list(texts[:FEW_TEXTS]))
        count = FEW_TEXTS
        while True:
            start = time.process_time()
            embedder.embed(list(texts[:count]))
            seconds[name] = (time.process_time() - start) / count
            if seconds[name] * count * 4 > EMBED_SECONDS or count >= len(texts):
                break
            count *= 4
    return seconds, dims
