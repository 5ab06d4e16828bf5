"""What is asked of generated paraphrases. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from paraloom.errors import InputError

if TYPE_CHECKING:
    from paraloom.text.facts import Kind

KEPT: Mapping[str, Kind] = {
    "names": "name",
    "numbers": "number",
    "urls": "url",
    "hashtags": "hashtag",
    "mentions": "mention",
    "negation": "negation",
    "hedges": "hedge",
}
"""What an output must keep of its source and must not invent, and which kind of fact each is."""
NOTHING = "none"
RULES = 3
"""Number of the set of rules by which candidates are refused and chosen: a change of theirs changes outputs."""
CANDIDATES_EACH, LEAST_CANDIDATES = 4, 16
"""So many candidates are asked for, for each output that is wanted, and so many at least."""
_CODE = re.compile("[a-z]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerateOptions:
    """How many paraphrases are wanted, and which candidates are refused."""

    n: int = 4
    """Outputs for each source, at most."""
    max_candidates: int | None = None
    """So many candidates the generator is asked for, to choose the outputs of; four times `n`, but at least 16,
    unless said."""
    tries: int = 3
    """So often a generator that draws by chance is asked in all, where too few of its candidates pass."""
    keep: tuple[str, ...] = tuple(KEPT)
    """What an output must keep of its source and must not invent, as in `names,numbers`; `none` checks nothing."""
    min_length: float = 0.4
    """Shorter candidates are refused, in words of the candidate for each word of the source."""
    max_length: float = 2.0
    """Longer candidates are refused."""
    min_similarity: float = 0.0
    """Candidates that are less like their source are refused, from 0 to 1."""
    max_similarity: float = 1.0
    """Candidates that are more like their source are refused; copies are refused in any case."""
    small_changes: bool = False
    """Let candidates pass that differ from their source in grammar alone: articles, tense, spelling of numbers."""
    variety: float = 0.3
    """How much outputs must differ from each other: 0 takes the best ones, 1 those that share the fewest words."""
    when_too_few: Literal["fewer", "fill"] = "fewer"
    """Where too few candidates pass: give fewer, or fill up with the least bad of those refused, but never copies."""
    max_words: int = 400
    """Longer sources are left out as `too_long`: generators are made for sentences."""
    languages: tuple[str, ...] = ()
    """Two-letter codes: sources that seem to be in another language are left out as `other_language`; empty: all are
    taken, whatever the generator makes of them."""
    seed: int = 1
    """Of all that is drawn by chance."""

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("tries", 1), ("max_words", 1), ("seed", 0)):
            if getattr(self, name) < least:
                raise InputError(f"{_flag(name)} is {getattr(self, name)}. Give a number from {least} on.")
        if self.max_candidates is not None and self.max_candidates < self.n:
            raise InputError(
                f"--max-candidates {self.max_candidates} are too few to choose --n {self.n} outputs of. Give as many."
            )
        for low, high in (("min_length", "max_length"), ("min_similarity", "max_similarity")):
            if not 0 <= getattr(self, low) <= getattr(self, high):
                raise InputError(
                    f"{_flag(low)} {getattr(self, low):g} and {_flag(high)} {getattr(self, high):g} let nothing pass. "
                    "Give a range from 0 on, the lower bound first."
                )
        if not 0 <= self.variety <= 1:
            raise InputError(f"--variety is {self.variety:g}. Give a number from 0 to 1.")
        if unknown := next((kind for kind in _words(self.keep) if kind not in (*KEPT, NOTHING)), None):
            raise InputError(f"--keep {unknown}: there is nothing so called. Choose of {','.join(KEPT)}, or none.")
        if unknown := next((code for code in self.taken_languages if not _CODE.fullmatch(code)), None):
            raise InputError(f"--languages {unknown} is no two-letter code. Give some such as en,de.")

    @property
    def asked(self) -> int:
        """How many candidates the generator is asked for.

        >>> GenerateOptions(n=3).asked, GenerateOptions(n=6).asked, GenerateOptions(n=3, max_candidates=5).asked
        (16, 24, 5)
        """
        usual = max(CANDIDATES_EACH * self.n, LEAST_CANDIDATES)
        return usual if self.max_candidates is None else self.max_candidates

    @property
    def kept(self) -> tuple[str, ...]:
        """What is checked, each once and in one order.

        >>> GenerateOptions(keep=("numbers,names",)).kept, GenerateOptions(keep=("none",)).kept
        (('names', 'numbers'), ())
        """
        asked = _words(self.keep)
        return tuple(kind for kind in KEPT if kind in asked)

    @property
    def taken_languages(self) -> tuple[str, ...]:
        """The codes of `languages`, each once.

        >>> GenerateOptions(languages=("EN,de", "en")).taken_languages
        ('en', 'de')
        """
        return tuple(dict.fromkeys(code.lower() for code in _words(self.languages)))

    @property
    def signature(self) -> str:
        """All that decides the outputs beside the generator and the ranker."""
        return "|".join(
            (
                f"n:{self.n}",
                f"candidates:{self.asked}",
                f"tries:{self.tries}",
                f"keep:{','.join(self.kept) or NOTHING}",
                f"length:{self.min_length:g}-{self.max_length:g}",
                f"similarity:{self.min_similarity:g}-{self.max_similarity:g}",
                f"small_changes:{int(self.small_changes)}",
                f"variety:{self.variety:g}",
                f"too_few:{self.when_too_few}",
                f"max_words:{self.max_words}",
                f"languages:{','.join(sorted(self.taken_languages)) or 'all'}",
                f"seed:{self.seed}",
                f"rules:{RULES}",
            )
        )


def _words(given: tuple[str, ...]) -> list[str]:
    return [word for each in given for word in each.replace(",", " ").split()]


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
