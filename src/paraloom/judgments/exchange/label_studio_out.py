"""A campaign in, a project of Label Studio out: its labelling configuration, and its tasks with annotations.

The form is the documented one (labelstud.io/guide/task_format). Label Studio counts characters as Python does. Whoever
imports the file is its annotator there, since accounts differ: ours stand in `meta` of each result. What does not count
any more is a cancelled annotation; the right answer of a test question is one with `ground_truth`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import quoteattr

import orjson
import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.snapshot import Said, called, judgments_of_items
from paraloom.judgments.items import Item
from paraloom.judgments.store import schema
from paraloom.judgments.tasks.rate import GENERATION_ASPECTS
from paraloom.judgments.tasks.seed import SKIPPED
from paraloom.tables import TOPICS, make_id

ITEMS_AT_ONCE = 200

YES, NO = "yes", "no"
ASPECTS = (*GENERATION_ASPECTS, "kept")

Raw = Mapping[str, Any]
Result = dict[str, Any]


def _choices(name: str, to: str, *values: str) -> Result:
    return {"from_name": name, "to_name": to, "type": "choices", "value": {"choices": list(values)}}


def _written(name: str, to: str, text: str | None) -> list[Result]:
    return [] if text is None else [{"from_name": name, "to_name": to, "type": "textarea", "value": {"text": [text]}}]


def _pair(answer: Raw, content: Raw) -> list[Result]:
    return [_choices("is_paraphrase", "left", YES if answer["is_paraphrase"] else NO)]


def _match(answer: Raw, content: Raw) -> list[Result]:
    return [_choices("accept", "left", YES if answer["accept"] else NO)]


def _grade(answer: Raw, content: Raw) -> list[Result]:
    label = answer["label"]
    found = [_choices("label", "left", label[0])]
    found += [_choices("flags", "left", *label[1:])] if label[1:] else []
    found += [_choices("unsure", "left", YES)] if answer.get("unsure") else []
    for name, to in (("rewrite_left", "left"), ("rewrite_right", "right"), ("note", "left")):
        found += _written(name, to, answer.get(name))
    return found


def _extract(answer: Raw, content: Raw) -> list[Result]:
    found: list[Result] = [_choices("state", "left", answer["state"])]
    for number, pair in enumerate(answer["pairs"]):
        ends = []
        for side in ("left", "right"):
            start, end = pair[f"{side}_start"], pair[f"{side}_end"]
            ends.append(make_id(number, side, start, end)[:10])
            found.append(
                {
                    "id": ends[-1],
                    "from_name": f"{side}_span",
                    "to_name": side,
                    "type": "labels",
                    "value": {
                        "start": start,
                        "end": end,
                        "text": content[side]["text"][start:end],
                        "labels": ["paraphrase"],
                    },
                }
            )
        found.append({"type": "relation", "from_id": ends[0], "to_id": ends[1], "direction": "bi"})
    found += [_choices("suggestions_shown", "left", YES)] if answer["suggestions_shown"] else []
    return found


def _rate(answer: Raw, content: Raw) -> list[Result]:
    return [
        {"from_name": aspect, "to_name": "left", "type": "rating", "value": {"rating": answer[aspect]}}
        for aspect in ASPECTS
        if answer.get(aspect) is not None
    ]


def _choose(answer: Raw, content: Raw) -> list[Result]:
    return (
        [_choices("chosen", "original", *answer["chosen"])] if answer["chosen"] else [_choices("none", "original", YES)]
    )


def _seed(answer: Raw, content: Raw) -> list[Result]:
    found = answer.get("seed") or SKIPPED
    return [_choices("seed", "about", *([found] if isinstance(found, str) else found))]  # several may be right


def _topic(answer: Raw, content: Raw) -> list[Result]:
    return [_choices("topic", "about", answer["topic"])]


def _write(answer: Raw, content: Raw) -> list[Result]:
    if answer.get("gave_up"):
        return [_choices("gave_up", "source", YES)]
    return _written("text", "source", answer["text"])


RESULTS: dict[str, Callable[[Raw, Raw], list[Result]]] = {
    "pair": _pair,
    "choose": _choose,
    "rate": _rate,
    "topic": _topic,
    "seed": _seed,
    "match": _match,
    "extract": _extract,
    "grade": _grade,
    "write": _write,
}
"""An answer of each kind of task, as regions of Label Studio."""


def _two_texts(content: Raw) -> Raw:
    return {"left": content["left"], "right": content["right"]}


def _two_documents(content: Raw) -> Raw:
    return {
        f"{side}{part}": content[side].get(name) or ""
        for side in ("left", "right")
        for part, name in (("", "text"), ("_title", "title"))
    }


def _rated(content: Raw) -> Raw:
    phrases = "left" in content
    return {
        "left": content["left" if phrases else "source"],
        "right": content["right" if phrases else "generated"],
    }


def _options(sentences: Any) -> list[dict[str, str]]:
    return [{"value": sentence["text"], "alias": sentence["id"]} for sentence in sentences]


DATA: dict[str, Callable[[Raw], Raw]] = {
    "pair": lambda content: {**_two_texts(content), "topic": content.get("topic") or ""},
    "choose": lambda content: {"original": content["original"], "candidates": _options(content["candidates"])},
    "rate": _rated,
    "topic": lambda content: {
        "about": "\n".join(content["sentences"]),
        "topics": [{"value": topic} for topic in content.get("topics") or ()],
    },
    "seed": lambda content: {
        "about": "Which sentence has at least three paraphrases among the others?",
        "sentences": [*_options(content["sentences"]), {"value": "none of them", "alias": SKIPPED}],
    },
    "match": _two_documents,
    "extract": _two_documents,
    "grade": _two_texts,
    "write": lambda content: {"source": content["source"]},
}
"""What an item of each kind shows, in names of the configuration."""


def config_of(campaign: Campaign) -> str:
    """The labelling configuration of the project that the tasks are for."""
    body = CONFIGS[campaign.task](campaign)
    return "<View>\n" + "".join(f"  {line}\n" for line in body) + "</View>\n"


def _one_of(name: str, to: str, values: tuple[str, ...], *, several: bool = False, required: bool = True) -> list[str]:
    how = "multiple" if several else "single"
    need = ' required="true"' if required and not several else ""
    return [
        f'<Choices name="{name}" toName="{to}" choice="{how}"{need}>',
        *(f"  <Choice value={quoteattr(value)}/>" for value in values),
        "</Choices>",
    ]


def _texts(*names: str) -> list[str]:
    return [f'<Text name="{name}" value="${name}"/>' for name in names]


def _area(name: str, to: str, hint: str) -> str:
    return f'<TextArea name="{name}" toName="{to}" rows="2" maxSubmissions="1" placeholder={quoteattr(hint)}/>'


def _grade_config(campaign: Campaign) -> list[str]:
    return [
        *_texts("left", "right"),
        *_one_of("label", "left", ("1", "2", "3", "4", "x")),
        *_one_of("flags", "left", (">", "<", "i", "s"), several=True),
        _area("rewrite_left", "left", "The first text, so that the pair is a 4"),
        _area("rewrite_right", "right", "The second text, so that the pair is a 4"),
        _area("note", "left", "A note"),
        *_one_of("unsure", "left", (YES, NO), required=False),
    ]


def _extract_config(campaign: Campaign) -> list[str]:
    found = []
    for side in ("left", "right"):
        found += [
            f'<Labels name="{side}_span" toName="{side}">',
            '  <Label value="paraphrase"/>',
            "</Labels>",
            *_texts(side),
        ]
    state = _one_of("state", "left", ("finished", "empty"))
    return [*found, *state, *_one_of("suggestions_shown", "left", (YES, NO), required=False)]


def _topic_config(campaign: Campaign) -> list[str]:
    topics = campaign.settings.topics or TOPICS
    return [*_texts("about"), *_one_of("topic", "about", tuple(topics))]


CONFIGS: dict[str, Callable[[Campaign], list[str]]] = {
    "pair": lambda campaign: [*_texts("left", "right"), *_one_of("is_paraphrase", "left", (YES, NO))],
    "choose": lambda campaign: [
        *_texts("original"),
        '<Choices name="chosen" toName="original" choice="multiple" value="$candidates"/>',
        *_one_of("none", "original", (YES, NO), required=False),
    ],
    "rate": lambda campaign: [
        *_texts("left", "right"),
        *(f'<Rating name="{aspect}" toName="left" maxRating="5"/>' for aspect in ASPECTS),
    ],
    "topic": _topic_config,
    "seed": lambda campaign: [
        *_texts("about"),
        '<Choices name="seed" toName="about" choice="single" required="true" value="$sentences"/>',
    ],
    "match": lambda campaign: [*_texts("left", "right"), *_one_of("accept", "left", (YES, NO))],
    "extract": _extract_config,
    "grade": _grade_config,
    "write": lambda campaign: [
        *_texts("source"),
        _area("text", "source", "The same in other words"),
        *_one_of("gave_up", "source", (YES, NO), required=False),
    ],
}
"""How each kind of task is asked in Label Studio; controls are named like the fields of our answers."""


def task_lines(connection: Connection, campaign: Campaign, *, names: bool) -> Iterator[bytes]:
    """The JSON list of all items as tasks, piece by piece."""
    yield b"["
    begun = False
    for items in _items(connection, campaign):
        said = judgments_of_items(connection, campaign.campaign_id, [item.item_id for item in items])
        for item in items:
            task = task_of(item, said.get(item.item_id, []), campaign.task, names=names)
            yield (b",\n" if begun else b"\n") + orjson.dumps(task, option=orjson.OPT_UTC_Z)
            begun = True
    yield b"\n]\n"


def task_of(item: Item, judgments: list[Said], task: str, *, names: bool) -> dict[str, Any]:
    """One item with all that was said of it."""
    annotations = [_annotation(item, said, task, names=names) for said in judgments]
    if item.expected is not None:
        result = _with_ids(RESULTS[task](item.expected, item.content), "expected", {})
        annotations.append(
            {"result": result, "ground_truth": True, "was_cancelled": False, "created_at": item.created_at}
        )
    return {
        "id": item.position,
        "data": {**DATA[task](item.content), "item_id": item.item_id, "group_id": item.group_id},
        "meta": {"paraloom": {"content": item.content}},
        "annotations": annotations,
        "predictions": [],
    }


def _annotation(item: Item, said: Said, task: str, *, names: bool) -> dict[str, Any]:
    meta = {"text": [f"annotator {called(said.person_id, said.name, names=names)}", f"judgment {said.judgment_id}"]}
    return {
        "id": said.number,
        "result": _with_ids(RESULTS[task](said.answer, item.content), said.judgment_id, meta),
        "was_cancelled": said.not_counted_for in ("set_aside", "superseded"),
        "ground_truth": False,
        "created_at": said.created_at,
        "updated_at": said.created_at,
        "lead_time": said.seconds,
    }


def _with_ids(results: list[Result], about: str, meta: Raw) -> list[Result]:
    """Every region needs an id of its own; ours are the same each time."""
    for number, result in enumerate(results):
        if result["type"] != "relation":
            result.setdefault("id", make_id(about, number)[:10])
            if meta:
                result["meta"] = meta
    return results


def _items(connection: Connection, campaign: Campaign) -> Iterator[list[Item]]:
    table = schema.items
    asked = (
        sa.select(table)
        .where(table.c.campaign_id == campaign.campaign_id)
        .order_by(table.c.position, table.c.item_id)
        .limit(ITEMS_AT_ONCE)
    )
    last: tuple[int, str] | None = None
    while True:
        after = sa.true() if last is None else sa.tuple_(table.c.position, table.c.item_id) > sa.tuple_(*last)
        items = [Item(**row._mapping) for row in connection.execute(asked.where(after))]
        if not items:
            return
        yield items
        last = (items[-1].position, items[-1].item_id)
