"""What a pair is before it is released: its texts, all that was said of it, and what it must not be parted from."""

from __future__ import annotations

from dataclasses import dataclass, field

DECISION = "decision"
"""What `labelled_by` of a settled dispute begins with."""


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


@dataclass(slots=True, kw_only=True)
class JudgedPair:
    """A pair that may be released. Every label is that of left and right in this order."""

    pair_id: str
    left: str
    right: str
    right_id: str | None = None
    said: dict[str, str] = field(default_factory=dict)
    """By person, or by a number where nobody is named, the label that was given."""
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
        """Note a label; True where the same person had given one before, which it replaces."""
        name = str(len(self.said)) if person is None else f"person {person}"
        again = name in self.said
        self.said[name] = label
        return again
