"""Real sentences in, as many made-up ones as wanted out, with pairs planted among them that say nearly the same.

Every sentence is a real one whose words are left out, swapped and replaced, with names and numbers of its own, so that
few are the same. Every twentieth is followed, somewhere later, by one that is a light rewriting of it: those pairs are
known. Sentences are written as they are made: memory holds the few that wait for their pair.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

PLANTED_EVERY = 20
WAITING = 1000
"""So many first sentences wait for their pair at most: pairs lie far apart in the file."""
REPLACED = 0.35
"""The share of words that a made-up sentence has from others."""
NAMES = ("Aalto", "Bergman", "Castro", "Duarte", "Eriksen", "Fischer", "Garcia", "Hansen", "Ivanov", "Jansen", "Keller")
LIGHT = {
    "said": "stated", "says": "states", "big": "large", "large": "big", "new": "recent", "people": "persons",
    "because": "since", "before": "prior to", "after": "following", "start": "begin", "end": "finish",
    "get": "obtain", "show": "display", "use": "employ", "help": "assist", "buy": "purchase", "many": "numerous",
    "also": "too", "but": "yet", "about": "around", "very": "quite", "house": "home", "car": "vehicle",
}  # fmt: skip
"""Words that a light rewriting changes for ones that mean about the same."""


def real_sentences(data: Path | None) -> list[str]:
    """Sentences to make others of: of the corpora in a folder, or the bundled sample's."""
    if data is None:
        from paraloom.workflows.mine.plan_sample import bundled_sentences

        return bundled_sentences()
    from paraloom.workflows.bench.mining_options import MiningBenchOptions
    from paraloom.workflows.bench.mining_texts import read_mining_texts

    texts = read_mining_texts(data, MiningBenchOptions(most_distractors=100_000)).texts
    return [" ".join(text.split()) for text in texts if 5 <= len(text.split()) <= 40]


def made_up(sentences: Sequence[str], count: int, seed: int = 1) -> Iterator[tuple[str, int | None]]:
    """Made-up sentences, and the number of the pair that one belongs to, if it does: each number comes twice."""
    rng = random.Random(seed)
    vocabulary = [word for text in rng.sample(sentences, min(len(sentences), 5000)) for word in text.split()]
    waiting: list[tuple[str, int]] = []
    planted = 0
    for number in range(count):
        left = count - number
        if waiting and (len(waiting) >= WAITING or left <= len(waiting) or rng.random() < 1 / PLANTED_EVERY):
            first, pair = waiting.pop(rng.randrange(len(waiting)))
            yield lightly_rewritten(first, rng), pair
            continue
        text = varied(rng.choice(sentences), vocabulary, rng, number)
        if number % PLANTED_EVERY == 0 and left > len(waiting) + 2:
            waiting.append((text, planted))
            yield text, planted
            planted += 1
        else:
            yield text, None


def varied(text: str, vocabulary: Sequence[str], rng: random.Random, number: int) -> str:
    """A sentence with many of its words replaced or gone, and a name and a number of its own."""
    words = [rng.choice(vocabulary) if rng.random() < REPLACED else word for word in text.split()]
    words = [word for word in words if rng.random() > 0.08] or words
    if rng.random() < 0.5:
        words.insert(rng.randrange(len(words) + 1), rng.choice(NAMES))
    if rng.random() < 0.3:
        words.insert(rng.randrange(len(words) + 1), str(number % 9973))
    return " ".join(words)


def lightly_rewritten(text: str, rng: random.Random) -> str:
    """The same with one word gone or two neighbours swapped, and other words for some."""
    words = [LIGHT.get(word.lower(), word) for word in text.split()]
    if len(words) > 5 and rng.random() < 0.5:
        del words[rng.randrange(len(words))]
    elif len(words) > 2:
        place = rng.randrange(len(words) - 1)
        words[place], words[place + 1] = words[place + 1], words[place]
    return " ".join(words)


def write_made_up(folder: Path, sentences: Sequence[str], count: int, seed: int = 1) -> tuple[Path, Path]:
    """A file of made-up sentences and one of the pairs planted in it, left TAB right; kept where they are there."""
    folder.mkdir(parents=True, exist_ok=True)
    file, pairs = folder / f"sentences-{count}.txt", folder / f"planted-{count}.tsv"
    if pairs.is_file():
        return file, pairs
    firsts: dict[int, str] = {}
    unfinished = pairs.with_suffix(".unfinished")
    with file.open("w", encoding="utf-8") as lines, unfinished.open("w", encoding="utf-8") as planted:
        for text, pair in made_up(sentences, count, seed):
            lines.write(f"{text}\n")
            if pair is None:
                continue
            if pair in firsts:
                planted.write(f"{firsts.pop(pair)}\t{text}\n")
            else:
                firsts[pair] = text
    unfinished.rename(pairs)
    return file, pairs


def read_pairs(file: Path) -> list[tuple[str, str]]:
    """The planted pairs of a file."""
    with file.open(encoding="utf-8") as lines:
        return [(left, right) for line in lines for left, _, right in [line.rstrip("\n").partition("\t")]]
