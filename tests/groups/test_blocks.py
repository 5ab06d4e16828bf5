"""Documents lie in blocks of a bounded size, and any two that may be a pair meet once."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.engine.rows import from_rows, row_schema
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.blocks import Placed, Plan, place_documents, plan_blocks, weigh_documents
from paraloom.tables import make_id

DAY = datetime(2024, 3, 1, tzinfo=UTC)


def documents(
    days: list[float | None], *, kind: str = "article", work: str | None = None, text: str = "text"
) -> pa.Table:
    rows = [
        Placed(
            block="", document_id=make_id(number), kind=kind, work=work, series=None, source="paper", language=None,
            created_at=None if day is None else DAY + timedelta(days=day), title=None, text=text,
        )
        for number, day in enumerate(days)
    ]  # fmt: skip
    return from_rows(rows, row_schema(Placed))


def placed(given: pa.Table, options: AlignmentOptions) -> tuple[Plan, dict[str, str]]:
    """The plan, and the block of every document."""
    plan = plan_blocks(
        lambda: (weigh_documents(given.slice(at, 5), options=options) for at in range(0, len(given), 5)), options
    )
    rows = place_documents(given, options=options, cuts=plan.cuts, last=plan.last)
    return plan, dict(zip(rows.column("document_id").to_pylist(), rows.column("block").to_pylist(), strict=True))


def meetings(plan: Plan, one: str, other: str) -> int:
    """How often the documents of two blocks are compared."""
    return (
        (one == other) + plan.meets[one].count(other) * (one != other) + plan.meets[other].count(one) * (one != other)
    )


@given(
    st.lists(st.floats(0, 40), min_size=2, max_size=30),
    st.sampled_from([0.0, 1.5, 7.0]),
    st.sampled_from([1, 3, 1000]),
    st.sampled_from([4, 40, 1000]),
)
def test_articles_within_a_window_meet_once(days: list[float], window: float, most: int, letters: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paraloom.groups.blocks.MOST_DOCUMENTS", most)
        patch.setattr("paraloom.groups.blocks.MOST_LETTERS", letters)
        plan, blocks = placed(documents(list(days)), AlignmentOptions(window_days=window))
    ids = [make_id(number) for number in range(len(days))]
    assert blocks.keys() == set(ids)
    for one in range(len(days)):
        for other in range(one):
            met = meetings(plan, blocks[ids[one]], blocks[ids[other]])
            assert met <= 1
            if not window or abs(days[one] - days[other]) < window - 1e-6:
                assert met == 1


@pytest.mark.parametrize(("most", "letters"), [(100, 1 << 30), (10_000, 1000)])
def test_a_crowded_window_is_cut_into_blocks_of_a_bounded_size(
    monkeypatch: pytest.MonkeyPatch, most: int, letters: int
) -> None:
    monkeypatch.setattr("paraloom.groups.blocks.MOST_DOCUMENTS", most)
    monkeypatch.setattr("paraloom.groups.blocks.MOST_LETTERS", letters)
    plan, blocks = placed(documents([1.0] * 2000, text="t" * 10), AlignmentOptions())
    sizes = Counter(blocks.values())
    assert len(sizes) == 20
    assert max(sizes.values()) < 200
    assert sum(len(others) for others in plan.meets.values()) == 20 * 19 // 2


def test_one_window_of_usual_size_is_one_block() -> None:
    plan, blocks = placed(documents([0.0, 0.5, 0.6]), AlignmentOptions())
    assert len(set(blocks.values())) == 1
    assert list(plan.meets.values()) == [()]


def test_articles_without_a_date_are_in_no_block_unless_there_is_no_window() -> None:
    given = documents([None, 1.0])
    assert len(placed(given, AlignmentOptions())[1]) == 1
    assert len(placed(given, AlignmentOptions(window_days=0))[1]) == 2


def test_of_a_work_with_many_versions_those_with_the_smallest_ids_are_placed() -> None:
    given = documents([None] * 60, kind="thread", work="help")
    _, blocks = placed(given, AlignmentOptions(versions_per_work=20))
    assert sorted(blocks) == sorted(make_id(number) for number in range(60))[:20]
    assert len(set(blocks.values())) == 1


def test_documents_before_the_epoch_have_a_window_too() -> None:
    plan, blocks = placed(documents([-30_000.0, -30_001.0]), AlignmentOptions())
    assert len(blocks) == 2
    assert sum(meetings(plan, *blocks.values()) for _ in range(1)) == 1
