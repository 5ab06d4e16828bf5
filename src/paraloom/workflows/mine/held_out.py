"""Files of pairs that are to be measured on in, the numbers of their texts out: no candidate may have one of them.

Texts that are not found are texts that leak, so a file whose columns are not known for certain is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraloom.corpus.leakage import PairNumbers
from paraloom.corpus.pair_files import NAMES, PairFile, names_of, usual_columns
from paraloom.engine.given import check_file
from paraloom.engine.given_columns import SIDES
from paraloom.errors import InputError


def held_out_texts(files: Sequence[Path], columns: Mapping[str, str]) -> NDArray[np.uint64]:
    """Numbers of all texts of these files, each once, sorted."""
    parts = [PairNumbers.of(PairFile(path=file, columns=_text_columns(file, columns))).texts.ravel() for file in files]
    return np.unique(np.concatenate([np.empty(0, np.uint64), *parts]))


def _text_columns(path: Path, columns: Mapping[str, str]) -> dict[str, str]:
    """Where a file has its texts: in the columns named, else in those of a usual name, else in those numbered."""
    check_file(path)
    asked = {side: columns.get(side, side) for side in SIDES} if set(SIDES) & set(columns) else {}
    if asked and set(asked.values()) <= names_of(path):
        return asked
    if usual := usual_columns(path):  # a number was given for the candidates: here another column may have it
        return usual
    if asked and all(column.isdecimal() for column in asked.values()):
        return asked
    looked_for = [*([" and ".join(asked.values())] if asked else []), *(" and ".join(names) for names in NAMES)]
    raise InputError(
        f"{path} is to be left out, but it is not known where its texts are: it has none of the columns "
        f"{', '.join(looked_for)}. Name them: --columns left=COLUMN right=COLUMN, or rename them there."
    )
