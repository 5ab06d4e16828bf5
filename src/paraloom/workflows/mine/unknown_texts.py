"""A run's vectors in, the sentences that the embedder knows nothing of out: how many, and a few of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraloom.workflows.mine.numbers import Numbers
from paraloom.workflows.mine.vectors_step import kept_sentences

if TYPE_CHECKING:
    from paraloom.reports.mining import SearchTold, UnknownTexts

SHOWN = 5
"""Texts that are named."""
LONGEST_SHOWN = 80
AT_ONCE = 1 << 22
"""Lengths of vectors that are looked at together."""
TOO_MANY = 0.05
"""Share of all sentences from which on another embedder is advised."""


def unknown_texts(run: Path) -> UnknownTexts:
    """Sentences whose vector is zero, which makes them nobody's neighbours; those with the lowest ids are named."""
    from paraloom.reports.mining import UnknownTexts

    numbers = Numbers.of(run / "vectors")
    count, first = 0, np.zeros(0, np.int64)
    for start in range(0, len(numbers), AT_ONCE):
        zeros = np.flatnonzero(np.asarray(numbers.norms[start : start + AT_ONCE]) == 0)
        count += len(zeros)
        first = np.concatenate([first, zeros[: SHOWN - len(first)] + start])
    texts: list[str] = []
    parts = numbers.parts_of(first)
    for part in np.unique(parts).tolist():
        rows = first[parts == part] - numbers.starts[part]
        texts += kept_sentences(run, part, ("text",)).column("text").take(rows).to_pylist()
    return UnknownTexts(count=count, examples=tuple(texts))


def unknown_told(search: SearchTold, sentences: int) -> Iterator[str]:
    """What is said of them, and from a share on what to do."""
    from paraloom.reports.pages import percent
    from paraloom.text.counted import counted

    unknown = search.unknown
    if not unknown.count:
        return
    named = ", ".join(f"“{_shortened(text)}”" for text in unknown.examples[:2])
    told = (
        f"Of {counted(unknown.count, 'sentence', 'sentences')} ({percent(unknown.count / sentences)}) the embedder "
        f"{search.embedder} knows nothing, such as {named}: whose vector is zero is nobody's neighbour."
    )
    if unknown.count >= TOO_MANY * sentences:
        told += " --embedder characters knows all letters; multilingual-e5-small, which is slower, 100 languages."
    yield told


def _shortened(text: str) -> str:
    """The beginning of a text, on one line.

    >>> _shortened("雨 " * 60)[-3:], _shortened("a\\nb")
    (' 雨…', 'a b')
    """
    whole = " ".join(text.split())
    return whole if len(whole) <= LONGEST_SHOWN else f"{whole[: LONGEST_SHOWN - 1]}…"
