"""Answers to the held-out rows in, the figures that goals are set on out."""

from __future__ import annotations

from typing import Any

import numpy as np

from .network import QUESTIONS

Array = np.ndarray[Any, Any]


def best_f1(scores: Array, truth: Array) -> tuple[float, float]:
    """The best F1 at any threshold, and that threshold: halfway to the next score."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(truth[order])
    f1 = 2 * hits / (np.arange(1, len(order) + 1) + truth.sum())
    f1[:-1][scores[order][:-1] == scores[order][1:]] = 0
    best = int(f1.argmax())
    after = scores[order][min(best + 1, len(order) - 1)]
    return float(f1[best]), float((scores[order][best] + after) / 2)


def f1_at(scores: Array, truth: Array, threshold: float) -> float:
    said = scores > threshold
    return float(2 * (said & truth).sum() / max(1, said.sum() + truth.sum()))


def mcc_at(scores: Array, truth: Array, threshold: float) -> float:
    said = scores > threshold
    both, neither = float((said & truth).sum()), float((~said & ~truth).sum())
    wrong, missed = float((said & ~truth).sum()), float((~said & truth).sum())
    below = ((both + wrong) * (both + missed) * (neither + wrong) * (neither + missed)) ** 0.5
    return (both * neither - wrong * missed) / below if below else 0.0


def auc(scores: Array, truth: Array) -> float:
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    return float((ranks[truth].sum() - truth.sum() * (truth.sum() + 1) / 2) / (truth.sum() * (~truth).sum()))


def best_mcc(scores: Array, truth: Array) -> tuple[float, float]:
    tried = np.unique(np.quantile(scores, np.linspace(0.01, 0.99, 99)))
    values = [mcc_at(scores, truth, one) for one in tried]
    return float(max(values)), float(tried[int(np.argmax(values))])


def held_out_figures(logits: Array, rows: dict[str, Array], kinds: list[str], there: Array) -> dict[str, float]:
    """Figures on the rows `there`; logits are a column a question."""
    column = {name: logits[:, place] for place, name in enumerate(QUESTIONS)}
    kind = np.array(kinds, dtype=object)[rows["kind"]]
    found: dict[str, float] = {}
    for name, question in (
        ("twitter-url", "loose"),
        ("pit", "loose"),
        ("msrp", "loose"),
        ("multipit-val", "strict"),
        ("people", "implication"),
    ):
        chosen = there & (kind == name) & (np.abs(np.nan_to_num(rows[question].astype(float), nan=-1) - 0.35) > 0.01)
        scores, truth = column[question][chosen], rows[question][chosen] > 0.5
        if not len(truth) or truth.all() or not truth.any():
            continue
        found[f"{name} max F1"], found[f"{name} best at"] = best_f1(scores, truth)
        found[f"{name} F1"], found[f"{name} MCC"] = f1_at(scores, truth, 0), mcc_at(scores, truth, 0)
        found[f"{name} AUC"] = auc(scores, truth)
        if question == "implication":
            found[f"{name} best MCC"], found[f"{name} best MCC at"] = best_mcc(scores, truth)
    for name in ("t5-msrp", "t5-twitterppdb"):
        chosen = there & (kind == name)
        if chosen.sum() > 10:
            truth = rows["implication"][chosen] > 0.5
            found[f"{name} MCC"] = mcc_at(column["implication"][chosen], truth, 0)
            near = chosen & (rows["similarity"] > 0.5)
            found[f"{name} near MCC"] = mcc_at(column["implication"][near], rows["implication"][near] > 0.5, 0)
            found[f"{name} similarity"] = float(
                np.corrcoef(column["similarity"][chosen], rows["similarity"][chosen].astype(float))[0, 1]
            )
    for name, question in (("sts", "likeness"),):
        chosen = there & (kind == name)
        if chosen.sum() > 10:
            found[f"{name} r"] = float(
                np.corrcoef(1 / (1 + np.exp(-column[question][chosen])), rows[question][chosen].astype(float))[0, 1]
            )
    for name, question in (("nli", "forwards"), ("qqp", "duplicate")):
        chosen = there & (kind == name)
        if chosen.sum() > 10:
            found[f"{name} accuracy"] = float(((column[question][chosen] > 0) == (rows[question][chosen] > 0.5)).mean())
    return {name: round(value, 4) for name, value in found.items()}


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
        "t5": "t5-msrp near MCC",
        "sim": "t5-msrp similarity",
        "sts": "sts r",
        "nli": "nli accuracy",
        "qqp": "qqp accuracy",
    }
    return "  ".join(f"{short} {found[name]:.3f}" for short, name in names.items() if name in found)
