"""Made-up dated articles out of real ones: as many as wanted, with events that several of them tell."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

SOURCES = tuple(f"paper-{number}.example" for number in range(12))
BEGIN = datetime(2020, 1, 1)


def real_articles(folder: Path) -> list[tuple[str, list[str]]]:
    """Titles and sentences of articles, one JSON file each with `title` and `text`."""
    found = []
    for file in sorted(folder.rglob("*.json")):
        article = json.loads(file.read_text(encoding="utf-8"))
        sentences = [line.strip() for line in article["text"].replace(". ", ".\n").split("\n") if len(line) > 30]
        if len(sentences) > 5:
            found.append((article["title"], sentences))
    if not found:
        raise SystemExit(f"{folder} holds no .json file with a title and a text.")
    return found


def write_articles(
    file: Path, count: int, real: Sequence[tuple[str, list[str]]], *, a_day: int, seed: int = 1
) -> dict[str, int]:
    """So many articles, so many a day. Gives the event of every article, by its id.

    An event is a dozen sentences, each out of another real article, with a fifth of the words changed, so that two
    events share hardly a sentence; one to four sources tell it within three days, each with two thirds of its sentences
    and a twentieth of the words changed again.
    """
    rng = random.Random(seed)
    words = sorted({word for _, sentences in real for sentence in sentences for word in sentence.split()})
    days = max(1, count // a_day)
    events: dict[str, int] = {}
    with file.open("w", encoding="utf-8") as out:
        for number, (event, article) in enumerate(_articles(count, real, words, days, rng)):
            name = str(number)
            events[name] = event
            out.write(json.dumps({"id": name, "platform": "made-up", **article}) + "\n")
    return events


def _articles(
    count: int, real: Sequence[tuple[str, list[str]]], words: Sequence[str], days: int, rng: random.Random
) -> Iterator[tuple[int, dict[str, str]]]:
    made = event = 0
    while made < count:
        event += 1
        title, _ = rng.choice(real)
        sentences = [rng.choice(rng.choice(real)[1]) for _ in range(16)]
        names = [f"{rng.choice(words)}{rng.randrange(10_000)}" for _ in range(6)]
        sentences = [_changed(sentence, words, names, 0.2, rng) for sentence in sentences]
        title = _changed(title, words, names, 0.3, rng)
        begin = BEGIN + timedelta(days=rng.random() * days)
        for _ in range(min(rng.choice((1, 1, 2, 3, 4)), count - made)):
            kept = [sentence for sentence in sentences if rng.random() < 0.67] or sentences[:1]
            rng.shuffle(kept)
            text = " ".join(_changed(sentence, words, names, 0.05, rng) for sentence in kept)
            yield (
                event,
                {
                    "title": _changed(title, words, names, 0.2, rng),
                    "text": text,
                    "created_at": (begin + timedelta(days=rng.random() * 3)).isoformat(),
                    "source": rng.choice(SOURCES),
                },
            )
            made += 1


def _changed(sentence: str, words: Sequence[str], names: Sequence[str], share: float, rng: random.Random) -> str:
    return " ".join(
        (rng.choice(names) if word[0].isupper() else rng.choice(words)) if rng.random() < share else word
        for word in sentence.split()
    )
