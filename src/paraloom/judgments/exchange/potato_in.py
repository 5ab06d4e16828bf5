"""Answers of Potato in, judgments out: its output folder (a folder a person), or one person's file.

A person's folder holds `user_state.json` (version 2) or `annotated_instances.jsonl` (version 1). Neither tells what was
shown, so the items must be in the campaign, under the same ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paraloom.engine.given import read_json, read_rows
from paraloom.errors import InputError
from paraloom.judgments.exchange.file_rows import Bad, lines_of
from paraloom.judgments.exchange.judgment_rows import GivenJudgment
from paraloom.judgments.exchange.labels_in import Labels
from paraloom.tables import make_id

STATE, LINES = "user_state.json", "annotated_instances.jsonl"


def read_potato(path: Path) -> Iterator[GivenJudgment | Bad]:
    """Everything that people labelled; of one who has both files, the newer form."""
    if path.is_file():
        yield from _person(path)
        return
    folders = [path, *sorted(folder for folder in path.iterdir() if folder.is_dir())]
    files = [next((folder / name for name in (STATE, LINES) if (folder / name).is_file()), None) for folder in folders]
    if not any(files):
        raise InputError(f"{path} holds no {STATE} and no {LINES}. Give Potato's output folder.")
    for file in files:
        if file is not None:
            yield from _person(file)


def _person(file: Path) -> Iterator[GivenJudgment | Bad]:
    yield from _state(file) if file.suffix == ".json" else _lines(file)


def _state(file: Path) -> Iterator[GivenJudgment | Bad]:
    state = read_json(file)
    where = f"{file.parent.name}/{file.name}"
    if not isinstance(state, Mapping) or not isinstance(state.get("instance_id_to_label_to_value"), Mapping):
        yield Bad(where=where, reason="no `instance_id_to_label_to_value`: not a state of Potato")
        return
    person = str(state.get("user_id") or file.parent.name)
    for item_id, labels in state["instance_id_to_label_to_value"].items():
        try:
            values: dict[str, list[str]] = defaultdict(list)
            for label, value in labels:
                values[str(label["schema"])].append(_value(str(label["name"]), value))
        except (TypeError, KeyError, ValueError):
            yield Bad(where=f"{where}, {item_id}", reason="labels are not of the form that Potato writes")
        else:
            yield _given(f"{where}, {item_id}", person, str(item_id), values)


def _lines(file: Path) -> Iterator[GivenJudgment | Bad]:
    rows = read_rows(file, ("id", "label_annotations"), leaving_out=True)
    for line in lines_of(rows, f"{file.parent.name}/{file.name}"):
        if isinstance(line, Bad):
            yield line
            continue
        labels = line.values.get("label_annotations")
        if not isinstance(labels, Mapping) or not all(isinstance(one, Mapping) for one in labels.values()):
            yield Bad(where=line.where, reason="`label_annotations` is not of the form that Potato writes")
            continue
        values = {
            str(schema): [_value(str(name), value) for name, value in one.items()] for schema, one in labels.items()
        }
        yield _given(line.where, file.parent.name, str(line.values.get("id")), values)


def _value(name: str, value: Any) -> str:
    """A box that was ticked says its name (its value is `true` or a number); a text box its text."""
    if name in ("text_box", "textbox", "text"):
        return str(value)
    return name


def _given(where: str, person: str, item_id: str, values: Mapping[str, list[str]]) -> GivenJudgment:
    answered = [part for schema in sorted(values) for part in (schema, *values[schema])]
    return GivenJudgment(
        where=where,
        annotator=person,
        client_id=f"potato:{make_id(person, item_id, *answered)}",  # Potato tells no time and no id of an answer
        item_id=item_id,
        content=None,
        labels=Labels(values={schema: found for schema, found in values.items() if found}),
    )
