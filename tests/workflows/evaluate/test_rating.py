"""Ratings from files: rows and JSON, references however they are written, metrics held against people."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sacrebleu
from scipy import stats

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.measured import Better, Measured, mean_of
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.rated_files import read_rated_outputs, read_references
from paraloom.workflows.evaluate.rating import evaluate_rating, hold_against_people
from paraloom.workflows.evaluate.rating_options import RatingOptions

QUICK = RatingOptions(resamples=30)
BLEU = MetricOptions(metrics=("sentence-bleu", "self-bleu"))

ROWS = [
    # source, output, system, annotator, fluency, similarity, diversity
    ("the storm hit", "a storm struck", "one", "ann", 5, 4, 4),
    ("the storm hit", "a storm struck", "one", "bob", 4, 4, 5),
    ("the storm hit", "the storm hit", "two", "ann", 5, 5, 1),
    ("the storm hit", "the storm hit", "two", "bob", 5, 5, 1),
    ("rain fell on the town", "it rained in town", "one", "ann", 5, 5, 4),
    ("rain fell on the town", "it rained in town", "one", "bob", 5, 4, 3),
    ("rain fell on the town", "rain town fell", "two", "ann", 2, 3, 2),
    ("rain fell on the town", "rain town fell", "two", "bob", 1, 3, 3),
]
NAMES = ("source", "output", "system", "annotator", "fluency", "similarity", "diversity")


def write_tsv(path: Path, rows: Sequence[Sequence[Any]] = ROWS, names: Sequence[str] = NAMES) -> Path:
    path.write_text("\n".join("\t".join(map(str, row)) for row in (names, *rows)) + "\n", encoding="utf-8")
    return path


def write_json(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_rows_of_annotators_become_items_with_their_ratings(tmp_path: Path) -> None:
    rated = read_rated_outputs([write_tsv(tmp_path / "ratings.tsv")])
    assert len(rated) == 4
    assert rated.system_names == ("one", "two")
    assert rated.means("fluency").tolist() == [4.5, 5.0, 5.0, 1.5]
    assert rated.scored == ("fluency", "similarity", "diversity", "overall")
    assert "1 of 4 outputs are their source, word for word." in rated.notes


def test_json_of_candidates_has_one_aspect_and_every_candidate_is_an_item(tmp_path: Path) -> None:
    given = {"a storm": [["storm", 0.8], ["storm", 0.6], ["a storm", 1]], "b": [["c", 0.0]]}
    rated = read_rated_outputs([write_json(tmp_path / "candidates.json", given)])
    assert rated.sources == ("a storm", "a storm", "a storm", "b")
    assert rated.means("score").tolist() == [0.8, 0.6, 1.0, 0.0]


REFERENCES = [
    ({"a": "b"}, {"a": ("b",)}),
    ({"a": ["b", "c"]}, {"a": ("b", "c")}),
    ({"a": ["b", 0.8]}, {"a": ("b",)}),
    ({"a": [["b", 1.0], ["c", 0.2]]}, {"a": ("b", "c")}),
    ({"a": []}, {"a": ()}),
]


@pytest.mark.parametrize(("written", "read"), REFERENCES)
def test_every_text_of_a_source_is_a_reference_and_a_number_beside_it_is_none(
    tmp_path: Path, written: Any, read: dict[str, tuple[str, ...]]
) -> None:
    assert read_references(write_json(tmp_path / "references.json", written)) == read


def test_references_may_be_rows_or_stand_beside_the_ratings(tmp_path: Path) -> None:
    rows = [("a", "x", 3, '["b", "c"]'), ("d", "y", 2, "e"), ("f", "z", 1, "")]
    ratings = write_tsv(tmp_path / "r.tsv", rows, ("source", "output", "fluency", "references"))
    beside = write_tsv(tmp_path / "references.tsv", [("a", "g"), ("f", "h")], ("source", "reference"))
    rated = read_rated_outputs([ratings], RatingOptions(references=beside))
    assert rated.references == (("b", "c", "g"), ("e",), ("h",))


def test_an_aspect_that_somebody_passed_over_is_no_rating(tmp_path: Path) -> None:
    rows = [("a", "x", 3, ""), ("b", "y", 2, 4)]
    rated = read_rated_outputs([write_tsv(tmp_path / "r.tsv", rows, ("source", "output", "fluency", "similarity"))])
    assert np.isnan(rated.means("similarity")[0])
    assert rated.ratings["similarity"].value.tolist() == [4.0]


def test_any_columns_can_be_aspects_on_any_scale(tmp_path: Path) -> None:
    rows = [("a", "x", 70, 1), ("b", "y", 20, 2)]
    path = write_tsv(tmp_path / "r.tsv", rows, ("source", "output", "meaning", "style"))
    rated = read_rated_outputs([path], RatingOptions(aspects=("meaning", "style")))
    assert list(rated.ratings) == ["meaning", "style"]
    with pytest.raises(InputError, match=r"line 2: meaning is 70.*scale 0 to 5"):
        read_rated_outputs([path], RatingOptions(aspects=("meaning",), lowest=0, highest=5))


HEADER = ("source", "output", "annotator", "fluency")
REFUSED = [
    ([("a", "x", "ann", 7)], HEADER, r"line 2: fluency is 7, which is not on the scale 1 to 5"),
    ([("a", "x", "ann", 0)], HEADER, r"fluency is 0"),
    ([("a", "x", "ann", "good")], HEADER, r"line 2: fluency is 'good', not a number"),
    ([("a", "x", "ann", 3), ("a", "x", "ann", 4)], HEADER, r"line 3: ann rated this output before, in .*line 2"),
    (
        [("a", "x", "ann")],
        ("source", "output", "annotator"),
        r"no column fluency, similarity, diversity; it has source",
    ),
    ([("a", "x", "ann", "")], HEADER, r"holds a rating"),
]


@pytest.mark.parametrize(("rows", "names", "told"), REFUSED)
def test_ratings_that_cannot_be_used_are_refused_with_their_line(
    tmp_path: Path, rows: list[tuple[Any, ...]], names: tuple[str, ...], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        read_rated_outputs([write_tsv(tmp_path / "r.tsv", rows, names)])


REFUSED_JSON = [
    ({"a": "b"}, None, "not a list of"),
    ({"a": [["b"]]}, None, r"candidate 1 is \['b'\], not \[candidate, score\]"),
    ({"a": [["b", True]]}, None, "candidate 1"),
    ({"a": [["b", 0.5]]}, {"other": "c"}, "none of the rated sources"),
    ({"a": [["b", 0.5]]}, ["c"], "source → references"),
    ({"a": [["b", 0.5]]}, {"a": {"b": 1}}, "a reference is dict, not text"),
]


@pytest.mark.parametrize(("given", "references", "told"), REFUSED_JSON)
def test_json_of_another_shape_is_refused(tmp_path: Path, given: Any, references: Any, told: str) -> None:
    beside = None if references is None else write_json(tmp_path / "references.json", references)
    with pytest.raises(InputError, match=told):
        read_rated_outputs([write_json(tmp_path / "c.json", given)], RatingOptions(references=beside))


def test_metrics_are_correlated_item_by_item_as_sacrebleu_and_scipy_do(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    words = ["storm", "rain", "coast", "town", "hit", "fell", "the", "a"]

    def text() -> str:
        return " ".join(random.choice(words, 7))

    given = {text(): [[text(), int(random.integers(0, 6)) / 5] for _ in range(5)] for _ in range(30)}
    references = {source: [text(), 1.0] for source in given}
    evaluation = evaluate_rating(
        [write_json(tmp_path / "c.json", given)],
        RatingOptions(references=write_json(tmp_path / "r.json", references), resamples=30),
        BLEU,
    )
    items = [(source, output, score) for source, candidates in given.items() for output, score in candidates]
    people = [score for _, _, score in items]
    bleu = [sacrebleu.sentence_bleu(output, [references[source][0]]).score for source, output, _ in items]
    own = [sacrebleu.sentence_bleu(output, [source]).score for source, output, _ in items]
    for name, values in (("sentence-bleu", bleu), ("self-bleu", own)):
        found = evaluation.correlation(name, "score")
        assert found is not None
        assert found.value == pytest.approx(stats.spearmanr(values, people).statistic)
        assert found.items == 150
        within = [
            stats.spearmanr(values[at : at + 5], people[at : at + 5]).statistic
            for at in range(0, 150, 5)
            if np.ptp(people[at : at + 5]) > 0
        ]
        assert found.within == pytest.approx(np.mean(np.nan_to_num(within)))
    assert evaluation.human is None
    assert [metric.name for metric in evaluation.metrics] == ["sentence-bleu", "self-bleu"]
    assert "sentence-bleu|" in evaluation.as_json()["signature"]["sentence-bleu"]


def test_systems_are_summarised_apart_and_compared_on_shared_sources(tmp_path: Path) -> None:
    evaluation = evaluate_rating([write_tsv(tmp_path / "ratings.tsv")], QUICK, MetricOptions(metrics=("self-bleu",)))
    means = {summary.aspect: summary.mean for summary in evaluation.summaries_of("one")}
    assert means == {"fluency": 4.75, "similarity": 4.25, "diversity": 4.0, "overall": 13.0}
    difference = next(one for one in evaluation.differences if one.comparison.name == "diversity")
    assert (difference.ours, difference.other, difference.sources) == ("one", "two", 2)
    assert difference.comparison.difference == pytest.approx(4.0 - 1.75)
    written = evaluation.as_json()
    assert set(written["systems"]) == {"one", "two"}
    assert written["systems"]["two"]["metrics"]["diversity"] == 1.75
    assert ("one", "two", "diversity") in {(one["ours"], one["other"], one["aspect"]) for one in written["differences"]}
    copies = evaluation.correlation("self-bleu", "diversity")
    assert copies is not None
    assert copies.value is not None
    assert copies.value < 0
    assert copies.stars == ""  # four outputs


def test_without_references_what_needs_them_is_not_run_and_it_is_said_why(tmp_path: Path) -> None:
    rated = read_rated_outputs([write_tsv(tmp_path / "ratings.tsv")])
    evaluation = hold_against_people(rated, [(Length("bleu"), True), (Length("length"), False)], resamples=20)
    assert evaluation.not_run == {"bleu": "no source has a reference"}
    assert [metric.name for metric in evaluation.metrics] == ["length"]


def test_a_metric_that_was_asked_for_by_name_must_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no source has a reference"):
        evaluate_rating([write_tsv(tmp_path / "ratings.tsv")], QUICK, BLEU)


def test_sources_without_a_reference_are_left_out_of_what_needs_one(tmp_path: Path) -> None:
    beside = write_json(tmp_path / "references.json", {"the storm hit": ["a storm came", "storm!"]})
    rated = read_rated_outputs([write_tsv(tmp_path / "ratings.tsv")], RatingOptions(references=beside))
    evaluation = hold_against_people(rated, [(Length("bleu"), True), (Length("length"), False)], resamples=20)
    assert {metric.name: metric.items for metric in evaluation.metrics} == {"bleu": 2, "length": 4}
    assert any("1 of 2 sources have no reference" in note for note in evaluation.notes)
    assert evaluation.human is not None
    assert (evaluation.human.sources, evaluation.human.references) == (1, 2)


def test_a_metric_without_a_value_for_one_output_is_listed_as_not_run(tmp_path: Path) -> None:
    rated = read_rated_outputs([write_tsv(tmp_path / "ratings.tsv")])
    evaluation = hold_against_people(rated, [(Length("distinct", alone=False), False)], resamples=20)
    assert evaluation.not_run == {"distinct": "it has no value for one output alone"}
    assert evaluation.correlations == ()


@dataclass(frozen=True)
class Length:
    """A metric of this test's own: how many words an output has."""

    name: str
    alone: bool = True

    @property
    def better(self) -> Better:
        return "neither"

    def prepare(self, evaluation_set: EvaluationSet) -> Callable[[Sequence[str]], Measured]:
        def measure(outputs: Sequence[str]) -> Measured:
            evaluation_set.check_outputs(outputs)
            lengths = np.array([float(len(text.split())) for text in outputs])
            return mean_of(self.name, lengths if self.alone else np.empty(0), self.name, "neither")

        return measure


def test_rows_that_repeat_or_contradict_without_a_name_are_noted(tmp_path: Path) -> None:
    names = ("source", "output", "score")
    rows = [("a b", "b a", 1), ("a b", "b a", 1), ("a b", "b a", 3), ("c d", " ", 2)]
    rated = read_rated_outputs([write_tsv(tmp_path / "r.tsv", rows, names)])
    assert any(note.startswith("2 rows name no annotator") and "1 of them otherwise" in note for note in rated.notes)
    assert "1 of 2 outputs are empty." in rated.notes


BROKEN_ROWS = [
    (("source", "output", "system", "score"), ("a", "b", " ", 1), "line 2: the system is empty"),
    (("source", "output", "score"), (" ", "b", 1), "line 2: the source is empty"),
    (("source", "output", "score", "score"), ("a", "b", 1, 2), "several columns called 'score'"),
]


@pytest.mark.parametrize(("names", "row", "told"), BROKEN_ROWS)
def test_rows_about_nothing_are_refused(tmp_path: Path, names: Any, row: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        read_rated_outputs([write_tsv(tmp_path / "r.tsv", [row], names)])


NO_SCALES = [
    (RatingOptions(lowest=float("nan")), "--lowest nan"),
    (RatingOptions(lowest=5, highest=1), "--lowest 5 is not below"),
    (RatingOptions(seed=-1), "--seed -1"),
    (RatingOptions(resamples=0), "0 resamples"),
]


@pytest.mark.parametrize(("options", "told"), NO_SCALES)
def test_options_that_make_no_sense_are_refused(tmp_path: Path, options: RatingOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        evaluate_rating([write_tsv(tmp_path / "r.tsv")], options, BLEU)


def test_the_signature_of_one_outputs_bleu_is_that_of_sentence_bleu(tmp_path: Path) -> None:
    references = write_json(tmp_path / "references.json", {"the storm hit": ["a gale struck", "a storm hit"]})
    options = RatingOptions(resamples=30, references=references)
    evaluation = evaluate_rating([write_tsv(tmp_path / "r.tsv")], options, MetricOptions(metrics=("bleu", "self-bleu")))
    assert evaluation.human is not None
    for signature in (*(metric.signature for metric in evaluation.metrics), evaluation.human.signature):
        assert "|eff:yes|" in signature
        assert signature.startswith("sentence-")


def test_a_cell_without_a_figure_says_why(tmp_path: Path) -> None:
    rows = [("a b", "b a", 3), ("c d", "d c", 3), ("e f", "f e", 3)]
    file = write_tsv(tmp_path / "r.tsv", rows, ("source", "output", "score"))
    evaluation = evaluate_rating([file], QUICK, MetricOptions(metrics=("self-bleu",)))
    assert "alpha of score: none, since no item has answers of two people." in evaluation.as_text()
    assert "self-bleu with score: no correlation, since" in evaluation.as_text()
