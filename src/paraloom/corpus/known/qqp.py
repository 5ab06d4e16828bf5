"""A folder in, Quora Question Pairs out: duplicate questions, in any of the forms they are handed around in.

With a header that has `question1`, `question2` and `is_duplicate` in any order (Quora's own file, GLUE's), or without
one as Wang et al. (2017) split them: label, question, question, id. Quotes are not closed.
"""

from __future__ import annotations

from pathlib import Path

from paraloom.corpus.known.files import BadRow, Expected, PairRow, beginning, binary, named_columns, pairs_of, tsv_rows
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader, Part

COLUMNS = ("question1", "question2", "is_duplicate")


def _header(text: str) -> list[str]:
    return [name.strip().strip('"') for name in text.partition("\n")[0].split("\t")]


def _is_qqp(text: str) -> bool:
    header = _header(text)
    without = len(header) == 4 and header[0] in ("0", "1") and header[3].isdigit()
    return without or {"question1", "question2"} <= set(header)


EXPECTED = Expected(
    form="tab-separated with a header that has question1, question2, is_duplicate, or label, question, question, id",
    first=_is_qqp,
)


def read_qqp(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder; one that comes without labels (GLUE's test) is left out."""
    parts, notes = {}, []
    for split, file in reader.found(folder, EXPECTED).items():
        header = _header(beginning(file))
        if "question1" in header and "is_duplicate" not in header:
            notes.append(f"{split}: {file.name} has no labels, and is left out.")
        else:
            parts[split] = _read(file, has_names="question1" in header)
    return reader.corpus(folder, parts, notes)


def _read(file: Path, *, has_names: bool) -> Part:
    if has_names:
        return pairs_of(file, named_columns(tsv_rows(file), file, COLUMNS, EXPECTED), _parse, EXPECTED)
    return pairs_of(file, tsv_rows(file), _parse_without_names, EXPECTED)


def _parse(cells: list[str]) -> PairRow:
    return PairRow(cells[0], cells[1], binary(cells[2]))


def _parse_without_names(cells: list[str]) -> PairRow:
    if len(cells) != 4:
        raise BadRow(f"{len(cells)} columns instead of 4")
    return PairRow(cells[1], cells[2], binary(cells[0]))


QQP = KnownReader(
    name="qqp",
    title="QQP",
    definition="loose",
    places=("qqp", "QQP", "Quora_question_pair_partition"),
    files={
        "train": ("train.tsv", "quora_duplicate_questions.tsv"),
        "dev": ("dev.tsv",),
        "test": ("test.tsv",),
    },
    read=read_qqp,
)
