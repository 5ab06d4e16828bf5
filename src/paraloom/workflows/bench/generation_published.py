"""The papers' tables of generation as they were printed, to be set beside ours: all on test sets other than ours.

Dou et al. (2022), "Improving Large-scale Paraphrase Acquisition and Generation", Tables 4 and 5. Their BERTScore is
that of DeBERTa-xlarge-mnli, with the source; ours is that of another encoder: compare order, not values.
"""

from __future__ import annotations

from paraloom.reports.bench_generation_summary import PublishedGrid, PublishedRow

MULTIPIT, QUORA, MSCOCO, PARANMT = "MultiPIT_NMR", "Quora", "MSCOCO", "ParaNMT"

TABLE_4: tuple[PublishedRow, ...] = (
    PublishedRow(title="GPT-2 small", size="117M", figures=(41.15, 51.38, 88.18, 65.23)),
    PublishedRow(title="GPT-2 large", size="774M", figures=(42.89, 39.61, 86.16, 74.01)),
    PublishedRow(title="BART base", size="139M", figures=(46.91, 46.38, 87.65, 71.40)),
    PublishedRow(title="BART large", size="406M", figures=(47.22, 38.26, 86.40, 75.17)),
    PublishedRow(title="T5 small", size="60M", figures=(38.27, 52.16, 88.32, 68.37)),
    PublishedRow(title="T5 base", size="220M", figures=(42.10, 46.43, 87.75, 72.29)),
    PublishedRow(title="T5 large", size="770M", figures=(41.14, 33.34, 85.86, 77.79)),
    PublishedRow(title="GPT-3 zero-shot", size="175B", figures=(28.05, 31.68, 86.66, 80.16)),
    PublishedRow(title="GPT-3 few-shot", size="175B", figures=(30.17, 30.93, 86.84, 81.13)),
    PublishedRow(title="people", size="", figures=(None, 17.45, None, None)),
)
"""Models fine-tuned on MultiPIT_Auto, and GPT-3 with prompts, on the multi-reference test MultiPIT_NMR."""

TABLE_5 = PublishedGrid(
    trained_on=("MultiPIT_Auto", QUORA, MSCOCO, PARANMT),
    tested_on=(MULTIPIT, QUORA, MSCOCO, PARANMT),
    figures=(
        (
            (41.14, 33.34, 85.86, 77.79),
            (26.28, 46.98, 91.73, 67.31),
            (19.69, 56.59, 92.86, 66.44),
            (14.32, 42.69, 86.10, 70.56),
        ),
        (
            (32.13, 32.48, 83.24, 76.07),
            (28.72, 34.23, 87.97, 73.54),
            (15.37, 51.15, 88.28, 61.65),
            (8.70, 28.73, 79.79, 67.67),
        ),
        (
            (8.37, 4.83, 59.25, 63.47),
            (0.97, 1.26, 56.52, 61.55),
            (26.14, 15.46, 81.00, 80.30),
            (0.70, 0.59, 55.52, 60.56),
        ),
        (
            (38.69, 47.74, 90.98, 75.66),
            (28.20, 52.77, 93.13, 64.66),
            (19.75, 49.36, 92.59, 73.70),
            (20.36, 33.35, 86.90, 77.51),
        ),
    ),
)
"""T5 large fine-tuned on each of four corpora, on the test sets of all four."""
