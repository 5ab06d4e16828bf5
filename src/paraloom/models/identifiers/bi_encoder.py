"""Pairs of texts in, how likely they are paraphrases out, by a transformer that reads each text on its own.

Reimers and Gurevych (2019): a text's vector is the mean of its tokens' states. Two vectors u and v are compared by
their cosine, trained to be 1 for paraphrases and 0 for other pairs (`cosine`), or by a classifier on u, v and |u - v|
(`classification`), which must learn from nothing what a cosine of a sentence encoder knows: on Twitter-URL MiniLM's
own cosine has a max F1 of .80, the classifier one of .65 after three epochs. A text is read once, however many pairs
it is in, which is what makes this kind cheap.

A cosine knows nothing of definitions: trained for several, it learns all their labels at once and only the decision
point is each one's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers.refusals import check_pairs
from paraloom.models.identifiers.tokenised_pairs import Distinct, template_of, text_batch, token_rows
from paraloom.models.identifiers.trained_network import PAIRS_AT_ONCE, device_of, rows_together
from paraloom.models.identifiers.transformer_base import Base
from paraloom.models.identifiers.transformer_identifier import TransformerIdentifier, TransformerTask
from paraloom.models.training.library import torch_library

if TYPE_CHECKING:
    import torch

OBJECTIVES = ("cosine", "classification")


@dataclass(frozen=True, slots=True, kw_only=True)
class BiEncoder(TransformerIdentifier):
    """A transformer that reads each text on its own (Reimers and Gurevych, 2019). Needs the extra `train`.

    >>> BiEncoder(objective="classification").definitions
    ()
    """

    NAME: ClassVar[str] = "bi-encoder"

    objective: Literal["cosine", "classification"] = "cosine"
    """How two vectors are compared."""

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise InputError(f"There is no objective {self.objective!r}. Choose one of: {', '.join(OBJECTIVES)}.")

    def task(self, base: Base, definitions: Sequence[str]) -> BiTask:
        return BiTask(self, base, definitions)

    def logits(self, task: Any, left: Sequence[str], right: Sequence[str], definition: str) -> NDArray[np.float64]:
        """One number a pair: of every few thousand pairs each distinct text is read once."""
        return compared(task, left, right, definition)


class BiTask(TransformerTask):
    """A `PairTask`: each text through the transformer, then two vectors compared."""

    def __init__(self, system: BiEncoder, base: Base, definitions: Sequence[str]) -> None:
        from paraloom.models.identifiers.networks.text_reader import TextReader

        TransformerTask.__init__(self, base, definitions, system.identity())
        self.template = template_of(base.tokeniser, 1, min(system.plan.max_tokens, base.limit))
        self.objective = system.objective
        self.net: TextReader = TextReader(base.encoder(), len(self.definitions), system.objective)

    def lengths(self, prepared: Distinct) -> list[int]:
        lengths = np.array(self.template.lengths(prepared.tokens), np.int64)
        longer: list[int] = np.maximum(lengths[prepared.left], lengths[prepared.right]).tolist()
        return longer

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        from torch import from_numpy

        both = [prepared.tokens[place] for side in (prepared.left, prepared.right) for place in side[rows]]
        heads, targets = from_numpy(prepared.heads[rows]), from_numpy(prepared.targets[rows])
        return text_batch(both, self.template, device), heads.to(device), targets.to(device)

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

        answers, targets = self.logits(batch), batch[2]
        return (
            mse_loss(answers, targets)
            if self.objective == "cosine"
            else binary_cross_entropy_with_logits(answers, targets)
        )

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        tokens, heads, _ = batch
        left, right = self.net.vectors(tokens).chunk(2)
        return self.net.compare(left, right, heads)


def compared(task: BiTask, left: Sequence[str], right: Sequence[str], definition: str) -> NDArray[np.float64]:
    """One number a pair: of every few thousand pairs each distinct text is read once."""
    check_pairs(left, right)
    torch = torch_library()
    device = device_of(task.net)
    head = task.definitions.index(definition)
    task.net.eval()
    found = np.empty(len(left))
    with torch.no_grad():
        for start in range(0, len(left), PAIRS_AT_ONCE):
            rows = slice(start, start + PAIRS_AT_ONCE)
            places: dict[str, int] = {}
            sides = [[places.setdefault(text, len(places)) for text in side] for side in (left[rows], right[rows])]
            vectors = _vectors(task, list(places), device)
            ours, theirs = (vectors[torch.tensor(side, device=device)] for side in sides)
            heads = torch.full((len(ours),), head, device=device)
            found[rows] = task.net.compare(ours, theirs, heads).cpu().numpy()
    return found


def _vectors(task: BiTask, texts: Sequence[str], device: str) -> torch.Tensor:
    tokens = token_rows(task.base.tokeniser, texts)
    vectors: torch.Tensor = torch_library().empty((len(texts), task.base.config.hidden_size), device=device)
    for rows in rows_together(task.template.lengths(tokens), device):
        vectors[rows] = task.net.vectors(text_batch([tokens[row] for row in rows], task.template, device))
    return vectors
