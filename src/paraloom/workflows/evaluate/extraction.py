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
from paraloom.workflows.table_files import check_table_file, write_table_file

SIGNATURE = "counted:letters-and-digits|overlaps:once"
UNKNOWN = "unknown"
"""The kind of documents whose source nobody said."""
EXPORTED = "the file that `paraloom annotate export --format jsonl` wrote of a campaign of the task extract"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEvaluation:
    """How productive each kind of source is."""

    figures: tuple[ExtractionFigures, ...]
    works: dict[str, float]
    """How many pairs each work gave; of documents that several people read, on average."""
    left_out: int
    """Answers that do not count: test questions, set aside, superseded."""
    read_by_several: int = 0
    """Pairs of documents that more than one person read: in `figures` each counts once for every reader."""

    def as_json(self) -> dict[str, Any]:
        """The figures by kind, and the yield of every work."""
        return {
            "metrics": {
                one.kind: {name: value for name, value in asdict(one).items() if name != "kind"} for one in self.figures
            },
            "signature": {"extraction": f"extraction|{SIGNATURE}|paraloom:{paraloom_version()}"},
            "works": self.works,
            "left_out": self.left_out,
            "read_by_several": self.read_by_several,
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
        if self.read_by_several:
            several = counted(self.read_by_several, "pair of documents", "pairs of documents")
            notes.append(f"Counted once for each reader: {several} that several people read.")
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
        works={work: _plain(works[work]) for work in sorted(works, key=lambda work: (-round(works[work], 6), work))},
        left_out=left_out,
        read_by_several=sum(len(found) > 1 for found in pairs.values()),
    )


def _plain(yielded: float) -> float:
    """A whole number where it is one.

    >>> _plain(12.0), _plain(12.5), _plain(37 / 3)
    (12, 12.5, 12.333333)
    """
    yielded = round(yielded, 6)
    return int(yielded) if yielded.is_integer() else yielded


def check_yields_file(target: Path, files: Sequence[Path], *, overwrite: bool) -> None:
    """Refuse a file of yields that cannot or must not be written, before anything is read."""
    check_table_file(target, files, "yields", overwrite=overwrite, option="--write-yields")


def write_yields(evaluation: ExtractionEvaluation, target: Path) -> None:
    """Write the yield of every work, for `groups.rounds.read_yields` to read."""
    import pyarrow as pa

    yields = list(evaluation.works.values())
    kind = pa.int64() if all(isinstance(one, int) for one in yields) else pa.float64()
    works = pa.array(list(evaluation.works), pa.string())
    write_table_file(pa.table({"work": works, "pairs": pa.array(yields, kind)}), target)


def read_extracted(file: Path) -> Iterator[Extracted | None]:
    """Every answer of a file; None for one that does not count."""
    if file.is_dir():
        raise InputError(f"{file} is a folder. Give {EXPORTED}.")
    wanted = ("task", "item_id", "content", "answer", "origin", "is_counted", "is_decision")
    rows = read_rows(file, wanted, required=())
    if missing := next((name for name in wanted[:4] if name not in rows.columns), None):
        there = ", ".join(rows.names) or "none"
        raise InputError(f"{file} has no column {missing!r}; it has {there}. Give {EXPORTED}.")
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
        raise InputError(f"{file} holds no answer of the task extract. Give {EXPORTED}.")


def _object(value: Any) -> dict[str, Any]:
    """A cell that is an object, or JSON of one."""
    import orjson

    found = orjson.loads(value) if isinstance(value, str | bytes) else value
    if not isinstance(found, dict):
        raise ValueError("content, answer and origin must be JSON objects. Export the judgments anew.")
    return found
