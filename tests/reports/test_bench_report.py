"""The page of a benchmark: published figures and ours, what was not run, nothing loaded, nothing wider than a phone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from math import ceil, floor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists, text, tuples

from paraloom.models.training.task import CurvePoint
from paraloom.reports.bench_identification import (
    IdentificationBench,
    headline,
    not_run_together,
    render_bench,
    standing,
    write_bench_report,
)
from paraloom.reports.bench_identification_charts import by_machine, charts_of, forms_of, forms_told, learning
from paraloom.reports.bench_identification_names import SIDES, WIDE, Frame, named_rows, undominated
from paraloom.reports.bench_identification_rows import (
    Against,
    BenchCost,
    BenchFigure,
    BenchRow,
    BenchTable,
    LabelRow,
    LabelTable,
    NoiseRow,
    NoiseTable,
)
from paraloom.reports.training_charts import training_curve

if TYPE_CHECKING:
    from playwright.sync_api import Page

ATTACK = "<script>alert(1)</script>"
METRICS = ("max-f1", "max-f1-precision", "max-f1-recall")


def cost(speed: float, device: str = "cpu") -> BenchCost:
    return BenchCost(
        parameters=22_700_000,
        pairs_per_second=speed,
        fit_seconds=130.0,
        fit_pairs=3000,
        device=device,
        processor="A Processor",
        cores=2,
    )


def row(title: str, value: float, speed: float, **given: object) -> BenchRow:
    figures = {
        name: BenchFigure(value=value, low=value - 0.01, high=value + 0.01, seeds=(value,), signature=f"{name}|pairs:9")
        for name in METRICS
    }
    made = BenchRow(
        name=title.lower(),
        title=title,
        group="paper",
        system=title.lower(),
        corpus="msrp",
        published=dict.fromkeys(METRICS, 0.829),
        figures=figures,
        measured_on="5 folds of train",
        pairs=4076,
        base_rate=0.675,
        by_fold=(value, value + 0.02),
        at_test_rate=value - 0.005,
        test_rate=0.665,
        cost=cost(speed),
        identifier="made|weights:1",
        settings={"plan": {"epochs": 5}},
    )
    return replace(made, **given)


BELOW = Against(difference=-0.07, p_value=0.001, low=-0.09, high=-0.05)
ALIKE = Against(difference=-0.0001, p_value=0.979, low=-0.01, high=0.01)

CURVE = [{"learning_rate": 2e-5, "epoch": epoch, "loss": 1 / epoch, "f1": 0.7 + epoch / 50} for epoch in (1, 2, 3)]

ROWS = (
    row("LR", 0.831, 4000),
    row("Random", 0.761, 500_000, against=BELOW, why="chance"),
    row("MultiP", 0.0, 1, figures={}, cost=None, not_run="glove-100d is not on this machine", by_fold=()),
    row("cross-encoder MiniLM-L6", 0.857, 90, group="ours", published={}, learning_rate=2e-5, curve=CURVE),
    row("bi-encoder BERT-large", 0.0, 1, group="ours", published={}, figures={}, cost=None, not_run="not asked for"),
    row("Ours, as shipped", 0.88, 300, group="shipped", published={}, cost=cost(300, "NVIDIA H200")),
    row("Old, as shipped", 0.0, 1, group="shipped", published={}, figures={}, cost=None, not_run="trained on it"),
)


def bench(rows: tuple[BenchRow, ...] = ROWS) -> IdentificationBench:
    table = BenchTable(
        name="lan-8",
        heading="MSRP",
        paper="Lan et al. (2017)",
        number=8,
        caption="Paraphrase models",
        metrics=METRICS,
        is_in_per_cent=False,
        rows=rows,
        notes=("MSRP: a note",),
    )
    labels = LabelTable(
        paper="Kanerva et al. (2023)",
        number=4,
        test_set="Turku",
        system="graded-heads",
        rows=(
            LabelRow(label="4<", published=(0.5, 0.6, 0.55), published_support=100, ours=(0.1, 0.2, 0.15), support=7),
            LabelRow(label="Acc", published=(0.581,), published_support=None, ours=(0.4321,)),
        ),
        measured_on="own 80/20 split of dev",
    )
    noise = NoiseTable(
        rows=(
            NoiseRow(method="Fine-tuning", data="expert", published=(0.8, 0.8, 0.8, 0.8)),
            NoiseRow(method="told", data="both", published=(), ours=(0.71, 0.72, 0.7345, 0.74)),
        ),
        told="Not run",
    )
    return IdentificationBench(
        tables=(table,), labels=(labels,), noise=noise, skipped=("qqp is skipped",), notes=("a note",), resamples=100
    )


class Nesting(HTMLParser):
    """Whether every tag is closed where it should be, and which there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in ("meta", "link"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_and_the_json_hold_the_same_numbers(tmp_path: Path) -> None:
    report = write_bench_report(bench(), tmp_path / "out")
    text = report.read_text(encoding="utf-8")
    written = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))
    assert Nesting(text).open == []
    assert text.count("<svg") == 2
    for system in written["systems"].values():
        assert f">{system['metrics']['max-f1']:.3f}<" in text
    assert written["not_run"] == {
        "msrp/multip": "glove-100d is not on this machine",
        "msrp/bi-encoder bert-large": "not asked for",
        "msrp/old, as shipped": "trained on it",
    }
    assert ">73.45<" in text
    assert ">43.2<" in text


def test_what_was_not_run_never_looks_run() -> None:
    [table] = bench().tables
    stand = {group: [one.title for one in rows] for group, rows in standing(table)}
    assert stand == {
        "paper": ["LR", "Random", "MultiP"],
        "ours": ["cross-encoder MiniLM-L6"],
        "shipped": ["Ours, as shipped"],
    }
    assert not_run_together(table) == [
        ("not run", "not asked for", ["bi-encoder BERT-large"]),
        ("not measured", "trained on it", ["Old, as shipped"]),
    ]
    text = render_bench(bench())
    assert "<i>not run:</i> glove-100d is not on this machine" in text
    line = next(line for line in bench().as_text().splitlines() if line.startswith("MultiP"))
    assert line.split()[1:5] == ["not", "run", "not", "run"]
    assert "0.000" not in line


def test_historical_rows_gaps_and_reasons_are_told() -> None:
    lines = bench().as_text()
    assert re.search(r"^Random †", lines, re.MULTILINE)
    assert "Random: −0.068: chance" in lines
    assert "+0.002" in lines
    text = render_bench(bench())
    assert text.count('<span class="tag">historical</span>') == 2  # the row's, and the legend's
    assert "NVIDIA H200; 2 cores, A Processor" in text
    assert headline(bench()) == "4 systems on 1 corpus"


def test_what_others_wrote_never_becomes_markup() -> None:
    attacked = tuple(replace(one, title=ATTACK, why=ATTACK, not_run=ATTACK, identifier=ATTACK) for one in ROWS)
    text = render_bench(bench(attacked))
    assert "script" not in Nesting(text).tags
    assert "&lt;script&gt;" in text


def test_nothing_is_loaded_and_the_same_figures_give_the_same_bytes() -> None:
    first, second = render_bench(bench()), render_bench(bench())
    assert first == second
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', first)


def test_a_benchmark_in_which_nothing_was_run_has_a_page() -> None:
    nothing = tuple(replace(one, figures={}, cost=None, not_run="not asked for") for one in ROWS)
    assert headline(bench(nothing)) == "No system was run"
    assert Nesting(render_bench(bench(nothing))).open == []


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(widths: Callable[..., tuple[int, int]], tmp_path: Path, width: int) -> None:
    assert widths(write_bench_report(bench(), tmp_path), width) == (width, width)


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1200])
@pytest.mark.parametrize("scrolled", [0, 200])
def test_a_reason_is_read_without_moving_the_table(
    open_report: Callable[..., Page], tmp_path: Path, width: int, scrolled: int
) -> None:
    long = " ".join(["word vectors of fewer dimensions than the paper's"] * 8)
    page = open_report(write_bench_report(bench(tuple(replace(one, why=long) for one in ROWS)), tmp_path), width)
    page.evaluate("by => document.querySelectorAll('.scroll').forEach(one => one.scrollLeft = by)", scrolled)
    seen = page.evaluate(
        "[...document.querySelectorAll('.in-sight')].map(one => one.getBoundingClientRect())"
        ".map(one => one.left >= 0 && one.right <= innerWidth)"
    )
    assert len(seen) > len(ROWS) - 2
    assert all(seen)


def test_names_in_the_chart_do_not_stand_over_one_another() -> None:
    crowded = [row(f"system number {place}", 0.8 - place / 10_000, 1000 + place) for place in range(12)]
    rows = [*crowded, row("a far one", 0.5, 900_000)]
    sides = named_rows(rows, Frame.around(rows, (0.5, 0.8)))
    assert sides.pop("a far one") == "left"  # to its right is no room
    assert "system number 0" in sides
    assert len(sides) < 4
    rows.append(row("the shipped one", 0.79, 1000, group="shipped"))
    assert "the shipped one" in named_rows(rows, Frame.around(rows, (0.5, 0.8)))


@given(
    systems=lists(
        tuples(floats(0.4, 0.9), floats(1, 1e5), text("abc ", min_size=1, max_size=30)), min_size=1, max_size=15
    )
)
def test_no_name_covers_a_mark_or_another_name_or_leaves_the_chart(systems: list[tuple[float, float, str]]) -> None:
    rows = [row(title, f1, speed, name=str(place)) for place, (f1, speed, title) in enumerate(systems)]
    frame = Frame.around(rows, (0.4, 0.9))
    sides = named_rows(rows, frame)
    covered = {}
    for one in rows:
        x, y = frame.place(one)
        covered[f"mark {one.name}"] = {(round(x), round(y))}
        if one.name in sides:
            align, right, down = SIDES[sides[one.name]]
            width = 5.6 * len(one.title)
            left = x + right - {"left": 0, "center": width / 2, "right": width}[align]
            assert left >= 0
            assert left + width <= WIDE
            covered[f"name {one.name}"] = {
                (across, over)
                for across in range(ceil(left), floor(left + width) + 1)
                for over in range(ceil(y + down - 5), floor(y + down + 5) + 1)
            }
    for (one, ours), (other, theirs) in combinations(covered.items(), 2):
        if "name" in one + other and one.split()[1] != other.split()[1]:
            assert not ours & theirs


def test_only_what_is_measured_on_the_same_pairs_outdoes_another() -> None:
    slow, fast = row("slow", 0.8, 10), row("fast", 0.9, 20)
    assert [one.title for one in undominated([slow, fast])] == ["fast"]
    elsewhere = replace(fast, measured_on="own 80/20 split of train")
    assert [one.title for one in undominated([slow, elsewhere])] == ["slow", "fast"]


def test_the_form_of_a_mark_says_what_was_measured_on() -> None:
    split = row("one split", 0.85, 70, group="ours", measured_on="own 80/20 split of train", against=ALIKE)
    rows = [*(one for one in ROWS if one.figures), split]
    forms = forms_of(rows)
    assert forms == {"5 folds of train": "circle", "own 80/20 split of train": "triangle-up"}
    assert forms_told(rows, forms) == "● 5 folds of train, ▲ own 80/20 split of train"
    assert forms_told(rows[:2], forms) == "5 folds of train"
    [chart] = charts_of(bench((*ROWS, split)))
    drawing = str(chart["speeds"][0]["drawing"])
    outlines = {
        title: outline for outline, title in re.findall(r'<path[^>]* d="([^"]+)"[^>]*><title>([^<:]+):', drawing)
    }
    assert set(outlines) == {"LR", "Random", "cross-encoder MiniLM-L6", "one split"}
    assert outlines["LR"] == outlines["Random"] != outlines["one split"]
    assert "one split: 0.850 at 70 pairs/s, own 80/20 split of train" in drawing
    text = render_bench(bench((*ROWS, split)))
    assert "measured on ● 5 folds of train, ▲ own 80/20 split of train; timed on 2 cores, A Processor." in text


def test_more_ways_of_measuring_than_forms_share_the_last() -> None:
    rows = [row(f"system {place}", 0.8, 10, measured_on=f"way {place}") for place in range(8)]
    forms = forms_of(rows)
    assert len(forms) == 8
    assert forms["way 7"] == forms["way 6"]
    assert len({forms[f"way {place}"] for place in range(4)}) == 4


def test_marks_on_an_axis_differ() -> None:
    """Neither figures that all lie within a hundredth nor a curve that hardly rises is marked with one label twice."""
    near = [row(f"system {place}", 0.8 + place / 2000, 100 * 2**place, group="ours") for place in range(4)]
    [chart] = charts_of(bench(tuple(near)))
    flat = [{"learning_rate": 1e-3, "epoch": epoch, "f1": 0.7 + epoch / 2000} for epoch in (1, 2, 3)]
    looks = [CurvePoint(**point, step=1, loss=1.0, f1_by_definition={}, thresholds={}) for point in flat]
    drawings = [
        str(chart["speeds"][0]["drawing"]),
        learning("c", [replace(near[0], curve=flat, learning_rate=1e-3)]),
        training_curve("c", looks),
    ]
    for drawing in drawings:
        assert drawing is not None
        marks = re.findall(r">(0\.[0-9]+)<", drawing)
        assert len(marks) >= 4
        assert len(set(marks)) == len(marks)


def test_what_is_no_different_from_the_regression_is_said_to_be() -> None:
    rows = (*ROWS, row("gte-small", 0.8309, 90, group="ours", published={}, against=ALIKE))
    assert re.search(r"^gte-small ≈", bench(rows).as_text(), re.MULTILINE)
    text = render_bench(bench(rows))
    assert 'gte-small <span class="tag">no different from LR</span>' in text
    assert text.count('<span class="tag">historical</span>') == 2


def test_table_3_has_what_ours_learned_from_its_gap_and_reasons() -> None:
    row_of_ours = NoiseRow(
        method="Fine-tuning",
        data="crowd",
        published=(0.6, 0.6, 0.6, 0.6),
        ours=(0.5, 0.5, 0.5, 0.5),
        learned_from="Twitter-URL: 9 pairs",
    )
    table = NoiseTable(rows=(row_of_ours,), told="Ours: some system", why="another model", signature="a|b")
    shown = replace(bench(), noise=table)
    text = render_bench(shown)
    assert "<small>Twitter-URL: 9 pairs</small>" in text
    assert "<small>crowd</small>" in text
    assert "−10.00" in text
    assert "Why gaps are larger than 3 points: another model." in text
    assert "<code>a|b</code>" in text
    lines = shown.as_text()
    assert re.search(r"Fine-tuning +Twitter-URL: 9 pairs +50\.00.* crowd .* −10\.00", lines)
    assert "Why gaps are larger than 3 points: another model" in lines


def test_speeds_of_two_machines_never_stand_in_one_chart() -> None:
    on_gpu = row("on a GPU", 0.87, 9000, group="ours", cost=cost(9000, "NVIDIA H200"))
    drawn = bench((*ROWS, on_gpu))
    timed = {where: [one.title for one in rows] for where, rows in by_machine([one for one in ROWS if one.figures])}
    assert timed == {
        "2 cores, A Processor": ["LR", "Random", "cross-encoder MiniLM-L6"],
        "NVIDIA H200; 2 cores, A Processor": ["Ours, as shipped"],
    }
    [chart] = charts_of(drawn)
    machines = ["2 cores, A Processor", "NVIDIA H200; 2 cores, A Processor"]
    assert [one["where"] for one in chart["speeds"]] == machines
    here, there = (str(one["drawing"]) for one in chart["speeds"])
    assert "LR: 0.831" in here
    assert "on a GPU" not in here
    assert "on a GPU: 0.870 at 9,000 pairs/s" in there
    assert "LR: 0.831" not in there
    ticks = [set(re.findall(r">(0\.[0-9]+)<", one)) for one in (here, there)]
    assert ticks[0] == ticks[1], "F1 has the same scale in both"
    text = render_bench(drawn)
    assert "timed on NVIDIA H200; 2 cores, A Processor." in text


def test_each_row_says_what_it_was_measured_and_timed_on() -> None:
    split = row("one split", 0.85, 70, group="ours", measured_on="own 80/20 split of train", by_fold=())
    drawn = bench((*ROWS, split))
    text = render_bench(drawn)
    assert re.search(r'LR<small class="beneath">5 folds of train', text)
    assert re.search(r'one split<small class="beneath">own 80/20 split of train', text)
    assert '300<small class="beneath">NVIDIA H200</small>' in text
    assert '70<small class="beneath">2 cores</small>' in text
    lines = {line.split("  ")[0].strip(): line for line in drawn.as_text().splitlines() if line.strip()}
    assert "2 cores" in lines["one split"]
    assert lines["one split"].rstrip().endswith("own 80/20 split of train")
    assert "NVIDIA H200" in lines["Ours, as shipped"]
    assert lines["LR"].rstrip().endswith("5 folds of train")
