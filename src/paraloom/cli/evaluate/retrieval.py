"""`paraloom evaluate retrieval`: known pairs and embedders → where one text stands when looked for by the other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions


def retrieval(
    pairs: list[str],
    /,
    *,
    options: Annotated[RetrievalOptions, Parameter(name="*")] = RetrievalOptions(),
    out: Path | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Measure how well embedders find one text of a known pair by the other, among many: top-k accuracy, average rank.

    Pairs are files with `left`, `right` and `label` (1 or 0, or grades such as `4<s`), JSON of the Turku corpus, or
    published corpora by name (`turku:dev`) in the folder --data. Each is a set of its own: candidates are the distinct
    texts of both sides and the distractors.

    Example: `paraloom evaluate retrieval pairs.tsv --embedder fast characters --distractors sentences.txt --out report`

    Parameters
    ----------
    pairs
        Files of pairs, or names of corpora.
    out
        Folder for `report.html` and `retrieval.json`.
    json
        Print one JSON object instead of tables.
    """
    from paraloom.cli.console import say
    from paraloom.cli.evaluate.results import show
    from paraloom.reports.retrieval import write_retrieval_report
    from paraloom.workflows.evaluate.report_folder import check_report_folder
    from paraloom.workflows.evaluate.retrieval import evaluate_retrieval

    if out:
        check_report_folder(out)
    evaluation = evaluate_retrieval(pairs, options, tell=say)
    report = write_retrieval_report(evaluation, out) if out else None
    show(evaluation, report, as_json=json)
