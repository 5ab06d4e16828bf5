"""What a campaign decides, written once: the fields become flags, help, form fields and what the service obeys.

Imports nothing heavy: the command line reads these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Literal

from paraloom.errors import InputError

Definition = Literal["loose", "strict", "implication", "graded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignSettings:
    """How a campaign asks, whom, how often, and what it pays."""

    judgments_per_item: int = 6
    """So many people judge each item."""
    definition: Definition = "loose"
    """What counts as a paraphrase; the instructions' cases and examples follow it."""
    tests_every: int = 5
    """One of so many questions is a hidden test question; 0 for none."""
    qualification: int = 0
    """Test questions that a newcomer answers before any work; 0 for none."""
    min_test_accuracy: float = 0.85
    """Who does not get more than this share of the test questions right is stopped."""
    min_tests: int = 8
    """Test questions to have answered before that rule is applied."""
    doubtful_go_on: bool = False
    """Whoever may have got too few test questions right by bad luck (5 % or more) is not stopped for it yet. Without
    it, of people who are right 92 times in 100, a third is stopped at some time."""
    min_kappa: float = 0.2
    """Who does not agree with the majority of the others by more than this (Cohen's kappa) is stopped."""
    min_compared: int = 30
    """Answers to have compared with the others' before that rule is applied."""
    set_aside_stopped: bool = True
    """Work of whoever is stopped stays, marked, but no longer counts: its items go to others."""
    republish_below: float = 0.4
    """Work of people whose kappa is below this can be set aside and published again."""
    pay: float = 0.0
    """For each judgment; in the game, for a reward of 1."""
    currency: str = "USD"
    """What `pay` and `budget` are counted in."""
    budget: float | None = None
    """Nothing more is handed out once so much was earned or is under way."""
    bonus: float = 0.0
    """For each judgment of a person whose kappa reaches `bonus_kappa`, at the end."""
    bonus_kappa: float = 0.7
    """Who agrees with the others at least so far gets the bonus."""
    cap: int | None = None
    """At most so many answers of one person."""
    most_earned: float | None = None
    """A person's work ends once so much was earned ($20 in the game of Nighojkar and Licato, 2021)."""
    lease_minutes: float = 30.0
    """An item that was handed out and not answered for so long goes to someone else."""
    ends_at: datetime | None = None
    """Nothing is handed out after this moment."""
    members_only: bool = False
    """Only people who were added or invited to this campaign see it."""
    roles: tuple[str, ...] = ("annotator", "expert", "admin")
    """Who may work on it."""
    adjudicate: bool = False
    """Conflicts between the judgments of an item go to an expert, who decides."""
    show_context: bool = True
    """Show the documents around a pair."""
    show_suggestions: bool = True
    """Show what an aligner suggests."""
    show_leader_board: bool = True
    """Show everybody in the game how they stand."""
    most_checks: int = 50
    """In the game, checks of one person on one sentence."""
    topics: tuple[str, ...] = ()
    """Categories to choose from; empty for the eight of Dou et al. (2022)."""
    adaptive: bool = False
    """Open more pairs of a trend by itself when its first ones turn out to be paraphrases (Dou et al., 2022, §2.3)."""
    seed: int = 1
    """Decides where test questions stand, and the order of equals."""

    def __post_init__(self) -> None:
        for name, least, most in _BOUNDS:
            value = getattr(self, name)
            if value is not None and not least <= value <= most:
                raise InputError(f"`{name}` is {value}, but must be from {least:,} to {most:,}.")
        if unknown := [role for role in self.roles if role not in ("annotator", "expert", "admin")]:
            raise InputError(f"`roles` names {unknown[0]!r}; there are annotator, expert and admin.")
        if self.ends_at is not None and self.ends_at.tzinfo is None:
            raise InputError("`ends_at` must say its time zone, as in 2026-12-31T18:00+00:00.")
        if self.ends_at is not None and not 1970 < self.ends_at.year < 9999:  # else it is no moment in other zones
            raise InputError(f"`ends_at` is in the year {self.ends_at.year}, but must be from 1971 to 9998.")

    def as_json(self) -> dict[str, Any]:
        """Fields and values, as they are stored."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["ends_at"] = None if self.ends_at is None else self.ends_at.isoformat()
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> CampaignSettings:
        """Settings as they were stored; what was not known then has its default, what no longer is, is passed over."""
        return _DEFAULTS.changed({name: value for name, value in stored.items() if name in _NAMES})

    def changed(self, values: dict[str, Any]) -> CampaignSettings:
        """The same settings but for these values, which may come from JSON."""
        if unknown := sorted(set(values) - _NAMES):
            raise InputError(f"There is no setting {unknown[0]!r}. There are: {', '.join(sorted(_NAMES))}.")
        given = dict(values)
        for name in ("roles", "topics"):
            if isinstance(given.get(name), list):
                given[name] = tuple(given[name])
        if isinstance(given.get("ends_at"), str):
            try:
                given["ends_at"] = datetime.fromisoformat(given["ends_at"])
            except ValueError:
                raise InputError(f"`ends_at` is {given['ends_at']!r}; write it as 2026-12-31T18:00+00:00.") from None
        for name, value in given.items():
            _check_type(name, value, getattr(_DEFAULTS, name))
        return replace(self, **given)


_BOUNDS: tuple[tuple[str, float, float], ...] = (
    ("judgments_per_item", 1, 1000),
    ("tests_every", 0, 1000),
    ("qualification", 0, 1000),
    ("min_test_accuracy", 0, 1),
    ("min_tests", 1, 10_000),
    ("min_kappa", -1, 1),
    ("min_compared", 1, 1_000_000),
    ("republish_below", -1, 1),
    ("pay", 0, 1_000_000),
    ("budget", 0, 1_000_000_000),
    ("bonus", 0, 1_000_000),
    ("bonus_kappa", -1, 1),
    ("cap", 1, 100_000_000),
    ("most_earned", 0, 1_000_000_000),
    ("lease_minutes", 0.01, 100_000),
    ("most_checks", 1, 100_000),
    ("seed", -(2**53), 2**53),
)
MOST_LETTERS = 200
"""Of a text among the settings."""

_DEFAULTS = CampaignSettings()
_NAMES = frozenset(field.name for field in fields(CampaignSettings))

_OPTIONAL = {"budget": float, "cap": int, "most_earned": float, "ends_at": datetime}


_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "yes or no",
    str: "a text",
    tuple: "a list",
    datetime: "a moment, as in 2026-12-31T18:00+00:00",
}


def _check_type(name: str, value: Any, default: Any) -> None:
    expected: type = _OPTIONAL.get(name, type(default))
    if value is None and name in _OPTIONAL:
        return
    accepted: tuple[type, ...] = (int, float) if expected is float else (expected,)
    if not isinstance(value, accepted) or (isinstance(value, bool) and expected is not bool):
        raise InputError(f"`{name}` is {value!r}, but must be {_KINDS[expected]}.")
    if name == "definition" and value not in ("loose", "strict", "implication", "graded"):
        raise InputError(f"`definition` is {value!r}; there are loose, strict, implication and graded.")
    if isinstance(value, tuple) and not all(isinstance(one, str) for one in value):
        raise InputError(f"`{name}` must be a list of texts.")
    for text in value if isinstance(value, tuple) else (value,):
        if isinstance(text, str) and (len(text) > MOST_LETTERS or re.search("[\x00-\x1f\ud800-\udfff]", text)):
            raise InputError(f"`{name}` holds a text of more than {MOST_LETTERS} letters, or one that cannot be kept.")
