"""A folder in, the Adversarial Paraphrasing Task's pairs out (Nighojkar and Licato, 2021): by people, and by T5.

AP_H has a header `text_a, text_b, labels` (1: each implies the other). AP_T5 is a folder of files without a header:
source, attempt, BLEURT score, 1 or 0 by an NLI model; the first line of each is left out, as its authors' script does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from paraloom.corpus.known.files import BadRow, Expected, PairRow, as_pairs, binary, parsed_rows, tsv_rows
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader
from paraloom.corpus.known.tabular import read_table

COLUMNS = ("text_a", "text_b", "labels")
EXPECTED = Expected(
    form="a header and tab-separated text_a, text_b, labels (1 or 0)",
    first=lambda text: text.startswith("text_a\ttext_b\tlabels"),
)
EXPECTED_BY_T5 = Expected(form="tab-separated source, attempt, BLEURT score, 1 or 0, without a header")


def read_by_people(reader: KnownReader, folder: Path) -> KnownCorpus:
    """AP_H: the splits that are in a folder."""
    return read_table(reader, folder, COLUMNS, lambda cells: PairRow(cells[0], cells[1], binary(cells[2])), EXPECTED)


def read_by_t5(reader: KnownReader, folder: Path) -> KnownCorpus:
    """AP_T5: all files of its folder, one after another."""
    rows: list[PairRow] = []
    notes: list[str] = []
    for file in _files_by_t5(reader, folder):
        found, told = parsed_rows(file, islice(tsv_rows(file), 1, None), _parse_by_t5, EXPECTED_BY_T5)
        rows += found
        notes += told
    return reader.corpus(folder, {"train": (as_pairs(rows), tuple(notes))} if rows else {})


def _files_by_t5(reader: KnownReader, folder: Path) -> Iterator[Path]:
    places = [folder / place for place in reader.places]
    if folder.name.lower() == "ap_t5":
        places.append(folder)
    return iter(next((files for place in places if (files := sorted(place.glob(reader.files["train"][0])))), []))


def _parse_by_t5(cells: list[str]) -> PairRow:
    if len(cells) != 4:
        raise BadRow(f"{len(cells)} columns instead of 4")
    try:
        score = float(cells[2])
    except ValueError:
        score = math.nan
    if not math.isfinite(score):
        raise BadRow("the BLEURT score is not a number")
    return PairRow(cells[0], cells[1], binary(cells[3]), score=score)


BY_PEOPLE = KnownReader(
    name="ap-h",
    title="AP_H",
    definition="implication",
    places=("apt", "ap_h", "APT"),
    files={"train": ("ap_h_train.tsv",), "test": ("ap_h_test.tsv",)},
    read=read_by_people,
)

BY_T5 = KnownReader(
    name="ap-t5",
    title="AP_T5",
    definition="implication",
    places=("apt/ap_t5", "ap_t5", "APT/ap_t5"),
    files={"train": ("*.tsv",)},
    read=read_by_t5,
)
