"""The types of many outputs in, how often each is found out, with examples: the profile of a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from paraloom.metrics.types.kinds import GOOD, POOR
from paraloom.metrics.types.pair_types import Change, PairTypes
from paraloom.reports.pages import decimal, number, percent
from paraloom.reports.plain import plain_table

NAMED: dict[str, str] = {str(name): means for named in (GOOD, POOR) for name, means in named.items()}
"""All types with what they mean, the good ones first."""
_CHANGES = {"word-syn": ("word",), "phrase-syn": ("phrase",), "add-new": ("added",), "simplification": ("left_out",)}
"""The changes that are shown with an example of a type; for others, all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeExample:
    """An output of a type, and the words that make it one."""

    source: str
    output: str
    changes: tuple[Change, ...]

    def as_json(self) -> dict[str, Any]:
        """Texts, and the changes as `[kind, words of the source, words of the output]`."""
        return {
            "source": self.source,
            "output": self.output,
            "changes": [[change.kind, change.source, change.output] for change in self.changes],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount:
    """How many outputs are of a type."""

    name: str
    is_good: bool
    count: int
    share: float
    """Of all outputs."""
    examples: tuple[TypeExample, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeProfile:
    """How many outputs of a system are of which type, as in Table 7 of Dou et al. (2022)."""

    outputs: int
    types: tuple[TypeCount, ...]
    """All types, in the order of the table; also those of no output."""
    untyped: int
    """Outputs of no type: what differs has no name there, such as spelling and derived words."""
    signature: str

    @property
    def good_per_output(self) -> float:
        """How many good types an output has, on average."""
        return sum(one.count for one in self.types if one.is_good) / max(1, self.outputs)

    @property
    def poor(self) -> float:
        """Share of the outputs that are of a poor type."""
        return sum(one.count for one in self.types if not one.is_good) / max(1, self.outputs)

    def as_json(self) -> dict[str, Any]:
        """Shares under `metrics`, with counts and examples of every type."""
        metrics = {one.name: round(one.share, 6) for one in self.types}
        metrics |= {"good-types-per-output": round(self.good_per_output, 6), "poor": round(self.poor, 6)}
        return {
            "metrics": metrics,
            "signature": {name: f"{name}|{self.signature}" for name in metrics},
            "outputs": self.outputs,
            "untyped": self.untyped,
            "types": {
                one.name: {
                    "is_good": one.is_good,
                    "means": NAMED[one.name],
                    "count": one.count,
                    "share": round(one.share, 6),
                    "examples": [example.as_json() for example in one.examples],
                }
                for one in self.types
            },
        }

    def as_text(self) -> str:
        """A table of the types, and their examples."""
        rows = [
            ["good" if one.is_good else "poor", one.name, number(one.count), percent(one.share), NAMED[one.name]]
            for one in self.types
        ]
        told = [
            plain_table(["", "type", "outputs", "share", "meaning"], rows, words=(0, 1, 4)),
            f"{number(self.outputs)} outputs: {decimal(self.good_per_output, 2)} good types an output, "
            f"{percent(self.poor)} of a poor type, {number(self.untyped)} of none.",
        ]
        return "\n\n".join(told + [_shown(one) for one in self.types if one.examples])


def _shown(one: TypeCount) -> str:
    lines = [f"{one.name}:"]
    for example in one.examples:
        lines += [f"  - {example.source}", f"    {example.output}"]
        changes = "; ".join(told_change(change) for change in example.changes)
        lines += [f"    ({changes})"] if changes else []
    return "\n".join(lines)


def told_change(change: Change) -> str:
    """One change in a few words.

    >>> told_change(Change(kind="word", source="hit", output="struck"))
    'hit → struck'
    >>> told_change(Change(kind="added", source="", output="late"))
    'added: late'
    """
    if change.source and change.output:
        return f"{change.source} → {change.output}"
    words = change.source or change.output
    kind = change.kind.replace("_", " ")
    return f"{kind}: {words}" if words else kind


def profile_of(found: Iterable[tuple[str, str, PairTypes]], signature: str, examples: int = 3) -> TypeProfile:
    """Count types; the examples of each are the first outputs, in the order given.

    >>> from paraloom.metrics.types.pair_types import types_of
    >>> pairs = [("The storm hit the coast", "the storm hit the coast!"), ("The storm hit us", "The storm struck us")]
    >>> profile = profile_of(((*pair, types_of(*pair)) for pair in pairs), "rules:1")
    >>> {one.name: one.count for one in profile.types if one.count}
    {'word-syn': 1, 'copy': 1}
    """
    counts: dict[str, int] = dict.fromkeys(NAMED, 0)
    shown: dict[str, list[TypeExample]] = {name: [] for name in NAMED}
    outputs = untyped = 0
    for source, output, types in found:
        outputs += 1
        names = (types.poor,) if types.poor else types.good
        untyped += not names
        for name in names:
            counts[name] += 1
            if len(shown[name]) < examples:
                shown[name].append(TypeExample(source=source, output=output, changes=_of_type(name, types)))
    return TypeProfile(outputs=outputs, types=_counted(counts, shown, outputs), untyped=untyped, signature=signature)


def _counted(counts: Mapping[str, int], shown: Mapping[str, list[TypeExample]], outputs: int) -> tuple[TypeCount, ...]:
    return tuple(
        TypeCount(
            name=name,
            is_good=name in GOOD,
            count=count,
            share=count / max(1, outputs),
            examples=tuple(shown[name]),
        )
        for name, count in counts.items()
    )


def _of_type(name: str, types: PairTypes) -> tuple[Change, ...]:
    if name == "structure":
        return tuple(change for change in types.changes if not (change.source or change.output))
    kinds = _CHANGES.get(name)
    return tuple(change for change in types.changes if kinds is None or change.kind in kinds)
