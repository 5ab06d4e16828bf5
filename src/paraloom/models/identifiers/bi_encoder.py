"""Pairs of texts in, how likely they are paraphrases out, by a transformer that reads each text on its own.

Reimers and Gurevych (2019): a text's vector is the mean of its tokens' states. Two vectors u and v are compared by a
classifier on u, v and |u - v| (`classification`), or by their cosine, trained to be 1 for paraphrases and 0 for other
pairs (`cosine`). A text is read once, however many pairs it is in, which is what makes this kind cheap.

A cosine knows nothing of definitions: trained for several, it learns all their labels at once and only the decision
point is each one's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.encoders.batches import TOKENS_AT_ONCE, batches
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.fine_tuned import (
    BATCH_SIZE,
    PAIRS_AT_ONCE,
    Fitted,
    device_of,
    fitted,
    joined,
    read_card,
    read_network,
    refuse_untrained,
    save_network,
    signature_of,
)
from paraloom.models.identifiers.refusals import check_definition, check_pairs
from paraloom.models.identifiers.thresholds import place_threshold
from paraloom.models.identifiers.tokenised_pairs import Distinct, template_of, text_batch, token_rows, tokenised
from paraloom.models.identifiers.transformer_base import Base, open_base, reopen_base
from paraloom.models.training.fine_tune import fine_tune
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan

if TYPE_CHECKING:
    import torch

    from paraloom.models.identifiers.networks.text_reader import TextReader

NAME = "bi-encoder"
OBJECTIVES = ("classification", "cosine")


@dataclass(frozen=True, slots=True, kw_only=True)
class BiEncoder:
    """A transformer that reads each text on its own (Reimers and Gurevych, 2019). Needs the extra `train`.

    >>> BiEncoder(objective="cosine").definitions
    ()
    """

    base: str = "all-MiniLM-L6-v2"
    """A known model, a folder, or a name on the model hub."""
    objective: Literal["classification", "cosine"] = "classification"
    """How two vectors are compared."""
    plan: TrainingPlan = TrainingPlan()
    """How it is trained, and how many tokens of each text it reads."""
    fitted: Fitted | None = None
    """The trained network. None before `fit`."""

    def __post_init__(self) -> None:
        if self.objective not in OBJECTIVES:
            raise InputError(f"There is no objective {self.objective!r}. Choose one of: {', '.join(OBJECTIVES)}.")

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
        settings = {"base": self.base, "objective": self.objective, "max-tokens": self.plan.max_tokens}
        return signature_of(NAME, settings, self.fitted)

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(NAME, definition, self.definitions)
        assert self.fitted is not None
        return self.fitted.score(compared(self.fitted.task, left, right, definition), definition)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> BiEncoder:
        """The same settings with a network trained on all definitions at once, by the plan."""
        definitions = list(dict.fromkeys(one.definition for one in (*examples, *held_out)))

        def make_task() -> BiTask:
            return BiTask(open_base(self.base), definitions, self.objective, self.plan.max_tokens)

        tuned = fine_tune(make_task, examples, held_out, self.plan, seed=seed)
        thresholds = {}
        for definition in definitions:
            left, right, targets = joined(held_out, definition)
            thresholds[definition] = place_threshold(compared(tuned.task, left, right, definition), targets)
        return replace(self, fitted=fitted(tuned, thresholds))

    def save(self, folder: Path) -> None:
        """Write network, tokeniser and settings into a folder."""
        fitted = refuse_untrained(NAME, self.fitted)
        settings = {"base": self.base, "objective": self.objective, "definitions": fitted.task.definitions}
        save_network(folder, NAME, settings, self.plan, fitted)

    @classmethod
    def load(cls, folder: Path) -> BiEncoder:
        """What was saved into a folder."""
        card = read_card(folder)
        objective = card.settings["objective"]
        task = BiTask(reopen_base(folder), card.settings["definitions"], objective, card.plan.max_tokens)
        return cls(
            base=card.settings["base"],
            objective=objective,
            plan=card.plan,
            fitted=read_network(folder, task, card.thresholds),
        )


class BiTask:
    """A `PairTask`: each text through the transformer, then two vectors compared."""

    def __init__(self, base: Base, definitions: Sequence[str], objective: str, max_tokens: int) -> None:
        from paraloom.models.identifiers.networks.text_reader import TextReader

        self.base, self.definitions, self.objective = base, list(definitions), objective
        self.template = template_of(base.tokeniser, 1, min(max_tokens, base.limit))
        self.net: TextReader = TextReader(base.encoder(), len(self.definitions), objective)

    def prepare(self, examples: Sequence[Examples]) -> Distinct:
        return tokenised(self.base.tokeniser, examples, self.definitions)

    def lengths(self, prepared: Distinct) -> list[int]:
        lengths = np.array([len(row) for row in prepared.tokens], np.int64)
        longer = np.maximum(lengths[prepared.left], lengths[prepared.right])
        read: list[int] = np.minimum(longer, self.template.room).tolist()
        return read

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


def compared(task: Any, left: Sequence[str], right: Sequence[str], definition: str) -> NDArray[np.float64]:
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


def _vectors(task: Any, texts: Sequence[str], device: str) -> torch.Tensor:
    tokens = token_rows(task.base.tokeniser, texts)
    lengths = [min(len(row), task.template.room) for row in tokens]
    vectors: torch.Tensor = torch_library().empty((len(texts), task.base.config.hidden_size), device=device)
    tokens_at_once = TOKENS_AT_ONCE * BATCH_SIZE[device] // BATCH_SIZE["cpu"]
    for rows in batches(lengths, BATCH_SIZE[device], tokens_at_once):
        vectors[rows] = task.net.vectors(text_batch([tokens[row] for row in rows], task.template, device))
    return vectors
