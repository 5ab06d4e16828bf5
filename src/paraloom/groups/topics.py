"""A group's URL or trend in, its topic out: from the section in the path, or from a mapping of the user's own.

The eight topics are those of Dou et al. (2022), figure 2.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from paraloom.errors import InputError

SECTIONS: dict[str, str] = {
    word: topic
    for topic, words in {
        "science/tech": "science sciences tech technology technologies space environment climate energy gadgets ai "
        "computing digital innovation ciencia tecnologia tecnología science-environment climate-environment "
        "scitech internet research",
        "health": "health healthcare well wellness medicine medical coronavirus covid covid-19 covid19 salud sante "
        "santé vaccines nutrition fitness mental-health",
        "politics": "politics politica política politique elections election congress policy government senate house "
        "whitehouse white-house national-security us-policy parliament upshot legislation bill bills democracy "
        "campaign",
        "finance": "business finance money markets market economy economics dealbook personal-finance investing stocks "
        "your-money companies economia economía economie jobs real-estate realestate trade banking",
        "sports": "sport sports football soccer nba nfl mlb nhl golf tennis cricket rugby olympics baseball basketball "
        "hockey deportes futbol fútbol ncaaf athletics f1",
        "entertainment": "entertainment arts art culture movies movie film music tv television theater theatre books "
        "celebrity showbiz style fashion games gaming cine cultura entretenimiento lifestyle lifeandstyle",
        "event": "world us uk local news us-news uk-news world-news australia-news nation national "
        "international europe asia africa americas middleeast weather "
        "disaster disasters crime mundo sucesos nyregion region regional live events event",
    }.items()
    for word in words.split()
}

ROUNDING = 1e-9
"""0.29 of 100 groups is a little less than 29 in floating point."""

_NUMBERED = re.compile(r"([a-z]+(?:-[a-z0-9]+){0,2})-[0-9]{6,}")
"""A page's name that is its section and a number, as the BBC's: `uk-politics-54321000`."""


@dataclass(frozen=True, slots=True)
class TopicMapping:
    """Parts of URLs and names of trends, longest first, each with its topic."""

    parts: tuple[tuple[str, str], ...] = ()

    def find(self, key: str) -> str | None:
        """The topic of the longest part that the key contains."""
        lowered = key.lower()
        return next((topic for part, topic in self.parts if part in lowered), None)


def read_topics(path: Path) -> TopicMapping:
    """A TOML file with a table `[topics]` (or none) of `"part of a URL or trend" = "topic"`."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The topics file {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(
            f'The topics file {path} is not TOML: {error}. Write lines such as "/science/" = "science/tech".'
        ) from error
    inner = written.get("topics")
    mapping = inner if isinstance(inner, dict) else written
    wrong = [part for part, topic in mapping.items() if not isinstance(topic, str)]
    if wrong:
        raise InputError(
            f'In the topics file {path}, {wrong[0]!r} has no topic\'s name. Write lines such as "/science/" = '
            '"science/tech", with quotes around what has a dot or a slash in it.'
        )
    pairs = sorted(((part.lower(), topic) for part, topic in mapping.items()), key=lambda pair: (-len(pair[0]), pair))
    return TopicMapping(tuple(pairs))


def topic_of_url(url: str, mapping: TopicMapping = TopicMapping()) -> str:
    """The topic that a section in the URL's path names, else its host; what happened somewhere is an event.

    >>> topic_of_url("https://nytimes.com/2019/08/09/science/komodo-dragon-genome.html")
    'science/tech'
    >>> topic_of_url("https://cnn.com/2020/10/01/politics/a-vote/index.html")
    'politics'
    >>> topic_of_url("https://example.com/a")
    'others'
    """
    if (found := mapping.find(url)) is not None:
        return found
    parts = urlsplit(url)
    sections = unquote(parts.path).lower().split("/")
    if numbered := _NUMBERED.fullmatch(sections[-1]):
        sections += [numbered[1], *numbered[1].split("-")]
    hosts = (parts.hostname or "").split(".")[:-1]
    named = [SECTIONS[word] for word in (*sections, *hosts) if word in SECTIONS]
    # `/news/` and `/world/` are on every second page: they count where nothing else tells more.
    return next((topic for topic in named if topic != "event"), "event" if named else "others")


def topic_of_trend(trend: str, mapping: TopicMapping = TopicMapping()) -> str:
    """The topic the user gives a trend; trends name no section of their own.

    >>> topic_of_trend("#FinallyFriday")
    'others'
    """
    return mapping.find(trend) or "others"


def check_balance(largest_share: float) -> None:
    """An error where no topic could have this share."""
    if not 0 < largest_share <= 1:
        raise InputError(
            f"The largest share of a topic (--balance) is {largest_share}. Give one above 0 and up to 1, such as 0.25."
        )


def quotas(counts: Mapping[str, int], largest_share: float) -> dict[str, int]:
    """How many groups each topic may keep so that none has more than this share, keeping as many as can be.

    >>> quotas({"politics": 90, "health": 10, "sports": 10}, 0.4)
    {'health': 10, 'politics': 13, 'sports': 10}
    """
    check_balance(largest_share)
    low, high = 0, max(counts.values(), default=0)
    while low < high:  # the caps that are balanced are all those up to a largest one
        cap = (low + high + 1) // 2
        balanced = cap <= largest_share * sum(min(count, cap) for count in counts.values()) + ROUNDING
        low, high = (cap, high) if balanced else (low, cap - 1)
    cap = low or min(counts.values(), default=0)  # too few topics for the share: all alike is the best there is
    return {topic: min(count, cap) for topic, count in sorted(counts.items())}
