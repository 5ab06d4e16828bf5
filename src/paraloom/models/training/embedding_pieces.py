"""Texts in, a tokeniser out: their common words, and the beginnings and ends that their rarer words are made of.

For languages that no table of word pieces is there for. Trainers of the library `tokenizers` give other pieces at every
run; these are counted, so the same texts give the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from paraloom.models.embedders.distil import tokeniser_of
from paraloom.models.embedders.known_pieces import CONTINUES

SHARE_OF_WORDS = 0.5
"""Of all pieces so many are whole words; the rest are parts of words."""
LONGEST_PART = 10
WORDS_CUT = 100_000
"""Parts are counted in so many words, the commonest."""
LEAST = 2
"""A word or part that is met more seldom is no piece."""


def words_of(texts: Iterable[str]) -> Counter[str]:
    """How often each word is met, in lower case, cut as a tokeniser of BERT's kind cuts.

    >>> words_of(["Sataa vettä.", "Vettä sataa!"]).most_common(2)
    [('sataa', 2), ('vettä', 2)]
    """
    from tokenizers import normalizers, pre_tokenizers

    normaliser = normalizers.BertNormalizer(lowercase=True, strip_accents=False)
    cutter = pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(word for word, _ in cutter.pre_tokenize_str(normaliser.normalize_str(text)))
    return counts


def learned_tokeniser(texts: Iterable[str], most: int) -> str:
    """A tokenizer.json of BERT's kind of about so many pieces, and all letters that are met.

    >>> pieces = json.loads(learned_tokeniser(["talossa autossa", "talosta autosta"] * 9, 12))["model"]["vocab"]
    >>> "talossa" in pieces, "##ossa" in pieces or "##ssa" in pieces
    (True, True)
    """
    counts = words_of(texts)
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    words = [word for word in ranked if counts[word] >= LEAST][: max(1, int(most * SHARE_OF_WORDS))] or ranked[:most]
    letters = {letter for word in ranked for letter in word}
    parts = _parts(counts, ranked[:WORDS_CUT], most - len(words))
    return _with_parts(tokeniser_of([*words, *sorted(letters)]), parts)


def _parts(counts: Counter[str], words: Sequence[str], most: int) -> list[str]:
    """Beginnings (`auto`) and ends (`##ssa`) of words, those first that save most letters."""
    met: Counter[str] = Counter()
    for word in words:
        for cut in range(1, len(word)):
            if 2 <= cut <= LONGEST_PART:
                met[word[:cut]] += counts[word]
            if 2 <= len(word) - cut <= LONGEST_PART:
                met[f"{CONTINUES}{word[cut:]}"] += counts[word]
    saved = {part: count * (len(part.removeprefix(CONTINUES)) - 1) for part, count in met.items() if count >= LEAST}
    return sorted(saved, key=lambda part: (-saved[part], part))[:most]


def _with_parts(described: str, parts: Iterable[str]) -> str:
    told = json.loads(described)
    vocabulary: dict[str, int] = told["model"]["vocab"]
    for part in parts:
        vocabulary.setdefault(part, len(vocabulary))
    return json.dumps(told, ensure_ascii=False)
