"""What the networks on word vectors share: examples in, a trained network out, saved and read again.

The words' vectors are given (GloVe) and stay as they are, unless `train_words` asks for those of the training data to
be learned further. A word without a vector gets a small random one, the same wherever it comes, so that a
name which both texts share is seen to be shared.

An LSTM multiplies few rows in another order than many: a pair's score may differ by 2e-6 with the pairs it is scored
with.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from paraloom.errors import InputError
from paraloom.models.identifiers import Examples
from paraloom.models.identifiers.network_identifier import NetworkIdentifier
from paraloom.models.identifiers.refusals import with_held_out
from paraloom.models.identifiers.saved_network import WEIGHTS, Card, read_network, save_network
from paraloom.models.identifiers.trained_network import fit_network, signature_of
from paraloom.models.identifiers.worded_pairs import WordedPairs, worded, words_of
from paraloom.models.training.library import torch_library
from paraloom.models.training.plan import TrainingPlan
from paraloom.models.word_vectors import WordVectors, load_word_vectors

if TYPE_CHECKING:
    import torch

    from paraloom.models.identifiers.networks.word_vector_network import WordBatch

LEARNED_WORDS = "learned_words.txt"
PLAN = TrainingPlan(epochs=10, batch_size=64, learning_rates=(5e-4, 1e-3), weight_decay=0.0)
"""These networks are trained from nothing: their learning rates are higher than those of a transformer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WordNetwork(NetworkIdentifier):
    """A system that reads word vectors: each has a network of its own. Needs the extra `train`."""

    PLACE: ClassVar[str] = "vectors"

    vectors: str = "glove-100d"
    """Word vectors: a name (`glove-50d`, `glove-100d`), a folder, or a GloVe text file."""
    train_words: bool = False
    """Whether the vectors of the training data's words are learned further."""
    plan: TrainingPlan = PLAN
    """How it is trained; of each text half of `max_tokens` words are read."""
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
    def parameters(self) -> int:
        return self.fitted.parameters + self._table().table.size if self.fitted else 0

    @property
    def signature(self) -> str:
        table = self._table()
        told = {"vectors": f"{table.name}@{table.digest[:8]}", "max-words": self.max_words}
        return signature_of(self.NAME, told | self.own_settings(), self.fitted)

    def _table(self) -> WordVectors:
        return self.table if self.table is not None else load_word_vectors(self.vectors)

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Self:
        """The same settings with a network trained on all definitions at once, by the plan."""
        torch_library()
        table = self._table()
        sets = with_held_out(examples, held_out)
        definitions = [one.definition for one, _ in sets]
        learned = self._words_to_learn([one for one, _ in sets], table) if self.train_words else []

        def make_task() -> WordTask:
            return self._task(table, definitions, learned)

        return replace(self, fitted=fit_network(make_task, sets, self.plan, seed), table=table)

    def _words_to_learn(self, examples: Sequence[Examples], table: WordVectors) -> list[str]:
        texts = dict.fromkeys(text for one in examples for side in (one.left, one.right) for text in side)
        return sorted({word for text in texts for word in words_of(text, table, self.max_words)})

    def _task(self, table: WordVectors, definitions: Sequence[str], learned: Sequence[str]) -> WordTask:
        import torch

        from paraloom.models.identifiers.networks.word_vector_network import WordVectorNetwork

        initial = torch.from_numpy(table.vectors_or_random(learned))
        network = self.network(table.width, len(definitions))
        net = WordVectorNetwork(network, initial, bytes.fromhex(table.digest))
        return WordTask(net, table, definitions, learned, self.max_words, self.identity())

    def save(self, folder: Path) -> None:
        """Write network, word vectors, learning curve and, last, the card into a folder."""
        fitted = self.trained()
        task: WordTask = fitted.task
        task.table.write(folder)
        save_network(folder, fitted)
        words = "".join(f"{word}\n" for word in task.learned)
        (folder / LEARNED_WORDS).write_bytes(words.encode("utf-8", "surrogatepass"))
        settings = self.settings() | {"vectors": task.table.name, "definitions": task.definitions}
        Card(settings=settings, plan=self.plan, thresholds=fitted.thresholds).write(folder, self.NAME)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What was saved into a folder."""
        torch_library()
        card = Card.read(folder)
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
        system: Mapping[str, Any],
    ) -> None:
        """`system` is the identity of the system that it is a task of."""
        self.net, self.table = net, table
        self.definitions, self.learned = list(definitions), list(learned)
        self.row_of: Mapping[str, int] = {word: row for row, word in enumerate(learned, start=1)}
        self.max_words, self.system = max_words, system

    @property
    def identity(self) -> dict[str, Any]:
        return {**self.system, "definitions": self.definitions}

    def given_vectors(self) -> str:
        """The hash of the word vectors that the network was trained on."""
        return bytes(self.net.get_buffer("given_vectors").tolist()).hex()

    def prepare(self, examples: Sequence[Examples]) -> WordedPairs:
        return worded(examples, self.table, self.row_of, self.definitions, self.max_words)

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
