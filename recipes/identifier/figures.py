"""Answers to the held-out rows in, the figures that goals are set on out."""

from __future__ import annotations

from typing import Any

import numpy as np

from paraloom.metrics.identification.decisions import best_f1, measure_decisions
from paraloom.metrics.identification.ranking import Ranking
from paraloom.models.pair_model import QUESTIONS

Array = np.ndarray[Any, Any]

GOALS = {
    "twitter-url": "loose",
    "pit": "loose",
    "msrp": "loose",
    "multipit-val": "strict",
    "people": "implication",
}
"""Kinds of rows that goals are set on, and the question they are asked."""


def pair_figures(answers: Array, truth: Array, middle: float = 0.0) -> dict[str, float]:
    """Max F1, and what comes of calling every answer above `middle` a paraphrase."""
    answers = answers.astype(np.float64)
    decided = measure_decisions(answers, truth, middle)
    return {
        "max F1": best_f1(answers, truth).f1,
        "best at": best_f1(answers, truth).threshold,
        "F1": decided["f1"].value,
        "MCC": decided["mcc"].value,
        "AUC": float(Ranking.of(answers, truth).figures()[2]),
    }


def best_mcc(answers: Array, truth: Array) -> float:
    """Matthews' correlation at the best of a hundred thresholds."""
    tried = np.unique(np.quantile(answers, np.linspace(0.01, 0.99, 99)))
    return max(measure_decisions(answers.astype(np.float64), truth, one)["mcc"].value for one in tried.tolist())


def held_out_figures(logits: Array, rows: dict[str, Array], kinds: list[str], there: Array) -> dict[str, float]:
    """Figures on the rows `there`; logits are a column a question."""
    column = {name: logits[:, place].astype(np.float64) for place, name in enumerate(QUESTIONS)}
    kind = np.array(kinds)[rows["kind"]]
    found: dict[str, float] = {}
    for name, question in GOALS.items():
        chosen = there & (kind == name) & rows["decided"]
        truth = rows[question][chosen] > 0.5
        if not len(truth) or truth.all() or not truth.any():
            continue
        found |= {f"{name} {one}": value for one, value in pair_figures(column[question][chosen], truth).items()}
        if question == "implication":
            found[f"{name} best MCC"] = best_mcc(column[question][chosen], truth)
            both = column[question][chosen] + column["strict"][chosen]  # as the identifier reads it
            found[f"{name} best MCC, with strict"] = best_mcc(both, truth)
            found[f"{name} AUC, with strict"] = float(Ranking.of(both, truth).figures()[2])
    for name in ("t5-msrp", "t5-twitterppdb"):
        chosen = there & (kind == name)
        near = chosen & (rows["similarity"] > 0.5)
        if near.sum() > 10:
            for called, which in (("", chosen), ("near ", near)):
                truth = rows["implication"][which] > 0.5
                found[f"{name} {called}MCC"] = measure_decisions(column["implication"][which], truth, 0.0)["mcc"].value
            found[f"{name} similarity"] = _correlation(column["similarity"][chosen], rows["similarity"][chosen])
    chosen = there & (kind == "sts")
    if chosen.sum() > 10:
        found["sts r"] = _correlation(1 / (1 + np.exp(-column["likeness"][chosen])), rows["likeness"][chosen])
    for name, question in (("nli", "forwards"), ("qqp", "duplicate")):
        chosen = there & (kind == name)
        if chosen.sum() > 10:
            found[f"{name} accuracy"] = float(((column[question][chosen] > 0) == (rows[question][chosen] > 0.5)).mean())
    return {name: round(value, 4) for name, value in found.items()}


def _correlation(one: Array, other: Array) -> float:
    return float(np.corrcoef(one, other.astype(np.float64))[0, 1])


def shown(found: dict[str, float]) -> str:
    """The goals' figures in one line."""
    names = {
        "tw": "twitter-url max F1",
        "pit": "pit max F1",
        "msrp": "msrp max F1",
        "mp": "multipit-val F1",
        "mp*": "multipit-val max F1",
        "aph": "people MCC",
        "aph*": "people best MCC",
        "aphAUC": "people AUC",
        "aph+": "people best MCC, with strict",
        "aph+AUC": "people AUC, with strict",
        "t5": "t5-msrp near MCC",
        "sim": "t5-msrp similarity",
        "sts": "sts r",
        "nli": "nli accuracy",
        "qqp": "qqp accuracy",
    }
    return "  ".join(f"{short} {found[name]:.3f}" for short, name in names.items() if name in found)
