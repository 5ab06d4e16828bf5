"""Outputs and references in, BLEU of the set and of each sentence out, equal to sacrebleu's to the last digit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, mean_of
from paraloom.metrics.overlap.tokenisation import Tokenisation, tokens_13a, tokens_of, white_space_tokens

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU

SMOOTHING = {"none": 0.0, "floor": 0.1, "add-k": 1.0, "exp": 0.0}
"""Each method with sacrebleu's default value, 0 where it takes none (Chen and Cherry, 2014)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bleu:
    """BLEU of a whole set (Papineni et al., 2002) as sacrebleu computes it (Post, 2018), many times faster.

    An item's value is sacrebleu's sentence BLEU, for which the effective order is always on.

    >>> evaluation_set = EvaluationSet.of(["The storm hit the coast."], [["A storm has hit the coast."]])
    >>> measured = Bleu().prepare(evaluation_set)(["A storm hit the coast."])
    >>> round(measured.value, 2)
    51.15
    >>> measured.signature.rpartition("|")[0]
    'bleu|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp'
    """

    lowercase: bool = False
    """Compare lower-cased."""
    tokenize: str = "13a"
    """A tokenizer of sacrebleu: `13a`, `intl`, `char`, `zh`, `none` …"""
    smooth_method: str = "exp"
    """What is done where no n-gram of some length matches: `exp`, `floor`, `add-k` or `none`."""
    smooth_value: float | None = None
    """For `floor` and `add-k`; None is sacrebleu's default."""
    max_ngram_order: int = 4
    """The longest n-grams that count."""
    effective_order: bool = False
    """Leave out lengths of which the outputs have no n-gram, in the value of the set too."""

    def __post_init__(self) -> None:
        """Refuse what sacrebleu does not know."""
        _refuse_settings(self)

    @property
    def name(self) -> str:
        """`bleu`."""
        return "bleu"

    @property
    def better(self) -> Better:
        """Higher is nearer to the references; whether that is better than copying, the parrots tell."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; what is returned measures one system's outputs."""
        from paraloom.metrics.overlap.bleu_counts import BleuCounts

        counts_of = BleuCounts(evaluation_set.references, self._tokenisation(), self.max_ngram_order)
        signature = f"{self.name}|{self._sacrebleu_signature(evaluation_set.reference_counts)}"
        combine = partial(_values, self, self.effective_order)

        def measure(outputs: Sequence[str]) -> Measured:
            outputs = evaluation_set.check_outputs(outputs)
            counts = counts_of(outputs)
            statistics = counts.astype(np.float64)
            return Measured(
                name=self.name,
                value=self._value(counts.sum(axis=0).tolist()),
                items=_values(self, True, statistics),
                signature=signature,
                better=self.better,
                statistics=statistics,
                combine=combine,
            )

        return measure

    def _tokenisation(self) -> Tokenisation:
        if self.tokenize == "13a":
            return tokens_13a(self.lowercase)
        if self.tokenize == "none":
            return white_space_tokens(self.lowercase)
        return tokens_of(_sacrebleu(self).tokenizer, self.lowercase)

    def _value(self, sums: Sequence[int]) -> float:
        """From sacrebleu's own formula: one call a set costs nothing, and the last digit is beyond doubt."""
        from sacrebleu.metrics.bleu import BLEU

        order = self.max_ngram_order
        return float(
            BLEU.compute_bleu(
                correct=list(sums[:order]),
                total=list(sums[order : 2 * order]),
                sys_len=sums[-2],
                ref_len=sums[-1],
                smooth_method=self.smooth_method,
                smooth_value=self.smooth_value,
                effective_order=self.effective_order,
                max_ngram_order=order,
            ).score
        )

    def _sacrebleu_signature(self, reference_counts: Sequence[int]) -> str:
        metric = _sacrebleu(self)
        metric.num_refs = reference_counts[0] if len(set(reference_counts)) == 1 else -1
        return str(metric.get_signature())


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceBleu:
    """The mean of sacrebleu's sentence BLEU over the outputs; an item is one sentence's.

    >>> evaluation_set = EvaluationSet.of(["a b", "c d"], [["a b"], ["d c"]])
    >>> SentenceBleu().prepare(evaluation_set)(["a b", "c d"]).items.round(2)
    array([100. ,  70.71])
    """

    lowercase: bool = False
    """Compare lower-cased."""
    tokenize: str = "13a"
    """A tokenizer of sacrebleu: `13a`, `intl`, `char`, `zh`, `none` …"""
    smooth_method: str = "exp"
    """What is done where no n-gram of some length matches: `exp`, `floor`, `add-k` or `none`."""
    smooth_value: float | None = None
    """For `floor` and `add-k`; None is sacrebleu's default."""
    max_ngram_order: int = 4
    """The longest n-grams that count."""

    def __post_init__(self) -> None:
        """Refuse what sacrebleu does not know."""
        _refuse_settings(self)

    @property
    def name(self) -> str:
        """`sentence-bleu`."""
        return "sentence-bleu"

    @property
    def better(self) -> Better:
        """Higher is nearer to the references."""
        return "higher"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        """Read the references once; what is returned measures one system's outputs."""
        measure_set = Bleu(**asdict(self), effective_order=True).prepare(evaluation_set)

        def measure(outputs: Sequence[str]) -> Measured:
            measured = measure_set(outputs)
            return mean_of(self.name, measured.items, f"sentence-{measured.signature}", self.better)

        return measure


def _refuse_settings(bleu: Bleu | SentenceBleu) -> None:
    if bleu.smooth_method not in SMOOTHING:
        raise InputError(f"There is no smoothing {bleu.smooth_method!r}. Choose one of {', '.join(SMOOTHING)}.")
    if bleu.smooth_value is not None and not bleu.smooth_value >= 0:
        raise InputError(f"Smoothing by {bleu.smooth_value} does not exist. Give a number of 0 or more.")
    if bleu.max_ngram_order < 1:
        raise InputError(f"BLEU over n-grams up to {bleu.max_ngram_order} does not exist. Give at least 1.")


def _values(bleu: Bleu, effective_order: bool, statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    from paraloom.metrics.overlap.bleu_values import bleu_values

    smooth_value = SMOOTHING[bleu.smooth_method] if bleu.smooth_value is None else float(bleu.smooth_value)
    return bleu_values(statistics, bleu.smooth_method, smooth_value, effective_order)


def _sacrebleu(bleu: Bleu) -> BLEU:
    from sacrebleu.metrics.bleu import BLEU

    _refuse_download(bleu.tokenize)
    try:
        return BLEU(
            lowercase=bleu.lowercase,
            tokenize=bleu.tokenize,
            smooth_method=bleu.smooth_method,
            smooth_value=bleu.smooth_value,
            max_ngram_order=bleu.max_ngram_order,
            effective_order=bleu.effective_order,
        )
    except KeyError:
        known = ", ".join(BLEU.TOKENIZERS)
        raise InputError(f"sacrebleu has no tokenizer {bleu.tokenize!r}. Choose one of {known}.") from None
    except (RuntimeError, ImportError, OSError) as error:
        needed = _NEEDED.get(bleu.tokenize, "sentencepiece")
        raise InputError(
            f"sacrebleu's tokenizer {bleu.tokenize!r} cannot run here ({' '.join(str(error).split())}). "
            f"Install what it needs: pip install '{needed}'. Or choose another, such as 13a or char."
        ) from error


_NEEDED = {"ja-mecab": "sacrebleu[ja]", "ko-mecab": "sacrebleu[ko]"}
"""What pip must install for a tokenizer."""


def _refuse_download(tokenizer: str) -> None:
    """sacrebleu downloads the models of some tokenizers where they are absent; nobody asked it to."""
    from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
    from sacrebleu.utils import SACREBLEU_DIR

    if tokenizer in SPM_MODELS:
        url = SPM_MODELS[tokenizer]["url"]
        file = Path(SACREBLEU_DIR, "models", url.rpartition("/")[2])
        if not file.is_file():
            raise InputError(
                f"The model of sacrebleu's tokenizer {tokenizer!r} is not on this machine. Download {url} to {file}, "
                "or choose another tokenizer, such as 13a or char."
            )
