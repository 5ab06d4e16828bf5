"""What people extracted from pairs of documents in, how productive each kind of source is out: Table 1 of Kanerva et
al. (2023), and how many pairs each work gave, by which a second round of films is chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from paraloom.corpus.extraction_statistics import ExtractedDocuments, ExtractedSide, extraction_figures
from paraloom.engine.given import read_rows
from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.judgments.tasks import task_named
from paraloom.judgments.tasks.extract import ExtractAnswer, ExtractContent
from paraloom.metrics.corpus_figures import ExtractionFigures
from paraloom.reports.pages import decimal, number, percent
from paraloom.reports.papers_turku import EXTRACTION
from paraloom.reports.plain import plain_table
from paraloom.text.counted import counted

SIGNATURE = "counted:letters-and-digits|overlaps:once"
UNKNOWN = "unknown"
"""The kind of documents whose source nobody said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEvaluation:
    """How productive each kind of source is."""

    figures: tuple[ExtractionFigures, ...]
    works: dict[str, int]
    """How many pairs each work gave; of documents that several people read, on average."""
    left_out: int
    """Answers that do not count: test questions, set aside, superseded."""

    def as_json(self) -> dict[str, Any]:
        """The figures by kind, and the yield of every work."""
        return {
            "metrics": {
                one.kind: {name: value for name, value in asdict(one).items() if name != "kind"} for one in self.figures
            },
            "signature": {"extraction": f"extraction|{SIGNATURE}|paraloom:{paraloom_version()}"},
            "works": self.works,
            "left_out": self.left_out,
        }

    def as_text(self) -> str:
        """The table, with the paper's line under ours."""
        published = {one.kind: one for one in EXTRACTION}
        rows = []
        for one in self.figures:
            rows.append([one.kind, *_cells(one)])
            if one.kind in published:
                rows.append(["  in the paper", *_cells(published[one.kind])])
        header = ["kind", "pairs of documents", "empty", "extracted each", "coverage", "length"]
        notes = [f"{counted(self.left_out, 'answer does', 'answers do')} not count."] if self.left_out else []
        return "\n\n".join([plain_table(header, rows, words=(0,)), *notes])


def _cells(one: Any) -> list[str]:
    return [
        number(one.documents),
        percent(one.empty),
        decimal(one.extracted_per_document, 1),
        percent(one.coverage),
        decimal(one.length, 0),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One answer of the task `extract`."""

    item_id: str
    kind: str
    work: str | None
    content: ExtractContent
    answer: ExtractAnswer

    @property
    def documents(self) -> ExtractedDocuments:
        """The documents with what was taken from them."""
        return ExtractedDocuments(
            kind=self.kind,
            left=self.content.left.text,
            right=self.content.right.text,
            spans=[
                ((pair.left_start, pair.left_end), (pair.right_start, pair.right_end)) for pair in self.answer.pairs
            ],
        )


def evaluate_extraction(files: Sequence[str | Path]) -> ExtractionEvaluation:
    """The figures of exported judgments (`paraloom annotate export --format jsonl` or `csv`)."""
    sides: list[ExtractedSide] = []
    pairs: dict[str, list[int]] = {}
    work_of: dict[str, str] = {}
    left_out = 0
    for file in files:
        for one in read_extracted(Path(file)):
            if one is None:
                left_out += 1
                continue
            sides += one.documents.sides()
            pairs.setdefault(one.item_id, []).append(len(one.answer.pairs))
            if one.work is not None:
                work_of.setdefault(one.item_id, one.work)
    works: dict[str, float] = {}
    for item_id, work in work_of.items():  # of several people who read the same documents, what they found on average
        works[work] = works.get(work, 0.0) + mean(pairs[item_id])
    return ExtractionEvaluation(
        figures=extraction_figures(sides),
        works={work: round(yielded) for work, yielded in sorted(works.items(), key=lambda item: (-item[1], item[0]))},
        left_out=left_out,
    )


def read_extracted(file: Path) -> Iterator[Extracted | None]:
    """Every answer of a file; None for one that does not count."""
    wanted = ("task", "item_id", "content", "answer", "origin", "is_counted", "is_decision")
    rows = read_rows(file, wanted, required=("task", "item_id", "content", "answer"))
    task = task_named("extract")
    columns = [rows.columns.get(name, [None] * len(rows.lines)) for name in wanted]
    met = 0
    for line, name, item_id, content, answer, origin, is_counted, is_decision in zip(rows.lines, *columns, strict=True):
        if name != "extract" or is_decision in (True, "true", "True", 1, "1"):  # an expert's word is no extractor's
            continue
        met += 1
        if is_counted in (False, "false", "False", 0, "0"):
            yield None
            continue
        try:
            shown = task.read_content(_object(content))
            said = task.read_answer(_object(answer), shown)
            about = _object(origin) if origin else {}
        except (InputError, ValueError) as error:
            raise InputError(f"{file}, line {line}: {error}") from error
        kind, work = about.get("kind"), about.get("key")
        yield Extracted(
            item_id=str(item_id),
            kind=kind if isinstance(kind, str) else UNKNOWN,
            work=work if isinstance(work, str) else None,
            content=shown,
            answer=said,
        )
    if not met:
        raise InputError(
            f"{file} holds no answer of the task extract. Give what `paraloom annotate export --format jsonl` wrote of "
            "such a campaign."
        )


def _object(value: Any) -> dict[str, Any]:
    """A cell that is an object, or JSON of one."""
    import orjson

    found = orjson.loads(value) if isinstance(value, str | bytes) else value
    if not isinstance(found, dict):
        raise ValueError("content, answer and origin must be JSON objects. Export the judgments anew.")
    return found
