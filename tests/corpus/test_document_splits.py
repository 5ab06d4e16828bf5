"""No document is in two splits: articles are cut by their dates, versions of a work stay together."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paraloom.corpus.document_splits import MOST_CANDIDATES, Dated, draw_cuts_of_spans, split_of_pair, wholes
from paraloom.corpus.options import CorpusOptions
from paraloom.errors import InputError

FIRST = datetime(2020, 1, 1, tzinfo=UTC)
ALONE = Dated(work=None, series=None, created_at=None)


def day(number: float) -> datetime:
    return FIRST + timedelta(days=number)


def article(number: float) -> Dated:
    return Dated(work=None, series=None, created_at=day(number))


def shares(documents: dict[str, Dated], pairs: list[tuple[str, str]], **options: float) -> Counter[str]:
    """How many pairs each split gets, and how many lie across."""
    of = wholes(documents, pairs)
    spans = Counter[tuple[datetime, datetime]]()
    for both in pairs:
        dates = [date for document in both if (date := of[document].began) is not None]
        spans[min(dates), max(dates)] += 1
    cuts = draw_cuts_of_spans(spans, CorpusOptions(**options))
    found: Counter[str] = Counter()
    for both in pairs:
        split, is_across = split_of_pair(*(cuts.split_of(of[document].name, of[document].began) for document in both))
        found["across" if is_across else split] += 1
    return found


def test_a_chain_of_articles_over_a_year_is_cut_where_the_shares_are_and_loses_a_pair_a_cut() -> None:
    documents = {f"{number:03}": article(number) for number in range(366)}
    names = list(documents)
    chain = list(pairwise(names))
    assert len({whole.name for whole in wholes(documents, chain).values()}) == 366
    assert shares(documents, chain) == {"train": 291, "dev": 36, "test": 36, "across": 2}


def test_cuts_go_where_nothing_is_cut_through_if_the_shares_are_about_as_near() -> None:
    events = [0, 10, 20, 30, 40, 50, 60, 70, 80.5, 90]
    documents = {f"{event:04} {hour}": article(event + hour / 24) for event in events for hour in range(4)}
    pairs = [(one, other) for one in documents for other in documents if one < other and one[:4] == other[:4]]
    assert shares(documents, pairs) == {"train": 48, "dev": 6, "test": 6}


def test_articles_that_hang_together_too_closely_are_all_for_training() -> None:
    documents = {str(number): article(number) for number in range(6)}
    pairs = [(one, other) for one in documents for other in documents if one < other]
    assert shares(documents, pairs) == {"train": 15}


@pytest.mark.parametrize(("train", "dev", "split"), [(1.0, 0.0, "train"), (0.0, 1.0, "dev"), (0.0, 0.0, "test")])
def test_all_can_be_for_one_thing(train: float, dev: float, split: str) -> None:
    documents = {str(number): article(number) for number in range(4)}
    pairs = [("0", "1"), ("1", "2"), ("2", "3")]
    assert shares(documents, pairs, train_share=train, dev_share=dev) == {split: 3}


def test_many_dates_are_cut_as_well_as_few() -> None:
    count = 20 * MOST_CANDIDATES
    spans = {(day(number), day(number + 0.5)): 1 for number in range(count)}
    cuts = draw_cuts_of_spans(spans, CorpusOptions())
    assert cuts.dev_from is not None
    assert cuts.test_from is not None
    assert (cuts.dev_from - FIRST).days / count == pytest.approx(0.8, abs=0.005)
    assert (cuts.test_from - FIRST).days / count == pytest.approx(0.9, abs=0.005)


def test_versions_of_a_work_and_works_of_a_series_are_one_whole_whatever_is_added() -> None:
    episode = {f"e{number}": Dated(work=f"e{number // 2}", series="s", created_at=None) for number in range(4)}
    film = {f"f{number}": Dated(work="film", series=None, created_at=day(number)) for number in range(2)}
    of = wholes({**episode, **film}, [("e0", "e1"), ("f0", "f1")])
    assert len({of[name] for name in episode}) == 1
    assert of["f0"] == of["f1"] != of["e0"]
    assert (of["e0"].began, of["f1"].began) == (None, FIRST)
    later = wholes({"0": Dated(work="e9", series="s", created_at=None), **episode, **film}, [])
    assert later["0"].name == of["e0"].name


def test_what_has_neither_work_nor_date_is_held_together_by_its_pairs() -> None:
    of = wholes({"a": ALONE, "b": ALONE, "c": ALONE, "d": article(1)}, [("a", "b"), ("c", "d")])
    assert of["a"] == of["b"]
    assert len({of[name].name for name in "acd"}) == 3


def test_shares_that_make_no_whole_are_refused() -> None:
    with pytest.raises(InputError, match="--train-share"):
        draw_cuts_of_spans({(FIRST, FIRST): 1}, CorpusOptions(train_share=0.9, dev_share=0.2))


named = st.one_of(st.none(), st.sampled_from(["x", "y", "work x", "~a"]))
dated = st.one_of(st.none(), st.integers(0, 30).map(day))
about = st.builds(lambda work, series, time: Dated(work=work, series=series, created_at=time), named, named, dated)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(st.sampled_from("abcdefghij"), about, min_size=2), st.data())
def test_a_document_has_one_split_and_order_does_not_show(documents: dict[str, Dated], data: st.DataObject) -> None:
    one = st.sampled_from(sorted(documents))
    pairs = data.draw(st.lists(st.tuples(one, one).filter(lambda both: both[0] != both[1]), max_size=15))
    of = wholes(documents, pairs)
    assert of == wholes(dict(reversed(documents.items())), pairs[::-1])
    for name, about in documents.items():
        for other, also in documents.items():
            if about.series is not None and about.series == also.series:
                assert of[name] == of[other]
            if about.work is not None and about.work == also.work:
                assert of[name] == of[other]
    spans = Counter((min(both), max(both)) for both in _dates(of, pairs))
    cuts = draw_cuts_of_spans(spans, CorpusOptions())
    if spans:
        assert cuts.dev_from is not None
        assert cuts.test_from is not None
        assert cuts.dev_from <= cuts.test_from


def _dates(of, pairs):
    for left, right in pairs:
        if of[left].began and of[right].began:
            yield of[left].began, of[right].began
