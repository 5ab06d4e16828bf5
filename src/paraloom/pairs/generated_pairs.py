"""Sentences in, pairs of each with what a generator says of it out: for judging, labelling and release like all others.

Candidates that were refused are rows, too, with the reason in `dropped_for`; mere copies and repetitions are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Protocol

from paraloom.metrics.diversity.cosine import cosine_of_counts
from paraloom.metrics.diversity.jaccard import jaccard_of_tokens
from paraloom.metrics.diversity.pinc import pinc_of_tokens
from paraloom.pairs.generate import NEVER, Generated
from paraloom.tables import Pair, make_id, pair_id_of, schema
from paraloom.text.normalise import folded
from paraloom.text.tokenise import words

if TYPE_CHECKING:
    import pyarrow as pa

PLACES = 6
PROPOSED_BY = "generate"


class Writes(Protocol):
    """A generator that is loaded, with its ranker and options."""

    @property
    def name(self) -> str:
        """The generator's."""

    def write(self, sources: Sequence[str]) -> list[Generated]:
        """What becomes of each source."""


class PairGenerator:
    """Rows of sentences → rows of `Pair`; the generator is loaded once, where it is used."""

    def __init__(self, load: Callable[[], Writes]) -> None:
        self.load = load
        self._writer: Writes | None = None

    def __call__(self, sentences: pa.Table) -> pa.Table:
        """`sentences` has sentence_id and text."""
        import pyarrow as pa

        if self._writer is None:
            self._writer = self.load()
        ids, texts = (sentences.column(name).to_pylist() for name in ("sentence_id", "text"))
        rows = [
            asdict(pair)
            for sentence_id, generated in zip(ids, self._writer.write(texts), strict=True)
            for pair in pairs_of(sentence_id, generated, f"{PROPOSED_BY}:{self._writer.name}")
        ]
        return pa.Table.from_pylist(rows, schema=schema(Pair))


def pairs_of(sentence_id: str, generated: Generated, proposed_by: str) -> Iterator[Pair]:
    """The pairs of one source, its outputs first."""
    said: list[tuple[str, int, str | None]] = [
        (output.text, rank, None) for rank, output in enumerate(generated.outputs, start=1)
    ]
    said += [(each.text, 0, each.reason) for each in generated.refused if each.reason not in NEVER]
    tokens = words(generated.source)
    counts = Counter(tokens)
    met = {sentence_id}
    for text, rank, reason in said:
        right_id = make_id("text", folded(text))
        if right_id in met:
            continue
        met.add(right_id)
        others = words(text)
        yield Pair(
            pair_id=pair_id_of(sentence_id, right_id),
            group_id=sentence_id,
            left_id=sentence_id,
            right_id=right_id,
            left=generated.source,
            right=text,
            created_at=None,
            proposed_by=proposed_by,
            rank=rank,
            pinc=round(pinc_of_tokens(tokens, others), PLACES),
            jaccard=round(jaccard_of_tokens(tokens, others), PLACES),
            similarity=round(cosine_of_counts(counts, Counter(others)), PLACES),
            dropped_for=reason,
        )


def merge_generated(rows: list[dict[str, object]]) -> dict[str, object]:
    """Two sources that became each other are one pair: kept where either way was, the smaller id on the left."""
    return min(rows, key=lambda row: (row["dropped_for"] is not None, str(row["left_id"])))
