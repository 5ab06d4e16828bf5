"""Is mining as quick as we say, and does it find what exact search finds?

    python benchmarks/mine.py --data corpora --work FOLDER                      # 50,000 and 100,000 real sentences
    python benchmarks/mine.py --data corpora --work FOLDER --large --semhash 1M # 300,000 too, and semhash at a million
    python benchmarks/mine.py --work FOLDER --sizes 2000 --semhash 2000         # a trial with made-up sentences

search       `paraphrase_mining_embeddings` of sentence-transformers against the index and the search of `paraloom
             mine`, on the same vectors (`fast`) of the same sentences: seconds of searching alone, the most memory of
             each process tree, the recall of the pairs that our exact search finds, of those that sentence-transformers
             finds (its products are of 32-bit numbers, ours of codes of eight: some pairs at the edge differ), and of
             the pairs that people marked
end to end   a whole run with `fast` (reading, embedding, searching, pairs; no identifier) against embedding with MiniLM
             in sentence-transformers and its search. MiniLM embeds `--minilm-sentences`; the rest is scaled from them
semhash      `SemHash.self_deduplicate` on made-up sentences with planted pairs, with the same vectors, against a whole
             run: wall time, memory, and the recall of planted pairs. semhash names one duplicate a sentence, so it is
             asked whether both sentences of a pair came into one group

Goals set before anything was measured: search at 100,000 sentences at least 3 times as fast as sentence-transformers
with a recall of at least .98 of exact pairs, ours and the peer's; end to end with `fast` at least 30 times as fast as
with MiniLM.

All are run in processes of their own, by turns, `--repeat` times; the quickest counts. FOLDER/mine.json has what was
measured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from measure import Measured, measure
from mine_texts import read_pairs, real_sentences, write_made_up
from mined import candidate_keys, keys_of_pairs, numbers_of, recall_of_pairs, share_in, texts_in_order

from paraloom.workflows.mine.plan_options import read_count

K = 8
LEAST = 0.6
"""The similarity that a pair must have: as `paraloom mine` has it unless told otherwise."""
MINING = "from paraloom.cli import main; main()"
SEARCHING = ("index", "neighbours", "candidates")
"""The steps of a run that find pairs among vectors."""
GOAL_SEARCH, GOAL_RECALL, GOAL_WHOLE = 3.0, 0.98, 30.0
MINILM = "all-MiniLM-L6-v2"


def main() -> None:
    """Measure what was asked for; a part that was named is one that this script itself started."""
    asked = asked_for()
    if asked.part:
        PARTS[asked.part](asked)
        return
    asked.work.mkdir(parents=True, exist_ok=True)
    told: dict[str, Any] = {"load": os.getloadavg(), "search": [], "end_to_end": [], "semhash": []}
    print(
        f"Goals: search {GOAL_SEARCH:g}× at 100,000 with recall {GOAL_RECALL}; end to end {GOAL_WHOLE:g}×", flush=True
    )
    sizes = [read_count(size) for size in asked.sizes] + ([300_000] if asked.large else [])
    for size in sizes:
        row = searched(asked, size)
        told["search"].append(row)
        print(shown_search(row), flush=True)
        if size == sizes[min(1, len(sizes) - 1)]:
            told["end_to_end"].append(whole := end_to_end(asked, row))
            print(shown_whole(whole), flush=True)
        write(asked.work, told)
    if asked.semhash:
        told["semhash"].append(row := against_semhash(asked, read_count(asked.semhash)))
        print(json.dumps(row), flush=True)
        write(asked.work, told)


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--data", type=Path, default=os.environ.get("PARALOOM_DATA"), help="folder of the corpora")
    given.add_argument("--work", type=Path, required=True, help="folder for runs and results")
    given.add_argument("--sizes", nargs="+", default=["50k", "100k"])
    given.add_argument("--large", action="store_true", help="300,000 too")
    given.add_argument("--semhash", default="", help="so many made-up sentences for semhash, such as 1M")
    given.add_argument("--threshold", type=float, default=0.8, help="semhash's: above it two sentences are the same")
    given.add_argument("--minilm", default=MINILM, help="name or folder of MiniLM")
    given.add_argument("--minilm-sentences", type=int, default=2000)
    given.add_argument("--repeat", type=int, default=1)
    for name in ("--part", "--run", "--file", "--result"):
        given.add_argument(name, default="", help=argparse.SUPPRESS)
    return given.parse_args()


def write(work: Path, told: dict[str, Any]) -> None:
    """What was measured so far."""
    (work / "mine.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def own_process(asked: argparse.Namespace, part: str, **given: Path) -> tuple[Measured, dict[str, Any]]:
    """A part of this script in a process of its own: what it cost, and what it told."""
    result = asked.work / f"{part}.result.json"
    arguments = [__file__, "--work", str(asked.work), "--part", part, "--result", str(result)]
    arguments += ["--threshold", str(asked.threshold), "--minilm", asked.minilm]
    arguments += ["--minilm-sentences", str(asked.minilm_sentences)]
    for name, value in given.items():
        arguments += [f"--{name}", str(value)]
    took = measure(arguments)
    return took, json.loads(result.read_text(encoding="utf-8"))


# --- the search


def given_texts(asked: argparse.Namespace, size: int) -> tuple[Path, list[tuple[str, str]]]:
    """A file of sentences, real ones where a folder of corpora is given, and the pairs known among them."""
    if asked.data is None:
        file, planted = write_made_up(asked.work, real_sentences(None), size)
        return file, read_pairs(planted)
    from paraloom.workflows.bench.mining_options import MiningBenchOptions
    from paraloom.workflows.bench.mining_texts import read_mining_texts

    mining = read_mining_texts(Path(asked.data), MiningBenchOptions(most_distractors=size))
    plain = [" ".join(text.split()) for text in mining.texts]
    file = asked.work / f"real-{size}.txt"
    file.write_text("\n".join(plain[:size]) + "\n", encoding="utf-8", errors="replace")
    known = set(plain[:size])
    pairs = [
        (left, right)
        for one in mining.sets
        for query, answer, is_right in zip(one.queries.tolist(), one.answers.tolist(), one.truth.tolist(), strict=True)
        for left, right in [(" ".join(one.texts[query].split()), " ".join(one.texts[answer].split()))]
        if is_right and left in known and right in known
    ]
    return file, pairs


def mined(asked: argparse.Namespace, file: Path, index: str) -> tuple[Measured, Path, dict[str, float]]:
    """A run of `paraloom mine`, its cost and the seconds of its steps."""
    run = asked.work / f"run-{index}-{file.stem}"
    shutil.rmtree(run, ignore_errors=True)
    arguments = ["mine", str(file), "--out", str(run), "--embedder", "fast", "--neighbours", str(K), "--no-identify"]
    took = measure(["-c", MINING, *arguments, "--index", index, "--min-similarity", str(LEAST)])
    return took, run, json.loads((run / "seconds.json").read_text(encoding="utf-8"))


def searched(asked: argparse.Namespace, size: int) -> dict[str, Any]:
    """Both searches at one size."""
    file, known = given_texts(asked, size)
    ours: dict[str, list[tuple[Measured, dict[str, float]]]] = {"exact": [], "ivf": []}
    peer: list[tuple[Measured, dict[str, Any]]] = []
    for _ in range(asked.repeat):
        for index, done in ours.items():
            took, run, steps = mined(asked, file, index)
            done.append((took, steps))
        peer.append(own_process(asked, "peer", run=run))
    runs = {index: asked.work / f"run-{index}-{file.stem}" for index in ours}
    exact, theirs = candidate_keys(runs["exact"]), np.load(asked.work / "peer.npy")
    row: dict[str, Any] = {"sentences": len(texts_in_order(runs["exact"])), "known_pairs": len(known)}
    row["run"] = str(runs["exact"])
    best = min(peer, key=lambda each: each[1]["seconds"])
    row["sentence_transformers"] = {
        "seconds": best[1]["seconds"],
        "megabytes": best[0].megabytes,
        "recall_of_exact": share_in(exact, theirs),
        "recall_of_peer": 1.0,
        "recall_of_known": recall_among(runs["exact"], known, theirs),
    }
    for index, done in ours.items():
        took, steps = min(done, key=lambda each: sum(each[1][step] for step in SEARCHING))
        seconds = sum(steps[step] for step in SEARCHING)
        found = candidate_keys(runs[index])
        row[index] = {
            "seconds": seconds,
            "whole_run_seconds": min(each[0].seconds for each in done),
            "megabytes": took.megabytes,
            "steps": steps,
            "recall_of_exact": share_in(exact, found),
            "recall_of_peer": share_in(theirs, found),
            "recall_of_known": recall_of_pairs(runs[index], known)[0],
            "times_as_fast": row["sentence_transformers"]["seconds"] / seconds,
        }
    return row


def recall_among(run: Path, known: Sequence[tuple[str, str]], found: Any) -> float:
    """The share of known pairs among the keys of pairs that a peer found in a run's sentences."""
    left, right = (numbers_of(run, [pair[side] for pair in known]) for side in (0, 1))
    there = (left >= 0) & (right >= 0) & (left != right)
    return share_in(keys_of_pairs(left[there], right[there], len(texts_in_order(run))), found)


def search_as_peer(asked: argparse.Namespace) -> None:
    """sentence-transformers' search on the vectors of a run's sentences; embedding them is not timed."""
    import torch
    from sentence_transformers.util import paraphrase_mining_embeddings

    from paraloom.models.embedders import load_embedder

    texts = texts_in_order(Path(asked.run))
    vectors = torch.from_numpy(load_embedder("fast").embed(texts))
    start = time.perf_counter()
    found = paraphrase_mining_embeddings(vectors, top_k=K, max_pairs=len(texts) * K)
    seconds = time.perf_counter() - start
    near = np.array([(left, right) for score, left, right in found if score >= LEAST], np.int64).reshape(-1, 2)
    np.save(asked.work / "peer.npy", np.sort(keys_of_pairs(near[:, 0], near[:, 1], len(texts))))
    tell(asked, {"seconds": seconds, "pairs": len(near)})


def tell(asked: argparse.Namespace, told: dict[str, Any]) -> None:
    """Leave what was measured for the process that started this one."""
    Path(asked.result).write_text(json.dumps(told), encoding="utf-8")


# --- end to end


def end_to_end(asked: argparse.Namespace, row: dict[str, Any]) -> dict[str, Any]:
    """A whole run with `fast` against MiniLM's vectors and the peer's search, at the size of a row."""
    try:
        _, minilm = own_process(asked, "minilm", run=Path(row["run"]))
    except SystemExit as failed:
        return {"not_run": str(failed)}
    embedding = minilm["seconds"] / minilm["sentences"] * row["sentences"]
    theirs = embedding + row["sentence_transformers"]["seconds"]
    ours = min(row[index]["whole_run_seconds"] for index in ("exact", "ivf"))
    return {
        "sentences": row["sentences"],
        "minilm_embedded": minilm["sentences"],
        "minilm_embedding_seconds_scaled": embedding,
        "minilm_seconds_scaled": theirs,
        "fast_seconds": ours,
        "times_as_fast": theirs / ours,
    }


def embed_as_peer(asked: argparse.Namespace) -> None:
    """Seconds that MiniLM takes for a part of a run's sentences, in sentence-transformers, on all cores."""
    from sentence_transformers import SentenceTransformer

    from paraloom.models.shelf import model_folder

    model = SentenceTransformer(str(model_folder(asked.minilm)), device="cpu")
    texts = texts_in_order(Path(asked.run))[: asked.minilm_sentences]
    model.encode(texts[:64], batch_size=32)
    start = time.perf_counter()
    model.encode(texts, batch_size=32)
    tell(asked, {"seconds": time.perf_counter() - start, "sentences": len(texts)})


# --- semhash


def against_semhash(asked: argparse.Namespace, size: int) -> dict[str, Any]:
    """Both on the same made-up sentences."""
    if find_spec("semhash") is None:
        return {"not_run": "semhash is not installed: pip install semhash"}
    data = Path(asked.data) if asked.data else None
    file, planted = write_made_up(asked.work, real_sentences(data), size)
    pairs = read_pairs(planted)
    took, run, steps = mined(asked, file, "auto")
    recall, could = recall_of_pairs(run, pairs)
    theirs, told = own_process(asked, "semhash", file=file)
    return {
        "sentences": size,
        "planted_pairs": could,
        "ours": {**asdict(took), "steps": steps, "recall_of_planted": recall},
        "semhash": {**asdict(theirs), **told},
        "times_as_fast": theirs.seconds / took.seconds,
    }


class FastEncoder:
    """The vectors of `fast`, as semhash asks for them."""

    def __init__(self) -> None:
        from paraloom.models.embedders import load_embedder

        self.embedder = load_embedder("fast")

    def encode(self, inputs: Sequence[str], **_: object) -> Any:
        """One row a text."""
        return self.embedder.embed(list(inputs))


def deduplicate_as_peer(asked: argparse.Namespace) -> None:
    """semhash on a file of sentences: whether it puts both sentences of a planted pair into one group."""
    from semhash import SemHash

    file = Path(asked.file)
    texts = file.read_text(encoding="utf-8").splitlines()
    start = time.perf_counter()
    found = SemHash.from_records(texts, model=FastEncoder()).self_deduplicate(asked.threshold)
    seconds = time.perf_counter() - start
    group = {each.record: each.duplicate_of or each.record for each in found.filtered}
    pairs = read_pairs(file.with_name(file.name.replace("sentences-", "planted-").replace(".txt", ".tsv")))
    pairs = [(left, right) for left, right in pairs if left != right]
    together = sum(group.get(left, left) == group.get(right, right) for left, right in pairs)
    tell(asked, {"seconds_alone": seconds, "threshold": asked.threshold, "recall_of_planted": together / len(pairs)})


def shown_search(row: dict[str, Any]) -> str:
    """A row of the search in lines."""
    lines = [f"{row['sentences']:,} sentences, {row['known_pairs']:,} known pairs"]
    for name in ("sentence_transformers", "exact", "ivf"):
        each = row[name]
        times = f"  {each['times_as_fast']:.1f}×" if "times_as_fast" in each else ""
        lines.append(
            f"  {name:22} {each['seconds']:8.1f} s  {each['megabytes']:6,.0f} MB  exact pairs "
            f"{each['recall_of_exact']:.3f}  the peer's {each['recall_of_peer']:.3f}  known pairs "
            f"{each['recall_of_known']:.3f}{times}"
        )
    met = any(
        row[name]["times_as_fast"] >= GOAL_SEARCH
        and min(row[name]["recall_of_exact"], row[name]["recall_of_peer"]) >= GOAL_RECALL
        for name in ("exact", "ivf")
    )
    return "\n".join([*lines, f"  goal of the search: {'met' if met else 'not met'} at this size"])


def shown_whole(row: dict[str, Any]) -> str:
    """End to end, in a line."""
    if "not_run" in row:
        return f"  end to end: not run: {row['not_run']}"
    verdict = "met" if row["times_as_fast"] >= GOAL_WHOLE else "not met"
    return (
        f"  end to end: fast {row['fast_seconds']:.1f} s, MiniLM {row['minilm_seconds_scaled']:.0f} s (scaled from "
        f"{row['minilm_embedded']:,} sentences): {row['times_as_fast']:.1f}×, goal {verdict}"
    )


PARTS = {"peer": search_as_peer, "minilm": embed_as_peer, "semhash": deduplicate_as_peer}

if __name__ == "__main__":
    main()
