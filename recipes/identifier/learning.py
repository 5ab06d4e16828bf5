"""Teachers' answers in, the students out. Runs with torch and numpy alone, best on a GPU."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch

from paraloom.models.pair_model import QUESTIONS

from .figures import held_out_figures, shown
from .network import Net
from .prepared import Array, Prepared
from .targets import QUESTION_WEIGHTS, everything, mixed_targets, weighed
from .training import TURN, Data, answers, joined, train


def in_one_order(prepared: Prepared, told: Array) -> Array:
    """Turn every pair so that the longer text comes first, as the student reads them; gives what was told likewise."""
    turned = torch.from_numpy(prepared.rows["turned"]).to(prepared.device)
    prepared.left, prepared.right = (
        torch.where(turned, prepared.right, prepared.left),
        torch.where(turned, prepared.left, prepared.right),
    )
    prepared.gold = torch.where(turned[:, None], prepared.gold[:, TURN], prepared.gold)
    return np.where(prepared.rows["turned"][:, None], told[:, TURN], told)


def trained(net: Net, prepared: Prepared, plan: list[Data], size: int, rate: float, seed: int) -> Net:
    """A student after these epochs: pairs stay in the order it reads them in, and its exits count for less."""
    return train(
        net,
        prepared.texts,
        plan,
        size=size,
        rate=rate,
        seed=seed,
        turned="never",
        exit_weight=0.3,
        tell_every=500,
    )


def learn(
    work: Path,
    *,
    device: str,
    told: Array,
    base: str = "base",
    name: str = "student",
    seed: int = 1,
    epochs: int = 7,
    rate: float = 3e-4,
    size: int = 1024,
    gold_share: float = 0.5,
    exits: tuple[int, ...] = (3, 6),
    hidden: int = 32,
    few: int = 0,
) -> None:
    """A student: learns from the teachers' answers to every row and from people's."""
    prepared = Prepared(work, "student", device, few)
    targets = mixed_targets(prepared, in_one_order(prepared, told), gold_share)
    seen = weighed(everything(prepared, targets), QUESTION_WEIGHTS)
    print(f"student {name}: {len(seen):,} rows an epoch", flush=True)
    torch.manual_seed(seed)
    net = Net(work / base, exits=exits, hidden=hidden)
    report(trained(net, prepared, [seen] * epochs, size, rate, seed), prepared, work, name)


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
    work: Path,
    *,
    device: str,
    told: Array,
    seed: int = 1,
    epochs: int = 3,
    rate: float = 5e-5,
    size: int = 256,
    gold_share: float = 0.6,
    few: int = 0,
) -> None:
    """The student once more over what people judged, more by their word than by the teachers'."""
    prepared = Prepared(work, "student", device, few)
    targets = mixed_targets(prepared, in_one_order(prepared, told), gold_share)
    rng = np.random.default_rng(seed)
    plan = []
    for _ in range(epochs):
        parts = []
        for kind, (most, times) in POLISH.items():
            places = prepared.sampled((kind,), most, rng)
            parts += [prepared.data(places, 1.0, targets)] * times
        plan.append(weighed(joined(parts), POLISH_WEIGHTS))
    print(f"polish: {len(plan[0]):,} rows an epoch", flush=True)
    torch.manual_seed(seed)
    net = read_student(work / "student-student")
    report(trained(net, prepared, plan, size, rate, seed), prepared, work, "polished")


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
