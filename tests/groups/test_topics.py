"""Which topic a URL or a trend has, what a user's mapping changes, and how many groups of a topic may stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.groups.topics import (
    SECTIONS,
    TopicMapping,
    quotas,
    read_topics,
    topic_of_trend,
    topic_of_url,
)
from paraloom.tables import TOPICS

SECTIONS_OF_SITES = [
    ("https://nytimes.com/2019/08/09/science/komodo-dragon-genome.html", "science/tech"),
    ("https://nytimes.com/2020/10/01/us/politics/a-debate.html", "politics"),
    ("https://nytimes.com/2020/10/01/world/europe/a-storm.html", "event"),
    ("https://cnn.com/2020/10/01/politics/a-vote/index.html", "politics"),
    ("https://edition.cnn.com/2020/10/01/sport/a-match/index.html", "sports"),
    ("https://money.cnn.com/2017/01/09/a-merger/index.html", "finance"),
    ("https://bbc.co.uk/news/uk-politics-54321000", "politics"),
    ("https://bbc.com/news/science-environment-56837908", "science/tech"),
    ("https://bbc.com/news/health-51235105", "health"),
    ("https://bbc.com/news/world-us-canada-54391986", "event"),
    ("https://bbc.com/news/election-us-2020-54391986", "politics"),
    ("https://bbc.com/sport/football/54391986", "sports"),
    ("https://theguardian.com/us-news/2020/oct/01/a-flood", "event"),
    ("https://theguardian.com/film/2020/oct/01/a-premiere", "entertainment"),
    ("https://washingtonpost.com/climate-environment/2020/10/01/a-glacier", "science/tech"),
    ("https://elpais.com/economia/2020-10-01/una-subida.html", "finance"),
    ("https://example.com/tecnolog%C3%ADa/un-robot", "science/tech"),
    ("https://sports.yahoo.com/news/a-match-123.html", "sports"),
    ("https://news.example.com/a", "event"),
    ("https://smith.house.gov/media/press-releases/a-bill", "politics"),
    ("https://nytimes.com/section/health", "health"),
    ("https://example.com/POLITICS/a", "politics"),
    ("https://example.com/a-politics-of-its-own", "others"),
    ("https://example.com/?section=politics", "others"),
    ("https://example.com", "others"),
    ("", "others"),
]


@pytest.mark.parametrize(("url", "topic"), SECTIONS_OF_SITES)
def test_a_url_has_the_topic_its_section_or_host_names(url: str, topic: str) -> None:
    assert topic_of_url(url) == topic


def test_every_section_has_a_topic_of_the_paper() -> None:
    assert set(SECTIONS.values()) == set(TOPICS) - {"others"}
    assert all(word == word.lower() for word in SECTIONS)


def mapping(tmp_path: Path, text: str) -> TopicMapping:
    file = tmp_path / "topics.toml"
    file.write_text(text, encoding="utf-8")
    return read_topics(file)


WRITTEN = [
    '"nytimes.com" = "politics"\n"nytimes.com/wirecutter" = "shopping"\n"#FinallyFriday" = "event"\n',
    '[topics]\n"nytimes.com" = "politics"\n"nytimes.com/wirecutter" = "shopping"\n"#FinallyFriday" = "event"\n',
]


@pytest.mark.parametrize("text", WRITTEN)
def test_a_users_mapping_comes_before_the_sections_and_its_longest_part_wins(tmp_path: Path, text: str) -> None:
    own = mapping(tmp_path, text)
    assert topic_of_url("https://nytimes.com/2019/science/a.html", own) == "politics"
    assert topic_of_url("https://nytimes.com/wirecutter/science/a", own) == "shopping"
    assert topic_of_url("https://bbc.com/sport/a", own) == "sports"


def test_a_trend_has_the_topic_the_user_gives_it_whatever_its_case(tmp_path: Path) -> None:
    own = mapping(tmp_path, WRITTEN[0])
    assert topic_of_trend("#finallyfriday", own) == "event"
    assert topic_of_trend("#politics", own) == "others"


def test_the_order_of_the_lines_does_not_show(tmp_path: Path) -> None:
    lines = WRITTEN[0].splitlines()
    assert mapping(tmp_path, "\n".join(lines)) == mapping(tmp_path, "\n".join(lines[::-1]))


BAD = [
    ('"/science/" "science/tech"', r"topics\.toml is not TOML: .*Write lines such as \"/science/\" = \"science/tech\""),
    ("/science/ = 'science/tech'", r"topics\.toml is not TOML"),
    ("nytimes.com = 'politics'", r"topics\.toml, 'nytimes' has no topic's name.*quotes around what has a dot"),
    ('"/science/" = 1', r"topics\.toml, '/science/' has no topic's name"),
    ('[topics.url]\n"/a/" = "b"', r"topics\.toml, 'url' has no topic's name"),
    ('[topics]\n"/a/" = ["b"]', r"topics\.toml, '/a/' has no topic's name"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_mapping_that_is_none_is_refused_with_what_to_write(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        mapping(tmp_path, text)


def test_a_part_of_a_url_may_be_called_topics(tmp_path: Path) -> None:
    assert topic_of_url("https://example.com/topics/a", mapping(tmp_path, 'topics = "event"')) == "event"


def test_a_mapping_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"topics file .*absent\.toml cannot be read: No such file"):
        read_topics(tmp_path / "absent.toml")
    (tmp_path / "latin.toml").write_bytes(b'"caf\xe9" = "event"')
    with pytest.raises(InputError, match=r"latin\.toml is not TOML"):
        read_topics(tmp_path / "latin.toml")


QUOTAS = [
    ({"politics": 90, "health": 10, "sports": 10}, 0.4, {"health": 10, "politics": 13, "sports": 10}),
    ({"politics": 10, "health": 10}, 0.5, {"health": 10, "politics": 10}),
    ({"politics": 90, "health": 10}, 0.5, {"health": 10, "politics": 10}),
    ({"politics": 90, "health": 10}, 1.0, {"health": 10, "politics": 90}),
    ({"politics": 90, "health": 10}, 0.2, {"health": 10, "politics": 10}),  # two topics cannot each have a fifth
    ({"politics": 90}, 0.5, {"politics": 90}),
    ({"a": 40, "b": 71}, 0.29, {"a": 40, "b": 40}),
    ({"a": 29, "b": 29, "c": 29, "d": 13}, 0.29, {"a": 29, "b": 29, "c": 29, "d": 13}),  # 0.29 * 100 < 29 in a computer
    ({}, 0.5, {}),
]


@pytest.mark.parametrize(("counts", "share", "kept"), QUOTAS)
def test_a_topic_keeps_so_many_groups(counts: dict[str, int], share: float, kept: dict[str, int]) -> None:
    assert quotas(counts, share) == kept


@pytest.mark.parametrize("share", [0, -0.2, 25, float("nan")])
def test_a_share_that_is_none_is_refused_by_the_options_name(share: float) -> None:
    with pytest.raises(InputError, match=r"--balance.*Give one above 0 and up to 1"):
        quotas({"politics": 3}, share)


counted = st.dictionaries(st.sampled_from(TOPICS), st.integers(1, 60), min_size=1)
shares = st.integers(1, 100).map(lambda percent: percent / 100)


def balanced(kept: dict[str, int], share: float) -> bool:
    return max(kept.values()) <= share * sum(kept.values()) + 1e-9


@settings(max_examples=200, deadline=None)
@given(counted, shares)
def test_no_topic_is_above_the_share_unless_there_are_too_few_topics(counts: dict[str, int], share: float) -> None:
    kept = quotas(counts, share)
    if balanced(dict.fromkeys(counts, 1), share):
        assert balanced(kept, share)
    else:
        assert len(set(kept.values())) == 1, "all alike is the best there is"


@settings(max_examples=200, deadline=None)
@given(counted, shares)
def test_as_many_groups_stay_as_can(counts: dict[str, int], share: float) -> None:
    kept = quotas(counts, share)
    caps = range(1, max(counts.values()) + 1)
    capped = [{topic: min(count, cap) for topic, count in counts.items()} for cap in caps]
    within = [one for one in capped if balanced(one, share)]
    best = max(within or [one for one in capped if len(set(one.values())) == 1], key=lambda one: sum(one.values()))
    assert kept == best
