"""Several outputs of each source in, out comes how alike they are among themselves.

Not to be mistaken for `self_bleu`: Zhu et al. (2018, Texygen) call this self-BLEU, papers on paraphrases give that name
to an output's likeness to its source. The two are different questions, and here they have different names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Measured, mean_of
from paraloom.metrics.overlap.bleu import SentenceBleu


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredAmongOutputs(Measured):
    """A metric among several outputs of one source; an item is a source."""

    rows: tuple[int, ...]
    """Which source each item is: those with at least two outputs."""
    left_out: int
    """How many sources had fewer than two, and so have no item."""
    empty_outputs: int
    """How many outputs held no text; they are like nothing, which is no merit, and do not count as outputs."""


def inter_bleu(outputs_by_source: Iterable[Iterable[str]], bleu: SentenceBleu = SentenceBleu()) -> MeasuredAmongOutputs:
    """Sentence BLEU of each output against the others of its source (Zhu et al., 2018); lower is more diverse.

    It is averaged over a source's outputs, then over sources, so that a source with many outputs weighs no more.

    >>> measured = inter_bleu([["the storm hit us", "the storm hit us"], ["a gale", "such wind"], ["only one"]])
    >>> measured.items.round(2).tolist(), measured.rows, measured.left_out
    ([100.0, 0.0], (0, 1), 1)
    """
    given = _checked(outputs_by_source)
    with_text = [[text for text in outputs if text.strip()] for outputs in given]
    rows = tuple(row for row, outputs in enumerate(with_text) if len(outputs) > 1)
    if not rows:
        raise InputError("No source has two outputs or more, so none can be compared. Give several outputs a source.")
    texts = tuple(text for row in rows for text in with_text[row])
    others = tuple((*with_text[row][:n], *with_text[row][n + 1 :]) for row in rows for n in range(len(with_text[row])))
    measured = bleu.prepare(EvaluationSet(texts, others))(texts)
    sizes = np.array([len(with_text[row]) for row in rows])
    items = np.add.reduceat(measured.items, np.cumsum(sizes) - sizes) / sizes
    mean = mean_of("inter-bleu", items, measured.signature.replace(bleu.name, "inter-bleu", 1), "lower")
    return MeasuredAmongOutputs(
        name=mean.name,
        value=mean.value,
        items=mean.items,
        signature=mean.signature,
        better=mean.better,
        statistics=mean.statistics,
        combine=mean.combine,
        rows=rows,
        left_out=len(with_text) - len(rows),
        empty_outputs=sum(map(len, given)) - sum(map(len, with_text)),
    )


def _checked(outputs_by_source: Iterable[Iterable[str]]) -> list[tuple[str, ...]]:
    """The texts of each source, read once; what is no text is refused with its place."""
    given = []
    for row, outputs in enumerate(outputs_by_source, start=1):
        if isinstance(outputs, str):
            raise InputError("Outputs are a flat list of texts. Give a list of outputs for each source.")
        if not isinstance(outputs, Iterable):
            raise InputError(f"The outputs of source {row} are {type(outputs).__name__}. Give a list of texts.")
        texts = tuple(outputs)
        for number, text in enumerate(texts, start=1):
            if not isinstance(text, str):
                raise InputError(f"Output {number} of source {row} is {type(text).__name__}, not text. Leave it out.")
        given.append(texts)
    return given
