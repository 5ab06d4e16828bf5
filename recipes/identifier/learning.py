"""Prepared rows in, teachers, their answers, and the student out. Runs with torch and numpy alone, best on a GPU."""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

from .figures import held_out_figures, shown
from .network import QUESTIONS, Net
from .rows import HELD_OUT
from .tokens import Texts
from .training import NUMBERS, Data, answers, joined, train

Array = np.ndarray[Any, Any]
NAN = float("nan")


class Prepared:
    """What `prepare` wrote, on the device."""

    def __init__(self, work: Path, kind: str, device: str, few: int = 0) -> None:
        with np.load(work / "rows.npz") as stored:
            self.rows: dict[str, Array] = {name: stored[name] for name in stored.files}
        self.kinds: list[str] = json.loads((work / "kinds.json").read_text())
        self.kind = np.array(self.kinds, dtype=object)[self.rows["kind"]]
        self.held_out = self.rows["fold"] == HELD_OUT
        self.device = device
        if kind == "student":
            with np.load(work / "pieces-small.npz") as stored:
                self.rows |= {name: stored[name] for name in stored.files}
        self.texts = Texts(self.rows["pieces"], self.rows["starts"], kind, device)
        self.left = torch.from_numpy(self.rows["left"].astype(np.int64)).to(device)
        self.right = torch.from_numpy(self.rows["right"].astype(np.int64)).to(device)
        self.few = few
        columns = [self.rows.get(name, np.full(len(self.left), np.nan)) for name in QUESTIONS]
        self.gold = torch.tensor(np.stack(columns, 1).astype(np.float32), device=device)

    def places(self, kinds: tuple[str, ...], held_out: bool | None = False) -> Array:
        there = np.isin(self.kind.astype(str), kinds)
        if held_out is not None:
            there &= self.held_out == held_out
        found = np.flatnonzero(there)
        return found[: self.few] if self.few else found

    def sampled(
        self, kinds: tuple[str, ...], wanted: int, rng: np.random.Generator, held_out: bool | None = False
    ) -> Array:
        found = self.places(kinds, held_out)
        return rng.choice(found, min(wanted, len(found)), replace=False)

    def data(self, places: Array, weight: Array | float = 1.0, targets: torch.Tensor | None = None) -> Data:
        chosen = torch.from_numpy(places).to(self.device)
        own = torch.from_numpy(self.rows["weight"][places].astype(np.float32)).to(self.device)
        found = (self.gold if targets is None else targets)[chosen]
        return Data(
            left=self.left[chosen],
            right=self.right[chosen],
            targets=found,
            weights=(own * weight)[:, None].expand_as(found).contiguous(),
        )


def teachers_epoch(prepared: Prepared, rng: np.random.Generator, final: bool, held_out: bool | None) -> Data:
    """What a teacher sees in one epoch: first mostly the large related sets, then mostly what people judged."""
    repeats = {
        "twitter-url": 1,
        "pit": 1,
        "msrp": 2,
        "multipit-train": 2,
        "multipit-val": 2,
        "people": 3 if final else 2,
    }
    parts = [prepared.data(prepared.places((kind,), held_out)) for kind, times in repeats.items() for _ in range(times)]
    others = (
        {"t5-msrp": 14_000, "t5-twitterppdb": 10_000, "nli": 10_000, "sts": 4_000, "qqp": 4_000}
        if final
        else {"t5-msrp": 35_000, "t5-twitterppdb": 25_000, "nli": 40_000, "sts": 8_000, "qqp": 10_000}
    )
    parts += [prepared.data(prepared.sampled((kind,), wanted, rng, held_out)) for kind, wanted in others.items()]
    made = prepared.sampled(("strangers", "copies"), 3_000, rng, held_out)
    parts.append(prepared.data(made, 0.5))
    return joined(parts)


def teach(
    base: Path,
    work: Path,
    out: Path,
    *,
    seed: int,
    device: str,
    rate: float = 3e-5,
    size: int = 128,
    few: int = 0,
    finals: int = 3,
    layer_decay: float = 1.0,
    everything: bool = True,
) -> dict[str, float]:
    """One teacher: trained, measured on the held-out fold; its answers to every row are written."""
    started = time.time()
    kind = json.loads((base / "config.json").read_text())["model_type"]
    prepared = Prepared(work, kind, device, few)
    rng = np.random.default_rng(seed)
    epochs = [teachers_epoch(prepared, rng, False, False)] + [
        teachers_epoch(prepared, rng, True, False) for _ in range(finals)
    ]
    print(f"teacher {seed}: {[len(one) for one in epochs]} rows, ready after {time.time() - started:.0f} s", flush=True)
    torch.manual_seed(seed)
    net = train(Net(base, hidden=128), prepared.texts, epochs, size=size, rate=rate, seed=seed, layer_decay=layer_decay)
    held_out = np.flatnonzero(
        prepared.held_out
        & ~np.char.startswith(prepared.kind.astype(str), ("more-"))
        & ~np.char.startswith(prepared.kind.astype(str), "plain-")
    )
    held_out = held_out[:: max(1, len(held_out) // (few * 10))] if few else held_out
    logits = np.full((len(prepared.left), len(QUESTIONS)), np.nan, np.float32)
    chosen = torch.from_numpy(held_out).to(device)
    logits[held_out] = answers(net, prepared.texts, prepared.left[chosen], prepared.right[chosen]).cpu().numpy()
    found = held_out_figures(logits, prepared.rows, prepared.kinds, np.isin(np.arange(len(logits)), held_out))
    print(f"teacher {seed}: {shown(found)}   {time.time() - started:.0f} s", flush=True)
    if everything and not few:
        logits = answers(net, prepared.texts, prepared.left, prepared.right).cpu().numpy()
        print(f"teacher {seed}: all rows answered, {time.time() - started:.0f} s", flush=True)
    out.mkdir(parents=True, exist_ok=True)
    np.save(out / f"teacher-{seed}.npy", logits.astype(np.float16))
    (out / f"teacher-{seed}.json").write_text(json.dumps(found))
    return found


def specialists_epoch(prepared: Prepared, rng: np.random.Generator) -> Data:
    """The two strictest questions, of which people judged few pairs, with just enough else not to forget it."""
    parts = [prepared.data(prepared.places((kind,))) for kind in ("multipit-train", "people")]
    others = {"t5-msrp": 3_000, "t5-twitterppdb": 2_000, "twitter-url": 3_000, "msrp": 1_000, "nli": 1_000}
    parts += [prepared.data(prepared.sampled((kind,), wanted, rng)) for kind, wanted in others.items()]
    return joined(parts)


def specialise(
    base: Path, work: Path, out: Path, *, seed: int, device: str, rates: tuple[float, ...] = (2e-5,), few: int = 0
) -> None:
    """Teachers that first see everything once, then mostly what is strict; their answers are written."""
    started = time.time()
    prepared = Prepared(work, json.loads((base / "config.json").read_text())["model_type"], device, few)
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    general = train(
        Net(base, hidden=128),
        prepared.texts,
        [teachers_epoch(prepared, rng, False, False)],
        size=128,
        rate=3e-5,
        seed=seed,
    )
    held_out = np.flatnonzero(
        prepared.held_out & np.isin(prepared.kind.astype(str), ("multipit-val", "people", "t5-msrp"))
    )
    held_out = held_out[:20] if few else held_out
    there = np.isin(np.arange(len(prepared.left)), held_out)
    chosen = torch.from_numpy(held_out).to(device)
    logits = np.full((len(prepared.left), len(QUESTIONS)), np.nan, np.float32)
    logits[held_out] = answers(general, prepared.texts, prepared.left[chosen], prepared.right[chosen]).cpu().numpy()
    print(
        f"general: {shown(held_out_figures(logits, prepared.rows, prepared.kinds, there))}",
        flush=True,
    )
    for rate in rates:
        net = copy.deepcopy(general)
        net = train(
            net, prepared.texts, [specialists_epoch(prepared, rng) for _ in range(4)], size=64, rate=rate, seed=seed
        )
        logits[held_out] = answers(net, prepared.texts, prepared.left[chosen], prepared.right[chosen]).cpu().numpy()
        print(
            f"specialist {rate}: {shown(held_out_figures(logits, prepared.rows, prepared.kinds, there))}",
            flush=True,
        )
        if not few:
            np.save(
                out / f"specialist-{seed}-{rate:g}.npy",
                answers(net, prepared.texts, prepared.left, prepared.right).cpu().numpy().astype(np.float16),
            )
            print(f"specialist {rate}: all rows answered, {time.time() - started:.0f} s", flush=True)


def told(work: Path, *, with_specialists: bool) -> Array:
    """The mean of all teachers' answers; specialists have a say in the two strictest questions."""
    teachers = [np.load(file).astype(np.float32) for file in sorted(work.glob("teacher-*.npy"))]
    found: Array = np.mean(teachers, axis=0)
    if with_specialists:
        specialists = [np.load(file).astype(np.float32) for file in sorted(work.glob("specialist-*.npy"))]
        strict = [QUESTIONS.index(name) for name in ("strict", "implication")]
        found[:, strict] = np.mean([one[:, strict] for one in (*teachers, *specialists)], axis=0)
    return found


QUESTION_WEIGHTS = {
    "loose": 1.5,
    "strict": 1.5,
    "implication": 1.0,
    "similarity": 0.5,
    "likeness": 0.3,
    "forwards": 0.3,
    "backwards": 0.3,
    "duplicate": 0.1,
}
REPEATS = {
    "twitter-url": 2,
    "pit": 2,
    "msrp": 5,
    "multipit-train": 4,
    "multipit-val": 4,
    "people": 5,
    "more-people": 2,
    "near-msrp": 2,
}
"""How often a kind of row is seen in an epoch of the student's, where not once."""


def students_targets(prepared: Prepared, told: Array, gold_share: float) -> torch.Tensor:
    """What teachers said, mixed with what people said where they did."""
    soft = torch.tensor(told, device=prepared.device)
    probabilities = [place for place in range(len(QUESTIONS)) if place not in NUMBERS]
    soft[:, probabilities] = torch.sigmoid(soft[:, probabilities])
    known = ~torch.isnan(prepared.gold)
    return torch.where(known, gold_share * torch.nan_to_num(prepared.gold) + (1 - gold_share) * soft, soft)


TURNED = [QUESTIONS.index({"forwards": "backwards", "backwards": "forwards"}.get(one, one)) for one in QUESTIONS]


def in_one_order(prepared: Prepared, told: Array) -> Array:
    """Turn every pair so that the longer text comes first, as the student reads them; gives what was told likewise."""
    turned = torch.from_numpy(prepared.rows["turned"]).to(prepared.device)
    prepared.left, prepared.right = (
        torch.where(turned, prepared.right, prepared.left),
        torch.where(turned, prepared.left, prepared.right),
    )
    prepared.gold = torch.where(turned[:, None], prepared.gold[:, TURNED], prepared.gold)
    return np.where(prepared.rows["turned"][:, None], told[:, TURNED], told)


def weighed(data: Data, weights: dict[str, float]) -> Data:
    """The same rows, each question with its own weight."""
    importance = torch.tensor([weights[one] for one in QUESTIONS], device=data.left.device)
    data.weights = importance[None, :].expand(len(data), -1).contiguous()
    return data


def learn(
    base: Path,
    work: Path,
    out: Path,
    *,
    name: str,
    seed: int,
    device: str,
    told: Array,
    epochs: int = 6,
    rate: float = 2e-4,
    size: int = 512,
    gold_share: float = 0.5,
    exits: tuple[int, ...] = (3, 6),
    hidden: int = 32,
    few: int = 0,
) -> None:
    """The student: learns from the teachers' answers to every row and from people's."""
    prepared = Prepared(work, "student", device, few)
    targets = students_targets(prepared, in_one_order(prepared, told), gold_share)
    plan = []
    for _ in range(epochs):
        parts = [
            prepared.data(places, 1.0, targets)
            for kind in prepared.kinds
            for places in [prepared.places((kind,))] * REPEATS.get(kind, 1)
            if len(places)
        ]
        plan.append(weighed(joined(parts), QUESTION_WEIGHTS))
    print(f"student {name}: {len(plan[0]):,} rows an epoch", flush=True)
    torch.manual_seed(seed)
    net = Net(base, exits=exits, hidden=hidden)
    net = train(
        net, prepared.texts, plan, size=size, rate=rate, seed=seed, turned="never", exit_weight=0.3, tell_every=500
    )
    report(net, prepared, out, name)


POLISH = {
    "twitter-url": (40_000, 1), "pit": (20_000, 1), "msrp": (4_000, 2), "multipit-train": (5_000, 3),
    "people": (4_000, 4),
    "t5-msrp": (15_000, 1), "t5-twitterppdb": (8_000, 1), "nli": (6_000, 1), "sts": (4_000, 1), "qqp": (3_000, 1),
    "more-multipit-train": (15_000, 1), "more-people": (6_000, 1), "near-msrp": (3_000, 1),
    "more-twitter-url": (15_000, 1),
    "strangers": (2_000, 1), "copies": (1_000, 1),
}  # fmt: skip
"""What the student sees last: how many rows of a kind at most, and how often."""
POLISH_WEIGHTS = QUESTION_WEIGHTS | {"strict": 2.0, "implication": 2.0}


def polish(
    student: Path,
    work: Path,
    out: Path,
    *,
    name: str,
    seed: int,
    device: str,
    told: Array,
    epochs: int = 3,
    rate: float = 5e-5,
    size: int = 256,
    gold_share: float = 0.6,
    few: int = 0,
) -> None:
    """The student once more over what people judged, more by their word than by the teachers'."""
    prepared = Prepared(work, "student", device, few)
    targets = students_targets(prepared, in_one_order(prepared, told), gold_share)
    rng = np.random.default_rng(seed)
    plan = []
    for _ in range(epochs):
        parts = []
        for kind, (most, times) in POLISH.items():
            places = prepared.sampled((kind,), most, rng)
            parts += [prepared.data(places, 1.0, targets)] * times
        plan.append(weighed(joined(parts), POLISH_WEIGHTS))
    print(f"polish {name}: {len(plan[0]):,} rows an epoch", flush=True)
    torch.manual_seed(seed)
    net = train(
        read_student(student),
        prepared.texts,
        plan,
        size=size,
        rate=rate,
        seed=seed,
        turned="never",
        exit_weight=0.3,
        tell_every=500,
    )
    report(net, prepared, out, name)


def report(net: Net, prepared: Prepared, out: Path, name: str) -> None:
    """Measure a student on the held-out fold at every exit; write its answers, figures and weights."""
    held_out = np.flatnonzero(prepared.held_out & ~np.isnan(prepared.gold.cpu().numpy()).all(1))
    held_out = held_out[:: max(1, len(held_out) // (prepared.few * 10))] if prepared.few else held_out
    chosen = torch.from_numpy(held_out).to(prepared.device)
    rows = prepared.rows | {one: prepared.gold[:, place].cpu().numpy() for place, one in enumerate(QUESTIONS)}
    out.mkdir(parents=True, exist_ok=True)
    for place, layer in enumerate(net.exits):
        logits = np.full((len(prepared.left), len(QUESTIONS)), np.nan, np.float32)
        logits[held_out] = (
            answers(net, prepared.texts, prepared.left[chosen], prepared.right[chosen], both=False, exit=place)
            .cpu()
            .numpy()
        )
        found = held_out_figures(logits, rows, prepared.kinds, np.isin(np.arange(len(logits)), held_out))
        print(f"student {name} layer {layer}: {shown(found)}", flush=True)
    (out / f"student-{name}.json").write_text(json.dumps(found))
    write_student(net, out / f"student-{name}")


def write_student(net: Net, folder: Path) -> None:
    """A student's encoder in transformers' form and its heads, in one folder."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: tensor.half().contiguous() for name, tensor in net.encoder.exported().items()}
    tensors |= {
        f"heads.{layer}.{name}": tensor.float().cpu().contiguous()
        for layer, heads in zip(net.exits, net.heads, strict=True)
        for name, tensor in heads.state_dict().items()
    }
    save_file(tensors, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps(net.encoder.config, indent=1) + "\n")


def read_student(folder: Path) -> Net:
    """What `write_student` wrote."""
    from safetensors.torch import load_file

    stored = {
        name: tensor for name, tensor in load_file(folder / "model.safetensors").items() if name.startswith("heads.")
    }
    exits = sorted({int(name.split(".")[1]) for name in stored})
    hidden = stored[f"heads.{exits[0]}.answers"].shape[1]
    net = Net(folder, exits=exits[:-1], hidden=hidden)
    for layer, heads in zip(net.exits, net.heads, strict=True):
        heads.load_state_dict({name: stored[f"heads.{layer}.{name}"] for name in heads.state_dict()})
    return net
