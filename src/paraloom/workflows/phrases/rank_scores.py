"""Rows of phrase pairs in, the same rows with every single score and the one they are ranked by, best first, out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from paraloom.engine.signatures import hash_of_source, paraloom_version
from paraloom.errors import InputError
from paraloom.models.phrase_scores.pair_columns import PairColumns
from paraloom.models.phrase_scores.substitution import Place, SubstitutionScore
from paraloom.phrases.contexts import read_context
from paraloom.phrases.rank_measures import NAMES, measured, without_shared
from paraloom.phrases.rank_rating import RatingModel, as_share, geometric_mean
from paraloom.phrases.rank_rows import ranked
from paraloom.phrases.tokens import encode
from paraloom.workflows.phrases.rank_fluency import load_fluency
from paraloom.workflows.phrases.rank_options import RankOptions

Floats = NDArray[np.float64]
AT_ONCE = 65_536
"""Rows whose places are held as Python values at a time."""

WAYS: dict[str, tuple[str, Callable[[Floats], Floats]]] = {
    "rating": ("rating", as_share),
    "translation": ("translation", lambda values: values),
    "lexical": ("lexical", lambda values: values),
    "cosine": ("cosine", lambda values: values.clip(0, 1)),
    "language-model": ("language_model", lambda values: (1 / (1 + np.exp(-values))).round(6)),
}
"""What to rank by: the column, and how it becomes a score from 0 to 1."""
_SOURCES = ("phrases", "models/phrase_scores", "workflows/phrases/rank_scores.py")


class PhraseScorer:
    """Knows the models that are asked for."""

    def __init__(self, options: RankOptions, run: Path | None) -> None:
        if options.rank_by not in WAYS:
            raise InputError(f"Phrases cannot be ranked by {options.rank_by!r}. Choose one of: {', '.join(WAYS)}.")
        self._options = options
        self._model = RatingModel.read()
        self._columns = PairColumns(options.effort, without_shared)
        fluency = load_fluency(options, run)
        self._substitution = SubstitutionScore(fluency) if fluency is not None else None
        if self._substitution is None and options.rank_by == "language-model":
            raise InputError(
                "There is nothing for a language model to learn from. Give --sentences-from FILE with sentences, one a "
                "line, rank the phrases of a run, or choose --language-model smollm2-135m."
            )
        own = f"paraloom:{paraloom_version()}|source:{hash_of_source(_SOURCES)[:8]}"
        told = f"effort:{options.effort}|language:{options.language}"
        self.signatures = {
            "rating": f"{self._model.signature}|{told}|{self._columns.signature}|{own}",
            "translation": f"translation|geometric-mean|{own}",
            "lexical": f"lexical|geometric-mean|{own}",
            "cosine": f"cosine|{told}|{self._columns.signature}|{own}",
        }
        if self._substitution is not None:
            self.signatures["language_model"] = f"{self._substitution.signature}|{own}"
        self.signature = short_signature(self.signatures)

    def rank(self, rows: pa.Table, tell: Callable[[str], None] = lambda what: None) -> pa.Table:
        """Rows with the columns of `rank_rows.GIVEN`, scored."""
        single = self._single(rows, tell)
        column, as_score = WAYS[self._options.rank_by]
        values = single[column]
        if np.isnan(values).all():
            raise InputError(
                f"No pair has what {self._options.rank_by} is worked out from. Rank by something else: rating."
            )
        return ranked(rows, np.nan_to_num(as_score(values), nan=0.0), single)

    def _single(self, rows: pa.Table, tell: Callable[[str], None]) -> dict[str, Floats]:
        numbers = {
            name: rows.column(name).to_numpy().astype(np.float64)
            for name in ("forward", "backward", "lexical_forward", "lexical_backward")
        }
        tell("probabilities")
        single = {
            "translation": geometric_mean(numbers["forward"], numbers["backward"]),
            "lexical": geometric_mean(numbers["lexical_forward"], numbers["lexical_backward"]),
        }
        left, right, which = either_order(rows)
        tell("spelling")
        plain = measured(zip(left, right, strict=True), self._options.language)
        known = {name: plain[:, place] for place, name in enumerate(NAMES)}
        tell("models")
        known |= self._columns.of(left, right)
        spread: dict[str, Floats] = {name: values[which] for name, values in known.items()}
        single["rating"] = self._model.ratings({**spread, **single})
        single["cosine"] = spread.get("good", spread["fast"])
        tell("language model")
        single["language_model"] = self._read_in_place(rows)
        return single

    def _read_in_place(self, rows: pa.Table) -> Floats:
        if self._substitution is None:
            return np.full(len(rows), np.nan)
        found = []
        for start in range(0, len(rows), AT_ONCE):
            some = rows.select(("left", "right", "contexts")).slice(start, AT_ONCE).to_pydict()
            places = [_places(contexts) for contexts in some["contexts"]]
            found.append(self._substitution.of(some["left"], some["right"], places))
        return np.concatenate([np.zeros(0), *found])


def _places(contexts: list[str] | None) -> list[Place]:
    read = map(read_context, contexts or ())
    return [(each.before, each.after) for each in read]


def either_order(rows: pa.Table) -> tuple[list[str], list[str], NDArray[np.int64]]:
    """Each two phrases once, in the order of their letters, and which of these two every row has."""
    phrases, codes = encode(pa.chunked_array([*rows.column("left").chunks, *rows.column("right").chunks], pa.string()))
    order = np.argsort(np.array(phrases.to_pylist(), object))
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    one, other = place[codes[: len(rows)]], place[codes[len(rows) :]]
    keys = np.minimum(one, other) * len(order) + np.maximum(one, other)
    distinct, which = np.unique(keys, return_inverse=True)
    texts = phrases.take(pa.array(order))
    left, right = (texts.take(pa.array(side)).to_pylist() for side in divmod(distinct, max(len(order), 1)))
    return left, right, which.astype(np.int64)


def short_signature(signatures: Mapping[str, str]) -> str:
    """All signatures in a few letters."""
    told = json.dumps(dict(signatures), sort_keys=True)
    return f"scores:{blake2b(told.encode(), digest_size=4).hexdigest()}"
