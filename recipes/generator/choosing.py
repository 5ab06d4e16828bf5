"""What the teacher wrote and what the judge says of it in, the examples that the student learns from out.

Candidates are refused and put in order as `paraloom generate` does it, by its own code; what the judge says stands in
for what the student cannot ask.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.metrics.parts import cores
from paraloom.models.generators import Candidate
from paraloom.models.generators.reranking import PARTS, Weighed
from paraloom.models.pair_model import QUESTIONS
from paraloom.pairs.generate import generate_paraphrases
from paraloom.pairs.generate_options import GenerateOptions

from .judging import JUDGED, written_texts
from .sources import SOURCES
from .teaching import WRITTEN

Array = np.ndarray[Any, Any]

CHOSEN = "chosen.jsonl"
ASKED = ("implication", "forwards", "backwards", "loose")
"""What the judge is asked of a candidate; the least of its answers counts most."""
LEAST = 0.5
"""What it finds less likely to be so, by any of these, is not learned from."""
FORMULA = {"faithful": 2.0, "own": 1.0, "consensus": 3.0, "apart": 4.0}
"""`faithful` is what the judge says, as a logarithm; the others are parts of `--rank-by`."""
EACH = 3
"""Examples of a source, at most."""
BLOCK = 500
"""Sources of one task."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A `Generator` that says what the teacher has written, and a part of an order: what the judge says of it."""

    candidates: Mapping[str, Sequence[Candidate]]
    faithful: Mapping[tuple[str, str], float]
    name: str = "teacher"
    signature: str = "teacher"

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        return [list(self.candidates.get(source, ()))[:n] for source in sources]

    def values(self, source: str, candidates: Sequence[Candidate]) -> Array:
        return np.array([self.faithful[source, one.text] for one in candidates])


def choose(work: Path) -> None:
    """`chosen.jsonl`: a source and what it becomes, each line."""
    examples = sources = 0
    with ProcessPoolExecutor(cores()) as processes, (work / CHOSEN).open("w", encoding="utf-8") as file:
        for lines in processes.map(_chosen, _blocks(work)):
            examples += len(lines)
            sources += len({line["left"] for line in lines})
            file.writelines(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    print(f"{examples:,} examples of {sources:,} sources")


def _blocks(work: Path) -> Iterator[Stored]:
    sources = (work / SOURCES).read_text(encoding="utf-8").splitlines()
    with np.load(work / WRITTEN) as stored:
        own = stored["own"].tolist()
    with np.load(work / JUDGED) as stored:
        answers = stored["answers"][:, [QUESTIONS.index(question) for question in ASKED]].astype(np.float64)
    likely = -np.logaddexp(0, -answers)
    faithful = (likely.min(1) + likely.mean(1)).tolist()
    passes = (likely.min(1) >= np.log(LEAST)).tolist()
    found: dict[str, list[Candidate]] = {}
    judged: dict[tuple[str, str], float] = {}
    for place, (owner, text) in enumerate(zip(*written_texts(work), strict=True)):
        if text and passes[place]:
            source = sources[owner]
            judged[source, text] = faithful[place]
            found.setdefault(source, []).append(Candidate(text=text, score=own[place]))
    names = list(found)
    for start in range(0, len(names), BLOCK):
        some = names[start : start + BLOCK]
        yield Stored(
            candidates={source: found[source] for source in some},
            faithful={(source, one.text): judged[source, one.text] for source in some for one in found[source]},
        )


def _chosen(block: Stored) -> list[dict[str, str]]:
    ranker = Weighed(
        parts={
            name: (weight, block if name == "faithful" else PARTS[name](block, "")) for name, weight in FORMULA.items()
        }
    )
    options = GenerateOptions(n=EACH, max_candidates=64, tries=1)
    done = generate_paraphrases(list(block.candidates), block, ranker, options)
    return [{"left": one.source, "right": output.text} for one in done for output in one.outputs]
