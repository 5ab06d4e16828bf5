"""A folder in, PIT-2015 out: SemEval-2015 task 1 (Xu et al., 2015), sentences of tweets on one trend.

`topic id, topic, sentence, sentence, label, tags, tags`, tab-separated. In `train.data` and `dev.data` the label is
`(yes, no)` of 5 workers: 3 or more yes is a paraphrase, 1 or none is not, 2 is left out. In `test.data` it is an
expert's number from 0 to 5: 4 and 5 are paraphrases, 0 to 2 are not, 3 is left out; where the column is empty it is
taken from `test.label` (`true`, `false` or neither, and a fifth of the number). `train_derived_3way.tsv` is a train set
without topics: `sentence1, sentence2, label` (1, 0 or debatable) and the share of votes where it is known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path

from paraloom.corpus.known.files import (
    UNDECIDED,
    BadRow,
    Expected,
    PairRow,
    existing,
    lines_of,
    named_columns,
    pairs_of,
    side,
    target_by_votes,
    tsv_rows,
    two_numbers,
)
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader, Part

WORKERS = 5
EXPERTS_EVEN = 3
"""The expert's number at which a pair is left out."""

_GRADE = re.compile(r"[0-5]")

OFFICIAL = Expected(
    form="7 tab-separated columns without a header: topic id, topic, sentence, sentence, label, tags, tags",
    first=lambda text: text.partition("\n")[0].count("\t") in (4, 6) and text[:1].isdigit(),
)
DERIVED = Expected(
    form="a header and tab-separated sentence1, sentence2, label (1, 0 or debatable), vote_fraction_if_known",
    first=lambda text: text.startswith("sentence1\tsentence2\tlabel\tvote_fraction_if_known"),
)
DERIVED_COLUMNS = ("sentence1", "sentence2", "label", "vote_fraction_if_known")


def read_pit2015(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder."""
    files = reader.found(folder, Expected(form=OFFICIAL.form, first=_is_either))
    return reader.corpus(folder, {split: _read(file) for split, file in files.items()})


def _is_either(text: str) -> bool:
    return OFFICIAL.first(text) or DERIVED.first(text)


def _read(file: Path) -> Part:
    if file.name.startswith("train_derived"):
        rows = named_columns(tsv_rows(file), file, DERIVED_COLUMNS, DERIVED)
        return pairs_of(file, rows, _parse_derived, DERIVED)
    labels = existing(file.with_name("test.label")) if file.name.startswith("test") else None
    return pairs_of(file, _with_labels(file, labels) if labels else tsv_rows(file), _parse, OFFICIAL)


def _parse(cells: list[str]) -> PairRow:
    if len(cells) < 5:
        raise BadRow(f"{len(cells)} columns instead of 7")
    number, topic, left, right, label = cells[:5]
    shared = f"{number} {topic}"
    if votes := two_numbers(label):
        yes, of = votes[0], sum(votes)
        if of != WORKERS:
            raise BadRow(f"the votes are not of {WORKERS}")
        return PairRow(left, right, target_by_votes(yes, of), votes=(yes, of), topic=topic, shared=shared)
    if not _GRADE.fullmatch(label.strip()):
        raise BadRow("the label is neither (yes, no) votes nor a number from 0 to 5")
    grade = label.strip()
    return PairRow(left, right, side(int(grade), EXPERTS_EVEN), topic=topic, grade=grade, shared=shared)


def _with_labels(file: Path, labels: Path) -> Iterator[tuple[int, list[str] | BadRow]]:
    """Rows of the test file; a label it lacks is the line of the other file."""
    beside = [line for _, line in lines_of(labels) if isinstance(line, BadRow) or line.strip()]
    for place, (number, cells) in enumerate(tsv_rows(file)):
        if isinstance(cells, BadRow) or len(cells) < 4 or (len(cells) > 4 and cells[4].strip()):
            yield number, cells
        elif place < len(beside):
            yield number, [*cells[:4], _grade_beside(beside[place]), *cells[5:]]
        else:
            yield number, BadRow("neither a label nor a line in test.label")


def _grade_beside(line: str | BadRow) -> str:
    """`true TAB 0.8000` as the number from 0 to 5 that the experts gave."""
    try:
        share = float(str(line).split("\t")[-1])
        return str(round(5 * share)) if math.isfinite(share) else ""
    except ValueError:
        return ""


def _parse_derived(cells: list[str]) -> PairRow:
    left, right, label, share = cells
    known = {"1": 1.0, "0": 0.0, "debatable": UNDECIDED}
    if label not in known:
        raise BadRow("the label is not 1, 0 or debatable")
    return PairRow(left, right, known[label], votes=_votes_of(share, known[label]))


def _votes_of(share: str, target: float) -> tuple[int, int] | None:
    """The votes behind a share, if they are told and agree with the label."""
    try:
        yes = round(WORKERS * float(share))
    except ValueError:
        return None
    found = target_by_votes(yes, WORKERS)
    return (yes, WORKERS) if found == target or (math.isnan(found) and math.isnan(target)) else None


PIT2015 = KnownReader(
    name="pit2015",
    title="PIT-2015",
    definition="loose",
    places=("pit2015", "PIT2015", "pit-2015", "SemEval-PIT2015/data", "pit2015/data", "data"),
    files={
        "train": ("train.data", "train_derived_3way.tsv"),
        "dev": ("dev.data",),
        "test": ("test.data",),
    },
    read=read_pit2015,
)
