"""The counts of `place_loops` by torch, for a GPU: the same ones, for what is too near to tell is multiplied anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.retrieval.place_loops import exact_millionths

Floats = NDArray[np.float32]
Integers = NDArray[np.int64]

PRODUCTS_AT_ONCE = 1 << 26
"""Products held on the GPU together: half a GB as float64."""


def count_on_device(
    queries: Floats, candidates: Floats, wanted: Integers, slack: float, device: str
) -> tuple[Integers, Integers]:
    """By query, how many candidates have a product with it that is more than, or just, what is wanted.

    Products may be wrong by as much as `slack`.
    """
    try:
        import torch
    except ImportError as absent:
        raise InputError("Counting on a GPU needs torch: pip install 'paraloom[train]'.") from absent
    if device != "cpu" and not torch.cuda.is_available():
        raise InputError(f"There is no GPU here that torch can use, so device {device!r} cannot be. Use cpu.")
    above, tied = np.zeros(len(queries), np.int64), np.zeros(len(queries), np.int64)
    met = torch.from_numpy(np.ascontiguousarray(candidates)).to(device)
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False  # its products are off by more than float32's
    try:
        together = max(PRODUCTS_AT_ONCE // max(len(candidates), 1), 1)
        for start in range(0, len(queries), together):
            asking = torch.from_numpy(np.ascontiguousarray(queries[start : start + together])).to(device)
            middle = torch.from_numpy(wanted[start : start + together] * 1e-6).to(device)[:, None]
            products = (asking @ met.T).double()
            is_above = products > middle + slack
            above[start : start + together] += is_above.sum(1).cpu().numpy()
            rows, others = ((products >= middle - slack) & ~is_above).nonzero(as_tuple=True)
            near = rows.cpu().numpy() + start
            exact = exact_millionths(queries, candidates, near, others.cpu().numpy())
            above += np.bincount(near[exact > wanted[near]], minlength=len(above))
            tied += np.bincount(near[exact == wanted[near]], minlength=len(tied))
    finally:
        torch.backends.cuda.matmul.allow_tf32 = before
    return above, tied
