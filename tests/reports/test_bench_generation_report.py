"""The page of a benchmark of generation: figures, intervals, published tables; nothing loaded, no name over another."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import floats, lists, text, tuples

from paraloom.reports.bench_generation import render_generation_bench, write_generation_bench
from paraloom.reports.bench_generation_charts import HIGH, LETTER, LINE, WIDE, name_sides
from paraloom.reports.bench_generation_summary import (
    COLUMNS,
    BenchCell,
    BenchSetSummary,
    CurvePoint,
    GenerationBench,
    against_first,
    bounds,
    cross_names,
    headline,
)
from paraloom.reports.bench_identification_names import SIDES
from paraloom.reports.generation_summary import Claim, Level, Score, Verdict
from paraloom.workflows.bench.generation_published import TABLE_4, TABLE_5

ATTACK = "<script>alert(1)</script>"


def scores(value: float) -> dict[str, Score]:
    found = {name: Score(value=value, low=value - 2, high=value + 2) for name in COLUMNS}
    found["copy-rate"] = Score(value=value / 100, low=0.1, high=0.9)
    found["mutual-implication"] = Score(value=value / 100, low=0.123, high=0.987)
    return found


def claim(metric: str, gain: float, *, is_significant: bool) -> Claim:
    return Claim(
        metric=metric,
        about="overlap",
        against="references",
        ours_name="ours",
        other_name="theirs",
        ours=50 + gain,
        other=50,
        gain=gain,
        low=gain - 1,
        high=gain + 1,
        p_value=0.001,
        adjusted_p_value=0.01 if is_significant else 0.4,
        is_significant=is_significant,
        resamples=1000,
    )


CLAIMS = {
    one.metric: one
    for one in (
        claim("bleu", -4, is_significant=True),
        claim("self-bleu", 9, is_significant=True),
        claim("bert-ibleu", 3, is_significant=False),
    )
}


def verdict(level: Level, headline: str) -> Verdict:
    return Verdict(level=level, headline=headline, reasons=("of some reason",), facts=())


def cells(name: str) -> tuple[BenchCell, ...]:
    return (
        BenchCell(
            contender="ours",
            set=name,
            kind="generator",
            scores=scores(41.25),
            verdict=verdict("clear", "rewords"),
            without=0.125,
            seconds_a_source=1.234,
            where="A Processor, 2 cores",
            signature="ours|weights:1",
        ),
        BenchCell(
            contender="theirs",
            set=name,
            kind="file",
            scores=scores(63.5),
            verdict=verdict("alarm", "copies"),
            against_first=CLAIMS,
        ),
        BenchCell(
            contender="people",
            set=name,
            kind="people",
            scores={**scores(17.75), "bleu": Score(value=0.5, low=None, high=None)},
        ),
        BenchCell(contender="parrot", set=name, kind="parrot", scores=scores(99.5)),
        BenchCell(contender="parrot-cut-tail-0.3", set=name, kind="parrot", scores=scores(70.5)),
    )


def one_set(name: str) -> BenchSetSummary:
    return BenchSetSummary(
        name=name,
        title=name.capitalize(),
        about=f"made-up {name}",
        sources=8,
        of=20,
        references=24,
        signatures=dict.fromkeys(COLUMNS, "metric|sources:8"),
        warnings=("Few references.",),
        curve=tuple(
            CurvePoint(kind=kind, ratio=ratio, self_bleu=100 - 100 * ratio, bert_ibleu=80 * ratio)
            for kind in ("cut", "replace")
            for ratio in (0.0, 0.5)
        ),
    )


def bench(*names: str, not_run: Mapping[str, str] | None = None) -> GenerationBench:
    return GenerationBench(
        cells=tuple(cell for name in names for cell in cells(name)),
        sets=tuple(map(one_set, names)),
        contenders=("ours", "theirs"),
        not_run=not_run or {"big": "its network is not on this machine"},
        skipped={"captions": "There is no Flickr8k.token.txt in corpora."},
        table_4=TABLE_4,
        table_5=TABLE_5,
        resamples=1000,
        seed=1,
    )


BOTH = bench("posts", "questions")


def test_the_page_the_json_and_the_tables_hold_the_same_numbers(tmp_path: Path) -> None:
    report = write_generation_bench(BOTH, tmp_path / "out")
    assert {file.name for file in (tmp_path / "out").iterdir()} == {"report.html", "bench.json", "bench.md"}
    page = report.read_text(encoding="utf-8")
    found = json.loads((tmp_path / "out" / "bench.json").read_text(encoding="utf-8"))
    tables = (tmp_path / "out" / "bench.md").read_text(encoding="utf-8")
    assert set(found["systems"]) == {f"{cell.set}/{cell.contender}" for cell in BOTH.cells}
    for system in found["systems"].values():
        assert set(system["metrics"]) == set(system["signature"]) == set(COLUMNS)
        for shown in (page, tables, BOTH.as_text()):
            assert f"{system['metrics']['bert-ibleu']:.2f}" in shown
    assert found["systems"]["posts/ours"]["intervals"]["bleu"] == [39.25, 43.25]
    assert "bleu" not in found["systems"]["posts/people"]["intervals"]
    assert page.count("<svg") == 2
    assert "8 sources of 20 with 24 references: made-up posts" in page
    assert "A Processor, 2 cores" in page


def test_the_papers_tables_are_printed_beside_ours_with_a_warning() -> None:
    page = render_generation_bench(BOTH)
    for row in TABLE_4:
        assert all(f">{figure:.2f}<" in page for figure in row.figures if figure is not None)
    for line in TABLE_5.figures:
        assert all(f">{figure:.2f}<" in page for cell in line for figure in cell)
    assert "On other test sets." in page


def test_who_was_not_run_and_what_is_left_out_is_told_everywhere() -> None:
    for told in (render_generation_bench(BOTH).replace("<b>", "").replace("</b>", ""), BOTH.as_text()):
        assert "big was not run: its network is not on this machine" in told
        assert "captions is left out: There is no Flickr8k.token.txt in corpora." in told
    assert "big was not run" in BOTH.as_markdown()


def test_one_set_needs_no_table_over_all() -> None:
    assert 'id="all"' in render_generation_bench(BOTH)
    assert "### All sets" in BOTH.as_markdown()
    alone = bench("posts")
    assert 'id="all"' not in render_generation_bench(alone)
    assert "### All sets" not in alone.as_markdown()
    assert headline(alone) == "2 generators on 1 set of sources, beside people and parrots"
    assert cross_names(BOTH) == ["ours", "theirs", "people", "parrot"]


def test_a_contender_is_better_or_worse_only_by_more_than_chance() -> None:
    first, other, people, *_ = BOTH.of_set("posts")
    # The claims are the first's: where it gains, the other is worse.
    assert against_first(other) == "better: BLEU; worse: self-BLEU"
    assert against_first(first) == against_first(people) == ""
    chance = replace(other, against_first={"bert-ibleu": CLAIMS["bert-ibleu"]})
    assert against_first(chance) == "no different"


def test_an_interval_has_the_scale_of_its_figure() -> None:
    cell = BOTH.cells[0]
    told = [bounds(cell, metric) for metric in ("bleu", "copy-rate", "mutual-implication")]
    assert told == ["39.2\u201343.2", "10.0\u201390.0", "0.12\u20130.99"]
    assert bounds(BOTH.cells[2], "bleu") == ""


def test_a_bar_in_a_name_breaks_no_table() -> None:
    named = replace(BOTH, cells=tuple(replace(cell, contender=f"a|{cell.contender}") for cell in BOTH.cells))
    rows = [line for line in named.as_markdown().splitlines() if line.startswith("|")]
    assert any(r"| a\|ours |" in line for line in rows)
    columns = len(COLUMNS) + 5
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {columns + 1, 2 * 4 + 2}


def test_nothing_is_loaded_and_the_same_figures_give_the_same_bytes() -> None:
    page = render_generation_bench(BOTH)
    assert page == render_generation_bench(BOTH)
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', page)
    for external in ("http://", "https://", "<script", "src=", "@import"):
        assert external not in page.replace("http://www.w3.org/", "")


def test_what_others_wrote_never_becomes_markup() -> None:
    attacked = replace(
        BOTH,
        cells=tuple(replace(cell, contender=ATTACK, signature=ATTACK, where=ATTACK) for cell in BOTH.cells),
        contenders=(ATTACK,),
        not_run={ATTACK: ATTACK},
        skipped={ATTACK: ATTACK},
    )
    page = render_generation_bench(attacked)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_where_meaning_was_not_measured_there_is_no_chart() -> None:
    without = replace(
        BOTH,
        cells=tuple(replace(cell, scores={"bleu": cell.scores["bleu"]}) for cell in BOTH.cells),
        sets=tuple(replace(one, curve=()) for one in BOTH.sets),
    )
    page = render_generation_bench(without)
    assert "<svg" not in page
    assert "BERT-iBLEU was not measured." in page


@given(
    points=lists(tuples(floats(0, 100), floats(0, 100), text("abc ", min_size=1, max_size=25)), min_size=1, max_size=12)
)
def test_no_name_covers_a_mark_or_another_name_or_leaves_the_chart(points: list[tuple[float, float, str]]) -> None:
    marks = [(at / 100 * WIDE, (1 - balance / 100) * HIGH) for at, balance, _ in points]
    sides = name_sides([{"self": at, "balance": balance, "name": name} for at, balance, name in points])
    boxes = []
    for (x, y), (_, _, name), side in zip(marks, points, sides, strict=True):
        if side is not None:
            align, right, down = SIDES[side]
            width = LETTER * len(name)
            left = x + right - {"left": 0, "center": width / 2, "right": width}[align]
            assert left >= 0
            assert left + width <= WIDE
            boxes.append((left, left + width, y + down - LINE / 2, y + down + LINE / 2, (x, y)))
    for place, (left, right, top, bottom, mark) in enumerate(boxes):
        assert not any(left < x < right and top < y < bottom for x, y in marks if (x, y) != mark)
        for other in boxes[place + 1 :]:
            assert not (left < other[1] and other[0] < right and top < other[3] and other[2] < bottom)


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1200])
def test_nothing_is_wider_than_the_page(widths: Callable[..., tuple[int, int]], tmp_path: Path, width: int) -> None:
    assert widths(write_generation_bench(BOTH, tmp_path), width) == (width, width)
