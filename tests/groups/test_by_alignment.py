"""Documents are paired with those that tell the same in other words: by window, by work, by series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pyarrow.compute as pc
import pytest

from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.groups.block_documents import SHOWN, Neighbours
from paraloom.groups.blocks import Placed, place_documents, plan_blocks, weigh_documents
from paraloom.groups.by_alignment import (
    CONTAINED,
    ENOUGH_OF_SERIES,
    ENOUGH_OF_WORK,
    IN_RESERVE,
    OTHER_LANGUAGE,
    TOO_ALIKE,
    TOO_DIFFERENT,
    Aligned,
    Aligner,
    works_of_family,
)
from paraloom.groups.common_grams import common_grams

DAY = datetime(2024, 3, 1, tzinfo=UTC)

STORM = (
    "Storm Ada reached the western coast on Friday night. Thousands of homes lost power, and three bridges were shut. "
    "The prime minister, Lena Holm, promised help to the fishing villages that were hit hardest."
)
STORM_TOLD_AGAIN = (
    "Three bridges closed and thousands of homes were without power after storm Ada hit the west coast late on Friday. "
    "Help is on its way to the fishing villages, prime minister Lena Holm said."
)
CUP = (
    "Riverside won the cup for the first time in forty years. Captain Jo Brandt scored twice in the second half, and "
    "the goalkeeper saved a penalty in the last minute of the final."
)


def article(document_id: str, text: str, day: float = 0.0, **more: object) -> Placed:
    given = {
        "block": "", "kind": "article", "work": None, "series": None, "source": "paper", "language": None,
        "title": None,
    }  # fmt: skip
    given |= {"document_id": document_id, "text": text, "created_at": DAY + timedelta(days=day), **more}
    return Placed(**given)  # type: ignore[arg-type]


def version(document_id: str, text: str, work: str | None = "film", **more: object) -> Placed:
    return article(document_id, text, **{"kind": "subtitle", "work": work, "created_at": None, **more})


def aligned(placed: Sequence[Placed], options: AlignmentOptions = AlignmentOptions()) -> list[Aligned]:
    """What the blocks of these documents give."""
    documents = from_rows(list(placed), row_schema(Placed))
    plan = plan_blocks(lambda: [weigh_documents(documents, options=options)], options)
    blocks = place_documents(documents, options=options, cuts=plan.cuts, last=plan.last)
    models = common_grams([blocks], options)

    def read(block: str) -> Members:
        rows = blocks.filter(pc.equal(blocks.column("block"), block)).to_pydict()
        return members_of(**{name: rows[name] for name in SHOWN})

    aligner = Aligner(models, options, Neighbours(meets=plan.meets, read=read))
    return [pair for block in sorted(set(blocks.column("block").to_pylist())) for pair in aligner(block, read(block))]


def kept(pairs: Sequence[Aligned]) -> list[tuple[str, str]]:
    return sorted((pair.left_id, pair.right_id) for pair in pairs if pair.dropped_for is None)


def test_articles_of_one_event_are_a_pair_and_others_are_not() -> None:
    found = aligned([article("a", STORM), article("b", STORM_TOLD_AGAIN, 1), article("c", CUP, 1)])
    assert kept(found) == [("a", "b")]
    assert 0.2 <= found[0].likeness <= 0.8


@pytest.mark.parametrize(("days", "meet"), [(0.0, True), (3.0, True), (7.0, True), (7.01, False), (30.0, False)])
@pytest.mark.parametrize("begin", [0.0, 2.5, 5.0, 6.99])
def test_articles_meet_within_the_window_wherever_it_is_cut(days: float, meet: bool, begin: float) -> None:
    found = aligned([article("a", STORM, begin), article("b", STORM_TOLD_AGAIN, begin + days)])
    assert kept(found) == ([("a", "b")] if meet else [])


def test_without_a_window_a_year_does_not_matter() -> None:
    placed = [article("a", STORM), article("b", STORM_TOLD_AGAIN, 400)]
    assert kept(aligned(placed, AlignmentOptions(window_days=0))) == [("a", "b")]


def test_an_article_without_a_date_is_in_no_window() -> None:
    placed = [article("a", STORM), article("b", STORM_TOLD_AGAIN, created_at=None)]
    assert aligned(placed) == []


def test_the_older_article_is_the_left_one() -> None:
    found = aligned([article("a", STORM, 2), article("b", STORM_TOLD_AGAIN, 1)])
    assert kept(found) == [("b", "a")]
    assert found[0].created_at == DAY + timedelta(days=1)


def test_articles_of_one_source_are_left_alone_if_sources_must_differ() -> None:
    placed = [article("a", STORM), article("b", STORM_TOLD_AGAIN), article("c", STORM_TOLD_AGAIN, 2, source="other")]
    options = AlignmentOptions(different_sources=True)
    assert kept(aligned(placed, options)) == [("a", "c")]


def test_versions_of_a_work_may_have_the_same_source() -> None:
    placed = [version("a", STORM), version("b", STORM_TOLD_AGAIN)]
    assert kept(aligned(placed, AlignmentOptions(different_sources=True))) == [("a", "b")]


DANISH = (
    "Stormen Ada ramte vestkysten fredag aften. Tusindvis af hjem mistede strømmen, og tre broer blev lukket. "
    "Statsminister Lena Holm lovede hjælp til de fiskerlejer, der var hårdest ramt."
)
NORWEGIAN = (
    "Stormen Ada rammet vestkysten fredag kveld. Tusenvis av hjem mistet strømmen, og tre broer ble stengt. "
    "Statsminister Lena Holm lovet hjelp til de fiskeværene som var hardest rammet."
)


def test_articles_in_different_languages_are_no_pair() -> None:
    placed = [article("a", DANISH, language="da"), article("b", NORWEGIAN, language="no"), article("c", CUP)]
    (pair,) = aligned(placed)
    assert (pair.left_id, pair.right_id, pair.dropped_for) == ("a", "b", OTHER_LANGUAGE)


def test_versions_in_different_languages_are_no_pair_and_said_to_be_none() -> None:
    placed = [
        version("a", DANISH, language="da"),
        version("b", NORWEGIAN, language="no"),
        version("c", NORWEGIAN),
    ]
    reasons = {(pair.left_id, pair.right_id): pair.dropped_for for pair in aligned(placed)}
    assert reasons == {("a", "b"): OTHER_LANGUAGE, ("a", "c"): None, ("b", "c"): TOO_ALIKE}


def test_a_source_that_names_a_wrong_language_is_not_believed() -> None:
    placed = [article("a", STORM, language="en"), article("b", STORM_TOLD_AGAIN, language="de"), article("c", CUP)]
    assert kept(aligned(placed)) == [("a", "b")]


def test_the_same_article_twice_is_too_alike_but_its_headings_may_differ() -> None:
    headed = [f"{title}\n\n{STORM}" for title in ("Storm closes three bridges", "Villages cut off: Holm promises help")]
    titles = [text.partition("\n")[0] for text in headed]
    (same,) = aligned([article("a", STORM), article("b", STORM)])
    assert same.dropped_for == TOO_ALIKE
    (pair,) = aligned([article("a", headed[0], title=titles[0]), article("b", headed[1], title=titles[1])])
    assert pair.dropped_for is None
    assert pair.likeness > 0.8
    assert (headed[0][: pair.left_end], headed[1][: pair.right_end]) == (titles[0], titles[1])


def test_a_heading_ends_where_it_stands_in_the_text_whatever_blanks_its_title_has() -> None:
    headed = [
        f"\n{title}\n\n{STORM}" for title in ("Storm  closes three\nbridges", "Villages cut off: Holm promises help")
    ]
    titles = ["Storm closes three bridges", "Villages cut off:  Holm promises help"]
    (pair,) = aligned([article("a", headed[0], title=titles[0]), article("b", headed[1], title=titles[1])])
    assert pair.dropped_for is None
    assert headed[0][: pair.left_end].endswith("three\nbridges")
    assert headed[1][: pair.right_end].endswith("promises help")


def test_articles_that_only_begin_like_their_titles_have_no_headings() -> None:
    placed = [article("a", f"Storm Ada{STORM}", title="Storm"), article("b", f"Villages {STORM}", title="Villages")]
    (pair,) = aligned(placed)
    assert pair.dropped_for == TOO_ALIKE


def test_of_several_versions_the_least_alike_are_taken() -> None:
    nearly = STORM.replace("Thousands", "Hundreds").replace("promised", "offered")
    found = aligned([version("a", STORM), version("b", STORM_TOLD_AGAIN), version("c", nearly), version("d", CUP)])
    reasons = {(pair.left_id, pair.right_id): pair.dropped_for for pair in found}
    assert len(reasons) == 6
    assert reasons["a", "d"] == TOO_DIFFERENT
    best = min((pair for pair in found if pair.dropped_for is None), key=lambda pair: pair.rank)
    taken = (best.left_id, best.right_id)
    likeness = {(pair.left_id, pair.right_id): pair.likeness for pair in found}
    assert likeness[taken] == min(
        likeness[pair] for pair, reason in reasons.items() if reason in (None, ENOUGH_OF_WORK)
    )


def test_translations_give_as_many_pairs_as_wanted_and_spread_them() -> None:
    texts = [STORM, STORM_TOLD_AGAIN, STORM.replace("Friday", "Saturday"), STORM_TOLD_AGAIN.replace("late", "early")]
    placed = [version(name, text, kind="translation") for name, text in zip("abcd", texts, strict=True)]
    options = AlignmentOptions(most_alike=1.0)
    assert len(kept(aligned(placed, options))) == 3
    two = kept(aligned(placed, AlignmentOptions(most_alike=1.0, pairs_per_work=2)))
    assert len({document for pair in two for document in pair}) == 4, "no document twice while others are not taken"


def test_works_are_apart_and_kinds_are() -> None:
    placed = [
        version("a", STORM, "one"), version("b", STORM_TOLD_AGAIN, "other"),
        version("c", STORM, "one", kind="translation"), version("d", STORM_TOLD_AGAIN, None),
    ]  # fmt: skip
    assert aligned(placed) == []


def test_a_message_that_only_repeats_a_part_of_another_is_no_pair() -> None:
    longer = f"{STORM} {CUP}"
    (pair,) = aligned([version("a", STORM, kind="thread"), version("b", longer, kind="thread")])
    assert pair.dropped_for == CONTAINED


def test_a_series_gives_no_more_works_than_wanted_and_the_same_ones_each_time() -> None:
    rows = [
        Aligned(
            group_id=f"g{number}", family="f", document_kind="subtitle", key=f"episode {number}",
            left_id="a", right_id="b", created_at=None, likeness=0.5, left_end=None, right_end=None,
            work_id=f"w{number}", rank=0, dropped_for=None,
        )
        for number in range(30)
    ]  # fmt: skip
    given = {name: [getattr(row, name) for row in rows] for name in Aligned.__dataclass_fields__ if name != "family"}

    def drawn(seed: int) -> list[str]:
        options = AlignmentOptions(alignment_seed=seed)
        found = list(works_of_family("f", members_of(**given), options=options))
        assert len(found) == 30
        assert {row.dropped_for for row in found} == {None, ENOUGH_OF_SERIES}
        return [row.key for row in found if row.dropped_for is None]

    assert len(drawn(1)) == 10
    assert drawn(1) == drawn(1) != drawn(2)


def test_versions_are_of_the_series_that_either_names_and_articles_of_none() -> None:
    """A series of articles has as many pairs as it likes, which are not gathered in one place."""
    told = [version("a", STORM, series=None), version("b", STORM_TOLD_AGAIN, series="weather")]
    named = [version("a", STORM, series="weather"), version("b", STORM_TOLD_AGAIN, series="weather")]
    assert [pair.family for pair in aligned(told)] == [pair.family for pair in aligned(named)]
    articles = [article("a", STORM, series="weather"), article("b", STORM_TOLD_AGAIN, series="weather")]
    assert [pair.family == pair.group_id for pair in aligned(articles)] == [True]


def test_a_work_with_very_many_versions_is_looked_at_in_part() -> None:
    placed = [version(f"{number:03}", f"{STORM} {number}", kind="thread") for number in range(40)]
    found = aligned(placed, AlignmentOptions(versions_per_work=10))
    assert len(found) == 45
    assert {pair.left_id for pair in found} | {pair.right_id for pair in found} == {
        f"{number:03}" for number in range(10)
    }


def test_of_a_film_some_pairs_are_kept_in_reserve_by_rank() -> None:
    said = f"{STORM} {CUP}".split()
    texts = [" ".join(word for at, word in enumerate(said) if (at * 5 + number) % 6) for number in range(6)]
    placed = [version(f"{number}", text) for number, text in enumerate(texts)]
    found = aligned(placed, AlignmentOptions(most_alike=1.01, least_alike=0))
    assert sorted(pair.rank for pair in found if pair.dropped_for is None) == list(range(1 + IN_RESERVE["subtitle"]))
    assert Counter(pair.dropped_for for pair in found) == {None: 6, ENOUGH_OF_WORK: 9}
