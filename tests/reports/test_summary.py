"""What is counted by hand is what the summary says."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from paraloom.errors import NotMade
from paraloom.reports.provenance import without_folders
from paraloom.reports.sources import MERGED_FROM, MOST_SOURCES
from paraloom.reports.summary import summarise
from paraloom.tables import TOPICS, make_id

MakeRun = Callable[..., Path]


def test_the_funnel_counts_rows_documents_groups_sentences_and_pairs(small_run: MakeRun) -> None:
    funnel = summarise(small_run()).funnel
    assert asdict(funnel) == {
        "rows_read": 14,
        "rows_dropped": 5,
        "rows_repeated": 2,
        "documents": 11,
        "documents_kept": 7,
        "documents_grouped": 5,
        "groups": 4,
        "groups_kept": 2,
        "sentences": 6,
        "sentences_kept": 3,
        "pairs": 4,
        "pairs_kept": 4,
        "paraphrases": 2,
        "corpus": 3,
        "corpus_kept": 2,
        "corpus_paraphrases": 2,
    }


ROWS_READ = [
    # copies and reason of every document; rows dropped, rows repeated, documents kept
    ([(24, "bad_row: not JSON")], 24, 0, 0),
    ([(24, "bad_row: not JSON"), (3, None), (1, None), (2, "repost")], 26, 2, 2),
    ([(1, None), (1, None)], 0, 0, 2),
    ([], 0, 0, 0),
]


@pytest.mark.parametrize(("documents", "dropped", "repeated", "kept"), ROWS_READ)
def test_rows_read_are_those_kept_left_out_and_repeated(
    rows: Any, tmp_path: Path, documents: list[tuple[int, str | None]], dropped: int, repeated: int, kept: int
) -> None:
    for number, (copies, reason) in enumerate(documents):
        rows.document(f"d{number}", copies=copies, dropped_for=reason)
    summary = summarise(rows.write(tmp_path / "run", parts=2))
    funnel, drops = summary.funnel, summary.drops[0]
    assert (funnel.rows_dropped, funnel.rows_repeated, funnel.documents_kept) == (dropped, repeated, kept)
    assert funnel.rows_read == dropped + repeated + kept == sum(copies for copies, _ in documents)
    assert (drops.rows, drops.dropped) == (funnel.rows_read, dropped)
    assert sum(reason.count for reason in drops.reasons) == dropped


def test_reasons_are_counted_by_kind_and_whole(small_run: MakeRun) -> None:
    drops = {drop.table: drop for drop in summarise(small_run()).drops}
    documents = drops["documents"]
    assert [(reason.reason, reason.count) for reason in documents.reasons] == [("bad_row", 4), ("repost", 1)]
    assert [(detail.name, detail.count) for detail in documents.reasons[0].details] == [("no text", 3), ("not JSON", 1)]
    assert [(reason.reason, reason.count) for reason in drops["groups"].reasons] == [("too_small", 2)]
    assert [(reason.reason, reason.count) for reason in drops["sentences"].reasons] == [
        ("too_short", 2),
        ("retweet", 1),
    ]
    assert drops["corpus"].dropped == 1


def test_reasons_beyond_forty_are_counted_together(rows: Any, tmp_path: Path) -> None:
    for number in range(60):
        rows.document(f"d{number}", dropped_for=f"bad_row: {number:02d}")
    rows.document("common", dropped_for="bad_row: 00")
    (reason,) = summarise(rows.write(tmp_path / "run")).drops[0].reasons
    assert reason.count == 61
    assert [(detail.name, detail.count) for detail in reason.details[:2]] == [("00", 2), ("01", 1)]
    assert (reason.details[-1].name, reason.details[-1].count) == ("other", 20)
    assert len(reason.details) == 41


def test_links_are_counted_per_source_and_apart_for_automatic_reposts(small_run: MakeRun) -> None:
    links = summarise(small_run()).links
    assert (links.every.posts, links.every.without_url, links.every.urls_per_post) == (8, 1, 1.125)
    assert links.every.article_urls_per_post == 1.0
    assert (links.written.posts, links.reposts.posts, links.reposts.urls_per_post) == (7, 1, 1.0)
    assert [(line.source, line.posts) for line in links.sources] == [("twitter", 5), ("@ann", 3)]


def test_links_of_origins_are_counted_apart_from_those_of_the_other_posts_of_groups(small_run: MakeRun) -> None:
    links = summarise(small_run()).links
    assert (links.origins.posts, links.origins.urls_per_post, links.origins.article_urls_per_post) == (2, 2.0, 1.5)
    assert (links.members.posts, links.members.urls_per_post) == (3, 1.0)
    assert links.origins.share_without_url is links.members.share_without_url is None


@pytest.mark.parametrize("merged_from", [0, 7, MERGED_FROM])
def test_sources_beyond_twenty_are_counted_together_however_many_wait(
    rows: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, merged_from: int
) -> None:
    monkeypatch.setattr("paraloom.reports.sources.MERGED_FROM", merged_from)
    for number in range(30):
        for post in range(1 + number):
            rows.document(f"{number} {post}", source=f"@{number:02d}", urls=["u"] * (number % 3))
    links = summarise(rows.write(tmp_path / "run", parts=16)).links
    assert links.source_count == 30
    assert [(line.source, line.posts, line.urls_per_post) for line in links.sources[:-1]] == [
        (f"@{number:02d}", number + 1, number % 3) for number in range(29, 29 - MOST_SOURCES, -1)
    ]
    assert (links.sources[-1].source, links.sources[-1].posts) == ("other", sum(range(1, 11)))
    assert links.every.posts == sum(line.posts for line in links.sources) == 465


def test_no_object_is_held_for_every_source(rows: Any, tmp_path: Path) -> None:
    for number in range(4000):
        rows.document(f"d{number}", source=f"@{number}")
    run = rows.write(tmp_path / "run", parts=16)
    summarise(run)  # what is imported and cached on the way is no part of it
    tracemalloc.start()
    try:
        links = summarise(run).links
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert links.source_count == 4000
    assert most < 4000 * 100


def test_copies_count_before_the_filter_and_not_after(small_run: MakeRun) -> None:
    effect = summarise(small_run()).filter_effect
    assert (effect.groups, effect.of_groups, effect.without_origin) == (2, 2, 1)
    # Group a: a1 and a2 have something to say, a3 only what is too short; a2 keeps a sentence of its own. Group b: b2.
    assert (effect.before.mean_size, effect.before.deviation) == (1.5, 0.5)
    assert (effect.after.mean_size, effect.after.deviation) == (1.5, 0.5)
    assert effect.after.pinc is not None
    # a2's copy has PINC 0 and Jaccard 1; its own sentence shares the word `the` and no longer n-gram.
    assert (effect.before.compared, effect.after.compared) == (2, 1)
    assert effect.after.pinc == pytest.approx((0.8 + 1 + 1 + 1) / 4)
    assert effect.after.jaccard == pytest.approx(1 / 8)
    assert effect.before.pinc == pytest.approx(effect.after.pinc / 2)
    assert effect.before.jaccard == pytest.approx((1 + 1 / 8) / 2)
    assert [(kind.kind, kind.groups, kind.after) for kind in effect.by_kind] == [("url", 2, effect.after)]


def test_a_sentence_is_compared_with_the_sentence_of_the_origin_that_is_most_alike(rows: Any, tmp_path: Path) -> None:
    rows.document("o")
    rows.document("p")
    rows.group("g", ["o", "p"])
    rows.sentence("o", "something else was said first")
    rows.sentence("o", "the storm hit the coast")
    rows.sentence("p", "The storm hit the coast!")
    after = summarise(rows.write(tmp_path / "run")).filter_effect.after
    assert (after.pinc, after.jaccard) == (0.0, 1.0)


def test_the_groups_looked_at_are_the_first_by_id(rows: Any, tmp_path: Path) -> None:
    from paraloom.reports.filter_effect import filter_effect

    for number in range(20):
        rows.document(f"d{number}")
        rows.sentence(f"d{number}", "a sentence of five words")
        rows.group(f"g{number}", [f"d{number}"] * (1 + (make_id(f"g{number}") > make_id("g7"))))
    run = rows.write(tmp_path / "run", parts=4)
    place = sorted(make_id(f"g{number}") for number in range(20)).index(make_id("g7")) + 1
    effect = filter_effect(run, most_groups=place)
    assert (effect.groups, effect.of_groups) == (place, 20)
    assert effect.before.mean_size == 1.0


def test_distributions_part_paraphrases_from_others_and_leave_out_what_has_no_label(small_run: MakeRun) -> None:
    spread = summarise(small_run()).distributions
    assert spread.pinc.paraphrases.counts[18:] == (1, 1)
    assert (spread.pinc.paraphrases.values, spread.pinc.paraphrases.mean) == (2, 0.95)
    assert spread.pinc.others.counts[10] == 1
    assert spread.pinc.others.values == 1
    assert (spread.scores.paraphrases.counts[16], spread.scores.others.counts[2]) == (2, 1)
    assert (spread.scores.paraphrases.values, spread.scores.others.values) == (2, 1)


@pytest.mark.parametrize(("options", "threshold"), [({"threshold": 0.72}, 0.72), ({"method": "majority"}, None)])
def test_scores_are_parted_by_label_and_the_threshold_is_that_of_the_labels(
    rows: Any, tmp_path: Path, options: dict[str, Any], threshold: float | None
) -> None:
    rows.pair("a", "b", is_paraphrase=False, score=0.71)
    rows.pair("c", "d", is_paraphrase=True, score=0.73)
    spread = summarise(rows.write(tmp_path / "run", options=options)).distributions
    assert spread.threshold == threshold
    assert spread.scores.paraphrases.counts[14] == spread.scores.others.counts[14] == 1


def test_balance_topics_languages_splits_clusters_and_sets(small_run: MakeRun) -> None:
    summary = summarise(small_run())
    assert asdict(summary.balance) == {
        "paraphrases": 2,
        "others": 1,
        "unlabelled": 1,
        "share_of_paraphrases": 0.666667,
    }
    shares = {topic.topic: (topic.groups, topic.share_of_groups, topic.pairs) for topic in summary.topics}
    assert list(shares) == list(TOPICS)
    assert (shares["politics"], shares["health"], shares["others"]) == ((1, 0.5, 2), (1, 0.5, 0), (0, 0.0, 0))
    assert [(language.name, language.count) for language in summary.languages] == [
        ("en", 3),
        ("unknown", 3),
        ("es", 1),
    ]
    splits = [(split.split, split.rows, split.paraphrases, split.groups) for split in summary.splits.splits]
    assert splits == [("train", 1, 1, 1), ("dev", 0, 0, 0), ("test", 1, 1, 1)]
    assert summary.splits.dev_from == "2020-10-05T00:00:00+00:00"
    assert asdict(summary.clusters) == {"count": 1, "sentences": 3, "largest": 3, "mean_size": 3.0}
    assert summary.multi_reference_sets == 2
    assert (summary.corpus.first_day, summary.corpus.last_day) == ("2020-10-01", "2020-10-09")
    assert summary.corpus.files == ("posts.jsonl",)


def test_a_topic_of_the_users_own_comes_after_the_eight(rows: Any, tmp_path: Path) -> None:
    rows.document("d")
    rows.group("g", ["d"], topic="gardening")
    assert [topic.topic for topic in summarise(rows.write(tmp_path / "run")).topics] == [*TOPICS, "gardening"]


def test_near_misses_are_the_most_similar_pairs_and_one_a_group(rows: Any, tmp_path: Path) -> None:
    for number in range(15):
        similarity = number / 20
        rows.pair(f"l{number}", f"r{number}", group=f"g{number}", is_paraphrase=False, numbers=(0.5, 0.5, similarity))
    rows.pair("x", "y", group="g14", is_paraphrase=False, numbers=(0.5, 0.5, 0.69))
    misses = summarise(rows.write(tmp_path / "run", parts=4)).examples.near_misses
    assert [example.left for example in misses] == [f"l{number}" for number in range(14, 2, -1)]


def test_paraphrases_shown_are_spread_and_prefer_new_wording(rows: Any, tmp_path: Path) -> None:
    for pinc in (0.1, 0.5, 0.65, 0.75, 0.85, 0.95):
        for score in (0.6, 0.8, 0.95):
            for number in range(5):
                name = f"{pinc} {score} {number}"
                rows.pair(f"l {name}", f"r {name}", group=name, score=score, numbers=(pinc, 0.5, 0.5))
    rows.pair("left", "out", group="other", dropped_for="few_paraphrases", numbers=(0.99, 0.5, 0.5))
    shown = summarise(rows.write(tmp_path / "run", parts=2)).examples.paraphrases
    assert sorted({example.pinc for example in shown}) == [0.65, 0.75, 0.85, 0.95]
    assert {(example.pinc, example.score) for example in shown} == {
        (pinc, score) for pinc in (0.65, 0.75, 0.85, 0.95) for score in (0.6, 0.8, 0.95)
    }


def test_where_few_are_released_the_others_are_shown_with_their_reason(rows: Any, tmp_path: Path) -> None:
    rows.pair("a", "b", group="g", dropped_for="few_paraphrases")
    (shown,) = summarise(rows.write(tmp_path / "run")).examples.paraphrases
    assert shown.dropped_for == "few_paraphrases"


def test_sentences_left_out_are_shown_twice_a_reason(rows: Any, tmp_path: Path) -> None:
    for number in range(5):
        rows.sentence("d", f"short {number}", dropped_for="too_short")
    rows.sentence("d", "again", dropped_for="duplicate")
    dropped = summarise(rows.write(tmp_path / "run")).examples.dropped_sentences
    assert [(one.reason, one.count, len(one.texts)) for one in dropped] == [("too_short", 5, 2), ("duplicate", 1, 1)]


def test_the_numbers_do_not_depend_on_how_the_tables_are_cut(small_run: MakeRun) -> None:
    whole, cut = asdict(summarise(small_run("whole"))), asdict(summarise(small_run("cut", parts=16)))
    for one in (whole, cut):
        del one["steps"], one["corpus"]["signature"]  # they say how many buckets there are
    assert whole == cut


def test_every_step_is_there_with_its_signature(small_run: MakeRun) -> None:
    steps = summarise(small_run()).steps
    assert [(step.table, step.rows) for step in steps] == [
        ("documents", 11),
        ("groups", 7),
        ("sentences", 6),
        ("pairs", 4),
        ("labels", 4),
        ("corpus", 3),
    ]
    assert all(len(step.signature) == 16 and step.source == "ab" * 6 for step in steps)


WITHOUT_FOLDERS = [
    ("/home/ann/pages.tsv", "pages.tsv"),
    ("C:\\data\\pages.tsv", "pages.tsv"),
    ("~/lists/accounts.txt", "accounts.txt"),
    ("lists/accounts.txt", "lists/accounts.txt"),
    ("url", "url"),
    (["/a/b", 3, None], ["b", 3, None]),
]


@pytest.mark.parametrize(("value", "shown"), WITHOUT_FOLDERS)
def test_folders_of_this_machine_are_not_told(value: object, shown: object) -> None:
    assert without_folders({"option": value}) == {"option": shown}


def test_a_run_without_its_tables_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match="documents"):
        summarise(tmp_path)
