"""Rows of the table `alignments` in, both sides' tokens and their links as numbers out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.phrases.span_loops import read_links
from paraloom.phrases.tokens import Side, bytes_of, comparable_tokens, one_chunk


@dataclass(frozen=True, slots=True)
class Sides:
    """What some aligned pairs are for a loop."""

    left: Side
    right: Side
    links: NDArray[np.int64]
    """Two columns: places of tokens in their texts."""
    link_ends: NDArray[np.int64]

    @classmethod
    def of(cls, alignments: pa.Table) -> Sides:
        """Of rows with `left`, `right` and `links`."""
        left, right = (_side(alignments.column(name)) for name in ("left", "right"))
        links, link_ends = read_links(*bytes_of(one_chunk(alignments.column("links"))))
        return cls(left, right, links, link_ends)

    @property
    def linked_tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The left and the right token of every link, by their places among all."""
        pairs = np.repeat(np.arange(len(self.link_ends)), np.diff(self.link_ends, prepend=0))
        return (
            self.left.first_of_text[pairs] + self.links[:, 0],
            self.right.first_of_text[pairs] + self.links[:, 1],
        )


def _side(column: pa.ChunkedArray) -> Side:
    return Side.of(pa.array([comparable_tokens(text) for text in column.to_pylist()], pa.string()))
