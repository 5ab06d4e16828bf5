"""The adapter before preferences and after them in, what is shipped out: half the way from one to the other.

All the way it keeps most of what a source says, and says it twice or in broken English now and then; half way it keeps
nearly as much and stays fluent (after Wortsman et al., 2022, who do so with whole networks).
"""

from __future__ import annotations

import json
from pathlib import Path

from paraloom.engine.signatures import hash_of_file
from paraloom.models.generators.shipped import ADAPTER, base_file
from paraloom.models.language_models.adapter import read_adapter, write_adapter
from paraloom.models.shelf import CARD
from paraloom.models.training.curve import TRAINING

from .learning import TRAINED
from .preferring import PREFERRED

SHARE = 0.5
"""How much of the way."""

ABOUT = {
    "name": "paraloom",
    "kind": "generator",
    "about": "writes English paraphrases: an adapter over smollm2-135m; the usual choice (recipes/generator)",
    "base": "smollm2-135m",
    "recipe": "recipes/generator",
    "licence": "Apache-2.0",
    "learned from": [
        "MultiPIT_Auto, train (Dou et al., 2022)",
        "Twitter-URL, pairs labelled by machine (Lan et al., 2017)",
        "Quora question pairs, train",
        "ParaSCI-ACL, train (Dong et al., 2021)",
        "preferences among what a larger model, trained on these, wrote for their sentences, for news, for posts of "
        "politicians and for sentences of MNLI: Qwen2.5-Coder-0.5B-Instruct (Apache-2.0) wrote, a cross-encoder over "
        "all-mpnet-base-v2 (Apache-2.0) that has not seen MultiPIT_Expert judged",
    ],
}
"""What the card says of it."""


def ship(work: Path, out: Path) -> None:
    """The adapter, and a card that says how it came about, without texts of any corpus."""
    out.mkdir(parents=True, exist_ok=True)
    before, after = (read_adapter(work / stage / ADAPTER) for stage in (TRAINED, PREFERRED))
    between = {
        name: tuple((1 - SHARE) * one + SHARE * other for one, other in zip(before[name], after[name], strict=True))
        for name in before
    }
    write_adapter(between, out / ADAPTER)
    first, told = (json.loads((work / stage / TRAINING).read_text(encoding="utf-8")) for stage in (TRAINED, PREFERRED))
    first.pop("written", None)
    stages = {"first by pairs": first, "then by preferences": told, "share of preferences": SHARE}
    (out / TRAINING).write_text(json.dumps(stages, indent=1) + "\n", encoding="utf-8")
    about = {**ABOUT, "base_hash": hash_of_file(base_file())}
    (out / CARD).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
