"""Sources with several references, held out of pairs with all that belongs to them."""

from __future__ import annotations

import random

import pytest

from paraloom.corpus.held_out_references import HeldOutOptions, hold_out_references
from paraloom.corpus.text_key import text_key
from paraloom.errors import InputError


def star(number: int, rays: int, *, middle: str = "the storm of town {} hit the coast") -> list[tuple[str, str]]:
    """A text in pairs with so many others, which stand in no other pair."""
    centre = middle.format(number)
    return [(centre, f"gale {ray} came to town {number}") for ray in range(rays)]


def test_the_references_are_what_stands_in_pairs_with_the_source() -> None:
    # A chain hangs on one ray: its texts belong to the cluster, and are no references.
    chain = [("gale 0 came to town 1", "far one"), ("far one", "far two")]
    held = hold_out_references(star(1, 5) + chain)
    assert held.evaluation_set.sources == ("the storm of town 1 hit the coast",)
    assert held.evaluation_set.references == (tuple(f"gale {ray} came to town 1" for ray in range(5)),)
    assert {"far one", "far two"} < set(held.texts)
    assert len(held.texts) == 8


SHAPES = [
    (star(1, 4), 0),  # five texts: too small a cluster
    (star(1, 5), 1),
    (star(1, 12), 1),
    (star(1, 13), 0),  # too many references
    (star(1, 5, middle="storm {} hits"), 0),  # too short a source
    (star(1, 5, middle="{} " + "very " * 25 + "long"), 0),
    ([(f"the node with number {one} of many", f"the node with number {one + 1} of many") for one in range(9)], 0),
]


@pytest.mark.parametrize(("pairs", "found"), SHAPES)
def test_clusters_of_the_right_shape_are_held_out(pairs: list[tuple[str, str]], found: int) -> None:
    fit = star(99, 6)
    held = hold_out_references(pairs + fit)
    assert len(held.evaluation_set.sources) == 1 + found


def test_a_cluster_with_a_text_of_another_set_is_passed_over() -> None:
    pairs = star(1, 5) + star(2, 5)
    held = hold_out_references(pairs, known=["GALE 3 came , to town 2 !"])
    assert held.evaluation_set.sources == ("the storm of town 1 hit the coast",)
    assert (held.clusters, held.known) == (1, 1)
    with pytest.raises(InputError, match="no other set knows"):
        hold_out_references(star(2, 5), known=["gale 3 came to town 2"])


def test_neither_order_nor_spelling_nor_the_other_clusters_decide_what_is_held_out() -> None:
    pairs = [pair for number in range(40) for pair in star(number, 5)]
    held = hold_out_references(pairs, options=HeldOutOptions(most=10))
    mixed = [(right, left.upper()) if number % 2 else (left, right) for number, (left, right) in enumerate(pairs)]
    random.Random(1).shuffle(mixed)
    again = hold_out_references(mixed, options=HeldOutOptions(most=10))
    keys = [text_key(source) for source in held.evaluation_set.sources]
    assert len(keys) == 10
    assert [text_key(source) for source in again.evaluation_set.sources] == keys
    more = hold_out_references(pairs, options=HeldOutOptions(most=20))
    assert more.evaluation_set.sources[:10] == held.evaluation_set.sources
    # What is left to learn from shares no text with it.
    left_out = {text_key(text) for text in held.texts}
    assert len(left_out) == 10 * 6
    assert all((text_key(left) in left_out) == (text_key(right) in left_out) for left, right in pairs)
