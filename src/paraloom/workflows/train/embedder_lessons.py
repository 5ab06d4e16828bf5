"""Pairs, a base and a teacher in, lessons out: what is learned, and what was mined and asked for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.embedders import Embedder, can_embed, load_embedder
from paraloom.models.identifiers import CARD as IDENTIFIER_CARD
from paraloom.models.identifiers import Identifier, load, shipped_systems
from paraloom.models.training.checkpoints import write_whole_by
from paraloom.models.training.embedding_lessons import NONE, JudgedPairs, Lesson, SamePairs, TaughtTexts
from paraloom.models.training.embedding_negatives import (
    LOOKED_AT,
    HardTexts,
    Judge,
    NearTexts,
    embedded,
    hard_texts,
    judged,
    near_texts,
)
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.embedder_sets import EmbedderSets

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]
Tell = Callable[[str], None]

ASKED_BESIDE = 4
"""A teacher that judges pairs is asked about so many neighbours of each text where none are mined for other ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Teacher:
    """Who is learned from: one that judges pairs, or one that embeds."""

    identifier: Identifier | None = None
    embedder: Embedder | None = None
    definition: str = "loose"
    note: str = ""
    """For people, where it judges by another definition than was asked for."""

    @property
    def signature(self) -> str:
        known = self.identifier or self.embedder
        assert known is not None
        return f"{known.signature}|definition:{self.definition}" if self.identifier else known.signature

    @property
    def judge(self) -> Judge | None:
        """What says of pairs how likely they are paraphrases, if it is one that does."""
        return None if self.identifier is None else partial(self.identifier.score, definition=self.definition)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lessons:
    """All lessons of a training, and for people what was mined for them."""

    lessons: tuple[Lesson, ...]
    notes: tuple[str, ...]


def open_teacher(options: TrainEmbedderOptions) -> Teacher | None:
    """The teacher that is named: an identifier where there is one of that name or in that folder, else an embedder."""
    if "distil" in options.objective and not options.teacher:
        raise InputError(
            "The objective distil learns from a teacher. Name one: --teacher cascade (or another identifier), or "
            "--teacher good (or another embedder)."
        )
    if not options.teacher:
        return None
    if options.teacher in shipped_systems() or (Path(options.teacher) / IDENTIFIER_CARD).is_file():
        identifier = load(options.teacher)
        wanted = options.definition or "loose"
        known = identifier.definitions
        if wanted in known:
            return Teacher(identifier=identifier, definition=wanted)
        note = f"The teacher {options.teacher} does not judge by the definition {wanted}: it is asked by {known[0]}."
        return Teacher(identifier=identifier, definition=known[0], note=note)
    if "distil" not in options.objective:
        raise InputError(
            f"--teacher {options.teacher} embeds and judges no pairs, and no objective asks for that. Add --objective "
            "distil, or name an identifier."
        )
    embedder = load_embedder(options.teacher, hub=options.hub)
    if not can_embed(embedder):
        raise InputError(f"{options.teacher} learns from a collection and teaches nothing. Name another --teacher.")
    return Teacher(embedder=embedder)


def make_lessons(
    sets: EmbedderSets,
    base: Embedder,
    teacher: Teacher | None,
    sizes: tuple[int, ...],
    options: TrainEmbedderOptions,
    folder: Path,
    tell: Tell,
) -> Lessons:
    """One lesson an objective; what a teacher takes long to say is kept in a folder until the training is finished."""
    same = sets.says_same
    notes = [teacher.note] if teacher is not None and teacher.note else []
    hard = HardTexts(hard=np.full((int(same.sum()), 0), NONE, np.int64), counts={})
    near: NearTexts | None = None
    asks = "distil" in options.objective and teacher is not None and teacher.identifier is not None
    if options.hard_negatives or asks:
        wanted = options.hard_negatives or ASKED_BESIDE
        tell(f"looking for the neighbours of {len(sets.texts):,} texts with {base.name}")
        vectors = embedded(base, sets.texts)
        of = sets.left[same] if same.any() else sets.left
        near = near_texts(vectors, sets.texts, of, sets.groups, LOOKED_AT * wanted)
    if options.hard_negatives and near is not None:
        alike = np.einsum("ij,ij->i", vectors[sets.left[same]], vectors[sets.right[same]], dtype=np.float64)
        judge = None if teacher is None else teacher.judge
        hard = hard_texts(near, sets.texts, sets.left[same], alike, options.hard_negatives, judge)
        told = ", ".join(f"{count:,} {what}" for what, count in hard.counts.items())
        notes.append(f"Near texts as negatives: {told}.")
    lessons: list[Lesson] = []
    if "contrastive" in options.objective:
        known, count = _labelled_hard(sets)
        if count:
            notes.append(f"{count:,} texts of pairs labelled as no paraphrases compete with a pair's right text.")
        lessons.append(
            SamePairs(
                left=sets.left[same],
                right=sets.right[same],
                groups=sets.groups,
                hard=np.concatenate([known, hard.hard], axis=1),
                sizes=sizes,
                temperature=options.temperature,
            )
        )
    if "binary" in options.objective:
        lessons.append(_labelled(sets, hard.hard, sizes))
    if "distil" in options.objective and teacher is not None:
        if teacher.judge is not None and near is not None:
            lesson = _asked(sets, near, teacher.judge, sizes, folder, tell)
            notes.append(f"{len(lesson):,} pairs, given and near ones, were judged by the teacher.")
            lessons.append(lesson)
        elif teacher.embedder is not None:
            taught = _kept(folder / "taught.npy", lambda: _taught(teacher.embedder, sets.texts, tell))
            lessons.append(TaughtTexts(taught=taught, sizes=sizes, temperature=options.temperature))
    return Lessons(lessons=tuple(lessons), notes=tuple(notes))


def _labelled_hard(sets: EmbedderSets) -> tuple[Integers, int]:
    """For every pair that says the same, one text that is labelled as saying something else than either of its two."""
    others: dict[int, int] = {}
    for one, other in zip(sets.left[~sets.says_same].tolist(), sets.right[~sets.says_same].tolist(), strict=True):
        if sets.groups[one] != sets.groups[other]:
            others.setdefault(one, other)
            others.setdefault(other, one)
    both = zip(sets.left[sets.says_same].tolist(), sets.right[sets.says_same].tolist(), strict=True)
    found = np.array([[others.get(left, others.get(right, NONE))] for left, right in both], np.int64).reshape(-1, 1)
    count = int((found != NONE).sum())
    return (found, count) if count else (found[:, :0], 0)


def _labelled(sets: EmbedderSets, hard: Integers, sizes: tuple[int, ...]) -> JudgedPairs:
    """All pairs with their labels, and mined texts as negatives."""
    of = np.repeat(sets.left[sets.says_same], hard.shape[1])[(hard != NONE).ravel()]
    negatives = hard[hard != NONE]
    return JudgedPairs(
        left=np.concatenate([sets.left, of]),
        right=np.concatenate([sets.right, negatives]),
        said=np.concatenate([sets.targets, np.zeros(len(negatives), np.float32)]),
        sizes=sizes,
    )


def _asked(
    sets: EmbedderSets, near: NearTexts, judge: Judge, sizes: tuple[int, ...], folder: Path, tell: Tell
) -> JudgedPairs:
    """All pairs, and texts with their neighbours, with what the teacher says of them."""
    there = near.numbers != NONE
    of = np.broadcast_to(near.of[:, None], near.numbers.shape)[there]

    def ask() -> Floats:
        tell(f"asking the teacher about {len(sets.left) + len(of):,} pairs")
        given = judge([sets.texts[one] for one in sets.left], [sets.texts[one] for one in sets.right])
        return np.concatenate([given, judged(near, sets.texts, judge)[there]]).astype(np.float32)

    return JudgedPairs(
        left=np.concatenate([sets.left, of]),
        right=np.concatenate([sets.right, near.numbers[there]]),
        said=_kept(folder / "said.npy", ask),
        sizes=sizes,
    )


def _taught(teacher: Embedder | None, texts: Sequence[str], tell: Tell) -> Floats:
    assert teacher is not None
    tell(f"asking the teacher for the vectors of {len(texts):,} texts")
    return embedded(teacher, texts)


def _kept(file: Path, make: Callable[[], Floats]) -> Floats:
    """What is in a file, or is made and written to it: a training that goes on need not ask again."""
    if not file.is_file():
        made = make()
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole_by(file, lambda unfinished: _save(unfinished, made))
    kept: Floats = np.load(file)
    return kept


def _save(file: Path, numbers: Floats) -> None:
    with file.open("wb") as opened:
        np.save(opened, numbers)
