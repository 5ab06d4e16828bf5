"""Pairs that people and published models have judged in, what a large cross-encoder says of every candidate out.

It is the teacher of `recipes/identifier` without MultiPIT_Expert, from which most sources of the published test of
generation were taken: nothing that it has a hand in has learned from their texts. (Which pairs student and teacher
learned from was asked of the shipped identifier, who has; see `examples`.)
"""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import numpy as np
import torch

from recipes.identifier.figures import held_out_figures, shown
from recipes.identifier.network import Net
from recipes.identifier.prepared import Prepared
from recipes.identifier.rows import labelled, strangers_and_copies, word_pieces, write_rows
from recipes.identifier.teaching import teachers_epoch
from recipes.identifier.tokens import Texts
from recipes.identifier.training import answers, train

from .sources import SOURCES
from .teacher_base import Rows
from .teaching import WRITTEN

JUDGE, JUDGED = "judge", "judged.npz"
SEED = 1
UNSEEN = "multipit"
EPOCHS, SIZE, RATE = 3, 128, 3e-5
PAIRS_AT_ONCE = 2_048


def prepare_judge(data: Path, bert: Path, work: Path) -> None:
    """Write the pairs that it learns from. `bert` is a folder with BERT's uncased word pieces."""
    gold = [row for row in labelled(data) if row.left.strip() and row.right.strip() and not row.kind.startswith(UNSEEN)]
    rows = gold + list(strangers_and_copies(gold, random.Random(SEED)))
    write_rows(rows, bert, work / JUDGE)
    shutil.copyfile(bert / "tokenizer.json", work / JUDGE / "tokenizer.json")
    print(f"{len(rows):,} pairs for the judge to learn from")


def judge(base: Path, work: Path, *, device: str, few: int = 0) -> None:
    """Train the judge on all that was judged, and ask it about every candidate: `judged.npz`, in the order written."""
    prepared = Prepared(work / JUDGE, "mpnet", device, few)
    rng = np.random.default_rng(SEED)
    epochs = [teachers_epoch(prepared, rng, first=number == 0) for number in range(EPOCHS)]
    torch.manual_seed(SEED)
    net = train(Net(base, hidden=128), prepared.texts, epochs, size=SIZE, rate=RATE, seed=SEED)
    held_out = np.flatnonzero(prepared.held_out)[: few or None]
    there = torch.from_numpy(held_out).to(device)
    found = np.full((len(prepared.left), prepared.gold.shape[1]), np.nan, np.float32)
    found[held_out] = answers(net, prepared.texts, prepared.left[there], prepared.right[there]).cpu().numpy()
    chosen = np.isin(np.arange(len(found)), held_out)
    print(f"judge: {shown(held_out_figures(found, prepared.rows, prepared.kinds, chosen))}", flush=True)
    _judge_candidates(net, work, device)


def _judge_candidates(net: Net, work: Path, device: str) -> None:
    """Each distinct candidate of a source once, in one order and the other."""
    started = time.time()
    owners, candidates = written_texts(work)
    sources = (work / SOURCES).read_text(encoding="utf-8").splitlines()
    number: dict[str, int] = {}
    pairs = [
        (number.setdefault(sources[owner], len(number)), number.setdefault(text, len(number)))
        for owner, text in zip(owners, candidates, strict=True)
    ]
    texts = Texts(*word_pieces(list(number), work / JUDGE), "mpnet", device)
    distinct = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
    left, right = (torch.tensor([pair[side] for pair in distinct], device=device) for side in (0, 1))
    print(f"  {len(distinct):,} pairs to judge, {time.time() - started:.0f} s", flush=True)
    found = answers(net, texts, left, right, both=True, size=PAIRS_AT_ONCE).half().cpu().numpy()
    np.savez_compressed(work / JUDGED, answers=found[[distinct[pair] for pair in pairs]])
    print(f"  judged, {time.time() - started:.0f} s", flush=True)


def written_texts(work: Path) -> tuple[list[int], list[str]]:
    """The source's place and the text of every candidate that the teacher has written."""
    from tokenizers import Tokenizer

    with np.load(work / WRITTEN) as stored:
        owners, rows = stored["source"].tolist(), Rows(stored["pieces"], stored["starts"])
    tokeniser = Tokenizer.from_file(str(work / "teacher_tokeniser.json"))
    return owners, [" ".join(text.split()) for text in tokeniser.decode_batch([rows[row] for row in range(len(rows))])]
