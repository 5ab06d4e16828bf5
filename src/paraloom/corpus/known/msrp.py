"""A folder in, the MSR Paraphrase Corpus out (Dolan et al., 2004): sentence pairs from news.

`Quality TAB #1 ID TAB #2 ID TAB #1 String TAB #2 String`, with a header and a byte-order mark. Quotes are not closed.
"""

from __future__ import annotations

from pathlib import Path

from paraloom.corpus.known.files import Expected, PairRow, binary
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader
from paraloom.corpus.known.tabular import read_table

COLUMNS = ("Quality", "#1 String", "#2 String")
EXPECTED = Expected(
    form="a header and tab-separated Quality, #1 ID, #2 ID, #1 String, #2 String",
    first=lambda text: text.startswith("Quality\t#1 ID"),
)


def read_msrp(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder."""
    return read_table(reader, folder, COLUMNS, _parse, EXPECTED)


def _parse(cells: list[str]) -> PairRow:
    quality, left, right = cells
    return PairRow(left, right, binary(quality))


MSRP = KnownReader(
    name="msrp",
    title="MSRP",
    definition="loose",
    places=("msrp", "MSRP", "MSRParaphraseCorpus"),
    files={
        "train": ("msr_paraphrase_train.txt", "msr-para-train.tsv"),
        "test": ("msr_paraphrase_test.txt", "msr-para-test.tsv"),
    },
    read=read_msrp,
)
