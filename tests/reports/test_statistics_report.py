"""The report of a corpus says what was counted, what was not looked for, and what the paper has beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from paraloom.corpus.statistics_options import StatisticsOptions
from paraloom.metrics.corpus_figures import BINS, SimilarityFigures, SimilarityHistogram
from paraloom.reports import papers_turku as papers
from paraloom.reports.statistics import StatisticsEvaluation, render_statistics, write_statistics_report
from paraloom.reports.statistics_charts import LABEL_COLOURS, labels_by_similarity
from paraloom.workflows.corpus.stats import corpus_statistics

GRADED = [
    ("The storm hit the coast.", "The coast was hit by the storm.", "4"),
    ("It rained all night.", "It rained all night", "4s"),
    ("The town flooded. Nobody was hurt.", "The town was under water <b>today</b>.", "4>"),
    ("A ferry arrived late.", "The ferry was late again.", "3"),
    ("The mayor spoke to people.", "The harbour was closed.", "2"),
]


def corpus(folder: Path, name: str, rows: list[tuple[str, str, str]]) -> Path:
    file = folder / f"{name}.json"
    objects = [
        {"txt1": left, "txt2": right, "label": label, "rewrites": [["A ferry came late.", "A ferry was late."]]}
        for left, right, label in rows
    ]
    file.write_text(json.dumps(objects), encoding="utf-8")
    return file


@pytest.fixture
def evaluation(tmp_path: Path) -> StatisticsEvaluation:
    words = tmp_path / "synonyms.txt"
    words.write_text("storm, gale\n", encoding="utf-8")
    return corpus_statistics([corpus(tmp_path, "dev", GRADED)], StatisticsOptions(synonyms=words))


def test_one_corpus_is_one_object_with_metrics_and_signatures(evaluation: StatisticsEvaluation) -> None:
    told = evaluation.as_json()
    metrics = told["metrics"]
    assert (metrics["pairs"], metrics["measured-pairs"], metrics["rewrites"]) == (5, 4, 5)
    assert metrics["paraphrase-share"] == 0.8
    assert metrics["pattern-same-words"] == metrics["pattern-function-words"] == 0.25
    assert metrics["trivial-share"] == 0.5
    assert metrics["mapping-1-1"] == 0.5
    assert set(told["signature"]) == {"labels", "similarity", "tokens", "sentences", "patterns"}
    assert told["similarity"]["bins"][:2] == [0.0, 0.05]
    assert len(told["similarity"]["bins"]) == BINS + 1
    assert [part["name"] for part in told["labels"]["merged"]] == ["2", "3", "4>", "4"]
    json.dumps(told, allow_nan=False)


def test_several_corpora_are_told_by_name(tmp_path: Path) -> None:
    files = [corpus(tmp_path, name, GRADED[: 2 + place]) for place, name in enumerate(("one", "two"))]
    told = corpus_statistics(files).as_json()
    assert set(told) == {"corpora", "notes", "paraloom"}
    assert {name: one["metrics"]["pairs"] for name, one in told["corpora"].items()} == {"one": 2, "two": 3}


def test_what_was_not_looked_for_is_null_and_said_so(tmp_path: Path) -> None:
    file = corpus(tmp_path, "dev", [("Hän osti auton.", "Hän ostaa autoja.", "4")])
    evaluation = corpus_statistics([file], StatisticsOptions(language="fi"))
    assert evaluation.as_json()["metrics"]["pattern-synonyms"] is None
    text = evaluation.as_text()
    assert re.search(r"^synonyms +not looked for +2%$", text, re.MULTILINE)
    assert re.search(r"^any of these +at least 100%", text, re.MULTILINE)
    assert "not looked for: synonyms, function words and synonyms, since no file of synonyms was given" in text
    page = render_statistics(evaluation)
    assert "dev: 1 pair, at least 100% trivial" in page


def test_the_paper_stands_beside_our_figures(evaluation: StatisticsEvaluation) -> None:
    text = evaluation.as_text()
    assert re.search(r"^mean tokens of a statement +\d+\.\d +8\.8$", text, re.MULTILINE)
    assert re.search(r"^sentence – sentence +50\.0% +63%$", text, re.MULTILINE)
    assert re.search(r"^phrase, or not well-formed +12\.5% +12%$", text, re.MULTILINE)
    assert re.search(r"^words in another order +0% +<1%$", text, re.MULTILINE)
    page = render_statistics(evaluation)
    assert "98%" in page
    assert "5.6 for TaPaCo and 3.6 for Opusparcus" in page


def test_papers_shares_add_up_to_no_more_than_all() -> None:
    assert sum(papers.TURKU_STATEMENTS.values()) == pytest.approx(1.0)
    assert sum(papers.TURKU_MAPPINGS.values()) < 1
    assert sum(papers.SOURCE_SHARES.values()) == pytest.approx(1.0)
    assert {one.kind for one in papers.EXTRACTION} > set(papers.SOURCE_SHARES)


def test_the_page_is_whole_escaped_and_written_beside_its_numbers(
    evaluation: StatisticsEvaluation, tmp_path: Path
) -> None:
    report = write_statistics_report(evaluation, tmp_path / "report")
    page = report.read_text(encoding="utf-8")
    assert "&lt;b&gt;today" not in page  # that pair follows no pattern, so it is no example
    assert "<b>today" not in page
    assert page.count('role="img"') == 5
    for external in ("http://", "https://", "<script", "src="):
        assert external not in page.replace("http://www.w3.org/", "")
    written = json.loads((tmp_path / "report" / "statistics.json").read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(evaluation.as_json()))
    assert report.read_bytes() == write_statistics_report(evaluation, tmp_path / "again").read_bytes()


def test_an_example_is_escaped(tmp_path: Path) -> None:
    page = render_statistics(corpus_statistics([corpus(tmp_path, "dev", [("<i>It blew", "<i>it blew!", "4")])]))
    assert "&lt;i&gt;It blew" in page
    assert "<i>It blew" not in page


BARE = [
    ("unlabelled", [("It blew hard all night", "It rained all night", "")]),
    ("without paraphrases", [("It blew hard all night", "It rained all night", "2")]),
    ("other labels", [("It blew hard all night", "It rained all night", "neutral")]),
    ("yes and no", [("It blew", "It rained", "1"), ("It blew", "It snowed", "0")]),
]


@pytest.mark.parametrize(("name", "rows"), BARE)
def test_a_page_is_drawn_whatever_there_is_to_draw(tmp_path: Path, name: str, rows: list[tuple[str, str, str]]) -> None:
    evaluation = corpus_statistics([corpus(tmp_path, name, rows)])
    page = render_statistics(evaluation)
    assert name in page
    assert evaluation.as_text()
    assert ("has no labels." in page) == (name == "unlabelled")
    assert ("No pair is measured." in page) == (name == "without paraphrases")


def test_a_bar_has_the_colour_of_its_label() -> None:
    counts = (3,) + (0,) * (BINS - 1)
    by_label = tuple(
        SimilarityHistogram(name=name, counts=counts, pairs=3, mean=0.0) for name in ("2", "4<", "4>", "x")
    )
    figures = SimilarityFigures(measured=by_label[0], by_label=by_label)
    drawn = labels_by_similarity("labels", figures, "pairs", "Labels.")
    assert drawn is not None
    from paraloom.reports.drawing import LIGHT

    assert f'fill="{LIGHT[LABEL_COLOURS["2"]]}"' in drawn
    assert f'fill="{LIGHT[LABEL_COLOURS["4< or 4>"]]}"' in drawn
    assert f'fill="{LIGHT[LABEL_COLOURS["4"]]}"' not in drawn
    assert ">x<" not in drawn
