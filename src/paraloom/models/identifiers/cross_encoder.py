"""Pairs of texts in, how likely they are paraphrases out, by a transformer that reads both texts at once.

Devlin et al. (2019) put `[CLS] left [SEP] right [SEP]` through BERT and fine-tune all of it; Dou et al. (2022,
appendix C) do so with BERT, RoBERTa, BERTweet, ALBERT and DeBERTa. Any of these, or another base of transformers,
can be named; the heads, one a definition, see the first token's state and the mean of all.

**Either order gives the same score:** the mean of the logits of both orders. While training the order of each pair is
drawn anew at every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.fine_tuned import (
    Fitted,
    fit_network,
    pair_logits,
    read_card,
    read_network,
    refuse_untrained,
    save_network,
    signature_of,
)
from paraloom.models.identifiers.refusals import check_definition
from paraloom.models.identifiers.tokenised_pairs import Distinct, in_either_order, template_of, tokenised
from paraloom.models.identifiers.transformer_base import Base, open_base, reopen_base
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch

NAME = "cross-encoder"


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoder:
    """A transformer that reads both texts at once (Devlin et al., 2019). Needs the extra `train`.

    >>> CrossEncoder(base="roberta-base").definitions
    ()
    """

    base: str = "all-MiniLM-L6-v2"
    """A known model, a folder, or a name on the model hub."""
    plan: TrainingPlan = TrainingPlan()
    """How it is trained, and how many tokens of a pair it reads."""
    fitted: Fitted | None = None
    """The trained network. None before `fit`."""

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted.thresholds)) if self.fitted else ()

    @property
    def parameters(self) -> int:
        return self.fitted.parameters if self.fitted else 0

    @property
    def signature(self) -> str:
        return signature_of(NAME, {"base": self.base, "max-tokens": self.plan.max_tokens}, self.fitted)

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        assert self.fitted is not None
        return self.fitted.score(pair_logits(self.fitted.task, left, right, definition), definition)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> CrossEncoder:
        """The same settings with a network trained on all definitions at once, by the plan."""
        definitions = list(dict.fromkeys(one.definition for one in (*examples, *held_out)))

        def make_task() -> CrossTask:
            return CrossTask(open_base(self.base), definitions, self.plan.max_tokens)

        return replace(self, fitted=fit_network(make_task, examples, held_out, self.plan, seed))

    def save(self, folder: Path) -> None:
        """Write network, tokeniser and settings into a folder."""
        fitted = refuse_untrained(NAME, self.fitted)
        save_network(folder, NAME, {"base": self.base, "definitions": fitted.task.definitions}, self.plan, fitted)

    @classmethod
    def load(cls, folder: Path) -> CrossEncoder:
        """What was saved into a folder."""
        card = read_card(folder)
        task = CrossTask(reopen_base(folder), card.settings["definitions"], card.plan.max_tokens)
        return cls(base=card.settings["base"], plan=card.plan, fitted=read_network(folder, task, card.thresholds))


class CrossTask:
    """A `PairTask`: both texts through one transformer, one head a definition."""

    def __init__(self, base: Base, definitions: Sequence[str], max_tokens: int) -> None:
        from paraloom.models.identifiers.networks.pair_reader import PairReader

        self.base, self.definitions = base, list(definitions)
        self.template = template_of(base.tokeniser, 2, min(max_tokens, base.limit))
        self.net: torch.nn.Module = PairReader(base.encoder(), len(self.definitions))

    def prepare(self, examples: Sequence[Examples]) -> Distinct:
        return tokenised(self.base.tokeniser, examples, self.definitions)

    def lengths(self, prepared: Distinct) -> list[int]:
        return prepared.pair_lengths(self.template)

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        from torch import from_numpy

        heads, targets = from_numpy(prepared.heads[rows]), from_numpy(prepared.targets[rows])
        tokens = in_either_order(prepared, rows, self.template, device, training=self.net.training)
        return tokens, heads.to(device), targets.to(device)

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        tokens, heads, targets = batch
        answers = self.net(tokens).gather(1, heads[:, None])[:, 0]
        return binary_cross_entropy_with_logits(answers, targets)

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        tokens, heads, _ = batch
        answers = self.net(tokens).view(2, len(heads), -1).mean(0)
        chosen: torch.Tensor = answers.gather(1, heads[:, None])[:, 0]
        return chosen
