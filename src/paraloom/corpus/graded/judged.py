"""What a pair is before it is released: its texts, all that was said of it, and what it must not be parted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from paraloom.metrics.identification.graded import turned

DECISION = "decision"
"""What `labelled_by` of a settled dispute begins with."""
HEARD = "heard "
"""What people that a corpus does not name begin with, among those who said something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a text stands in its document: `text[start:end]`."""

    document_id: str
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeLabel:
    """A label that was made already: votes joined, an identifier's answer, a rewrite's 4."""

    grade: str | None
    """Of left and right in this order; None where the votes were even."""
    is_paraphrase: bool | None = None
    votes_for: int | None = None
    votes: int | None = None
    labelled_by: str = ""

    @property
    def is_of_people(self) -> bool:
        """Whether anybody was asked."""
        return self.votes is not None

    @property
    def is_decision(self) -> bool:
        """Whether a dispute was settled with it."""
        return self.labelled_by.partition("|")[0] == DECISION

    @property
    def tells_of_dispute(self) -> bool:
        """Whether some said paraphrase and some did not; about flags a count of votes says nothing."""
        is_open = not self.is_decision and self.votes is not None and self.votes_for is not None
        return is_open and 0 < (self.votes_for or 0) < (self.votes or 0)

    def turned(self) -> MadeLabel:
        """The label of the same texts in the other order."""
        return self if self.grade is None else replace(self, grade=turned(self.grade))


@dataclass(slots=True, kw_only=True)
class JudgedPair:
    """A pair that may be released. Every label is that of left and right in this order."""

    pair_id: str
    left: str
    right: str
    right_id: str | None = None
    said: dict[str, str] = field(default_factory=dict)
    """By person, or by a number where nobody is named (`say`, `hear`), the label that was given."""
    decided: str | None = None
    """The label on which a dispute was settled."""
    joined: MadeLabel | None = None
    """What votes were joined to."""
    presumed: MadeLabel | None = None
    """What counts where nobody judged the pair itself."""
    links: list[str] = field(default_factory=list)
    """What it has in common with pairs that must be in the same split: documents, works, groups."""
    split: str | None = None
    source: str | None = None
    rewrite_of: str | None = None
    left_place: Place | None = None
    right_place: Place | None = None
    dropped_for: str | None = None
    """Why it was left out before."""

    @property
    def is_rewrite(self) -> bool:
        """Whether somebody rewrote another pair into this one."""
        return self.rewrite_of is not None

    @property
    def is_settled(self) -> bool:
        """Whether somebody decided about it."""
        return self.decided is not None or (self.joined is not None and self.joined.is_decision)

    def say(self, label: str, person: str | None = None) -> bool:
        """Note a label; True where the same person had given one before, which it replaces.

        The same label of somebody whom a corpus did not name is taken to be theirs.
        """
        name = str(len(self.said)) if person is None else f"person {person}"
        again = name in self.said
        if person is not None and not again:
            heard = next((one for one, said in self.said.items() if one.startswith(HEARD) and said == label), None)
            if heard is not None:
                del self.said[heard]
        self.said[name] = label
        return again

    def hear(self, labels: Iterable[str]) -> None:
        """Note what a corpus tells that people said, as far as it is not known.

        >>> pair = JudgedPair(pair_id="p", left="a", right="b")
        >>> pair.hear(["3", "4>"]), pair.hear(["3", "4>"]), pair.say("3", "ann")
        (None, None, False)
        >>> sorted(pair.said.values())
        ['3', '4>']
        """
        for label in (Counter(labels) - Counter(self.said.values())).elements():
            self.said[f"{HEARD}{len(self.said)}"] = label

    def take(self, other: JudgedPair) -> None:
        """Add what is known of the same pair, whichever way round it stands there."""
        is_turned = _words(other.left) != _words(self.left)
        self.said |= {name: turned(label) if is_turned else label for name, label in other.said.items()}
        for name in ("joined", "presumed"):
            made = getattr(other, name)
            if made is not None:
                setattr(self, name, made.turned() if is_turned else made)
        self.links += [link for link in other.links if link not in self.links]
        self.split = self.split or other.split
        self.source = self.source or other.source
        self.rewrite_of = self.rewrite_of or other.rewrite_of

    def has_texts(self, left: str, right: str) -> bool:
        """Whether these are its texts, in any order; white space tells none apart, as TSV has no other than blanks."""
        return sorted(map(_words, (left, right))) == sorted(map(_words, (self.left, self.right)))


def _words(text: str) -> list[str]:
    return text.split()
