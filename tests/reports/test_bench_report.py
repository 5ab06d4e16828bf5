"""The page of a benchmark: published figures and ours, what was not run, nothing loaded, nothing wider than a phone."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paraloom.reports.bench_identification import (
    IdentificationBench,
    headline,
    not_run_together,
    render_bench,
    standing,
    write_bench_report,
)
from paraloom.reports.bench_identification_charts import readable_names
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


CURVE = [{"learning_rate": 2e-5, "epoch": epoch, "loss": 1 / epoch, "f1": 0.7 + epoch / 50} for epoch in (1, 2, 3)]

ROWS = (
    row("LR", 0.831, 4000),
    row("Random", 0.761, 500_000, is_historical=True, against=Against(difference=-0.07, p_value=0.001), why="chance"),
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


FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars")


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(tmp_path: Path, width: int) -> None:
    names = ("chromium", "chromium-browser", "google-chrome")
    browser = next((found for name in names if (found := shutil.which(name))), None)
    assert browser, "No chromium was found; scripts/ensure_chromium (run by `make test`) gets one."
    page = write_bench_report(bench(), tmp_path / "out")
    measure = "<script>document.title = document.documentElement.scrollWidth + ' of ' + innerWidth</script></body>"
    inner = page.read_text(encoding="utf-8").replace("</body>", measure).replace("&", "&amp;").replace('"', "&quot;")
    frame = f'<iframe srcdoc="{inner}" style="border: 0; width: {width}px; height: 900px"></iframe>'
    tell = "<script>onload = () => { document.title = frames[0].document.title }</script>"
    outer = tmp_path / "frame.html"
    outer.write_text(f"<!doctype html><meta charset='utf-8'><title></title>{frame}{tell}", encoding="utf-8")
    command = [browser, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", outer.as_uri()]
    seen = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = re.search(r"<title>(\d+) of (\d+)</title>", seen)
    assert found
    assert (int(found[1]), int(found[2])) == (width, width)


def test_names_in_the_chart_do_not_stand_over_one_another() -> None:
    crowded = tuple(row(f"system number {place}", 0.8 - place / 10_000, 1000 + place) for place in range(12))
    far = row("a far one", 0.5, 900_000)
    assert [one.title for one in readable_names((*crowded, far))] == ["system number 0", "a far one"]
    shipped = row("the shipped one", 0.79, 1000, group="shipped")
    assert readable_names((*crowded, shipped, far))[0].title == "the shipped one"
