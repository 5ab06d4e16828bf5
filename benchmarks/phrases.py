"""How well and how fast are words aligned, beside eflomal and simalign in the same run? How long takes a phrase table?

    python benchmarks/phrases.py --data DIR                                    # alignments of people, and peers
    python benchmarks/phrases.py --data DIR --pairs silver.tsv auto.tsv --learn 50000 --table

DIR holds Edinburgh++ and MSR RTE2 in their JSON form (`alignment/`). Measured is the half of each that no option was
chosen on; the learned aligner's weights have learned from both, so its row only tells its speed. Whoever learns from
texts learns from these and from so many of `--pairs`. Peers are run where they are installed: eflomal as a program
(`pip install eflomal`), simalign with all-MiniLM-L6-v2 at the layer that suits it (`pip install simalign`), a pair at a
time, as it works. `--table` aligns all of `--pairs` with the statistical aligner and extracts a phrase table of them.

Prints rows and writes benchmarks/results/phrases.json. The bar: a table of 250,000 pairs in five minutes on two cores.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from paraloom.corpus.known.alignments import AlignedCorpus, read_alignments
from paraloom.metrics.word_links import link_figures
from paraloom.models.aligners import Links, TokenPair
from paraloom.models.aligners.loading_options import AlignerOptions
from paraloom.models.shelf import model_folder
from paraloom.phrases.options import PhraseOptions
from paraloom.workflows.bench.alignment import bench_alignment, half_of
from paraloom.workflows.bench.alignment_options import AlignmentBenchOptions
from paraloom.workflows.phrases.align_options import AlignOptions
from paraloom.workflows.phrases.align_pairs import align_pairs
from paraloom.workflows.phrases.extract import extract_phrases

TARGET = Path(__file__).resolve().parent / "results" / "phrases.json"
OURS = (
    "lexical",
    "embedding",
    "embedding:encoder=all-MiniLM-L6-v2",
    "embedding:encoder=fast",
    "statistical",
    "learned",
)
LAYER = 3
"""Of all-MiniLM-L6-v2: the best of its seven on the halves that ours was tuned on, too."""
BAR_PAIRS, BAR_SECONDS = 250_000, 300.0


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--data", type=Path, required=True)
    asked.add_argument("--pairs", type=Path, nargs="*", default=[], help="files of pairs to learn from")
    asked.add_argument("--learn", type=int, default=50_000, help="at most so many pairs of each are learned from")
    asked.add_argument("--table", action="store_true", help="make a phrase table of all of --pairs")
    asked.add_argument("--out", type=Path, default=TARGET)
    given = asked.parse_args()
    if given.table and not given.pairs:
        asked.error("--table makes a table of --pairs. Give some.")
    result: dict[str, Any] = {"cores": os.cpu_count(), "alignment": alignment(given.data, given.pairs, given.learn)}
    if given.table:
        result["table"] = table(given.pairs)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def alignment(data: Path, pairs: Sequence[Path], learn: int) -> dict[str, Any]:
    """Figures of every aligner on the held-out halves, peers among them."""
    options = AlignmentBenchOptions(
        aligners=(*OURS, "eflomal", "eflomal:symmetrised=intersection", "fast_align"),
        learn_from=tuple(pairs),
        learn_most=learn,
        half=True,
    )
    bench = bench_alignment(data, options, tell=lambda name: print(f"… {name}", flush=True))
    print(bench.as_text())
    found = bench.as_json()["systems"]
    if importlib.util.find_spec("simalign") is None:
        print("simalign is not installed: pip install simalign")
        return dict(found)
    for one in map(half_of, read_alignments(data)):
        for method in ("inter", "itermax", "mwmf"):
            found[f"{one.name}/{one.split}/simalign:{method}"] = by_simalign(one, method)
    return dict(found)


def by_simalign(one: AlignedCorpus, method: str) -> dict[str, Any]:
    """The peer, with the same encoder as one of ours."""
    from simalign import SentenceAligner

    letter = {"inter": "a", "itermax": "i", "mwmf": "m"}[method]
    folder = str(model_folder("all-MiniLM-L6-v2"))
    aligner = SentenceAligner(model=folder, token_type="bpe", matching_methods=letter, layer=LAYER)
    lowered: list[TokenPair] = [([w.lower() for w in left], [w.lower() for w in right]) for left, right in one.pairs]
    aligner.get_word_aligns(*map(list, lowered[0]))
    begun = time.perf_counter()
    links: list[Links] = [tuple(sorted(aligner.get_word_aligns(list(a), list(b))[method])) for a, b in lowered]
    seconds = time.perf_counter() - begun
    figures = link_figures(one.gold, links)
    print(
        f"simalign:{method} on {one.title}: P {figures.precision:.3f} R {figures.recall:.3f} F1 {figures.f1:.3f} "
        f"macro F1 {figures.macro_f1:.3f} exact {figures.exact_match:.3f}, {len(links) / seconds:,.0f} pairs/s"
    )
    return {"metrics": {**figures.as_json(), "pairs-per-second": round(len(links) / seconds, 1)}}


def table(pairs: Sequence[Path]) -> dict[str, float]:
    """All pairs aligned by the statistical aligner, and their phrases: size and time."""
    with tempfile.TemporaryDirectory(prefix="paraloom-bench-") as folder:
        work = Path(folder)
        begun, worked = time.perf_counter(), sum(os.times()[:4])
        aligned = [work / f"{number}.jsonl" for number in range(len(pairs))]
        rows = 0
        for number, (file, out) in enumerate(zip(pairs, aligned, strict=True)):
            others = tuple(other for place, other in enumerate(pairs) if place != number)
            first = number == 0
            learned = AlignerOptions(aligner="statistical", settings=() if first else (f"folder={work / 'model'}",))
            options = AlignOptions(learn_from=others if first else (), save=work / "model" if first else None)
            rows += align_pairs(file, out, options, aligner=learned).pairs
        between = time.perf_counter()
        extracted = extract_phrases(aligned, work / "run", PhraseOptions())
        ended = time.perf_counter()
        size = sum(part.stat().st_size for part in (work / "run" / "phrases").iterdir())
    found = {
        "pairs": rows,
        "phrase_pairs": extracted.extracted,
        "kept": extracted.kept,
        "megabytes": round(size / 1e6, 1),
        "seconds_to_align": round(between - begun, 1),
        "seconds_to_extract": round(ended - between, 1),
        "seconds": round(ended - begun, 1),
        "cpu_seconds": round(sum(os.times()[:4]) - worked, 1),
    }
    print(json.dumps(found))
    if rows >= 0.9 * BAR_PAIRS and found["seconds"] > BAR_SECONDS:
        print(f"The bar is {BAR_SECONDS:.0f} seconds.")
    return found


if __name__ == "__main__":
    main()
