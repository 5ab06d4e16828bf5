"""The page of a run of aligned documents: numbers with their words, what was compared with nothing, the splits."""

from __future__ import annotations

import re
from dataclasses import replace

from paraloom.reports.alignment import headline, render_alignment
from paraloom.reports.alignment_charts import histogram_chart
from paraloom.reports.alignment_counts import CorpusCounts, DocumentCounts, PairCounts, SegmentCounts
from paraloom.reports.alignment_summary import AlignmentSummary
from paraloom.reports.columns import counted
from paraloom.reports.histograms import BINS, Histogram

NOTHING = Histogram(counts=(0,) * BINS, values=0, mean=None)
ONE = AlignmentSummary(
    files=("a.srt",),
    documents=DocumentCounts(
        kinds=counted({"subtitle": 2}),
        dropped=(),
        without_date=1,
        without_work=2,
        only_versions=counted({"thread": 2, "subtitle": 1}),
        beyond_cap=0,
        cues=1,
    ),
    pairs=PairCounts(kept=1, works=1, dropped=(), likeness=NOTHING),
    extraction=(),
    segments=SegmentCounts(kept=1, shapes=(), suggested_by=(), dropped=(), score=NOTHING),
    paraphrases=1,
    judged=1,
    corpus=CorpusCounts(splits=counted({"train": 1}), dropped=counted({"across_splits": 2})),
    examples=(),
    steps=(),
)


def words_of(summary: AlignmentSummary) -> str:
    page = re.sub(r"<style>.*?</style>", "", render_alignment(summary), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_one_is_one_and_not_several() -> None:
    assert headline(ONE) == "1 segment in 1 pair of documents"
    words = words_of(ONE)
    for said in ("From 1 file", "1 caption with times", "The identifier calls 1 of 1 pair a paraphrase"):
        assert said in words
    assert not re.search(
        r"\b1 (files|captions|pairs|segments|articles|documents|works|versions)\b", words.partition("What each")[2]
    )


def test_what_was_compared_with_nothing_is_told() -> None:
    said = "1 article without a date, 2 versions of nothing known, 2 threads, 1 film of one version."
    assert f"Compared with nothing: {said}" in words_of(ONE)
    none = replace(ONE.documents, without_date=0, without_work=0, only_versions=())
    assert "Compared with nothing" not in words_of(replace(ONE, documents=none))


def test_pairs_between_splits_are_told() -> None:
    assert re.search(r"Left out, by reason across splits 2", words_of(ONE))
    empty = replace(ONE, pairs=replace(ONE.pairs, kept=0), corpus=CorpusCounts(splits=(), dropped=()))
    assert headline(empty) == "No pair among 2 documents"
    assert "No pair is released." in words_of(empty)


def test_few_are_counted_in_whole_numbers() -> None:
    chart = histogram_chart(
        "few", Histogram(counts=(2, 1, *(0,) * (BINS - 2)), values=3, mean=0.1), "likeness", "pairs"
    )
    assert chart is not None
    ticks = re.findall(r">(\d+)</text>", chart)
    assert sorted(ticks) == ["0", "1", "2"]
    assert histogram_chart("none", NOTHING, "likeness", "pairs") is None
