"""Candidates and sentences in, mined pairs out: texts beside numbers, what is trivial told apart, the rest ranked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from paraloom.engine.passes import BucketPass, Pass, Read
from paraloom.engine.rows import row_schema
from paraloom.engine.steps import Step
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.pairs.mined_texts import BEYOND_MOST, MinedPairs
from paraloom.tables import Pair
from paraloom.workflows.mine.candidates_step import candidates_file
from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.ordering import Bounds, Ordered, bounds_of, counts_below, in_order
from paraloom.workflows.mine.vectors_step import kept_sentences

if TYPE_CHECKING:
    from paraloom.engine.layout import Laid

PAIRS_AT_ONCE = 16_384
KEPT = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfPair:
    """A candidate with the text of its left sentence."""

    part: int
    """Of the right sentence."""
    right_place: int
    """Place of the right sentence in its part."""
    left_id: str
    left: str
    similarity: float
    margin: float
    is_mutual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRank:
    """A kept pair's place among all."""

    pair_id: str
    rank: int


def pairs_step(run: Path, options: MinedPairOptions, proposed_by: str) -> Step:
    """Candidates and sentences → pairs."""
    size = sum(file.stat().st_size for file in (run / "candidates").glob("part-*.parquet"))
    return Step(
        table="pairs",
        passes=(
            BucketPass(name="lefts", work=partial(LeftSides, run), row=HalfPair, to="part", reads_bytes=size),
            BucketPass(
                name="proposed",
                reads=(Read(table="lefts", columns=tuple(row_schema(HalfPair).names), kept_only=False),),
                work=partial(RightSides, run, options, proposed_by),
                row=Pair,
                to="pair_id",
            ),
            _order_pass,
            _rank_pass,
            BucketPass(
                name="ranked",
                reads=(
                    Read(table="proposed", columns=tuple(row_schema(Pair).names), kept_only=False),
                    Read(table="ranks", columns=("pair_id", "rank"), kept_only=False),
                ),
                work=partial(partial, _with_ranks, most=options.most),
                row=Pair,
                to="pair_id",
            ),
        ),
        options=(options, {"proposed_by": proposed_by}),
        stages=("pairs",),
        inputs=("sentences", "vectors", "candidates"),
    )


class LeftSides:
    """The candidates of one part, with the texts of their left sentences, laid down by the part of the right ones."""

    def __init__(self, run: Path) -> None:
        self.run = run
        self.numbers = Numbers.of(run / "vectors")

    def __call__(self, part: int) -> Iterator[pa.Table]:
        import pyarrow.parquet as pq

        file = pq.ParquetFile(self.run / "candidates" / candidates_file(part))
        if not file.metadata.num_rows:
            return
        sentences = kept_sentences(self.run, part, ("sentence_id", "text"))
        start = int(self.numbers.starts[part])
        for batch in file.iter_batches(PAIRS_AT_ONCE):
            low, high = batch.column("low").to_numpy(), batch.column("high").to_numpy()
            lefts = sentences.take(pa.array(low - start))
            parts = self.numbers.parts_of(high)
            columns = {
                "part": parts,
                "right_place": high - self.numbers.starts[parts],
                "left_id": lefts.column("sentence_id"),
                "left": lefts.column("text"),
                "similarity": batch.column("similarity"),
                "margin": batch.column("margin"),
                "is_mutual": batch.column("is_mutual"),
            }
            yield pa.table(columns)


class RightSides:
    """Candidates whose right sentences are in one part → pairs."""

    def __init__(self, run: Path, options: MinedPairOptions, proposed_by: str) -> None:
        self.run = run
        self.make = MinedPairs(options, proposed_by)

    def __call__(self, part: int, halves: pa.Table) -> Iterator[pa.Table]:
        if not len(halves):
            return
        sentences = kept_sentences(self.run, part, ("sentence_id", "text"))
        for start in range(0, len(halves), PAIRS_AT_ONCE):
            some = halves.slice(start, PAIRS_AT_ONCE)
            rights = sentences.take(some.column("right_place"))
            some = some.append_column("right_id", rights.column("sentence_id"))
            yield self.make(some.append_column("right", rights.column("text")))


def _order_pass(laid: Mapping[str, Laid]) -> Pass:
    """Kept pairs by how good they are, in ranges that fit into memory."""
    bounds = bounds_of(laid[KEPT], "margin")
    return Pass(
        name="ordered",
        reads=(Read(table=KEPT, columns=("pair_id", "margin", "similarity")),),
        by=None,
        work=partial(partial, _ordered, bounds=bounds),
        row=Ordered,
        to="range",
    )


def _ordered(pairs: pa.Table, *, bounds: Bounds) -> pa.Table:
    return pa.table(
        {
            "range": bounds.ranges_of(pairs.column("margin").to_numpy()),
            "pair_id": pairs.column("pair_id"),
            "first": pairs.column("margin"),
            "second": pairs.column("similarity"),
        }
    )


def _rank_pass(laid: Mapping[str, Laid]) -> BucketPass:
    before = counts_below(laid["ordered"])
    return BucketPass(
        name="ranks",
        reads=(Read(table="ordered", columns=("pair_id", "first", "second"), kept_only=False),),
        work=partial(partial, _ranks, before=before),
        row=PairRank,
        to="pair_id",
    )


def _ranks(number: int, pairs: pa.Table, *, before: tuple[int, ...]) -> Iterator[pa.Table]:
    ids = pairs.column("pair_id").take(in_order(pairs))
    first = before[number] + 1
    yield pa.table({"pair_id": ids, "rank": np.arange(first, first + len(ids))})


def _with_ranks(bucket: int, pairs: pa.Table, ranks: pa.Table, *, most: int | None) -> Iterator[pa.Table]:
    if not len(pairs):
        return
    places = pc.index_in(pairs.column("pair_id"), value_set=ranks.column("pair_id").combine_chunks())
    given = pc.fill_null(ranks.column("rank").combine_chunks().take(places.combine_chunks()), 0)
    pairs = pairs.set_column(pairs.schema.get_field_index("rank"), "rank", given)
    if most is not None:
        is_beyond = pc.greater(given, most)
        reasons = pc.if_else(is_beyond, pa.scalar(BEYOND_MOST), pairs.column("dropped_for"))
        pairs = pairs.set_column(pairs.schema.get_field_index("dropped_for"), "dropped_for", reasons)
    yield pairs
