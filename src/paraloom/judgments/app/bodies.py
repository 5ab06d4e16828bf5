"""What programs send and get, as OpenAPI tells it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, Field

from paraloom.judgments.answers import GivenAnswer
from paraloom.judgments.client_ids import LONGEST, SHORTEST
from paraloom.judgments.decide import MOST_NOTE
from paraloom.judgments.people import Role

CampaignName = Annotated[str, Path(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$", description="A campaign's name.")]
ItemName = Annotated[str, Path(max_length=64, description="An item's id.")]
Holding = Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=20)]
ClientId = Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST, pattern=r"^[\x21-\x7e]+$")]
Short = Annotated[str, Field(min_length=1, max_length=300)]


class Body(BaseModel, extra="forbid"):
    """A misspelled field is refused rather than passed over."""


class Wanted(Body):
    """Which items the asker has already."""

    holding: Holding = []


class SentAnswer(Body):
    """An answer to an item that was handed out."""

    item_id: str = Field(max_length=64)
    answer: dict[str, Any]
    client_id: ClientId
    """Drawn anew for each answer; sent again with the same one it is not a second answer."""
    instructions_version: int = Field(ge=1, le=1_000_000)
    seconds: float | None = Field(default=None, ge=0, le=86_400, allow_inf_nan=False)
    holding: Holding | None = None
    """Give it, be it empty, to get the next item with the acknowledgement."""

    def given(self) -> GivenAnswer:
        """What is to be stored of it."""
        return GivenAnswer(
            item_id=self.item_id,
            answer=self.answer,
            client_id=self.client_id,
            instructions_version=self.instructions_version,
            seconds=self.seconds,
        )


class SentText(Body):
    """A text to check in the game."""

    text: str = Field(max_length=20_000)
    client_id: ClientId | None = None


class SentNote(Body):
    """Something to say about an item."""

    item_id: str = Field(max_length=64)
    text: str = Field(min_length=1, max_length=MOST_NOTE)
    client_id: ClientId
    """Drawn anew for each note; sent again with the same one it is not a second note."""


class NewCampaign(Body):
    """A campaign to make."""

    task: str = Field(max_length=20)
    title: Short
    campaign_id: str | None = Field(default=None, max_length=63)
    settings: dict[str, Any] = {}
    instructions: str | None = Field(default=None, max_length=100_000)


class ChangedCampaign(Body):
    """What to change of a campaign."""

    state: str | None = Field(default=None, max_length=20)
    settings: dict[str, Any] | None = None


class SentItem(Body):
    """Something to judge."""

    content: dict[str, Any]
    item_id: str | None = Field(default=None, min_length=1, max_length=64, pattern=r"^[\w.:-]+$")
    expected: dict[str, Any] | None = None
    explanation: str | None = Field(default=None, max_length=20_000)
    group_id: str | None = Field(default=None, max_length=64)
    proposed_by: str | None = Field(default=None, max_length=200)


class SentItems(Body):
    """Items to add; all of them or, if one is wrong, none."""

    items: list[SentItem] = Field(min_length=1, max_length=10_000)


class SentInstructions(Body):
    """A new version of the instructions."""

    text: str = Field(min_length=1, max_length=100_000)
    change: str = Field(default="", max_length=2000)


class NewPerson(Body):
    """Somebody, or a program, that works by token alone."""

    name: Short
    role: Role = "annotator"


class ChangedPerson(Body):
    """What to change of somebody."""

    blocked: bool
    """Blocked, somebody's sessions and tokens end for good; what they answered stays."""


class NewToken(Body):
    """What a token is for."""

    name: Short = "token"


class Me(BaseModel):
    """Who asks."""

    person_id: str
    name: str | None
    role: str


class CampaignTold(BaseModel):
    """A campaign and how far it is."""

    campaign_id: str
    task: str
    title: str
    state: str
    instructions_version: int
    created_at: datetime
    settings: dict[str, Any]
    items: int
    complete: int
    judgments: int
    wanted: int


class ErrorTold(BaseModel):
    """What is wrong, and what to do."""

    error: str
