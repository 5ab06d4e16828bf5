"""A corpus's name in, its pairs out: of all that have a reader, and of the two parts that AP_T5 is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from paraloom.corpus.known import CORPORA, KnownReader
from paraloom.corpus.known.apt import BY_T5
from paraloom.corpus.known.pairs import KnownCorpus

READERS: Mapping[str, KnownReader] = {
    **CORPORA,
    "ap-t5-msrp": replace(BY_T5, name="ap-t5-msrp", title="AP_T5 (MSRP)", files={"train": ("msrp*.tsv",)}),
    "ap-t5-twitter": replace(
        BY_T5, name="ap-t5-twitter", title="AP_T5 (Twitter)", files={"train": ("twitterppdb*.tsv",)}
    ),
}
"""AP_T5's files are named after where T5's sources were taken from."""


def read_known(name: str, folder: Path) -> KnownCorpus:
    """The splits of a corpus that are in a folder."""
    reader = READERS[name]
    return reader.read(reader, folder)
