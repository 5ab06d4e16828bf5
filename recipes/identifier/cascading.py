"""Teachers' answers in, the shipped cascade's cheap look out: what decides clear pairs without an encoder."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.cascade import Cascade
from paraloom.models.pair_model import QUESTIONS

from .folds import HELD_OUT

Array = np.ndarray[Any, Any]
SEED = 1

LEARNED_FROM = {
    "twitter-url": 40_000, "more-twitter-url": 90_000, "pit": 16_000, "more-pit": 25_000, "msrp": 4_000,
    "multipit-train": 5_000, "more-multipit-train": 30_000, "people": 4_000, "plain-multipit": 20_000,
    "plain-twitter_url": 20_000, "near-twitter-url": 9_000, "near-pit": 5_000, "near-msrp": 3_000, "strangers": 4_000,
}  # fmt: skip
"""Kinds of rows and how many at most."""

HELD = {"loose": ("twitter-url", "pit"), "strict": ("multipit-val",), "implication": ("people",)}
"""Held-out rows that decide where .5 lies and how wide the band of doubt is."""


def cascade(work: Path, out: Path) -> None:
    """Fit the cheap look to the teachers' answers, find its bands, and save it."""
    told = np.load(work / "told.npy").astype(np.float32)
    with np.load(work / "rows.npz") as stored:
        rows: dict[str, Array] = {name: stored[name] for name in ("left", "right", "kind", "fold", "decided", *HELD)}
    kinds: list[str] = json.loads((work / "kinds.json").read_text())
    texts = [json.loads(line) for line in (work / "texts.jsonl").read_text(encoding="utf-8").splitlines()]
    kind = np.array(kinds, dtype=object)[rows["kind"]].astype(str)
    rng = np.random.default_rng(SEED)
    there = [
        rng.permutation(np.flatnonzero((kind == name) & (rows["fold"] != HELD_OUT)))[:most]
        for name, most in LEARNED_FROM.items()
    ]
    chosen = np.concatenate(there)
    examples, held_out = [], []
    for definition, wanted in HELD.items():
        soft = 1 / (1 + np.exp(-told[chosen, QUESTIONS.index(definition)].astype(np.float64)))
        gold = rows[definition][chosen].astype(np.float64)
        targets = np.where(np.isnan(gold), soft, (soft + gold) / 2)
        examples.append(_examples(texts, rows, chosen, targets, definition))
        truth = rows[definition].astype(np.float64)
        kept = np.flatnonzero(np.isin(kind, wanted) & (rows["fold"] == HELD_OUT) & rows["decided"])
        held_out.append(_examples(texts, rows, kept, truth[kept], definition))
    fitted = Cascade(inner="paraloom").fit(examples, held_out, seed=SEED)
    trained = {
        "recipe": "recipes/identifier cascade",
        "on": json.loads((work / "trained_on.json").read_text()),
        "chosen_on": ["multipit-expert dev"],
        "curves": {one.definition: [asdict(point) for point in fitted.curve(one)] for one in held_out},
    }
    fitted = replace(fitted, trained=trained)
    fitted.save(out)
    for one in held_out:
        print(one.definition, fitted.band(one.definition))
        for point in trained["curves"][one.definition]:
            print("  ", point)


def _examples(texts: list[str], rows: dict[str, Array], places: Array, targets: Array, definition: str) -> Examples:
    left, right = ([texts[one] for one in rows[side][places]] for side in ("left", "right"))
    return Examples(left=left, right=right, targets=targets.tolist(), definition=definition)
