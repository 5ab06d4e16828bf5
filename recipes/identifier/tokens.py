"""Texts as word pieces, flat and on the device; a batch of pairs is put together there by gathering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The special tokens of a tokeniser, and how many stand between the two texts."""

    begin: int
    end: int
    padding: int
    hidden: int
    between: int
    shift: int
    """What is added to BERT's uncased word pieces: MPNet has the same ones, four places on."""


MARKS = {
    "bert": Marks(begin=101, end=102, padding=0, hidden=103, between=1, shift=0),
    "mpnet": Marks(begin=0, end=2, padding=1, hidden=30526, between=2, shift=4),
    "student": Marks(begin=2, end=3, padding=0, hidden=4, between=1, shift=0),
}
UNKNOWN, UNKNOWN_TO_MPNET = 100, 3


class Texts:
    """All distinct texts of the data as BERT's uncased word pieces, one after the other."""

    def __init__(self, pieces: np.ndarray[Any, Any], starts: np.ndarray[Any, Any], kind: str, device: str) -> None:
        self.marks, self.device = MARKS[kind], device
        moved = pieces.astype(np.int32) + self.marks.shift
        if kind == "mpnet":
            moved[pieces == UNKNOWN] = UNKNOWN_TO_MPNET
        # One more at the end, so that a gather past the last text finds something.
        self.pieces = torch.from_numpy(np.append(moved, self.marks.padding)).to(device)
        self.starts = torch.from_numpy(starts[:-1].astype(np.int64)).to(device)
        self.lengths = torch.from_numpy(np.diff(starts).astype(np.int64)).to(device)

    def width(self, first: Tensor, second: Tensor, longest: int) -> Tensor:
        """How many tokens each pair takes, marks included, at most `longest`, up to the next multiple of eight."""
        total = (self.lengths[first] + self.lengths[second] + 2 + self.marks.between).clamp(max=longest)
        return (total + 7) // 8 * 8

    def batch(
        self, first: Tensor, second: Tensor, longest: int, width: int | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Ids, mask and segments of `begin first end (end) second end`; of a long pair the longer text is cut.

        A width that is known spares waiting for the device.
        """
        marks = self.marks
        room = longest - 2 - marks.between
        one, other = self.lengths[first], self.lengths[second]
        half = room // 2
        cut_one = torch.where(other <= half, room - other, torch.full_like(one, room - half))
        cut_other = torch.where(one <= room - half, room - one, torch.full_like(one, half))
        too_long = one + other > room
        one, other = (
            torch.where(too_long, torch.minimum(length, cut), length)
            for length, cut in ((one, cut_one), (other, cut_other))
        )
        total = one + other + 2 + marks.between
        width = width or -(-int(total.max()) // 8) * 8
        place = torch.arange(width, device=self.device)[None, :]
        second_from = (one + 1 + marks.between)[:, None]
        end = (total - 1)[:, None]
        in_first = (place >= 1) & (place <= one[:, None])
        in_second = (place >= second_from) & (place < end)
        source = torch.where(
            in_first, self.starts[first][:, None] + place - 1, self.starts[second][:, None] + place - second_from
        )
        words = self.pieces[source.clamp(0, len(self.pieces) - 1)]
        ids = torch.where(in_first | in_second, words, torch.full_like(words, marks.end))
        ids[:, 0] = marks.begin
        mask = place < total[:, None]
        ids = torch.where(mask, ids, torch.full_like(ids, marks.padding))
        return ids.long(), mask, ((place >= second_from) & mask).long()

    def single(self, rows: Tensor, longest: int) -> tuple[Tensor, Tensor]:
        """Ids and mask of `begin text end`."""
        lengths = self.lengths[rows].clamp(max=longest - 2)
        width = -(-(int(lengths.max()) + 2) // 8) * 8
        place = torch.arange(width, device=self.device)[None, :]
        inside = (place >= 1) & (place <= lengths[:, None])
        source = (self.starts[rows][:, None] + place - 1).clamp(0, len(self.pieces) - 1)
        ids = torch.where(inside, self.pieces[source].long(), self.marks.padding)
        ids[:, 0] = self.marks.begin
        ids = torch.where(place == lengths[:, None] + 1, self.marks.end, ids)
        return ids, place <= lengths[:, None] + 1
