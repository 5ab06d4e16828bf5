"""The data in, rows with their labels and splits out."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

SEED = 1
BORDER = 0.5
"""The BLEURT value that APT draws the line at."""
LOWER_BAND_WEIGHT = 0.4
PEOPLE_WEIGHT = 2.0
PEOPLE_REPEATS = 4


@dataclass(slots=True, kw_only=True)
class Row:
    """A pair, what is known of it, and how much its implication label weighs."""

    left: str
    right: str
    kind: str
    split: str = "train"
    implication: float | None = None
    similarity: float | None = None
    entailment: float | None = None
    weight: float = 1.0


def prepare(data: Path, work: Path) -> None:
    """Read everything, decide splits by source, and write `rows.jsonl.gz`."""
    rows = [*_by_t5(data), *_by_people(data), *_entailments(data)]
    rows += _plain_pairs(data, random.Random(SEED))
    work.mkdir(parents=True, exist_ok=True)
    with gzip.open(work / "rows.jsonl.gz", "wt", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for row in rows:
        counts[row.kind, row.split] += 1
    for (kind, split), count in sorted(counts.items()):
        print(f"{kind:12} {split:6} {count:7,}")


def _split_of(source: str) -> str:
    """Train, dev or test by the letters of the source, so that its variants stay together."""
    place = int(hashlib.blake2b(_letters(source).encode(), digest_size=4).hexdigest(), 16) % 100
    return "test" if place < 12 else "dev" if place < 18 else "train"


def _letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _by_t5(data: Path) -> Iterator[Row]:
    for path in sorted((data / "apt" / "ap_t5").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").split("\n")[1:]:  # the authors' script skips the first line
            if line:
                source, attempt, bleurt, implicative = line.split("\t")
                similarity = float(bleurt)
                yield Row(
                    left=source,
                    right=attempt,
                    kind=f"t5-{path.name.split('1-')[0]}",
                    split=_split_of(source),
                    implication=float(implicative),
                    similarity=similarity,
                    weight=1.0 if similarity > BORDER else LOWER_BAND_WEIGHT,
                )


def _by_people(data: Path) -> Iterator[Row]:
    with (data / "apt" / "ap_h_train.tsv").open(encoding="utf-8", newline="") as file:
        for record in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Row(
                left=record["text_a"],
                right=record["text_b"],
                kind="people",
                split=_split_of(record["text_a"]),
                implication=float(record["labels"]),
                weight=PEOPLE_WEIGHT,
            )


def _entailments(data: Path) -> Iterator[Row]:
    nli = data / "nli"
    for path in (
        nli / "snli" / "dev.txt",
        nli / "snli" / "test.txt",
        nli / "scitail" / "dev.txt",
        nli / "scitail" / "test.txt",
    ):
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line.count("\t") == 2:
                premise, hypothesis, label = line.split("\t")
                # 0 is entailment in SNLI; in SciTail 0 is entailment as well (1 neutral)
                yield Row(left=premise, right=hypothesis, kind="nli", entailment=float(label.strip() == "0"))
    for line in (nli / "mnli" / "dev_matched_with_correct_counts.txt").read_text(encoding="utf-8").split("\n")[1:]:
        fields = line.split("\t")
        if len(fields) == 5:
            yield Row(left=fields[1], right=fields[2], kind="nli", entailment=float(fields[3] == "entailment"))
    for name in ("train.tsv", "validation.tsv"):
        for line in (nli / "rte" / name).read_text(encoding="utf-8").split("\n")[1:]:
            fields = line.split("\t")
            if len(fields) == 4:
                yield Row(left=fields[2], right=fields[3], kind="nli", entailment=float(fields[1] == "0"))


PLAIN = {
    "multipit/auto/train.csv": 45_000,
    "twitter_url/silver/train.tsv": 25_000,
    "qqp/generation/train.tsv": 20_000,
}
"""Pairs without either label: the teacher's answers carry the student beyond newswire and T5's way of writing."""


def _plain_pairs(data: Path, rng: random.Random) -> Iterator[Row]:
    pool: list[str] = []
    for name, wanted in PLAIN.items():
        pairs = list(_two_columns(data / name))
        rng.shuffle(pairs)
        for left, right in pairs[:wanted]:
            pool.append(left)
            yield Row(left=left, right=right, kind="plain")
    folder = data / "twitter_url" / "tokenized_train"
    left_side = (folder / "a.toks").read_text(encoding="utf-8").split("\n")
    right_side = (folder / "b.toks").read_text(encoding="utf-8").split("\n")
    pairs = [(left, right) for left, right in zip(left_side, right_side, strict=True) if left and right]
    rng.shuffle(pairs)
    yield from (Row(left=left, right=right, kind="plain") for left, right in pairs[:25_000])
    for source in rng.sample(pool, 6_000):  # strangers are not alike and imply nothing
        yield Row(left=source, right=rng.choice(pool), kind="strangers", implication=0.0)
    for source in rng.sample(pool, 3_000):  # a copy implies what it copies
        yield Row(left=source, right=source, kind="copies", implication=1.0)


def _two_columns(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            for record in csv.DictReader(file):
                yield record["sentence1"], record["sentence2"]
        else:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if len(fields) >= 2:
                    yield fields[0], fields[1]


def read_rows(work: Path, few: int | None = None) -> list[Row]:
    """The prepared rows; a few of each kind and split to try the recipe out."""
    with gzip.open(work / "rows.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [Row(**json.loads(line)) for line in file]
    if few is None:
        return rows
    taken: dict[tuple[str, str], int] = defaultdict(int)
    kept = []
    for row in rows:
        taken[row.kind, row.split] += 1
        if taken[row.kind, row.split] <= few:
            kept.append(row)
    return kept


def with_repeats(rows: list[Row]) -> list[Row]:
    """Training rows, pairs by people several times: there are few of them, and they are the task itself."""
    chosen = [row for row in rows if row.split == "train"]
    people = [row for row in chosen if row.kind == "people"]
    return chosen + people * (PEOPLE_REPEATS - 1)


def unseen(rows: list[Row], split: str) -> list[Row]:
    """The rows of a split neither of whose texts occurs in any training row, letter for letter."""
    seen = {_letters(text) for row in rows if row.split == "train" for text in (row.left, row.right)}
    return [row for row in rows if row.split == split and not {_letters(row.left), _letters(row.right)} & seen]
