"""What is a phrase pair, and which of them are kept. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MOST_WORDS = 7
"""The links inside a phrase pair are the bits of one number: seven words by seven."""

Shared = Literal["keep", "trivial", "drop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PhraseOptions:
    """Which phrase pairs are taken from aligned sentences, and which of them are left out."""

    max_words: int = MOST_WORDS
    """Words a phrase has at most, from 1 to 7."""
    extend_unaligned: bool = False
    """Words without a link at the edges may belong to a phrase too, as in Moses: many more pairs, and poorer ones."""
    min_pairs: int = 1
    """Phrase pairs seen in fewer sentence pairs are left out as `too_rare`."""
    shared_edges: Shared = "trivial"
    """What becomes of phrases that begin or end with the same words, as “the storm hit” and “the storm struck” do:
    `keep`; `trivial`: left out as `shared_edges` where the first or the last word of both is a function word; `drop`:
    left out, so that only pairs remain that do not hold a smaller one at an edge."""
    sub_phrases: Shared = "trivial"
    """What becomes of a phrase that is the other one with more words (“storm”, “violent storm”): `keep`; `trivial`:
    left out as `sub_phrase` where these words are function words and punctuation; `drop`: left out."""
    keep_punctuation: bool = False
    """Phrases that begin or end with punctuation are kept, and pairs that differ in nothing else; otherwise they are
    left out as `punctuation`, as is in any case what has no letter or digit."""
    keep_numbers: bool = False
    """Pairs that are nothing but numbers on both sides are kept, too; otherwise they are left out as `number`."""
    keep_mentions: bool = False
    """Pairs that are nothing but mentions (@user) on both sides are kept, too; otherwise they are left out as
    `mention`. A mention that stands for words is always kept."""
    keep_links: bool = False
    """Pairs with a web address are kept, too; otherwise they are left out as `link`."""
    language: str = "en"
    """Whose function words are trivial: its code of two letters."""
    contexts: int = 3
    """How many places a phrase pair was seen at are kept, with two words to either side."""
    smoothing: Literal["none", "kneser-ney"] = "none"
    """How probabilities are estimated: as relative frequencies, or with Kneser-Ney's discount (Foster et al., 2006)."""
    lexicon: Path | None = None
    """A file of word probabilities (`left`, `right`, `forward`, perhaps `backward`), such as an aligner has learned, to
    weigh phrases by; otherwise they are estimated from the links."""
    seed: int = 0
    """Decides which contexts are kept where there are more."""
