"""What the networks on word vectors share: examples in, a trained network out, saved and read again.

The words' vectors are given (GloVe) and stay as they are, unless `train_words` asks for those of the training data to
be learned further. A word without a vector gets a small random one, the same wherever it comes, so that a
name which both texts share is seen to be shared.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.fine_tuned import (
    WEIGHTS,
    Fitted,
    fit_network,
    pair_logits,
    read_card,
    read_network,
    refuse_untrained,
    signature_of,
)
from paraloom.models.identifiers.refusals import check_definition
from paraloom.models.identifiers.worded_pairs import WordedPairs, word_pairs, words_of
from paraloom.models.training.curve import TRAINING, write_curve
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.word_vectors import WordVectors, load_word_vectors

if TYPE_CHECKING:
    import torch

    from paraloom.models.identifiers.networks.word_pairs import WordBatch

LEARNED_WORDS = "learned_words.txt"
PLAN = TrainingPlan(epochs=10, batch_size=64, learning_rates=(5e-4, 1e-3), weight_decay=0.0)
"""These networks are trained from nothing: their learning rates are higher than those of a transformer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordNetwork(ABC):
    """A system that reads word vectors: each has a network of its own. Needs the extra `train`."""

    NAME: ClassVar[str] = ""

    vectors: str = "glove-100d"
    """Word vectors: a name (`glove-50d`, `glove-100d`), a folder, or a GloVe text file."""
    train_words: bool = False
    """Whether the vectors of the training data's words are learned further."""
    plan: TrainingPlan = PLAN
    """How it is trained; of each text half of `max_tokens` words are read."""
    fitted: Fitted | None = None
    """The trained network. None before `fit`."""
    table: WordVectors | None = field(default=None, repr=False, compare=False)
    """The vectors themselves, where they are at hand; else they are loaded at first use."""

    @abstractmethod
    def network(self, width: int, heads: int) -> torch.nn.Module:
        """A fresh network for word vectors of this width, one head a definition."""

    @property
    def max_words(self) -> int:
        """How many words of a text are read."""
        return self.plan.max_tokens // 2

    @property
    def name(self) -> str:
        return self.NAME

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted.thresholds)) if self.fitted else ()

    @property
    def parameters(self) -> int:
        return self.fitted.parameters + self._table().table.size if self.fitted else 0

    @property
    def signature(self) -> str:
        table = self._table()
        told = {"vectors": f"{table.name}@{table.digest[:8]}", "max-words": self.max_words}
        own = {key.replace("_", "-"): value for key, value in self._settings().items() if key != "vectors"}
        return signature_of(self.NAME, told | own, self.fitted)

    def _table(self) -> WordVectors:
        return self.table if self.table is not None else load_word_vectors(self.vectors)

    def _settings(self) -> dict[str, Any]:
        """What was chosen, but for how to train."""
        found = {"plan", "fitted", "table"}
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name not in found}

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> NDArray[np.float64]:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(self.NAME, definition, self.definitions)
        assert self.fitted is not None
        return self.fitted.score(pair_logits(self.fitted.task, left, right, definition), definition)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Self:
        """The same settings with a network trained on all definitions at once, by the plan."""
        torch_library()
        table = self._table()
        definitions = list(dict.fromkeys(one.definition for one in (*examples, *held_out)))
        learned = self._words_to_learn(examples, table) if self.train_words else []

        def make_task() -> WordTask:
            return self._task(table, definitions, learned)

        return replace(self, fitted=fit_network(make_task, examples, held_out, self.plan, seed), table=table)

    def _words_to_learn(self, examples: Sequence[Examples], table: WordVectors) -> list[str]:
        texts = dict.fromkeys(text for one in examples for side in (one.left, one.right) for text in side)
        return sorted({word for text in texts for word in words_of(text, table, self.max_words)})

    def _task(self, table: WordVectors, definitions: Sequence[str], learned: Sequence[str]) -> WordTask:
        import torch

        from paraloom.models.identifiers.networks.word_pairs import WordPairs

        initial = torch.from_numpy(table.vectors_or_random(learned))
        network = self.network(table.width, len(definitions))
        net = WordPairs(network, initial, bytes.fromhex(table.digest))
        return WordTask(net, table, definitions, learned, self.max_words)

    def save(self, folder: Path) -> None:
        """Write network, word vectors, learning curve and, last, the card into a folder."""
        fitted = refuse_untrained(self.NAME, self.fitted)
        from safetensors.torch import save_model

        task: WordTask = fitted.task
        task.table.write(folder)
        save_model(task.net, str(folder / WEIGHTS))
        words = "".join(f"{word}\n" for word in task.learned)
        (folder / LEARNED_WORDS).write_bytes(words.encode("utf-8", "surrogatepass"))
        write_curve(folder / TRAINING, fitted.curve)
        card = {
            "name": self.NAME,
            "settings": self._settings() | {"vectors": task.table.name, "definitions": task.definitions},
            "plan": asdict(self.plan),
            "thresholds": {definition: asdict(one) for definition, one in fitted.thresholds.items()},
        }
        (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What was saved into a folder."""
        torch_library()
        card = read_card(folder)
        settings = dict(card.settings)
        definitions = settings.pop("definitions")
        table = WordVectors.read(folder, settings["vectors"])
        untrained = cls(**settings | {"vectors": str(folder)}, plan=card.plan, table=table)
        words = (folder / LEARNED_WORDS).read_bytes().decode("utf-8", "surrogatepass").split("\n")[:-1]
        task = untrained._task(table, definitions, words)
        fitted = read_network(folder, task, card.thresholds)
        if task.given_vectors() != table.digest:
            raise InputError(f"The word vectors in {folder} are not those that {WEIGHTS} was trained on. Save it anew.")
        return replace(untrained, fitted=fitted)


class WordTask:
    """A `PairTask`: word vectors of both texts through one network, one head a definition."""

    def __init__(
        self,
        net: torch.nn.Module,
        table: WordVectors,
        definitions: Sequence[str],
        learned: Sequence[str],
        max_words: int,
    ) -> None:
        self.net, self.table = net, table
        self.definitions, self.learned = list(definitions), list(learned)
        self.row_of: Mapping[str, int] = {word: row for row, word in enumerate(learned, start=1)}
        self.max_words = max_words

    def given_vectors(self) -> str:
        """The hash of the word vectors that the network was trained on."""
        return bytes(self.net.get_buffer("given_vectors").tolist()).hex()

    def prepare(self, examples: Sequence[Examples]) -> WordedPairs:
        return word_pairs(examples, self.table, self.row_of, self.definitions, self.max_words)

    def lengths(self, prepared: WordedPairs) -> list[int]:
        return prepared.lengths()

    def batch(self, prepared: WordedPairs, rows: Sequence[int], device: str) -> WordBatch:
        return prepared.batch(rows, device)

    def loss(self, batch: WordBatch) -> torch.Tensor:
        from torch.nn.functional import binary_cross_entropy_with_logits

        return binary_cross_entropy_with_logits(self.logits(batch), batch.targets)

    def logits(self, batch: WordBatch) -> torch.Tensor:
        answers: torch.Tensor = self.net(batch)
        return answers.gather(1, batch.heads[:, None])[:, 0]
