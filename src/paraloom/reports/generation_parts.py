"""What an evaluation of generators found beside metrics, as frozen dataclasses: types, facts lost or made up, and
outputs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedExample:
    """An output of a type, and what makes it one, in a few words each."""

    source: str
    output: str
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeShare:
    """How many outputs are of one type of paraphrase."""

    name: str
    means: str
    is_good: bool
    count: int
    share: float
    examples: tuple[TypedExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypesFound:
    """Of which types outputs are, as in Table 7 of Dou et al. (2022)."""

    outputs: int
    """Those that were looked at: all that hold text, or the first of them."""
    types: tuple[TypeShare, ...]
    good_per_output: float
    poor: float
    untyped: int
    signature: str

    def share(self, name: str) -> float:
        """Of one type."""
        return next(one.share for one in self.types if one.name == name)

    def as_json(self) -> dict[str, Any]:
        """Shares by type, and what decided them."""
        return {
            "outputs": self.outputs,
            "shares": {one.name: round(one.share, 6) for one in self.types},
            "good_per_output": round(self.good_per_output, 6),
            "poor": round(self.poor, 6),
            "untyped": self.untyped,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsExample:
    """An output that lost or made up something."""

    source: str
    output: str
    missing: tuple[str, ...]
    invented: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsFound:
    """Whether names, numbers, links, tags, negations and doubts of the sources are kept, and none made up."""

    outputs: int
    """Those that hold text."""
    kept: float
    """Share that lost none and made up none."""
    invented: float
    """Share that made up some."""
    missing_by_kind: Mapping[str, int]
    """Outputs that lost a name, a number …"""
    invented_by_kind: Mapping[str, int]
    examples: tuple[FactsExample, ...]

    def as_json(self) -> dict[str, Any]:
        """As plain values, with the examples."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideBySide:
    """One source, and what everybody made of it."""

    source: str
    reference: str
    """One that people wrote."""
    outputs: tuple[tuple[str, str, str], ...]
    """System, its output, and what sort of output that is (`copy` … `changed`; empty where it holds no text)."""
