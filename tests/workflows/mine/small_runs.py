"""What processes and tests share: options of small runs, and how little is to be much for them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

SMALL = {
    "paraloom.engine.buckets.BYTES_PER_BUCKET": 8_000,
    "paraloom.workflows.mine.neighbours_step.BLOCK": 100,
    "paraloom.models.neighbours.choice.FEWEST_CELLS": 4,
    "paraloom.models.neighbours.choice.ROWS_PER_LIST": 25,
}
"""So that eight hundred sentences lie in many buckets, blocks and cells."""
FEW_QUERIES = {"paraloom.workflows.mine.index_step.RECALL_QUERIES": 100}
"""So that the recall is estimated by a sample; helper processes would not know of it."""
HELPED = {
    "in-process": (),
    "helpers": ("turned", "lefts", "proposed", "ranks", "identified", "parts", "written"),
    "killed": ("turned", "identified", "joined"),
    "ray": ("embedded", "laid", "cells", "compared", "searched", "looked again", "paired"),
}
"""Rounds that helpers or actors do: mining's own, each in one of the two places, for each starts them anew, which takes
a second or two."""


def random_vectors(folder: Path, dims: int = 64) -> None:
    """A static embedder with a vector for every word piece, drawn by lot."""
    import numpy as np
    from tokenizers import Tokenizer

    from paraloom.models.embedders.shared_parts import PAIRS, tokeniser_file
    from paraloom.models.embedders.static import save_static

    pieces = Tokenizer.from_file(str(tokeniser_file(folder, {"tokeniser": PAIRS}))).get_vocab_size()
    vectors = np.random.default_rng(5).standard_normal((pieces, dims)).astype(np.float32)
    save_static(folder, vectors, None, card={"name": "drawn"})


def make_small(where: str) -> set[str]:
    """In a process of its own: many buckets, blocks and cells; one worker for all but what is to be helped with.

    Gives the rounds that nobody has been helped with so far.
    """
    from paraloom.engine import folders, passes, workers

    for name, value in SMALL.items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(module), constant, value)
    do, left = workers.do, set(HELPED[where])

    def done(job: Any, *, workers: int, **how: Any) -> None:
        is_helped = job.name in HELPED[where] and len(job.missing()) > 1
        do(job, workers=2 if is_helped else 1, **how)
        left.difference_update([job.name] if is_helped else [])

    passes.do = done
    folders.workers.do = done
    return left


def small_options(embedder: str, index: str = "exact", place: Any = None, **changed: Any) -> Any:
    """A whole run with an identifier that takes no time."""
    from paraloom.engine.places import PlaceOptions
    from paraloom.pairs.mine_options import MinedPairOptions
    from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions

    parts: dict[str, Any] = {
        "embed": EmbedOptions(embedder=embedder),
        "search": SearchOptions(index=index, neighbours=5),
        "pairs": MinedPairOptions(min_similarity=0.5, lexical_band=(0.0, 0.85)),
        "judge": JudgeOptions(identifier="ngram-regression"),
        "place": place or PlaceOptions(workers=1),
    }
    return MineOptions(**(parts | changed))
