"""What does a GPU do for mining: sentences embedded a second, neighbours searched a second, at growing sizes?

    PYTHONPATH=src python3 benchmarks/mine_gpu.py --minutes 6 --work FOLDER            # on a machine with a GPU
    PYTHONPATH=src python3 benchmarks/mine_gpu.py --device cpu --minutes 1 --work FOLDER --largest 20000   # a trial

It needs torch, NumPy, tokenizers, safetensors and transformers (which reads `good`), and nothing else: no FAISS, no
numba, no tables. First it checks that the GPU's neighbours are those of plain whole-number arithmetic, with thousands
of ties; where they are not it stops. Then it measures

    embedding    `fast` (pieces cut on the CPU, their vectors summed on the device) and `good`, on made-up sentences
    ceiling      products alone, in TF32 and in bfloat16, and the same with the best taken out of them
    all          every sentence against all, at growing sizes; beyond what fits the time, a part of the sentences
                 against all, from which the whole is *estimated*

until the minutes are over or memory is. How long whole runs take with `--device cuda`, also those with lists, is
measured by mine_scale.py. A size is begun only if, going by the one before, it can be ended. Vectors are
made up, in clusters as sentences are. FOLDER/mine_gpu.json is written after every measurement, so what was measured
stays when the time runs out.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.neighbours.nearest import NOBODY, Neighbours, nearest, start_search

K = 10
CHECKED = (1, K, 40)
"""Numbers of neighbours that the check looks for."""
FEW_ENOUGH_TO_SORT = 10_000
"""Of more rows the check searches for a few."""
SIZES = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, 100_000_000)
CENTRES = 20_000
SPREAD = 0.6
"""How far a vector lies from its centre, in lengths of the centre."""
CODE_LENGTH = 300.0
"""The length of a code: numbers of a vector of 128 dimensions then rarely pass 127."""
BLOCK = 1 << 18
"""Rows made, or searched for, together."""
PART = 1 << 16
"""Sentences searched for where all would take too long."""
RESERVED = 20.0
"""Seconds kept back for ending."""

Codes = NDArray[np.int8]


@dataclass
class Clock:
    """The time that is left."""

    ends: float

    @property
    def left(self) -> float:
        """Seconds until measuring must end."""
        return self.ends - time.perf_counter() - RESERVED


@dataclass
class Results:
    """What was measured so far, in a file."""

    file: Path
    told: dict[str, Any] = field(default_factory=dict)

    def add(self, part: str, row: dict[str, Any]) -> None:
        """Write a row down and show it."""
        self.told.setdefault(part, []).append(row)
        self.file.write_text(json.dumps(self.told, indent=1) + "\n", encoding="utf-8")
        print(f"{part:10}", "  ".join(f"{name} {shown(value)}" for name, value in row.items()), flush=True)


def shown(value: object) -> str:
    """A number as people read it."""
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def main() -> None:
    """Check, then measure what there is time for."""
    asked = asked_for()
    torch = library()
    if asked.device == "cuda" and not torch.cuda.is_available():
        raise SystemExit("There is no GPU here that torch can use. Give --device cpu for a trial.")
    asked.work.mkdir(parents=True, exist_ok=True)
    clock = Clock(time.perf_counter() + asked.minutes * 60)
    results = Results(asked.work / "mine_gpu.json", {"machine": machine(asked.device), "dims": asked.dims, "k": K})
    print(json.dumps(results.told["machine"]), flush=True)
    check(asked.device, results)
    parts: dict[str, Callable[[argparse.Namespace, Clock, Results], None]] = {
        "embedding": measure_embedding,
        "ceiling": measure_ceiling,
        "all": measure_all,
    }
    shares = {"embedding": 0.15, "ceiling": 0.05, "all": 1.0}
    for part in asked.parts:
        own = Clock(time.perf_counter() + RESERVED + max(clock.left, 0.0) * shares[part])
        parts[part](asked, own, results)
    print(f"Written to {results.file}")


def asked_for() -> argparse.Namespace:
    """What the command line says."""
    given = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    given.add_argument("--minutes", type=float, default=6.0, help="end within so many")
    given.add_argument("--work", type=Path, required=True, help="folder for the results")
    given.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    given.add_argument("--dims", type=int, default=128)
    given.add_argument("--largest", type=int, default=SIZES[-1], help="no more sentences than these")
    given.add_argument("--sentences", type=int, default=400_000, help="sentences to embed, at most")
    choices = ("embedding", "ceiling", "all")
    given.add_argument("--parts", nargs="+", default=list(choices), choices=choices)
    return given.parse_args()


def library() -> Any:
    """Torch, without which there is nothing to measure."""
    try:
        import torch
    except ImportError as absent:
        raise SystemExit("This benchmark needs torch.") from absent
    return torch


def machine(device: str) -> dict[str, Any]:
    """Where it was measured."""
    import os

    torch = library()
    told: dict[str, Any] = {"python": platform.python_version(), "torch": torch.__version__, "cores": os.cpu_count()}
    if device == "cuda":
        free, whole = torch.cuda.mem_get_info()
        told |= {"gpu": torch.cuda.get_device_name(), "gpu_bytes": whole, "gpu_bytes_free": free}
    return told


def wait(device: str) -> None:
    """Let the device finish what it was given."""
    if device == "cuda":
        library().cuda.synchronize()


def timed(device: str, work: Callable[..., Any], *given: Any) -> tuple[float, Any]:
    """Seconds that some work took, to its end on the device, and what it gave."""
    wait(device)
    start = time.perf_counter()
    made = work(*given)
    wait(device)
    return time.perf_counter() - start, made


# --- the check


def plain(queries: Codes, candidates: Codes, own: NDArray[np.int64], k: int) -> Neighbours:
    """The nearest by sorting all products of whole numbers, best first, ties by lower number."""
    dots = (queries.astype(np.float64) @ candidates.astype(np.float64).T).astype(np.int64)  # exact below 2^53
    numbers = np.broadcast_to(np.arange(len(candidates)), dots.shape)
    dots = np.where(numbers == own[:, None], 0, dots)
    order = np.lexsort((numbers, -dots), axis=1)[:, :k]
    best = np.take_along_axis(dots, order, axis=1)
    return Neighbours(np.where(best > 0, best, 0).astype(np.int32), np.where(best > 0, order, NOBODY))


def check(device: str, results: Results) -> None:
    """Stop where the device's neighbours are not those of plain arithmetic: with many ties, at both ends of sizes."""
    random = np.random.default_rng(6)
    cases = {
        "many ties": random.integers(-3, 4, (1500, 16)),
        "large numbers": random.choice([-127, 127], (600, 1040)),
        "as sentences": random.normal(size=(1500, 128)) * 27,
        "zeros": np.r_[np.zeros((50, 8), np.int64), random.integers(-2, 3, (500, 8))],
        "many candidates": random.integers(-3, 4, (150_000, 16)),
    }
    for name, made in cases.items():
        rows = np.clip(np.rint(made), -127, 127).astype(np.int8)
        numbers = np.arange(len(rows))
        asking = slice(0, len(rows) if len(rows) < FEW_ENOUGH_TO_SORT else 24)
        best = plain(rows[asking], rows, numbers[asking], max(CHECKED))
        for k in CHECKED:
            search = start_search(rows[asking], k, own=numbers[asking], device=device)
            cuts = (0, len(rows) // 9, len(rows))
            for start, stop in ((cuts[1], cuts[2]), (cuts[0], cuts[1])):
                search.add(rows[start:stop], numbers[start:stop])
            found, expected = search.found(), Neighbours(best.dots[:, :k], best.numbers[:, :k])
            if not (np.array_equal(found.numbers, expected.numbers) and np.array_equal(found.dots, expected.dots)):
                differ = int((found.numbers != expected.numbers).any(axis=1).sum())
                raise SystemExit(f"{device} differs from plain arithmetic: {name}, k {k}, {differ} rows")
    results.add("check", {"device": device, "cases": len(cases) * len(CHECKED), "same_as_plain_arithmetic": True})


# --- embedding


def made_up_sentences(words: Sequence[str], count: int, seed: int = 1) -> list[str]:
    """Sentences of drawn words, common ones more often, of 5 to 35 words."""
    random = np.random.default_rng(seed)
    shares = 1 / (np.arange(len(words)) + 10.0)
    lengths = random.integers(5, 36, count)
    drawn = random.choice(len(words), int(lengths.sum()), p=shares / shares.sum())
    ends = np.cumsum(lengths)
    return [
        " ".join(words[word] for word in drawn[end - length : end].tolist())
        for length, end in zip(lengths.tolist(), ends.tolist(), strict=True)
    ]


def measure_embedding(asked: argparse.Namespace, clock: Clock, results: Results) -> None:
    """`fast` and `good`, each on as many sentences as its time allows."""
    from tokenizers import Tokenizer

    from paraloom.models.embedders import read_card
    from paraloom.models.embedders.catalogue import shipped_folder
    from paraloom.models.embedders.shared_parts import tokeniser_file

    folder = shipped_folder("fast")
    tokeniser = Tokenizer.from_file(str(tokeniser_file(folder, read_card(folder))))
    tokeniser.no_padding()
    tokeniser.no_truncation()
    pieces = sorted(tokeniser.get_vocab().items(), key=lambda piece: piece[1])
    texts = made_up_sentences([piece for piece, _ in pieces if piece.isalpha()], asked.sentences)
    for embed in (embed_fast, embed_good):
        embed(texts[:32], tokeniser, asked.device)  # what is loaded or compiled on first use is no part of it
        count, limit = 128, clock.left * 0.4
        while True:
            row = embed(texts[:count], tokeniser, asked.device)
            grown = min(len(texts), count * 4)
            if grown == count or row["seconds"] * 4 * grown / count > limit:
                break
            count = grown
        results.add("embedding", {**row, "sentences": count, "a_second": count / row["seconds"]})


def embed_fast(texts: Sequence[str], tokeniser: Any, device: str) -> dict[str, Any]:
    """The mean of word pieces' vectors: pieces by the tokeniser on the CPU, sums on the device."""
    torch = library()
    table, scales = fast_table(device)
    start = time.perf_counter()
    rows = [one.ids for one in tokeniser.encode_batch_fast(list(texts), add_special_tokens=False)]
    bounds = np.zeros(len(rows), np.int64)
    np.cumsum([len(row) for row in rows[:-1]], out=bounds[1:])
    pieces = np.concatenate([np.asarray(row, np.int64) for row in rows])
    cut = time.perf_counter() - start

    def summed() -> Any:
        ids, starts = torch.from_numpy(pieces).to(device), torch.from_numpy(bounds).to(device)
        sums = torch.nn.functional.embedding_bag(ids, table, starts, mode="sum", per_sample_weights=scales[ids])
        return torch.nn.functional.normalize(sums, dim=1).cpu().numpy()

    seconds, vectors = timed(device, summed)
    return {
        "embedder": "fast",
        "dims": vectors.shape[1],
        "pieces": len(pieces),
        "seconds": cut + seconds,
        "seconds_to_cut": cut,
        "seconds_to_sum": seconds,
        "summed_a_second": len(texts) / seconds,
    }


TABLES: dict[str, Any] = {}
"""The table of `fast` by device, read once."""


def fast_table(device: str) -> Any:
    """The vectors of word pieces and their scales, on the device."""
    if device not in TABLES:
        from safetensors.numpy import load_file

        from paraloom.models.embedders.catalogue import shipped_folder

        torch = library()
        tensors = load_file(shipped_folder("fast") / "table.safetensors")
        table, scales = (torch.from_numpy(tensors[name]).to(device).float() for name in ("table", "scales"))
        TABLES[device] = table, scales
    return TABLES[device]


def embed_good(texts: Sequence[str], tokeniser: Any, device: str) -> dict[str, Any]:
    """The shipped encoder of MiniLM's size, all of it: cutting, batching, the network, the way back."""
    if "good" not in TABLES:
        from paraloom.models.embedders import read_card
        from paraloom.models.embedders.catalogue import shipped_folder
        from paraloom.models.embedders.packed_in_torch import PackedInTorch
        from paraloom.models.embedders.transformer import TransformerEmbedder

        folder = shipped_folder("good")
        runs = PackedInTorch(folder, read_card(folder), device=device)
        TABLES["good"] = TransformerEmbedder("good", runs, on_gpu=device != "cpu")
    embedder = TABLES["good"]
    start = time.perf_counter()
    embedder.runs.cut(texts)
    cut = time.perf_counter() - start
    seconds, vectors = timed(device, lambda: embedder.embed(texts))
    return {
        "embedder": "good",
        "dims": vectors.shape[1],
        "seconds": seconds,
        "seconds_to_cut": cut,
    }


# --- vectors


def made_up_codes(count: int, dims: int, device: str, seed: int = 1) -> Codes:
    """Codes of vectors of one length around centres, made on the device block by block."""
    torch = library()
    random = torch.Generator(device=device).manual_seed(seed)
    centres = torch.randn((CENTRES, dims), generator=random, device=device)
    centres /= centres.norm(dim=1, keepdim=True)
    rows = np.empty((count, dims), np.int8)
    for start in range(0, count, BLOCK):
        size = min(BLOCK, count - start)
        of = (torch.rand(size, generator=random, device=device) ** 2 * CENTRES).long()  # some centres have many more
        apart = torch.randn((size, dims), generator=random, device=device) * (SPREAD / math.sqrt(dims))
        made = centres[of] + apart
        made *= CODE_LENGTH / made.norm(dim=1, keepdim=True)
        rows[start : start + size] = made.round().clamp(-127, 127).to(torch.int8).cpu().numpy()
    return rows


def blocks(count: int, size: int) -> Iterator[slice]:
    """Ranges of rows, so many each."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def sizes(asked: argparse.Namespace) -> list[int]:
    """The sizes to measure, the largest that was asked for among them."""
    return [*(size for size in SIZES if size < asked.largest), asked.largest]


def peak_bytes(device: str) -> int:
    """The most memory of the device that was held since this was last asked; 0 on the CPU."""
    if device != "cuda":
        return 0
    torch = library()
    peak = int(torch.cuda.max_memory_allocated())
    torch.cuda.reset_peak_memory_stats()
    return peak


# --- searching


def too_long(expected: float, clock: Clock) -> str:
    """Why a size is not begun."""
    return f"it would take about {expected:.0f} s, and {max(clock.left, 0):.0f} are left"


def measure_ceiling(asked: argparse.Namespace, clock: Clock, results: Results) -> None:
    """Products alone, and with the best taken out: what is lost to taking them."""
    torch = library()
    rows, columns = (4096, 65_536) if asked.device == "cuda" else (512, 4096)
    codes = torch.from_numpy(made_up_codes(rows + columns, asked.dims, asked.device)).to(asked.device)
    left, right = codes[:rows].float(), codes[rows:].float()
    torch.backends.cuda.matmul.allow_tf32 = True
    halves = left.bfloat16(), right.bfloat16()
    ways: dict[str, Callable[[], Any]] = {
        "products, TF32": lambda: left @ right.T,
        "products, bfloat16": lambda: halves[0] @ halves[1].T,
        "products and topk": lambda: (left @ right.T).topk(K + 1, dim=1),
        "our search": lambda: nearest(codes_cpu[:rows], codes_cpu[rows:], K, device=asked.device),
    }
    codes_cpu = codes.cpu().numpy()
    for name, way in ways.items():
        timed(asked.device, way)
        seconds = min(timed(asked.device, way)[0] for _ in range(3))
        told = {"way": name, "products_a_second": rows * columns / seconds}
        results.add("ceiling", told | {"tflops": 2 * rows * columns * asked.dims / seconds / 1e12})
        if clock.left < 0:
            return


def measure_all(asked: argparse.Namespace, clock: Clock, results: Results) -> None:
    """Every sentence against all; a part of them where all would take too long."""
    speed = 0.0
    for count in sizes(asked):
        part = min(PART, count)
        expected = part * count / speed if speed else 0.0
        making = 10e-9 * asked.dims * count
        if expected + making > clock.left:
            results.add("all", {"sentences": count, "not_run": too_long(expected + making, clock)})
            return
        try:
            codes = made_up_codes(count, asked.dims, asked.device)
            numbers = np.arange(count)
            seconds, _ = timed(asked.device, block_against_all, codes, numbers, slice(0, part), asked.device)
            whole_seconds, is_estimated = seconds * count / part, True
            if whole_seconds < clock.left * 0.9:
                whole_seconds, _ = timed(asked.device, whole, codes, numbers, asked.device)
                is_estimated = False
        except library().OutOfMemoryError as error:
            results.add("all", {"sentences": count, "not_run": f"memory ended: {str(error).splitlines()[0]}"})
            return
        speed = part * count / seconds
        row: dict[str, Any] = {"sentences": count, "part": part, "part_seconds": seconds}
        row |= {"all_seconds": whole_seconds, "is_estimated": is_estimated}
        row |= {"products_a_second": count * count / whole_seconds, "sentences_a_second": count / whole_seconds}
        row |= {"tflops": 2.0 * count * count * asked.dims / whole_seconds / 1e12}
        results.add("all", row | {"peak_gpu_bytes": peak_bytes(asked.device)})


def block_against_all(codes: Codes, numbers: NDArray[np.int64], block: slice, device: str) -> Neighbours:
    """The nearest of some sentences among all."""
    search = start_search(codes[block], K, own=numbers[block], device=device)
    for part in blocks(len(codes), BLOCK * 4):
        search.add(codes[part], numbers[part])
    return search.found()


def whole(codes: Codes, numbers: NDArray[np.int64], device: str) -> None:
    """The nearest of all among all."""
    for block in blocks(len(codes), BLOCK * 4):
        block_against_all(codes, numbers, block, device)


if __name__ == "__main__":
    sys.exit(main())
