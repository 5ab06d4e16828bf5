"""Files of ratings in, rated outputs out: rows of annotators, exported judgments, or JSON of candidates with scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.engine.given import Rows, format_of, read_json, read_rows
from paraloom.errors import InputError
from paraloom.metrics.ratings.rated_outputs import RatedOutputs, Ratings
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.evaluate.rated_judgments import is_export, read_rated_judgments
from paraloom.workflows.evaluate.rating_options import RatingOptions

ASPECTS = ("fluency", "similarity", "diversity")
"""Those of Dou et al. (2022), rated from 1 to 5."""

LOWEST, HIGHEST = 1.0, 5.0
SCORE = "score"


@dataclass(slots=True)
class _Gathered:
    """Items in the order they are met, and the ratings of each."""

    options: RatingOptions
    sources: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    systems: list[str] = field(default_factory=list)
    references: list[tuple[str, ...]] = field(default_factory=list)
    place: dict[tuple[str, str, str], int] = field(default_factory=dict)
    said: dict[tuple[int, str], str] = field(default_factory=dict)
    """Where each annotator rated each item."""
    again: int = 0
    """Rows about an output that a row without an annotator was about before."""
    contrary: int = 0
    """Of these, rows with another rating."""
    notes: list[str] = field(default_factory=list)
    first: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    """What the first row without an annotator said of each item."""
    ratings: dict[str, tuple[list[int], list[float]]] = field(default_factory=dict)

    def item(self, system: str, source: str, output: str, references: Sequence[str] = ()) -> int:
        """The number of an item that may have been met before."""
        key = (system, source, output)
        if key not in self.place:
            self.place[key] = self.new_item(system, source, output)
        number = self.place[key]
        self.references[number] = tuple(dict.fromkeys((*self.references[number], *references)))
        return number

    def new_item(self, system: str, source: str, output: str) -> int:
        """The number of an item of its own."""
        self.sources.append(source)
        self.outputs.append(output)
        self.systems.append(system)
        self.references.append(())
        return len(self.sources) - 1

    def refuse_again(self, item: int, annotator: str, where: str) -> None:
        """An error where this person rated this item before."""
        if (item, annotator) in self.said:
            raise InputError(
                f"{where}: {annotator} rated this output before, in {self.said[item, annotator]}. "
                "Keep one rating a person and output."
            )
        self.said[item, annotator] = where

    def rate(self, item: int, aspect: str, value: float, where: str) -> None:
        """Keep one rating, if it is on the scale."""
        known = aspect in ASPECTS
        lowest = self.options.lowest if self.options.lowest is not None else (LOWEST if known else None)
        highest = self.options.highest if self.options.highest is not None else (HIGHEST if known else None)
        if (lowest is not None and value < lowest) or (highest is not None and value > highest):
            scale = f"{'' if lowest is None else f'{lowest:g}'} to {'' if highest is None else f'{highest:g}'}".strip()
            raise InputError(
                f"{where}: {aspect} is {value:g}, which is not on the scale {scale}. Mend it, or say another scale "
                "with --lowest and --highest."
            )
        items, values = self.ratings.setdefault(aspect, ([], []))
        items.append(item)
        values.append(value)


def read_rated_outputs(files: Sequence[str | Path], options: RatingOptions = RatingOptions()) -> RatedOutputs:
    """The items of all files with their ratings and references."""
    _check_scale(options)
    gathered = _Gathered(options)
    for file in files:
        path = Path(file)
        written = read_json(path) if format_of(path) == "json" else None
        if isinstance(written, dict):
            _read_candidates(path, written, gathered)
        else:
            _read_rows(path, gathered)
    if not gathered.ratings:
        raise InputError(f"No row of {', '.join(str(file) for file in files)} holds a rating.")
    references, notes = _with_references(gathered, options.references)
    notes = (*gathered.notes, *_seen(gathered), *notes)
    return RatedOutputs(
        sources=tuple(gathered.sources),
        outputs=tuple(gathered.outputs),
        systems=tuple(gathered.systems),
        references=references,
        ratings={
            aspect: Ratings(item=np.array(items, dtype=np.int64), value=np.array(values, dtype=np.float64))
            for aspect, (items, values) in gathered.ratings.items()
        },
        notes=notes,
    )


def _check_scale(options: RatingOptions) -> None:
    for name, value in (("lowest", options.lowest), ("highest", options.highest)):
        if value is not None and not np.isfinite(value):
            raise InputError(f"--{name} {value} is no end of a scale. Give a number, or leave it out.")
    if options.lowest is not None and options.highest is not None and options.lowest >= options.highest:
        raise InputError(f"--lowest {options.lowest:g} is not below --highest {options.highest:g}. Turn them around.")


def read_references(path: Path) -> dict[str, tuple[str, ...]]:
    """References by source. In JSON, every text in a source's value is one; a number beside a text is passed over.

    So `{"a b": "b a"}`, `{"a b": ["b a", "a, b"]}` and `{"a b": ["b a", 0.8]}` can all be read.
    """
    if format_of(path) != "json":
        rows = read_rows(path, ("source", "reference"))
        found: dict[str, list[str]] = {}
        for source, reference in zip(rows.texts("source"), rows.texts("reference"), strict=True):
            found.setdefault(source, []).append(reference)
        return {source: tuple(texts) for source, texts in found.items()}
    written = read_json(path)
    if not isinstance(written, dict):
        raise InputError(f"{path} holds a {type(written).__name__}. References are an object: source → references.")
    return {source: tuple(_texts(value, f"{path}, source {source[:40]!r}")) for source, value in written.items()}


def _seen(gathered: _Gathered) -> list[str]:
    """Rows that count twice, contradict each other, or are about nothing."""
    notes = []
    if gathered.again:
        notes.append(
            f"{gathered.again} rows name no annotator and rate an output that another row rated, {gathered.contrary} "
            "of them otherwise: each is taken for another person’s."
        )
    if empty := sum(not output.strip() for output in gathered.outputs):
        notes.append(f"{empty} of {len(gathered.outputs)} outputs are empty.")
    return notes


def _texts(value: Any, where: str) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one, where)
    elif not isinstance(value, (int, float)):
        raise InputError(f"{where}: a reference is {type(value).__name__}, not text.")


def _read_candidates(path: Path, written: Mapping[str, Any], gathered: _Gathered) -> None:
    """Source → [[candidate, score], …]: every candidate is an item of its own, rated once."""
    aspect = gathered.options.aspects[0] if gathered.options.aspects else SCORE
    for source, candidates in written.items():
        where = f"{path}, source {source[:40]!r}"
        if not isinstance(candidates, list):
            raise InputError(f"{where}: {type(candidates).__name__}, not a list of [candidate, score].")
        for number, candidate in enumerate(candidates, start=1):
            match candidate:
                case [str(output), (int() | float()) as value] if not isinstance(value, bool):
                    item = gathered.new_item(path.stem, source, output)
                    gathered.rate(item, aspect, float(value), f"{where}, candidate {number}")
                case _:
                    raise InputError(f"{where}: candidate {number} is {candidate!r}, not [candidate, score].")


def _read_rows(path: Path, gathered: _Gathered) -> None:
    columns = named_columns(gathered.options.columns)
    rows = read_rows(path, ("source", "output"), columns, required=())
    if is_export(rows):
        _read_judgments(path, rows, gathered)
        return
    sources, outputs = rows.texts("source"), rows.texts("output")
    rows.refuse_repeated(("system", "annotator", "reference", "references", *ASPECTS, SCORE, *gathered.options.aspects))
    gathered.notes += [] if rows.note is None else [rows.note]
    aspects = _aspects(path, rows, gathered.options)
    systems = rows.texts("system") if "system" in rows.columns else [path.stem] * len(rows)
    annotators = rows.columns.get("annotator", [None] * len(rows))
    references = rows.columns.get("references", rows.columns.get("reference", [None] * len(rows)))
    for row, line in enumerate(rows.lines):
        where = f"{path}, line {line}"
        if not sources[row].strip():
            raise InputError(f"{where}: the source is empty. Take the line out.")
        if not systems[row].strip():
            raise InputError(f"{where}: the system is empty. Name it, or leave the column out.")
        item = gathered.item(systems[row], sources[row], outputs[row], _references_in(references[row], where))
        if annotators[row] not in (None, ""):
            gathered.refuse_again(item, str(annotators[row]), where)
        else:
            said = tuple(rows.columns[aspect][row] for aspect in aspects)
            if gathered.first.setdefault(item, said) is not said:
                gathered.again += 1
                gathered.contrary += gathered.first[item] != said
        for aspect in aspects:
            value = rows.columns[aspect][row]
            if value is None or (isinstance(value, str) and not value.strip()):
                continue  # somebody passed over an aspect: no rating, and no error
            gathered.rate(item, aspect, _number(value, aspect, where), where)


def _read_judgments(path: Path, rows: Rows, gathered: _Gathered) -> None:
    """What was exported from a campaign: a text that several systems wrote is an item of each."""
    found = read_rated_judgments(rows)
    given = [aspect for aspect in ASPECTS if any(aspect in one.ratings for one in found.judgments)]
    if missing := [aspect for aspect in gathered.options.aspects if aspect not in given]:
        raise InputError(f"{path} has no ratings of {missing[0]}; it has {', '.join(given)}. Mend --aspects.")
    gathered.notes += found.notes(path.name)
    for one in found.judgments:
        for system in one.systems or (path.stem,):
            item = gathered.item(system, one.source, one.output)
            if one.annotator:
                gathered.refuse_again(item, one.annotator, one.where)
            for aspect in gathered.options.aspects or given:
                if aspect in one.ratings:
                    gathered.rate(item, aspect, float(one.ratings[aspect]), one.where)


def _aspects(path: Path, rows: Rows, options: RatingOptions) -> list[str]:
    wanted = list(options.aspects) or [name for name in (*ASPECTS, SCORE) if name in rows.columns]
    if not options.aspects and set(wanted) & set(ASPECTS):
        wanted = [name for name in wanted if name != SCORE]
    missing = [name for name in wanted if name not in rows.columns]
    if missing or not wanted:
        names = ", ".join(missing or ASPECTS)
        raise InputError(
            f"{path} has no column {names}; it has {', '.join(rows.columns)}. Name the columns that hold ratings: "
            "--aspects fluency meaning."
        )
    return wanted


def _number(value: Any, aspect: str, where: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not np.isfinite(number):
        raise InputError(f"{where}: {aspect} is {value!r}, not a number. Leave it empty where there is no rating.")
    return number


def _references_in(value: Any, where: str) -> tuple[str, ...]:
    """References of a row: a list, a text, or a text that is a JSON list."""
    if value is None or value == "":
        return ()
    if isinstance(value, str) and value.lstrip().startswith("["):
        import orjson

        try:
            value = orjson.loads(value)
        except orjson.JSONDecodeError:
            return (value,)
    return tuple(_texts(value, where))


def _with_references(gathered: _Gathered, path: Path | None) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Of each item its own references and those of its source, whichever file or row they came with."""
    by_source: dict[str, tuple[str, ...]] = {}
    for source, own in zip(gathered.sources, gathered.references, strict=True):
        by_source[source] = tuple(dict.fromkeys((*by_source.get(source, ()), *own)))
    if path is not None:
        given = read_references(path)
        known = [source for source in dict.fromkeys(gathered.sources) if source in given]
        if not known:
            raise InputError(f"{path} has references for none of the rated sources. Their texts must be the same.")
        for source in known:
            by_source[source] = tuple(dict.fromkeys((*by_source[source], *given[source])))
    kept = {source: tuple(text for text in texts if text.strip()) for source, texts in by_source.items()}
    notes = []
    without = sum(not texts for texts in kept.values())
    if 0 < without < len(kept):
        notes.append(f"{without} of {len(kept)} sources have no reference: metrics that need one leave them out.")
    same = sum(source in texts for source, texts in kept.items())
    if same:
        notes.append(f"{same} of {len(kept)} sources are among their own references, word for word.")
    copies = sum(source == output for source, output in zip(gathered.sources, gathered.outputs, strict=True))
    if copies:
        notes.append(f"{copies} of {len(gathered.outputs)} outputs are their source, word for word.")
    return tuple(kept[source] for source in gathered.sources), tuple(notes)
