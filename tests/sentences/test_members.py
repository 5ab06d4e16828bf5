"""Which sentences of a group are kept, and the reason each of the others is left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.engine.rows import Members, from_rows, members_of, row_schema
from paraloom.sentences.members import merge_sentences, sentences_of_group, split_document
from paraloom.sentences.options import SentenceOptions
from paraloom.sentences.retweets import LEAST_WORDS
from paraloom.tables import Sentence, check, make_id
from paraloom.text.normalise import comparable, comparable_without_tags

START = datetime(2020, 10, 5, tzinfo=UTC)
ORIGIN = "Violent storm hits the coast of Norland, three missing"
TITLE = "Three people missing after a violent storm in Norland | The Courier"
DESCRIPTION = "Rescue teams search the shore for three fishermen."


def group(
    *texts: str, languages=None, origin: int = 0, titles=None, descriptions=None, times=None, ids=None, kind="url"
) -> Members:
    count = len(texts)
    return members_of(
        document_id=ids or [f"d{number:02d}" for number in range(count)],
        text=list(texts),
        language=languages or ["en"] * count,
        created_at=times or [START + timedelta(hours=number) for number in range(count)],
        is_origin=[number == origin for number in range(count)],
        kind=[kind] * count,
        page_title=titles or [None] * count,
        page_description=descriptions or [None] * count,
    )


PAGE = "retweet: page title or description"


def sentences(members: Members, **options) -> list[Sentence]:
    return list(sentences_of_group("g", members, options=SentenceOptions(**options)))


def reasons(members: Members, **options) -> list[str | None]:
    return [sentence.dropped_for for sentence in sentences(members, **options)]


KEPT_OR_WHY = [
    ("the north got bad weather and some sailors never came home", None),
    ("bad weather up north", "too_short"),
    ("word " * 101, "too_long"),
    ("Please follow me, I need 10 more", "spam: follow_me"),
    (ORIGIN, "retweet: same as the origin"),
    (ORIGIN.upper() + "!!!", "retweet: same as the origin"),
    ("RT @courier: " + ORIGIN, "retweet: same as the origin"),
    (ORIGIN + " https://a.example/x via @courier", "retweet: same as the origin"),
    (ORIGIN + " @ann @ben #storm #norland", "retweet: same as the origin"),
    ("storm hits the coast of norland", "retweet: part of the origin"),
    ("Unbelievable: " + ORIGIN + ", how sad is that", "retweet: contains the origin"),
    ("Three people missing after a violent storm in Norland", "retweet: page title or description"),
    (TITLE, "retweet: page title or description"),
    ("Three persons missing after a violent storm in Norland", "retweet: page title or description"),
    (DESCRIPTION, "retweet: page title or description"),
    ("Three sailors did not return from the sea last night", None),
]


@pytest.mark.parametrize(("text", "reason"), KEPT_OR_WHY)
def test_a_sentence_is_kept_or_left_out_for_a_reason(text: str, reason: str | None) -> None:
    members = group(ORIGIN, text, titles=[TITLE, None], descriptions=[None, DESCRIPTION])
    assert reasons(members) == [None, reason]


def test_the_origin_stays_though_it_is_its_pages_title() -> None:
    assert reasons(group(TITLE, "an own way to say that people are lost", titles=[TITLE, TITLE])) == [None, None]


def test_the_origin_is_judged_by_length_spam_and_language_as_all_are() -> None:
    assert reasons(group("storm!", "an own way to say that people are lost")) == ["too_short", None]


COPIES = [
    ("Sailors are still lost after the storm", "sailors are STILL lost after the storm!!!", "duplicate"),
    ("The U.S. sends help to the north today", "the US sends help, to the north: today", "duplicate"),
    ("Sailors are still lost after the storm", "Sailors are still lost after a storm", None),
]


@pytest.mark.parametrize(("first", "second", "reason"), COPIES)
def test_the_later_of_two_with_the_same_words_is_a_duplicate(first: str, second: str, reason: str | None) -> None:
    assert reasons(group(ORIGIN, first, second)) == [None, None, reason]
    swapped = sentences(group(ORIGIN, first, second, times=[START + timedelta(hours=hour) for hour in (0, 9, 1)]))
    kept = {sentence.text: sentence.dropped_for for sentence in swapped}
    assert kept[second] is None
    assert kept[first] == reason


def test_a_sentence_said_twice_in_one_post_is_a_duplicate() -> None:
    twice = "Sailors are lost after this storm. Sailors are lost after this storm!"
    assert reasons(group(ORIGIN, twice)) == [None, None, "duplicate"]


def test_the_origins_sentence_is_the_one_kept_though_others_are_older() -> None:
    made = sentences(group(ORIGIN + "!", ORIGIN, origin=1), keep_retweets=True)
    assert [(sentence.document_id, sentence.dropped_for) for sentence in made] == [("d01", None), ("d00", "duplicate")]


def test_a_group_keeps_the_language_most_of_its_posts_are_in() -> None:
    members = group(
        ORIGIN,
        "two more boats were lost up north",
        "tres personas desaparecidas en el norte",
        languages=["en", "en", "es"],
    )
    assert reasons(members) == [None, None, "language: not its group's"]


def test_two_languages_that_are_equally_common_are_settled_by_their_code() -> None:
    members = group(ORIGIN, "tres personas desaparecidas en el norte", languages=["fr", "es"])
    assert reasons(members) == [None, "language: not its group's"][::-1]


def test_languages_that_were_not_asked_for_are_left_out_by_name() -> None:
    members = group(ORIGIN, "tres personas desaparecidas en el norte", "y dos barcos hundidos en la costa",
                    languages=["en", "es", "es"])  # fmt: skip
    assert reasons(members, languages=("en", "de")) == [None, "language: es", "language: es"]


SPANISH = "tres personas siguen desaparecidas después de la tormenta"
ENGLISH = "nobody has heard from the three men since the storm"
DETECTED = [
    ("missing", "en", SPANISH, None),  # what a post says of itself is believed
    ("missing", None, SPANISH, "language: es"),
    ("missing", None, ENGLISH, None),
    ("never", None, SPANISH, None),
    ("never", "es", ENGLISH, "language: es"),
    ("always", "en", SPANISH, "language: es"),
    ("always", "es", ENGLISH, None),
]


@pytest.mark.parametrize(("when", "claimed", "text", "reason"), DETECTED)
def test_a_language_is_detected_when_asked(when: str, claimed: str | None, text: str, reason: str | None) -> None:
    members = group(ORIGIN, text, languages=["en", claimed])
    assert reasons(members, detect_language=when, languages=("en",)) == [None, reason]


def test_what_is_too_short_to_tell_its_language_stays() -> None:
    assert reasons(group(ORIGIN, "a b c d e", languages=["en", None])) == [None, None]


OPTIONS = [
    ({"keep_retweets": True}, ORIGIN + " wow how terrible", None),
    ({"keep_retweets": True}, DESCRIPTION, None),
    ({"keep_spam": True}, "Please follow me, I need 10 more", None),
    ({"min_tokens": 3}, "bad weather up north", None),
    ({"max_tokens": 6}, "the north got very bad weather today", "too_long"),
    ({"title_likeness": 101.0}, "Rescue teams search the shore for three fisherman", None),
    ({"title_likeness": 50.0}, "Rescue teams look at the beach for fishermen", "retweet: page title or description"),
]


@pytest.mark.parametrize(("options", "text", "reason"), OPTIONS)
def test_an_option_changes_what_is_kept(options, text: str, reason: str | None) -> None:
    members = group(ORIGIN, text, descriptions=[DESCRIPTION, None])
    made = sentences(members, **options)
    assert made[-1].dropped_for == reason


def test_a_post_of_several_sentences_is_judged_sentence_by_sentence() -> None:
    mixed = f"{ORIGIN}. My uncle is one of them, we wait for news. Pray!"
    assert reasons(group(ORIGIN, mixed)) == [None, "retweet: same as the origin", None, "too_short"]


def test_a_later_origin_of_several_sentences_is_compared_sentence_by_sentence() -> None:
    origin = "The storm is over in the north. Three fishermen are still missing at sea."
    copies = group(origin, "Three fishermen are still missing at sea!", "Sad. The storm is over in the north.")
    found = [sentence.dropped_for for sentence in sentences(copies) if sentence.document_id != "d00"]
    assert found == ["retweet: same as the origin", "too_short", "retweet: same as the origin"]


def test_a_group_without_a_marked_origin_takes_its_oldest_post() -> None:
    members = group("Sad: " + ORIGIN + ", they say", ORIGIN, origin=9, times=[START + timedelta(hours=1), START])
    assert [(one.document_id, one.dropped_for) for one in sentences(members)] == [
        ("d01", None),
        ("d00", "retweet: contains the origin"),
    ]


def test_a_sentences_place_is_exact_and_its_id_made_of_it() -> None:
    text = "  Breaking 🌊 news from the north coast!  Three people are missing: https://a.example/x"
    for sentence in split_document("d", text):
        cut = text[sentence.start : sentence.end]
        assert cut == cut.strip()
        assert all(word in cut for word in sentence.text.split())
        assert sentence.sentence_id == make_id("d", sentence.start, sentence.end)
        assert "🌊" not in sentence.text
        assert "https" not in sentence.text


@pytest.mark.parametrize("text", ["", "   \n", "🌊🌊", "https://a.example/x"])
def test_a_text_without_words_has_no_sentences(text: str) -> None:
    assert split_document("d", text) == []


MERGED = [([None, None], None), ([None, "duplicate"], "duplicate"), (["too_short", "duplicate"], "duplicate")]


@pytest.mark.parametrize(("given_", "reason"), MERGED)
def test_a_sentence_of_two_groups_is_left_out_if_either_leaves_it_out(given_, reason) -> None:
    rows = [{"sentence_id": "s", "text": "t", "dropped_for": one} for one in given_]
    assert (
        merge_sentences(rows) == merge_sentences(rows[::-1]) == {"sentence_id": "s", "text": "t", "dropped_for": reason}
    )


PIECES = [
    ORIGIN, ORIGIN.lower(), "storm hits the coast of norland", "three missing", "my uncle is one of them", "so sad",
    "Follow me please", "no word from the harbour since last night", "the sea took them", "#storm #norland", "@ann",
    "Violent storm", "what a terrible night for the north", "!!!", "https://a.example/x", DESCRIPTION,
]  # fmt: skip
posts = st.lists(
    st.tuples(st.lists(st.sampled_from(PIECES), min_size=1, max_size=3), st.sampled_from([" ", ". ", ", ", "\n"])).map(
        lambda made: made[1].join(made[0])
    ),
    min_size=1,
    max_size=6,
)


@settings(max_examples=100, deadline=None)
@given(posts, st.randoms(use_true_random=False))
def test_the_order_of_the_documents_does_not_show(texts: list[str], random) -> None:
    members = group(*texts, descriptions=[DESCRIPTION] * len(texts))
    order = list(range(len(texts)))
    random.shuffle(order)
    shuffled = members_of(**{name: [members[name][place] for place in order] for name in members.columns})
    made = sentences(members)
    assert sentences(shuffled) == made
    table = from_rows(made, row_schema(Sentence))
    assert check(table, Sentence) == table


@settings(max_examples=200, deadline=None)
@given(posts)
def test_no_kept_sentence_is_a_part_of_the_origin_or_contains_it(texts: list[str]) -> None:
    origin = texts[0]
    kept = [one for one in sentences(group(*texts)) if one.dropped_for is None and one.document_id != "d00"]
    whole, untagged = comparable(origin), comparable_without_tags(origin)
    for sentence in kept:
        assert comparable(sentence.text) not in whole
        assert comparable_without_tags(sentence.text) not in untagged
        if len(untagged.split()) >= LEAST_WORDS and any(said.dropped_for is None for said in sentences(group(origin))):
            assert untagged not in comparable_without_tags(sentence.text), (origin, sentence.text)


def test_a_short_origin_is_found_inside_a_longer_sentence() -> None:
    origin = "Norland: three missing"
    assert reasons(group(origin, f"They say {origin} and nobody knows why"))[-1] == "retweet: contains the origin"


@settings(max_examples=100, deadline=None)
@given(posts)
def test_every_sentence_is_there_kept_or_not(texts: list[str]) -> None:
    made = sentences(group(*texts))
    spans = {
        (f"d{number:02d}", one.start, one.end) for number, text in enumerate(texts) for one in split_document("", text)
    }
    assert {(one.document_id, one.start, one.end) for one in made} == spans


def test_a_post_of_a_trend_is_compared_with_its_own_page_alone() -> None:
    texts = ["Violent storm hits the coast of Norland", "Rescue teams search the shore for three fishermen"]
    titles = [None, "Rescue teams search the shore for three fishermen | Courier"]
    other = [titles[1], None]
    assert reasons(group(*texts, titles=titles, kind="trend")) == [None, PAGE]
    assert reasons(group(*texts, titles=other, kind="trend")) == [None, None]
    assert reasons(group(*texts, titles=other, kind="url")) == [None, PAGE]


SHORT_ORIGINS = [
    ("台風が東京に上陸した", "速報です、台風が東京に上陸したとのこと"),
    ("Fire in LA", "Breaking: Fire in LA again tonight"),
]


@pytest.mark.parametrize(("origin", "text"), SHORT_ORIGINS)
def test_a_short_origin_is_known_wherever_it_stands_whole(origin: str, text: str) -> None:
    assert reasons(group(origin, text, languages=["xx", "xx"]))[-1] == "retweet: contains the origin"


def test_a_short_origin_is_not_seen_inside_other_words() -> None:
    assert reasons(group("Fire in LA", "They stopped the fire in Langton before noon"))[-1] is None
