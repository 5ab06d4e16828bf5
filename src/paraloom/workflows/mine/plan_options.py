"""What the planner of mining can be told. Imports nothing heavy: the command line reads this."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from paraloom.errors import InputError

_NUMBER = re.compile(r"\s*([0-9][0-9_,]*(?:\.[0-9]+)?(?:e[+]?[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)
COUNTS = {"": 1.0, "k": 1e3, "m": 1e6, "b": 1e9, "g": 1e9}
BYTES = {"": 1.0, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
BYTES |= {"kib": 2.0**10, "mib": 2.0**20, "gib": 2.0**30, "tib": 2.0**40}
SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """What is to be mined, and with what."""

    sentences: str = ""
    """How many sentences: `400M`, `10m`, `1e6`, `250,000`; by default as many as the files seem to hold."""
    embedder: str = "fast"
    """The embedder that is meant; `fast` and `good` are compared in any case."""
    dims: int = 0
    """Numbers of a vector; 0: as many as the embedder has."""
    neighbours: int = 8
    """So many nearest sentences of each sentence."""
    recall: float = 0.98
    """The share of near neighbours that is to be found, where there are lists."""
    min_similarity: float = 0.6
    """How alike two sentences must be to become a pair."""
    mutual: bool = False
    """Only sentences that are each among the nearest of the other become pairs."""
    lexical_band: tuple[float, float] = (0.0, 1.0)
    """The least and the most lexical similarity of pairs that are kept."""
    probes: int = 0
    """Lists that a sentence is supposed to look into; 0: as in the sample, and more as sentences are more."""
    pairs_each: float = 0.0
    """Candidate pairs a sentence is supposed to have; 0: as in the sample, and more as sentences are more."""
    identify: bool = True
    """Whether an identifier judges the pairs: it takes longer than all else."""
    identifier: str = "cascade"
    """The identifier that is meant."""
    judge_most: int | None = None
    """Only so many pairs are judged, those of the highest rank; by default all."""
    memory: str = ""
    """Memory of a machine: `8GB`, `64GiB`; by default as much as is free on this one."""
    disk: str = ""
    """Free disk of a machine; by default what is free in the working folder."""
    machines: int = 1
    """So many machines, together on Ray."""
    cores: int = 0
    """Cores of each; 0: as many as this machine has. They are taken to be as fast as this one's."""
    within: str = ""
    """Say how many machines end it in this time: `90min`, `24h`, `3d`; by default in an hour, and in a day."""


def read_count(text: str) -> int:
    """A number of sentences as people write it.

    >>> [read_count(text) for text in ("400M", "10m", "1e6", "250,000", "2.5k")]
    [400000000, 10000000, 1000000, 250000, 2500]
    """
    return round(_read(text, COUNTS, "a number of sentences, such as 400M, 10m, 1e6 or 250,000"))


def read_bytes(text: str) -> int:
    """An amount of memory or disk.

    >>> read_bytes("8GB"), read_bytes("1 GiB")
    (8000000000, 1073741824)
    """
    return round(_read(text, BYTES, "an amount such as 8GB, 500 MB or 64GiB"))


def read_seconds(text: str) -> float:
    """A time.

    >>> read_seconds("90min"), read_seconds("1.5h")
    (5400.0, 5400.0)
    """
    return _read(text, SECONDS, "a time such as 30s, 90min, 24h or 3d")


def _read(text: str, units: dict[str, float], wanted: str) -> float:
    found = _NUMBER.fullmatch(text)
    unit = found.group(2).lower() if found else ""
    if found is None or unit not in units:
        raise InputError(f"{text!r} cannot be read: give {wanted}.")
    value = float(found.group(1).replace("_", "").replace(",", "")) * units[unit]
    if value <= 0:
        raise InputError(f"{text!r} is nothing: give {wanted}, above 0.")
    return value


def check_plan(options: PlanOptions) -> None:
    """Refuse what cannot be planned."""
    readers: dict[str, Callable[[str], float]] = {
        "sentences": read_count,
        "memory": read_bytes,
        "disk": read_bytes,
        "within": read_seconds,
    }
    for name, read in readers.items():
        if text := getattr(options, name):
            read(text)
    for name in ("neighbours", "machines"):
        if getattr(options, name) < 1:
            raise InputError(f"--{name} {getattr(options, name)}: give 1 or more.")
    if not 0 < options.recall <= 1:
        raise InputError(f"--recall {options.recall}: give a share above 0 and up to 1.")
    if not 0 <= options.min_similarity <= 1:
        raise InputError(f"--min-similarity {options.min_similarity}: give a cosine from 0 to 1.")
    low, high = options.lexical_band
    if not 0 <= low <= high <= 1:
        raise InputError(f"--lexical-band {low} {high}: give two numbers from 0 to 1, the lower one first.")
    for name in ("dims", "cores", "probes", "pairs_each", "judge_most"):
        if (getattr(options, name) or 0) < 0:
            raise InputError(f"--{name.replace('_', '-')} {getattr(options, name)}: give 0 or more.")
