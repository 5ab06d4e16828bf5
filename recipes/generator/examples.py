"""Published corpora in, what the generator and its teacher learn from out: pairs, and sentences to write for.

Nothing is learned from that shares a text with what is measured on: the sets of `bench generation`, whole clusters of
MultiPIT_Auto's train split among them; all of MultiPIT_Expert, from which most sources of the published test were
taken; and clusters of Twitter-URL's train split (`held_out`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from paraloom.corpus.known import read_corpus
from paraloom.corpus.text_key import text_key
from paraloom.models.identifiers import load
from paraloom.pairs.fit_options import FitOptions
from paraloom.pairs.fit_to_learn import counted_reasons, fit_to_learn
from paraloom.text.detokenise import detokenise
from paraloom.workflows.bench.generation_sets import AUTO, EXPERT, read_bench_sets, write_held_out

from .held_out import hold_out_judged_by_people, write_experts
from .sources import write_sources

EXAMPLES, TEACHER_EXAMPLES = "examples.jsonl", "teacher_examples.jsonl"
DEV, HELD_OUT = "dev.jsonl", "held_out"
JUDGE = "paraloom"
SEED = 1

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One corpus: what of it is learned from."""

    name: str
    read: Callable[[Path], Iterable[Pair]]
    fit: FitOptions = FitOptions()
    within: int | None = None
    """Only so many pairs are looked at: far more than enough."""


def prepare(data: Path, work: Path, *, few: int = 0) -> None:
    """Write pairs to learn from, sentences to write for, what is looked at while training, and what is held out."""
    work.mkdir(parents=True, exist_ok=True)
    held = (*write_held_out(data, work / HELD_OUT).texts, *hold_out_judged_by_people(data, work / HELD_OUT))
    write_experts(data, work / HELD_OUT)
    never = {text_key(text) for text in (*held, *_texts(data, EXPERT), *_measured_on(data))}
    write_sources(data, work, never, few=few)
    _write(work / DEV, [(detokenise(left), detokenise(right)) for left, right in _auto(data, "dev")])
    fit = cache(lambda corpus: tuple(_fit(corpus, data, never, few)))
    for file, corpora in LEARNED.items():
        draw = np.random.default_rng(SEED)
        chosen: list[Pair] = []
        for corpus, wanted in corpora.items():
            found, most = fit(corpus), few or wanted
            chosen += [found[row] for row in sorted(draw.permutation(len(found))[:most])]
            print(f"{file}, {corpus.name}: {min(most, len(found)):,} of {len(found):,} that are fit", flush=True)
        _write(work / file, chosen)


def _fit(corpus: Drawn, data: Path, never: set[str], few: int) -> list[Pair]:
    pairs = [(detokenise(left), detokenise(right)) for left, right in corpus.read(data)]
    pairs = pairs[: 20 * few if few else corpus.within]
    both = [*pairs, *((right, left) for left, right in pairs)]
    reasons = fit_to_learn(
        [source for source, _ in both],
        [target for _, target in both],
        corpus.fit,
        seen=[any(text_key(text) in never for text in pair) for pair in both],
        judge=partial(load(JUDGE).score, definition="strict"),
    )
    print(f"{corpus.name}: {len(both):,} examples; left out: {counted_reasons(reasons)}", flush=True)
    return [pair for pair, reason in zip(both, reasons, strict=True) if reason is None]


def _auto(data: Path, split: str) -> list[Pair]:
    pairs = read_corpus(AUTO, data).splits[split]
    return list(zip(pairs.left, pairs.right, strict=True))


def _texts(data: Path, corpus: str) -> list[str]:
    return [text for pairs in read_corpus(corpus, data).splits.values() for text in (*pairs.left, *pairs.right)]


def _measured_on(data: Path) -> list[str]:
    """Of every set of `bench generation`, other kinds of text included."""
    sets = [one.evaluation_set for one in read_bench_sets(data)[0]]
    items = [item for one in sets for item in zip(one.sources, one.references, strict=True)]
    return [text for source, references in items for text in (source, *references)]


def _tabbed(name: str) -> Callable[[Path], Iterable[Pair]]:
    def read(data: Path) -> list[Pair]:
        lines = (data / name).read_text(encoding="utf-8").split("\n")
        rows = (line.split("\t") for line in lines)
        return [(row[0], row[1]) for row in rows if len(row) == 2]

    return read


def _beside(left: str, right: str) -> Callable[[Path], Iterable[Pair]]:
    def read(data: Path) -> list[Pair]:
        sides = [(data / name).read_text(encoding="utf-8").split("\n") for name in (left, right)]
        return list(zip(*sides, strict=True))

    return read


_AUTO = Drawn(name="MultiPIT_Auto", read=lambda data: _auto(data, "train"))
_SILVER = Drawn(
    name="Twitter-URL, labelled by machine",
    read=_tabbed("twitter_url/silver/train.tsv"),
    within=60_000,
    fit=FitOptions(max_bleu=30.0, min_score=0.7),
)
_QUORA = Drawn(
    name="Quora",
    read=_tabbed("qqp/generation/train.tsv"),
    within=15_000,
    fit=FitOptions(max_bleu=30.0, min_score=0.7),
)
_SCIENCE = Drawn(
    name="ParaSCI",
    read=_beside("parasci_acl/train/train.src", "parasci_acl/train/train.tgt"),
    within=20_000,
    fit=FitOptions(max_bleu=30.0, min_score=0.7),
)
_LESS_ALIKE = FitOptions(min_score=0.7)
LEARNED: Mapping[str, Mapping[Drawn, int]] = {
    EXAMPLES: {_AUTO: 36_000, _SILVER: 8_000, _QUORA: 4_000, _SCIENCE: 2_000},
    TEACHER_EXAMPLES: {
        _AUTO: 80_000,
        replace(_SILVER, within=None, fit=_LESS_ALIKE): 12_000,
        replace(_QUORA, within=40_000, fit=_LESS_ALIKE): 8_000,
        replace(_SCIENCE, within=None, fit=_LESS_ALIKE): 3_000,
    },
}
"""What each file is drawn from, in that order, and how many examples of those that are fit. The teacher has none with a
BLEU above 14: pairs that are more alike teach to copy."""


def _write(file: Path, pairs: Sequence[Pair]) -> None:
    _write_lines(file, [{"left": left, "right": right} for left, right in pairs])


def _write_lines(file: Path, rows: Iterable[Mapping[str, object]]) -> None:
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
