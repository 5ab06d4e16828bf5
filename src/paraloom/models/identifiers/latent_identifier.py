"""Pairs of texts in, out come features of the two sentences' latent vectors and a regression on them.

What `latent_similarity` and `latent_vectors` share: the factorisation, the n-gram features beside it, and the files.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from paraloom.engine.signatures import paraloom_version
from paraloom.errors import InputError
from paraloom.models.identifiers import CARD, Examples
from paraloom.models.identifiers.matrix_factors import Factorisation, MatrixFactors, factorise
from paraloom.models.identifiers.ngram_regression import overlap_features
from paraloom.models.identifiers.refusals import check_definition, check_pairs, with_held_out
from paraloom.models.identifiers.regression import Coefficients, fit_regression
from paraloom.text.lemmas import lemmatise
from paraloom.text.tokenise import tokenise, words

Floats = NDArray[np.float64]

FACTORS = ("wmf", "ormf")
PAIRS_AT_ONCE = 4096
"""The features of so many pairs are held in memory, however many are scored."""

LONGEST_TEXT = 100_000
"""Of a longer text only so many characters are read."""


def lemmas_of(text: str, language: str) -> list[str]:
    """The words that are factorised: lemmas, of signs where a text has no words.

    >>> lemmas_of("The storms came!", "en"), lemmas_of(":-)", "en")
    (['the', 'storm', 'come'], [':-)'])
    """
    shown = text[:LONGEST_TEXT]
    return lemmatise(words(shown) or tokenise(shown), language)


@dataclass(frozen=True, eq=False, kw_only=True)
class LatentIdentifier(ABC):
    """A factorisation of the training sentences, and a regression on what it says of a pair."""

    kind: ClassVar[str]
    """The end of the system's name."""

    factors: Literal["wmf", "ormf"] = "ormf"
    """Weighted matrix factorisation, or with nearly orthogonal dimensions."""
    lexical: bool = False
    """Whether the 18 n-gram features of `ngram-regression` stand beside the latent ones (LEX-WMF, LEX-OrMF)."""
    dimensions: int = 100
    missing_weight: float = 0.01
    """What a missing word counts, where one that is there counts 1."""
    penalty: float = 20.0
    """λ of the factorisation: how strongly vectors are kept short."""
    iterations: int = 20
    orthogonality: float = 0.0001
    """α of OrMF: the step that makes dimensions orthogonal."""
    least_sentences: int = 2
    """A word found in fewer training sentences is unknown."""
    further_sentences: str | Path | None = None
    """A text file, one sentence a line without labels, that is factorised together with the training sentences. Words
    of new topics are then known. Ji and Eisenstein (2013) factorise the very sentences that are to be judged; on
    PIT-2015, whose topics are all new, that adds 6 to 7 points of F1."""
    language: str = "en"
    """The language whose lemmas are counted as words."""
    regularisation: float = 0.01
    """Inverse strength of the regression's L2 penalty: scikit-learn's C."""
    latent: MatrixFactors | None = None
    """The factorisation. None before `fit`."""
    fitted: Mapping[str, Coefficients] = field(default_factory=dict)
    """Coefficients by definition. Empty before `fit`."""

    def __post_init__(self) -> None:
        if self.factors not in FACTORS:
            raise InputError(f"There is no factorisation {self.factors!r}. Choose one of: {', '.join(FACTORS)}.")

    @property
    def name(self) -> str:
        return f"{'lex-' if self.lexical else ''}{self.factors}-{self.kind}"

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(sorted(self.fitted))

    @property
    def parameters(self) -> int:
        vectors = self.latent.vectors.size if self.latent else 0
        return int(vectors) + sum(len(learned.coefficients) + 1 for learned in self.fitted.values())

    @property
    def signature(self) -> str:
        numbers = json.dumps({definition: asdict(learned) for definition, learned in sorted(self.fitted.items())})
        told = blake2b(numbers.encode(), digest_size=4)
        told.update((self.latent.fingerprint if self.latent else "").encode())
        return (
            f"{self.name}|dimensions:{self.dimensions}|missing:{self.missing_weight:g}|lemmas:{self.language}"
            f"|paraloom:{paraloom_version()}|weights:{told.hexdigest()}"
        )

    @abstractmethod
    def latent_features(self, left: Floats, right: Floats, same_words: NDArray[np.bool_]) -> Floats:
        """Features of each pair of vectors, the same in either order; some pairs have the same words on both sides."""

    def score(self, left: Sequence[str], right: Sequence[str], definition: str = "loose") -> Floats:
        """One number from 0 to 1 for each pair, rounded to 6 decimals; above .5 the pair is a paraphrase."""
        check_definition(self.name, definition, self.definitions)
        check_pairs(left, right)
        scores = [self.fitted[definition].scores(features) for features in self._features(left, right)]
        return np.concatenate([np.zeros(0), *scores])

    def fit(self, examples: Sequence[Examples], held_out: Sequence[Examples], seed: int = 1) -> Self:
        """The same settings with the training sentences factorised, a regression for each definition, and .5 set.

        Of the held-out pairs no sentence is factorised: they are as new as those it will be asked about.
        """
        both = with_held_out(examples, held_out)
        sentences = dict.fromkeys(text for one, _ in both for text in (*one.left, *one.right))
        sentences |= dict.fromkeys(self._further())
        latent = factorise((self._words(text) for text in sentences), self._how(), seed)
        factorised = replace(self, latent=latent, fitted={})
        fitted = {
            one.definition: fit_regression(
                np.concatenate(list(factorised._features(one.left, one.right))),
                np.asarray(one.targets),
                np.concatenate(list(factorised._features(kept.left, kept.right))),
                np.asarray(kept.targets),
                self.regularisation,
            )
            for one, kept in both
        }
        return replace(factorised, fitted=fitted)

    def _how(self) -> Factorisation:
        return Factorisation(
            dimensions=self.dimensions,
            missing_weight=self.missing_weight,
            penalty=self.penalty,
            iterations=self.iterations,
            orthogonality=self.orthogonality if self.factors == "ormf" else 0.0,
            least_sentences=self.least_sentences,
        )

    def _further(self) -> Iterator[str]:
        if self.further_sentences is None:
            return
        file = Path(self.further_sentences)
        if not file.is_file():
            raise InputError(f"There is no file {file} to read further sentences from. Give one sentence a line.")
        with file.open(encoding="utf-8", errors="replace") as lines:
            yield from (line.strip() for line in lines)

    def _words(self, text: str) -> list[str]:
        return lemmas_of(text, self.language)

    def _features(self, left: Sequence[str], right: Sequence[str]) -> Iterator[Floats]:
        """The features of all pairs, some pairs at a time."""
        for start in range(0, len(left), PAIRS_AT_ONCE):
            some = slice(start, start + PAIRS_AT_ONCE)
            yield self._features_of(left[some], right[some])

    def _features_of(self, left: Sequence[str], right: Sequence[str]) -> Floats:
        assert self.latent is not None, "features are computed after the factorisation"
        place = {text: row for row, text in enumerate(dict.fromkeys([*left, *right]))}
        bags = [self._words(text) for text in place]
        vectors = self.latent.fold_in(bags)
        left_rows, right_rows = ([place[text] for text in side] for side in (left, right))
        same_words = np.array([bags[one] == bags[other] for one, other in zip(left_rows, right_rows, strict=True)])
        features = self.latent_features(vectors[left_rows], vectors[right_rows], same_words)
        return np.hstack([features, overlap_features(left, right, self.language)]) if self.lexical else features

    def save(self, folder: Path) -> None:
        """Write the settings and coefficients as JSON, and the words' vectors beside them."""
        if self.latent is None:
            raise InputError(f"{self.name} has learned nothing to save. Call fit first.")
        folder.mkdir(parents=True, exist_ok=True)
        self.latent.save(folder)
        card = {
            "name": self.name,
            "settings": {name: str(value) if isinstance(value, Path) else value for name, value in self._settings()},
            "definitions": {definition: asdict(learned) for definition, learned in sorted(self.fitted.items())},
        }
        (folder / CARD).write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")

    def _settings(self) -> Iterator[tuple[str, Any]]:
        return ((one.name, getattr(self, one.name)) for one in fields(self) if one.name not in ("latent", "fitted"))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What was saved into a folder."""
        card = json.loads((folder / CARD).read_text(encoding="utf-8"))
        return cls(
            **card["settings"],
            latent=MatrixFactors.load(folder),
            fitted={definition: Coefficients.read(numbers) for definition, numbers in card["definitions"].items()},
        )
