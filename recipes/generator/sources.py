"""Published corpora in, sentences that the teacher writes paraphrases of out: many kinds, none that is measured on.

A pair needs somebody who has said the same twice; a sentence to write for needs nobody. So the student also meets news,
speeches, fiction and talk, of which there are few pairs or none. Captions are left out: how it does on a kind of text
that it has never met is measured on them; so is science, of which the teacher had not learned enough.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paraloom.corpus.text_key import text_key
from paraloom.pairs.generate import as_asked
from paraloom.text.attached import parted
from paraloom.text.detokenise import detokenise
from paraloom.text.split import split
from paraloom.text.tokenise import words

SOURCES = "sources.txt"
WORDS = range(4, 41)
"""A sentence has so many words."""
LOWER = 0.07
"""So many of them in lower case, as many headlines are typed."""
SEED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """Where sentences come from, and how many of them."""

    name: str
    read: Callable[[Path], Iterable[str]]
    most: int


def write_sources(data: Path, work: Path, never: set[str], *, few: int = 0) -> None:
    """`sources.txt`: a sentence a line, each once."""
    rng = np.random.default_rng(SEED)
    met = set(never)
    chosen: list[str] = []
    for kind in KINDS:
        found = []
        for read in map(detokenise, kind.read(data)):
            text = parted(as_asked(read)).sentence
            keys = {text_key(read), text_key(text)}
            if keys.isdisjoint(met) and len(words(text)) in WORDS and "http" not in text:
                met |= keys
                found.append(text)
        most = few or kind.most
        chosen += [found[row] for row in sorted(rng.permutation(len(found))[:most])]
        print(f"{kind.name}: {min(most, len(found)):,} of {len(found):,} sentences to write for", flush=True)
    lower = rng.random(len(chosen)) < LOWER
    chosen = [text.lower() if is_lower else text for text, is_lower in zip(chosen, lower, strict=True)]
    (work / SOURCES).write_text("".join(f"{text}\n" for text in dict.fromkeys(chosen)), encoding="utf-8")


def _multipit(data: Path) -> Iterator[str]:
    with (data / "multipit" / "auto" / "train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield from (row["sentence1"], row["sentence2"])


def _columns(name: str, *places: int) -> Callable[[Path], Iterator[str]]:
    def read(data: Path) -> Iterator[str]:
        for line in (data / name).read_text(encoding="utf-8").split("\n")[1:]:
            fields = line.split("\t")
            if len(fields) > max(places):
                yield from (fields[place] for place in places)

    return read


def _congress(data: Path) -> Iterator[str]:
    for file in sorted((data / "congress_tweets").glob("*.json")):
        for post in json.loads(file.read_text(encoding="utf-8")):
            if not post["text"].startswith("RT @"):
                yield from _sentences(post["text"])


def _news(data: Path) -> Iterator[str]:
    for file in sorted((data / "news_cluster").rglob("*.json")):
        article = json.loads(file.read_text(encoding="utf-8"))
        yield article["title"] or ""
        yield from _sentences(article["text"] or "")


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in split(text))


KINDS = (
    Kind(name="posts, MultiPIT_Auto", read=_multipit, most=16_000),
    Kind(name="headlines, Twitter-URL", read=_columns("twitter_url/silver/train.tsv", 0, 1), most=9_000),
    Kind(name="questions, Quora", read=_columns("qqp/generation/train.tsv", 0, 1), most=2_000),
    Kind(name="questions as they were typed, Quora", read=_columns("qqp/dev.tsv", 1, 2), most=3_000),
    Kind(name="news", read=_news, most=5_000),
    Kind(name="politicians' posts", read=_congress, most=3_000),
    Kind(
        name="fiction, talk, guides and letters, MNLI",
        read=_columns("nli/mnli/dev_matched_with_correct_counts.txt", 1, 2),
        most=4_000,
    ),
)
