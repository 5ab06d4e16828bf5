"""Sentences written one by one in `sample_events/` in, the bundled sample in `src/paraloom/sample/` out.

    python recipes/sample.py [--out DIR]

The words are ours: people, firms, places and domains are invented. This file only does to them what platforms and
people do to posts: it links, tags, cuts, copies, reposts and breaks them, always in the same way. Chance is drawn with
`Random.random` alone, the one method whose sequence Python promises to keep, and anew for each event, so that a
changed event leaves the posts of all others as they were.
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import html
import json
import math
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, TypeVar

SOURCE = Path(__file__).parent / "sample_events"
PACKAGE = Path(__file__).parents[1] / "src" / "paraloom" / "sample"
SEED = "paraloom sample 1"
END = datetime(2026, 4, 5, 21, 59, tzinfo=UTC)
STREAM = "open_stream"
GOLD_POSITIVES, GOLD_NEGATIVES = 180, 220

Item = TypeVar("Item")


@dataclasses.dataclass(frozen=True, slots=True)
class Outlet:
    """A news account, and how its site writes the address of an article and of a photo."""

    name: str
    article: str
    photo: str


ACCOUNTS = tomllib.loads((SOURCE / "outlets.toml").read_text(encoding="utf-8"))
OUTLETS = {account: Outlet(**outlet) for account, outlet in ACCOUNTS["outlet"].items()}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened and the sentences people write about it; the first is the outlet's headline."""

    slug: str
    section: str
    outlet: str
    date: str
    language: str = "en"
    tags: list[str]
    emoji: list[str]
    description: str
    sentences: list[tuple[str, str]]
    large: bool = False
    """The group everybody posts in."""
    tiny: bool = False
    """A group nobody cares about."""

    @property
    def headline(self) -> str:
        return self.sentences[0][1]

    @property
    def url(self) -> str:
        year, month, day = self.date.split("-")
        return OUTLETS[self.outlet].article.format(
            year=year, month=month, day=day, section=self.section, slug=self.slug
        )

    @property
    def title(self) -> str:
        """The page's title: the headline, on some pages with the outlet's name after it."""
        return self.headline if len(self.slug) % 2 else f"{self.headline} | {OUTLETS[self.outlet].name}"


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A phrase or hashtag many people use at once, and what they say with it."""

    name: str
    topic: str
    date: str
    language: str = "en"
    emoji: list[str]
    sentences: list[tuple[str, str]]


@dataclasses.dataclass(slots=True, kw_only=True, eq=False)
class Post:
    """One post, before it is written as a row of JSON."""

    text: str
    created_at: datetime
    author: str
    language: str
    source: str
    platform: str = "chirp"
    urls: list[str] = dataclasses.field(default_factory=list)
    trend: str | None = None
    repost_of: Post | None = None
    page_title: str | None = None
    page_description: str | None = None
    id: str = ""

    def row(self) -> dict[str, object]:
        offset = 60 * (int(self.id) % 3) if self.platform == "chirp" else 0  # clients write their own time zone
        local = self.created_at.astimezone(timezone(timedelta(minutes=offset)))
        row: dict[str, object] = {
            "id": self.id,
            "text": self.text,
            "created_at": local.isoformat().replace("+00:00", "Z"),
            "author": self.author,
            "language": self.language,
        }
        if len(self.urls) == 1:
            row["url"] = self.urls[0]
        elif self.urls:
            row["urls"] = self.urls
        optional = {
            "trend": self.trend,
            "repost_of": self.repost_of.id if self.repost_of else None,
            "page_title": self.page_title,
            "page_description": self.page_description,
        }
        row |= {name: value for name, value in optional.items() if value is not None}
        return row | {"source": self.source, "platform": self.platform}


def read_sentences(block: str) -> list[tuple[str, str]]:
    """Lines of a letter, a space and a sentence.

    >>> read_sentences("a It rains.")
    [('a', 'It rains.')]
    """
    return [(line[0], line[2:]) for line in block.strip().splitlines()]


def read_events() -> list[Event]:
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(SOURCE.glob("*.toml"))]
    rows = [row for table in tables for row in table.get("event", [])]
    return [Event(**row | {"sentences": read_sentences(row["sentences"])}) for row in rows]


def read_trends() -> list[Trend]:
    rows = tomllib.loads((SOURCE / "trends.toml").read_text(encoding="utf-8"))["trend"]
    return [Trend(**row | {"sentences": read_sentences(row["sentences"])}) for row in rows]


def read_small_talk() -> dict[str, Any]:
    return tomllib.loads((SOURCE / "small_talk.toml").read_text(encoding="utf-8"))


def chance(rng: Random, share: float) -> bool:
    return rng.random() < share


def number(rng: Random, low: int, high: int) -> int:
    """A whole number from low to high, both included."""
    return low + int(rng.random() * (high - low + 1))


def pick(rng: Random, items: Sequence[Item]) -> Item:
    return items[int(rng.random() * len(items))]


def shuffled(rng: Random, items: Iterable[Item]) -> list[Item]:
    return [item for _, item in sorted(((rng.random(), item) for item in items), key=lambda keyed: keyed[0])]


def handle(rng: Random, language: str) -> str:
    names, habits = (ACCOUNTS[part].get(language, ACCOUNTS[part]["en"]) for part in ("names", "habits"))
    return f"{pick(rng, names)}_{pick(rng, habits)}{number(rng, 2, 99) if chance(rng, 0.6) else ''}"


def waiting_time(rng: Random, mean: float) -> float:
    return -mean * math.log(1 - rng.random())


def written(rng: Random, date: str, *, hours: float) -> datetime:
    """A moment on or after that day; most posts come soon, some take their time."""
    seconds = 6 * 3600 + rng.random() * 3600 + waiting_time(rng, hours * 3600)
    return min(datetime.fromisoformat(date).replace(tzinfo=UTC) + timedelta(seconds=int(seconds)), END)


def shortened(rng: Random, host: str = "t.co") -> str:
    """A short link that leads nowhere: real ones have no hyphen."""
    return f"https://{host}/example-{int(rng.random() * 16**6):06x}"


def url_variant(rng: Random, url: str) -> str:
    """The same article's address as other apps, feeds and phones write it."""
    bare = url.removeprefix("https://")
    forms = [
        f"{url}?utm_source=chirp&utm_medium=social",
        f"{url}?utm_campaign=evening&utm_content={number(rng, 1000, 9999)}",
        f"{url}?fbclid=example{number(rng, 10000, 99999)}",
        f"{url}#comments",
        f"http://{bare}",
    ]
    if not bare.endswith(".html"):
        forms += [f"{url}/", f"{url}/amp"]
    if bare.startswith("www."):
        host, _, path = bare.removeprefix("www.").partition("/")
        forms += [f"https://{host}/{path}", f"https://m.{host}/{path}", f"https://amp.{host}/{path}"]
        forms.append(f"https://WWW.{host.upper()}/{path}")
    return pick(rng, forms)


def cut(rng: Random, text: str) -> str:
    """The text as a bot shortens it: some words, then an ellipsis."""
    words = text.split()
    return " ".join(words[: max(4, int(len(words) * (0.55 + 0.3 * rng.random())))]) + pick(rng, ["…", "...", " …"])


def in_other_case(rng: Random, text: str) -> str:
    forms: list[Callable[[str], str]] = [str.upper, str.lower, lambda words: words.replace(",", "").rstrip(".") + "!!!"]
    return pick(rng, forms)(text)


def near_duplicate(rng: Random, text: str) -> str:
    """The text with the little changes of somebody who copies and pastes."""
    forms: list[Callable[[str], str]] = [
        lambda words: words.rstrip(".!?") + pick(rng, ["!", "!!", ".", " ..."]),
        lambda words: words.replace(" and ", " & ").replace(" y ", " & ").lower(),
        lambda words: re.sub(r"(?<![\w#@])([A-Za-z]{6,})(?!\w)", r"#\1", words, count=1),
        lambda words: words.replace(", ", " ").replace(": ", " - "),
        lambda words: words.replace("the ", "teh ", 1).replace("que ", "qeu ", 1) + ".",
    ]
    changed = pick(rng, forms)(text)
    return changed if changed != text else f"{text} ."


@dataclasses.dataclass(slots=True)
class Crowd:
    """Writes the posts of one event or trend."""

    rng: Random
    date: str
    language: str
    source: str
    tags: list[str]
    emoji: list[str]
    talk: dict[str, Any]
    event: Event | None = None
    trend: str | None = None

    def post(self, text: str, *, hours: float = 20.0, author: str | None = None, resolved: bool = True) -> Post:
        """A post with that text and the group's link or trend, as somebody sends it.

        An unresolved link is a short one that nobody followed: the post is lost to its group.
        """
        rng = self.rng
        post = Post(
            text=text,
            created_at=written(rng, self.date, hours=hours),
            author=author or handle(rng, self.language),
            language=self.language,
            source=self.source,
            platform="chirp" if self.event or chance(rng, 0.7) else "firehose",
            trend=self.trend,
        )
        if self.event:
            self.link(post, self.event, resolved=resolved)
        elif self.trend and self.trend in text and self.trend.startswith("#") and chance(rng, 0.25):
            post.trend = None  # the hashtag in the text says it
        if not self.event and chance(rng, 0.12):
            post.urls = [f"https://pbs.twimg.com/media/example-{number(rng, 1000, 9999)}.jpg"]
        post.text = html.escape(post.text, quote=False)
        return post

    def link(self, post: Post, event: Event, *, resolved: bool) -> None:
        rng = self.rng
        address = event.url if chance(rng, 0.45) else url_variant(rng, event.url)
        if not resolved:
            address = shortened(rng, pick(rng, ["bit.ly", "ow.ly"]))
        post.urls = [address]
        if chance(rng, 0.85):
            post.text += " " + (shortened(rng) if chance(rng, 0.65) else address)
        if chance(rng, 0.7):
            post.page_title = event.title
        if post.page_title and chance(rng, 0.4):
            post.page_description = event.description

    def decorated(self, sentence: str) -> str:
        """The sentence with what people put around it; the sentence itself stays as it was written."""
        rng = self.rng
        text = sentence
        if chance(rng, 0.2):
            end = "" if re.search(r"[.!?…]$", text) else "."
            comment = pick(rng, self.talk["comments" if self.event else "trend_comments"][self.language])
            text = f"{comment} {text}" if chance(rng, 0.5) else f"{text}{end} {comment}"
        if chance(rng, 0.12):
            mention = f"@{handle(rng, self.language)}"
            text = f"{mention} {text}" if chance(rng, 0.6) else f"{text} {mention}"
        if self.tags and chance(rng, 0.35):
            text += "".join(f" #{tag}" for tag in shuffled(rng, self.tags)[: number(rng, 1, 2)])
        if chance(rng, 0.22):
            text += " " + pick(rng, self.emoji) * number(rng, 1, 3)
        return text

    def repost(self, original: Post) -> Post:
        """An automatic repost: the platform copies the post and says of which one it is a copy."""
        rng = self.rng
        copy = dataclasses.replace(original, repost_of=original, author=handle(rng, self.language), id="")
        copy.created_at = min(original.created_at + timedelta(seconds=int(waiting_time(rng, 20000)) + 5), END)
        if chance(rng, 0.7):
            text = f"RT @{original.author}: {original.text}"
            copy.text = text if len(text) <= 140 or chance(rng, 0.5) else text[:139] + "…"
        return copy

    def manual_repost(self, original: str, author: str) -> Post:
        """The headline once more, copied by hand with something added or nothing but its dress changed."""
        rng = self.rng
        comment = pick(rng, self.talk["quote_comments"][self.language])
        return self.post(
            pick(
                rng,
                [
                    f"{comment} {original}",
                    f"{original} {comment}",
                    f"{original} via @{author}",
                    f"RT @{author} {original}",
                    f"“{original}” {comment}",
                    f"{original} {pick(rng, self.emoji)}",
                    in_other_case(rng, original),
                    cut(rng, original),
                ],
            )
        )

    def noise(self) -> Iterator[Post]:
        if chance(self.rng, 0.3):
            yield self.post(pick(self.rng, self.talk["spam"][self.language]))
        if chance(self.rng, 0.6):
            yield self.post(pick(self.rng, self.talk["short"][self.language]))

    def copies(self, texts: Sequence[str], times: int) -> Iterator[Post]:
        """Near duplicates and cut-off copies of what others wrote."""
        for _ in range(times):
            text = pick(self.rng, texts)
            text = cut(self.rng, text) if chance(self.rng, 0.25) else near_duplicate(self.rng, text)
            yield self.post(text, resolved=chance(self.rng, 0.85))

    def second_thoughts(self, sentences: Sequence[tuple[str, str]], times: int) -> Iterator[Post]:
        """Posts of two sentences that mean different things but may both be true."""
        compatible = [(letter, text) for letter, text in sentences if letter.islower()]
        for _ in range(times):
            first, second = shuffled(self.rng, compatible)[:2]
            if first[0] != second[0]:
                end = "" if re.search(r"[.!?…]$", first[1]) else "."
                yield self.post(f"{first[1]}{end} {second[1]}")


def event_posts(event: Event, talk: dict[str, Any]) -> Iterator[Post]:
    """All posts that link one article."""
    rng = Random(f"{SEED} {event.slug}")
    crowd = Crowd(rng, event.date, event.language, event.outlet, event.tags, event.emoji, talk, event=event)
    original = crowd.post(event.headline, author=event.outlet)
    original.created_at = datetime.fromisoformat(event.date).replace(hour=5, minute=number(rng, 0, 59), tzinfo=UTC)
    original.urls, original.page_title, original.page_description = [event.url], event.title, event.description
    original.text = f"{html.escape(event.headline, quote=False)} {shortened(rng)}"
    if chance(rng, 0.55):
        original.urls.append(OUTLETS[event.outlet].photo.format(number=number(rng, 1000, 9999)))
        original.text += f" {shortened(rng)}"
    yield original
    told = [crowd.post(crowd.decorated(sentence)) for _, sentence in event.sentences[1:]]
    yield from told
    if event.tiny:
        return
    size = 10 if event.large else 1
    for _ in range(number(rng, 2, 4) * size):
        yield crowd.repost(original)
    for _ in range(number(rng, 0, 2) * size):
        yield crowd.repost(pick(rng, told))
    for _ in range(number(rng, 1, 3) * size):
        yield crowd.manual_repost(event.headline, event.outlet)
    yield crowd.post(event.title)
    if chance(rng, 0.3):
        yield crowd.post(event.description)
    if chance(rng, 0.3):
        yield crowd.post(event.headline, hours=60, author=event.outlet)  # the outlet says it again in the evening
    yield from crowd.copies([sentence for _, sentence in event.sentences[1:]], number(rng, 1, 2) * size)
    yield from crowd.second_thoughts(event.sentences[1:], number(rng, 0, 2) * size)
    for _ in range(size):
        yield from crowd.noise()


def trend_posts(trend: Trend, talk: dict[str, Any]) -> Iterator[Post]:
    """All posts of one trend; there is no original to copy from."""
    rng = Random(f"{SEED} {trend.name}")
    crowd = Crowd(rng, trend.date, trend.language, STREAM, [], trend.emoji, talk, trend=trend.name)
    told = [crowd.post(crowd.decorated(sentence), hours=4) for _, sentence in trend.sentences]
    yield from told
    for _ in range(number(rng, 2, 5)):
        yield crowd.repost(pick(rng, told))
    yield from crowd.copies([sentence for _, sentence in trend.sentences], number(rng, 1, 3))
    yield from crowd.second_thoughts(trend.sentences, number(rng, 1, 2))
    yield from crowd.noise()
    tag = trend.name if trend.name.startswith("#") else f"#{trend.name.replace(' ', '')}"
    yield crowd.post(f"{pick(rng, talk['short'][trend.language])} {tag}", hours=4)


def other_posts(events: Sequence[Event], talk: dict[str, Any]) -> Iterator[Post]:
    """Posts in two groups, in the wrong language, from the newsrooms without a link, and the open stream."""
    rng = Random(f"{SEED} others")
    by_slug = {event.slug: event for event in events}
    for roundup in talk["roundup"]:
        first, second = (by_slug[slug] for slug in roundup["slugs"])
        crowd = Crowd(rng, max(first.date, second.date), roundup["language"], second.outlet, [], [], talk, event=first)
        post = crowd.post(roundup["text"])
        post.urls, post.page_title, post.page_description = [first.url, second.url], None, None
        yield post
    for foreign in talk["foreign"]:
        event = by_slug[foreign["slug"]]
        crowd = Crowd(rng, event.date, foreign["claimed"], event.outlet, [], [], talk, event=event)
        yield crowd.post(foreign["text"])
    for outlet, texts in talk["newsroom"].items():
        for text in texts:
            yield Post(
                text=text,
                created_at=written(rng, f"2026-0{number(rng, 1, 3)}-{number(rng, 5, 28):02}", hours=1),
                author=outlet,
                language="es" if outlet == "gaceta_valle" else "en",
                source=outlet,
            )
    yield from stream_posts(rng, talk)


def stream_posts(rng: Random, talk: dict[str, Any]) -> Iterator[Post]:
    """What runs past when nobody chooses: hard to read, and half of it without a link."""
    spanish = re.compile(r"[áéíóúñ]|\b(mi|hoy|alguien|porfa)\b")
    for text in talk["stream"]["plain"] + 3 * talk["stream"]["linked"] + talk["spam"]["en"]:
        language = "es" if spanish.search(text) else "en"
        post = Post(
            text=text,
            created_at=written(rng, f"2026-0{number(rng, 1, 3)}-{number(rng, 5, 28):02}", hours=24),
            author=handle(rng, language),
            language=language,
            source=STREAM,
            platform="firehose",
        )
        if text in talk["stream"]["linked"]:
            place = pick(rng, ["clips.example/v/", "pbs.twimg.com/media/example-", "tunes.example/"])
            post.urls = [f"https://{place}{number(rng, 100, 999)}"]
            post.text = f"{text} {pick(rng, ['😂', '🔥', '😭', '❤️'])} {shortened(rng)}"
        yield post


def with_ids(posts: Iterable[Post]) -> list[Post]:
    """The posts in the order they were written, numbered as a platform does."""
    in_order = sorted(posts, key=lambda post: (post.created_at, post.author, post.text))
    for place, post in enumerate(in_order):
        post.id = str(2026_000_000_000 + 1009 * place)
    return in_order


BROKEN_ROWS = [
    b"",
    b"   ",
    b"\t",
    b"null",
    b"[]",
    b'{"id": "b01", "text": "The tram is com',
    b'{"id": "b02", "text": "Half a row is better than',
    b'{"id": "b03", "created_at": "2026-02-10T09:00:00Z", "text"',
    b'{"id": "b04", "text": "Two rows on one line"}{"id": "b05", "text": "and the second one is lost"}',
    b"id,text,created_at,author",
    b'{"id": "b06", "text": null, "created_at": "2026-01-20T10:00:00Z", "author": "ben_reads"}',
    b'{"id": "b07", "text": null, "created_at": "2026-02-20T10:00:00Z", "author": "rosa_runs"}',
    b'{"id": "b08", "created_at": "2026-03-01T08:00:00Z", "author": "nils_draws"}',
    b'{"id": "b09", "text": NaN, "created_at": "2026-01-21T10:00:00Z", "author": "inga_sews"}',
    b'{"id": "b10", "text": "No date is no number", "created_at": NaN, "author": "inga_sews"}',
    b'{"id": "b11", "text": "Thirty-one days has February", "created_at": "2026-02-31T10:00:00Z", "author": "dov"}',
    b'{"id": "b12", "text": "I wrote this at some point", "created_at": "yesterday", "author": "dov_walks"}',
    b'{"id": "b13", "text": "The thirteenth month is the best one", "created_at": "2026-13-01", "author": "sami"}',
    b'{"id": "b14", "text": 42, "created_at": "2026-02-02T10:00:00Z", "author": "kofi_codes"}',
    b'{"id": "b15", "text": ["a", "list", "of", "words"], "created_at": "2026-02-03T10:00:00Z", "author": "kofi"}',
    b'{"id": "b16", "text": {"en": "nested"}, "created_at": "2026-02-04T10:00:00Z", "author": "kofi_codes"}',
    b'{"id": "b17", "text": "", "created_at": "2026-02-05T10:00:00Z", "author": "olga_knits"}',
    '{"id": "b18", "text": "Mañana nevará en el valle", "created_at": "2026-01-10", "author": "lola_rema"}'.encode(
        "latin-1"
    ),
    '{"id": "b19", "text": "¿Quién apagó la luz?", "created_at": "2026-02-14", "author": "paco_lee"}'.encode("latin-1"),
    '{"id": "b20", "text": "El año que viene iré en tren", "created_at": "2026-03-10", "author": "nuria_viaja"}'.encode(
        "latin-1"
    ),
    b"\xff\xfe\x00\x01 not text at all",
]
"""Lines no reader should stumble over: blank, cut off, of another format, of another type, of another encoding."""


def post_lines(posts: Sequence[Post]) -> list[bytes]:
    """The file's lines: each post, some of them delivered twice, the broken rows in between."""
    rng = Random(f"{SEED} lines")
    lines = [json.dumps(post.row(), ensure_ascii=False).encode() for post in posts]
    for copied in shuffled(rng, range(len(lines)))[:6]:
        lines.insert(number(rng, copied, len(lines)), lines[copied])
    for broken in BROKEN_ROWS:
        lines.insert(number(rng, 1, len(lines) - 1), broken)
    return lines


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class GoldPair:
    """Two sentences of one group and whether they mean the same under the loose definition."""

    left: str
    right: str
    label: int
    language: str
    kind: str
    key: str


def word_overlap(left: str, right: str) -> float:
    """Jaccard similarity of the words in lower case."""
    one, other = (set(re.findall(r"\w+", text.lower())) for text in (left, right))
    return len(one & other) / len(one | other)


def candidates(rng: Random, group: Event | Trend, label: int) -> list[tuple[str, str]]:
    """The group's pairs with that label, first and then every third time the one whose words mislead most."""
    pairs = [
        (left[1], right[1]) if chance(rng, 0.5) else (right[1], left[1])
        for left, right in combinations(group.sentences, 2)
        if (left[0] == right[0]) == bool(label)
    ]
    misleading = sorted(pairs, key=lambda pair: (word_overlap(*pair), pair), reverse=not label)
    by_chance = shuffled(rng, pairs)
    order: list[tuple[str, str]] = []
    while misleading or by_chance:
        source = misleading if len(order) % 3 == 0 and misleading else by_chance or misleading
        pair = source.pop(0)
        if pair not in order:
            order.append(pair)
    return order


def gold_pairs(events: Sequence[Event], trends: Sequence[Trend]) -> list[GoldPair]:
    """Pairs from every group in turn; no sentence is used more than three times."""
    groups: list[tuple[Event | Trend, str, str]] = [(event, "url", event.url) for event in events]
    groups += [(trend, "trend", trend.name) for trend in trends]
    pairs: list[GoldPair] = []
    for label, wanted in ((1, GOLD_POSITIVES), (0, GOLD_NEGATIVES)):
        uses: dict[str, int] = {}
        chosen: list[GoldPair] = []
        waiting = [
            (group, kind, key, iter(candidates(Random(f"{SEED} gold {label} {key}"), group, label)))
            for group, kind, key in groups
        ]
        while len(chosen) < wanted:
            before = len(chosen)
            for group, kind, key, stream in waiting:
                pair = next((pair for pair in stream if max(uses.get(text, 0) for text in pair) < 3), None)
                if pair and len(chosen) < wanted:
                    uses |= {text: uses.get(text, 0) + 1 for text in pair}
                    chosen.append(
                        GoldPair(left=pair[0], right=pair[1], label=label, language=group.language, kind=kind, key=key)
                    )
            if len(chosen) == before:
                raise ValueError(f"{SOURCE} has {before} pairs of label {label}, not {wanted}: write more events")
        pairs += chosen
    return shuffled(Random(f"{SEED} gold"), pairs)


def topics_file(trends: Sequence[Trend]) -> str:
    """What a user writes to say which topic a group is about."""
    lines = ["# A part of an article's address, or a trend, and the topic it belongs to.", "[topics]"]
    lines += [f'"{fragment}" = "{topic}"' for topic, fragments in ACCOUNTS["topics"].items() for fragment in fragments]
    lines += [""] + [f'"{trend.name}" = "{trend.topic}"' for trend in trends]
    return "\n".join(lines) + "\n"


def build(out: Path) -> None:
    """Write posts.jsonl.gz, gold.tsv, accounts.txt and topics.toml into a folder."""
    events, trends, talk = read_events(), read_trends(), read_small_talk()
    posts = [post for event in events for post in event_posts(event, talk)]
    posts += [post for trend in trends for post in trend_posts(trend, talk)]
    posts += other_posts(events, talk)
    lines = post_lines(with_ids(posts))
    gold = gold_pairs(events, trends)
    columns = [field.name for field in dataclasses.fields(GoldPair)]
    table = [columns] + [[str(getattr(pair, column)) for column in columns] for pair in gold]
    out.mkdir(parents=True, exist_ok=True)
    (out / "posts.jsonl.gz").write_bytes(gzip.compress(b"\n".join(lines) + b"\n", 9, mtime=0))
    (out / "gold.tsv").write_bytes("".join("\t".join(row) + "\n" for row in table).encode())
    (out / "accounts.txt").write_bytes("".join(f"{account}\n" for account in OUTLETS).encode())
    (out / "topics.toml").write_bytes(topics_file(trends).encode())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PACKAGE, help="folder to write into (default: the package's)")
    build(parser.parse_args().out)
