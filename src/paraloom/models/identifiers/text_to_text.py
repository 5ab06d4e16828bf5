"""Pairs of texts in, how likely they are paraphrases out, by a text-to-text transformer as a classifier.

Raffel et al. (2020) put every task as text: T5 is given `… sentence1: LEFT sentence2: RIGHT` and writes a word. Here
the definition that is asked for stands in the question, and of the decoder's first step only the logits of two words,
`yes` and `no`, are compared: their difference is the logit of a paraphrase, and the loss is the cross-entropy between
the two. (Nothing is generated, and probability that goes to other words counts for neither.)

**Either order gives the same score:** the mean of the logits of both orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers.tokenised_pairs import Distinct, Template, as_batch, shares_of_room, token_rows
from paraloom.models.identifiers.transformer_base import Base, Kind
from paraloom.models.identifiers.transformer_identifier import TransformerIdentifier, TransformerTask
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch

PLAN = TrainingPlan(learning_rates=(1e-4, 3e-4, 1e-5, 3e-5))
"""T5 is tried at higher rates than other transformers (Dou et al., 2022, appendix C)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToText(TransformerIdentifier):
    """T5, or another encoder with a decoder, that answers yes or no (Raffel et al., 2020). Needs the extra `train`.

    >>> TextToText(base="t5-small").definitions
    ()
    """

    NAME: ClassVar[str] = "text-to-text"
    KIND: ClassVar[Kind] = "AutoModelForSeq2SeqLM"

    base: str = "t5-base"
    """A folder, or a name on the model hub, of an encoder with a decoder."""
    words: tuple[str, str] = ("yes", "no")
    """What it answers for a paraphrase and for another pair; the first token of each counts."""
    plan: TrainingPlan = PLAN
    """How it is trained, and how many tokens of the question it reads."""

    def task(self, base: Base, definitions: Sequence[str]) -> TextTask:
        return TextTask(self, base, definitions)


class TextTask(TransformerTask):
    """A `PairTask`: a question in, the difference between two words' logits out."""

    def __init__(self, system: TextToText, base: Base, definitions: Sequence[str]) -> None:
        from paraloom.models.identifiers.networks.label_words import LabelWords

        TransformerTask.__init__(self, base, definitions, system.identity())
        max_tokens = min(system.plan.max_tokens, base.limit)
        self.templates = [question(base.tokeniser, definition, max_tokens) for definition in self.definitions]
        self.net = LabelWords(base.network, *_first_tokens(base.tokeniser, system.words))

    def lengths(self, prepared: Distinct) -> list[int]:
        asked = np.array([prepared.pair_lengths(template) for template in self.templates], np.int64)
        lengths: list[int] = asked[prepared.heads, np.arange(len(prepared.heads))].tolist()
        return lengths

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        import torch

        if self.net.training:
            asked = zip(rows, (torch.rand(len(rows)) < 0.5).tolist(), strict=True)
        else:
            asked = zip([*rows, *rows], [False] * len(rows) + [True] * len(rows), strict=True)
        joined = [self._question(prepared, row, turned) for row, turned in asked]
        tokens = as_batch(joined, self.templates[0], device)
        return tokens, torch.from_numpy(prepared.targets[rows]).to(device)

    def _question(self, pairs: Distinct, row: int, turned: bool) -> tuple[NDArray[np.int64], None]:
        template = self.templates[pairs.heads[row]]
        first, second = pairs.tokens[pairs.left[row]], pairs.tokens[pairs.right[row]]
        if turned:
            first, second = second, first
        one, other = shares_of_room(len(first), len(second), template.room)
        return template.joined(first[:one], second[:other])[0], None

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        tokens, targets = batch
        return binary_cross_entropy_with_logits(self.net(tokens), targets)

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        tokens, targets = batch
        answers: torch.Tensor = self.net(tokens).view(2, len(targets)).mean(0)
        return answers


def question(tokeniser: Any, definition: str, max_tokens: int) -> Template:
    """`paraphrase loose sentence1: LEFT sentence2: RIGHT`, as T5 is asked about MRPC."""
    before, between = token_rows(tokeniser, [f"paraphrase {definition} sentence1:", "sentence2:"])
    end = np.array([] if tokeniser.eos_token_id is None else [tokeniser.eos_token_id], np.int64)
    template = Template((before, between, end), None, tokeniser.pad_token_id or 0, max_tokens)
    if template.room < 2:
        raise InputError(
            f"The question alone takes {max_tokens - template.room} tokens, and only {max_tokens} are read. "
            "Let more tokens be read (max_tokens)."
        )
    return template


def _first_tokens(tokeniser: Any, words: tuple[str, str]) -> tuple[int, int]:
    rows = token_rows(tokeniser, words)
    if any(not len(row) for row in rows) or rows[0][0] == rows[1][0]:
        raise InputError(f"The words {words} begin with the same token, or with none. Choose two that differ.")
    return int(rows[0][0]), int(rows[1][0])
