"""The pages of parrots and of generators: in one file, the verdict first, foreign words harmless."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from paraloom.corpus.evaluation_sets import GivenSet, SetCounts
from paraloom.corpus.system_outputs import OutputRow, SystemRows
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.reports.generation import headline, render_generation, write_generation_report
from paraloom.reports.generation_summary import GenerationSummary
from paraloom.reports.papers import PARROTS
from paraloom.reports.parrot_summary import ParrotSummary
from paraloom.reports.parrots import render_parrots, write_parrot_report
from paraloom.workflows.evaluate.generation import evaluate_generation
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.parrot import evaluate_parrot
from paraloom.workflows.evaluate.parrot_options import ParrotOptions

HOSTILE = "<script>alert('x')</script> & co"
THINGS = ("a bridge", "the zoo", "one school", HOSTILE)
TOWNS = ("Arden Falls", "Norland", "Riverside", "Brightfern", "Caldera", "Sierra Clara", "Harbor", "Touchline")
SOURCES = [f"{what} in {town} was closed by the council" for what in THINGS for town in TOWNS]
REFERENCES = [[f"the council of {town} closed {what}", f"{town}: {what} shut"] for what in THINGS for town in TOWNS]
QUICK = MetricOptions(metrics=("bleu", "ter", "self-bleu", "pinc"))


@pytest.fixture(scope="module")
def parrots(tmp_path_factory: pytest.TempPathFactory) -> ParrotSummary:
    path = tmp_path_factory.mktemp("parrots") / "refs.jsonl"
    rows = zip(SOURCES, [texts[: 1 + place % 2] for place, texts in enumerate(REFERENCES)], strict=True)
    path.write_text(
        "".join(json.dumps({"source": source, "references": texts}) + "\n" for source, texts in rows), encoding="utf-8"
    )
    options = ParrotOptions(ratios=(0.1, 0.5), samples=10, sample_size=12, dataset="quora")
    return evaluate_parrot([path], options, metrics=QUICK)


@pytest.fixture(scope="module")
def generators() -> GenerationSummary:
    outputs = {"copier": SOURCES, HOSTILE: [texts[0] for texts in REFERENCES]}
    systems = [
        SystemRows(
            name=name,
            path=Path(f"{place}.jsonl"),
            rows=tuple(
                OutputRow(line, source, (text,)) for line, (source, text) in enumerate(zip(SOURCES, texts, strict=True))
            ),
        )
        for place, (name, texts) in enumerate(outputs.items())
    ]
    given = GivenSet(
        evaluation_set=EvaluationSet.of(SOURCES, REFERENCES),
        shape="references",
        files=("refs.jsonl",),
        counts=SetCounts(rows=32, sources=32, references=64),
        remarks=(),
    )
    return evaluate_generation(given, systems, metrics=QUICK).summary


@pytest.fixture(scope="module", params=["parrots", "generators"])
def page(request: pytest.FixtureRequest) -> str:
    summary = request.getfixturevalue(request.param)
    return render_parrots(summary) if request.param == "parrots" else render_generation(summary)


def test_a_page_needs_no_other_file_and_runs_no_script(page: str) -> None:
    assert "<script" not in page
    assert re.findall(r"(?:src|href)=\"(?!#|data:,)[^\"]*", page) == []
    assert "@import" not in page


def test_foreign_words_are_words_and_nothing_else(page: str) -> None:
    assert "&lt;script&gt;" in page
    assert HOSTILE not in page


def test_every_metric_kind_and_position_has_a_curve_and_the_published_lines(parrots: ParrotSummary) -> None:
    page = render_parrots(parrots)
    assert (
        page.count('class="chart"') == 2 * 6 + 3
    )  # metrics to 100 and to 1 apart; counts, scores by count, separation
    for done in ("Cut", "Replaced"):
        for place in ("from the head", "from the tail", "at random"):
            assert f"{done} {place}: bleu from" in page
    assert "best published 43.54" in page
    assert "41.59" in page
    assert "stroke-dasharray" in page


def test_one_number_of_references_is_said_and_not_drawn(parrots: ParrotSummary) -> None:
    page = render_parrots(replace(parrots, by_reference_count=parrots.by_reference_count[1:]))
    assert page.count('class="chart"') == 2 * 6 + 1
    assert "All sources have 2 references" in page


def test_without_a_dataset_nothing_published_is_shown(parrots: ParrotSummary) -> None:
    page = render_parrots(replace(parrots, published=None))
    assert "41.59" not in page
    assert "best generator" not in page


def test_metrics_that_did_not_run_are_named_with_the_reason(parrots: ParrotSummary) -> None:
    page = render_parrots(replace(parrots, not_run={"meteor": "METEOR 1.5 needs Java on the PATH."}))
    assert "meteor was not measured" in page
    assert "needs Java" in page


def test_the_verdict_comes_before_any_number(generators: GenerationSummary) -> None:
    page = render_generation(generators)
    assert 0 < page.index('class="verdict alarm"') < page.index('class="cards"') < page.index("<table")
    assert headline(generators) in page
    only = replace(generators, systems=generators.systems[:1])
    assert headline(only) == "copier copies its input"


def test_every_system_is_shown_with_parrots_people_and_strangers(generators: GenerationSummary) -> None:
    page = render_generation(generators)
    head = page[page.index('<table class="wide">') : page.index("</thead>", page.index('<table class="wide">'))]
    for name in ("copier", "parrot", "cut tail 0.1", "replace tail 0.3", "human", "stranger"):
        assert f">{name}</th>" in head
    for system in generators.systems:
        assert page.count(f"{system.row.scores['bleu'].value:.2f}") > 0
    assert page.count("nearest reference</span>") == sum(len(system.examples) for system in generators.systems)


def test_all_systems_have_their_cards_however_many(generators: GenerationSummary) -> None:
    many = [
        replace(system, row=replace(system.row, name=f"system {place}"))
        for place, system in enumerate(generators.systems * 3)
    ]
    page = render_generation(replace(generators, systems=tuple(many)))
    for place in range(6):
        assert f"copies and small changes, system {place}</dt>" in page


def test_people_and_strangers_stand_next_to_the_systems_and_metrics_stay_in_sight(
    generators: GenerationSummary,
) -> None:
    page = render_generation(generators)
    head = page[page.index('<table class="wide">') : page.index("</thead>", page.index('<table class="wide">'))]
    assert head.index(">human</th>") < head.index(">stranger</th>") < head.index(">parrot</th>")
    assert "position: sticky" in page


def test_differences_that_are_chance_are_counted_and_not_listed(generators: GenerationSummary) -> None:
    first, second, *_ = generators.between_systems
    claims = (
        replace(first, is_significant=True),
        replace(second, is_significant=False),
        replace(second, is_significant=False),
    )
    text = replace(generators, between_systems=claims).as_text()
    rows = [line for line in text.splitlines() if line.startswith(f"{first.ours_name} − {first.other_name}")]
    assert len(rows) == 1
    assert "2 differences between systems are not significant" in text


def test_the_same_numbers_are_in_json(parrots: ParrotSummary, generators: GenerationSummary, tmp_path: Path) -> None:
    write_parrot_report(parrots, tmp_path / "p")
    write_generation_report(generators, tmp_path / "g")
    told = json.loads((tmp_path / "p" / "parrot.json").read_text(encoding="utf-8"))
    assert told["metrics"]["bleu"] == parrots.metrics[0].value
    told = json.loads((tmp_path / "g" / "generation.json").read_text(encoding="utf-8"))
    assert told["systems"]["copier"]["alarm"]["level"] == "alarm"
    assert told["systems"]["copier"]["alarm"]["likeness"]["copies"] == 1


def test_the_papers_figures_are_those_of_its_tables() -> None:
    quora, twitter, mscoco = (
        {score.metric: (score.parrot, score.best) for score in PARROTS[name].scores}
        for name in ("quora", "twitter", "mscoco")
    )
    assert quora == {"bleu": (41.59, 43.54), "meteor": (38.60, 33.6), "ter": (45.22, 39.5)}
    assert twitter == {"bleu": (65.26, 45.74), "meteor": (41.73, 20.18), "ter": (41.87, None)}
    assert mscoco == {"bleu": (19.0, 44.0), "meteor": (23.9, 34.7), "ter": (70.4, 37.1)}


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(
    page: str, widths: Callable[..., tuple[int, int]], tmp_path: Path, width: int
) -> None:
    report = tmp_path / "report.html"
    report.write_text(page, encoding="utf-8")
    assert widths(report, width) == (width, width)
