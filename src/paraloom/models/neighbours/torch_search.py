"""The search of `nearest` by torch, for a GPU: the same whole numbers, the same neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.models.neighbours.codes import check_dims
from paraloom.models.neighbours.nearest import NOBODY, Neighbours, nobody

PRODUCTS_AT_ONCE = 1 << 28
"""Products held on the GPU together: 1 GB as float32."""
CANDIDATES_AT_ONCE = 65_536
GROUP = 64
"""Candidates whose best is looked at first: sorting out all products would take ten times as long as making them."""
NEVER = -(2.0**30)
"""Below every product there can be."""


def torch_on(device: str) -> Any:
    """Torch, where it can search on this device."""
    try:
        import torch
    except ImportError as absent:
        raise InputError("Searching on a GPU needs torch: pip install 'paraloom[train]'.") from absent
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("There is no GPU here that torch can use. Search with device cpu.")
    return torch


class TorchSearch:
    """A search on a device of torch's: products of int8 codes in TF32, which holds them exactly, and the best."""

    def __init__(
        self, queries: NDArray[np.int8], k: int, *, own: NDArray[np.int64], least: int, device: str = "cuda"
    ) -> None:
        torch = torch_on(device)
        check_dims(queries.shape[1])
        self.torch, self.device = torch, device
        self.queries = torch.from_numpy(queries).to(device)
        self.own = torch.from_numpy(own).to(device)
        none = nobody(len(queries), k, least)
        self.dots, self.numbers = torch.from_numpy(none.dots).to(device), torch.from_numpy(none.numbers).to(device)
        self.k = k
        self.least = least

    def add(
        self, candidates: NDArray[np.int8], numbers: NDArray[np.int64], rows: NDArray[np.int64] | None = None
    ) -> None:
        """Let queries (all, or these rows of them) meet candidates; no pair of them may meet twice."""
        torch = self.torch
        asking = torch.arange(len(self.queries)) if rows is None else torch.from_numpy(rows)
        if not self.k or not len(asking):
            return
        asking = asking.to(self.device)
        order = np.argsort(numbers, kind="stable")  # so that of equal products the lower place is the lower number
        for start in range(0, len(candidates), CANDIDATES_AT_ONCE):
            some = order[start : start + CANDIDATES_AT_ONCE]
            met = torch.from_numpy(candidates[some]).to(self.device).float()
            named = torch.from_numpy(numbers[some]).to(self.device)
            together = max(PRODUCTS_AT_ONCE // len(some), 1)
            for first in range(0, len(asking), together):
                self._take(asking[first : first + together], met, named)

    def _take(self, rows: Any, met: Any, named: Any) -> None:
        """Take the better of these candidates into the best of some rows."""
        torch = self.torch
        products = self._products(self.queries[rows].float(), met)
        own = self.own[rows]
        place = torch.searchsorted(named, own).clamp(max=len(named) - 1)
        its_own = (named[place] == own).nonzero()[:, 0]
        products[its_own, place[its_own]] = NEVER
        dots, places = best(torch, products, min(self.k, len(named)))
        is_one = dots >= self.least  # a row's own number is not, nor is what fills up a group
        numbers = torch.where(is_one, named[places.clamp(max=len(named) - 1)], NOBODY)
        self._merge(rows, torch.where(is_one, dots, self.least - 1).int(), numbers)

    def _products(self, queries: Any, met: Any) -> Any:
        """All products, in whole groups of candidates."""
        torch = self.torch
        filling = -len(met) % GROUP
        products = torch.empty((len(queries), len(met) + filling), device=queries.device)
        before = torch.backends.cuda.matmul.allow_tf32
        torch.backends.cuda.matmul.allow_tf32 = True
        try:
            torch.mm(queries, met.T, out=products[:, : len(met)])
        finally:
            torch.backends.cuda.matmul.allow_tf32 = before
        products[:, len(met) :] = NEVER
        return products

    def _merge(self, rows: Any, dots: Any, numbers: Any) -> None:
        """The best of what rows had and of what is new, by product, then by number; nobody comes last."""
        torch = self.torch
        dots = torch.cat([self.dots[rows], dots], dim=1)
        numbers = torch.cat([self.numbers[rows], numbers], dim=1)
        by_number = numbers.argsort(dim=1, stable=True)
        by_dot = dots.gather(1, by_number).argsort(dim=1, descending=True, stable=True)[:, : self.k]
        ranked = by_number.gather(1, by_dot)
        self.dots[rows] = dots.gather(1, ranked)
        self.numbers[rows] = numbers.gather(1, ranked)

    def found(self) -> Neighbours:
        """The nearest of every query among all that it has met."""
        return Neighbours(self.dots.cpu().numpy(), self.numbers.cpu().numpy())


def best(torch: Any, products: Any, count: int) -> tuple[Any, Any]:
    """The best products of every row and their places, of equal ones the lowest places; columns are whole groups.

    Only the `count` groups with the best largest product, of equal ones the first, can hold them: whatever is beaten
    by one product of each of so many groups is beaten by so many products.
    """
    rows, columns = products.shape
    groups = products.view(rows, columns // GROUP, GROUP)
    chosen = _highest(torch, groups.amax(dim=2), min(count, groups.shape[1]))
    chosen = chosen.sort(dim=1).values  # so that the lower place stays the lower place
    near = groups.gather(1, chosen[:, :, None].expand(-1, -1, GROUP)).flatten(1)
    taken = _highest(torch, near, min(count, near.shape[1]))
    places = chosen.gather(1, taken // GROUP) * GROUP + taken % GROUP
    return near.gather(1, taken), places


def _highest(torch: Any, values: Any, count: int) -> Any:
    """The places of the highest whole numbers of every row, of equal ones the lowest places."""
    places = torch.arange(values.shape[1], device=values.device)
    return (values.long() * 2**24 + (2**24 - 1 - places)).topk(count, dim=1).indices
