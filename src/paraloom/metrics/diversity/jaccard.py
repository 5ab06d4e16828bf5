"""Two texts in, out comes how much of their vocabulary they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paraloom.text.tokenise import tokenise

if TYPE_CHECKING:
    from paraloom.metrics.evaluation_set import EvaluationSet
    from paraloom.metrics.measured import Better, Measured


def jaccard(left: str, right: str) -> float:
    """Tokens in both texts over tokens in either, as sets, lower-cased; punctuation counts (Jaccard, 1912).

    Two texts without tokens are the same text, and score 1.

    >>> jaccard("the storm hit the coast", "The storm hit Florida")
    0.6
    """
    return jaccard_of_tokens(tokenise(left.lower()), tokenise(right.lower()))


def jaccard_of_tokens(left_tokens: Iterable[str], right_tokens: Iterable[str]) -> float:
    """The same for texts that are tokens already; case is taken as it is.

    >>> jaccard_of_tokens(["a", "b"], ["b", "c"])
    0.3333333333333333
    """
    left, right = set(left_tokens), set(right_tokens)
    shared = len(left & right)
    either = len(left) + len(right) - shared
    return shared / either if either else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Jaccard:
    """Mean Jaccard similarity of the outputs with their sources, from 0 to 1."""

    @property
    def name(self) -> str:
        """`jaccard`."""
        return "jaccard"

    @property
    def better(self) -> Better:
        """Lower: less of the vocabulary is the source's."""
        return "lower"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""
        # Imported here, as a build takes the functions above and has no need of what evaluation imports.
        from paraloom.metrics.diversity.source_against_output import mean_over_pairs

        return mean_over_pairs(
            self,
            evaluation_set,
            read=lambda text: frozenset(tokenise(text.lower())),
            score=jaccard_of_tokens,
            settings={"case": "lc", "tok": "paraloom"},
        )
