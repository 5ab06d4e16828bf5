"""Two aligned documents become segments with exact places, reasons and scores; segments become pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.errors import InputError
from paraloom.pairs import best_matches, suggestions
from paraloom.pairs.extract import SegmentFinder, merge_segments, pairs_of_segments, segments_of_group
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.tables import Pair, Segment, check, make_id

ONE = """\
Did you really think
we would not notice?
- I hoped you wouldn't.
- That was very stupid.
You could have asked me
for the money. I am your brother.
I know.
The boat leaves at nine.
Take your coat.
I will wait for you
at the old bridge,
and I will not wait long.
Thank you.
Do not thank me yet.
"""
OTHER = """\
You honestly believed
that we wouldn't notice?
- I was hoping so.
- How very stupid of you.
Why didn't you ask me
for the money?
I'm your brother, aren't I?
I know.
The boat is leaving at nine.
Take your coat.
I'll be waiting at the old bridge.
Thank you.
Don't thank me just yet.
"""

NEWS = """\
Storm batters Norland coast

A violent storm hit the coast of Norland on Monday night and cut off power to 20,000 homes.
Two fishing boats sank in the harbour of Vik, the coast guard said. Nobody was hurt.
Schools in the whole region will stay closed until Thursday, the county announced.
The mayor of Vik, Ann Lund, praised the volunteers who had filled sandbags all night.
Meteorologists expect the wind to calm down by Wednesday noon.
Insurance companies said it was too early to put a number on the damage.
"""
OTHER_NEWS = """\
Thousands without electricity after gale

Children in the region will not go back to school before Thursday, according to the county.
"The volunteers filled sandbags until the morning, and I am proud of them", Mayor Ann Lund of Vik said.
More than 20,000 homes lost power when a violent storm reached Norland's coast late on Monday.
The price of butter has nothing to do with it.
According to the coast guard, two fishing boats went down in the harbour of Vik.
By noon on Wednesday the wind should calm down, meteorologists say.
"""
SAME_EVENT = [
    ("A violent storm hit the coast", "More than 20,000 homes lost power"),
    ("Two fishing boats sank", "According to the coast guard"),
    ("Schools in the whole region", "Children in the region"),
    ("The mayor of Vik", '"The volunteers filled sandbags'),
    ("Meteorologists expect", "By noon on Wednesday"),
]

EARLY, LATE = datetime(2020, 1, 1, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)


def documents(*texts: str, kind: str = "subtitle", **changed: Sequence[object]) -> Members:
    count = len(texts)
    columns: dict[str, Sequence[object]] = {
        "document_id": [f"d{place}" for place in range(count)],
        "kind": [kind] * count,
        "text": texts,
        "title": [text.split("\n")[0] for text in texts],
        "created_at": [EARLY] * count,
        "is_origin": [place == 0 for place in range(count)],
        "similarity": [0.5] * count,
        "start": [None] * count,
        "end": [None] * count,
    }
    return members_of(**{**columns, **changed})


def segments(given: Members, embed=None, heading_most_alike=1.0, **options) -> list[Segment]:
    return list(
        segments_of_group(
            "g", given, options=ExtractOptions(**options), heading_most_alike=heading_most_alike, embed=embed
        )
    )


def said(found: Sequence[Segment], left: str, right: str, *, kept: bool = True) -> list[tuple[str, str]]:
    return [
        (
            " ".join(left[one.left_start : one.left_end].split()),
            " ".join(right[one.right_start : one.right_end].split()),
        )
        for one in found
        if not kept or one.dropped_for is None
    ]


def test_subtitles_are_aligned_in_order_over_line_breaks() -> None:
    found = segments(documents(ONE, OTHER))
    pairs = said(found, ONE, OTHER, kept=False)
    assert pairs[:3] == [
        ("Did you really think we would not notice?", "You honestly believed that we wouldn't notice?"),
        ("I hoped you wouldn't.", "I was hoping so."),
        ("That was very stupid.", "How very stupid of you."),
    ]
    assert ("I am your brother.", "I'm your brother, aren't I?") in pairs
    assert ("Do not thank me yet.", "Don't thank me just yet.") in pairs
    assert {one.suggested_by for one in found} == {"in-order"}
    assert [one.left_start for one in found] == sorted(one.left_start for one in found)


def test_every_suggestion_says_why_and_how_sure_it_is() -> None:
    for one in segments(documents(ONE, OTHER)):
        assert one.reason.startswith(f"{one.shape} in order; letters alike 0.") or one.reason.startswith(
            f"{one.shape} in order; letters alike 1."
        )
        assert "; around it 0." in one.reason
        assert 0 <= one.score <= 1
        assert one.score == round(one.score, 6)


def test_what_is_left_out_stays_with_its_reason() -> None:
    found = segments(documents(ONE, OTHER))
    reasons = dict(zip(said(found, ONE, OTHER, kept=False), (one.dropped_for for one in found), strict=True))
    assert reasons["Take your coat.", "Take your coat."] == "trivial: same_words"
    assert reasons["The boat leaves at nine.", "The boat is leaving at nine."] is None
    assert segments(documents("Go!", "Leave!"))[0].dropped_for == "too_short"
    barking = [
        f"{text}The dog{ending} all night in the old town." for text, ending in ((ONE, "s bark"), (OTHER, " barks"))
    ]
    assert segments(documents(*barking))[-1].dropped_for == "trivial: inflection"
    assert segments(documents(*barking), keep_trivial=True)[-1].dropped_for in (None, "low_score")
    long = "We saw " + "a storm and " * 60 + "a town."
    assert segments(documents(long, long), keep_trivial=True)[0].dropped_for == "too_long"
    assert {
        one.dropped_for for one in segments(documents(ONE, OTHER), min_score=1.0, keep_trivial=True, min_words=0)
    } == {"low_score"}
    assert all(
        one.dropped_for is None for one in segments(documents(ONE, OTHER), min_score=0, keep_trivial=True, min_words=0)
    )


def test_news_are_matched_whatever_their_order() -> None:
    found = segments(documents(NEWS, OTHER_NEWS, kind="article"))
    pairs = said(found, NEWS, OTHER_NEWS)
    for left, right in SAME_EVENT:
        assert any(one.startswith(left) and other.startswith(right) for one, other in pairs), left
    assert not any("butter" in other or "Insurance" in one for one, other in pairs)
    assert {one.suggested_by for one in found} == {"best-match", "headings"}


def test_news_in_order_finds_no_more_than_a_part() -> None:
    pairs = said(segments(documents(NEWS, OTHER_NEWS, kind="article"), in_order="always"), NEWS, OTHER_NEWS)
    found = sum(
        any(one.startswith(left) and other.startswith(right) for one, other in pairs) for left, right in SAME_EVENT
    )
    assert found < len(SAME_EVENT)


def test_headings_of_articles_are_a_segment_and_no_part_of_the_body() -> None:
    found = segments(documents(NEWS, OTHER_NEWS, kind="article"))
    (heading,) = [one for one in found if one.shape == "heading"]
    assert (heading.left_start, heading.left_end) == (0, 27)
    assert (heading.right_start, heading.right_end) == (0, 40)
    assert heading.suggested_by == "headings"
    assert heading.reason.startswith("headings; articles alike 0.50; letters alike 0.")
    assert all(one.left_start > 27 and one.right_start > 40 for one in found if one is not heading)


def heading(alike: float, title: str, other_title: str, **options) -> Segment:
    """The segment of two headings above articles that are so alike."""
    texts = [f"{line}\n\n{text}" for line, text in ((title, NEWS), (other_title, OTHER_NEWS))]
    found = segments(documents(*texts, kind="article", similarity=[alike] * 2), **options)
    (one,) = [one for one in found if one.shape == "heading"]
    return one


STORM = "Storm batters Norland coast"
LIKE_STORM = [STORM, "Storm batters coast of Norland", "Norland's coast hit by storm", "Thousands without electricity"]


def test_headings_are_worth_more_the_more_alike_their_articles_are() -> None:
    found = [heading(alike, STORM, LIKE_STORM[2]) for alike in (0.2, 0.4, 0.8, 0.95)]
    scores = [one.score for one in found]
    assert scores == sorted(scores)
    assert len(set(scores)) == 4
    assert [one.reason.split("; ")[1] for one in found] == [
        "articles alike 0.20",
        "articles alike 0.40",
        "articles alike 0.80",
        "articles alike 0.95",
    ]


def test_headings_are_worth_less_the_more_alike_they_are() -> None:
    scores = [heading(0.5, STORM, other, keep_trivial=True).score for other in LIKE_STORM]
    assert scores == sorted(scores)
    assert scores[0] == 0
    assert len(set(scores)) == 4


def test_headings_that_are_too_alike_are_left_out_however_alike_the_articles_are() -> None:
    for alike in (0.3, 0.9):
        reasons = [heading(alike, STORM, other, heading_most_alike=0.8).dropped_for for other in LIKE_STORM]
        assert reasons == ["trivial: same_words", "headings_too_alike", None, None]


def test_headings_are_measured_alike_whatever_stands_below_them() -> None:
    whole = documents(NEWS, OTHER_NEWS, kind="article")
    meant = documents(NEWS, OTHER_NEWS, kind="article", start=[0, 0], end=[27, 40])
    (one,), (other,) = ([each for each in segments(given) if each.shape == "heading"] for given in (whole, meant))
    assert (one.score, one.reason) == (other.score, other.reason)


def test_the_same_heading_is_trivial_and_threads_have_none() -> None:
    text = "Storm hits coast\n\nIt came at night."
    found = segments(documents(text, text, kind="article"))
    assert [(one.shape, one.dropped_for) for one in found] == [
        ("heading", "trivial: same_words"),
        ("1-1", "trivial: same_words"),
    ]
    assert [one.shape for one in segments(documents(text, text, kind="thread"))] == ["1-1"]


def test_where_only_the_headings_are_meant_there_is_nothing_else() -> None:
    given = documents(NEWS, OTHER_NEWS, kind="article", start=[0, None], end=[27, 40])
    assert [one.shape for one in segments(given)] == ["heading"]


def test_only_the_parts_that_are_meant_are_compared() -> None:
    start, other_start = ONE.index("The boat"), OTHER.index("The boat")
    whole = segments(documents(ONE[start:], OTHER[other_start:]))
    part = segments(documents(ONE, OTHER, start=[start, other_start], end=[len(ONE), None]))
    assert said(part, ONE, OTHER, kept=False) == said(whole, ONE[start:], OTHER[other_start:], kept=False)
    assert part[0].left_start == start


def test_a_phrase_is_cut_out_of_a_longer_sentence() -> None:
    left = "Nobody slept. As they told us on Tuesday morning, the storm hit the coast of Norland. It was dark."
    right = "No one slept. A storm hit Norland's coast. It was a dark night."
    found = segments(documents(left, right))
    assert [one.shape for one in found] == ["1-1", "phrase-1", "1-1"]
    assert said(found, left, right, kept=False)[1] == (
        "the storm hit the coast of Norland.",
        "A storm hit Norland's coast.",
    )
    swapped = segments(documents(right, left))
    assert [one.shape for one in swapped] == ["1-1", "1-phrase", "1-1"]


def test_the_origin_of_the_group_is_on_the_left_whatever_its_date() -> None:
    found = segments(documents(ONE, OTHER, created_at=[EARLY, LATE], is_origin=[False, True]))
    assert {(one.left_document_id, one.right_document_id) for one in found} == {("d1", "d0")}
    found = segments(documents(ONE, OTHER, created_at=[None, EARLY]))
    assert {(one.left_document_id, one.right_document_id) for one in found} == {("d0", "d1")}


@pytest.mark.parametrize("is_origin", [[True, True], [False, False]])
def test_a_group_whose_left_document_nobody_knows_is_refused(is_origin: list[bool]) -> None:
    with pytest.raises(InputError, match=r"the group g, .* its origin"):
        segments(documents(ONE, OTHER, is_origin=is_origin))


def test_order_of_the_rows_makes_no_difference() -> None:
    assert segments(documents(ONE, OTHER)) == segments(
        documents(OTHER, ONE, document_id=["d1", "d0"], is_origin=[False, True])
    )


def test_ids_are_of_both_documents_and_places() -> None:
    one = segments(documents(ONE, OTHER))[0]
    assert one.segment_id == make_id(
        "segment", "d0", one.left_start, one.left_end, "d1", one.right_start, one.right_end
    )


def test_one_document_has_no_segments_and_three_are_refused() -> None:
    assert segments(documents(ONE)) == []
    with pytest.raises(InputError, match="3 documents"):
        segments(documents(ONE, OTHER, ONE))


@pytest.mark.parametrize("kind", ["subtitle", "translation", "article", "essay", "thread", "post"])
def test_documents_without_words_have_no_segments(kind: str) -> None:
    for left, right in (("", ""), ("\n\n", ONE), (ONE, "♪ ... !"), ("\ud800", "\ud800 ")):
        assert segments(documents(left, right, kind=kind)) == []


def by_vowels(texts: Sequence[str]) -> np.ndarray:
    return np.array([[text.count(vowel) for vowel in "aeiou"] + [1.0] for text in texts], np.float32)


def test_an_encoder_is_named_where_it_was_used() -> None:
    found = segments(documents(ONE, OTHER), embed=by_vowels, embedder="somewhere/vowels")
    assert {one.suggested_by for one in found} == {"in-order+vowels"}
    assert all("letters and meaning (vowels) " in one.reason for one in found)
    news = segments(documents(NEWS, OTHER_NEWS, kind="article"), embed=by_vowels, embedder="vowels")
    assert {one.suggested_by for one in news} == {"best-match+vowels", "headings"}


def test_the_finder_without_an_encoder_is_the_function() -> None:
    given = documents(ONE, OTHER)
    assert list(SegmentFinder(ExtractOptions())("g", given)) == segments(given)


def test_a_long_document_in_any_order_is_compared_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "MOST_SENTENCES", 2)
    found = segments(documents(NEWS, OTHER_NEWS, kind="article"))
    assert all(one.right_end <= OTHER_NEWS.index("More than") for one in found)
    assert best_matches.MOST_SENTENCES == 10_000


def test_matches_are_measured_some_at_a_time_as_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = segments(documents(ONE, OTHER))
    monkeypatch.setattr(suggestions, "MATCHES_AT_ONCE", 2)
    assert segments(documents(ONE, OTHER)) == whole


lines = st.lists(
    st.sampled_from([*ONE.split("\n"), *OTHER.split("\n"), "- No!", "...and then", "♪", "今天很好。", "-"]), max_size=12
)


@given(lines, lines, st.sampled_from(["subtitle", "article", "thread"]))
@settings(deadline=None, max_examples=60)
def test_places_lie_in_the_documents_and_rows_make_a_table(left: list[str], right: list[str], kind: str) -> None:
    texts = "\n".join(left), "\n".join(right)
    found = segments(documents(*texts, kind=kind))
    check(from_rows(found, row_schema(Segment)), Segment)
    for one in found:
        for start, end, text in ((one.left_start, one.left_end, texts[0]), (one.right_start, one.right_end, texts[1])):
            assert 0 <= start < end <= len(text)
            assert text[start:end] == text[start:end].strip()
    if kind == "subtitle":
        assert all(before.right_end <= behind.right_start for before, behind in pairwise(found))


def as_members(rows: Sequence[Segment]) -> Members:
    return members_of(**{field.name: [getattr(row, field.name) for row in rows] for field in fields(Segment)})


def test_segments_become_pairs_by_rank_with_the_texts_of_their_places() -> None:
    given = documents(ONE, OTHER, created_at=[EARLY, LATE])
    found = segments(given)
    pairs = list(pairs_of_segments("g", as_members(found), given))
    check(from_rows(pairs, row_schema(Pair)), Pair)
    assert len(pairs) == len(found)
    assert [pair.rank for pair in pairs] == list(range(1, len(pairs) + 1))
    kept = [pair for pair in pairs if pair.dropped_for is None]
    assert pairs[: len(kept)] == kept
    scores = {(make_id("d0", one.left_start, one.left_end)): one.score for one in found}
    assert [scores[pair.left_id] for pair in kept] == sorted((scores[pair.left_id] for pair in kept), reverse=True)
    assert {(pair.left, pair.right) for pair in pairs} == set(said(found, ONE, OTHER, kept=False))
    assert {pair.created_at for pair in pairs} == {LATE}
    assert {pair.proposed_by for pair in pairs} == {"in-order"}
    same = next(pair for pair in pairs if pair.left == "Take your coat.")
    assert (same.pinc, same.jaccard, same.similarity, same.dropped_for) == (0.0, 1.0, 1.0, "trivial: same_words")


def test_what_is_left_out_ranks_behind_whatever_its_score() -> None:
    given = documents(ONE, OTHER)
    found = [replace(one, dropped_for=None, score=0.1) for one in segments(given)[:3]]
    found[1] = replace(found[1], dropped_for="low_score", score=0.9)
    pairs = list(pairs_of_segments("g", as_members(found), given))
    assert [pair.dropped_for for pair in pairs] == [None, None, "low_score"]


def test_no_segments_are_no_pairs() -> None:
    assert list(pairs_of_segments("g", as_members([]), documents(ONE, OTHER))) == []


def test_a_segment_of_two_groups_belongs_to_the_first() -> None:
    assert merge_segments([{"group_id": "b", "score": 1}, {"group_id": "a", "score": 2}]) == {
        "group_id": "a",
        "score": 2,
    }
