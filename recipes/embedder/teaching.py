"""What `prepare` wrote in, the teacher and its students out. Runs with torch and numpy alone, best on a GPU."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from recipes.identifier.tokens import Texts

from .bases import first_table
from .encoders import Pooled, Static, vectors
from .judging import LOOSE, Judge, judged_by, neighbours, train_judge
from .learning import Lessons, Manner, learn
from .measuring import found_among, read_measured
from .pool import Pool, tokenised

NEAR = 24
"""Neighbours that are looked at for near pairs."""
DIMS = 256
SIZES = {"teacher": (768,), "good": (384, 256, 128, 64), "fast": (256, 128, 64)}
MANNERS = {
    "teacher": Manner(epochs=1, size=512, rate=3e-5, sizes=SIZES["teacher"]),
    "good": Manner(epochs=4, size=1024, rate=3e-4, sizes=SIZES["good"]),
    "fast": Manner(epochs=25, size=4096, rate=5e-3, sizes=SIZES["fast"], temperature=0.07),
}
NO_PARAPHRASE = 0.3
"""A near text is a hard negative where the judge's word is below."""


def teach(work: Path, *, device: str, few: int = 0) -> None:
    """The judge and the teacher; writes the lessons and the teacher's vectors of all texts."""
    torch.manual_seed(1)
    pool = Pool(work, device, few)
    texts = tokenised(pool.texts, work / "bert-tokenizer.json", "mpnet", device)
    started = time.time()
    plain = vectors(Pooled(work / "mpnet").to(device), texts)
    print(f"{len(pool.texts):,} texts read in {time.time() - started:.0f} s", flush=True)
    judge = train_judge(work / "mpnet", pool, texts)
    lessons = make_lessons(pool, texts, plain, judge)
    torch.save({name: getattr(lessons, name).cpu() for name in Lessons.__slots__}, work / "lessons.pt")
    del judge, plain
    net = learn(Pooled(work / "mpnet"), texts, lessons, MANNERS["teacher"])
    tell("teacher", net, work, work / "bert-tokenizer.json", "mpnet", device, (768,))
    torch.save(net.state_dict(), work / "teacher.pt")
    torch.save(vectors(net, texts).cpu(), work / "teacher-vectors.pt")


def make_lessons(pool: Pool, texts: Texts, plain: Tensor, judge: Judge) -> Lessons:
    """Pairs that say the same with their judge's word, hard negatives, and near pairs of all kinds."""
    started = time.time()
    same = (pool.target.isnan() | (pool.target == 1)).nonzero()[:, 0]
    left, right = pool.left[same], pool.right[same]
    weight = judged_by(judge, texts, left, right)
    people = ~pool.target[same].isnan()
    weight = torch.where(people, torch.ones_like(weight), weight).clamp(min=0.1)
    own = torch.unique(left)
    near = neighbours(plain, own, min(NEAR, len(plain) - 1))
    place = torch.full((len(plain),), -1, device=left.device)
    place[own] = torch.arange(len(own), device=left.device)
    drawn = near[place[left]].gather(1, torch.randint(near.shape[1], (len(left), 2), device=left.device))
    first = torch.cat([left, left])
    second = torch.cat([drawn[:, 0], drawn[:, 1]])
    said = judged_by(judge, texts, first, second)
    group, of_text = pool.group[same], groups_of_texts(len(plain), left, right, pool.group[same])
    strange = torch.randint(len(plain), (len(left),), device=left.device)
    hard = hard_negatives(drawn, torch.stack(said.split(len(left)), 1), strange, group, of_text)
    judged = pool.from_sources(*LOOSE)
    told = [(first, second, said), (left, right, weight), (pool.left[judged], pool.right[judged], pool.target[judged])]
    told.append((left, strange, (of_text[strange] == group).float()))
    first, second, said = (torch.cat(parts) for parts in zip(*(told + [told[2]] * 3), strict=True))
    shares = [round((said < 0.3).float().mean().item(), 3), round((said > 0.7).float().mean().item(), 3)]
    near_pairs = f"{len(first):,} near pairs (no, yes: {shares})"
    print(f"{len(left):,} pairs, {near_pairs}, {time.time() - started:.0f} s", flush=True)
    return Lessons(
        left=left,
        right=right,
        hard=hard,
        weight=weight,
        group=group,
        hard_group=of_text[hard],
        first=first,
        second=second,
        said=said,
    )


def groups_of_texts(texts: int, left: Tensor, right: Tensor, group: Tensor) -> Tensor:
    """The group of every text, by those of the pairs that say the same; a text of no such pair has its own."""
    of_text = -1 - torch.arange(texts, device=left.device)
    of_text[left] = group
    of_text[right] = group
    return of_text


def hard_negatives(drawn: Tensor, said: Tensor, strange: Tensor, group: Tensor, of_text: Tensor) -> Tensor:
    """For each pair the near text that the judge holds least for a paraphrase, or a strange one where none is sure.

    A text of the pair's own group, as its own right one, says the same whatever the judge holds of it.
    """
    doubt = torch.where(of_text[drawn] == group[:, None], torch.ones_like(said), said)
    least, place = doubt.min(1)
    return torch.where(least < NO_PARAPHRASE, drawn.gather(1, place[:, None])[:, 0], strange)


def learn_from(work: Path, *, device: str, few: int = 0) -> None:
    """Both students; writes their weights and what was measured."""
    torch.manual_seed(1)
    pool = Pool(work, device, few)
    lessons = Lessons(**{name: one.to(device) for name, one in torch.load(work / "lessons.pt").items()})
    taught = torch.load(work / "teacher-vectors.pt").to(device)
    tokenizer = work / "good-base" / "tokenizer.json"
    texts = tokenised(pool.texts, tokenizer, "student", device)
    out = work / "students"
    out.mkdir(exist_ok=True)
    teacher = Pooled(work / "mpnet").to(device)
    teacher.load_state_dict(torch.load(work / "teacher.pt"))
    words = json.loads((work / "good-base" / "config.json").read_text())["vocab_size"]
    counts = torch.bincount(texts.pieces, minlength=words)
    table = first_table(teacher, work / "bert-tokenizer.json", tokenizer, counts, DIMS, device)
    del teacher
    fast = learn(Static(table), texts, lessons, MANNERS["fast"], taught)
    tell("fast", fast, work, tokenizer, "student", device, SIZES["fast"])
    np.save(out / "fast.npy", fast.table.detach().half().cpu().numpy())
    good = Pooled(work / "good-base")
    good.encoder.words.weight.requires_grad_(False)
    tell("good-base", good.to(device), work, tokenizer, "student", device, SIZES["good"])
    good = learn(good, texts, lessons, MANNERS["good"], taught)
    tell("good", good, work, tokenizer, "student", device, SIZES["good"])
    exported = {name: one.half().cpu().numpy() for name, one in good.encoder.exported().items() if ".word_" not in name}
    half = len(exported) // 2
    for number, names in enumerate((list(exported)[:half], list(exported)[half:])):
        np.savez(out / f"good-{number}.npz", **{name: exported[name] for name in names})


def tell(
    name: str, net: nn.Module, work: Path, tokenizer: Path, kind: str, device: str, sizes: tuple[int, ...]
) -> None:
    """Measure on all sets, among strangers, with vectors cut to each size."""
    strangers = Pool(work, device).texts[:: max(1, 673_000 // 200_000)] if device == "cuda" else []
    away = vectors(net, tokenised(strangers or ["nobody"], tokenizer, kind, device))
    for told, pairs in read_measured(work).items():
        few = slice(None) if device == "cuda" else slice(0, 20)
        left, right = (vectors(net, tokenised(pairs[side][few], tokenizer, kind, device)) for side in ("left", "right"))
        for size in sizes:
            cut = [nn.functional.normalize(one[:, :size].float(), dim=1) for one in (left, right, away)]
            figures = found_among(cut[0], cut[1], pairs["target"][few], cut[2])
            print(f"{name:10} {told:15} {size:4} {figures}", flush=True)
