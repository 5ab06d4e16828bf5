"""Test questions in, how they were answered out: one that good people get wrong is a bad question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection

from paraloom.judgments.store import schema

ENOUGH = 4
"""Answers before a question is called doubtful."""
DOUBTFUL = 0.6
"""Share of right answers below which a question is worth a look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFigures:
    """One test question."""

    item_id: str
    content: Mapping[str, Any]
    expected: Mapping[str, Any]
    explanation: str | None
    is_closed: bool
    """Not asked any more."""
    answered: int
    """First answers of people."""
    right: int

    @property
    def share(self) -> float | None:
        """Of right answers."""
        return self.right / self.answered if self.answered else None

    @property
    def is_doubtful(self) -> bool:
        """Whether so many got it wrong that the question may be."""
        return self.share is not None and self.answered >= ENOUGH and self.share < DOUBTFUL


def question_figures(connection: Connection, campaign_id: str) -> list[QuestionFigures]:
    """Every test question, the one most often answered wrongly first, those never asked last."""
    items, said = schema.items, schema.judgments
    answers = (
        sa.select(
            said.c.item_id,
            sa.func.count().label("answered"),
            sa.func.count().filter(said.c.is_right).label("right"),
        )
        .where(said.c.campaign_id == campaign_id, said.c.is_test, said.c.replaces.is_(None))
        .group_by(said.c.item_id)
        .subquery()
    )
    rows = connection.execute(
        sa.select(
            items.c.item_id,
            items.c.content,
            items.c.expected,
            items.c.explanation,
            items.c.is_closed,
            sa.func.coalesce(answers.c.answered, 0).label("answered"),
            sa.func.coalesce(answers.c.right, 0).label("right"),
        )
        .join(answers, answers.c.item_id == items.c.item_id, isouter=True)
        .where(items.c.campaign_id == campaign_id, items.c.is_test)
        .order_by(items.c.position)
    )
    found = [QuestionFigures(**row._mapping) for row in rows]
    return sorted(found, key=lambda one: (one.share is None, one.share or 0.0, -one.answered))
