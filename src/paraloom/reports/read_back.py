"""What JSON has of a dataclass in, the dataclass out, with those inside it."""

from __future__ import annotations

from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints


def read_back(kind: Any, value: Any) -> Any:
    """A value of this type, made of what `json.loads(json.dumps(asdict(…)))` gave for one.

    >>> from paraloom.reports.histograms import Histogram
    >>> read_back(tuple[Histogram, ...] | None, [{"counts": [1, 2], "values": 3, "mean": None}])
    (Histogram(counts=(1, 2), values=3, mean=None),)
    """
    if value is None:
        return None
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: read_back(hints[name], inner) for name, inner in value.items()})  # type: ignore[operator]
    if get_origin(kind) is tuple:
        return tuple(read_back(get_args(kind)[0], each) for each in value)
    if get_origin(kind) is UnionType:
        (other,) = (arm for arm in get_args(kind) if arm is not NoneType)
        return read_back(other, value)
    return value
