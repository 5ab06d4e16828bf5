"""Documents that are alike are found, within a block and between two, however many there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.groups.near_documents import Compared, near_pairs
from paraloom.metrics.likeness.character_tfidf import CharacterTfidf

DAY = 86_400
Told = list[tuple[int, str]]
"""The day of a text, and the text."""
TEXTS = st.lists(st.tuples(st.integers(0, 20), st.text("abc ", min_size=1, max_size=30)), min_size=1, max_size=14)


def compared(told: Told) -> Compared:
    rising = sorted(told)
    return Compared(
        CharacterTfidf().vectors([text for _, text in rising]), np.array([day * DAY for day, _ in rising], float)
    )


def found(one: Compared, other: Compared | None, low: float, window_days: float) -> dict[tuple[int, int], float]:
    pairs = [
        pair
        for near in near_pairs(one, other, low=low, window_days=window_days)
        for pair in zip(near.left.tolist(), near.right.tolist(), near.likeness.tolist(), strict=True)
    ]
    assert len({pair[:2] for pair in pairs}) == len(pairs), "no pair is found twice"
    return {pair[:2]: pair[2] for pair in pairs}


@given(TEXTS, st.sampled_from([0.0, 0.3, 0.9]), st.sampled_from([0.0, 7.0]), st.integers(1, 5), st.integers(1, 5))
def test_near_pairs_of_a_block_are_those_of_a_loop(
    told: Told, low: float, window: float, rows: int, columns: int
) -> None:
    block = compared(told)
    cosines = block.vectors.cosines(block.vectors)
    assert block.times is not None
    expected = {
        (one, other)
        for one in range(len(told))
        for other in range(one + 1, len(told))
        if (not window or abs(block.times[one] - block.times[other]) <= window * DAY)
        and round(float(cosines[one, other]), 6) >= low
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.groups.near_documents.ROWS_AT_ONCE", rows)
        patch.setattr("paraloom.groups.near_documents.COLUMNS_AT_ONCE", columns)
        assert found(block, None, low, window).keys() == expected


@given(TEXTS, TEXTS, st.sampled_from([0.0, 0.3, 0.9]), st.sampled_from([0.0, 7.0]), st.integers(1, 5))
def test_near_pairs_of_two_blocks_are_those_of_a_loop(
    one: Told, other: Told, low: float, window: float, rows: int
) -> None:
    left, right = compared(one), compared(other)
    cosines = left.vectors.cosines(right.vectors)
    assert left.times is not None
    assert right.times is not None
    expected = {
        (place, there)
        for place in range(len(one))
        for there in range(len(other))
        if (not window or abs(left.times[place] - right.times[there]) <= window * DAY)
        and round(float(cosines[place, there]), 6) >= low
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.groups.near_documents.ROWS_AT_ONCE", rows)
        assert found(left, right, low, window).keys() == expected


def test_sketches_overlook_next_to_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("abcdefghijklmnop"), 7)) for _ in range(3000)]
    texts = []
    for _ in range(150):
        event = rng.choice(words, 60)
        for _ in range(3):
            texts.append(" ".join(np.where(rng.random(60) < 0.5, event, rng.choice(words, 60))))
    vectors = CharacterTfidf.of(texts, shortest=4, longest=5).vectors(texts)
    blocks = Compared(vectors[:200]), Compared(vectors[200:])
    for one, other in ((Compared(vectors), None), blocks):
        monkeypatch.setattr("paraloom.groups.near_documents.FEW", 256)
        by_sketch = found(one, other, 0.2, 0.0)
        monkeypatch.setattr("paraloom.groups.near_documents.FEW", 10_000)
        exactly = found(one, other, 0.2, 0.0)
        assert by_sketch.items() <= exactly.items()
        assert len(by_sketch) >= 0.995 * len(exactly)
    assert len(found(Compared(vectors), None, 0.2, 0.0)) > 100
