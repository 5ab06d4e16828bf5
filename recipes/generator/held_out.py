"""Pairs that people have judged and nobody has filtered in, sets with several references a source out.

Pairs of MultiPIT_Auto with a high BLEU were taken out of it, so its references are farther from their sources than
people's usually are. These are as people wrote them: headlines of Twitter-URL, one half to choose by and one to look at
once, and posts of MultiPIT_Expert, to be looked at once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from paraloom.corpus.held_out_references import HeldOutOptions, hold_out_references, place_of
from paraloom.corpus.known import KnownPairs, read_corpus
from paraloom.text.detokenise import detokenise
from paraloom.workflows.bench.generation_sets import EXPERT

HEADLINES = HeldOutOptions(most=400)
EXPERTS = HeldOutOptions(most=1_000, min_cluster=4, max_cluster=200, min_references=3, max_references=30)
MOST_REFERENCES = 8
"""As many as a source of the published test has."""

Item = tuple[str, Sequence[str]]


def hold_out_judged_by_people(data: Path, folder: Path) -> tuple[str, ...]:
    """`twitter_url_dev.jsonl` and `twitter_url_test.jsonl`; every text of their clusters."""
    held = hold_out_references(_paraphrases([read_corpus("twitter-url", data).splits["train"]]), (), HEADLINES)
    items = list(zip(held.evaluation_set.sources, held.evaluation_set.references, strict=True))
    # On which side a source stands is its own hash's to say: whatever else is held out, it never changes sides.
    for name, side in (("dev", 0), ("test", 1)):
        some = [item for item in items if int(place_of(item[0]), 16) % 2 == side]
        _write(folder / f"twitter_url_{name}.jsonl", some)
        print(f"Twitter-URL, judged by people, {name}: {len(some):,} sources", flush=True)
    return held.texts


def write_experts(data: Path, folder: Path) -> None:
    """`experts.jsonl`: sources of MultiPIT_Expert with some of the texts that experts call their paraphrases."""
    pairs = _paraphrases(read_corpus(EXPERT, data).splits.values())
    held = hold_out_references(pairs, (), EXPERTS).evaluation_set
    items = [
        (source, sorted(texts, key=lambda text: place_of(detokenise(text)))[:MOST_REFERENCES])
        for source, texts in zip(held.sources, held.references, strict=True)
    ]
    _write(folder / "experts.jsonl", items)
    print(f"MultiPIT_Expert: {len(items):,} sources", flush=True)


def _paraphrases(splits: Iterable[KnownPairs]) -> list[tuple[str, str]]:
    return [
        (left, right)
        for pairs in splits
        for left, right, target in zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True)
        if target > 0.5
    ]


def _write(file: Path, items: Iterable[Item]) -> None:
    rows = [
        {"source": detokenise(source), "references": [detokenise(text) for text in texts]}
        for source, texts in sorted(items, key=lambda item: place_of(item[0]))
    ]
    file.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
