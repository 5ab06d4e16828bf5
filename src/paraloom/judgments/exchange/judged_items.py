"""What a file says was shown in, the item of the campaign out that was judged: one that is there, or a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.errors import InputError, NotFound
from paraloom.judgments.campaigns import Campaign
from paraloom.judgments.exchange.item_rows import LONGEST_ID
from paraloom.judgments.exchange.judgment_rows import Given, GivenJudgment
from paraloom.judgments.items import Item, NewItem, add_items, item_of, with_topics
from paraloom.judgments.store import schema
from paraloom.judgments.tasks import task_named


class JudgedItems:
    """The campaign's items, within one import."""

    def __init__(self, connection: Connection, campaign: Campaign, now: datetime, *, may_add: bool) -> None:
        self._connection = connection
        self._campaign = campaign
        self._now = now
        self._may_add = may_add
        self.new = 0

    def item(self, item_id: str) -> Item:
        """One that is there."""
        return item_of(self._connection, self._campaign.campaign_id, item_id)

    def judged(self, given: Given, expected: Mapping[str, Any] | None) -> Item:
        """The item that was judged; a new one where it is not there and the file says what was shown."""
        if given.item_id is not None:
            try:
                return self.item(given.item_id)
            except NotFound:
                if not self._may_add or given.content is None:
                    raise
        if given.content is None:
            raise InputError("neither an item's id nor what was shown")
        if given.item_id is not None and (len(given.item_id) > LONGEST_ID or not given.item_id.isprintable()):
            raise InputError(f"`item_id` must have at most {LONGEST_ID} characters that can be seen")
        new = NewItem(content=given.content, item_id=given.item_id, expected=expected)
        if isinstance(given, GivenJudgment):
            new = replace(
                new,
                explanation=given.explanation,
                group_id=given.group_id,
                proposed_by=given.proposed_by,
                origin=given.origin,
            )
        return self._there_or_added(with_topics(self._campaign, self._as_content(new)))

    def _there_or_added(self, new: NewItem) -> Item:
        """An item without an id is known by its content."""
        item_id = self._known(new) if new.item_id is None else None
        if item_id is None:
            if not self._may_add:
                raise InputError("the campaign has no such item")
            self.new += self._add(new)
            item_id = new.item_id or self._known(new)
        assert item_id is not None
        return self.item(item_id)

    def _add(self, new: NewItem) -> int:
        try:
            return add_items(self._connection, self._campaign, [new], now=self._now).added
        except InputError as error:
            raise InputError(str(error).removeprefix("Item 1: ")) from None

    def _as_content(self, new: NewItem) -> NewItem:
        """Only what the kind of task shows: other tools keep all sorts of things beside it."""
        fields = _FIELDS.get(self._campaign.task)
        if fields is None:
            return new
        return replace(new, content={name: value for name, value in new.content.items() if name in fields})

    def _known(self, new: NewItem) -> str | None:
        """The id of an item with this very content."""
        content = task_named(self._campaign.task).read_content(new.content)
        table = schema.items
        found: str | None = self._connection.scalar(
            sa.select(table.c.item_id)
            .where(table.c.campaign_id == self._campaign.campaign_id, table.c.content == asdict(content))
            .limit(1)
        )
        return found


_FIELDS = {
    "pair": ("left", "right", "topic"),
    "grade": ("left", "right", "left_document", "right_document"),
    "write": ("source",),
}
"""What is shown, of kinds whose content other tools have under the same names."""
