"""What every route works with: the database, the pages, and the functions that other stages lend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

from paraloom.judgments.store.columns import now
from paraloom.judgments.store.database import Database
from paraloom.metrics.meaning.adversarial import ImplicationModel
from paraloom.web.assets import Assets
from paraloom.web.pages import Pages

HERE = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lent:
    """What the service takes from other stages and models; a workflow passes it in."""

    implication: Callable[[], ImplicationModel] | None = None
    """Loads the model that judges the game; None where none is at hand."""
    next_pairs: Callable[[int, int, Sequence[tuple[int, int]], int], list[tuple[int, int]]] | None = None
    """The adaptive round: sentences of a group, paraphrases found, pairs judged and a seed in, pairs of ranks out."""


@cache
def _pages() -> Pages:
    """Templates and static files are read and packed once, however many services a process has."""
    assets = Assets([HERE / "static"])
    return Pages([HERE / "templates"], assets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One running service."""

    database: Database
    lent: Lent = Lent()
    pages: Pages = field(default_factory=_pages)
    secure: bool = False
    """Reached by https, directly or through a proxy: cookies are for https alone."""
    behind_proxy: bool = False
    """A proxy in front tells the visitors' addresses (X-Forwarded-For)."""
    clock: Callable[[], datetime] = now
    games: dict[str, bool] = field(default_factory=dict)
    """Whether a campaign is a game, once known: that never changes, and every answer asks."""
    demo_key: str | None = None
    """A link key that signs in to the demonstration at once; None outside of it."""
