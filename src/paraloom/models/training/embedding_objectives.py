"""Vectors of texts in, a loss out: what an embedder is trained to lower.

All take rows as the network gives them, of whatever length, and compare them by cosine. `Matryoshka` asks the same of
the first so many numbers of every row (Kusupati et al., 2022), so that a vector may be cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch

TEMPERATURE = 0.05
"""What cosines are divided by before they compete: 1/20, as sentence-transformers has it."""
FAR = -1e4
"""A similarity that takes a row out of the competition."""


def binary(
    left: torch.Tensor,
    right: torch.Tensor,
    targets: torch.Tensor,
    *,
    slope: torch.Tensor | float = 10.0,
    middle: torch.Tensor | float = 0.5,
    weights: torch.Tensor | None = None,
) -> torch.Tensor:
    """Paraphrase or not (Reimers and Gurevych, 2019, with a logistic curve over the cosine).

    A target may be 1, 0 or a teacher's probability: then it is distillation from a cross-encoder. `slope` and `middle`
    say how a cosine becomes a probability; they may be learned.
    """
    functional = torch_library().nn.functional
    logits = slope * (functional.cosine_similarity(left, right) - middle)
    loss: torch.Tensor = functional.binary_cross_entropy_with_logits(logits, targets, weight=weights)
    return loss


def contrastive(
    left: torch.Tensor,
    right: torch.Tensor,
    hard: torch.Tensor | None = None,
    *,
    groups: torch.Tensor | None = None,
    hard_groups: torch.Tensor | None = None,
    temperature: float = TEMPERATURE,
    weights: torch.Tensor | None = None,
) -> torch.Tensor:
    """The right text of a pair must be nearer to the left one than every other pair's, and the other way round
    (Henderson et al., 2017; van den Oord et al., 2018).

    `hard` are texts that are alike and no paraphrases; they compete with every right text. Pairs of the same group say
    the same and do not compete; nor does a hard text with those of its own group.
    """
    library = torch_library()
    functional = library.nn.functional
    left, right = functional.normalize(left, dim=1), functional.normalize(right, dim=1)
    forwards = left @ right.T / temperature
    if groups is not None:
        same = (groups[:, None] == groups[None, :]) & ~library.eye(len(left), dtype=library.bool, device=left.device)
        forwards = forwards.masked_fill(same, FAR)
    backwards = forwards.T
    if hard is not None:
        strangers = left @ functional.normalize(hard, dim=1).T / temperature
        if groups is not None and hard_groups is not None:
            strangers = strangers.masked_fill(groups[:, None] == hard_groups[None, :], FAR)
        forwards = library.cat([forwards, strangers], dim=1)
    answers = library.arange(len(left), device=left.device)
    each = functional.cross_entropy(forwards, answers, reduction="none")
    each = (each + functional.cross_entropy(backwards, answers, reduction="none")) / 2
    loss: torch.Tensor = each.mean() if weights is None else (each * weights).sum() / weights.sum().clamp(min=1e-6)
    return loss


def alike_as(rows: torch.Tensor, teacher: torch.Tensor, *, temperature: float = TEMPERATURE) -> torch.Tensor:
    """Texts must be as alike, among themselves, as their teacher's vectors are: distillation that leaves the student
    its own space and its own number of dimensions (Fang et al., 2021)."""
    library = torch_library()
    functional = library.nn.functional
    rows, teacher = functional.normalize(rows, dim=1), functional.normalize(teacher, dim=1)
    itself = library.eye(len(rows), dtype=library.bool, device=rows.device)
    wanted = (teacher @ teacher.T / temperature).masked_fill(itself, FAR).softmax(dim=1)
    given = (rows @ rows.T / temperature).masked_fill(itself, FAR).log_softmax(dim=1)
    loss: torch.Tensor = functional.kl_div(given, wanted, reduction="batchmean")
    return loss


def matryoshka(
    objective: Callable[..., torch.Tensor], sizes: Sequence[int], *rows: torch.Tensor, **given: object
) -> torch.Tensor:
    """The mean of an objective over the first so many numbers of every row, for each of the sizes."""
    losses = [objective(*(row[:, :size] for row in rows), **given) for size in sizes]
    return sum(losses[1:], losses[0]) / len(losses)
