"""The published data in, rows out: pairs, what is known of each, its fold, and word pieces of all texts."""

from __future__ import annotations

import csv
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.known import KnownCorpus, read_corpus
from paraloom.corpus.known.nli import ENTAILMENTS

from .folds import HELD_OUT, Row, folds, letters
from .student_base import make_student_base

SEED = 1
BORDER = 0.5
"""The BLEURT value that APT draws the line at."""
LONGEST_TEXT = 2000


UNDECIDED = 0.35
PIT_TARGETS = {5: 1.0, 4: 0.95, 3: 0.8, 2: UNDECIDED, 1: 0.1, 0: 0.02}
"""What is learned from so many of five votes: three or more are a paraphrase, two are undecided."""


JUDGED = {
    "twitter-url": ("twitter-url", "loose"),
    "msrp": ("msrp", "loose"),
    "multipit-expert": ("multipit", "strict"),
    "ap-h": ("people", "implication"),
    "qqp": ("qqp", "duplicate"),
}
"""Corpora that people judged: what their rows are called here, and which question they answer."""


def labelled(data: Path) -> Iterator[Row]:
    """Every pair with a label or a teacher's number."""
    for name, (kind, question) in JUDGED.items():
        for split, pairs in read_corpus(name, data).splits.items():
            if split == "test":
                continue
            called = f"multipit-{'val' if split == 'dev' else 'train'}" if kind == "multipit" else kind
            for left, right, target in zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True):
                yield Row(left=left, right=right, kind=called, source=f"{name} {split}", **{question: target})
    yield from _pit(read_corpus("pit2015", data))
    yield from _by_t5(data)
    yield from _entailments(data)
    for name in ("sts-train.csv", "sts-dev.csv"):
        for line in (data / "stsb" / name).read_text(encoding="utf-8").split("\n"):
            fields = line.split("\t")
            if len(fields) >= 7 and fields[1] != "MSRpar":  # taken from MSRP, its test set included
                likeness, source = float(fields[4]) / 5, name.replace("sts-", "sts-b ").removesuffix(".csv")
                yield Row(left=fields[5], right=fields[6], kind="sts", likeness=likeness, source=source)


def _pit(corpus: KnownCorpus) -> Iterator[Row]:
    for split in ("train", "dev"):
        pairs = corpus.splits[split]
        for place, (left, right, target) in enumerate(
            zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True)
        ):
            votes, of = (0, 0) if pairs.votes is None else pairs.votes[place].tolist()
            undecided = np.isnan(target)
            loose = PIT_TARGETS[round(5 * votes / of)] if of else UNDECIDED if undecided else target
            topic = f"topic {pairs.topics[place]}" if pairs.topics is not None else ""
            yield Row(
                left=left,
                right=right,
                kind="pit",
                loose=loose,
                weight=0.5 if undecided else 1.0,
                topic=topic,
                source=f"pit2015 {split}",
                decided=not undecided,
            )


def _by_t5(data: Path) -> Iterator[Row]:
    for path in sorted((data / "apt" / "ap_t5").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").split("\n")[1:]:  # the authors' script skips the first line
            if line:
                left, right, bleurt, implicative = line.split("\t")
                yield Row(
                    left=left,
                    right=right,
                    kind=f"t5-{path.name.split('1-')[0]}",
                    implication=float(implicative),
                    similarity=float(bleurt),
                    weight=1.0 if float(bleurt) > BORDER else 0.4,
                    source="ap-t5 train",
                )


def _entailments(data: Path) -> Iterator[Row]:
    for name in ("snli", "scitail", "mnli", "rte"):
        reader = ENTAILMENTS[name]
        for split, pairs in reader.read(reader, data).splits.items():
            for left, right, target in zip(pairs.left, pairs.right, pairs.targets.tolist(), strict=True):
                yield Row(left=left, right=right, kind="nli", forwards=target, source=f"{name} {split}")


WANTED = {
    "twitter-url": 130_000,
    "pit": 50_000,
    "multipit-train": 50_000,
    "people": 8_000,
    "t5-msrp": 25_000,
    "t5-twitterppdb": 15_000,
    "t5-ppnmt": 10_000,
}
"""New pairs out of the texts of one group, by the corpus: of the same kind as those judged; teachers judge them."""

AS_THEY_ARE = {
    "multipit/auto/train.csv": ("multipit-auto train", 110_000),
    "twitter_url/silver/train.tsv": ("twitter-url silver", 80_000),
    "qqp/generation/train.tsv": ("qqp-generation train", 15_000),
}
"""Pairs of published corpora without labels by people: what they are called, and how many are taken."""


def unlabelled(data: Path, gold: list[Row], rng: random.Random) -> Iterator[Row]:
    """Pairs that teachers judge: from the groups of gold corpora, machine-labelled ones, near and far strangers."""
    known = {_key(row.left, row.right) for row in gold}
    for kind, wanted in WANTED.items():
        groups: dict[str, dict[str, str]] = defaultdict(dict)
        for row in gold:
            if row.kind == kind:
                groups[row.left].update({letters(row.left): row.left, letters(row.right): row.right})
        possible = []
        for members in groups.values():
            texts = list(members.values())[:60]
            pairs = list(combinations(texts, 2))
            possible += rng.sample(pairs, min(len(pairs), 400))
        rng.shuffle(possible)
        taken = 0
        for left, right in possible:
            if taken == wanted:
                break
            key = _key(left, right)
            if key not in known:
                known.add(key)
                taken += 1
                yield Row(left=left, right=right, kind=f"more-{kind}")
    for name, (source, wanted) in AS_THEY_ARE.items():
        pairs = [(left, right) for left, right in two_columns(data / name) if _key(left, right) not in known]
        rng.shuffle(pairs)
        kind = f"plain-{Path(name).parts[0]}"
        yield from (Row(left=left, right=right, kind=kind, source=source) for left, right in pairs[:wanted])
    for kind, wanted in {"twitter-url": 15_000, "msrp": 20_000, "multipit-train": 8_000, "pit": 8_000}.items():
        texts = sorted({text for row in gold if row.kind == kind for text in (row.left, row.right)})
        for left, right in near_strangers(texts, wanted, rng):
            if _key(left, right) not in known:
                yield Row(left=left, right=right, kind=f"near-{kind}")
    yield from strangers_and_copies(gold, rng)


def strangers_and_copies(gold: list[Row], rng: random.Random) -> Iterator[Row]:
    """Pairs that need no judge."""
    pool = sorted({row.left for row in gold})
    for left in rng.sample(pool, 6_000):  # strangers are not alike and imply nothing
        right = rng.choice(pool)
        if left != right:
            yield Row(left=left, right=right, kind="strangers", loose=0.0, strict=0.0, implication=0.0, forwards=0.0)
    for left in rng.sample(pool, 3_000):  # a copy is what it copies
        yield Row(
            left=left, right=left, kind="copies", loose=1.0, strict=1.0, implication=1.0, forwards=1.0, likeness=1.0
        )


def near_strangers(texts: list[str], wanted: int, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Texts that share rare words, by TF-IDF: near misses, mostly."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    vectors = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(texts)
    chosen = sorted(rng.sample(range(len(texts)), min(len(texts), wanted)))
    near = NearestNeighbors(n_neighbors=12, metric="cosine", n_jobs=2).fit(vectors)
    distances, places = near.kneighbors(vectors[chosen])
    for row, (theirs, found) in enumerate(zip(distances, places, strict=True)):
        good = [
            place
            for distance, place in zip(theirs, found, strict=True)
            if 0.1 < distance < 0.8 and place != chosen[row]
        ]
        if good:
            yield texts[chosen[row]], texts[rng.choice(good)]


def two_columns(path: Path) -> Iterator[tuple[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            for record in csv.DictReader(file):
                yield record["sentence1"], record["sentence2"]
        else:
            for line in file:
                fields = line.rstrip("\n").split("\t")
                if len(fields) >= 2:
                    yield fields[0], fields[1]


def _key(left: str, right: str) -> tuple[str, ...]:
    return tuple(sorted((letters(left), letters(right))))


def prepare(data: Path, encoder: Path, work: Path) -> None:
    """Read everything, decide folds, make the student's base, and write rows and word pieces as arrays."""
    rng = random.Random(SEED)
    gold = [row for row in labelled(data) if row.left.strip() and row.right.strip()]
    rows = gold + list(unlabelled(data, gold, rng))
    fold, number, pieces = write_rows(rows, encoder, work)
    counts = Counter(dict(enumerate(np.bincount(pieces.astype(np.int64)).tolist())))
    parameters = make_student_base(encoder, counts, work / "base")
    pieces, starts = word_pieces(list(number), work / "base")
    np.savez_compressed(work / "pieces-small.npz", pieces=pieces, starts=starts)
    told = Counter((row.kind, one == HELD_OUT) for row, one in zip(rows, fold, strict=True))
    for kind in sorted({row.kind for row in rows}):
        print(f"{kind:22} learned from {told[kind, False]:7,}   held out {told[kind, True]:6,}")
    print(f"{len(number):,} texts; the student's base has {parameters:,} parameters")


def write_rows(rows: list[Row], encoder: Path, work: Path) -> tuple[list[int], dict[str, int], NDArray[np.int16]]:
    """Decide folds and write rows and word pieces as arrays: the folds, each text's number, and the pieces."""
    fold, part = folds(rows)
    number: dict[str, int] = {}
    for row in rows:
        for text in (row.left, row.right):
            number.setdefault(text[:LONGEST_TEXT], len(number))
    pieces, starts = word_pieces(list(number), encoder)
    questions = ("loose", "strict", "implication", "similarity", "likeness", "forwards", "duplicate")
    kinds = sorted({row.kind for row in rows})
    work.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        work / "rows.npz",
        left=np.array([number[row.left[:LONGEST_TEXT]] for row in rows], np.int32),
        right=np.array([number[row.right[:LONGEST_TEXT]] for row in rows], np.int32),
        kind=np.array([kinds.index(row.kind) for row in rows], np.int8),
        fold=np.array(fold, np.int8),
        part=np.array(part, np.int8),
        turned=np.array([(len(row.left), row.left) < (len(row.right), row.right) for row in rows]),
        weight=np.array([row.weight for row in rows], np.float16),
        decided=np.array([row.decided for row in rows]),
        pieces=pieces,
        starts=starts,
        **{
            name: np.array([np.nan if (known := getattr(row, name)) is None else known for row in rows], np.float16)
            for name in questions
        },
    )
    (work / "kinds.json").write_text(json.dumps(kinds))
    learned_from = {row.source for row, one in zip(rows, fold, strict=True) if one != HELD_OUT and row.source}
    (work / "trained_on.json").write_text(json.dumps(sorted(learned_from)))
    with (work / "texts.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text, ensure_ascii=True) + "\n" for text in number)
    return fold, number, pieces


def word_pieces(texts: list[str], encoder: Path) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """All texts' word pieces one after the other, and where each text begins."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    pieces = [np.array(one.ids[:160], np.int16) for one in tokenizer.encode_batch(texts, add_special_tokens=False)]
    starts = np.concatenate([[0], np.cumsum([len(one) for one in pieces])])
    return np.concatenate(pieces), starts.astype(np.int32)
