"""Candidates in, the same in the order of a weighted sum out: what says the same, says it well and says it otherwise.

A formula names the parts and how much each counts, as in `own=1,back=1,closeness=2,novelty=1`. Every part is higher
for better candidates:

- `own`: the generator's own score;
- `back`: how likely the source is as a paraphrase of the candidate, by the same generator (the noisy channel);
- `fluency`: how likely the candidate is as a text, by the generator's language model;
- `closeness`: the cosine of an embedder's vectors;
- `strict`, `loose`: how likely they are paraphrases, by an identifier under that definition;
- `implication`: how likely each implies the other;
- `novelty`: the share of the candidate's words in a row that the source does not have (PINC);
- `apart`: the same, but the first steps away from the source count most: 1 - (1 - novelty)². So a sum leaves a near
  copy sooner than with `novelty`, and gives no meaning away for what is far enough already;
- `consensus`: the share of words in a row that a candidate has in common with the other candidates, on average: what
  many of them say is seldom made up (minimum Bayes risk decoding; Eikema and Aziz, 2020).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.diversity.pinc import pinc
from paraloom.models.generators import Candidate, Generator
from paraloom.models.generators.ranking import DECIMALS, Output

if TYPE_CHECKING:
    from paraloom.models.generators.ranking import Ranker

Values = NDArray[np.float64]

CLOSE_BY = "good"
"""The embedder of `closeness`."""
JUDGED_BY = "paraloom"
"""The identifier of `strict` and `loose`, unless another is named."""


class Part(Protocol):
    """One thing that is looked at."""

    @property
    def signature(self) -> str:
        """What decides it beside the two texts; empty where nothing does."""

    def values(self, source: str, candidates: Sequence[Candidate]) -> Values:
        """One number for each candidate, the higher the better."""


@runtime_checkable
class KnowsLikelihoods(Protocol):
    """A generator that says how likely a text is, after another or alone."""

    def likelihoods(self, pairs: Sequence[tuple[str, str]]) -> Values:
        """The mean log-probability of a token of each second text, where the first is the source."""

    def log_probabilities(self, texts: Sequence[str]) -> Values:
        """The mean log-probability of a token of each text by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Computed:
    """A part that is a function of the texts."""

    compute: Callable[[str, Sequence[str]], Values]
    signature: str = ""

    def values(self, source: str, candidates: Sequence[Candidate]) -> Values:
        return self.compute(source, [candidate.text for candidate in candidates])


@dataclass(frozen=True, slots=True)
class _Own:
    signature: str = ""

    def values(self, source: str, candidates: Sequence[Candidate]) -> Values:
        return np.array([candidate.score for candidate in candidates], np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """A ranker: the sum of parts, each times its weight."""

    parts: Mapping[str, tuple[float, Part]]

    @property
    def signature(self) -> str:
        """`weighed|own:1|closeness:2(embedder:good|…)`."""
        told = (
            f"{name}:{weight:g}{f'({part.signature})' if part.signature else ''}"
            for name, (weight, part) in sorted(self.parts.items())
        )
        return "|".join(("weighed", *told))

    def rank(self, source: str, candidates: Sequence[Candidate]) -> list[Output]:
        """Best first; of equal scores, the one that the generator named first."""
        if not candidates:
            return []
        columns = {name: part.values(source, candidates).round(DECIMALS) for name, (_, part) in self.parts.items()}
        total = np.sum([weight * columns[name] for name, (weight, _) in self.parts.items()], axis=0)
        return [
            Output(
                text=candidates[place].text,
                score=round(float(total[place]), DECIMALS),
                parts={name: float(column[place]) for name, column in columns.items()},
            )
            for place in np.argsort(-total.round(DECIMALS), kind="stable").tolist()
        ]


def read_formula(written: str) -> dict[str, float]:
    """Parts and weights.

    >>> read_formula("own=1, novelty=.5")
    {'own': 1.0, 'novelty': 0.5}
    """
    found: dict[str, float] = {}
    for term in written.split(","):
        name, equals, value = (piece.strip() for piece in term.partition("="))
        try:
            weight = float(value)
        except ValueError:
            weight = float("nan")
        if not equals or name not in PARTS or not np.isfinite(weight) or name in found:
            raise InputError(
                f"Candidates cannot be put in order by {term.strip()!r}. Give parts and weights, each part once, as in "
                f"own=1,closeness=2; the parts are {', '.join(PARTS)}."
            )
        found[name] = weight
    return found


def by_formula(written: str, generator: Generator, *, identifier: str = JUDGED_BY) -> Ranker:
    """The ranker of a formula, for the candidates of a generator."""
    return Weighed(
        parts={
            name: (weight, PARTS[name](generator, identifier))
            for name, weight in read_formula(written).items()
            if weight
        }
    )


def _back(generator: Generator, identifier: str) -> Part:
    model = _likely(generator, "back")
    return _Computed(compute=lambda source, texts: model.likelihoods([(text, source) for text in texts]))


def _fluency(generator: Generator, identifier: str) -> Part:
    model = _likely(generator, "fluency")
    return _Computed(compute=lambda source, texts: model.log_probabilities(texts))


def _likely(generator: Generator, part: str) -> KnowsLikelihoods:
    if not isinstance(generator, KnowsLikelihoods):
        raise InputError(
            f"{generator.name} does not say how likely a text is, so {part} cannot be looked at. Leave it out of "
            "--rank-by, or choose another generator (paraloom)."
        )
    return generator


def _closeness(generator: Generator, identifier: str) -> Part:
    from paraloom.models.embedders import load_embedder

    embedder = load_embedder(CLOSE_BY)

    def cosines(source: str, texts: Sequence[str]) -> Values:
        vectors = np.asarray(embedder.embed([source, *texts]), np.float64)  # of length 1
        return np.asarray(vectors[1:] @ vectors[0])

    return _Computed(compute=cosines, signature=embedder.signature)


def _judged(definition: str) -> Callable[[Generator, str], Part]:
    def part(generator: Generator, identifier: str) -> Part:
        from paraloom.models.identifiers import load

        judge = load(identifier)
        if definition not in judge.definitions:
            raise InputError(
                f"{identifier} does not know the definition {definition}. Leave {definition} out of --rank-by, or name "
                "another identifier."
            )
        return _Computed(
            compute=lambda source, texts: judge.score([source] * len(texts), list(texts), definition),
            signature=judge.signature,
        )

    return part


def _novelty(generator: Generator, identifier: str) -> Part:
    return _Computed(compute=_new_words)


def _apart(generator: Generator, identifier: str) -> Part:
    return _Computed(compute=lambda source, texts: 1.0 - (1.0 - _new_words(source, texts)) ** 2)


def _new_words(source: str, texts: Sequence[str]) -> Values:
    return np.array([pinc(source, text) for text in texts], np.float64)


def _consensus(generator: Generator, identifier: str) -> Part:
    return _Computed(compute=lambda source, texts: shared_wording(texts))


def shared_wording(texts: Sequence[str]) -> Values:
    """Of each text the mean share of words in a row that it and each other text have in common, both ways.

    >>> shared_wording(["a storm hit", "a storm hit", "it rained"]).tolist()
    [0.5, 0.5, 0.0]
    """
    if len(texts) < 2:
        return np.zeros(len(texts))
    new = np.array([[pinc(other, text) for text in texts] for other in texts], np.float64)
    shared = 1.0 - (new + new.T) / 2
    np.fill_diagonal(shared, 0.0)
    return np.asarray(shared.sum(axis=1) / (len(texts) - 1))


PARTS: dict[str, Callable[[Generator, str], Part]] = {
    "own": lambda generator, identifier: _Own(),
    "back": _back,
    "fluency": _fluency,
    "closeness": _closeness,
    "strict": _judged("strict"),
    "loose": _judged("loose"),
    "implication": _judged("implication"),
    "novelty": _novelty,
    "apart": _apart,
    "consensus": _consensus,
}
"""What can be looked at, by name."""
