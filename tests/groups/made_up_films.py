"""Films that were never made: a dialogue told in two wordings, each with the times, gaps and faults of its own.

A line keeps its number through all that is done to the versions, so that a test knows which captions are counterparts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from paraloom.groups.caption_anchors import Timed
from paraloom.tables import Cue

NAMES = ("Tindra", "Bosse", "Marlow", "Ophelie", "Quint", "Rasmus", "Selkie", "Vaughn", "Wilmar", "Yrsa")
_SMALL = "the a I you we it is was not to of and in that have do what this so but for on with me him her go"
SMALL = tuple(_SMALL.split())
SAME_MEANING = {
    "the": "this", "a": "one", "is": "seems", "was": "had been", "not": "never", "to": "towards", "what": "which",
    "so": "then", "but": "yet", "go": "leave", "do": "make", "have": "hold", "for": "because of", "in": "inside",
}  # fmt: skip
_SYLLABLES = "ba ke lo mi nu pra ste glo fri dun tor vel han sil mar che que wer ost ing lam rid pol gan zeb hu"
SYLLABLES = tuple(_SYLLABLES.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What somebody says at some time of the film, in one wording."""

    number: int
    begins_at: float
    ends_at: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One subtitle file: its captions by time, and which lines each of them holds."""

    captions: Sequence[Timed]
    lines: Sequence[frozenset[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """The same lines in two wordings."""

    left: Sequence[Line]
    right: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What happens to the lines on their way into a subtitle file."""

    rate: float = 1.0
    offset: float = 0.0
    begins_at: float = 0.0
    """Lines before this time of the film are missing."""
    ends_at: float = float("inf")
    breaks: Sequence[tuple[float, float]] = field(default_factory=tuple)
    """From this time of the film on, all is so many seconds later, as behind an advertisement; or that much is cut."""
    noise: float = 0.25
    """Standard deviation of a caption's beginning and end, in seconds."""
    missing: float = 0.05
    joined: float = 0.15
    """Share of the captions that also hold the next line."""
    wrong: float = 0.0
    """Share of the captions whose time is anything."""


def make_film(random: Random, lines: int = 700, *, keeps: float = 0.6, seconds: float = 4.0) -> Film:
    """So many lines, about so many seconds apart; of a line's rare words this share is the same in both wordings."""
    words = ["".join(random.choices(SYLLABLES, k=random.choice((1, 2, 2, 3)))) for _ in range(4000)]
    weights = list(accumulate(1 / (rank + 5) for rank in range(len(words))))
    left, right = [], []
    now = random.uniform(5, 60)
    for number in range(lines):
        lasts = random.uniform(1.0, 4.5)
        said = _words(random, words, weights)
        texts = (" ".join(said), " ".join(_reworded(random, said, words, weights, keeps)))
        for side, text in zip((left, right), texts, strict=True):
            side.append(Line(number=number, begins_at=now, ends_at=now + lasts, text=text))
        now += (
            lasts + random.expovariate(1 / max(seconds - 2.7, 0.2)) + (random.random() < 0.03) * random.uniform(5, 40)
        )
    return Film(left=left, right=right)


def cues_of(version: Version, document_id: str = "d") -> tuple[str, list[Cue]]:
    """The text of a subtitle file as it is stored, a caption behind the other, and the place of each."""
    cues: list[Cue] = []
    text = ""
    for caption in version.captions:
        text += "\n\n" if text else ""
        start = len(text)
        text += caption.text
        cues.append(
            Cue(
                document_id=document_id,
                start=start,
                end=len(text),
                text=caption.text,
                begins_at=caption.begins_at,
                ends_at=caption.ends_at,
            )
        )
    return text, cues


def make_version(random: Random, lines: Sequence[Line], making: Making) -> Version:
    """The lines as one subtitle file has them."""
    found: list[tuple[Timed, frozenset[int]]] = []
    kept = [
        line
        for line in lines
        if making.begins_at <= line.begins_at and line.ends_at <= making.ends_at and random.random() >= making.missing
        and not any(begin <= line.ends_at and line.begins_at < begin - shift for begin, shift in making.breaks)
    ]  # fmt: skip
    while kept:
        told = [kept.pop(0)]
        if kept and kept[0].begins_at - told[0].ends_at < 2 and random.random() < making.joined:
            told.append(kept.pop(0))
        begins = random.gauss(shown_at(told[0].begins_at, making), making.noise)
        ends = max(random.gauss(shown_at(told[-1].ends_at, making), making.noise), begins + 0.4)
        if random.random() < making.wrong:
            begins = random.uniform(0, max(line.ends_at for line in lines))
            ends = begins + 2
        text = "\n".join(line.text for line in told)
        found.append((Timed(round(begins, 3), round(ends, 3), text), frozenset(line.number for line in told)))
    found.sort(key=lambda each: each[0])
    return Version(captions=[timed for timed, _ in found], lines=[numbers for _, numbers in found])


def shown_at(time: float, making: Making) -> float:
    """When a version shows what is said at this time of the film."""
    later = sum(shift for begin, shift in making.breaks if time >= begin)
    return making.rate * (time + later) + making.offset


def _words(random: Random, words: Sequence[str], weights: Sequence[float]) -> list[str]:
    said = []
    for _ in range(random.choice((1, 2, 3, 4, 5, 6, 7, 8, 9))):
        kind = random.random()
        if kind < 0.45:
            said.append(random.choice(SMALL))
        elif kind < 0.52:
            said.append(random.choice(NAMES))
        elif kind < 0.54:
            said.append(str(random.randrange(2, 2000)))
        else:
            said.append(random.choices(words, cum_weights=weights)[0])
    return said


def _reworded(
    random: Random, said: Sequence[str], words: Sequence[str], weights: Sequence[float], keeps: float
) -> list[str]:
    """The same in other words: others for some, some left out, some in another form, two of them swapped."""
    told = []
    for word in said:
        if word in SAME_MEANING:
            told.append(SAME_MEANING[word] if random.random() < 0.6 else word)
        elif word in NAMES or word.isdigit() or random.random() < keeps:
            told.append(word if random.random() < 0.7 else word + random.choice(("s", "en", "ing")))
        elif random.random() < 0.8:
            told.append(random.choices(words, cum_weights=weights)[0])
    if len(told) > 3 and random.random() < 0.3:
        place = random.randrange(len(told) - 1)
        told[place : place + 2] = told[place : place + 2][::-1]
    return told or [random.choice(SMALL)]
