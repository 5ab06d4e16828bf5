"""Pairs of texts in, how likely each implies the other out: a paraphrase as mutual implication.

Nighojkar and Licato (2021): two texts are paraphrases if and only if each entails the other. A transformer fine-tuned
on premises and hypotheses is asked twice, and the two probabilities are multiplied (`product`), as if independent, or
the lower one counts (`lower`).

Without a base the answer is that of the shipped model (`paraloom.models.implication`), which was trained to give it for
both directions at once; nothing needs to be trained then, and torch is not needed. Fitting puts .5 where F1 is best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models import implication
from paraloom.models.identifiers import Examples, joined
from paraloom.models.identifiers.refusals import check_definition, check_pairs, check_sets, with_held_out
from paraloom.models.identifiers.saved_network import Card, read_network, save_network
from paraloom.models.identifiers.thresholds import Threshold, hash_of_thresholds, place_threshold
from paraloom.models.identifiers.tokenised_pairs import Distinct, pair_batch, template_of
from paraloom.models.identifiers.trained_network import Fitted, fit_network, pair_logits, signature_of
from paraloom.models.identifiers.transformer_base import Base, lasting_name, open_base, plan_for, reopen_base, save_base
from paraloom.models.identifiers.transformer_identifier import TransformerTask
from paraloom.models.known import short_name
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch

NAME = "mutual-implication"
ENTAILMENT = "entailment"
"""What the network learns: does the left text imply the right one?"""
UNFITTED = {"implication": Threshold(middle=0.0, slope=1.0)}
"""Where nothing was fitted, the score is the probability itself: a logit of 0 is .5."""
SURE = 1e-9
"""No probability is taken to be nearer to 0 or 1: its logit is still a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entailments(Examples):
    """Premises (`left`), hypotheses (`right`) and whether each is entailed; the order of the two matters.

    >>> Entailments.of(["it rains heavily"], ["it rains"], ["entailment"]).targets
    [1.0]
    """

    @classmethod
    def of(cls, premises: Sequence[str], hypotheses: Sequence[str], labels: Sequence[str]) -> Entailments:
        """From the labels of the usual corpora: `entailment`, and whatever else is none."""
        targets = [float(label == "entailment") for label in labels]
        return cls(left=premises, right=hypotheses, targets=targets, definition=ENTAILMENT)

    def chosen(self, rows: Sequence[int]) -> Entailments:
        """The pairs with these numbers, in this order."""
        return Entailments(
            left=[self.left[row] for row in rows],
            right=[self.right[row] for row in rows],
            targets=[self.targets[row] for row in rows],
            definition=ENTAILMENT,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MutualImplication:
    """Paraphrases imply each other (Nighojkar and Licato, 2021). A base of one's own needs the extra `train`.

    >>> MutualImplication().definitions
    ('implication',)
    """

    base: str = ""
    """A known model, a folder, or a name on the model hub, to be trained on entailments; empty: the shipped model."""
    joined_by: Literal["product", "lower"] = "product"
    """How the probabilities of both directions become one. The shipped model gives one of its own."""
    plan: TrainingPlan = TrainingPlan()
    """How a base is trained, and how many tokens of a pair it reads."""
    network: Fitted | None = None
    """The network that was trained on entailments."""
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    """Where .5 lies, by definition. Empty before `fit`."""

    def __post_init__(self) -> None:
        if self.joined_by not in ("product", "lower"):
            raise InputError(f"Probabilities cannot be joined by {self.joined_by!r}. Choose product or lower.")

    @property
    def name(self) -> str:
        return NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        if self.base and self.network is None:
            return ()
        return tuple(sorted(self.thresholds or UNFITTED))

    @property
    def parameters(self) -> int:
        if not self.base:
            return implication.load().model.parameters
        return self.network.parameters if self.network else 0

    @property
    def signature(self) -> str:
        if self.base:
            learned = self.network.task.base.identity if self.network else {}
            settings = {"base": short_name(self.base), "joined-by": self.joined_by, "max-tokens": self.plan.max_tokens}
            return signature_of(NAME, settings | learned, self.network and self._with_all_thresholds(self.network))
        thresholds = hash_of_thresholds(self.thresholds)
        return f"{NAME}|{implication.load().signature}|thresholds:{thresholds}|paraloom:{paraloom_version()}"

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "implication") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        return (self.thresholds or UNFITTED)[definition].apply(self.logits(left, right))

    def logits(self, left: Sequence[str], right: Sequence[str]) -> NDArray[np.float64]:
        """The logit of both texts implying each other."""
        check_pairs(left, right)
        if not self.base:
            chances = implication.load().answer(left, right).implication
        else:
            there, back = self.entailment(left, right), self.entailment(right, left)
            chances = there * back if self.joined_by == "product" else np.minimum(there, back)
        chances = np.clip(chances, SURE, 1 - SURE)
        logits: NDArray[np.float64] = np.log(chances) - np.log1p(-chances)
        return logits

    def entailment(self, premises: Sequence[str], hypotheses: Sequence[str]) -> NDArray[np.float64]:
        """How likely each premise implies its hypothesis: only a base of one's own is asked in one direction."""
        if self.network is None:
            raise InputError(f"This {NAME} has no network that was trained on entailments. Fit it with some.")
        raw = pair_logits(self.network.task, premises, hypotheses, ENTAILMENT, is_symmetric=False)
        return self.network.score(raw, ENTAILMENT)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> MutualImplication:
        """The same settings with .5 at the best F1 of the held-out pairs.

        With a base, a network learns from those examples that are `Entailments` first; pairs that are none teach it
        nothing, as one cannot know which side implies the other.
        """
        check_sets(examples, held_out)
        learned = self._learned(examples, held_out, seed) if self.base else self
        kept = [one for one in held_out if not isinstance(one, Entailments) and len(one)]
        thresholds = {}
        for definition in dict.fromkeys(one.definition for one in kept):
            asked = joined([one for one in kept if one.definition == definition])
            logits = learned.logits(asked.left, asked.right)
            thresholds[definition] = place_threshold(logits, np.asarray(asked.targets))
        return replace(learned, thresholds=thresholds)

    def _learned(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int) -> MutualImplication:
        told = [one for one in examples if isinstance(one, Entailments)]
        told_held_out = [one for one in held_out if isinstance(one, Entailments)]
        if not told:
            if self.network is not None:
                return self
            raise InputError(
                f"{NAME} with a base of its own learns from premises and hypotheses, and there are none among the "
                "examples. Give some (`Entailments`), or no base: the shipped model needs none."
            )

        def make_task() -> EntailmentTask:
            return EntailmentTask(open_base(self.base), self.plan.max_tokens)

        plan = plan_for(self.plan, self.base)
        ask = partial(pair_logits, is_symmetric=False)
        network = fit_network(make_task, with_held_out(told, told_held_out), plan, seed, ask)
        return replace(self, plan=plan, network=network)

    def _with_all_thresholds(self, network: Fitted) -> Fitted:
        """The network with the decision points of one direction and of both."""
        return replace(network, thresholds={**network.thresholds, **self.thresholds})

    def save(self, folder: Path) -> None:
        """Write the settings and, where there is one, the network into a folder."""
        if self.base and self.network is None:
            raise InputError(f"This {NAME} has not been trained, so there is nothing to save. Call fit first.")
        folder.mkdir(parents=True, exist_ok=True)
        settings, thresholds = {"base": "", "joined_by": self.joined_by}, self.thresholds
        if self.network is not None:
            save_network(folder, self.network)
            save_base(folder, self.network.task.base)
            settings["base"] = lasting_name(self.base)
            thresholds = self._with_all_thresholds(self.network).thresholds
        Card(settings=settings, plan=self.plan, thresholds=thresholds).write(folder, NAME)

    @classmethod
    def load(cls, folder: Path) -> MutualImplication:
        """What was saved into a folder."""
        card = Card.read(folder)
        thresholds = {definition: one for definition, one in card.thresholds.items() if definition != ENTAILMENT}
        found = cls(**card.settings, plan=card.plan, thresholds=thresholds)
        if not found.base:
            return found
        task = EntailmentTask(reopen_base(folder), card.plan.max_tokens)
        entailed = {ENTAILMENT: card.thresholds[ENTAILMENT]}
        return replace(found, network=read_network(folder, task, entailed))


class EntailmentTask(TransformerTask):
    """A `PairTask`: premise and hypothesis, in this order, through one transformer, one head."""

    def __init__(self, base: Base, max_tokens: int) -> None:
        from paraloom.models.identifiers.networks.pair_reader import PairReader

        TransformerTask.__init__(self, base, [ENTAILMENT], {"system": NAME})
        self.template = template_of(base.tokeniser, 2, min(max_tokens, base.limit))
        self.net = PairReader(base.encoder(), 1)

    def lengths(self, prepared: Distinct) -> list[int]:
        return prepared.pair_lengths(self.template)

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        from torch import from_numpy

        tokens = pair_batch(prepared, rows, [False] * len(rows), self.template, device)
        return tokens, from_numpy(prepared.targets[rows]).to(device)

    def loss(self, batch: tuple[Any, ...]) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        return binary_cross_entropy_with_logits(self.logits(batch), batch[1])

    def logits(self, batch: tuple[Any, ...]) -> torch.Tensor:
        answers: torch.Tensor = self.net(batch[0])[:, 0]
        return answers
