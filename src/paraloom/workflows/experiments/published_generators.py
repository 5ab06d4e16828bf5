"""The name of a training set in, what a paper reports of a generator that learned from it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNFILTERED = "-unfiltered"
"""What the name of a set may end in beside the same one with its filter."""

PUBLISHED_NOTE = (
    "Figures in brackets are those of Dou et al. (2022, tables 11, 14 and 15): T5-large, pairs with a BLEU above 14 "
    "left out where any are, on a test set of each corpus (of MultiPIT the 200 sources of MultiPIT NMR, with 8 "
    "references each), with an encoder of their own."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedGenerator:
    """What one generator of the paper learned from and wrote."""

    pairs: int
    bleu: float
    self_bleu: float
    bertscore: float
    bert_ibleu: float
    is_loose: bool = False
    """Whether its pairs are paraphrases by the loose definition alone."""

    @property
    def figures(self) -> Mapping[str, float]:
        """By the names of our metrics."""
        return {
            "bleu": self.bleu,
            "self-bleu": self.self_bleu,
            "source-bertscore-f1": self.bertscore,
            "bert-ibleu": self.bert_ibleu,
        }


def _of(
    pairs: int, bleu: float, self_bleu: float, bertscore: float, bert_ibleu: float, *, is_loose: bool = False
) -> PublishedGenerator:
    return PublishedGenerator(
        pairs=pairs, bleu=bleu, self_bleu=self_bleu, bertscore=bertscore, bert_ibleu=bert_ibleu, is_loose=is_loose
    )


FILTERED: dict[str, PublishedGenerator] = {
    "multipit-crowd": _of(26_091, 36.15, 32.09, 85.53, 74.19, is_loose=True),
    "multipit-auto-crowd": _of(326_517, 45.55, 37.90, 85.80, 74.12, is_loose=True),
    "multipit-auto": _of(136_645, 41.14, 33.34, 85.86, 77.79),
    "quora": _of(47_393, 28.72, 34.23, 87.97, 73.54),
    "mscoco": _of(275_583, 26.14, 15.46, 81.00, 80.30),
    "paranmt": _of(443_512, 20.36, 33.35, 86.90, 77.51),
}
"""By the name of the training set. MultiPIT Auto-Crowd are pairs that an identifier chose which learned the loose
definition, from MultiPIT Crowd."""

WITHOUT_FILTER: dict[str, PublishedGenerator] = {
    "multipit-auto": _of(290_395, 45.85, 65.03, 91.86, 59.87),
    "quora": _of(134_378, 36.63, 54.54, 91.27, 61.58),
    "mscoco": _of(331_330, 28.15, 23.39, 82.99, 78.89),
    "paranmt": _of(50_000_000, 19.43, 37.59, 88.07, 76.28),
}


def published_generator(name: str, *, is_filtered: bool, is_judged: bool) -> PublishedGenerator | None:
    """The paper's generator that learned from the set of that name in that way, if there is one.

    >>> published_generator("quora-unfiltered", is_filtered=False, is_judged=False).self_bleu
    54.54
    >>> published_generator("multipit-crowd", is_filtered=True, is_judged=True) is None  # no longer the loose set
    True
    """
    found = (FILTERED if is_filtered else WITHOUT_FILTER).get(name.removesuffix(UNFILTERED))
    return None if found is None or (found.is_loose and is_judged) else found
