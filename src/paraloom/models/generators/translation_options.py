"""How translators make paraphrases, there and back or of a parallel corpus: the options alone."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslationOptions:
    """Which way a source goes."""

    pivots: tuple[str, ...] = ("fr",)
    """Languages by way of which it goes, as the models' names write them; each gives candidates."""
    language: str = "en"
    """The sources' own language."""
    wordings: int = 2
    """Translations into each pivot that are translated back."""
    models: str = "opus-mt-{source}-{target}"
    """How models are called, on the shelf, on the hub or as folders."""
    device: str = ""
    """Where they run, as torch calls it (`cpu`, `cuda`); without one the GPU where there is one."""
    hub: bool = False
    """Ask the model hub for models that are not on this machine."""

    def __post_init__(self) -> None:
        if not self.pivots:
            raise InputError("Back-translation needs a language to go by way of. Name one or more (--pivots).")
        if self.language in self.pivots:
            raise InputError(f"{self.language!r} is the sources' own language and no pivot. Choose other --pivots.")
        if self.wordings < 1:
            raise InputError(f"wordings is {self.wordings}, and must be 1 or more. Choose another --wordings.")
        try:
            names = {self.models.format(source=source, target=target) for source in "ab" for target in "cd"}
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            names = set()
        if len(names) < 4:
            raise InputError(f"{self.models!r} does not say where the languages stand: {{source}} and {{target}}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslatedCorpusOptions:
    """What a pair of a sentence and a translation must be to be kept."""

    translations: int = 1
    """Translations of each foreign sentence; each makes a pair."""
    fewest_words: int = 5
    """Shorter sentences are left out as `too_short`, on either side."""
    most_words: int = 40
    """Longer sentences are left out as `too_long`, on either side."""
    length_ratio: float = 1.75
    """Pairs one side of which has more than so many times the words of the other are left out as `lengths_differ`."""
    most_overlap: float = 0.7
    """Pairs that share more of their trigrams are left out as `overlaps`; copies are always left out."""
    lowest_score: float = -2.0
    """Translations with a lower log-probability for each token are left out as `poor_translation`."""
    seed: int = 1
    """Where chance begins, for a translator that draws."""

    def __post_init__(self) -> None:
        if self.translations < 1 or self.fewest_words < 0 or self.most_words < self.fewest_words:
            raise InputError(
                f"There cannot be {self.translations} translations of {self.fewest_words} to {self.most_words} words. "
                "Choose other --translations, --fewest-words or --most-words."
            )
        if not (self.length_ratio >= 1 and 0 <= self.most_overlap <= 1):
            raise InputError(
                f"length_ratio is {self.length_ratio} and must be 1 or more; most_overlap is {self.most_overlap} and "
                "must be from 0 to 1. Choose others."
            )
