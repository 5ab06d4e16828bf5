"""Which groups stay when topics are balanced."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa

from paraloom.groups.balance import balance_groups, limits_for_balance
from paraloom.groups.topics import quotas
from paraloom.tables import make_id

TOPIC_COUNTS = {"politics": 40, "health": 10, "sports": 10}
GROUPS = [(make_id(topic, number), topic) for topic, count in TOPIC_COUNTS.items() for number in range(count)]


def table(*rows: tuple[str, str, str | None]) -> pa.Table:
    columns = list(zip(*rows, strict=True))
    return pa.table(
        {
            "group_id": pa.array(columns[0], pa.string()),
            "topic": pa.array(columns[1], pa.string()),
            "dropped_for": pa.array(columns[2], pa.string()),
            "size": pa.array(range(len(rows))),
        }
    )


def stays(seed: int, share: float = 0.4, groups: list[tuple[str, str]] = GROUPS) -> set[str]:
    limits = limits_for_balance(groups, quotas(Counter(topic for _, topic in groups), share), seed)
    balanced = balance_groups(table(*((group, topic, None) for group, topic in groups)), seed=seed, limits=limits)
    assert set(balanced.column("dropped_for").to_pylist()) <= {None, "topic_balance"}
    return {row["group_id"] for row in balanced.to_pylist() if row["dropped_for"] is None}


def test_balancing_leaves_each_topic_its_quota() -> None:
    topics = dict(GROUPS)
    assert Counter(topics[group] for group in stays(1)) == {"health": 10, "politics": 13, "sports": 10}


def test_the_seed_decides_which_groups_stay_and_nothing_else_does() -> None:
    assert stays(1) == stays(1, groups=GROUPS[::-1])
    assert stays(1) != stays(2)
    assert len(stays(1)) == len(stays(2))


def test_a_group_left_out_before_keeps_its_first_reason() -> None:
    balanced = balance_groups(table(("g", "sports", "too_small")), seed=1, limits={"sports": ""})
    assert balanced.column("dropped_for").to_pylist() == ["too_small"]


def test_balancing_changes_nothing_but_the_reason() -> None:
    given = table(("g", "sports", None), ("h", "health", "too_large"))
    assert balance_groups(given, seed=1, limits={}) == given
    assert balance_groups(given, seed=1, limits={"sports": ""}).drop_columns("dropped_for") == given.drop_columns(
        "dropped_for"
    )
