"""Documents and their pairs in, the split of every document out: none is in two, and pairs across a cut are told.

Articles make chains: one is paired with a second, that with a third some days later, so that what hangs together may be
half of a corpus. So time cuts, and not what hangs together: an article is in the split that its date falls in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from paraloom.corpus.options import CorpusOptions
from paraloom.corpus.splits import CutDates, check_shares
from paraloom.graphs import clusters
from paraloom.tables import SPLITS, make_id

Span: TypeAlias = tuple[datetime, datetime]
"""The dates of the older and the younger document of a pair, which is lost where a cut lies between."""

MOST_CANDIDATES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """What a split is decided by."""

    work: str | None
    series: str | None
    created_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """Documents that must be in one split: versions of a work, works of a series, one article; by a name of its own."""

    name: str
    began: datetime | None


def wholes(documents: Mapping[str, Dated], pairs: Iterable[tuple[str, str]]) -> dict[str, Whole]:
    """What each document is a part of. Those that have neither a work nor a date are held together by their pairs.

    >>> day = datetime(2020, 1, 1)
    >>> alone = Dated(work=None, series=None, created_at=day)
    >>> version = Dated(work="film", series=None, created_at=None)
    >>> found = wholes({"a": alone, "b": alone, "c": version, "d": version}, [("a", "b"), ("c", "d")])
    >>> found["a"] == found["b"], found["c"] == found["d"]
    (False, True)
    """
    edges: list[tuple[str, str]] = []
    for document, about in documents.items():
        named = [
            f"{kind} {name}" for kind, name in (("series", about.series), ("work", about.work)) if name is not None
        ]
        edges += [(f"~{document}", name) for name in named or [f"~{document}"]]  # a name is smaller, so it names them
    loose = {
        document for document, about in documents.items() if about == Dated(work=None, series=None, created_at=None)
    }
    edges += [(f"~{left}", f"~{right}") for left, right in pairs if left in loose and right in loose]
    of = clusters(edges)
    began: dict[str, datetime] = {}
    for document, about in documents.items():
        if about.created_at is not None:
            name = of[f"~{document}"]
            began[name] = min(began.get(name, about.created_at), about.created_at)
    return {
        document: Whole(name=make_id("whole", name), began=began.get(name))
        for document in documents
        if (name := of[f"~{document}"])
    }


def split_of_pair(left: str, right: str) -> tuple[str, bool]:
    """The split of a pair of documents that are in these splits, the earlier one, and whether it lies across a cut.

    >>> split_of_pair("dev", "dev"), split_of_pair("dev", "train")
    (('dev', False), ('train', True))
    """
    return min(left, right, key=SPLITS.index), left != right


def draw_cuts_of_spans(spans: Mapping[Span, int], options: CorpusOptions) -> CutDates:
    """Cut dates that give the pairs at hand the wanted shares, and cut through few of them.

    Spans are counted by their pairs. What is paid for a share is how far it is from the wanted one, and for pairs that
    a cut goes through their share of all. So what hangs together too closely in time is not cut at all: it is for
    training.
    """
    import numpy as np

    check_shares(options)
    shares = {"train_share": options.train_share, "dev_share": options.dev_share}
    if not spans:
        return CutDates(dev_from=None, test_from=None, **shares)
    dates = _candidates(spans)
    counts = np.zeros((len(dates) + 1, len(dates) + 1))
    for (older, younger), count in spans.items():
        counts[bisect_right(dates, older), bisect_right(dates, younger)] += count
    sums = counts.cumsum(0).cumsum(1)  # by cut, how many have both dates before the one and the other
    every = sums[-1, -1]
    first, second = np.triu_indices(len(dates))
    train = sums[-1, first]
    dev = sums[-1, second] - sums[first, second]
    test = every - sums[second, -1]
    kept = np.maximum(train + dev + test, 1)
    wanted = (options.train_share, options.dev_share, 1 - options.train_share - options.dev_share)
    apart = sum(abs(got / kept - share) for got, share in zip((train, dev, test), wanted, strict=True))
    paid = np.round(apart + 1 - kept / every, 9)
    best = min(np.flatnonzero(paid == paid.min()), key=lambda place: (-first[place], second[place]))
    return CutDates(dev_from=dates[first[best]], test_from=dates[second[best]], **shares)


def _candidates(spans: Mapping[Span, int]) -> list[datetime]:
    """Dates that a cut may be at: all there are, or of many some that have as many pairs between them, and the end."""
    counted = Counter[datetime]()
    for span, count in spans.items():
        for date in span:
            counted[date] += count
    step = sum(counted.values()) / MOST_CANDIDATES
    found, passed, due = [], 0, 0.0
    for date in sorted(counted):
        if len(counted) <= MOST_CANDIDATES or passed >= due:
            found.append(date)
            due = passed + step
        passed += counted[date]
    return [*found, max(counted) + timedelta(microseconds=1)]  # a cut behind the last leaves nothing for what follows
