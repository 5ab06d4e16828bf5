"""Adversarial paraphrases, entailment pairs and plain pairs in, the shipped model `implication` out.

The model answers two questions about a pair of texts: does each imply the other (mutual implication, MI), and how
alike are they worded (a BLEURT-like similarity)? It is how `apt_reward` is computed without a large NLI model and
without BLEURT (Nighojkar and Licato, 2021).

    python recipes/implication prepare --data DATA --work WORK          # any machine: rows and splits
    python recipes/implication teach   --work WORK --base MPNET         # GPU, 6 minutes: the teacher and its scores
    python recipes/implication learn   --work WORK --base MINILM        # GPU, 3 minutes: the student
    python recipes/implication pack    --work WORK --base MINILM        # CPU: int8 weights
    python recipes/implication measure --work WORK                      # CPU: figures of the weights as shipped

What the data is, and what it is not. AP_T5 gives MI by a RoBERTa-large NLI model and BLEURT for 127,707 pairs, but
its released files lack the pairs that passed (MI and BLEURT of at most .5; 10,290 by the paper's table 2): in them
every mutually implicative pair is worded alike. A model fitted to them alone learns that what is worded differently
cannot mean the same, which is the very thing the task is about. So pairs by people (AP_H, where most MI pairs are
worded differently) weigh more, the lower band of AP_T5 weighs less, and entailment pairs (SNLI, MNLI, RTE, SciTail)
teach implication in one direction beside it. MCC is reported inside the band where both answers occur, too.

Splits are by source sentence, across AP_T5 and AP_H together. The plain pairs and the entailment pairs were not split:
some sources of the test part occur in them, with the teacher's answers or none. `measure` therefore leaves out of the
test part every pair one of whose texts occurs in any training row.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from figures import measure
from network import answer, train
from rows import prepare, read_rows, unseen, with_repeats


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
    """The student as it is shipped: int8 weights, similarity set right on dev."""
    import numpy as np
    import torch

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


def measure_shipped(work: Path, name: str, out: Path) -> None:
    """Every figure of the weights as they lie in `out`, on pairs that training never saw; written to the card."""
    import numpy as np

    from paraloom.engine.signatures import hash_of_file
    from paraloom.models.implication import Implication

    model = Implication(out)
    rows = read_rows(work)
    figures = {}
    for split in ("dev", "test"):
        chosen = unseen(rows, split)
        started = time.time()
        answers = model.answer([row.left for row in chosen], [row.right for row in chosen])
        print(f"{split}: {len(chosen)} pairs, {len(chosen) / (time.time() - started):.0f} a second", flush=True)
        probability = answers.implication.clip(1e-6, 1 - 1e-6)
        logits = np.log(probability / (1 - probability))
        figures[split] = measure(chosen, {"implication": logits, "similarity": answers.similarity})
    told = {
        "name": "implication",
        "kind": "implication",
        "about": "mutual implication and a BLEURT-like similarity of two texts, English",
        "made_by": "recipes/implication",
        "base": "all-MiniLM-L6-v2 (Apache-2.0), 22.7M parameters; teacher all-mpnet-base-v2 (Apache-2.0)",
        "trained_on": "AP_T5 and AP_H train (APT), SNLI, MNLI, RTE, SciTail; teacher's answers on MultiPIT_Auto, "
        "Twitter-URL and Quora pairs",
        "weights": hash_of_file(out / "model.safetensors"),
        "int8_on_unseen_pairs": figures,
        "student_32_bits_before_similarity_was_set_right": json.loads((work / f"{name}.json").read_text()),
        "teacher": json.loads((work / "teacher.json").read_text()),
    }
    (out / "card.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", "teach", "learn", "pack", "measure"])
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
    elif given.step == "measure":
        measure_shipped(given.work, given.name, given.out)
    else:
        learn(
            given.work, given.base, given.few, epochs=given.epochs, rate=given.rate, alone=given.alone, name=given.name
        )


if __name__ == "__main__":
    main()
