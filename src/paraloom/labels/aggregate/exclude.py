"""Ratings in, the same without annotators who do not go with the others out, and who these are."""

from __future__ import annotations

from paraloom.errors import InputError
from paraloom.metrics.agreement.majority import against_others
from paraloom.metrics.agreement.ratings import Ratings


def without_low_kappa(ratings: Ratings, cut: float) -> tuple[Ratings, dict[str, float]]:
    """Leave out whose kappa against the others' majority is below the cut (Lan et al., 2017, section 3.3).

    Everybody is measured once, with all others there. Who has no kappa (nothing to compare, or always the same one
    answer as the others) stays.

    >>> said = {"ann": "yyynnn", "bob": "yyynnn", "cat": "yyynny", "eve": "nnnyyy"}
    >>> rows = [(str(item), who, answer) for who, told in said.items() for item, answer in enumerate(told)]
    >>> kept, low = without_low_kappa(Ratings.of(*zip(*rows)), 0.4)
    >>> len(kept.answer), low
    (18, {'eve': -1.0})
    """
    if not -1 <= cut <= 1:
        raise InputError(f"A kappa of {cut} does not exist. Give a cut from -1 to 1, such as .4.")
    kappas = against_others(ratings).kappas.kappa
    low = {name: float(kappa) for name, kappa in zip(ratings.annotators, kappas, strict=True) if kappa < cut}
    kept = ratings.without(*low)
    if not len(kept.answer) and len(ratings.answer):
        raise InputError(f"Every annotator is below a kappa of {cut:g}, so no vote is left. Give a lower cut.")
    return kept, low
