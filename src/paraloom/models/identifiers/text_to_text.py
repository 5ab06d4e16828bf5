"""Pairs of texts in, how likely they are paraphrases out, by a text-to-text transformer as a classifier.

Raffel et al. (2020) put every task as text: T5 is given `… sentence1: LEFT sentence2: RIGHT` and writes a word. Here
the definition that is asked for stands in the question, and of the decoder's first step only the logits of two words,
`yes` and `no`, are compared: their difference is the logit of a paraphrase, and the loss is the cross-entropy between
the two. (Nothing is generated, and probability that goes to other words counts for neither.)

**Either order gives the same score:** the mean of the logits of both orders.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
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
from paraloom.models.identifiers.tokenised_pairs import (
    Distinct,
    Template,
    as_batch,
    shares_of_room,
    token_rows,
    tokenised,
)
from paraloom.models.identifiers.transformer_base import Base, Kind, open_base, reopen_base
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch

NAME = "text-to-text"
KIND: Kind = "AutoModelForSeq2SeqLM"


@dataclass(frozen=True, slots=True, kw_only=True)
class TextToText:
    """T5, or another encoder with a decoder, that answers yes or no (Raffel et al., 2020). Needs the extra `train`.

    >>> TextToText(base="t5-small").definitions
    ()
    """

    base: str = "t5-base"
    """A folder, or a name on the model hub, of an encoder with a decoder."""
    words: tuple[str, str] = ("yes", "no")
    """What it answers for a paraphrase and for another pair; the first token of each counts."""
    plan: TrainingPlan = TrainingPlan()
    """How it is trained, and how many tokens of the question it reads."""
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
        settings = {"base": self.base, "words": "/".join(self.words), "max-tokens": self.plan.max_tokens}
        return signature_of(NAME, settings, self.fitted)

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        assert self.fitted is not None
        return self.fitted.score(pair_logits(self.fitted.task, left, right, definition), definition)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> TextToText:
        """The same settings with a network trained on all definitions at once, by the plan."""
        definitions = list(dict.fromkeys(one.definition for one in (*examples, *held_out)))

        def make_task() -> TextTask:
            return TextTask(open_base(self.base, KIND), definitions, self.words, self.plan.max_tokens)

        return replace(self, fitted=fit_network(make_task, examples, held_out, self.plan, seed))

    def save(self, folder: Path) -> None:
        """Write network, tokeniser and settings into a folder."""
        fitted = refuse_untrained(NAME, self.fitted)
        settings = {"base": self.base, "words": list(self.words), "definitions": fitted.task.definitions}
        save_network(folder, NAME, settings, self.plan, fitted)

    @classmethod
    def load(cls, folder: Path) -> TextToText:
        """What was saved into a folder."""
        card = read_card(folder)
        yes, no = card.settings["words"]
        task = TextTask(reopen_base(folder, KIND), card.settings["definitions"], (yes, no), card.plan.max_tokens)
        return cls(
            base=card.settings["base"],
            words=(yes, no),
            plan=card.plan,
            fitted=read_network(folder, task, card.thresholds),
        )


class TextTask:
    """A `PairTask`: a question in, the difference between two words' logits out."""

    def __init__(self, base: Base, definitions: Sequence[str], words: tuple[str, str], max_tokens: int) -> None:
        from paraloom.models.identifiers.networks.label_words import LabelWords

        self.base, self.definitions = base, list(definitions)
        max_tokens = min(max_tokens, base.limit)
        self.templates = [question(base.tokeniser, definition, max_tokens) for definition in self.definitions]
        self.net: torch.nn.Module = LabelWords(base.network, *_first_tokens(base.tokeniser, words))

    def prepare(self, examples: Sequence[Examples]) -> Distinct:
        return tokenised(self.base.tokeniser, examples, self.definitions)

    def lengths(self, prepared: Distinct) -> list[int]:
        return prepared.pair_lengths(self.templates[0])

    def batch(self, prepared: Distinct, rows: Sequence[int], device: str) -> tuple[Any, ...]:
        import torch

        if self.net.training:
            asked = zip(rows, (torch.rand(len(rows)) < 0.5).tolist(), strict=True)
        else:
            asked = zip([*rows, *rows], [False] * len(rows) + [True] * len(rows), strict=True)
        joined = [self._question(prepared, row, turned) for row, turned in asked]
        tokens = as_batch(joined, self.templates[0].filler, device)
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
