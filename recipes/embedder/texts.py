"""The published data in, what the embedders learn from out: texts, pairs that say the same, pairs that people judged.

No text that is measured on is among them: what `bench mining` hides and looks for is left out of every source, as
`text_key` compares texts.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from paraloom.corpus.known import read_corpus
from paraloom.corpus.text_key import text_key
from paraloom.graphs import clusters
from paraloom.workflows.bench.mining_sets import measured_texts

LONGEST = 600
"""Letters of a text; longer ones are left out."""
SEED = 1

SAME = {
    "multipit/auto/train.csv": "multipit-auto train",
    "twitter_url/silver/train.tsv": "twitter-url silver",
    "qqp/generation/train.tsv": "qqp-generation train",
    "qcpg/mscoco.validation.csv.gz": "qcpg mscoco",
    "qcpg/parabk2.validation.csv.gz": "qcpg parabank2",
    "qcpg/wikians.validation.csv.gz": "qcpg wikians",
}
"""Files of pairs that say the same, as their makers hold."""
JUDGED = ("twitter-url", "pit2015", "msrp", "multipit-expert", "ap-h")
"""Corpora that people judged; their train splits are learned from."""


def same_pairs(data: Path) -> Iterator[tuple[str, str, str]]:
    """Source, left and right of pairs that were made or mined as paraphrases."""
    for name, source in SAME.items():
        for left, right in _two_columns(data / name):
            yield source, left, right
    folder = data / "parasci_acl" / "train"
    files = sorted(folder.iterdir())
    sides = [next(file for file in files if file.name.endswith(ending)) for ending in ("src", "tgt")]
    for left, right in zip(*(side.read_text(encoding="utf-8").split("\n") for side in sides), strict=True):
        yield "parasci-acl train", left, right
    captions: dict[str, list[str]] = defaultdict(list)
    for line in (data / "flickr8k" / "Flickr8k.token.txt").read_text(encoding="utf-8").split("\n"):
        image, _, caption = line.partition("\t")
        captions[image.partition("#")[0]].append(caption)
    for several in captions.values():
        yield from (("flickr8k", left, right) for left, right in zip(several[:-1:2], several[1::2], strict=False))


def judged_pairs(data: Path) -> Iterator[tuple[str, str, str, float]]:
    """Source, left, right and what people said, of train splits alone."""
    for name in JUDGED:
        pairs = read_corpus(name, data).splits["train"].labelled()
        for left, right, target in zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True):
            yield f"{name} train", left, right, float(target)


def other_texts(data: Path) -> Iterator[str]:
    """Texts of no pair: they are only looked at."""
    for file in sorted((data / "congress_tweets").glob("*.json")):
        yield from (post["text"] for post in json.loads(file.read_text(encoding="utf-8")))
    for file in sorted((data / "nli").rglob("*")):
        if file.suffix in (".tsv", ".csv", ".txt") and file.is_file():
            for line in file.read_text(encoding="utf-8").split("\n"):
                yield from (field for field in line.split("\t") if len(field) > 20)
    for line in (data / "qqp" / "dev.tsv").read_text(encoding="utf-8").split("\n"):
        yield from (field for field in line.split("\t") if len(field) > 20)
    for file in sorted((data / "apt" / "ap_t5").glob("*.tsv")):
        yield from (line.split("\t")[1] for line in file.read_text(encoding="utf-8").split("\n")[1:] if "\t" in line)
    for file in sorted((data / "news_cluster" / "articles").glob("*.json")):
        yield from json.loads(file.read_text(encoding="utf-8"))["text"].split("\n")


def _two_columns(path: Path) -> Iterator[tuple[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        if ".csv" in path.name:
            rows = csv.reader(file)
            next(rows)
            yield from ((row[0], row[1]) for row in rows if len(row) >= 2)
        else:
            for line in file:
                left, _, rest = line.rstrip("\n").partition("\t")
                yield left, rest.partition("\t")[0]


def prepare(data: Path, work: Path) -> None:
    """Write texts.jsonl.gz, and pairs.npz: numbers of texts, sources, what people said (NaN where nobody did)."""
    hidden = measured_texts(data)
    number: dict[str, int] = {}
    keys: dict[str, str] = {}

    def place(text: str) -> int | None:
        text = " ".join(text.split())
        key = keys.get(text)
        if key is None:
            key = keys[text] = text_key(text)
        if len(key) < 3 or len(text) > LONGEST or key in hidden:
            return None
        return number.setdefault(text, len(number))

    left, right, source, target = [], [], [], []
    names: list[str] = []
    rows = [(*row, float("nan")) for row in same_pairs(data)] + list(judged_pairs(data))
    for name, one, other, said in rows:
        if text_key(one) != text_key(other) and (places := (place(one), place(other))) and None not in places:
            left.append(places[0])
            right.append(places[1])
            names.append(name)
            target.append(said)
    in_pairs = len(number)
    others = sorted(set(other_texts(data)))
    random.Random(SEED).shuffle(others)
    for text in others:
        place(text)
    sources = sorted(set(names))
    source = [sources.index(name) for name in names]
    said_same = [(one, other) for one, other, said in zip(left, right, target, strict=True) if said != 0]
    group = clusters(said_same)
    work.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        work / "pairs.npz",
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        source=np.array(source, np.int8),
        target=np.array(target, np.float32),
        group=np.array([group.get(one, one) for one in left], np.int32),
    )
    (work / "sources.json").write_text(json.dumps(sources))
    with gzip.open(work / "texts.jsonl.gz", "wt", encoding="utf-8", compresslevel=6) as file:
        file.writelines(json.dumps(text, ensure_ascii=False) + "\n" for text in number)
    counts = np.bincount(source, minlength=len(sources))
    for name, many in zip(sources, counts.tolist(), strict=True):
        print(f"{name:24} {many:8,} pairs")
    print(f"{len(number):,} texts, {in_pairs:,} of them in pairs; {len(hidden):,} keys are measured on and left out")
