"""How annotators of one kind work: how often they are right, how long they think, what else they do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from paraloom.errors import InputError
from paraloom.judgments.simulate.made_up import Answer, drawn_answer, right_answer, wrong_answer

Habit = Literal["judges", "draws", "repeats"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One kind of annotator."""

    name: str
    habit: Habit = "judges"
    """`judges` is right as often as `accuracy` says; `draws` answers by chance, `repeats` always the same, both without
    looking."""
    accuracy: float = 0.92
    """Share of items answered rightly, by those who judge."""
    pace: float = 1.0
    """Thinking time, as a multiple of what the simulation is given."""
    leaves: float = 0.0
    """Share of items at which they go away for good, with the item still on lease."""
    repeats_itself: float = 0.0
    """Share of answers that are sent a second time, with the same client id, as after a lost connection."""
    changes_mind: float = 0.0
    """Share of answers that are followed by another to the same item."""

    def __post_init__(self) -> None:
        for name in ("accuracy", "leaves", "repeats_itself", "changes_mind"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"`{name}` of {self.name} is {getattr(self, name)}, but must be from 0 to 1.")
        if not 0 <= self.pace <= 1000:
            raise InputError(f"`pace` of {self.name} is {self.pace}, but must be from 0 to 1000.")

    def thinks(self, seconds: float, dice: random.Random) -> float:
        """Seconds for one item: from half of the given ones to twice as many, the given ones on average.

        >>> 0.5 <= PROFILES["careful"].thinks(1.0, random.Random(1)) <= 2.0
        True
        """
        return seconds * self.pace * dice.triangular(0.5, 2.0, 0.5)

    def answers(self, task: str, content: Mapping[str, Any], truth: Mapping[str, Any], dice: random.Random) -> Answer:
        """What this annotator says of an item.

        >>> pair, truth = {"left": "Rain.", "right": "It rains."}, {"is_paraphrase": True}
        >>> replace(PROFILES["expert"], accuracy=1.0).answers("pair", pair, truth, random.Random(1))
        {'is_paraphrase': True}
        >>> replace(PROFILES["adversary"], accuracy=0.0).answers("pair", pair, truth, random.Random(1))
        {'is_paraphrase': False}
        """
        if self.habit == "draws":
            return drawn_answer(task, content, dice)
        if self.habit == "repeats":
            return drawn_answer(task, content, random.Random(self.name))
        if dice.random() < self.accuracy:
            return right_answer(truth, dice)
        return wrong_answer(task, content, truth, dice)


PROFILES: dict[str, Profile] = {
    one.name: one
    for one in (
        Profile(name="expert", accuracy=0.98, pace=1.5),
        Profile(name="careful", accuracy=0.92),
        Profile(name="hasty", accuracy=0.8, pace=0.5),
        Profile(name="spammer", habit="draws", pace=0.5),
        Profile(name="repeater", habit="repeats", pace=0.5),
        Profile(name="adversary", accuracy=0.2),
    )
}
"""By name. Whoever needs another accuracy takes one of these and changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What is right, for every item: as it is known, else made up, the same for all annotators of a seed."""

    task: str
    known: Mapping[str, Mapping[str, Any]]
    """Item ids and their right answers."""
    seed: int = 1

    def of(self, item_id: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
        """The right answer to one item.

        >>> truth = Truth(task="pair", known={"a": {"is_paraphrase": False}})
        >>> truth.of("a", {"left": "Rain.", "right": "It rains."})
        {'is_paraphrase': False}
        """
        if item_id in self.known:
            return self.known[item_id]
        return drawn_answer(self.task, content, random.Random(f"{self.seed}:{item_id}"))


def profile_named(name: str, accuracy: float | None = None) -> Profile:
    """The profile of that name, perhaps with another accuracy."""
    if name not in PROFILES:
        raise InputError(f"There is no kind of annotator {name!r}. Choose from: {', '.join(PROFILES)}.")
    found = PROFILES[name]
    if accuracy is None:
        return found
    if found.habit != "judges":
        raise InputError(f"A {name} does not look at what is asked, so an accuracy of {accuracy} means nothing.")
    return replace(found, accuracy=accuracy)
