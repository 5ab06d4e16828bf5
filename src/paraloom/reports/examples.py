"""Labelled pairs and sentences in, the few that the report shows out: ids are hashes, and the smallest win."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from paraloom.reports.columns import to_numpy

if TYPE_CHECKING:
    import pyarrow as pa

PARAPHRASES = 12
NEAR_MISSES = 12
PINC_BANDS = (0.45, 0.6, 0.7, 0.8, 0.9)
SCORE_BANDS = (0.7, 0.9)
"""Paraphrases are picked from every band of PINC and of score, so that not all of them look alike."""
PER_BAND = 4
DROPPED_REASONS = 8
PER_REASON = 2
MOST_REASONS_MET = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PairExample:
    """A pair to look at."""

    pair_id: str
    group_id: str
    left: str
    right: str
    topic: str | None
    score: float | None
    pinc: float
    jaccard: float
    similarity: float
    dropped_for: str | None
    """Why it is not in the released corpus, where it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Pairs to look at."""

    paraphrases: tuple[PairExample, ...]
    near_misses: tuple[PairExample, ...]
    """Pairs that are no paraphrases though their words are the most alike."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedExample:
    """Sentences left out for one reason."""

    reason: str
    count: int
    texts: tuple[str, ...]


class ExamplePicker:
    """Picks pairs part by part; parts come in the order of pair_id, so the first met are the smallest."""

    def __init__(self) -> None:
        self._bands: dict[tuple[bool, int, int], list[PairExample]] = {}
        self._near_misses: list[PairExample] = []

    def add(self, pairs: pa.Table) -> None:
        """Look at one part of the pairs, with their labels and topics."""
        is_paraphrase = to_numpy(pairs.column("is_paraphrase").cast("int8"), -1)
        self._add_paraphrases(pairs, (is_paraphrase == 1).nonzero()[0].tolist())
        self._add_near_misses(pairs, (is_paraphrase == 0).nonzero()[0].tolist())

    def _add_paraphrases(self, pairs: pa.Table, places: list[int]) -> None:
        pinc = pairs.column("pinc").to_pylist()
        score = pairs.column("score").to_pylist()
        left_out = pairs.column("left_out_for").to_pylist()
        for place in places:
            band = (
                left_out[place] is not None,
                bisect_right(PINC_BANDS, pinc[place]),
                bisect_right(SCORE_BANDS, score[place] or 0.0),
            )
            picked = self._bands.setdefault(band, [])
            if len(picked) < PER_BAND:
                example = _example(pairs, place)
                if all(example.group_id != other.group_id for other in picked):
                    picked.append(example)

    def _add_near_misses(self, pairs: pa.Table, places: list[int]) -> None:
        similarity = pairs.column("similarity").to_pylist()
        groups = pairs.column("group_id").to_pylist()
        met: set[str] = set()
        for place in sorted(places, key=lambda place: (-similarity[place], place)):
            if len(met) == NEAR_MISSES:
                break
            if groups[place] not in met:
                met.add(groups[place])
                self._near_misses.append(_example(pairs, place))
        self._near_misses = _one_a_group(
            sorted(self._near_misses, key=lambda example: (-example.similarity, example.pair_id)), NEAR_MISSES
        )

    def result(self) -> Examples:
        """Released paraphrases first, those of high PINC first, one band after the other until there are enough."""
        order = sorted(self._bands, key=lambda band: (band[0], -band[1], -band[2]))
        turns = [
            self._bands[band][turn]
            for left_out in (False, True)
            for turn in range(PER_BAND)
            for band in order
            if band[0] == left_out and turn < len(self._bands[band])
        ]
        chosen = _one_a_group(turns, PARAPHRASES)
        return Examples(
            paraphrases=tuple(sorted(chosen, key=lambda example: (-example.pinc, example.pair_id))),
            near_misses=tuple(self._near_misses),
        )


def _one_a_group(examples: list[PairExample], most: int) -> list[PairExample]:
    first = {example.group_id: example for example in reversed(examples)}
    return [example for example in examples if first[example.group_id] is example][:most]


def _example(pairs: pa.Table, place: int) -> PairExample:
    row: dict[str, Any] = {name: pairs.column(name)[place].as_py() for name in pairs.column_names}
    return PairExample(
        **{
            name: row[name]
            for name in ("pair_id", "group_id", "left", "right", "topic", "score", "pinc", "jaccard", "similarity")
        },
        dropped_for=row["dropped_for"] or row["left_out_for"],
    )


class DroppedPicker:
    """Picks sentences that were left out, the first met of every reason."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._texts: dict[str, list[str]] = {}

    def add(self, sentences: pa.Table) -> None:
        """Look at one part of the sentences."""
        for reason, text in zip(*(sentences.column(name).to_pylist() for name in ("dropped_for", "text")), strict=True):
            if reason is None or (reason not in self._counts and len(self._counts) == MOST_REASONS_MET):
                continue
            self._counts[reason] = self._counts.get(reason, 0) + 1
            picked = self._texts.setdefault(reason, [])
            if len(picked) < PER_REASON and text not in picked:
                picked.append(text)

    def result(self) -> tuple[DroppedExample, ...]:
        """The most common reasons."""
        order = sorted(self._counts, key=lambda reason: (-self._counts[reason], reason))[:DROPPED_REASONS]
        return tuple(
            DroppedExample(reason=reason, count=self._counts[reason], texts=tuple(self._texts[reason]))
            for reason in order
        )
