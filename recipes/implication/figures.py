"""Answers and the truth in, figures out."""

from __future__ import annotations

from typing import Any

from rows import BORDER, Row


def measure(rows: list[Row], answers: dict[str, Any]) -> dict[str, dict[str, float]]:
    """MCC against MI at its zero point, and Pearson and Spearman correlation with BLEURT, a part of the rows each."""
    import numpy as np

    implication = np.array([float(value) for value in answers["implication"]])
    similarity = np.array([float(value) for value in answers["similarity"]])
    parts = {
        "t5": [n for n, row in enumerate(rows) if row.kind.startswith("t5")],
        "t5 above the border": [
            n for n, row in enumerate(rows) if row.kind.startswith("t5") and (row.similarity or 0) > BORDER
        ],
        "people": [n for n, row in enumerate(rows) if row.kind == "people"],
    }
    told = {}
    for name, chosen in parts.items():
        truth = np.array([rows[n].implication for n in chosen], dtype=bool)
        figures = {"pairs": len(chosen), "mi": float(truth.mean()), "mcc": mcc(implication[chosen] > 0, truth)}
        if name != "people":
            bleurt = np.array([rows[n].similarity for n in chosen])
            figures["pearson"] = float(np.corrcoef(similarity[chosen], bleurt)[0, 1])
            figures["spearman"] = float(np.corrcoef(ranks(similarity[chosen]), ranks(bleurt))[0, 1])
            figures["mean absolute error"] = float(np.abs(similarity[chosen] - bleurt).mean())
        told[name] = {key: round(value, 4) for key, value in figures.items()}
    return told


def mcc(said: Any, truth: Any) -> float:
    """Matthews correlation of two lists of booleans."""
    tp, tn = float((said & truth).sum()), float((~said & ~truth).sum())
    fp, fn = float((said & ~truth).sum()), float((~said & truth).sum())
    below = ((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)) ** 0.5
    return (tp * tn - fp * fn) / below if below else 0.0


def ranks(values: Any) -> Any:
    """Ranks, equal values sharing their mean."""
    import numpy as np

    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[inverse]
