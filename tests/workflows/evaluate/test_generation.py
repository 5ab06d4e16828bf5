"""An evaluation of generators from Python: stand-ins, likeness, examples, and what is measured of whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paraloom.corpus.evaluation_sets import GivenSet, SetCounts
from paraloom.corpus.system_outputs import OutputRow, SystemRows
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.workflows.evaluate.examples import pick_examples
from paraloom.workflows.evaluate.generation import evaluate_generation
from paraloom.workflows.evaluate.likeness import edit_ratios
from paraloom.workflows.evaluate.metric_options import MetricOptions
from paraloom.workflows.evaluate.stand_ins import drawn_references, references_of_others

TOWNS = ("Arden Falls", "Norland", "Riverside", "Brightfern", "Caldera", "Sierra Clara", "Harbor", "Touchline")
TEXTS = EvaluationSet.of(
    [f"{what} in {town} was closed by the council" for what in ("a bridge", "the zoo", "one school") for town in TOWNS],
    [
        [f"the council of {town} closed {what}", f"{town}: {what} shut"]
        for what in ("a bridge", "the zoo", "one school")
        for town in TOWNS
    ],
)


def given(texts: EvaluationSet) -> GivenSet:
    counts = SetCounts(rows=24, sources=24, references=48)
    return GivenSet(evaluation_set=texts, shape="references", files=("refs.jsonl",), counts=counts, remarks=())


def system(name: str, outputs: list[str]) -> SystemRows:
    rows = tuple(
        OutputRow(line, source, (output,))
        for line, (source, output) in enumerate(zip(TEXTS.sources, outputs, strict=True), start=1)
    )
    return SystemRows(name=name, path=None, rows=rows)  # type: ignore[arg-type]


def test_people_are_one_reference_a_source_drawn_by_the_seed() -> None:
    drawn = drawn_references(TEXTS, seed=1)
    assert all(text in references for text, references in zip(drawn, TEXTS.references, strict=True))
    assert drawn == drawn_references(TEXTS, seed=1) != drawn_references(TEXTS, seed=2)
    assert len({TEXTS.references[row].index(text) for row, text in enumerate(drawn)}) == 2


@pytest.mark.parametrize("seed", range(6))
def test_a_stranger_is_never_a_reference_of_its_own_source(seed: int) -> None:
    strangers = references_of_others(TEXTS, seed)
    assert not any(text in references for text, references in zip(strangers, TEXTS.references, strict=True))
    assert len(set(strangers)) == 24


def test_a_single_source_is_its_own_stranger() -> None:
    assert references_of_others(EvaluationSet.of(["a"], [["b"]]), seed=1) == ["b"]


def test_edit_ratios_are_counted_in_twenty_bins() -> None:
    counts = edit_ratios(TEXTS, TEXTS.sources)
    assert counts[0] == 24 == sum(counts)
    assert len(counts) == 20


def test_examples_show_every_sort_of_output() -> None:
    outputs = list(TEXTS.sources)
    outputs[3] = TEXTS.sources[3].replace("was closed", "is closed")
    outputs[5] = TEXTS.sources[5].replace("council", "mayor")
    outputs[7:16] = [references[0] for references in TEXTS.references[7:16]]
    examples = pick_examples(TEXTS, outputs, seed=1)
    assert {example.kind for example in examples} == {"copy", "small change", "near copy", "changed"}
    for example in examples:
        assert example.reference in TEXTS.references[TEXTS.sources.index(example.source)]
        if example.kind == "copy":
            assert example.self_bleu == pytest.approx(100)


def test_every_system_is_measured_like_the_parrots_and_the_same_seed_gives_the_same() -> None:
    options = MetricOptions(metrics=("bleu", "pinc", "distinct-1"))
    systems = [system("first", [references[0] for references in TEXTS.references]), system("copy", list(TEXTS.sources))]
    summary = evaluate_generation(given(TEXTS), systems, metrics=options).summary
    again = evaluate_generation(given(TEXTS), systems, metrics=options).summary
    assert summary.as_json() == again.as_json()
    first, copy = summary.systems
    assert copy.row.scores == summary.parrots[0].scores
    assert copy.verdict.level == "alarm"
    assert first.row.scores["bleu"].value == pytest.approx(100)
    assert set(summary.metrics) == {*options.metrics, "chrf2", "ter", "self-bleu", "copy-rate", "small-change-rate"}
    assert summary.tests["between systems"] == len(summary.between_systems) == 7
    assert summary.human_self_bleu is not None
    assert summary.human_self_bleu.sources == 24


def test_single_references_have_no_spread_and_are_warned_of() -> None:
    single = EvaluationSet.of(TEXTS.sources, [references[:1] for references in TEXTS.references])
    summary = evaluate_generation(
        replace(given(single)), [system("copy", list(TEXTS.sources))], metrics=MetricOptions(metrics=("bleu",))
    ).summary
    assert summary.human_self_bleu is None
    assert "100% of the sources have a single reference" in summary.warnings[0]


def test_a_language_whose_function_words_are_unknown_is_warned_of() -> None:
    options = MetricOptions(metrics=("bleu",), language="xx")
    summary = evaluate_generation(given(TEXTS), [system("copy", list(TEXTS.sources))], metrics=options).summary
    assert "--language xx: function words are known of English (en) alone" in summary.warnings[0]


def test_a_set_whose_references_copy_their_sources_is_said_to_be_useless() -> None:
    copied = EvaluationSet.of(TEXTS.sources, [[f"well, {source}", f"{source} indeed"] for source in TEXTS.sources])
    outputs = [references[0] for references in TEXTS.references]
    options = MetricOptions(metrics=("bleu",))
    summary = evaluate_generation(given(copied), [system("ours", outputs)], metrics=options).summary
    assert "On such a set copying is right" in summary.warnings[0]
    assert summary.systems[0].verdict.level != "clear"
