"""Pairs and what a judge says of them in, an embedder out: a teacher, or a student that also learns from one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from paraloom.models.training.embedding_objectives import alike_as, binary, contrastive, matryoshka
from recipes.identifier.tokens import Texts

from .encoders import Trainer, like_lengths


@dataclass(frozen=True, slots=True, kw_only=True)
class Lessons:
    """What an embedder learns from, all as numbers of texts."""

    left: Tensor
    right: Tensor
    """Pairs that say the same."""
    hard: Tensor
    """For each a text that is near its left one and, says the judge, does not say the same."""
    weight: Tensor
    """How likely the judge holds each pair a paraphrase, and no less than .1."""
    group: Tensor
    """Pairs of one group do not compete."""
    hard_group: Tensor
    """The group of each hard text: it does not compete with those of its own."""
    first: Tensor
    second: Tensor
    """Near pairs of all kinds."""
    said: Tensor
    """What the judge, or people, said of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How it learns."""

    epochs: int
    size: int
    rate: float
    sizes: Sequence[int]
    """The first so many numbers of a vector must do alone."""
    temperature: float = 0.05
    judged: float = 1.0
    """How much the judge's word counts beside the pairs that say the same."""
    taught: float = 1.0
    """And how much the teacher's vectors."""


def learn(net: nn.Module, texts: Texts, lessons: Lessons, manner: Manner, teacher: Tensor | None = None) -> nn.Module:
    """Train a network; `teacher` holds a vector for every text."""
    started, device = time.time(), texts.device
    net.to(device).train()
    steps = manner.epochs * -(-len(lessons.left) // manner.size)
    trainer = Trainer(net, steps, manner.rate)
    for _ in range(manner.epochs):
        near = torch.randperm(len(lessons.first), device=device)
        for rows in like_lengths(texts, (lessons.left, lessons.right), manner.size):
            start = int(torch.randint(max(1, len(near) - manner.size), ()))
            beside = near[start : start + manner.size]
            wanted = [lessons.left[rows], lessons.right[rows], lessons.hard[rows]]
            wanted += [lessons.first[beside], lessons.second[beside]]
            with torch.autocast(device, torch.bfloat16):
                found = [net(texts, part) for part in wanted]
            left, right, hard, first, second = (part.float() for part in found)
            loss = matryoshka(
                contrastive,
                manner.sizes,
                left,
                right,
                hard,
                groups=lessons.group[rows],
                hard_groups=lessons.hard_group[rows],
                weights=lessons.weight[rows],
                temperature=manner.temperature,
            )
            given = {"slope": net.slope, "middle": net.middle}
            loss = loss + manner.judged * binary(first, second, lessons.said[beside], **given)
            if teacher is not None:
                told = teacher[torch.cat([wanted[0], wanted[2]])].float()
                rows_of = torch.cat([left, hard])
                loss = loss + manner.taught * matryoshka(alike_as, manner.sizes, rows_of, teacher=told)
            trainer.step(loss)
    print(f"learned in {time.time() - started:.0f} s, {steps} steps", flush=True)
    return net.eval()
