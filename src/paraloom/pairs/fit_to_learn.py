"""Sources and paraphrases in, why each is not fit to learn from out: no copies, no inventions, nothing of a test set.

A generator writes as it was taught. Pairs that hardly differ teach it to copy (Dou et al., 2022, section 4.1 and figure
8, after Chen et al., 2019), and pairs of which one side knows more teach it to invent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.diversity.small_changes import kinds_of_change
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.overlap.bleu import SentenceBleu
from paraloom.pairs.fit_options import FitOptions
from paraloom.text.facts import breaches
from paraloom.text.normalise import comparable
from paraloom.text.tokenise import words

if TYPE_CHECKING:
    from numpy.typing import NDArray

EMPTY = "empty"
LENGTH = "length"
DUPLICATE = "duplicate"
SEEN_IN_TEST = "seen_in_test"
BLEU = "bleu"
NEAR_COPY = "near_copy"
INVENTED = "invented"
MISSING = "missing"
NOT_STRICT = "not_strict"
REASONS = (EMPTY, LENGTH, DUPLICATE, SEEN_IN_TEST, BLEU, NEAR_COPY, INVENTED, MISSING, NOT_STRICT)
"""In the order in which they are looked at: a row is left out for the first."""

AT_ONCE = 20_000
"""Rows whose BLEU is computed together."""

Judge: TypeAlias = "Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]"
"""Left and right texts in, how likely each pair is a paraphrase by the strict definition out."""


def fit_to_learn(
    sources: Sequence[str],
    targets: Sequence[str],
    options: FitOptions = FitOptions(),
    *,
    seen: Sequence[bool] | None = None,
    judge: Judge | None = None,
) -> tuple[str | None, ...]:
    """For each row why it is left out, or None where it is fit to learn from; a row is a source and what it becomes.

    `seen` says which rows have something in common with a test set. `judge` is asked last, about what is left.

    >>> sources = ["a storm hit the coast on monday", "the vote was close in paris"]
    >>> targets = ["a storm hit the coast on a monday", "few votes decided it, said Ann"]
    >>> fit_to_learn(sources, targets)
    ('bleu', 'invented')
    """
    if len(sources) != len(targets) or (seen is not None and len(seen) != len(sources)):
        raise InputError(f"There are {len(sources)} sources and {len(targets)} paraphrases. Give one for each.")
    reasons = _at_first_sight(sources, targets, options)
    if seen is not None:
        _fill(reasons, lambda row: SEEN_IN_TEST if seen[row] else None)
    if options.max_bleu < 100:
        rows = _left(reasons)
        for row, value in zip(rows, _higher_bleu(sources, targets, rows, options), strict=True):
            reasons[row] = BLEU if value > options.max_bleu else None
    if not options.near_copies:
        _fill(reasons, lambda row: _near_copy(sources[row], targets[row], options))
    if options.facts != "any":
        _fill(reasons, lambda row: _breach(sources[row], targets[row], options))
    if judge is not None:
        rows = _left(reasons)
        scores = _judged([(sources[row], targets[row]) for row in rows], judge)
        for row, score in zip(rows, scores, strict=True):
            reasons[row] = NOT_STRICT if score < options.min_score else None
    return tuple(reasons)


def counted_reasons(reasons: Sequence[str | None]) -> dict[str, int]:
    """How many rows are left out for each reason, in the order in which they are looked at.

    >>> counted_reasons(["bleu", None, "length", "bleu"])
    {'length': 1, 'bleu': 2}
    """
    found = Counter(reason for reason in reasons if reason is not None)
    return {reason: found[reason] for reason in (*REASONS, *sorted(found.keys() - set(REASONS))) if found[reason]}


def _left(reasons: Sequence[str | None]) -> list[int]:
    return [row for row, reason in enumerate(reasons) if reason is None]


def _fill(reasons: list[str | None], reason_of: Callable[[int], str | None]) -> None:
    """Look at what is still left."""
    for row in _left(reasons):
        reasons[row] = reason_of(row)


def _at_first_sight(sources: Sequence[str], targets: Sequence[str], options: FitOptions) -> list[str | None]:
    """Nothing to learn from, lengths that do not go together, and the second of two that are the same."""
    found: list[str | None] = []
    met: set[tuple[str, str]] = set()
    lengths: dict[str, int] = {}
    for pair in zip(sources, targets, strict=True):
        shorter, longer = sorted(_words(text, lengths) for text in pair)
        key = (comparable(pair[0]), comparable(pair[1]))
        if not shorter:
            found.append(EMPTY)
        elif shorter < options.min_words or longer > options.max_words or longer >= shorter * options.max_length_ratio:
            found.append(LENGTH)
        else:
            found.append(DUPLICATE if key in met else None)
            met.add(key)
    return found


def _words(text: str, known: dict[str, int]) -> int:
    if text not in known:
        known[text] = len(words(text))
    return known[text]


def _higher_bleu(
    sources: Sequence[str], targets: Sequence[str], rows: Sequence[int], options: FitOptions
) -> list[float]:
    """Of each row the higher of two: BLEU of the paraphrase against the source, and the other way round."""
    bleu = SentenceBleu(lowercase=not options.cased_bleu)
    found: list[float] = []
    for start in range(0, len(rows), AT_ONCE):
        some = rows[start : start + AT_ONCE]
        left, right = [sources[row] for row in some], [targets[row] for row in some]
        found += np.maximum(_against(bleu, left, right), _against(bleu, right, left)).tolist()
    return found


def _against(bleu: SentenceBleu, outputs: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    one_each = EvaluationSet(tuple(references), tuple((text,) for text in references))
    return np.asarray(bleu.prepare(one_each)(outputs).items, np.float64)


def _near_copy(source: str, target: str, options: FitOptions) -> str | None:
    return None if kinds_of_change(source, target, options.language) is None else NEAR_COPY


def _breach(source: str, target: str, options: FitOptions) -> str | None:
    found = {one.what for one in breaches(source, target, language=options.language)}
    if "invented" in found:
        return INVENTED
    return MISSING if found and options.facts == "kept" else None


def _judged(pairs: Sequence[tuple[str, str]], judge: Judge) -> list[float]:
    """The score of each pair, asked once for both ways: it is the same in either order."""
    keys = [(min(pair), max(pair)) for pair in pairs]
    asked = list(dict.fromkeys(keys))
    scores = judge([left for left, _ in asked], [right for _, right in asked]).tolist() if asked else []
    known = dict(zip(asked, scores, strict=True))
    return [known[key] for key in keys]
