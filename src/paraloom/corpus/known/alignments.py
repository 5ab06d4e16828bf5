"""Word alignments that people made in, in their published form, pairs of tokens and their links out.

A file is a JSON list of objects with `source` and `target` (tokens with blanks between them), `sureAlign` and
`possibleAlign` (`0-0 1-2`): Edinburgh++ (Cohn et al., 2008; Thadani et al., 2012) and MSR RTE2 (Brockett, 2007).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraloom.errors import InputError
from paraloom.metrics.word_links import GoldLinks
from paraloom.models.aligners import TokenPair, read_links

PLACES = ("", "alignment")
"""Where in a folder the files may lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedCorpus:
    """One set of pairs that people have aligned."""

    name: str
    title: str
    split: str
    path: Path
    ids: tuple[str, ...]
    pairs: tuple[TokenPair, ...]
    gold: tuple[GoldLinks, ...]


FILES: Mapping[tuple[str, str], tuple[str, str]] = {
    ("edinburgh", "train"): ("Edinburgh++, train", "gold.train.sure.json"),
    ("edinburgh", "test"): ("Edinburgh++, test", "gold.test.sure.json"),
    ("msr", "dev"): ("MSR RTE2, dev", "RTE2_dev_M.align.json"),
    ("msr", "test"): ("MSR RTE2, test", "RTE2_test_M.align.json"),
}
"""Set and split, its title and its file."""


def read_alignments(folder: Path) -> list[AlignedCorpus]:
    """All that lie in a folder; an error where there is none."""
    found = []
    for (name, split), (title, file) in FILES.items():
        path = next((path for place in PLACES if (path := folder / place / file).is_file()), None)
        if path is not None:
            found.append(_read(path, name, title, split))
    if not found:
        names = ", ".join(file for _, file in FILES.values())
        raise InputError(f"No word alignments are in {folder}, nor in {folder / 'alignment'}: none of {names}.")
    return found


def _read(path: Path, name: str, title: str, split: str) -> AlignedCorpus:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is no JSON ({error}). Get it again.") from error
    if not isinstance(rows, list):
        raise InputError(f"{path} is no list of aligned pairs. Get it again.")
    read = [_pair(row, f"{path}, pair {number}") for number, row in enumerate(rows, 1)]
    return AlignedCorpus(
        name=name,
        title=title,
        split=split,
        path=path,
        ids=tuple(one[0] for one in read),
        pairs=tuple(one[1] for one in read),
        gold=tuple(one[2] for one in read),
    )


def _pair(row: Any, where: str) -> tuple[str, TokenPair, GoldLinks]:
    try:
        left, right = row["source"].split(), row["target"].split()
        sure, possible = (frozenset(read_links(row.get(kind) or "")) for kind in ("sureAlign", "possibleAlign"))
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{where} has no source, target or links. Get the file again.") from error
    if any(one >= len(left) or other >= len(right) for one, other in sure | possible):
        raise InputError(f"{where} has a link to a token that is not there. Get the file again.")
    return str(row.get("id", "")), (left, right), GoldLinks(sure=sure, possible=possible)
