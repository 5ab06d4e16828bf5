"""One training's scores in, one JSON file out, and back: what a run that was stopped, or run elsewhere, has reached."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.engine.store import write_text

FOLDER = "results"
REASONS = "not_run.json"
LATER = {"groups"}
"""What results of earlier versions do not tell."""
SOURCE = "source"
"""What a source tree that was not installed calls its version: it cannot know."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One training of one contender on one part of a corpus: its scores of the measured pairs, and what they cost."""

    contender: str
    """Its name: system, base, what it learned from."""
    system: str
    base: str
    corpus: str
    corpus_hash: str
    """Of the corpus as it was read."""
    protocol: str
    fold: int
    folds: int
    """How many parts the corpus was divided into."""
    seed: int
    plan: str
    """A short name for settings and training plan: results of one plan belong together."""
    settings: Mapping[str, Any]
    """All that decides the scores, for people to read."""
    identifier: str
    """The fitted identifier's signature."""
    parameters: int
    fit_pairs: int
    fit_seconds: float
    score_seconds: float
    device: str
    processor: str
    cores: int
    paraloom: str
    truth: str
    """One letter a measured pair, 1 for a paraphrase."""
    scores: Sequence[float]
    groups: Sequence[int] = field(default_factory=list)
    """The number of each measured pair's group: groups are drawn whole for intervals. Empty where it is not told."""
    learning_rate: float | None = None
    curve: Sequence[Mapping[str, float]] = field(default_factory=list)
    """Looks at the held-out pairs while training: learning rate, epoch, loss, F1."""
    true_grades: Sequence[str] = field(default_factory=list)
    predicted_grades: Sequence[str] = field(default_factory=list)

    @property
    def machine(self) -> tuple[str, str, int]:
        """What its seconds depend on: device, processor and cores."""
        return self.device, self.processor, self.cores

    def truth_array(self) -> NDArray[np.bool_]:
        """Which measured pairs are paraphrases."""
        return np.array([letter == "1" for letter in self.truth], np.bool_)

    def score_array(self) -> Floats:
        """The scores of the measured pairs."""
        return np.array(self.scores, np.float64)


def result_file(folder: Path, corpus: str, contender: str, fold: int, seed: int, key: str) -> Path:
    """Where a result lies: named for people, told apart by its key.

    >>> result_file(Path("out"), "msrp", "bi-encoder gte-small", 0, 1, "ab12").as_posix()
    'out/results/msrp/bi-encoder-gte-small.fold-0.seed-1.ab12.json'
    """
    plain = re.sub(r"[^\w.]+", "-", contender).strip("-")
    return folder / FOLDER / corpus / f"{plain}.fold-{fold}.seed-{seed}.{key}.json"


def save_result(result: Result, file: Path) -> None:
    """Write a result; the file is either whole or absent."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, json.dumps(asdict(result), ensure_ascii=False, allow_nan=False) + "\n")


def read_result(file: Path) -> Result | None:
    """What `save_result` wrote; None where the file is none, or of a version with other fields."""
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    known = {one.name for one in fields(Result)}
    if not isinstance(written, dict) or not known - LATER <= set(written) <= known:
        return None
    return Result(**written)


def has_result(file: Path) -> bool:
    """Whether a result lies there that this version of Paraloom made, or one that does not know its version."""
    result = read_result(file)
    return result is not None and is_of_this_version(result)


def is_of_this_version(result: Result) -> bool:
    """Whether it may be set beside results of this version."""
    return SOURCE in (result.paraloom, paraloom_version()) or result.paraloom == paraloom_version()


def save_reasons(folder: Path, reasons: Mapping[tuple[str, str], str]) -> None:
    """Keep why contenders were not run on corpora, beside those of earlier runs."""
    kept = read_reasons(folder) | dict(reasons)
    folder.mkdir(parents=True, exist_ok=True)
    told = {f"{corpus}/{contender}": reason for (corpus, contender), reason in sorted(kept.items())}
    write_text(folder / REASONS, json.dumps(told, indent=1, ensure_ascii=False) + "\n")


def read_reasons(folder: Path) -> dict[tuple[str, str], str]:
    """Why contenders were not run on corpora, as far as it was told."""
    try:
        told = json.loads((folder / REASONS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    parted = {place.partition("/")[::2]: str(reason) for place, reason in told.items()}
    return {(corpus, contender): reason for (corpus, contender), reason in parted.items()}


def read_results(folder: Path) -> Iterator[Result]:
    """Every result in a folder, by whichever machine, in the order of the files' names."""
    for file in sorted((folder / FOLDER).glob("*/*.json")):
        result = read_result(file)
        if result is not None:
            yield result
