"""The date of a group's first post in, its split out. Cut dates are drawn once, and a group keeps the split it got."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paraloom.corpus.options import CorpusOptions
from paraloom.engine.store import write_text
from paraloom.errors import InputError
from paraloom.tables import SPLITS


@dataclass(frozen=True, slots=True, kw_only=True)
class CutDates:
    """Groups that began before `dev_from` are for training, before `test_from` for development, others for testing."""

    dev_from: datetime | None
    test_from: datetime | None
    train_share: float
    dev_share: float

    def split_of(self, group_id: str, began: datetime | None) -> str:
        """The split of a group; one without a date is put by its id, in the same shares."""
        if began is None or self.dev_from is None or self.test_from is None:
            place = int(group_id[:8], 16) / 16**8
            return SPLITS[(place >= self.train_share) + (place >= self.train_share + self.dev_share)]
        return SPLITS[(began >= self.dev_from) + (began >= self.test_from)]


def check_shares(options: CorpusOptions) -> None:
    """An error where the shares cannot be."""
    if min(options.train_share, options.dev_share) < 0 or options.train_share + options.dev_share > 1 + 1e-9:
        raise InputError(
            f"The shares of train ({options.train_share}) and dev ({options.dev_share}) must be 0 or more and together "
            "at most 1. Change --train-share or --dev-share."
        )


def draw_cut_dates(began: Iterable[datetime | None], options: CorpusOptions) -> CutDates:
    """Cut dates that give the groups at hand the wanted shares."""
    check_shares(options)
    dates = sorted(date for date in began if date is not None)
    shares = {"train_share": options.train_share, "dev_share": options.dev_share}
    if not dates:
        return CutDates(dev_from=None, test_from=None, **shares)
    after = [*dates, dates[-1] + timedelta(microseconds=1)]  # a cut behind the last leaves nothing for what follows
    trained = round(len(dates) * options.train_share)
    if trained:  # a group that lies across the first cut is for training: the only group of all, for one
        trained = bisect_right(dates, dates[trained - 1])
    first_cut = after[trained]
    second_cut = max(first_cut, after[round(len(dates) * (options.train_share + options.dev_share))])
    return CutDates(dev_from=first_cut, test_from=second_cut, **shares)


def write_cut_dates(file: Path, cuts: CutDates) -> None:
    """Store the cut dates beside the tables."""
    written = {
        "dev_from": cuts.dev_from.isoformat() if cuts.dev_from else None,
        "test_from": cuts.test_from.isoformat() if cuts.test_from else None,
        "train_share": cuts.train_share,
        "dev_share": cuts.dev_share,
    }
    write_text(file, json.dumps(written, indent=2) + "\n")


def read_cut_dates(file: Path) -> CutDates:
    """The cut dates a run was given."""
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
        times = {name: _time(written[name]) for name in ("dev_from", "test_from")}
        return CutDates(**times, train_share=float(written["train_share"]), dev_share=float(written["dev_share"]))
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{file} does not hold cut dates ({error}). Delete it to have them drawn anew.") from error


def _time(written: str | None) -> datetime | None:
    """A date as a person may have put it in by hand: without a zone it is UTC."""
    if not written:
        return None
    time = datetime.fromisoformat(written)
    return time if time.tzinfo else time.replace(tzinfo=UTC)
