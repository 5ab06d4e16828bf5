"""Groups in, the same groups out, some of a topic that is too common left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from paraloom.tables import make_id

if TYPE_CHECKING:
    import pyarrow as pa


def balance_groups(groups: pa.Table, *, seed: int, limits: dict[str, str]) -> pa.Table:
    """The same rows, left out where the topic has a limit and the group's draw is above it."""
    import pyarrow as pa

    columns = (groups.column(name).to_pylist() for name in ("group_id", "topic", "dropped_for"))
    reasons = [
        reason or ("topic_balance" if topic in limits and draw(seed, group_id) > limits[topic] else None)
        for group_id, topic, reason in zip(*columns, strict=True)
    ]
    place = groups.column_names.index("dropped_for")
    return groups.set_column(place, "dropped_for", pa.array(reasons, pa.string()))


def draw(seed: int, group_id: str) -> str:
    """A group's number in the lottery of its topic: the lower stay."""
    return make_id("balance", seed, group_id)


def limits_for_balance(groups: Iterable[tuple[str, str]], allowed: dict[str, int], seed: int) -> dict[str, str]:
    """The highest draw that stays, for every topic that has more groups than it may keep."""
    draws: dict[str, list[str]] = {}
    for group_id, topic in groups:
        draws.setdefault(topic, []).append(draw(seed, group_id))
    return {
        topic: sorted(numbers)[allowed[topic] - 1] if allowed[topic] else ""
        for topic, numbers in draws.items()
        if len(numbers) > allowed[topic]
    }
