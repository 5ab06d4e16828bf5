"""How fast are BLEU, TER and chrF over many variants of one system's outputs? Ours and sacrebleu, in the same run.

    python benchmarks/metrics.py                                     # made-up sentences
    python benchmarks/metrics.py --pairs pairs.tsv --json            # real ones: source TAB reference

A variant is a partial parrot: the sources with some share of their last words cut off. sacrebleu is called once a
variant; ours prepares once and then measures each variant, its preparation and the value of every item included.
Compiling is done before the clock starts (once a machine, seconds; it is printed too). Values must be equal to the last
digit, else the run fails. Contenders take turns, and the least of the repeats counts.

Prints a table and writes benchmarks/results/metrics.json. The bars: BLEU at least 10 times, TER at least 2.5 times as
fast as sacrebleu on 2 cores; a bar that is missed fails the run. TER and chrF run on fewer sentences, because sacrebleu
takes minutes for more.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from pathlib import Path

import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Metric
from paraloom.metrics.overlap.bleu import Bleu
from paraloom.metrics.overlap.chrf import Chrf
from paraloom.metrics.overlap.ter import Ter
from paraloom.metrics.parts import cores

HERE = Path(__file__).resolve().parent
Pairs = list[tuple[str, str]]
BARS = {"bleu": 10.0, "bleu, sacrebleu keeps its references": 10.0, "ter": 2.5}
"""How many times as fast as sacrebleu."""
Contender = Callable[[Pairs, Sequence[list[str]]], list[float]]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One metric: seconds for all variants, of sacrebleu and of ours."""

    metric: str
    sentences: int
    variants: int
    sacrebleu_seconds: float
    seconds: float
    times_as_fast: float
    identical: bool
    """Every variant's value is the same float."""
    bar: float | None
    """How many times as fast ours must be; None where nothing was promised."""

    @property
    def met(self) -> bool:
        """Whether it is as fast as was promised."""
        return self.bar is None or self.times_as_fast >= self.bar


def main() -> None:
    """Run the three comparisons, print them and write them down."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--pairs", type=Path, help="TSV of source and reference (default: made-up sentences)")
    asked.add_argument("--sentences", type=int, default=100_000, help="for BLEU")
    asked.add_argument("--variants", type=int, default=4, help="for BLEU")
    asked.add_argument("--ter-sentences", type=int, default=5_000)
    asked.add_argument("--ter-variants", type=int, default=3)
    asked.add_argument("--chrf-sentences", type=int, default=10_000)
    asked.add_argument("--repeats", type=int, default=2)
    asked.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = asked.parse_args()

    most = max(options.sentences, options.ter_sentences, options.chrf_sentences)
    pairs = read_pairs(options.pairs, most) if options.pairs else make_pairs(most)
    before = os.getloadavg()
    compiling = seconds_of(
        lambda: [ours(metric)(pairs[:2], variants(pairs[:2], 1)) for metric in (Bleu(), Ter(), Chrf())]
    )
    sizes = {
        "bleu": (options.sentences, options.variants),
        "bleu, sacrebleu keeps its references": (options.sentences, options.variants),
        "ter": (options.ter_sentences, options.ter_variants),
        "chrf2": (options.chrf_sentences, options.ter_variants),
    }
    contenders: dict[str, tuple[Contender, Contender]] = {
        "bleu": (one_by_one(sacrebleu.corpus_bleu, force=True), ours(Bleu())),
        "bleu, sacrebleu keeps its references": (keeping_references, ours(Bleu())),
        "ter": (one_by_one(sacrebleu.corpus_ter), ours(Ter())),
        "chrf2": (one_by_one(sacrebleu.corpus_chrf), ours(Chrf())),
    }
    rows = []
    for name, (peer, own) in contenders.items():
        sentences, count = sizes[name]
        rows.append(compare(name, peer, own, pairs[:sentences], count, options.repeats))
        if not options.json:
            print(shown(rows[-1]), flush=True)
    result = {
        "rows": [asdict(row) | {"met": row.met} for row in rows],
        "compiling_seconds": compiling,
        "pairs": str(options.pairs.name) if options.pairs else "made up",
        "words_a_source": sum(len(source.split()) for source, _ in pairs) / len(pairs),
        "cores": cores(),
        "load_before": before,
        "python": platform.python_version(),
        "sacrebleu": sacrebleu.__version__,
    }
    target = HERE / "results" / "metrics.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n")
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print(
            f"compiling or loading what was compiled: {compiling:.1f} s; {cores()} cores, load before {before[0]:.1f}"
        )
    raise SystemExit(why_it_failed(rows))


def why_it_failed(rows: Sequence[Row]) -> str | None:
    """What makes the run fail: another value than sacrebleu's, or a bar that was missed; None where all is well."""
    if not all(row.identical for row in rows):
        return "Values differ from sacrebleu's."
    missed = [row.metric for row in rows if not row.met]
    return f"Not as fast as promised: {', '.join(missed)}." if missed else None


def compare(name: str, peer: Contender, own: Contender, pairs: Pairs, count: int, repeats: int) -> Row:
    """Both by turns; the least time of each."""
    outputs = variants(pairs, count)
    peer_seconds, own_seconds = [], []
    identical = True
    for _ in range(repeats):
        values: dict[str, list[float]] = {}
        own_seconds.append(seconds_of(lambda values=values: values.update(own=own(pairs, outputs))))
        peer_seconds.append(seconds_of(lambda values=values: values.update(peer=peer(pairs, outputs))))
        identical &= values["own"] == values["peer"]
    return Row(
        metric=name,
        sentences=len(pairs),
        variants=count,
        sacrebleu_seconds=min(peer_seconds),
        seconds=min(own_seconds),
        times_as_fast=min(peer_seconds) / min(own_seconds),
        identical=identical,
        bar=BARS.get(name),
    )


def ours(metric: Metric) -> Contender:
    """Prepared once, called for each variant."""

    def measure(pairs: Pairs, outputs: Sequence[list[str]]) -> list[float]:
        sources, references = zip(*pairs, strict=True)
        measure_one = metric.prepare(EvaluationSet.of(sources, [(text,) for text in references]))
        return [measure_one(texts).value for texts in outputs]

    return measure


def one_by_one(score: Callable[..., sacrebleu.metrics.base.Score], **settings: object) -> Contender:
    """sacrebleu's function, called for each variant."""

    def measure(pairs: Pairs, outputs: Sequence[list[str]]) -> list[float]:
        references = [text for _, text in pairs]
        return [score(texts, [references], **settings).score for texts in outputs]

    return measure


def keeping_references(pairs: Pairs, outputs: Sequence[list[str]]) -> list[float]:
    """sacrebleu's class, which can count the references' n-grams once."""
    metric = BLEU(force=True, references=[[text for _, text in pairs]])
    return [metric.corpus_score(texts, None).score for texts in outputs]


def variants(pairs: Pairs, count: int) -> list[list[str]]:
    """Partial parrots: the first all words of a source, the last half of them."""
    outputs = []
    for variant in range(count):
        kept = 1 - 0.5 * variant / max(count - 1, 1)
        outputs.append(
            [" ".join(words[: round(kept * len(words))]) for words in (source.split() for source, _ in pairs)]
        )
    return outputs


def read_pairs(file: Path, most: int) -> Pairs:
    """The first pairs of a TSV file that have text on both sides."""
    pairs = []
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            left, _, right = line.rstrip("\n").partition("\t")
            right = right.partition("\t")[0]
            if left.strip() and right.strip():
                pairs.append((left, right))
            if len(pairs) == most:
                break
    return pairs


def make_pairs(count: int) -> Pairs:
    """Made-up sentences, words as frequent as in a language (Zipf), and paraphrases: words replaced, a run moved."""
    draw = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(draw.choices(letters, k=draw.randint(2, 9))) for _ in range(30_000)]
    weights = list(accumulate(1 / (rank + 2) for rank in range(len(words))))
    pairs = []
    for _ in range(count):
        source = draw.choices(words, cum_weights=weights, k=draw.randint(6, 20))
        if draw.random() < 0.3:
            source[draw.randrange(len(source))] += ","
        reference = [draw.choice(words) if draw.random() < 0.3 else word for word in source]
        first, last = sorted(draw.sample(range(len(reference) + 1), 2))
        moved = reference[first : min(last, first + 5)]
        del reference[first : first + len(moved)]
        to = draw.randint(0, len(reference))
        reference[to:to] = moved
        pairs.append((" ".join(source) + ".", " ".join(reference) + "."))
    return pairs


def seconds_of(work: Callable[[], object]) -> float:
    """How long it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def shown(row: Row) -> str:
    """One line of the table."""
    return (
        f"{row.metric:37} {row.sentences:>8,} sentences × {row.variants} variants: "
        f"sacrebleu {row.sacrebleu_seconds:7.2f} s, ours {row.seconds:6.2f} s, {row.times_as_fast:6.1f} times as fast, "
        f"{'identical' if row.identical else 'NOT IDENTICAL'}"
        + (f", bar {row.bar:g}: {'met' if row.met else 'MISSED'}" if row.bar else "")
    )


if __name__ == "__main__":
    main()
