"""On real pairs the shipped embedders find at least what they found, and mining with lists what comparing all finds.

They lie in no repository: `PARALOOM_DATA` names a folder with `pit2015/`, `multipit/` and `twitter_url/`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from paraloom.corpus.known import read_corpus
from paraloom.engine.places import PlaceOptions
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.reports.bench_mining import MiningBench
from paraloom.workflows.bench.mining import bench_mining
from paraloom.workflows.bench.mining_options import MiningBenchOptions
from paraloom.workflows.mine.index_step import read_probes
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.neighbour_tables import read_neighbours
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions

GATES = [
    ("fast", "pit2015", "roc-auc", 0.81),
    ("fast", "pit2015", "top-10", 0.155),
    ("fast", "multipit-auto", "top-1-forgiving", 0.80),
    ("fast", "multipit-auto", "mrr", 0.87),
    ("good", "pit2015", "roc-auc", 0.91),
    ("good", "pit2015", "top-10", 0.185),
    ("good", "multipit-auto", "top-1-forgiving", 0.80),
    ("good", "multipit-auto", "mrr", 0.87),
]
"""An embedder as it ships, a set of pairs (about 1,000, without strangers), a figure and the least it may be."""
SENTENCES, RECALL = 20_000, 0.975
"""Tweets, and the share of their near neighbours that lists find; .98 is asked for, and estimated on a sample."""


@pytest.fixture(scope="module")
def bench(data: Path) -> MiningBench:
    options = MiningBenchOptions(
        embedders=("fast", "good"), sets=("pit2015", "multipit-auto"), most_distractors=0, limit=1000, resamples=1
    )
    return bench_mining(data, options)


@pytest.mark.parametrize(("embedder", "name", "figure", "least"), GATES)
def test_a_shipped_embedder_finds_at_least_what_it_found(
    embedder: str, name: str, figure: str, least: float, bench: MiningBench
) -> None:
    assert bench.row(embedder, name).figures.figures[figure].value >= least


def near(run: Path) -> set[tuple[str, str]]:
    """Sentences of a run and their neighbours that are alike enough to become pairs."""
    least = MinedPairOptions().min_similarity
    return {
        (row["sentence_id"], row["neighbour_id"])
        for table in read_neighbours(run)
        for row in table.to_pylist()
        if row["similarity"] >= least
    }


def test_lists_find_the_neighbours_that_comparing_all_finds(data: Path, tmp_path: Path) -> None:
    pairs = read_corpus("twitter-url", data).splits["train"]
    texts = sorted({*pairs.left, *pairs.right})[:SENTENCES]
    (tmp_path / "tweets.txt").write_text("\n".join(" ".join(text.split()) for text in texts) + "\n", encoding="utf-8")
    kinds: tuple[Literal["exact", "ivf"], ...] = ("exact", "ivf")
    for index in kinds:
        options = MineOptions(
            embed=EmbedOptions(embedder="fast"),
            search=SearchOptions(index=index),
            judge=JudgeOptions(identify=False),
            place=PlaceOptions(workers=1),
        )
        mine([tmp_path / "tweets.txt"], tmp_path / index, options)
    true, found = near(tmp_path / "exact"), near(tmp_path / "ivf")
    recall = sum((one, other) in found or (other, one) in found for one, other in true) / len(true)
    estimated = read_probes(tmp_path / "ivf")["recall"]
    assert len(true) > SENTENCES
    assert recall >= RECALL
    assert estimated["share"] >= 0.98
    assert estimated["low"] <= recall <= estimated["high"]
