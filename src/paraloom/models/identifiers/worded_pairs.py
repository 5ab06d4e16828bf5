"""Examples in, pairs as numbers of words out, and batches of them: what networks on word vectors are fed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.models.identifiers import Examples
from paraloom.models.word_vectors import WordVectors

if TYPE_CHECKING:
    import torch

    from paraloom.models.identifiers.networks.word_vector_network import WordBatch

LONGEST_TEXT = 50_000
"""Of a longer text only so many characters are cut into words."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WordedPairs:
    """Pairs whose words have numbers, in a vocabulary of just these pairs."""

    texts: list[NDArray[np.int64]]
    """The words of each distinct text, at least one."""
    left: NDArray[np.int64]
    """The number of each pair's left text."""
    right: NDArray[np.int64]
    heads: NDArray[np.int64]
    """The number of each pair's definition."""
    targets: NDArray[np.float32]
    given: torch.Tensor
    """The vector of each word, as it was found or drawn."""
    learned: torch.Tensor
    """The row of each word in the table of learned vectors; 0 where it has none."""
    _on_device: dict[str, tuple[torch.Tensor, torch.Tensor]] = field(default_factory=dict, repr=False)

    def lengths(self) -> list[int]:
        """Words of the longer text of each pair."""
        words = np.array([len(text) for text in self.texts], np.int64)
        longer: list[int] = np.maximum(words[self.left], words[self.right]).tolist()
        return longer

    def batch(self, rows: Sequence[int], device: str) -> WordBatch:
        """These pairs, on a device."""
        import torch

        from paraloom.models.identifiers.networks.word_vector_network import WordBatch

        texts = [self.texts[text] for text in (*self.left[rows], *self.right[rows])]
        lengths = np.array([len(text) for text in texts], np.int64)
        words = np.zeros((len(texts), lengths.max()), np.int64)
        mask = np.arange(lengths.max()) < lengths[:, None]
        words[mask] = np.concatenate(texts)
        numbers = torch.from_numpy(words).to(device)
        given, learned = self._tables(device)
        return WordBatch(
            given=torch.nn.functional.embedding(numbers, given),
            learned=learned[numbers],
            lengths=torch.from_numpy(lengths),
            mask=torch.from_numpy(mask).to(device),
            heads=torch.from_numpy(self.heads[rows]).to(device),
            targets=torch.from_numpy(self.targets[rows]).to(device),
        )

    def _tables(self, device: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Both tables on a device, carried there once."""
        if device not in self._on_device:
            self._on_device[device] = (self.given.to(device), self.learned.to(device))
        return self._on_device[device]


def worded(
    examples: Sequence[Examples],
    table: WordVectors,
    learned: Mapping[str, int],
    definitions: Sequence[str],
    max_words: int,
) -> WordedPairs:
    """All pairs of all definitions, in the order given. A text without a word is one empty word."""
    import torch

    number_of: dict[str, int] = {}
    place: dict[str, int] = {}
    texts = []
    for text in dict.fromkeys(text for one in examples for side in (one.left, one.right) for text in side):
        place[text] = len(place)
        words = words_of(text, table, max_words)
        texts.append(np.array([number_of.setdefault(word, len(number_of)) for word in words], np.int64))
    known = list(number_of)
    return WordedPairs(
        texts=texts,
        left=np.array([place[text] for one in examples for text in one.left], np.int64),
        right=np.array([place[text] for one in examples for text in one.right], np.int64),
        heads=np.array([definitions.index(one.definition) for one in examples for _ in range(len(one))], np.int64),
        targets=np.array([target for one in examples for target in one.targets], np.float32),
        given=torch.from_numpy(table.vectors_or_random(known)),
        learned=torch.tensor([learned.get(word, 0) for word in known], dtype=torch.int64),
    )


def words_of(text: str, table: WordVectors, max_words: int) -> list[str]:
    """The first words of a text, as the table of vectors knows them; at least an empty one."""
    return table.words(text[:LONGEST_TEXT])[:max_words] or [""]
