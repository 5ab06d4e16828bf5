"""What processes and tests share: options of small runs, and how little is to be much for them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

SMALL = {
    "paraloom.engine.buckets.BYTES_PER_BUCKET": 8_000,
    "paraloom.workflows.mine.neighbours_step.BLOCK": 100,
    "paraloom.workflows.mine.index_step.RECALL_QUERIES": 100,
    "paraloom.models.neighbours.choice.FEWEST_CELLS": 4,
    "paraloom.models.neighbours.choice.ROWS_PER_LIST": 25,
}
"""So that eight hundred sentences lie in many buckets, blocks and cells."""
HELPED = ("embedded", "searched")
"""Rounds that helpers or actors do, where there are any; each starts them anew, which takes a while."""


def random_vectors(folder: Path, dims: int = 64) -> None:
    """A static embedder with a vector for every word piece, drawn by lot."""
    import numpy as np
    from tokenizers import Tokenizer

    from paraloom.models.embedders.shared_parts import PAIRS, tokeniser_file
    from paraloom.models.embedders.static import save_static

    pieces = Tokenizer.from_file(str(tokeniser_file(folder, {"tokeniser": PAIRS}))).get_vocab_size()
    vectors = np.random.default_rng(5).standard_normal((pieces, dims)).astype(np.float32)
    save_static(folder, vectors, None, card={"name": "drawn"})


def make_small(*, helped: bool = False) -> None:
    """In a process of its own: many buckets, blocks and cells; one worker for all but what is to be helped with."""
    from paraloom.engine import folders, passes, workers

    for name, value in SMALL.items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(module), constant, value)
    do = workers.do

    def done(job: Any, *, workers: int, **how: Any) -> None:
        do(job, workers=workers if helped and job.name in HELPED else 1, **how)

    passes.do = done
    folders.workers.do = done


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
