"""Prepared rows in, teachers and their answers to every row out. Runs with torch and numpy alone, best on a GPU."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import torch

from paraloom.models.pair_model import QUESTIONS

from .figures import held_out_figures, shown
from .folds import HELD_OUT, PARTS
from .network import Net
from .prepared import Array, Prepared
from .training import Data, answers, joined, train

REPEATS = {"twitter-url": 1, "pit": 1, "msrp": 2, "multipit-train": 2, "people": 2}
"""How often a teacher sees what people judged in an epoch."""
AT_FIRST = {"t5-msrp": 35_000, "t5-twitterppdb": 25_000, "nli": 40_000, "sts": 8_000, "qqp": 10_000}
"""How many rows of related sets beside it in the first epoch."""
LATER = {"t5-msrp": 14_000, "t5-twitterppdb": 10_000, "nli": 10_000, "sts": 4_000, "qqp": 4_000}
"""… and in those after it."""


def teachers_epoch(prepared: Prepared, rng: np.random.Generator, *, first: bool) -> Data:
    """What a teacher sees in one epoch: first mostly the large related sets, then mostly what people judged."""
    repeats = REPEATS if first else REPEATS | {"people": 3}
    parts = [prepared.data(prepared.places((kind,))) for kind, times in repeats.items() for _ in range(times)]
    others = AT_FIRST if first else LATER
    parts += [prepared.data(prepared.sampled((kind,), wanted, rng)) for kind, wanted in others.items()]
    parts.append(prepared.data(prepared.sampled(("strangers", "copies"), 3_000, rng), 0.5))
    return joined(parts)


def teach(
    base: Path,
    work: Path,
    *,
    seed: int,
    device: str,
    rate: float = 3e-5,
    size: int = 128,
    finals: int = 3,
    few: int = 0,
) -> None:
    """One of the teachers, who never sees one part of the rows: trained, measured, its answers to every row written."""
    prepared = Prepared(work, _kind(base), device, few, left_out=(seed - 1) % PARTS)
    rng = np.random.default_rng(seed)
    epochs = [teachers_epoch(prepared, rng, first=number == 0) for number in range(1 + finals)]
    print(f"teacher {seed}: {[len(one) for one in epochs]} rows", flush=True)
    torch.manual_seed(seed)
    net = train(Net(base, hidden=128), prepared.texts, epochs, size=size, rate=rate, seed=seed)
    _answer(net, prepared, work, f"teacher-{seed}")


def _answer(net: Net, prepared: Prepared, work: Path, name: str) -> None:
    """Measure a teacher on the held-out fold, both orders taken together, and write its answers to every row.

    Rows that are learned from are read in one order alone: there are several teachers, and as many rows of each order.
    """
    started = time.time()
    every = np.arange(len(prepared.left))
    every = every[:: max(1, len(every) // 30)] if prepared.few else every
    logits = np.full((len(prepared.left), len(QUESTIONS)), np.nan, np.float32)
    for held_out in (True, False):
        chosen = every[prepared.held_out[every] == held_out]
        there = torch.from_numpy(chosen).to(prepared.device)
        found = answers(net, prepared.texts, prepared.left[there], prepared.right[there], both=held_out)
        logits[chosen] = found.cpu().numpy()
    figures = held_out_figures(logits, prepared.rows, prepared.kinds, prepared.held_out & ~np.isnan(logits).any(axis=1))
    print(f"{name}: {shown(figures)}   answered in {time.time() - started:.0f} s", flush=True)
    np.save(work / f"{name}.npy", logits.astype(np.float16))
    (work / f"{name}.json").write_text(json.dumps(figures))


def told(work: Path) -> Array:
    """What the teachers say of every row: their mean, but of a row with a label he who never saw it.

    A teacher repeats the labels that it was given, right or wrong; another's view of them is worth more.
    """
    with np.load(work / "rows.npz") as stored:
        part, fold = stored["part"], stored["fold"]
        gold = [stored[name] for name in QUESTIONS if name in stored.files]
    teachers = {
        int(file.stem.split("-")[1]): np.load(file).astype(np.float32) for file in sorted(work.glob("teacher-*.npy"))
    }
    found: Array = np.mean(list(teachers.values()), axis=0)
    labelled = ~np.isnan(np.stack(gold)).all(axis=0)
    for seed, theirs in teachers.items():
        unseen = labelled & (part == (seed - 1) % PARTS) & (fold != HELD_OUT)  # which nobody saw: there all count
        found[unseen] = theirs[unseen]
    return found


def agree(work: Path) -> None:
    """Write what all teachers say together, as students take it, and measure it on the held-out fold."""
    prepared = Prepared(work, "student", "cpu")
    found = told(work)
    figures = held_out_figures(found, prepared.rows, prepared.kinds, prepared.held_out)
    print(f"together: {shown(figures)}", flush=True)
    np.save(work / "told.npy", found.astype(np.float16))


def _kind(base: Path) -> str:
    return str(json.loads((base / "config.json").read_text())["model_type"])
