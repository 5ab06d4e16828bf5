"""A folder of published corpora in, their pairs out: one reader a corpus.

A corpus is read in the form its authors published it in, from the folder itself or from a sub-folder for it. A bad row
never stops a reader: it is counted in the notes. A file that is something else altogether is an error.
"""

from __future__ import annotations

from pathlib import Path

from paraloom.corpus.known.apt import BY_PEOPLE, BY_T5
from paraloom.corpus.known.division import folds_by_group, split_by_group, without_texts_of
from paraloom.corpus.known.msrp import MSRP
from paraloom.corpus.known.multipit import AUTO, CROWD, EXPERT
from paraloom.corpus.known.pairs import KnownCorpus, KnownPairs, joined
from paraloom.corpus.known.paws import PAWS_QQP, PAWS_WIKI, PAWS_X
from paraloom.corpus.known.pit2015 import PIT2015
from paraloom.corpus.known.qqp import QQP
from paraloom.corpus.known.reader import KnownReader
from paraloom.corpus.known.turku import OPUS_PARSEBANK, SWEDISH, TURKU, TURKU_WITH_REWRITES
from paraloom.corpus.known.twitter_url import TWITTER_URL
from paraloom.errors import InputError

CORPORA: dict[str, KnownReader] = {
    "twitter-url": TWITTER_URL,
    "pit2015": PIT2015,
    "msrp": MSRP,
    "multipit-expert": EXPERT,
    "multipit-crowd": CROWD,
    "multipit-auto": AUTO,
    "ap-h": BY_PEOPLE,
    "ap-t5": BY_T5,
    "qqp": QQP,
    "paws-wiki": PAWS_WIKI,
    "paws-qqp": PAWS_QQP,
    **PAWS_X,
    "turku": TURKU,
    "turku-with-rewrites": TURKU_WITH_REWRITES,
    "turku-opus-parsebank": OPUS_PARSEBANK,
    "turku-swedish": SWEDISH,
}
"""Every corpus by its name."""


def check_name(name: str) -> None:
    """An error that names all corpora where none is called so."""
    if name not in CORPORA:
        raise InputError(f"There is no corpus {name!r}. Choose one of: {', '.join(CORPORA)}.")


def read_corpus(name: str, folder: str | Path) -> KnownCorpus:
    """The splits of one corpus that are in a folder; an error where there is none, or a file is something else."""
    check_name(name)
    reader, folder = CORPORA[name], Path(folder)
    if not folder.is_dir():
        raise InputError(f"There is no folder {folder}. Give the folder that holds the files of {reader.title}.")
    return reader.read(reader, folder)


def found_corpora(folder: str | Path) -> list[KnownCorpus | str]:
    """Every corpus in a folder, in the order of `CORPORA`; for each that is not there, a line that says what is."""
    found: list[KnownCorpus | str] = []
    for name in CORPORA:
        try:
            found.append(read_corpus(name, folder))
        except InputError as error:
            found.append(f"{name}: {error}")
    return found


__all__ = [
    "CORPORA",
    "KnownCorpus",
    "KnownPairs",
    "KnownReader",
    "check_name",
    "folds_by_group",
    "found_corpora",
    "joined",
    "read_corpus",
    "split_by_group",
    "without_texts_of",
]
