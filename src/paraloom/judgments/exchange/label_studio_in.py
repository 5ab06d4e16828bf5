"""An export of Label Studio in, judgments out: its JSON (tasks with annotations) and its short form, JSON_MIN.

Where offsets of spans are given they count characters as Python does, and so do ours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paraloom.engine.given import read_json
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad, bad_row
from paraloom.judgments.exchange.judgment_rows import Given, GivenExpected, GivenJudgment
from paraloom.judgments.exchange.labels_in import Labels
from paraloom.judgments.exchange.moments import moment, seconds
from paraloom.tables import make_id

_MIN_FIELDS = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement")
_VALUES = ("choices", "text", "rating", "number", "taxonomy", "datetime")
"""Keys of a result's value that hold what was answered."""


def read_label_studio(file: Path) -> Iterator[Given | Bad]:
    """Every annotation of the file that was not cancelled."""
    tasks = read_json(file)
    if not isinstance(tasks, list):
        raise InputError(f"{file} is no list of tasks. Export from Label Studio as JSON or JSON-MIN.")
    for number, one in enumerate(tasks, start=1):
        where = f"{file.name}, task {number}"
        if not isinstance(one, Mapping):
            yield Bad(where=where, reason="no object")
        elif "annotations" in one or "completions" in one:
            yield from _full(where, one)
        elif "annotator" in one or "annotation_id" in one:
            yield _short(where, one)
        else:
            yield Bad(where=where, reason="neither `annotations` nor `annotator`: not annotated")


def _full(where: str, task: Mapping[str, Any]) -> Iterator[Given | Bad]:
    data = task.get("data")
    if not isinstance(data, Mapping):
        yield Bad(where=where, reason="`data` is no object")
        return
    meta = task.get("meta")
    ours = meta.get("paraloom") if isinstance(meta, Mapping) else None
    content = ours.get("content") if isinstance(ours, Mapping) else None
    for place, one in enumerate(task.get("annotations") or task.get("completions") or (), start=1):
        at = f"{where}, annotation {place}"
        try:
            if not isinstance(one, Mapping) or not isinstance(one.get("result"), list):
                raise InputError("`result` is no list")
            if one.get("was_cancelled") or one.get("skipped"):
                continue
            labels = labels_of(one["result"])
            shown = content if isinstance(content, Mapping) else _content(data)
            if one.get("ground_truth"):
                yield GivenExpected(where=at, item_id=_item_id(data), content=shown, labels=labels)
                continue
            told = one.get("id") if one.get("id") is not None else one.get("unique_id", place)
            yield GivenJudgment(
                where=at,
                annotator=_annotator(one),
                client_id=_client_id(told, data, one.get("created_at")),
                item_id=_item_id(data),
                content=shown,
                labels=labels,
                created_at=moment(one.get("created_at")),
                seconds=seconds(one.get("lead_time")),
            )
        except (InputError, KeyError, TypeError, ValueError) as error:
            yield bad_row(at, error)


def _short(where: str, record: Mapping[str, Any]) -> GivenJudgment | Bad:
    """One record of JSON_MIN: the task's data, and each control under its own name."""
    try:
        values: dict[str, list[str]] = {}
        texts = {}
        for name, value in record.items():
            if name not in _MIN_FIELDS:
                if (answered := _short_value(value)) is not None:
                    values[name] = answered
                texts[name] = value
        return GivenJudgment(
            where=where,
            annotator=str(record.get("annotator") or "unknown"),
            client_id=_client_id(record.get("annotation_id"), texts, record.get("created_at")),
            item_id=_item_id(record),
            content=_content(texts),
            labels=Labels(values={name: found for name, found in values.items() if name not in _SHOWN}),
            created_at=moment(record.get("created_at")),
            seconds=seconds(record.get("lead_time")),
        )
    except (InputError, KeyError, TypeError, ValueError) as error:
        return bad_row(where, error)


_SHOWN = ("left", "right", "topic_shown", "item_id", "pair_id", "pair", "group_id", "source", "original", "about")
"""Names of data in the short form, which does not tell them from answers."""


def _short_value(value: Any) -> list[str] | None:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping) and isinstance(value.get("choices"), list):
        return [str(one) for one in value["choices"]]
    if isinstance(value, list) and value and all(isinstance(one, Mapping) and "rating" in one for one in value):
        return [str(one["rating"]) for one in value]
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], Mapping):
        return _short_value(value[0])
    return None


def labels_of(result: list[Any]) -> Labels:
    """The regions of one annotation: values by control, and spans that a relation joins."""
    values: dict[str, list[str]] = defaultdict(list)
    spans: dict[str, tuple[str, int, int]] = {}
    joined: list[tuple[str, str]] = []
    for one in result:
        if not isinstance(one, Mapping):
            raise InputError("a result is no object")
        if one.get("type") == "relation":
            joined.append((str(one["from_id"]), str(one["to_id"])))
            continue
        value = one.get("value")
        if not isinstance(value, Mapping):
            raise InputError("a result has no value")
        if "start" in value and "end" in value:
            spans[str(one["id"])] = (str(one["to_name"]), int(value["start"]), int(value["end"]))
            continue
        values[str(one.get("from_name"))] += _answered(value)
    return Labels(values=values, pairs=[_span_pair(spans, ends) for ends in joined])


def _answered(value: Mapping[str, Any]) -> list[str]:
    for name in _VALUES:
        if name in value:
            found = value[name]
            return [str(one) for one in found] if isinstance(found, list) else [str(found)]
    raise InputError(f"a result of the kind {', '.join(value)} cannot be read")


def _span_pair(spans: Mapping[str, tuple[str, int, int]], ends: tuple[str, str]) -> dict[str, int]:
    if not all(end in spans for end in ends):
        raise InputError("a relation joins what is not there")
    one, other = (spans[end] for end in ends)
    if {one[0], other[0]} == {"left", "right"}:
        left, right = (one, other) if one[0] == "left" else (other, one)
    else:
        left, right = one, other
    return {"left_start": left[1], "left_end": left[2], "right_start": right[1], "right_end": right[2]}


def _annotator(annotation: Mapping[str, Any]) -> str:
    """Of our own exports the annotator stands in `meta`; else it is the account there, by its address if told."""
    for one in annotation["result"]:
        meta = one.get("meta") if isinstance(one, Mapping) else None
        texts = meta.get("text") if isinstance(meta, Mapping) else None
        for text in texts if isinstance(texts, list) else ():
            if isinstance(text, str) and text.startswith("annotator "):
                return text.removeprefix("annotator ")
    by = annotation.get("completed_by")
    if isinstance(by, Mapping):
        by = by.get("email") or by.get("id")
    return "unknown" if by is None else str(by)


def _client_id(annotation_id: Any, data: Mapping[str, Any], created_at: Any) -> str:
    shown = sorted((name, str(value)) for name, value in data.items())
    return f"label-studio:{make_id(annotation_id, created_at, *(part for pair in shown for part in pair))}"


def _item_id(data: Mapping[str, Any]) -> str | None:
    for name in ("item_id", "pair_id"):
        if isinstance(data.get(name), str) and data[name]:
            return str(data[name])
    return None


def _content(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was shown, as far as it is called as we call it; the task decides whether that is enough."""
    return {name: value for name, value in data.items() if name not in ("item_id", "pair_id", "group_id")}
