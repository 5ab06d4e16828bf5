"""A function of plain loops in, the same function as machine code out.

Modules that use it hold loops over numbers and nothing else, and are imported where they are used: numba takes half a
second to load. What one compiled function calls lies in the same module, because what numba keeps on disk is made
anew only when the file of the function itself changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., object])


def compiled(function: Function) -> Function:
    """Compile on the first call and keep the result on disk; other threads go on while it runs.

    >>> import numpy as np
    >>> @compiled
    ... def halves(numbers):
    ...     return numbers / 2
    >>> halves(np.array([1, 2]))
    array([0.5, 1. ])
    """
    try:
        return cast(Function, numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:
        # Neither beside the module nor in the person's cache may a file be written: each process compiles for itself.
        return cast(Function, numba.njit(nogil=True)(function))
