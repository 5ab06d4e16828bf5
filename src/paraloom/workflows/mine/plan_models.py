"""Embedders and identifiers in; what each takes for a sentence or a pair, and how much memory, out.

Each is asked in a process of its own, on one core, as helpers do. Seconds are those of the processor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.workflows.mine.plan_costs import ModelCost
from paraloom.workflows.mine.plan_machine import in_own_process, most_held

if TYPE_CHECKING:
    import pyarrow as pa

    from paraloom.workflows.mine.plan_options import PlanOptions

FEW = 32
"""Texts or pairs that are given at first, to load and compile what is needed."""
ASKED_SECONDS = 1.0
"""A model is given more until it takes so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedding:
    """What an embedder showed."""

    cost: ModelCost
    dims: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """What an identifier showed."""

    cost: ModelCost
    true_share: float
    """Of the pairs it was given, those that it holds true."""


def check_models(options: PlanOptions) -> None:
    """An error for an embedder or an identifier that there is not, before anything is measured."""
    from paraloom.models.embedders import load_embedder
    from paraloom.models.identifiers import load

    load_embedder(options.embedder, dims=options.dims)
    load(options.identifier)


def measure_embedder(name: str, texts: Sequence[str]) -> Embedding:
    """How an embedder does with these sentences."""
    return in_own_process(_embed, name, list(texts))


def measure_identifier(name: str, pairs: pa.Table) -> Judging:
    """How an identifier does with these pairs, by the first of its definitions that mining would take."""
    return in_own_process(_judge, name, pairs)


def _embed(name: str, texts: list[str]) -> Embedding:
    from paraloom.metrics.parts import leave_the_rest
    from paraloom.models.embedders import learned, load_embedder

    leave_the_rest(1)
    embedder = learned(load_embedder(name), texts)
    each = seconds_each(lambda count: embedder.embed(texts[:count]), len(texts))
    cost = ModelCost(each=each, memory=most_held(), is_network=embedder.is_network)
    return Embedding(cost=cost, dims=embedder.dims)


def _judge(name: str, pairs: pa.Table) -> Judging:
    import pyarrow.compute as pc

    from paraloom.labels.label import PairLabeller
    from paraloom.labels.options import LabelOptions
    from paraloom.metrics.parts import leave_the_rest
    from paraloom.models.identifiers import load

    leave_the_rest(1)
    known = load(name).definitions
    usual = LabelOptions().definition
    label = PairLabeller(LabelOptions(identifier=name, definition=usual if usual in known else known[0]))  # type: ignore[arg-type]
    given = 0
    true = 0

    def judge(count: int) -> None:
        nonlocal given, true
        labels = label(pairs.slice(0, count))
        given, true = len(labels), pc.sum(labels.column("is_paraphrase")).as_py() or 0

    each = seconds_each(judge, len(pairs))
    return Judging(cost=ModelCost(each=each, memory=most_held()), true_share=true / max(given, 1))


def seconds_each(work: Callable[[int], object], most: int) -> float:
    """Seconds of the processor that one of many takes, of as many as take about a second, at most so many."""
    count = min(FEW, most)
    work(count)
    while True:
        start = time.process_time()
        work(count)
        passed = time.process_time() - start
        if passed * 4 > ASKED_SECONDS or count >= most:
            return passed / max(count, 1)
        count = min(count * 4, most)
