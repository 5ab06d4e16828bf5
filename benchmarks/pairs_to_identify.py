"""The bundled sample or a published corpus in, as many pairs as wanted out: with labels where they are known."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from posts import varied

from paraloom import sample
from paraloom.corpus.known import read_corpus


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Texts side by side."""

    left: list[str]
    right: list[str]
    labels: list[int] | None
    """1 for a paraphrase; None where nobody knows."""
    about: str
    source: tuple[str, str] | None = None
    """The corpus and the split they are of, where they are of one."""

    def __len__(self) -> int:
        return len(self.left)

    def part(self, first: int, last: int) -> Pairs:
        """Some of them."""
        labels = None if self.labels is None else self.labels[first:last]
        return replace(self, left=self.left[first:last], right=self.right[first:last], labels=labels)

    @property
    def words(self) -> float:
        """Mean length of a text."""
        return sum(len(text.split()) for text in (*self.left, *self.right)) / (2 * len(self))


def corpus_pairs(name: str, data: Path, count: int) -> Pairs:
    """Labelled pairs of a corpus, drawn: of dev or test where it has one of them, else of train."""
    corpus = read_corpus(name, data)
    split = next(split for split in ("test", "dev", "train") if split in corpus.splits)
    pairs = corpus.splits[split].labelled()
    rows = np.random.default_rng(1).permutation(len(pairs))[:count]
    chosen = pairs.chosen(rows)
    labels = [int(target > 0.5) for target in chosen.targets]
    return Pairs(
        left=list(chosen.left),
        right=list(chosen.right),
        labels=labels,
        about=f"{corpus.title} {split}",
        source=(name, split),
    )


def file_pairs(file: Path, count: int) -> Pairs:
    """The first pairs of a TSV file: left, right and, where there is a third column, 1 or 0."""
    left, right, labels = [], [], []
    with file.open(encoding="utf-8", newline="") as lines:
        for cells in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(cells) > 1 and cells[:2] != ["left", "right"]:
                left.append(cells[0])
                right.append(cells[1])
                labels.append(cells[2] if len(cells) > 2 else "")
            if len(left) == count:
                break
    known = [int(label) for label in labels] if set(labels) <= {"0", "1"} else None
    return Pairs(left=left, right=right, labels=known, about=file.name)


def made_up_pairs(count: int) -> Pairs:
    """Sentences of the sample's gold pairs, their words left out, swapped and replaced; no two pairs are the same."""
    texts = list(varied_pairs(count, sample_sentences()))
    return Pairs(left=[one for one, _ in texts], right=[other for _, other in texts], labels=None, about="made up")


def varied_pairs(count: int, sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Half of them of one sentence varied, half of two."""
    draw = random.Random(1)
    vocabulary = [word for sentence in sentences for word in sentence.split()]
    for number in range(count):
        words = draw.choice(sentences).split()
        other = words if number % 2 else draw.choice(sentences).split()
        yield varied(words, vocabulary, draw), varied(other, vocabulary, draw)


def sample_sentences() -> list[str]:
    """English sentences of the bundled sample."""
    with sample.gold().open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return sorted({row[side] for row in rows if row["language"] == "en" for side in ("left", "right")})


def write_pairs(file: Path, count: int) -> None:
    """A TSV file of so many made-up pairs, written as they are made."""
    with file.open("w", encoding="utf-8") as stream:
        stream.write("left\tright\n")
        for left, right in varied_pairs(count, sample_sentences()):
            stream.write(f"{left}\t{right}\n")
