"""How the adversarial paraphrasing game is played. Imports nothing heavy: the command line reads these."""

from __future__ import annotations

from dataclasses import dataclass

from paraloom.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """Rounds and attempts as Nighojkar and Licato (2021, section 3.2) have them.

    >>> [(game.top_k, game.top_p) for game in (GameOptions().round_settings(number) for number in (1, 5))]
    [(120, 0.95), (200, 0.75)]
    """

    rounds: int = 5
    """A source is tried at most so often; the first round in which an attempt passes is its last."""
    attempts: int = 10
    """Attempts of a round."""
    first_top_k: int = 120
    """Only so many of the likeliest tokens may be drawn in the first round."""
    more_top_k: int = 20
    """So many more may be drawn in each later round."""
    first_top_p: float = 0.95
    """Only the likeliest tokens that together have this share of the probability may be drawn in the first round."""
    less_top_p: float = 0.05
    """The share falls by this much with each later round."""
    temperature: float = 1.0
    """Below 1 the likely tokens are drawn more often, above 1 the unlikely ones; the paper's is 1."""
    max_words: int = 400
    """Longer sources are not played."""
    seed: int = 1
    """Of all that is drawn by chance."""

    def __post_init__(self) -> None:
        for name, least in (("rounds", 1), ("attempts", 1), ("first_top_k", 0), ("more_top_k", 0), ("max_words", 1)):
            if getattr(self, name) < least:
                raise InputError(f"{_flag(name)} is {getattr(self, name)}. Give a number from {least} on.")
        if self.temperature <= 0:
            raise InputError(f"--temperature is {self.temperature:g}. Give a number above 0.")
        if self.seed < 0:
            raise InputError(f"--seed is {self.seed}. Give a number from 0 on.")
        if not 0 < self.first_top_p <= 1 or self.less_top_p < 0:
            raise InputError(
                f"--first-top-p {self.first_top_p:g} and --less-top-p {self.less_top_p:g} give no share to draw from. "
                "Give the first between 0 and 1, the second from 0 on."
            )
        if self.round_settings(self.rounds).top_p <= 0:
            raise InputError(
                f"After {self.rounds} rounds nothing may be drawn any more. Give fewer --rounds, or a smaller "
                "--less-top-p."
            )

    def round_settings(self, number: int) -> RoundSettings:
        """What may be drawn in a round, counted from 1."""
        before = number - 1
        top_k = self.first_top_k + self.more_top_k * before if self.first_top_k else 0  # 0 is all tokens already
        return RoundSettings(number=number, top_k=top_k, top_p=round(self.first_top_p - self.less_top_p * before, 6))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSettings:
    """One round."""

    number: int
    top_k: int
    top_p: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonOptions:
    """What is learned from attempts that were played."""

    least_gap: float = 0.004
    """An attempt is preferred to another where it earns at least so much more. What passes earns .0058 or more."""
    lessons_a_source: int = 4
    """Preferences, or attempts that passed, of one source at most."""
    keep: tuple[str, ...] = ("names", "numbers")
    """What an attempt must keep of its source and must not invent to be learned from, whatever it earns: a judge can be
    deceived. `none` checks nothing."""
    held_out_share: float = 0.1
    """Share of the sources whose lessons are not learned from, to choose by."""

    def __post_init__(self) -> None:
        if self.least_gap <= 0:
            raise InputError(f"--least-gap is {self.least_gap:g}. Give a number above 0.")
        if self.lessons_a_source < 1:
            raise InputError(f"--lessons-a-source is {self.lessons_a_source}. Give a number from 1 on.")
        if not 0 < self.held_out_share < 1:
            raise InputError(f"--held-out-share is {self.held_out_share:g}. Give a share above 0 and below 1.")


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
