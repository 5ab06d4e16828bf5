"""Pair files in, what an embedder learns from and is looked at with out: texts by number, and pairs of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.graphs import clusters
from paraloom.models.identifiers import Examples
from paraloom.models.training.embedding_figures import AREA, HeldOutTexts
from paraloom.models.training.identity import hash_of_examples
from paraloom.text.counted import counted
from paraloom.workflows.evaluate.named_columns import named_columns
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.training_sets import read_sets

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EmbedderSets:
    """All pairs by the numbers of their texts; each text is there once."""

    texts: Sequence[str]
    left: Integers
    right: Integers
    targets: NDArray[np.float32]
    groups: Integers
    """By text: those that pairs which say the same join, by whatever chain, have one number."""
    held_out: HeldOutTexts
    sources: tuple[Mapping[str, object], ...]
    notes: tuple[str, ...]
    hashes: Mapping[str, str]
    """Of what is learned from and what is held out, for what decides a training."""

    @property
    def says_same(self) -> NDArray[np.bool_]:
        """Which pairs are paraphrases."""
        return np.asarray(self.targets > 0.5)


def read_embedder_sets(files: Sequence[Path], options: TrainEmbedderOptions) -> EmbedderSets:
    """Read all pairs, with or without labels; refuse what nothing can be learned from."""
    shared = {one.name for one in fields(TrainIdentifierOptions)} & {one.name for one in fields(options)}
    asked = {name: getattr(options, name) for name in shared - {"system", "base"}}
    sets = read_sets(
        files, TrainIdentifierOptions(**asked), named_columns(options.columns), with_grades=False, unlabelled=True
    )
    left, right, targets = _joined(sets.examples)
    kept = [row for row, (one, other) in enumerate(zip(left, right, strict=True)) if one != other]
    notes = list(sets.notes)
    if len(kept) < len(left):
        notes.append(f"{counted(len(left) - len(kept), 'pair', 'pairs')} of one and the same text left out.")
    places: dict[str, int] = {}
    sides = [np.array([places.setdefault(side[row], len(places)) for row in kept], np.int64) for side in (left, right)]
    told = np.array([targets[row] for row in kept], np.float32)
    _check(told, options)
    held_left, held_right, held_targets = _joined(sets.held_out)
    held_out = HeldOutTexts.of(held_left, held_right, [target > 0.5 for target in held_targets])
    if options.chosen_by == AREA and not held_out.has_others:
        raise InputError(
            "Every held-out pair is a paraphrase, so none can be told from others (--chosen-by roc-auc). Hold out "
            "other pairs too, or choose by top-1."
        )
    return EmbedderSets(
        texts=list(places),
        left=sides[0],
        right=sides[1],
        targets=told,
        groups=_groups(len(places), sides[0][told > 0.5], sides[1][told > 0.5]),
        held_out=held_out,
        sources=sets.sources,
        notes=tuple(notes),
        hashes={
            "training pairs": hash_of_examples(sets.examples),
            "held-out pairs": hash_of_examples(sets.held_out),
        },
    )


def _joined(sets: Sequence[Examples]) -> tuple[list[str], list[str], list[float]]:
    return (
        [text for one in sets for text in one.left],
        [text for one in sets for text in one.right],
        [float(target) for one in sets for target in one.targets],
    )


def _check(targets: NDArray[np.float32], options: TrainEmbedderOptions) -> None:
    same = int((targets > 0.5).sum())
    if "contrastive" in options.objective and same < 2:
        raise InputError(
            f"There {'is one pair that says' if same else 'are no pairs that say'} the same to learn from, and a "
            "paraphrase is learned from by telling it from others. Give at least two, and many more."
        )
    if not len(targets):
        raise InputError("There are no pairs to learn from. Give a file of pairs of different texts.")
    if "binary" in options.objective and not same:
        raise InputError(
            "Every pair to learn from is no paraphrase, so the objective binary has nothing to tell apart: negatives "
            "are mined for paraphrases (--hard-negatives). Give pairs of both kinds."
        )
    if "binary" in options.objective and not options.hard_negatives and same == len(targets):
        raise InputError(
            "Every pair to learn from is a paraphrase, so the objective binary has nothing to tell apart. Give pairs "
            "of both kinds, mine negatives (--hard-negatives 2), or learn otherwise (--objective contrastive)."
        )


def _groups(count: int, left: Integers, right: Integers) -> Integers:
    """One number a text; those that pairs join have one."""
    names = [f"{number:012d}" for number in range(count)]
    found = clusters([(names[one], names[other]) for one, other in zip(left, right, strict=True)])
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(found.get(name, name), len(numbers)) for name in names], np.int64)
