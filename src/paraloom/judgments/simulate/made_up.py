"""An item's content in, an answer that its kind of task accepts out: drawn, without knowing what is right."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import orjson

from paraloom.judgments.tasks import read_expected, task_named
from paraloom.judgments.tasks.choose import ChooseContent
from paraloom.judgments.tasks.extract import EMPTY, FINISHED, ExtractContent
from paraloom.judgments.tasks.grade import MEANINGS
from paraloom.judgments.tasks.listed import ids
from paraloom.judgments.tasks.rate import HIGHEST, LOWEST, GeneratedContent, PhraseContent
from paraloom.judgments.tasks.seed import SeedContent
from paraloom.judgments.tasks.topic import TopicContent
from paraloom.judgments.tasks.write import WriteContent

Answer = dict[str, Any]
Draw = Callable[[Any, random.Random], Answer]

TRIES = 200
"""Draws until an answer is wrong; where nearly everything is right, the last draw has to do."""

MOST_SPANS = 4
GIVES_UP = 0.2


def drawn_answer(task: str, content: Mapping[str, Any], dice: random.Random) -> Answer:
    """Any answer to this item.

    >>> drawn_answer("pair", {"left": "Rain.", "right": "It rains."}, random.Random(1))
    {'is_paraphrase': True}
    """
    kind = task_named(task)
    read = kind.read_content(content)
    return as_json(kind.read_answer(DRAWS[task](read, dice), read))


def wrong_answer(task: str, content: Mapping[str, Any], right: Mapping[str, Any], dice: random.Random) -> Answer:
    """An answer that would fail as a test question with this right answer.

    >>> wrong_answer("pair", {"left": "Rain.", "right": "It rains."}, {"is_paraphrase": True}, random.Random(1))
    {'is_paraphrase': False}
    """
    kind = task_named(task)
    read = kind.read_content(content)
    wanted = read_expected(kind, right, read)
    for _ in range(TRIES):
        answer = kind.read_answer(DRAWS[task](read, dice), read)
        if not kind.is_right(answer, wanted):
            break
    return as_json(answer)


def right_answer(right: Mapping[str, Any], dice: random.Random) -> Answer:
    """An answer that passes as a test question with this right answer, one of several where several would.

    >>> right_answer({"seed": ["a", "b"], "skip": False}, random.Random(1))
    {'seed': 'a', 'skip': False}
    """
    several = {name: dice.choice(value) for name, value in right.items() if name == "seed" and isinstance(value, list)}
    return {**right, **several}


def as_json(answer: Any) -> Answer:
    """An answer as it would come over the wire: lists, no tuples."""
    found: Answer = orjson.loads(orjson.dumps(asdict(answer)))
    return found


def _choose(content: ChooseContent, dice: random.Random) -> Answer:
    shown = list(ids(content.candidates))
    return {"chosen": [one for one in shown if dice.random() < 0.3], "shown": shown}


def _rate(content: GeneratedContent | PhraseContent, dice: random.Random) -> Answer:
    return {scale.aspect: dice.randint(LOWEST, HIGHEST) for scale in content.scales}


def _topic(content: TopicContent, dice: random.Random) -> Answer:
    return {"topic": dice.choice(content.choices)}


def _seed(content: SeedContent, dice: random.Random) -> Answer:
    found = dice.choice([None, *ids(content.sentences)])
    return {"skip": True} if found is None else {"seed": found}


def _extract(content: ExtractContent, dice: random.Random) -> Answer:
    """Words and stretches of words of the left beside such of the right."""
    pairs: dict[tuple[int, ...], dict[str, int]] = {}
    for _ in range(dice.randrange(MOST_SPANS)):
        left, right = _stretch(content.left.text, dice), _stretch(content.right.text, dice)
        pairs[(*left, *right)] = {
            "left_start": left[0],
            "left_end": left[1],
            "right_start": right[0],
            "right_end": right[1],
        }
    return {
        "pairs": list(pairs.values()),
        "state": FINISHED if pairs else EMPTY,
        "suggestions_shown": bool(content.suggestions),
    }


def _stretch(text: str, dice: random.Random) -> tuple[int, int]:
    """Where some words in a row begin and end."""
    words: list[tuple[int, int]] = []
    end = 0
    for word in text.split():
        start = text.index(word, end)
        end = start + len(word)
        words.append((start, end))
    first = dice.randrange(len(words))
    last = min(len(words) - 1, first + dice.randrange(12))
    return words[first][0], words[last][1]


def _grade(content: object, dice: random.Random) -> Answer:
    label = dice.choice(list(MEANINGS))
    return {"label": label + (dice.choice(["", "", ">", "<", "s", "i", ">s"]) if label == "4" else "")}


def _write(content: WriteContent, dice: random.Random) -> Answer:
    if dice.random() < GIVES_UP:
        return {"text": "", "gave_up": True}
    words = content.source.split()
    dice.shuffle(words)
    return {"text": f"{dice.choice(['In other words', 'That is to say', 'Put otherwise'])}: {' '.join(words)}"}


DRAWS: dict[str, Draw] = {
    "pair": lambda content, dice: {"is_paraphrase": dice.random() < 0.5},
    "match": lambda content, dice: {"accept": dice.random() < 0.5},
    "choose": _choose,
    "rate": _rate,
    "topic": _topic,
    "seed": _seed,
    "extract": _extract,
    "grade": _grade,
    "write": _write,
}
"""Every kind of task."""
