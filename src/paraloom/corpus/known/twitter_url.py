"""A folder in, the Twitter URL Corpus out (Lan et al., 2017): sentences of tweets that share a link.

It is published in two forms. With votes: `sentence TAB sentence TAB (n,6) TAB link`, where n of 6 workers said
paraphrase; 2 or fewer are none, 4 or more are, 3 is left out. Tokenised and lower-cased: a folder with `a.toks`,
`b.toks` and `sim.txt`, line by line. The form that is there for more splits is read, so that a system is trained and
tested on the same one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from paraloom.corpus.known.files import (
    BadRow,
    Expected,
    PairRow,
    binary,
    find_file,
    lines_of,
    pairs_of,
    target_by_votes,
    tsv_rows,
    two_numbers,
)
from paraloom.corpus.known.pairs import KnownCorpus
from paraloom.corpus.known.reader import KnownReader, Part

VOTES_FILES = {"train": ("Twitter_URL_Corpus_train.txt",), "test": ("Twitter_URL_Corpus_test.txt",)}
TOKENISED_FOLDERS = {"train": ("tokenized_train", "train"), "test": ("tokenized_test", "test")}

WORKERS = 6

WITH_VOTES = Expected(
    form="tab-separated sentence, sentence, (n,6), link, without a header",
    first=lambda text: bool(re.search(r"\t\(\s*\d\s*,\s*6\s*\)", text)),
)
TOKENISED = Expected(form="as many lines in a.toks and b.toks, and 1 or 0 a line in sim.txt")


def read_twitter_url(reader: KnownReader, folder: Path) -> KnownCorpus:
    """The splits that are in a folder, in the form that more of them have."""
    with_votes = {
        split: file
        for split, names in VOTES_FILES.items()
        if (file := find_file(folder, reader.places, names, WITH_VOTES)) is not None
    }
    tokenised = {
        split: place
        for split, names in TOKENISED_FOLDERS.items()
        if (place := _tokenised_folder(folder, reader.places, names)) is not None
    }
    if len(with_votes) >= len(tokenised):
        parts = {split: read_votes(file) for split, file in with_votes.items()}
        parts |= {split: read_tokenised(place) for split, place in tokenised.items() if split not in parts}
    else:
        parts = {split: read_tokenised(place) for split, place in tokenised.items()}
        parts |= {split: read_votes(file) for split, file in with_votes.items() if split not in parts}
    mixed = "train and test are in different forms, one of them tokenised and lower-cased."
    forms = {pairs.votes is None for pairs, _ in parts.values()}
    return reader.corpus(folder, parts, [mixed] if len(forms) > 1 else [])


def read_votes(file: Path) -> Part:
    """One file in the form with votes; the link is what pairs share."""
    return pairs_of(file, tsv_rows(file), _parse_votes, WITH_VOTES)


def _parse_votes(cells: list[str]) -> PairRow:
    if len(cells) != 4:
        raise BadRow(f"{len(cells)} columns instead of 4")
    left, right, written, link = cells
    yes, of = two_numbers(written) or (0, 0)
    if of != WORKERS or yes > WORKERS:
        raise BadRow("the votes are not (n,6)")
    return PairRow(left.strip(), right.strip(), target_by_votes(yes, of), votes=(yes, of), shared=link.strip())


def read_tokenised(folder: Path) -> Part:
    """One folder in the tokenised form."""
    return pairs_of(folder / "sim.txt", _side_by_side(folder), _parse_tokenised, TOKENISED)


def _tokenised_folder(folder: Path, places: tuple[str, ...], names: tuple[str, ...]) -> Path | None:
    for place in (*places, "."):
        for name in names:
            if all((folder / place / name / file).is_file() for file in ("a.toks", "b.toks", "sim.txt")):
                return folder / place / name
    return None


def _side_by_side(folder: Path) -> Iterator[tuple[int, list[str] | BadRow]]:
    files = (folder / "a.toks", folder / "b.toks", folder / "sim.txt")
    for number, lines in enumerate(zip_longest(*(lines_of(file) for file in files)), start=1):
        cells = [BadRow("a.toks, b.toks and sim.txt differ in length") if line is None else line[1] for line in lines]
        bad = next((cell for cell in cells if isinstance(cell, BadRow)), None)
        yield number, bad or [str(cell) for cell in cells]


def _parse_tokenised(cells: list[str]) -> PairRow:
    left, right, label = cells
    return PairRow(left.strip(), right.strip(), binary(label))


TWITTER_URL = KnownReader(
    name="twitter-url",
    title="Twitter-URL",
    definition="loose",
    places=("twitter_url", "twitter-url", "Twitter-URL", "Twitter_URL_Corpus"),
    files={
        "train": ("Twitter_URL_Corpus_train.txt", "tokenized_train/ (a.toks, b.toks, sim.txt)"),
        "test": ("Twitter_URL_Corpus_test.txt", "tokenized_test/ (a.toks, b.toks, sim.txt)"),
    },
    read=read_twitter_url,
)
