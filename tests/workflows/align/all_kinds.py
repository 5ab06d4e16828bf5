"""A folder of documents of every kind in every format, always the same: films, news, threads, translations, essays.

What tells of one event, or is a version of one work, says the same in other words; nothing else does.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from html import escape
from itertools import cycle, islice
from pathlib import Path
from random import Random

PEOPLE = ("Ada Holm", "Bruno Keller", "Clara Voss", "Dimitri Lund", "Eleni Marsh", "Farid Brandt", "Gustav Ode")
PLACES = ("Norland", "Eastbridge", "Salthaven", "Kettleford", "Highmoor", "Wendlow", "Tarnby", "Ockley", "Graymouth")
THINGS = ("harbour", "station", "mill", "market", "chapel", "bakery", "library", "brewery", "theatre", "shipyard")

LINES = (
    ("{name}, where were you last night?", "Tell me where you spent the night, {name}."),
    ("I was at the {thing} until two.", "Till two o'clock I stayed at the {thing}."),
    ("Nobody saw you in {place}.", "In {place} there is no one who could say so."),
    ("The money is gone, all {number} of it.", "All {number} crowns have vanished."),
    ("You think that I took it?", "Do you believe it was me?"),
    ("I think you know who did.", "You know the thief, I'm sure."),
    ("Ask {name} about the {thing}.", "You should talk to {name}; it's about the {thing}."),
    ("He will not talk to me any more.", "He doesn't speak to me these days."),
    ("Give him time.\n{name} is afraid.", "{name} is frightened. Be patient."),
    ("We have until {number} to find it.", "By {number} it must be found."),
    ("Let's go before it rains.", "We had better leave, rain is coming."),
)
"""What is said in films, in two versions."""

SENTENCES = (
    (
        "A fire destroyed the {thing} of {place} on {day} night.",
        "The {thing} in {place} burnt down during the night of {day}.",
        "Flames have left nothing of {place}'s {thing} since {day} night.",
    ),
    (
        "{name}, who has led the {thing} for {number} days, spoke of a heavy loss.",
        "It is a heavy loss, said {name}, in charge of the {thing} for {number} days.",
        "{name} called it a heavy loss after {number} days at the head of the {thing}.",
    ),
    (
        "About {number} people had to leave their homes in {place}.",
        "In {place} some {number} residents were told to leave their houses.",
        "Roughly {number} inhabitants of {place} could not stay at home.",
    ),
    (
        "The council of {place} will pay {number} crowns for the repairs.",
        "Repairs of {number} crowns are to be paid by the council of {place}.",
        "{place}'s council promised {number} crowns so that all can be repaired.",
    ),
    (
        "Trains to {place} will not run before {day}.",
        "No train is expected in {place} until {day}.",
        "Until {day} nobody can travel to {place} by train.",
    ),
    (
        "{name} wants to build a new {thing} within a year.",
        "Within a year a new {thing} shall stand, {name} said.",
        "A new {thing} is to be built in a year, according to {name}.",
    ),
)
"""What news, threads, translations and essays tell, in three wordings."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
BEGIN = datetime(2024, 3, 1, 8)
PAPERS = ("herald", "courier", "gazette")


def write_all_kinds(folder: Path) -> None:
    """Fill a folder: 6 subtitles of 3 films, 55 articles, 9 messages, 6 translations and 6 essays; a film lies there
    twice, and one file is no document."""
    _write_films(folder / "films")
    _write_news(folder)
    records = [
        *({"forum": "town", **_message(f"thread {number}", wording)} for number in range(3) for wording in range(2)),
        *({"forum": "garden", **_message(f"thread {number}", 2)} for number in range(3)),
    ]
    _write_lines(folder / "threads.jsonl", records)
    essays = [
        {"kind": "essay", "work": f"exercise {number}", "text": told(Random(f"essay {number}"), wording)}
        for number in range(2)
        for wording in range(3)
    ]
    _write_lines(folder / "essays.jsonl", essays)
    for number in range(2):
        for wording in range(3):
            file = folder / "texts" / f"text-{number}" / f"student-{wording}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(told(Random(f"text {number}"), wording), encoding=("utf-8", "utf-16", "cp1252")[wording])


def told(random: Random, wording: int, order: Sequence[int] = range(len(SENTENCES))) -> str:
    """Six sentences about the names, places and numbers that are drawn, in one of three wordings."""
    name, place, thing = random.choice(PEOPLE), random.choice(PLACES), random.choice(THINGS)
    facts = {"name": name, "place": place, "thing": thing, "day": random.choice(DAYS)}
    numbers = [random.randrange(100, 9999) for _ in SENTENCES]
    said = [
        sentence[wording].format(number=number, **facts) for sentence, number in zip(SENTENCES, numbers, strict=True)
    ]
    return " ".join(said[place] for place in order)


def _message(name: str, wording: int) -> dict[str, str]:
    return {"title": f"What happened in {name}?", "text": told(Random(name), wording)}


def _write_lines(file: Path, rows: Sequence[dict[str, object]]) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


# ------------------------------------------------------------------------------------------------------ films


def said_in(film: str, version: int, length: int = 100) -> Iterator[tuple[float, float, str]]:
    """When each caption of twenty-five minutes begins and ends, and what it says in this version."""
    random = Random(film)
    for number, line in enumerate(islice(cycle(LINES), length)):
        facts = {"name": random.choice(PEOPLE), "place": random.choice(PLACES), "thing": random.choice(THINGS)}
        begins = number * 15 + random.uniform(0, 6)
        yield begins, begins + 3.2, line[version].format(number=random.randrange(100, 9999), **facts)


def clock(seconds: float, mark: str = ",") -> str:
    """Seconds as subtitles have them."""
    whole = round(seconds * 1000)
    return f"{whole // 3_600_000:02}:{whole // 60_000 % 60:02}:{whole // 1000 % 60:02}{mark}{whole % 1000:03}"


def srt(film: str, version: int, *, offset: float = 0.0, rate: float = 1.0) -> str:
    """A version of a film as SubRip, later by an offset and slower by a rate."""
    return "\n".join(
        f"{number}\n{clock(begins * rate + offset)} --> {clock(ends * rate + offset)}\n{text}\n"
        for number, (begins, ends, text) in enumerate(said_in(film, version), 1)
    )


def vtt(film: str, version: int, *, offset: float) -> str:
    """A version of a film as WebVTT."""
    cues = (
        f"{clock(begins + offset, '.')} --> {clock(ends + offset, '.')} align:start\n<i>{escape(text)}</i>\n"
        for begins, ends, text in said_in(film, version)
    )
    return "WEBVTT\n\nNOTE made for tests\n\n" + "\n".join(cues)


def opus(film: str, version: int, *, offset: float) -> str:
    """A version of a film as OPUS's XML: a sentence a caption."""
    cues = (
        f'<s id="{number}"><time id="T{number}S" value="{clock(begins + offset)}"/>'
        + "".join(f"<w>{escape(word)}</w>" for word in text.split())
        + f'<time id="T{number}E" value="{clock(ends + offset)}"/></s>'
        for number, (begins, ends, text) in enumerate(said_in(film, version), 1)
    )
    return f'<?xml version="1.0" encoding="utf-8"?>\n<document>{"".join(cues)}</document>\n'


def _write_films(folder: Path) -> None:
    for film in ("harbour", "mill", "lighthouse"):
        (folder / film).mkdir(parents=True)
    late = srt("harbour", 1, offset=41.5, rate=25 / 23.976)
    files = {
        "harbour/first.srt": srt("harbour", 0).encode("utf-8-sig"),
        "harbour/second.srt": late.replace("\n", "\r\n").encode("cp1252"),
        "mill/first.srt": srt("mill", 0).encode(),
        "mill/first-again.srt": srt("mill", 0).encode(),
        "mill/second.vtt": vtt("mill", 1, offset=4.0).encode(),
        "lighthouse/first.xml": opus("lighthouse", 0, offset=0.0).encode(),
        "lighthouse/broken.xml": opus("lighthouse", 1, offset=0.0).encode()[:2000],
        "lighthouse/second.xml.gz": gzip.compress(opus("lighthouse", 1, offset=12.0).encode(), mtime=0),
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)


# ------------------------------------------------------------------------------------------------------- news


def event(number: int, wording: int) -> dict[str, str]:
    """An article about an event; each wording is another paper's, and a day later than the one before."""
    random = Random(f"event {number}")
    order = Random(f"order {number} {wording}").sample(range(len(SENTENCES)), len(SENTENCES))
    text = told(random, wording, order)
    facts = Random(f"event {number}")
    name, place, thing = facts.choice(PEOPLE), facts.choice(PLACES), facts.choice(THINGS)
    titles = (
        f"Fire in the {thing} of {place}",
        f"{place}: {thing} burns, {name} mourns",
        f"{name} speaks after {place} loses its {thing}",
    )
    date = BEGIN + timedelta(days=5 * number + wording, hours=random.randrange(12))
    return {
        "title": titles[wording],
        "text": text,
        "created_at": date.isoformat() + "+00:00",
        "source": PAPERS[wording],
    }


def _write_news(folder: Path) -> None:
    """Events as JSON lines of two papers, the third paper's as a feed, some events as web pages; one has no date."""
    articles = [event(number, wording) for number in range(16) for wording in range(2)]
    undated = {name: value for name, value in event(40, 0).items() if name != "created_at"}
    _write_lines(folder / "news.jsonl", [*articles, undated])
    items = "".join(
        f"<item><title>{escape(one['title'])}</title><guid>{number}</guid>"
        f"<pubDate>{one['created_at']}</pubDate><description>{escape(one['text'])}</description></item>"
        for number, one in enumerate(event(number, 2) for number in range(12))
    )
    head = "<title>gazette</title><link>https://gazette.example</link>"
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel>{head}{items}</channel></rss>'
    (folder / "gazette.rss").write_text(feed, encoding="utf-8")
    (folder / "pages").mkdir(parents=True)
    for number in range(20, 25):
        for wording in range(2):
            page = _page(event(number, wording), number)
            (folder / "pages" / f"{number}-{wording}.html").write_text(page, encoding="utf-8")


def _page(article: dict[str, str], number: int) -> str:
    sentences = article["text"].split(". ")
    body = "".join(f"<p>{escape(sentence.rstrip('.'))}.</p>" for sentence in sentences)
    return (
        f'<html lang="en"><head><title>{escape(article["title"])}</title>'
        f'<meta property="article:published_time" content="{article["created_at"]}">'
        f'<meta property="og:url" content="https://{article["source"]}.example/{number}">'
        f"</head><body><nav><a href='/'>Home</a></nav><article><h1>{escape(article['title'])}</h1>{body}</article>"
        "<footer>All rights reserved</footer></body></html>"
    )
