"""Annotators' figures in, who gets which bonus out: good work is paid better (settings `bonus` and `bonus_kappa`)."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

from paraloom.judgments.figures.live import AnnotatorRow
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.standing import MILLIONTHS, money


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """One person's bonus. Amounts are millionths of the campaign's currency."""

    person_id: str
    name: str
    kappa: float | None
    compared: int
    judgments: int
    """That count, and that the bonus is for; test questions and work set aside are not among them."""
    earned: int
    bonus: int
    why_none: str | None
    """None for who gets one."""

    @property
    def total(self) -> int:
        """What is to be paid in all."""
        return self.earned + self.bonus


def bonuses(annotators: Iterable[AnnotatorRow], settings: CampaignSettings) -> list[Bonus]:
    """Everybody who answered, the largest bonus first."""
    found = []
    for row in annotators:
        why_none = _why_none(row, settings)
        found.append(
            Bonus(
                person_id=row.person.person_id,
                name=row.person.shown_name,
                kappa=row.kappa,
                compared=row.compared,
                judgments=row.counted,
                earned=row.standing.earned,
                bonus=0 if why_none else row.counted * money(settings.bonus),
                why_none=why_none,
            )
        )
    return sorted(found, key=lambda one: (-one.bonus, -(one.kappa or -2.0), one.name))


def _why_none(row: AnnotatorRow, settings: CampaignSettings) -> str | None:
    if row.standing.state == "stopped":
        return "stopped"
    if row.kappa is None or row.compared < settings.min_compared:
        return "too little to compare"
    if row.kappa < settings.bonus_kappa:
        return "kappa below the limit"
    return None if settings.bonus else "no bonus is set"


def as_csv(found: Iterable[Bonus], currency: str) -> str:
    """The list as a table for whoever pays."""
    written = io.StringIO(newline="")
    table = csv.writer(written)
    table.writerow(("person_id", "name", "kappa", "judgments", "earned", "bonus", "total", "currency"))
    for one in found:
        kappa = "" if one.kappa is None else f"{one.kappa:.4f}"
        amounts = (f"{amount / MILLIONTHS:.6f}" for amount in (one.earned, one.bonus, one.total))
        table.writerow((one.person_id, _plain(one.name), kappa, one.judgments, *amounts, _plain(currency)))
    return written.getvalue()


def _plain(name: str) -> str:
    """A text that a spreadsheet takes for a text, and not for a formula.

    >>> _plain("=HYPERLINK()"), _plain("Ann")
    ("'=HYPERLINK()", 'Ann')
    """
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name
