"""Shares of kinds of annotators in, a kind for each of N annotators out.

A mix is written `careful=70,spammer=15,adversary=15`; an accuracy of its own stands behind the name, as in
`careful:0.85=70`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from paraloom.errors import InputError
from paraloom.judgments.simulate.profiles import Profile, profile_named

_PART = re.compile(r"\s*([a-z]+)\s*(?::\s*([\d.]+)\s*)?=\s*([\d.]+)\s*%?\s*")


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of annotator and how many of them there are, in proportion to the others."""

    profile: Profile
    share: float


def read_mix(text: str) -> tuple[Part, ...]:
    """A mix as it is written.

    >>> [(part.profile.name, part.profile.accuracy, part.share) for part in read_mix("careful:.85=70, adversary=30")]
    [('careful', 0.85, 70.0), ('adversary', 0.2, 30.0)]
    """
    parts = []
    for one in text.split(","):
        found = _PART.fullmatch(one)
        if found is None:
            raise InputError(f"{one.strip()!r} is no part of a mix. Write it as in careful:0.85=70,spammer=15.")
        name, accuracy, share = found.groups()
        parts.append(Part(profile_named(name, None if accuracy is None else _number(accuracy)), _number(share)))
    if not sum(part.share for part in parts) > 0:
        raise InputError(f"The mix {text!r} has nobody in it.")
    return tuple(parts)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InputError(f"{text!r} is no number.") from None


def shared_out(mix: tuple[Part, ...], people: int, seed: int = 1) -> list[Profile]:
    """A profile for each of so many people, as near to the shares as whole people allow, in an order drawn by the seed.

    >>> from collections import Counter
    >>> sorted(Counter(one.name for one in shared_out(read_mix("careful=70,spammer=15,adversary=15"), 20)).items())
    [('adversary', 3), ('careful', 14), ('spammer', 3)]
    """
    if people < 1:
        raise InputError(f"{people} annotators cannot do anything. Give at least 1.")
    total = sum(part.share for part in mix)
    exact = [people * part.share / total for part in mix]
    counts = [int(one) for one in exact]
    behind = sorted(range(len(mix)), key=lambda place: counts[place] - exact[place])
    for place in behind[: people - sum(counts)]:
        counts[place] += 1
    found = [part.profile for part, count in zip(mix, counts, strict=True) for _ in range(count)]
    random.Random(f"mix:{seed}").shuffle(found)
    return found
