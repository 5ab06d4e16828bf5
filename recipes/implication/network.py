"""Rows in, a fitted network and its answers out (torch)."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

from rows import SEED, Row

LONGEST = 128
"""Word pieces of a pair; more are cut from the longer text."""
HEADS = ("implication", "similarity", "entailment")
"""`entailment` (does the left text imply the right one?) helps in training and is left out of the shipped weights."""


def make_net(base: Path) -> Any:
    """An encoder with three heads on the first token's vector and the mean of all."""
    import torch
    from transformers import AutoModel

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.encoder = AutoModel.from_pretrained(str(base), dtype=torch.float32)
            width = self.encoder.config.hidden_size
            self.dropout = torch.nn.Dropout(0.1)
            self.heads = torch.nn.ModuleDict({name: torch.nn.Linear(2 * width, 1) for name in HEADS})

        def forward(self, **batch: Any) -> dict[str, Any]:
            states = self.encoder(**batch).last_hidden_state
            mask = batch["attention_mask"].unsqueeze(-1).to(states.dtype)
            mean = (states * mask).sum(1) / mask.sum(1)
            pooled = self.dropout(torch.cat([states[:, 0], mean], dim=-1))
            return {name: head(pooled).squeeze(-1).float() for name, head in self.heads.items()}

    return Net()


class Pairs:
    """Pairs as word pieces in both orders, tokenised once, lying on the device; a batch is a gather."""

    def __init__(self, base: Path, rows: list[Row], device: str) -> None:
        import numpy as np
        import torch
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
        self.has_types = "mpnet" not in json.loads((base / "config.json").read_text())["model_type"]
        pad = tokenizer.token_to_id("[PAD]") if tokenizer.token_to_id("[PAD]") is not None else 1
        tokenizer.enable_truncation(LONGEST, strategy="longest_first")
        tokenizer.enable_padding(length=LONGEST, pad_id=pad)
        self.columns: list[dict[str, Any]] = []
        """For either order: ids, mask and types, a row a pair."""
        for texts in ([(row.left, row.right) for row in rows], [(row.right, row.left) for row in rows]):
            encoded = tokenizer.encode_batch(texts)
            parts = {"ids": "ids", "mask": "attention_mask", "types": "type_ids"}
            self.columns.append(
                {
                    name: torch.from_numpy(np.array([getattr(one, part) for one in encoded], np.int32)).to(device)
                    for name, part in parts.items()
                }
            )
        self.lengths = self.columns[0]["mask"].sum(1).tolist()

    def order(self, size: int, rng: random.Random | None) -> list[list[int]]:
        """Rows of each batch, those of like length together; with a generator in random order."""
        rows = list(range(len(self.lengths)))
        if rng is not None:
            rng.shuffle(rows)
        stretch = size * 50 if rng is not None else max(1, len(rows))
        batches = []
        for start in range(0, len(rows), stretch):
            near = sorted(rows[start : start + stretch], key=self.lengths.__getitem__)
            batches += [near[first : first + size] for first in range(0, len(near), size)]
        if rng is not None:
            rng.shuffle(batches)
        return batches

    def batch(self, rows: list[int], swapped: Any) -> dict[str, Any]:
        """The rows as a model takes them; `swapped` says for each whether the right text comes first."""
        import torch

        chosen = torch.tensor(rows, device=swapped.device)
        width = min(LONGEST, -(-max(self.lengths[row] for row in rows) // 8) * 8)
        one, other = self.columns
        taken = {
            name: torch.where(swapped[:, None], other[name][chosen, :width], one[name][chosen, :width]).long()
            for name in one
        }
        batch = {"input_ids": taken["ids"], "attention_mask": taken["mask"]}
        return batch | ({"token_type_ids": taken["types"]} if self.has_types else {})


def train(
    base: Path, rows: list[Row], *, epochs: int, size: int, rate: float, device: str, soft: dict[str, Any] | None = None
) -> Any:
    """Fit all heads at once; each row counts for what is known of it. `soft` are a teacher's answers a row."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits, smooth_l1_loss

    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    net = make_net(base).to(device)
    known = {
        name: torch.tensor(
            [float("nan") if getattr(row, name) is None else getattr(row, name) for row in rows], device=device
        )
        for name in HEADS
    }
    weights = torch.tensor([row.weight for row in rows], device=device)
    pairs = Pairs(base, rows, device)
    directed = torch.tensor([row.entailment is not None for row in rows], device=device)
    soft = {name: values.to(device) for name, values in soft.items()} if soft is not None else None
    decayed = [p for n, p in net.named_parameters() if p.ndim > 1]
    rest = [p for n, p in net.named_parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.01}, {"params": rest, "weight_decay": 0.0}], lr=rate
    )
    steps = epochs * -(-len(rows) // size)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (0.06 * steps), max(0.0, (steps - step) / (0.94 * steps)))
    )
    started, step = time.time(), 0
    net.train()
    for epoch in range(epochs):
        for rows_of_batch in pairs.order(size, rng):
            chosen = torch.tensor(rows_of_batch, device=device)
            # Both questions but entailment are symmetric: each order is seen as often.
            swapped = (torch.rand(len(chosen), device=device) < 0.5) & ~directed[chosen]
            batch = pairs.batch(rows_of_batch, swapped)
            with torch.autocast(device_type=device, dtype=torch.bfloat16):
                answers = net(**batch)
            loss = torch.zeros((), device=device)
            for name in HEADS:
                truth = known[name][chosen]
                there = ~torch.isnan(truth)
                weight = weights[chosen] if name == "implication" else torch.ones_like(truth)
                if there.any():
                    if name == "similarity":
                        each = smooth_l1_loss(answers[name][there], truth[there], reduction="none", beta=0.3) * 2
                    else:
                        each = binary_cross_entropy_with_logits(answers[name][there], truth[there], reduction="none")
                    loss = loss + (each * weight[there]).sum() / len(chosen)
                if soft is not None and name != "entailment":
                    told = soft[name][chosen]
                    if name == "similarity":
                        each = smooth_l1_loss(answers[name], told, reduction="none", beta=0.3) * 2
                    else:
                        each = binary_cross_entropy_with_logits(answers[name], torch.sigmoid(told), reduction="none")
                    loss = loss + each.mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            step += 1
            if step % 200 == 0:
                print(
                    f"epoch {epoch + 1} step {step}/{steps} loss {loss.item():.4f} {time.time() - started:.0f} s",
                    flush=True,
                )
    net.eval()
    return net


def answer(net: Any, base: Path, rows: list[Row], device: str, size: int = 512) -> dict[str, Any]:
    """Each head's answer for each row, the mean over both orders of the two texts."""
    import torch

    total = {name: torch.zeros(len(rows), device=device) for name in HEADS}
    pairs = Pairs(base, rows, device)
    with torch.inference_mode(), torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=device == "cuda"):
        for chosen in pairs.order(size, None):
            for swapped in (False, True):
                answers = net(**pairs.batch(chosen, torch.full((len(chosen),), swapped, device=device)))
                for name in HEADS:
                    total[name][chosen] += answers[name].float() / 2
    return {name: values.cpu() for name, values in total.items()}
