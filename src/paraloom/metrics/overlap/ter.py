"""Outputs and references in, TER of the set and of each sentence out, equal to sacrebleu's to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured
from paraloom.metrics.overlap.tokenisation import Tokenisation, tokens_of, white_space_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Ter:
    """Edits that turn the output into a reference, over its length, in percent (Snover et al., 2006); as sacrebleu's.

    Of several references the one with fewest edits counts, and their mean length.

    >>> evaluation_set = EvaluationSet.of(["The storm hit the coast."], [["On Monday the storm hit the coast"]])
    >>> measured = Ter().prepare(evaluation_set)(["the storm hit the coast on Monday"])
    >>> round(measured.value, 2)  # two words were moved together: one edit in seven words
    14.29
    """

    normalized: bool = False
    """Part punctuation from words, and resolve four HTML entities."""
    no_punct: bool = False
    """Leave punctuation out."""
    asian_support: bool = False
    """With one of the two above: treat signs and punctuation of Chinese and Japanese likewise."""
    case_sensitive: bool = False
    """Do not compare lower-cased."""

    @property
    def name(self) -> str:
        """`ter`."""
        return "ter"

    @property
    def better(self) -> Better:
        """Fewer edits are nearer to a reference."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; what is returned measures one system's outputs."""
        from sacrebleu.metrics.ter import TER

        from paraloom.metrics.overlap.edit_counts import EditCounts

        ter = TER(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)
        counts = set(evaluation_set.reference_counts)
        ter.num_refs = counts.pop() if len(counts) == 1 else -1
        signature = f"{self.name}|{ter.get_signature()}"
        references, tokenisation = self._tokenisation(ter.tokenizer, evaluation_set.references)
        edits_of = EditCounts(references, tokenisation)

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            statistics = edits_of(outputs)
            # One after the other, as sacrebleu adds: mean lengths are fractions, and order decides the last digit.
            sums = np.add.accumulate(statistics)[-1]
            return Measured(
                name=self.name,
                value=float(_rate(sums)),
                items=_rate(statistics),
                signature=signature,
                better=self.better,
                statistics=statistics,
                combine=_rate,
            )

        return measure

    def _tokenisation(
        self, tokenizer: Callable[[str], str], references: Sequence[Sequence[str]]
    ) -> tuple[Sequence[Sequence[str]], Tokenisation]:
        """How texts are read, and the references to read."""
        if not self.normalized and not self.no_punct:
            return references, white_space_tokens(lowercase=not self.case_sensitive)
        # sacrebleu tokenises references twice, outputs once. It matters for "'s" before a no-break space, say.
        return [[tokenizer(text.rstrip()) for text in texts] for texts in references], tokens_of(tokenizer)


def _rate(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """Edits over length, in percent; without a reference word any edit is 100."""
    edits, length = sums[..., 0], sums[..., 1]
    return np.asarray(100 * np.where(length > 0, edits / np.where(length > 0, length, 1), np.minimum(edits, 1)))
