"""How the statistical aligner learns and aligns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from paraloom.errors import InputError

Symmetrisation = Literal["intersection", "union", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and"]

Linking = Literal["likeness", "best-paths"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticalOptions:
    """How the statistical aligner learns and aligns."""

    linked_by: Linking = "likeness"
    """`likeness` links tokens that are likely enough to go together, both directions counted; `best-paths` what is
    linked by the likeliest path of each direction, symmetrised."""
    least_likeness: float = 0.2
    """So likely linked tokens are at least, where they are linked by likeness."""
    symmetrised: Symmetrisation = "grow-diag"
    """How the links of both best paths become one set; see `symmetrise.METHODS`."""
    model_one_iterations: int = 5
    """Rounds of IBM model 1, which knows no places of words."""
    hmm_iterations: int = 5
    """Rounds of the HMM, which knows how far one link lies from the one before."""
    null_probability: float = 0.7
    """How likely a word is to stand for none of the other side, before anything is known of it; .2 is usual for two
    languages. Of the longer side more are expected to."""
    largest_jump: int = 7
    """Jumps that are longer, ahead or back, share one bucket each."""
    uniform_jumps: float = 0.1
    """Share of jumps to any place, whatever the distance: the smoothing of the jump distances."""
    smoothing: float = 1.0
    """Imagined sightings of each word beside chance words; more keeps rare words from standing for anything."""
    same_word: float = 20.0
    """Imagined sightings of each word standing for itself: texts of one language share words; 0 for two languages."""
    alike_words: float = 10.0
    """The same for words alike in spelling, times their likeness; 0 takes no notice of it."""
    least_spelling: float = 0.65
    """Two words are alike in spelling from this share of letters in common, in the same order."""
    lower_case: bool = True
    """Whether words that differ in case alone are one word."""
    most_words: int = 200
    """Of a longer text the words from here on are neither learned from nor linked."""

    def __post_init__(self) -> None:
        for chosen, known in ((self.symmetrised, get_args(Symmetrisation)), (self.linked_by, get_args(Linking))):
            if chosen not in known:
                raise InputError(f"There is no way {chosen!r} to find links. Choose one of: {', '.join(known)}.")
        if self.model_one_iterations < 0 or self.hmm_iterations < 0:
            raise InputError("model_one_iterations and hmm_iterations are counts. Give 0 or more of each.")
        if not 0 < self.null_probability < 1 or not 0 < self.uniform_jumps <= 1:
            raise InputError(
                f"null_probability ({self.null_probability}) must lie between 0 and 1, uniform_jumps "
                f"({self.uniform_jumps}) above 0 and not above 1."
            )
        if self.largest_jump < 1 or self.most_words < 1:
            raise InputError("largest_jump and most_words are counts. Give at least 1 of each.")
        if self.smoothing <= 0 or not 0 <= self.alike_words <= self.same_word:
            raise InputError(
                f"smoothing must be above 0 (it is {self.smoothing}), same_word not below 0 ({self.same_word}), and "
                f"alike_words between 0 and same_word ({self.alike_words})."
            )
        if not 0 < self.least_likeness <= 1 or not 0 < self.least_spelling <= 1:
            raise InputError(
                f"least_likeness ({self.least_likeness}) and least_spelling ({self.least_spelling}) must lie above 0 "
                "and not above 1."
            )
