"""Edges in, clusters out: what is linked, directly or through others, belongs together. Order never shows."""

from __future__ import annotations

from collections.abc import Sequence


def clusters(edges: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The cluster of every node that has an edge; a cluster is named by its smallest node.

    >>> clusters([("c", "b"), ("b", "a"), ("x", "y")])
    {'a': 'a', 'b': 'a', 'c': 'a', 'x': 'x', 'y': 'x'}
    """
    parent: dict[str, str] = {}

    def root(node: str) -> str:
        parent.setdefault(node, node)
        top = node
        while parent[top] != top:
            top = parent[top]
        while parent[node] != top:  # shorten the way for the next time
            parent[node], node = top, parent[node]
        return top

    for left, right in edges:
        low, high = sorted((root(left), root(right)))
        parent[high] = low
    return {node: root(node) for node in sorted(parent)}
