"""Numbers in, pairs to judge out: every service is given the same ones."""

from __future__ import annotations

from dataclasses import dataclass

ANSWERS = ("yes", "no")

SUBJECTS = ("a storm", "the mayor", "our bus", "that singer", "the new phone", "a river", "the keeper", "my neighbour")
VERBS = ("has reached", "will leave", "is said to like", "was late for", "could not find", "has won", "talks about")
OBJECTS = ("the coast tonight", "the old bridge", "the last match", "a quiet street", "the award", "the north of town")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts that an annotator compares."""

    id: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be judged, and by how many."""

    pairs: tuple[Pair, ...]
    judgments_each: int
    """Annotators who judge one pair; a service gives a pair to no more of them."""

    def share(self, people: int) -> int:
        """Pairs that every annotator would judge if all did the same number."""
        return len(self.pairs) * self.judgments_each // people


def made_up_work(count: int = 5_000, judgments_each: int = 5) -> Work:
    """As many pairs of short texts, all different.

    >>> made_up_work(2).pairs[1].left
    'the mayor has reached the coast tonight (1)'
    """
    return Work(
        tuple(Pair(f"pair-{number}", text(number), text(number + 3)) for number in range(count)), judgments_each
    )


def text(number: int) -> str:
    """A short text with its number in it."""
    rest, subject = divmod(number, len(SUBJECTS))
    rest, verb = divmod(rest, len(VERBS))
    return f"{SUBJECTS[subject]} {VERBS[verb]} {OBJECTS[rest % len(OBJECTS)]} ({number})"


def answer(person: int, pair: str) -> str:
    """What this person says about this pair: always the same, so that the export can be held against it."""
    return ANSWERS[(person + sum(pair.encode())) % 2]


def answer_id(person: int, pair: str, given: str) -> str:
    """Person, pair and answer as one name. A service without numbers of its own for answers can be checked with it.

    >>> answer_id(7, "pair-3", "yes")
    '7/pair-3/yes'
    """
    return f"{person}/{pair}/{given}"
