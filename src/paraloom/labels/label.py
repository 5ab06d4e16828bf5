"""Pairs in, a label for each out, as an identifier judges them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paraloom.errors import InputError, TableError
from paraloom.labels.options import LabelOptions
from paraloom.models.identifiers import Identifier, load
from paraloom.models.identifiers.grades import grades_of
from paraloom.tables import Label, schema

if TYPE_CHECKING:
    import pyarrow as pa


def label_pairs(pairs: pa.Table, identifier: Identifier, options: LabelOptions = LabelOptions()) -> pa.Table:
    """A table of `Label` rows, one for each pair and in their order; of the pairs only id and texts are read."""
    import numpy as np
    import pyarrow as pa

    missing = [column for column in ("pair_id", "left", "right") if column not in pairs.column_names]
    if missing:
        raise TableError(f"Pairs to label lack the columns {', '.join(missing)}; they have {pairs.column_names}.")
    check_definition(identifier, options)
    left, right = pairs.column("left").to_pylist(), pairs.column("right").to_pylist()
    scores = np.round(identifier.score(left, right, options.definition), 6)
    graded = options.definition == "graded"
    judged = {
        "pair_id": pairs.column("pair_id"),
        "grade": pa.array(grades_of(identifier, left, right, scores), pa.string()) if graded else pa.nulls(len(pairs)),
        "score": pa.array(scores),
        "labelled_by": pa.repeat(identifier.signature, len(pairs)),
    }
    return labels_of_scores(pa.table(judged), options)


def labels_of_scores(judged: pa.Table, options: LabelOptions) -> pa.Table:
    """The `Label` rows of pairs whose score and grade, and whose they are, is known: the threshold decides."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nothing = pa.nulls(len(judged))
    decided = {
        "definition": pa.repeat(options.definition, len(judged)),
        "is_paraphrase": pc.greater(judged.column("score"), options.threshold),
        "votes_for": nothing,
        "votes": nothing,
        "left_id": nothing,
    }
    columns = decided | {name: judged.column(name) for name in ("pair_id", "grade", "score", "labelled_by")}
    return pa.table(columns).select(schema(Label).names).cast(schema(Label))


def check_definition(identifier: Identifier, options: LabelOptions) -> None:
    """Refuse a definition that the identifier was not trained for, before any pair is scored."""
    if options.definition not in identifier.definitions:
        raise InputError(
            f"The identifier {options.identifier!r} was not trained for the definition {options.definition!r}. "
            f"It was trained for: {', '.join(identifier.definitions)}. Choose one of these, or another identifier."
        )


def load_identifier(options: LabelOptions) -> Identifier:
    """The identifier that the options name, if it knows the definition they ask for."""
    identifier = load(options.identifier)
    check_definition(identifier, options)
    return identifier


@dataclass(slots=True)
class PairLabeller:
    """`label_pairs` as a function of pairs alone, for a worker: the identifier is loaded once, where it is used.

    Only the options travel to the worker; a loaded model is never pickled.
    """

    options: LabelOptions = LabelOptions()
    _identifier: Identifier | None = field(default=None, init=False, repr=False, compare=False)

    def __call__(self, pairs: pa.Table) -> pa.Table:
        if self._identifier is None:
            self._identifier = load_identifier(self.options)
        return label_pairs(pairs, self._identifier, self.options)

    def __reduce__(self) -> tuple[type[PairLabeller], tuple[LabelOptions]]:
        return type(self), (self.options,)
