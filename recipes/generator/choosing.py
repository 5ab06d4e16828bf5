"""What the teacher wrote and what the judge says of it in, preferences out: a source, a better text and a worse one.

Candidates are refused and put in order as `paraloom generate` does it, by its own code; what the judge says stands in
for what the student cannot ask. Beside each of the best stands what the teacher finds likely all the same, though the
judge finds it false, or a fact of the source is lost or made up.
"""

from __future__ import annotations

import json
import re
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
from paraloom.pairs.generate import cleaned, generate_paraphrases
from paraloom.pairs.generate_options import GenerateOptions

from .judging import JUDGED, written_texts
from .sources import SOURCES
from .teaching import WRITTEN

Array = np.ndarray[Any, Any]

PREFERENCES = "preferences.jsonl"
ASKED = ("implication", "forwards", "backwards", "loose")
"""What the judge is asked of a candidate; the least of its answers counts most."""
LEAST, FALSE = 0.9, 0.2
"""What it finds less likely to be so than the first, by any of these, is no better text; what it finds less likely than
the second is false."""
FORMULA = {"faithful": 4.0, "own": 1.0, "consensus": 3.0, "apart": 3.0}
"""`faithful` is what the judge says, as a logarithm; the others are parts of `--rank-by`."""
EACH = 3
"""Preferences of a source, at most."""
BLOCK = 500
"""Sources of one task."""
_TAG = re.compile(r"[#@]\w+")
LOST = ("missing_", "invented_")
"""How the reasons begin for which what was let pass by the judge is false all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A `Generator` that says what the teacher has written, and a part of an order: what the judge says of it."""

    candidates: Mapping[str, Sequence[Candidate]]
    """What the judge lets pass."""
    false: Mapping[str, Sequence[Candidate]]
    """What it does not."""
    faithful: Mapping[tuple[str, str], float]
    name: str = "teacher"
    signature: str = "teacher"

    def generate(self, sources: Sequence[str], n: int, rng: np.random.Generator) -> list[list[Candidate]]:
        return [list(self.candidates.get(source, ()))[:n] for source in sources]

    def values(self, source: str, candidates: Sequence[Candidate]) -> Array:
        return np.array([self.faithful[source, one.text] for one in candidates])


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One source: what may be said for it, best first, and what may not, likeliest first."""

    source: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


def choose(work: Path) -> None:
    """Write `preferences.jsonl`."""
    with ProcessPoolExecutor(cores()) as processes:
        lessons = [lesson for some in processes.map(_lessons, _blocks(work)) for lesson in some]
    preferences = [
        {"source": one.source, "better": better, "worse": worse}
        for one in lessons
        for better, worse in zip(one.better, one.worse, strict=False)
        if not tags(better) - tags(one.source)
    ]
    lines = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in preferences)
    (work / PREFERENCES).write_text(lines, encoding="utf-8")
    print(f"{len(preferences):,} preferences of {len(lessons):,} sources")


def tags(text: str) -> set[str]:
    """Hashtags and mentions.

    >>> sorted(tags("#Storm hits @ann's coast"))
    ['#storm', '@ann']
    """
    return set(_TAG.findall(text.lower()))


def _blocks(work: Path) -> Iterator[Stored]:
    sources = (work / SOURCES).read_text(encoding="utf-8").splitlines()
    with np.load(work / WRITTEN) as stored:
        own = stored["own"].tolist()
    with np.load(work / JUDGED) as stored:
        answers = stored["answers"][:, [QUESTIONS.index(question) for question in ASKED]].astype(np.float64)
    likely = -np.logaddexp(0, -answers)
    least = likely.min(1)
    faithful = (least + likely.mean(1)).tolist()
    passes, fails = (least >= np.log(LEAST)).tolist(), (least < np.log(FALSE)).tolist()
    good: dict[str, list[Candidate]] = {}
    bad: dict[str, list[Candidate]] = {}
    judged: dict[tuple[str, str], float] = {}
    for place, (owner, written) in enumerate(zip(*written_texts(work), strict=True)):
        source = sources[owner]
        if (passes[place] or fails[place]) and (text := cleaned(written, source)):
            judged[source, text] = faithful[place]
            (good if passes[place] else bad).setdefault(source, []).append(Candidate(text=text, score=own[place]))
    names = list(good)
    for start in range(0, len(names), BLOCK):
        some = names[start : start + BLOCK]
        yield Stored(
            candidates={source: good[source] for source in some},
            false={source: bad.get(source, ()) for source in some},
            faithful={(source, one.text): judged[source, one.text] for source in some for one in good[source]},
        )


def _lessons(block: Stored) -> list[Lesson]:
    ranker = Weighed(
        parts={
            name: (weight, block if name == "faithful" else PARTS[name](block, "")) for name, weight in FORMULA.items()
        }
    )
    options = GenerateOptions(n=EACH, max_candidates=64, tries=1)
    found = []
    for one in generate_paraphrases(list(block.candidates), block, ranker, options):
        lost = {refused.text for refused in one.refused if refused.reason.startswith(LOST)}
        false = [*block.false[one.source], *(each for each in block.candidates[one.source] if each.text in lost)]
        worse = dict.fromkeys(each.text for each in sorted(false, key=lambda each: -each.score))
        if one.outputs:
            better = tuple(output.text for output in one.outputs)
            found.append(Lesson(source=one.source, better=better, worse=tuple(worse)[:EACH]))
    return found
