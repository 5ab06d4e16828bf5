"""Outputs and references in, NLTK's METEOR out, under its own name: it is the METEOR of 2007 and no other.

It has neither paraphrases nor weights for function words, and stems and matches otherwise than METEOR 1.5, so that one
output may have .740 here and .447 there. Report both only side by side, never one for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, mean_of, signature
from paraloom.text.tokenise import tokenise


def why_no_nltk_meteor(data: Path | None = None) -> str | None:
    """What is missing and what to install; None where NLTK's METEOR can be run. The network is never tried.

    `data` is a folder of NLTK's data besides those that NLTK knows.
    """
    if find_spec("nltk") is None:
        return "NLTK's METEOR needs nltk (pip install nltk) and its WordNet."
    try:
        _wordnet(data)
    except InputError as error:
        return str(error)
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class NltkMeteor:
    """Mean of NLTK's METEOR over the outputs (Lavie and Agarwal, 2007), from 0 to 100; the best reference counts."""

    alpha: float = 0.9
    """Weight of recall against precision."""
    beta: float = 3.0
    gamma: float = 0.5
    """Greatest penalty for words in another order; `beta` bends how it grows."""
    data: Path | None = None
    """A folder of NLTK's data (`corpora/wordnet.zip`), looked into besides those that NLTK knows."""

    @property
    def name(self) -> str:
        """`nltk-meteor`."""
        return "nltk-meteor"

    @property
    def better(self) -> Better:
        """Higher: more of a reference is met."""
        return "higher"

    def why_not(self) -> str | None:
        """What must be installed before this metric can be measured; None where it can."""
        return why_no_nltk_meteor(self.data)

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; NLTK lower-cases tokens itself."""
        missing = self.why_not()
        if missing is not None:
            raise InputError(missing)
        import nltk
        from nltk.translate.meteor_score import meteor_score

        references = [[tokenise(text) for text in texts] for texts in evaluation_set.references]
        wordnet, stemmer = _RememberedWordnet(self.data), _RememberedStemmer()
        counts = set(evaluation_set.reference_counts)
        settings = {
            "nrefs": counts.pop() if len(counts) == 1 else "var",
            **{key: getattr(self, key) for key in ("alpha", "beta", "gamma")},
            "case": "lc",
            "tok": "paraloom",
            "wordnet": _wordnet(self.data).get_version(),
            "version": nltk.__version__,
        }

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            scores = [
                meteor_score(
                    texts,
                    tokenise(output),
                    stemmer=stemmer,
                    wordnet=wordnet,
                    alpha=self.alpha,
                    beta=self.beta,
                    gamma=self.gamma,
                )
                for texts, output in zip(references, outputs, strict=True)
            ]
            return mean_of(self.name, 100 * np.array(scores), signature(self.name, settings), self.better)

        return measure


class _RememberedStemmer:
    """NLTK's stemmer, which forgets every word it has stemmed."""

    def __init__(self) -> None:
        from nltk.stem.porter import PorterStemmer

        self.stem = lru_cache(maxsize=1 << 16)(PorterStemmer().stem)


class _RememberedWordnet:
    """NLTK's WordNet, which looks every word up anew."""

    def __init__(self, data: Path | None) -> None:
        self.synsets = lru_cache(maxsize=1 << 16)(_wordnet(data).synsets)


def _wordnet(data: Path | None) -> Any:
    import nltk
    from nltk.corpus import wordnet

    if data is not None and str(data) not in nltk.data.path:
        nltk.data.path.append(str(data))
    try:
        wordnet.ensure_loaded()
    except LookupError as error:
        raise InputError(
            "NLTK's METEOR needs WordNet. Run: paraloom models fetch wordnet. "
            "Or put corpora/wordnet.zip into a folder and name the folder in NLTK_DATA."
        ) from error
    return wordnet
