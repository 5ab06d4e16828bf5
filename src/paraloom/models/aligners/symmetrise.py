"""The links that two directions found in, one set of links out: what both say, what one says, or something between.

A directed aligner gives each target word one source word at most, so that two of them, one in each direction, differ.
The methods begin with the links that both have and let them grow by those that only one has (Koehn et al., 2003; 2005).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from paraloom.errors import InputError
from paraloom.models.aligners import Links

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Linked: TypeAlias = NDArray[np.bool_]
    """Left tokens × right tokens: which are linked."""


def intersection(forward: Linked, backward: Linked) -> Linked:
    """What both have."""
    return forward & backward


def union(forward: Linked, backward: Linked) -> Linked:
    """What either has."""
    return forward | backward


def grow(forward: Linked, backward: Linked) -> Linked:
    """What both have, and from there on neighbours, above, below, left or right, where a word has no link yet."""
    from paraloom.models.aligners.symmetrise_loops import grown

    return grown(forward, backward, False)


def grow_diag(forward: Linked, backward: Linked) -> Linked:
    """The same with neighbours at the corners."""
    from paraloom.models.aligners.symmetrise_loops import grown

    return grown(forward, backward, True)


def grow_diag_final(forward: Linked, backward: Linked) -> Linked:
    """The same, then what one direction has where either word has no link yet: forward links first."""
    from paraloom.models.aligners.symmetrise_loops import finished, grown

    return finished(grown(forward, backward, True), forward, backward, False)


def grow_diag_final_and(forward: Linked, backward: Linked) -> Linked:
    """The same, but in the end only where neither word has a link yet."""
    from paraloom.models.aligners.symmetrise_loops import finished, grown

    return finished(grown(forward, backward, True), forward, backward, True)


METHODS: Mapping[str, Callable[[Linked, Linked], Linked]] = {
    "intersection": intersection,
    "union": union,
    "grow": grow,
    "grow-diag": grow_diag,
    "grow-diag-final": grow_diag_final,
    "grow-diag-final-and": grow_diag_final_and,
}


def symmetrise(forward: Links, backward: Links, method: str) -> Links:
    """Links of both directions, written left to right in both, as one set of links.

    >>> forward, backward = ((0, 0), (1, 1), (1, 2)), ((0, 0), (1, 1), (3, 3))
    >>> {method: len(symmetrise(forward, backward, method)) for method in ("intersection", "grow-diag", "union")}
    {'intersection': 2, 'grow-diag': 3, 'union': 4}
    """
    import numpy as np

    if method not in METHODS:
        raise InputError(f"Links cannot be symmetrised by {method!r}. Choose: {', '.join(METHODS)}.")
    together = [*forward, *backward]
    if not together:
        return ()
    shape = tuple(max(link[side] for link in together) + 1 for side in (0, 1))
    tables = [np.zeros(shape, np.bool_) for _ in range(2)]
    for links, table in zip((forward, backward), tables, strict=True):
        for link in links:
            table[link] = True
    return links_of(METHODS[method](*tables))


def links_of(linked: Linked) -> Links:
    """The links of a table, in order."""
    left, right = linked.nonzero()
    return tuple(zip(left.tolist(), right.tolist(), strict=True))
