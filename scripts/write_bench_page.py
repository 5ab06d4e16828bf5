"""The `bench.json` of `paraloom bench identification` in, the page of its figures out.

python scripts/write_bench_page.py bench/bench.json docs/identification_results.md
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

OPENING = """# Identification: figures

Every system on the published corpora, ours beside the papers'. Written by `scripts/write_bench_page.py` from the
`bench.json` of

```console
paraloom bench identification --data corpora --out bench
```

The official test splits were not in that folder. So ours are measured on folds or a split of the training sets, in
whole groups (what shares a text, a trend or a link). Rows of word overlap, vectors, factors and MultiP are of five
folds on a CPU; those of neural networks of one split in 80 % and 20 % on a GPU, with one seed, fewer epochs and one
or two learning rates, not the papers' full grids. Published figures are of the papers' test sets. Training sets
hold more paraphrases than test sets, and F1 grows with that share: see *why*. The shipped model has learned from
all these training sets; its figures on groups that it never saw are in [Models](models.md#paraloom). Intervals,
costs and charts are in the report that the command makes. How pairs are chosen and what is drawn:
[Benchmarks](bench.md).

Bi-encoders compare by their cosine. Turku's heads were trained on 3,600 Finnish pairs. NLI both ways learned from 4,000
entailments alone.
"""


def main() -> None:
    bench = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    parts = [OPENING]
    parts += [pair_table(name, one) for name, one in bench["tables"].items() if any(row["ours"] for row in one["rows"])]
    parts += label_tables(bench["labels"])
    parts.append(noise_table(bench["noise"]))
    parts.append(not_run(bench))
    Path(sys.argv[2]).write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def pair_table(name: str, table: dict[str, Any]) -> str:
    """A paper's table: its rows that were run, then its rows that were not, in one line."""
    metrics = list(table["metrics"])
    heads = [f"{metric}: paper | ours" for metric in metrics]
    lines = [
        f"## {table['paper']}, Table {table['number']}" if table["paper"] else f"## {name}",
        "",
        table["caption"],
        "",
        f"| system | {' | '.join(heads)} | why more than 3 points off |",
        f"|---|{'---|---|' * len(metrics)}---|",
    ]
    for row in table["rows"]:
        if row["ours"]:
            cells = [
                f"{figure(row['published'].get(metric))} | {figure(row['ours'].get(metric))}" for metric in metrics
            ]
            lines.append(f"| {row['title']} | {' | '.join(cells)} | {row['why']} |")
    missing = [row["title"] for row in table["rows"] if not row["ours"]]
    lines += ["", f"*Not run:* {', '.join(missing)}." if missing else "", ""]
    return "\n".join(lines)


def label_tables(tables: list[dict[str, Any]]) -> list[str]:
    """Precision, recall and F1 of each label of the Turku scheme."""
    found = []
    for table in tables:
        if any(row["ours"] for row in table["rows"]):
            lines = [
                f"## {table['paper']}, Table {table['number']}: {table['test_set']}",
                "",
                "| label | paper: precision, recall, F1 | ours: precision, recall, F1 | pairs: paper, ours |",
                "|---|---|---|---|",
            ]
            for row in table["rows"]:
                ours = ", ".join(figure(one) for one in row["ours"]) or "–"
                published = ", ".join(figure(one) for one in row["published"])
                lines.append(
                    f"| {row['label']} | {published} | {ours} | {row['published_support']}, {row['support']} |"
                )
            found.append("\n".join([*lines, ""]))
    return found


def noise_table(table: dict[str, Any]) -> str:
    """Filtering and flipping of noisy labels."""
    lines = [
        "## Dou et al. (2022), Table 3",
        "",
        str(table["told"]),
        "",
        "| method | the paper learned from | paper: precision, recall, F1, accuracy | ours |",
        "|---|---|---|---|",
    ]
    for row in table["rows"]:
        published, ours = (", ".join(figure(one) for one in row[name]) or "–" for name in ("published", "ours"))
        lines.append(f"| {row['method']} | {row['data']} | {published} | {ours} |")
    return "\n".join([*lines, ""])


def not_run(bench: dict[str, Any]) -> str:
    """Why rows were not run, and how many."""
    reasons = Counter(bench["not_run"].values())
    lines = ["## Rows that were not run", "", "| why | rows |", "|---|---|"]
    lines += [f"| {reason} | {count} |" for reason, count in reasons.most_common()]
    return "\n".join(lines)


def figure(value: float | None) -> str:
    """
    >>> figure(0.8286), figure(None)
    ('.829', '')
    """
    return "" if value is None else f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


if __name__ == "__main__":
    main()
