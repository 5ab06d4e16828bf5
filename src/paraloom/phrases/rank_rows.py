"""The rows of a ranked table: phrase pairs with each single score, and the one that they are ranked by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.engine.rows import row_schema
from paraloom.tables import Phrase

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedPhrase:
    """A phrase pair and what it is worth. What is not known of it is null."""

    left: str
    right: str
    score: float
    """What the rows are ordered by, from 0 to 1: best first, of equal ones by `left` and `right`."""
    rating: float | None
    """The mean rating that people would give, from 1 to 5."""
    translation: float | None
    """Geometric mean of `forward` and `backward`."""
    lexical: float | None
    """Geometric mean of `lexical_forward` and `lexical_backward`."""
    cosine: float | None
    """Of the two phrases' vectors."""
    language_model: float | None
    """How much likelier a token is with the right phrase in the places of the left one: a difference of logarithms."""
    count: int | None
    forward: float | None
    backward: float | None
    lexical_forward: float | None
    lexical_backward: float | None
    left_count: int | None
    right_count: int | None
    pair_count: int | None
    group_count: int | None
    links: str | None
    contexts: list[str] | None


SCHEMA = row_schema(RankedPhrase)
SINGLE = ("rating", "translation", "lexical", "cosine", "language_model")
GIVEN = tuple(name for name in SCHEMA.names if name in row_schema(Phrase).names and name != "score")
"""What the table `phrases` has of a pair."""


def ranked(rows: pa.Table, score: Floats, single: dict[str, Floats]) -> pa.Table:
    """Rows with the columns `GIVEN`, and scores in their order; nan is null. Best first."""
    columns = {name: rows.column(name) for name in GIVEN}
    columns |= {name: pa.array(values, mask=np.isnan(values)) for name, values in single.items()}
    table = pa.table({**columns, "score": score}).select(SCHEMA.names).cast(SCHEMA)
    return table.sort_by([("score", "descending"), ("left", "ascending"), ("right", "ascending")])
