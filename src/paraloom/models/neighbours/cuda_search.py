"""The search of `nearest` on a GPU: the same whole numbers, the same neighbours."""

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


class CudaSearch:
    """A search on a GPU: products of int8 codes in TF32, which holds them exactly, and the best by torch."""

    def __init__(self, queries: NDArray[np.int8], k: int, *, own: NDArray[np.int64], least: int) -> None:
        try:
            import torch
        except ImportError as absent:
            raise InputError("Searching on a GPU needs torch: pip install 'paraloom[train]'.") from absent
        if not torch.cuda.is_available():
            raise InputError("There is no GPU here that torch can use. Search with device cpu.")
        check_dims(queries.shape[1])
        self.torch = torch
        self.queries = torch.from_numpy(queries).cuda()
        self.own = torch.from_numpy(own).cuda()
        none = nobody(len(queries), k, least)
        self.dots, self.numbers = torch.from_numpy(none.dots).cuda(), torch.from_numpy(none.numbers).cuda()
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
        asking = asking.cuda()
        order = np.argsort(numbers, kind="stable")  # so that of equal products the lower place is the lower number
        for start in range(0, len(candidates), CANDIDATES_AT_ONCE):
            some = order[start : start + CANDIDATES_AT_ONCE]
            met = torch.from_numpy(candidates[some]).cuda().float()
            named = torch.from_numpy(numbers[some]).cuda()
            together = max(PRODUCTS_AT_ONCE // len(some), 1)
            for first in range(0, len(asking), together):
                self._take(asking[first : first + together], met, named)

    def _take(self, rows: Any, met: Any, named: Any) -> None:
        """Take the better of these candidates into the best of some rows."""
        torch = self.torch
        before = torch.backends.cuda.matmul.allow_tf32
        torch.backends.cuda.matmul.allow_tf32 = True
        try:
            products = self.queries[rows].float() @ met.T
        finally:
            torch.backends.cuda.matmul.allow_tf32 = before
        products.masked_fill_(self.own[rows][:, None] == named[None, :], -torch.inf)
        count = min(self.k, len(named))
        dots, places = products.topk(min(count + 1, len(named)), dim=1)
        if dots.shape[1] > count:
            tied = dots[:, count] == dots[:, count - 1]  # which of the equal ones were taken is not said
            if bool(tied.any()):
                places[tied, :count] = self._lowest(products[tied], count)
                dots[tied] = products[tied].gather(1, places[tied])
        dots, places = dots[:, :count], places[:, :count]
        is_one = dots >= self.least  # a row's own number is not: it stands at minus infinity
        numbers = torch.where(is_one, named[places], NOBODY)
        self._merge(rows, torch.where(is_one, dots, self.least - 1).int(), numbers)

    def _lowest(self, products: Any, count: int) -> Any:
        """The places of the best products, of equal ones the lowest places."""
        torch = self.torch
        places = torch.arange(products.shape[1], device=products.device)
        whole = torch.where(torch.isinf(products), -(2.0**30), products).long()
        return (whole * 2**32 + (2**31 - places)).topk(count, dim=1).indices

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
