"""A folder in, the MultiPIT corpora out (Dou et al., 2022): labelled by experts, by the crowd, and by a model.

CSV with a header. Expert: `sentence1, sentence2, label` (1 or 0); the pairs of one trend or link have the same
`sentence1`, so this is the group (156 of them in train). Auto: `sentence1, sentence2`, all of them paraphrases to a
model. Crowd: `sentence1, sentence2` and the votes, as `(n,6)`, as n of 6 in `votes`, `num_votes` or a `label` that goes
above 1, or as a plain label; more than 3 of 6 is a paraphrase, fewer is none, 3 is left out. (The crowd's part is not
freely released: its form here is what its description and its sister corpora lead one to expect.)
"""

from __future__ import annotations

import re
from pathlib import Path

from paraloom.corpus.known.files import (
    BadRow,
    Expected,
    PairRow,
    binary,
    csv_rows,
    named_columns,
    pairs_of,
    target_by_votes,
    two_numbers,
    wrong_file,
)
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader, Part
from paraloom.corpus.known.tabular import read_table

WORKERS = 6
_ONE_NUMBER = re.compile(r"([0-6])(?:\.0)?(?:\s*/\s*6)?")
CROWDS_COLUMNS = ("votes", "num_votes", "label")


def _header(text: str) -> list[str]:
    return [name.strip() for name in text.partition("\n")[0].split(",")]


LABELLED = Expected(
    form="CSV with a header and the columns sentence1, sentence2, label",
    first=lambda text: _header(text)[:3] == ["sentence1", "sentence2", "label"],
)
UNLABELLED = Expected(
    form="CSV with a header and the columns sentence1, sentence2, and no label",
    first=lambda text: _header(text) == ["sentence1", "sentence2"],
)
WITH_VOTES = Expected(
    form="CSV with a header and the columns sentence1, sentence2 and votes (or label), n of 6",
    first=lambda text: _header(text)[:2] == ["sentence1", "sentence2"] and "votes" in text.partition("\n")[0],
)


def read_expert(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder; a group is a distinct `sentence1`."""

    def parse(cells: list[str]) -> PairRow:
        return PairRow(cells[0], cells[1], binary(cells[2]))

    return read_table(reader, folder, ("sentence1", "sentence2", "label"), parse, LABELLED, by_left=True)


def read_auto(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder: every pair is a paraphrase to the model that chose it."""

    def parse(cells: list[str]) -> PairRow:
        return PairRow(cells[0], cells[1], 1.0)

    return read_table(reader, folder, ("sentence1", "sentence2"), parse, UNLABELLED)


def read_crowd(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder, with votes where they are told."""
    return reader.corpus(folder, {split: _crowd(file) for split, file in reader.found(folder, WITH_VOTES).items()})


def _crowd(file: Path) -> Part:
    rows = list(csv_rows(file))
    header = [] if not rows or isinstance(rows[0][1], BadRow) else rows[0][1]
    column = next((name for name in CROWDS_COLUMNS if name in header), None)
    if column is None:
        raise wrong_file(file, WITH_VOTES, ",".join(header))
    chosen = list(named_columns(rows, file, ("sentence1", "sentence2", column), WITH_VOTES))
    written = {cells[2].strip() for _, cells in chosen if not isinstance(cells, BadRow)}
    labels_alone = column == "label" and written <= {"0", "1", "0.0", "1.0"}
    return pairs_of(file, chosen, _parse_label if labels_alone else _parse_votes, WITH_VOTES)


def _parse_label(cells: list[str]) -> PairRow:
    return PairRow(cells[0], cells[1], binary(cells[2]))


def _parse_votes(cells: list[str]) -> PairRow:
    alone = _ONE_NUMBER.fullmatch(cells[2].strip())
    yes, of = (int(alone[1]), WORKERS) if alone else two_numbers(cells[2]) or (0, 0)
    if of != WORKERS or yes > WORKERS:
        raise BadRow("the votes are not n of 6")
    return PairRow(cells[0], cells[1], target_by_votes(yes, of), votes=(yes, of))


EXPERT = KnownReader(
    name="multipit-expert",
    title="MultiPIT expert",
    definition="strict",
    places=("multipit/expert", "expert", "MultiPIT/expert", "MultiPIT_Expert"),
    files={"train": ("train.csv",), "dev": ("val.csv", "dev.csv"), "test": ("test.csv",)},
    read=read_expert,
)

CROWD = KnownReader(
    name="multipit-crowd",
    title="MultiPIT crowd",
    definition="loose",
    places=("multipit/crowd", "crowd", "MultiPIT/crowd", "MultiPIT_Crowd"),
    files={"train": ("train.csv",), "dev": ("val.csv", "dev.csv"), "test": ("test.csv",)},
    read=read_crowd,
)

AUTO = KnownReader(
    name="multipit-auto",
    title="MultiPIT auto",
    definition="strict",
    places=("multipit/auto", "auto", "MultiPIT/auto", "MultiPIT_Auto"),
    files={"train": ("train.csv",), "dev": ("val.csv", "dev.csv")},
    read=read_auto,
)
