"""Pairs become labels by an identifier's scores."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pyarrow as pa
import pytest

from paraloom.errors import InputError, TableError
from paraloom.labels.label import PairLabeller, label_pairs, load_identifier
from paraloom.labels.options import LabelOptions
from paraloom.models.identifiers import load
from paraloom.tables import Label, check, schema

PAIRS = pa.table(
    {
        "pair_id": ["p3", "p1", "p2"],
        "left": ["the storm hit the coast on monday", "the storm hit the coast on monday", "¡vaya tormenta!"],
        "right": ["on monday the storm hit the coast", "shares fell after a weak report", ""],
        "rank": [1, 2, 3],
    }
)


@pytest.fixture(scope="module")
def labels() -> pa.Table:
    return label_pairs(PAIRS, load("ngram-regression"))


def test_each_pair_gets_one_label_in_its_own_place(labels: pa.Table) -> None:
    assert labels.column("pair_id").to_pylist() == ["p3", "p1", "p2"]
    assert labels.column("is_paraphrase").to_pylist() == [True, False, False]
    assert set(labels.column("definition").to_pylist()) == {"loose"}


def test_the_table_is_a_table_of_labels(labels: pa.Table) -> None:
    assert labels.schema == schema(Label)
    assert check(labels, Label) == labels


def test_votes_and_grade_stay_empty_where_nobody_voted(labels: pa.Table) -> None:
    assert all(labels.column(name).null_count == len(labels) for name in ("grade", "votes_for", "votes"))


def test_a_graded_label_has_a_grade() -> None:
    labels = label_pairs(PAIRS, load("paraloom"), LabelOptions(definition="graded"))
    assert labels.schema == schema(Label)
    grades = labels.column("grade").to_pylist()
    assert [grade[0] for grade in grades] == ["4", "1", "1"]
    assert labels.column("is_paraphrase").to_pylist() == [True, False, False]


def test_a_label_names_the_identifier_by_its_signature(labels: pa.Table) -> None:
    assert set(labels.column("labelled_by").to_pylist()) == {load("ngram-regression").signature}


def test_scores_have_six_decimals(labels: pa.Table) -> None:
    scores = labels.column("score").to_pylist()
    assert scores == [round(score, 6) for score in scores]


def test_no_pairs_make_no_labels() -> None:
    assert label_pairs(PAIRS.slice(0, 0), load("ngram-regression")).num_rows == 0


THRESHOLDS = [(0.0, 3), (0.5, 1), (1.0, 0)]


@pytest.mark.parametrize(("threshold", "paraphrases"), THRESHOLDS)
def test_a_higher_threshold_makes_fewer_paraphrases(threshold: float, paraphrases: int) -> None:
    labels = label_pairs(PAIRS, load("ngram-regression"), LabelOptions(threshold=threshold))
    assert sum(labels.column("is_paraphrase").to_pylist()) == paraphrases


def test_a_score_at_the_threshold_is_no_paraphrase(labels: pa.Table) -> None:
    score = labels.column("score")[0].as_py()
    again = label_pairs(PAIRS, load("ngram-regression"), LabelOptions(threshold=score))
    assert again.column("is_paraphrase")[0].as_py() is False


def test_a_definition_it_was_not_trained_for_is_refused_by_name() -> None:
    with pytest.raises(InputError, match=r"'ngram-regression' was not .*'strict'.* trained for: loose"):
        load_identifier(LabelOptions(identifier="ngram-regression", definition="strict"))
    with pytest.raises(InputError, match="trained for: loose"):
        label_pairs(PAIRS, load("ngram-regression"), LabelOptions(definition="graded"))


def test_pairs_without_their_texts_are_refused() -> None:
    with pytest.raises(TableError, match="lack the columns left, right"):
        label_pairs(PAIRS.drop_columns(["left", "right"]), load("ngram-regression"))


def test_a_labeller_labels_as_label_pairs_does(labels: pa.Table) -> None:
    assert PairLabeller(LabelOptions(identifier="ngram-regression"))(PAIRS) == labels


def test_a_labeller_loads_its_identifier_once() -> None:
    labeller = PairLabeller(LabelOptions(identifier="ngram-regression"))
    labeller(PAIRS)
    loaded = labeller._identifier
    labeller(PAIRS)
    assert loaded is not None
    assert labeller._identifier is loaded


def test_a_labeller_travels_without_its_model(labels: pa.Table) -> None:
    labeller = PairLabeller(LabelOptions(identifier="ngram-regression"))
    labeller(PAIRS)
    travelled = pickle.loads(pickle.dumps(labeller))
    assert travelled == labeller
    assert travelled._identifier is None
    assert travelled(PAIRS) == labels


def test_the_options_are_read_without_anything_heavy() -> None:
    code = (
        "import sys, paraloom.labels.options, paraloom.models.identifiers; "
        "print([name for name in ('numpy', 'pyarrow', 'sklearn', 'scipy', 'simplemma') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
