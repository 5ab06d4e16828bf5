"""Two texts in, out comes how new the second one's wording is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from paraloom.errors import InputError
from paraloom.text.tokenise import tokenise

if TYPE_CHECKING:
    from paraloom.metrics.evaluation_set import EvaluationSet
    from paraloom.metrics.measured import Better, Measured


def pinc(source: str, candidate: str, n: int = 4) -> float:
    """Share of the candidate's n-grams that are not in the source, averaged over 1 to `n` (Chen and Dolan, 2011).

    0 where every n-gram is copied, 1 where none is. Texts are tokenised and lower-cased; punctuation counts, as in the
    paper. Each n-gram counts once. A length for which the candidate is too short is left out of the mean; a candidate
    without tokens has nothing new in it and scores 0.

    >>> pinc("the storm hit the coast", "the storm hit the coast")
    0.0
    >>> round(pinc("The storm hit the coast", "The hurricane hit the coast"), 3)
    0.604
    """
    return pinc_of_tokens(tokenise(source.lower()), tokenise(candidate.lower()), n)


def pinc_of_tokens(source_tokens: Sequence[str], candidate_tokens: Sequence[str], n: int = 4) -> float:
    """The same for texts that are tokens already; case is taken as it is.

    >>> pinc_of_tokens("a b c".split(), "a b d".split(), n=2)
    0.4166666666666667
    """
    if n < 1:
        raise ValueError(f"PINC over n-grams up to {n} does not exist. Give an n of at least 1.")
    longest = min(n, len(candidate_tokens))
    if longest == 0:
        return 0.0
    total = 0.0
    # The n-grams of one length are those of the length before with one more token: zip needs one new slice a turn.
    source_slices, candidate_slices = [source_tokens], [candidate_tokens]
    in_candidate: set[object] = set(candidate_tokens)
    shared = len(in_candidate.intersection(source_tokens))
    for length in range(1, longest + 1):
        if length > 1:
            source_slices.append(source_tokens[length - 1 :])
            candidate_slices.append(candidate_tokens[length - 1 :])
            in_candidate = set(zip(*candidate_slices))  # noqa: B905 - the slices get shorter on purpose, and strict costs time
            shared = len(in_candidate.intersection(zip(*source_slices)))  # noqa: B905
        if shared == 0:
            # No n-gram of this length is shared, so none of any greater length can be.
            return (total + longest - length + 1) / longest
        total += 1 - shared / len(in_candidate)
    return total / longest


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinc:
    """Mean PINC of the outputs against their sources (Chen and Dolan, 2011), from 0 to 1."""

    n: int = 4
    """Longest n-grams that count."""

    def __post_init__(self) -> None:
        """Refuse a length that does not exist before anything is read."""
        if self.n < 1:
            raise InputError(f"PINC over n-grams up to {self.n} does not exist. Give an n of at least 1.")

    @property
    def name(self) -> str:
        """`pinc`."""
        return "pinc"

    @property
    def better(self) -> Better:
        """Higher: more of the wording is new."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Measure outputs against these sources; references are not looked at."""
        # Imported here, as a build takes the functions above and has no need of what evaluation imports.
        from paraloom.metrics.diversity.source_against_output import mean_over_pairs

        return mean_over_pairs(
            self,
            evaluation_set,
            read=lambda text: tokenise(text.lower()),
            score=partial(pinc_of_tokens, n=self.n),
            settings={"n": self.n, "case": "lc", "tok": "paraloom"},
        )
