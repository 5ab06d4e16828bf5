"""Pairs of texts in, graded labels such as `4>s` and how likely they are paraphrases out: the Turku classifier.

Kanerva et al. (2023, section 7.1): one transformer reads `[CLS] left [SEP] right [SEP]`; the states of [CLS], of both
[SEP] and the means of both texts, side by side, are projected to four answers: base label (2, 3 or 4), direction
(<, > or none), style and minor deviation. The last three learn from pairs with the base label 4 alone.

**Either order gives the same grade**, but for the direction, which turns with the texts: the probabilities of both
orders are averaged. While training the order is drawn anew at every step. A pair labelled 1 is learned as 2, since the
corpus has next to none.

Of the looks at the held-out pairs the one is kept with the best mean of two F1: that of telling 3 and 4 from the rest,
and that of telling 4. (Nearly all pairs of this corpus are 3 or 4, so that the first alone would choose nothing.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.identification.graded import Grade, read_grade
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.tokenised_pairs import (
    Distinct,
    as_batch,
    shares_of_room,
    template_of,
    tokenised,
)
from paraloom.models.identifiers.trained_network import PAIRS_AT_ONCE, answers, fitted
from paraloom.models.identifiers.transformer_base import Base, plan_for
from paraloom.models.identifiers.transformer_identifier import TransformerIdentifier, TransformerTask
from paraloom.models.training.fine_tune import fine_tune

if TYPE_CHECKING:
    import torch

NAME = "graded-heads"
DEFINITION = "graded"
IN_EVERY_CONTEXT = "graded: 4"
"""A second question to the same pairs, asked only to choose between looks: is the base label 4?"""
BASES = ("2", "3", "4")
DIRECTIONS = ("", "<", ">")
CHANCES = 10
"""Three for the base label, three for the direction, two each for style and minor deviation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedExamples(Examples):
    """Pairs whose graded label is known.

    >>> GradedExamples.of(["a storm"], ["a gale"], ["4<s"]).targets
    [1.0]
    """

    grades: Sequence[str] = ()
    """Labels of the Turku scheme: `2`, `3`, `4>`, `4is` …"""

    def __post_init__(self) -> None:
        Examples.__post_init__(self)
        if len(self.grades) != len(self.left):
            raise InputError(f"There are {len(self.left)} pairs and {len(self.grades)} grades; give one a pair.")

    @classmethod
    def of(cls, left: Sequence[str], right: Sequence[str], grades: Sequence[str]) -> GradedExamples:
        """Pairs with their labels; 3 and 4 are paraphrases."""
        targets = [float(read_grade(grade).is_paraphrase) for grade in grades]
        return cls(left=left, right=right, targets=targets, definition=DEFINITION, grades=grades)

    def chosen(self, rows: Sequence[int]) -> GradedExamples:
        """The pairs with these numbers, in this order."""
        return GradedExamples.of(
            [self.left[row] for row in rows], [self.right[row] for row in rows], [self.grades[row] for row in rows]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedHeads(TransformerIdentifier):
    """One transformer, four answers (Kanerva et al., 2023). Needs the extra `train`.

    >>> GradedHeads(base="xlm-roberta-base").definitions
    ()
    """

    NAME: ClassVar[str] = NAME

    def task(self, base: Base, definitions: Sequence[str]) -> GradedTask:
        return GradedTask(self, base)

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = DEFINITION) -> NDArray[np.float64]:
        """How likely each pair's base label is 3 or 4, as a number from 0 to 1; above .5 it is a paraphrase."""
        return TransformerIdentifier.score(self, left, right, definition)

    def grades(self, left: Sequence[str], right: Sequence[str]) -> list[str]:
        """The likeliest label of each pair: base label, direction and, where likelier than not, the other flags."""
        found = self._chances(left, right)
        return [
            (likeliest(chances) if one <= other else likeliest(chances).turned()).label
            for chances, one, other in zip(found, left, right, strict=True)
        ]

    def base_chances(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """How likely the base label of each pair is 2, 3 and 4; either order gives the same."""
        return self._chances(left, right)[:, : len(BASES)]

    def _chances(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """Ten probabilities a pair, as `likeliest` reads them, of its texts in the order of the alphabet."""
        check_pairs(left, right)
        check_definition(NAME, DEFINITION, self.definitions)
        task = self.trained().task
        ordered = [(one, other) if one <= other else (other, one) for one, other in zip(left, right, strict=True)]
        places = {pair: place for place, pair in enumerate(dict.fromkeys(ordered))}
        distinct = list(places)
        found = [np.empty((0, CHANCES))]
        for start in range(0, len(distinct), PAIRS_AT_ONCE):
            some = distinct[start : start + PAIRS_AT_ONCE]
            first, second = [one for one, _ in some], [other for _, other in some]
            pairs = GradedExamples.of(first, second, ["4"] * len(some))
            found.append(np.asarray(answers(task, pairs, task.chances), np.float64))
        return np.concatenate(found)[[places[pair] for pair in ordered]]

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Self:
        """The same settings with a network trained by the plan on pairs with grades (`GradedExamples`)."""
        ((learned, kept),) = with_held_out(graded(examples), graded(held_out))
        fours = [float(label.startswith("4")) for label in kept.grades]
        also = replace(kept, targets=fours, definition=IN_EVERY_CONTEXT)
        plan = plan_for(self.plan, self.base)
        tuned = fine_tune(self.make_task([DEFINITION]), [learned], [kept, also], plan, seed=seed)
        return replace(self, plan=plan, fitted=fitted(tuned, [kept], self.logits))


def graded(sets: Sequence[Examples]) -> list[GradedExamples]:
    """The same sets; an error where one has no grades."""
    for one in sets:
        if not isinstance(one, GradedExamples):
            raise InputError(
                f"{NAME} learns from graded labels such as 4>s, but these examples only tell paraphrases from other "
                "pairs. Give pairs with grades (`GradedExamples`), or choose another system."
            )
    return [one for one in sets if isinstance(one, GradedExamples)]


def likeliest(chances: NDArray[np.float64]) -> Grade:
    """The grade that ten probabilities speak for: three for base and direction, two for style and minor deviation."""
    base, direction, style, minor = np.split(chances, [3, 6, 8])
    likeliest_base = BASES[int(base.argmax())]
    if likeliest_base != "4":
        return Grade(base=likeliest_base)
    # Neither side says more where both directions are equally likely, as for a text and itself.
    pointing = "" if direction[1] == direction[2] else DIRECTIONS[int(direction.argmax())]
    return Grade(base="4", direction=pointing, style=bool(style[1] > 0.5), minor=bool(minor[1] > 0.5))


@dataclass(frozen=True, slots=True)
class Graded:
    """Pairs as tokens, and each one's classes: base, direction, style, minor deviation."""

    pairs: Distinct
    classes: NDArray[np.int64]


class GradedTask(TransformerTask):
    """A `PairTask`: both texts through one transformer, four heads."""

    def __init__(self, system: GradedHeads, base: Base) -> None:
        from paraloom.models.identifiers.networks.graded_reader import GradedReader

        TransformerTask.__init__(self, base, [DEFINITION], system.identity())
        self.template = template_of(base.tokeniser, 2, min(system.plan.max_tokens, base.limit))
        self.net = GradedReader(base.encoder())

    def prepare(self, examples: Sequence[Examples]) -> Graded:
        grades = [read_grade(label) for one in examples for label in getattr(one, "grades", ["4"] * len(one))]
        classes = [
            (max(0, int(one.base) - 2), DIRECTIONS.index(one.direction), int(one.style), int(one.minor))
            for one in grades
        ]
        pairs = tokenised(self.base.tokeniser, examples, (DEFINITION, IN_EVERY_CONTEXT))
        return Graded(pairs, np.array(classes, np.int64).reshape(-1, 4))

    def lengths(self, prepared: Graded) -> list[int]:
        return prepared.pairs.pair_lengths(self.template)

    def batch(self, prepared: Graded, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        import torch

        if self.net.training:
            turned = (torch.rand(len(rows)) < 0.5).tolist()
            order = list(rows)
        else:
            turned = [False] * len(rows) + [True] * len(rows)
            order = [*rows, *rows]
        classes = prepared.classes[order].copy()
        for row in np.flatnonzero(turned):
            classes[row, 1] = (0, 2, 1)[classes[row, 1]]
        inputs = self._inputs(prepared.pairs, order, turned, device)
        heads = torch.from_numpy(prepared.pairs.heads[rows]).to(device)
        return inputs, torch.from_numpy(classes).to(device), heads

    def _inputs(self, pairs: Distinct, rows: Sequence[int], turned: Sequence[bool], device: str) -> tuple[Any, ...]:
        """Tokens, the places of both [SEP], and the masks of both texts."""
        import torch

        before, between = len(self.template.marks[0]), len(self.template.marks[1])
        joined, marks, spans = [], [], []
        for row, turn in zip(rows, turned, strict=True):
            first, second = pairs.tokens[pairs.left[row]], pairs.tokens[pairs.right[row]]
            if turn:
                first, second = second, first
            one, other = shares_of_room(len(first), len(second), self.template.room)
            joined.append(self.template.joined(first[:one], second[:other]))
            middle = before + one
            last = len(joined[-1][0]) - 1
            marks.append((min(middle, last), last))
            spans.append((before, middle, middle + between, middle + between + other))
        tokens = as_batch(joined, self.template, device)
        places = np.arange(tokens["input_ids"].shape[1])
        borders = np.array(spans)[:, :, None]
        left, right = ((borders[:, side] <= places) & (places < borders[:, side + 1]) for side in (0, 2))
        masks = [torch.from_numpy(mask.astype(np.float32)).to(device) for mask in (left, right)]
        return tokens, torch.tensor(marks, device=device), *masks

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import cross_entropy

        inputs, classes, _ = batch
        answers = self.net(*inputs)
        is_four = (classes[:, 0] == BASES.index("4")).float()
        total: torch.Tensor = cross_entropy(answers["base"], classes[:, 0])
        for column, head in enumerate(("direction", "style", "minor"), start=1):
            each = cross_entropy(answers[head], classes[:, column], reduction="none")
            total = total + (each * is_four).sum() / is_four.sum().clamp(min=1)
        return total

    def chances(self, batch: tuple[Any, ...]) -> torch.Tensor:
        """Ten probabilities a pair, each head's mean over both orders, the directions turned in the second."""
        import torch

        inputs, classes, _ = batch
        found = []
        for head, answer in self.net(*inputs).items():
            forwards, backwards = answer.softmax(dim=1).view(2, len(classes) // 2, -1)
            found.append((forwards + (backwards[:, [0, 2, 1]] if head == "direction" else backwards)) / 2)
        return torch.cat(found, dim=1)

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        import torch

        base = self.chances(batch)[:, :3].double().clamp(min=1e-12)
        same = torch.log(base[:, 1] + base[:, 2]) - torch.log(base[:, 0])
        four = torch.log(base[:, 2]) - torch.log(base[:, 0] + base[:, 1])
        return torch.where(batch[2] == 0, same, four)
