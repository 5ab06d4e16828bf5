"""A sentence in, the places of its clauses out: cut at commas, semicolons, colons, dashes and before conjunctions."""

from __future__ import annotations

import re

MOST_CLAUSES = 8
"""A sentence with more is a list, and not cut."""

_CONJUNCTIONS = (
    "and but or because while although whereas "  # English
    "och men eller därför medan fastän "  # Swedish
    "ja mutta tai sekä vaan koska vaikka "  # Finnish
    "og men eller fordi mens "  # Danish, Norwegian
    "und aber oder weil sondern während obwohl "  # German
    "et mais ou parce puisque tandis "  # French
    "y pero porque aunque mientras "  # Spanish
    "ma perché mentre sebbene anche "  # Italian
    "maar omdat terwijl hoewel"  # Dutch
)
"""Words that begin a clause in one of these languages and are no everyday word of another kind in the others."""

_CUT = re.compile(
    # A run is tried from its first letter on alone, so that long ones are looked at once.
    r"(?<![,;:…])[,;:…]++[\"'”’»)]*+\s++|\s[-–—]++\s++|(?<!\.)\.{2,}+\s*+(?=\w)|[、，；：]"
    rf"|(?<!\s)\s++(?=(?:{'|'.join(sorted(set(_CONJUNCTIONS.split())))})\s)"
)


def clauses(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The clauses between two places of a text, in order, without what separates them; one where nothing does.

    >>> sentence = "No, no, the storm came over night and nobody slept – not even Ann."
    >>> [sentence[start:end] for start, end in clauses(sentence, 0, len(sentence))]
    ['No', 'no', 'the storm came over night', 'and nobody slept', 'not even Ann.']
    """
    found: list[tuple[int, int]] = []
    begin = start
    for cut in _CUT.finditer(text, start, end):
        if cut.start() > begin:
            found.append((begin, cut.start()))
            begin = cut.end()
            if len(found) >= MOST_CLAUSES:
                return [(start, end)]
    if end > begin:
        found.append((begin, end))
    return found
