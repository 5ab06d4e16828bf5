"""Adversarial paraphrases, entailment pairs and plain pairs in, the shipped model `implication` out.

The model answers two questions about a pair of texts: does each imply the other (mutual implication, MI), and how
alike are they worded (a BLEURT-like similarity)? It is how `apt_reward` is computed without a large NLI model and
without BLEURT (Nighojkar and Licato, 2021).

    python recipes/implication.py prepare --data DATA --work WORK          # any machine: rows and splits
    python recipes/implication.py teach   --work WORK --base MPNET         # GPU, 6 minutes: the teacher and its scores
    python recipes/implication.py learn   --work WORK --base MINILM        # GPU, 3 minutes: the student
    python recipes/implication.py pack    --work WORK --base MINILM        # CPU: int8 weights, measured as shipped

What the data is, and what it is not. AP_T5 gives MI by a RoBERTa-large NLI model and BLEURT for 127,707 pairs, but
its released files lack the pairs that passed (MI and BLEURT of at most .5; 10,290 by the paper's table 2): in them
every mutually implicative pair is worded alike. A model fitted to them alone learns that what is worded differently
cannot mean the same, which is the very thing the task is about. So pairs by people (AP_H, where most MI pairs are
worded differently) weigh more, the lower band of AP_T5 weighs less, and entailment pairs (SNLI, MNLI, RTE, SciTail)
teach implication in one direction beside it. MCC is reported inside the band where both answers occur, too.

Splits are by source sentence, across AP_T5 and AP_H together: no source of the test part was seen.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SEED = 1
LONGEST = 128
"""Word pieces of a pair; more are cut from the longer text."""
HEADS = ("implication", "similarity", "entailment")
"""`entailment` (does the left text imply the right one?) helps in training and is left out of the shipped weights."""
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


# --- prepare ---------------------------------------------------------------------------------------------------------


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
    letters = "".join(character for character in source.lower() if character.isalnum())
    place = int(hashlib.blake2b(letters.encode(), digest_size=4).hexdigest(), 16) % 100
    return "test" if place < 12 else "dev" if place < 18 else "train"


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


# --- training --------------------------------------------------------------------------------------------------------


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


# --- measuring -------------------------------------------------------------------------------------------------------


def measure(rows: list[Row], answers: dict[str, Any]) -> dict[str, dict[str, float]]:
    """MCC against MI at its zero point, and Pearson and Spearman correlation with BLEURT, a part of the rows each."""
    import numpy as np

    implication = np.array([float(value) for value in answers["implication"]])
    similarity = np.array([float(value) for value in answers["similarity"]])
    parts = {
        "t5": [n for n, row in enumerate(rows) if row.kind.startswith("t5")],
        "t5 above the border": [
            n for n, row in enumerate(rows) if row.kind.startswith("t5") and (row.similarity or 0) > BORDER
        ],
        "people": [n for n, row in enumerate(rows) if row.kind == "people"],
    }
    told = {}
    for name, chosen in parts.items():
        truth = np.array([rows[n].implication for n in chosen], dtype=bool)
        figures = {"pairs": len(chosen), "mi": float(truth.mean()), "mcc": mcc(implication[chosen] > 0, truth)}
        if name != "people":
            bleurt = np.array([rows[n].similarity for n in chosen])
            figures["pearson"] = float(np.corrcoef(similarity[chosen], bleurt)[0, 1])
            figures["spearman"] = float(np.corrcoef(ranks(similarity[chosen]), ranks(bleurt))[0, 1])
            figures["mean absolute error"] = float(np.abs(similarity[chosen] - bleurt).mean())
        told[name] = {key: round(value, 4) for key, value in figures.items()}
    return told


def mcc(said: Any, truth: Any) -> float:
    """Matthews correlation of two lists of booleans."""
    tp, tn = float((said & truth).sum()), float((~said & ~truth).sum())
    fp, fn = float((said & ~truth).sum()), float((~said & truth).sum())
    below = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    return (tp * tn - fp * fn) / below if below else 0.0


def ranks(values: Any) -> Any:
    """Ranks, equal values sharing their mean."""
    import numpy as np

    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]


# --- the steps -------------------------------------------------------------------------------------------------------


def with_repeats(rows: list[Row]) -> list[Row]:
    """Training rows, pairs by people several times: there are few of them, and they are the task itself."""
    chosen = [row for row in rows if row.split == "train"]
    people = [row for row in chosen if row.kind == "people"]
    return chosen + people * (PEOPLE_REPEATS - 1)


def teach(work: Path, base: Path, few: int | None) -> None:
    """The teacher, fitted to the labels; its answers on every row, which the student learns from."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = read_rows(work, few)
    labelled = [row for row in with_repeats(rows) if row.kind != "plain"]
    started = time.time()
    net = train(base, labelled, epochs=2, size=128, rate=4e-5, device=device)
    print(f"teacher trained on {len(labelled)} rows in {time.time() - started:.0f} s", flush=True)
    answers = answer(net, base, rows, device)
    torch.save({name: values.half() for name, values in answers.items()}, work / "teacher.pt")
    print(f"answers on {len(rows)} rows, {time.time() - started:.0f} s", flush=True)
    figures = {}
    for split in ("dev", "test"):
        chosen = [n for n, row in enumerate(rows) if row.split == split]
        figures[split] = measure([rows[n] for n in chosen], {name: values[chosen] for name, values in answers.items()})
    (work / "teacher.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps(figures, indent=1))


def learn(work: Path, base: Path, few: int | None, *, epochs: int, rate: float, alone: bool, name: str) -> None:
    """The student: the labels, and the teacher's answers on these and on the plain pairs (`alone`: labels only)."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = read_rows(work, few)
    teacher = torch.load(work / "teacher.pt", weights_only=True, map_location="cpu")
    place = {id(row): n for n, row in enumerate(rows)}
    chosen = [row for row in with_repeats(rows) if not (alone and row.kind == "plain")]
    places = [place[id(row)] for row in chosen]
    soft = None if alone else {head: values.float()[places] for head, values in teacher.items()}
    started = time.time()
    net = train(base, chosen, epochs=epochs, size=256, rate=rate, device=device, soft=soft)
    print(f"{name} trained on {len(chosen)} rows in {time.time() - started:.0f} s", flush=True)
    figures = {}
    for split in ("dev", "test"):
        held_out = [row for row in rows if row.split == split]
        figures[split] = measure(held_out, answer(net, base, held_out, device))
    torch.save({key: value.half() for key, value in net.state_dict().items()}, work / f"{name}.pt")
    (work / f"{name}.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps({name: figures["dev"]}, indent=1))


def pack(work: Path, base: Path, name: str, out: Path) -> None:
    """The student as it is shipped: int8 weights, similarity set right on dev, and every figure measured on that."""
    import numpy as np
    import torch

    from paraloom.engine.signatures import hash_of_file
    from paraloom.models.implication import Implication
    from paraloom.models.int8 import write_int8

    state = torch.load(work / f"{name}.pt", weights_only=True, map_location="cpu")
    tensors = {
        key.removeprefix("encoder.") if key.startswith("encoder.") else key: value.float().numpy()
        for key, value in state.items()
        if "pooler" not in key and "position_ids" not in key and "entailment" not in key
    }
    out.mkdir(parents=True, exist_ok=True)
    for file in ("config.json", "tokenizer.json"):
        (out / file).write_bytes((base / file).read_bytes())
    rows = read_rows(work)
    dev = [row for row in rows if row.split == "dev" and row.kind.startswith("t5")]
    write_int8(tensors, out / "model.safetensors")
    said = Implication(out).answer([row.left for row in dev], [row.right for row in dev]).similarity
    slope, shift = np.polyfit(said, [row.similarity for row in dev], 1)
    print(f"similarity on dev: BLEURT = {slope:.3f} * answer {shift:+.3f}")
    tensors["heads.similarity.weight"] = tensors["heads.similarity.weight"] * np.float32(slope)
    tensors["heads.similarity.bias"] = tensors["heads.similarity.bias"] * np.float32(slope) + np.float32(shift)
    write_int8(tensors, out / "model.safetensors")
    model = Implication(out)
    figures = {}
    for split in ("dev", "test"):
        chosen = [row for row in rows if row.split == split]
        started = time.time()
        answers = model.answer([row.left for row in chosen], [row.right for row in chosen])
        print(f"{len(chosen) / (time.time() - started):.0f} pairs/s")
        logits = np.log(answers.implication.clip(1e-6, 1 - 1e-6) / (1 - answers.implication.clip(1e-6, 1 - 1e-6)))
        figures[split] = measure(chosen, {"implication": logits, "similarity": answers.similarity})
    told = {
        "name": "implication",
        "kind": "implication",
        "about": "mutual implication and a BLEURT-like similarity of two texts, English",
        "made_by": "recipes/implication.py",
        "base": "all-MiniLM-L6-v2 (Apache-2.0), 22.7M parameters; teacher all-mpnet-base-v2 (Apache-2.0)",
        "trained_on": "AP_T5 and AP_H train (APT), SNLI, MNLI, RTE, SciTail; teacher's answers on MultiPIT_Auto, "
        "Twitter-URL and Quora pairs",
        "weights": hash_of_file(out / "model.safetensors"),
        "int8": figures,
        "student_32_bits": json.loads((work / f"{name}.json").read_text()),
        "teacher": json.loads((work / "teacher.json").read_text()),
    }
    (out / "card.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", "teach", "learn", "pack"])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--few", type=int, help="rows of each kind and split, to try the recipe out")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--alone", action="store_true", help="labels only, without the teacher (for comparison)")
    parser.add_argument("--name", default="student")
    parser.add_argument("--out", type=Path, default=Path("src/paraloom/models/weights/implication"))
    given = parser.parse_args()
    if given.step == "prepare":
        prepare(given.data, given.work)
    elif given.step == "teach":
        teach(given.work, given.base, given.few)
    elif given.step == "pack":
        pack(given.work, given.base, given.name, given.out)
    else:
        learn(
            given.work, given.base, given.few, epochs=given.epochs, rate=given.rate, alone=given.alone, name=given.name
        )


if __name__ == "__main__":
    main()
