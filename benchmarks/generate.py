"""Sentences of the sample in, what writing four candidates for each costs out: Paraloom's generator and llama.cpp.

Both read the same file of the same model with the same number of threads, and draw about as many tokens for a sentence
as the sentence has and a few more; each runs in a process of its own, one after the other.

    python benchmarks/generate.py --generator paraloom --against llama.cpp
    python benchmarks/generate.py --device cuda --sentences 300        (on a GPU, many sentences side by side)
    python benchmarks/generate.py --checked                            (checked and ranked, as `paraloom generate`)
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

CANDIDATES = 4
CONTENDERS = ("paraloom", "llama.cpp")
WORDS = range(6, 25)
"""Sentences of so many words are taken."""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What one contender needed."""

    name: str
    load_seconds: float
    load_cpu_seconds: float
    sentences: int
    tokens: int
    seconds: float
    cpu_seconds: float
    megabytes: float
    """The most memory its process held."""

    def line(self) -> str:
        return (
            f"{self.name:12}{self.load_seconds:8.2f}{self.load_cpu_seconds:9.2f}{self.sentences / self.seconds:13.2f}"
            f"{self.tokens / self.seconds:10.0f}{self.tokens / self.cpu_seconds:14.0f}{self.megabytes:8.0f}"
        )


COLUMNS = f"{'':12}{'load s':>8}{'CPU s':>9}{'sentences/s':>13}{'tokens/s':>10}{'tokens/CPU s':>14}{'MB':>8}   "
HEADING = f"{COLUMNS}({CANDIDATES} candidates a sentence)"
CHECKED_HEADING = f"{COLUMNS}(16 candidates a sentence or more, checked and ranked; {CANDIDATES} outputs)"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--generator", choices=CONTENDERS, default="paraloom")
    asked.add_argument("--against", choices=CONTENDERS, nargs="*", default=[])
    asked.add_argument("--sentences", type=int, default=20)
    asked.add_argument("--beams", type=int, default=0, help="for paraloom alone: so many beams instead of samples")
    asked.add_argument("--device", default="cpu", help="for paraloom alone: where it runs")
    asked.add_argument("--checked", action="store_true", help="for paraloom alone: as `paraloom generate` does it")
    asked.add_argument("--out", type=Path, help="a JSON file for the same numbers")
    asked.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    given = asked.parse_args()
    named = {given.generator, *given.against}
    if given.checked and (given.beams or named != {"paraloom"}):
        asked.error(
            "--checked runs paraloom as `paraloom generate` does: leave --beams, --generator and --against out."
        )
    if (given.beams or given.device != "cpu") and named != {"paraloom"}:
        asked.error("--beams and --device are for paraloom alone: leave --generator and --against out.")
    if given.alone:
        texts = sentences(given.sentences)
        run = run_checked if given.checked else RUN[given.generator]
        print(json.dumps(asdict(run(texts, given.beams, given.device))))
        return
    print(CHECKED_HEADING if given.checked else HEADING)
    costs = []
    for name in dict.fromkeys((given.generator, *given.against)):
        costs.append(in_own_process(name, given.sentences, given.beams, given.device, checked=given.checked))
        print(costs[-1].line(), flush=True)
    if given.out:
        given.out.write_text(json.dumps([asdict(cost) for cost in costs], indent=1) + "\n", encoding="utf-8")


def in_own_process(name: str, count: int, beams: int, device: str, *, checked: bool) -> Cost:
    command = [
        sys.executable,
        __file__,
        "--alone",
        "--generator",
        name,
        "--sentences",
        str(count),
        "--beams",
        str(beams),
        "--device",
        device,
        *(["--checked"] if checked else []),
    ]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Cost(**json.loads(told.splitlines()[-1]))


def sentences(count: int) -> list[str]:
    """English ones of the bundled sample, each once."""
    from paraloom.sample import gold

    with gold().open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    english = dict.fromkeys(row["left"] for row in rows if row["language"] == "en")
    return [text for text in english if len(text.split()) in WORDS][:count]


def run_paraloom(texts: Sequence[str], beams: int, device: str) -> Cost:
    import numpy as np

    begun = now()
    from paraloom.models.generators import search
    from paraloom.models.generators.decoding_options import Decoding
    from paraloom.models.generators.llama_generator import LlamaGenerator
    from paraloom.models.generators.shipped import ADAPTER, base_file
    from paraloom.models.shelf import SHIPPED_GENERATORS

    search.ROUNDS = 1  # candidates that are alike are not drawn again, by neither
    adapter = SHIPPED_GENERATORS / "paraloom" / ADAPTER
    lengths = {"longest": 1.0, "shortest": 1.0}
    decoding = (
        Decoding(method="beam", beams=beams, **lengths) if beams else Decoding(method="sample", top_p=0.9, **lengths)
    )
    generator = LlamaGenerator(base_file(), adapter if adapter.is_file() else None, decoding, device=device)
    generator.generate(texts[:1], 1, np.random.default_rng(1))  # a GPU's first step loads its kernels
    before = generator.usage.tokens_written
    loaded = now()
    generator.generate(texts, CANDIDATES, np.random.default_rng(1))
    return cost("paraloom", begun, loaded, len(texts), generator.usage.tokens_written - before)


def run_checked(texts: Sequence[str], beams: int, device: str) -> Cost:
    """Sixteen candidates a sentence, checked and ranked, up to three tries; four outputs."""
    import numpy as np

    from paraloom.models.generators.decoding_options import USUAL
    from paraloom.models.generators.loading import load_ranker
    from paraloom.models.generators.shipped import load_shipped
    from paraloom.pairs.generate import generate_paraphrases
    from paraloom.pairs.generate_options import GenerateOptions

    begun = now()
    generator = load_shipped(device=device)
    ranker = load_ranker(USUAL, generator)
    generator.generate(texts[:1], 1, np.random.default_rng(1))
    before = generator.usage.tokens_written
    loaded = now()
    done = generate_paraphrases(texts, generator, ranker, GenerateOptions(n=CANDIDATES))
    found = cost("paraloom", begun, loaded, len(texts), generator.usage.tokens_written - before)
    print(f"{sum(len(one.outputs) for one in done)} outputs of {len(texts)} sentences", file=sys.stderr)
    return found


def run_llama_cpp(texts: Sequence[str], beams: int, device: str) -> Cost:
    import httpx

    from paraloom.metrics.parts import cores
    from paraloom.models.generators.decoding_options import SPARE
    from paraloom.models.generators.server.local import serve
    from paraloom.models.generators.shipped import base_file

    begun = now()
    with serve(base_file(), slots=CANDIDATES, context=512, threads=cores()) as url, httpx.Client(timeout=600) as client:
        loaded = now()
        tokens = 0
        for text in texts:
            asked = f"<|im_start|>{text}<|im_end|>"
            pieces = client.post(f"{url.removesuffix('/v1')}/tokenize", json={"content": text}).json()["tokens"]
            length = len(pieces) + SPARE
            wanted = {"prompt": asked, "n": CANDIDATES, "max_tokens": length, "ignore_eos": True, "top_p": 0.9}
            answer = client.post(f"{url}/completions", json={**wanted, "temperature": 1.0, "top_k": 0, "seed": 1})
            answer.raise_for_status()
            tokens += length * len(answer.json()["choices"])  # what it says it used is one candidate's
        return cost("llama.cpp", begun, loaded, len(texts), tokens)


def now() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def cost(name: str, begun: tuple[float, float], loaded: tuple[float, float], count: int, tokens: int) -> Cost:
    ended = now()
    return Cost(
        name=name,
        load_seconds=loaded[0] - begun[0],
        load_cpu_seconds=loaded[1] - begun[1],
        sentences=count,
        tokens=tokens,
        seconds=ended[0] - loaded[0],
        cpu_seconds=ended[1] - loaded[1],
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    )


RUN = {"paraloom": run_paraloom, "llama.cpp": run_llama_cpp}

if __name__ == "__main__":
    main()
