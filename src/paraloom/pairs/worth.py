"""What is measured of a suggestion in, the chance that a person would mark it out.

Learnt from what annotators marked in Swedish subtitles (Kanerva et al., 2023; 1,067 pairs in 17 films), against all
else that was suggested there and against suggestions for films that do not belong together. Two stretches are worth
marking if they are long and neither strangers nor nearly the same; in order also if what is around them goes together.
`python benchmarks/segments.py --learn` makes the numbers, and tells how well they do on films they were not made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pow

CERTAIN_AROUND = 0.3
"""Where what is around is at least this alike, the documents go together."""

LONG = 12
"""More words on the shorter side than these make nothing worthier."""

ARTICLES_COUNT = 0.75
"""Of two headings, what the likeness of their articles counts; the rest is for how unlike they are themselves."""

WEIGHTS = {
    ("in order", "letters"): (-9.58, 4.62, -6.36, 1.03, -1.25, 25.85),
    ("in order", "meaning"): (-9.87, 3.06, -4.38, 1.07, -1.15, 26.37),
    ("any order", "letters"): (-7.87, 17.81, -14.27, 1.41, -1.4),
    ("any order", "meaning"): (-7.1, 11.78, -7.9, 1.18, -0.15),
}
"""Of `Measured.features`, behind a constant; those with meaning by multilingual-e5-small (Wang et al., 2024)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What is known of a suggestion."""

    likeness: float
    """By letters, and by meaning if that was looked at."""
    letters: float
    """By letters alone: what is too alike is not worth marking."""
    words: tuple[int, int]
    lengths: tuple[int, int]
    """Characters of either side."""
    around: float | None
    """How alike what is before and behind is, of headings the articles; None where there is no order."""
    by_meaning: bool = False

    @property
    def known_by(self) -> tuple[str, str]:
        """What there was to go by: a key of `WEIGHTS`."""
        return "any order" if self.around is None else "in order", "meaning" if self.by_meaning else "letters"

    def features(self) -> tuple[float, ...]:
        """Numbers that are weighed and summed."""
        own = (
            self.likeness,
            self.letters**2,
            log(min(max(min(self.words), 0.5), LONG)),
            abs(log((self.lengths[0] + 5) / (self.lengths[1] + 5))),
        )
        return own if self.around is None else (*own, min(self.around, CERTAIN_AROUND))


def chance(measured: Measured, weights: Sequence[float] | None = None) -> float:
    """The chance that a person would mark it, from 0 to 1.

    >>> said = Measured(likeness=0.4, letters=0.4, words=(7, 6), lengths=(40, 35), around=0.5)
    >>> 0.4 < chance(said) < 0.8
    True
    """
    if weights is None:
        weights = WEIGHTS[measured.known_by]
    total = weights[0] + sum(weight * number for weight, number in zip(weights[1:], measured.features(), strict=True))
    return 1 / (1 + exp(-min(max(total, -50.0), 50.0)))


def heading_worth(measured: Measured) -> float:
    """How much two headings promise, from 0 to 1: the more alike their articles and the less alike they are, the more.

    Kanerva et al. (2023, section 3.2) take maximally dissimilar headings of maximally similar articles. This is the
    geometric mean of both, in which articles count three times: headings of different events are dissimilar too.

    >>> said = Measured(likeness=0.19, letters=0.19, words=(7, 6), lengths=(40, 35), around=0.81)
    >>> round(heading_worth(said), 6)
    0.81
    """
    alike, unlike = max(measured.around or 0.0, 0.0), max(1 - measured.letters, 0.0)
    return pow(alike, ARTICLES_COUNT) * pow(unlike, 1 - ARTICLES_COUNT)
