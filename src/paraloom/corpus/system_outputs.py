"""Files that generators wrote in, out come their outputs in the order of an evaluation set's sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from paraloom.corpus.evaluation_sets import read_aligned_lines, refuse_shifted
from paraloom.engine.given import read_rows
from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet


class OutputRow(NamedTuple):
    """What a system wrote for one source, the best first."""

    line: int
    source: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRows:
    """One system's file as it was read."""

    name: str
    path: Path
    rows: tuple[OutputRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemOutputs:
    """One system's outputs, a tuple a source of the set; the first of each is what is measured."""

    name: str
    outputs: tuple[tuple[str, ...], ...]

    @property
    def first(self) -> list[str]:
        """The output that is measured; empty where the system wrote none."""
        return [texts[0] if texts else "" for texts in self.outputs]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedOutputs:
    """The part of a set that every system has outputs for, and those outputs."""

    evaluation_set: EvaluationSet
    systems: tuple[SystemOutputs, ...]
    missing: int
    """Sources of the set left out because a system has nothing for them."""
    unknown: int
    """Rows of the systems left out because the set does not have their source."""


def read_system(path: Path) -> SystemRows:
    """A file of JSON lines as `generate` writes them: `{"source": …, "outputs": [{"text": …, "score": …}, …]}`.

    Outputs may also be plain texts, or a single one under `output`.
    """
    rows = read_rows(path, ("source",))
    column = next((name for name in ("outputs", "output") if name in rows.columns), None)
    if column is None:
        raise InputError(
            f"{path} has no `outputs`; it has {', '.join(rows.columns)}. Give one JSON object a source: "
            '{"source": …, "outputs": [{"text": …}, …]}.'
        )
    found = []
    for line, source, outputs in zip(rows.lines, rows.texts("source"), rows.columns[column], strict=True):
        if not source.strip():
            raise InputError(f"{path}, line {line}: the source is empty. Take the line out.")
        found.append(OutputRow(line, source.strip(), _texts(outputs, f"{path}, line {line}")))
    return SystemRows(name=_name(path), path=path, rows=tuple(found))


def read_aligned_system(sources: Path, outputs: Path) -> SystemRows:
    """A file with one output a line, for the sources of another."""
    source_lines, output_lines = read_aligned_lines([sources, outputs])
    if not any(line.strip() for line in output_lines):
        raise InputError(f"{outputs} holds no text, only empty lines. Give one output a line.")
    refuse_shifted(sources, source_lines, outputs, output_lines)
    rows = tuple(
        OutputRow(number, source.strip(), (output.strip(),))
        for number, (source, output) in enumerate(zip(source_lines, output_lines, strict=True), start=1)
    )
    return SystemRows(name=_name(outputs), path=outputs, rows=rows)


def match_outputs(
    evaluation_set: EvaluationSet, systems: Sequence[SystemRows], *, allow_missing: bool = False
) -> MatchedOutputs:
    """Find each source's outputs by its text; what one system lacks is left out for all, so that pairs stay pairs."""
    systems = _named_apart(systems)
    found = [_by_place(evaluation_set, system, allow_missing) for system in systems]
    kept = [
        place for place in range(len(evaluation_set.sources)) if all(outputs[place] is not None for outputs, _ in found)
    ]
    if not kept:
        raise InputError(
            f"No source of the references has an output in {' and '.join(str(system.path) for system in systems)}. "
            "Sources are matched by their text: check that both files are of the same set."
        )
    return MatchedOutputs(
        evaluation_set=evaluation_set if len(kept) == len(evaluation_set.sources) else evaluation_set.chosen(kept),
        systems=tuple(
            SystemOutputs(name=system.name, outputs=tuple(outputs[place] or () for place in kept))
            for system, (outputs, _) in zip(systems, found, strict=True)
        ),
        missing=len(evaluation_set.sources) - len(kept),
        unknown=sum(unknown for _, unknown in found),
    )


def _by_place(
    evaluation_set: EvaluationSet, system: SystemRows, allow_missing: bool
) -> tuple[list[tuple[str, ...] | None], int]:
    """Outputs by the source's place; a source that stands twice takes its first and second row, if there are two."""
    by_source: dict[str, list[OutputRow]] = defaultdict(list)
    for row in system.rows:
        by_source[row.source].append(row)
    places: dict[str, list[int]] = defaultdict(list)
    for place, source in enumerate(evaluation_set.sources):
        places[source].append(place)
    unknown = [row for source, rows in by_source.items() if source not in places for row in rows]
    missing = [source for source in places if source not in by_source]
    if not allow_missing and (unknown or missing):
        raise InputError(_mismatch(system, unknown, missing))
    outputs: list[tuple[str, ...] | None] = [None] * len(evaluation_set.sources)
    for source, rows in by_source.items():
        wanted = places.get(source, [])
        if wanted and len({row.texts for row in rows}) > 1 and len(rows) != len(wanted):
            raise InputError(
                f"{system.path}: the source {source[:60]!r} stands on lines {rows[0].line} and {rows[1].line} with "
                "different outputs. Give each source one line."
            )
        for turn, place in enumerate(wanted):
            outputs[place] = rows[min(turn, len(rows) - 1)].texts
    return outputs, len(unknown)


def _mismatch(system: SystemRows, unknown: Sequence[OutputRow], missing: Sequence[str]) -> str:
    told = []
    if missing:
        told.append(f"{len(missing):,} sources of the references have no output, the first is {missing[0][:80]!r}")
    if unknown:
        told.append(
            f"{len(unknown):,} of its sources have no reference, the first is on line {unknown[0].line}: "
            f"{unknown[0].source[:80]!r}"
        )
    return f"{system.path}: {'; '.join(told)}. Give the same sources, or leave these out with --allow-missing."


def _named_apart(systems: Sequence[SystemRows]) -> list[SystemRows]:
    """Two files of one name are told apart by their folders."""
    names = [system.name for system in systems]
    renamed = [
        system.name if names.count(system.name) == 1 else f"{system.path.parent.name}/{system.name}"
        for system in systems
    ]
    if len(set(renamed)) < len(renamed):
        raise InputError(f"Two systems are called {renamed[0]}. Give each file a name of its own.")
    return [
        SystemRows(name=name, path=system.path, rows=system.rows) for name, system in zip(renamed, systems, strict=True)
    ]


def _name(path: Path) -> str:
    return path.name.removesuffix(".gz").removesuffix(".zst").rsplit(".", 1)[0]


def _texts(value: Any, where: str) -> tuple[str, ...]:
    outputs = [value] if isinstance(value, str) else value
    if outputs is None:
        outputs = []
    if not isinstance(outputs, list):
        raise InputError(f"{where}: outputs are {value!r:.60}, not a list. Give a list of texts.")
    texts = []
    for output in outputs:
        text = output.get("text") if isinstance(output, dict) else output
        if not isinstance(text, str):
            raise InputError(f"{where}: an output is {text!r:.60}, not a text. Give its words under `text`.")
        texts.append(text.strip())
    return tuple(texts)
