"""The report of identification: whole, escaped, the same every time, and with the numbers of its JSON."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np

from paraloom.metrics.identification.figures import measure_systems
from paraloom.metrics.identification.slices import by_value
from paraloom.reports.identification import (
    IdentificationEvaluation,
    headline,
    render_identification,
    verdicts,
    write_identification_report,
)

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.random(200) < 0.4
GOOD = np.clip(0.5 * TRUTH + 0.6 * RANDOM.random(200), 0, 1)
ATTACK = "<script>alert('x')</script>"


def evaluation(**systems: np.ndarray) -> IdentificationEvaluation:
    slicing = by_value("topic", [ATTACK if row % 2 else "other" for row in range(200)])
    given = {name: (f"{name}.tsv", scores) for name, scores in systems.items()}
    figures, comparisons = measure_systems(given, TRUTH, [slicing], resamples=40)
    return IdentificationEvaluation(files=("pairs.tsv",), systems=tuple(figures), comparisons=tuple(comparisons))


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
    given = evaluation(good=GOOD)
    report = write_identification_report(given, tmp_path / "out")
    text = report.read_text(encoding="utf-8")
    written = json.loads((tmp_path / "out" / "identification.json").read_text(encoding="utf-8"))
    for name in ("f1", "mcc", "max-f1", "average-precision", "ece", "brier"):
        assert f">{written['metrics'][name]:.3f}<" in text
        assert written["signature"][name] in text
    assert text.count("<svg") == 2
    assert Nesting(text).open == []


def test_several_systems_are_shown_beside_one_another_with_their_differences() -> None:
    given = evaluation(good=GOOD, chance=RANDOM.random(200))
    text = render_identification(given)
    assert Nesting(text).open == []
    assert "good − chance" in text
    assert headline(given).startswith("good: F1 ")
    lines = given.as_text()
    assert re.search(r"good − chance +f1 +\+0\.\d{3}", lines)
    assert "chance: at 0.5, F1" in lines


def test_what_people_wrote_never_becomes_markup() -> None:
    text = render_identification(evaluation(**{ATTACK: GOOD}))
    assert "<script" not in text
    assert "script" not in Nesting(text).tags
    assert "&lt;script&gt;" in text


def test_nothing_is_loaded_and_the_same_figures_give_the_same_bytes() -> None:
    first, second = (render_identification(evaluation(good=GOOD)) for _ in range(2))
    assert first == second
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', first)


def test_a_system_no_better_than_calling_everything_a_paraphrase_is_said_to_be_so() -> None:
    [every] = evaluation(every=np.full(200, 0.9) + RANDOM.random(200) / 100).systems
    assert "cannot be told from calling every pair a paraphrase" in verdicts(every)[0]
    [good] = evaluation(good=GOOD).systems
    assert "is above calling every pair a paraphrase" in verdicts(good)[0]
    [never] = evaluation(never=GOOD / 4).systems
    assert "is below calling" in verdicts(never)[0]
    assert any("Another threshold" in told for told in verdicts(never))


def test_scores_that_are_no_probabilities_have_no_reliability_diagram() -> None:
    text = render_identification(evaluation(logits=GOOD * 9))
    assert text.count("<svg") == 1
    assert "Scores are no probabilities." in text
    assert "ece is not measured" in text
