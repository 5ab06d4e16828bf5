"""Real posts in, as many made-up ones as wanted out: the same length, vocabulary and group sizes, other words."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson

from paraloom.documents.decode import decode
from paraloom.documents.options import ReadOptions
from paraloom.engine import foreign, foreign_files
from paraloom.text.normalise import clean
from paraloom.text.split import split

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
POSTS_PER_URL = 9
"""Mean size of a URL group; sizes are spread as a power law, as they are in the wild."""


def real_sentences(files: Sequence[str]) -> list[str]:
    """Sentences of the good posts in these files."""
    found: list[str] = []
    for chunk in foreign.plan(foreign_files.expand(files)):
        for records in foreign.records(chunk):
            documents = decode(records, ReadOptions(author_salt="benchmark"))
            for text, dropped in zip(
                *(documents.column(name).to_pylist() for name in ("text", "dropped_for")), strict=True
            ):
                if dropped is None:
                    found += [said for start, end in split(text) if len((said := clean(text[start:end])).split()) >= 5]
    return found


def made_up_posts(count: int, sentences: Sequence[str], sentences_each: float, seed: int = 1) -> Iterator[bytes]:
    """JSON lines of posts: every URL has a sentence whose words its posts leave out, swap and replace."""
    rng = random.Random(seed)
    vocabulary = [word for said in rng.sample(sentences, min(len(sentences), 5000)) for word in said.split()]
    made = 0
    while made < count:
        size = min(count - made, max(1, int(rng.paretovariate(1.25) * POSTS_PER_URL / 5)), 2000)
        heart = [word.rstrip(STOPS) or word for word in rng.choice(sentences).split()]
        url = f"https://www.news{rng.randrange(400)}.example/2026/{rng.choice(SECTIONS)}/{rng.getrandbits(48):x}"
        start = BEGAN + timedelta(seconds=rng.randrange(90 * 86400))
        for _ in range(size):
            extra = int(sentences_each - 1) + (rng.random() < (sentences_each - 1) % 1)
            said = [varied(heart, vocabulary, rng), *(rng.choice(sentences) for _ in range(extra))]
            made += 1
            yield orjson.dumps(
                {
                    "id": str(made),
                    "text": ". ".join(text.rstrip(".") for text in said) + f" {url}?utm_source=p{made % 7}",
                    "created_at": (start + timedelta(minutes=rng.randrange(3000))).isoformat(),
                    "author": f"u{rng.randrange(count // 4 + 1)}",
                    "language": "en",
                    "url": url,
                    "platform": "benchmark",
                }
            )


STOPS = ".!?…:;"
"""Words of a varied sentence lose their stops, or swapping them would cut the sentence in two."""
SECTIONS = ("politics", "science", "health", "business", "sports", "arts", "world", "a")


def varied(words: Sequence[str], vocabulary: Sequence[str], rng: random.Random) -> str:
    """The same words, some left out, some replaced, perhaps turned round."""
    kept = []
    for word in words:
        chance = rng.random()
        if chance < 0.12:
            continue
        kept.append(rng.choice(vocabulary) if chance < 0.35 else word)
    if rng.random() < 0.3 and len(kept) > 3:
        cut = rng.randrange(1, len(kept))
        kept = kept[cut:] + kept[:cut]
    return " ".join(kept) or " ".join(words)


def write_posts(target: Path, count: int, sentences: Sequence[str], sentences_each: float) -> None:
    """A JSONL file of made-up posts, unless it is there already."""
    if not target.exists():
        with target.with_suffix(".unfinished").open("wb") as file:
            for line in made_up_posts(count, sentences, sentences_each):
                file.write(line + b"\n")
        target.with_suffix(".unfinished").rename(target)
