"""A folder in, PAWS out (Zhang et al., 2019; Yang et al., 2019): pairs that share most words, paraphrases or not.

`id TAB sentence1 TAB sentence2 TAB label`, with a header. PAWS-QQP is made by its authors' script, which writes each
sentence as Python writes bytes (`b'…'`). PAWS-X has a folder for each of seven languages.
"""

from __future__ import annotations

import ast
from pathlib import Path

from paraloom.corpus.known.files import BadRow, Expected, PairRow, binary
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader
from paraloom.corpus.known.tabular import read_table

COLUMNS = ("sentence1", "sentence2", "label")
EXPECTED = Expected(
    form="a header and tab-separated id, sentence1, sentence2, label (1 or 0)",
    first=lambda text: text.startswith("id\tsentence1\tsentence2\tlabel"),
)
LANGUAGES = ("de", "en", "es", "fr", "ja", "ko", "zh")


def read_paws(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder."""
    return read_table(reader, folder, COLUMNS, _parse, EXPECTED)


def _parse(cells: list[str]) -> PairRow:
    return PairRow(_text(cells[0]), _text(cells[1]), binary(cells[2]))


def _text(written: str) -> str:
    """A sentence, also where it is written as Python writes bytes.

    >>> _text("b'the storm\\\\xe2\\\\x80\\\\x99s eye'"), _text("a storm")
    ('the storm’s eye', 'a storm')
    """
    if not (written[:2] in ("b'", 'b"') and written[-1:] == written[1]):
        return written
    try:
        value = ast.literal_eval(written)
        return str(value.decode("utf-8"))
    except (SyntaxError, ValueError, AttributeError) as error:
        raise BadRow("the sentence is not as Python writes bytes") from error


PAWS_WIKI = KnownReader(
    name="paws-wiki",
    title="PAWS-Wiki",
    definition="strict",
    places=("paws_wiki_labeled_final/final", "paws/final", "paws_wiki", "paws-wiki", "paws", "final"),
    files={"train": ("train.tsv",), "dev": ("dev.tsv",), "test": ("test.tsv",)},
    read=read_paws,
)

PAWS_QQP = KnownReader(
    name="paws-qqp",
    title="PAWS-QQP",
    definition="strict",
    places=("paws_qqp/output", "paws_qqp", "paws-qqp", "output"),
    files={"train": ("train.tsv",), "test": ("dev_and_test.tsv",)},
    read=read_paws,
)


def _paws_x(language: str) -> KnownReader:
    return KnownReader(
        name=f"paws-x-{language}",
        title=f"PAWS-X {language}",
        definition="strict",
        places=tuple(f"{place}/{language}" for place in ("x-final", "paws-x/x-final", "paws-x", "paws_x")),
        files={"train": ("train.tsv", "translated_train.tsv"), "dev": ("dev_2k.tsv",), "test": ("test_2k.tsv",)},
        read=read_paws,
    )


PAWS_X = {f"paws-x-{language}": _paws_x(language) for language in LANGUAGES}
