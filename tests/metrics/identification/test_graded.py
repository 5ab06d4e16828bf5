"""The one grammar of graded labels: they are taken apart, turned and collapsed."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.errors import InputError
from paraloom.metrics.identification.graded import (
    SCHEMES,
    Grade,
    collapse,
    is_label,
    is_paraphrase,
    read_grade,
    read_label,
    turned,
    written,
)

GRADES = ["1", "2", "3", "4", "4<", "4>", "4i", "4s", "4is", "4<i", "4>i", "4<s", "4>s", "4<is", "4>is"]
LABELS = [*GRADES, "x"]
ANY = st.sampled_from(LABELS)


@pytest.mark.parametrize("label", GRADES)
def test_a_label_read_is_written_the_same(label: str) -> None:
    assert read_grade(label).label == label
    assert {written(label[0] + "".join(flags)) for flags in itertools.permutations(label[1:])} == {label}


def test_flags_may_stand_in_any_order() -> None:
    assert read_grade(" 4si< ") == Grade(base="4", direction="<", minor=True, style=True)


NO_LABELS = ["", "5", "0", "4<>", "4ii", "3>", "3>s", "2s", "44", "4 s", "4x", "xx", "x4", "four"]


@pytest.mark.parametrize("label", [*NO_LABELS, "x"])
def test_what_is_no_grade_is_refused(label: str) -> None:
    with pytest.raises(InputError, match="is no graded label"):
        read_grade(label)


@pytest.mark.parametrize("label", NO_LABELS)
def test_what_is_no_label_is_refused_by_everything_that_reads_one(label: str) -> None:
    assert not is_label(label)
    for read in (read_label, written, turned, is_paraphrase, lambda one: collapse(one, "base")):
        with pytest.raises(InputError, match="is no graded label"):
            read(label)


def test_a_skipped_pair_has_a_label_and_no_grade() -> None:
    assert read_label(" X ") is None
    assert is_label("X")
    assert (written("X"), turned(" x"), is_paraphrase("X")) == ("x", "x", None)
    assert {collapse("X", scheme) for scheme in SCHEMES} == {"x"}


@pytest.mark.parametrize(
    ("label", "other"), [("4>s", "4<s"), ("4<", "4>"), ("4<is", "4>is"), ("4is", "4is"), ("3", "3"), ("x", "x")]
)
def test_the_direction_alone_is_turned(label: str, other: str) -> None:
    assert turned(label) == other


@given(label=ANY, scheme=st.sampled_from(list(SCHEMES)))
def test_turning_twice_changes_nothing_and_turning_never_changes_what_is_no_direction(label: str, scheme: str) -> None:
    assert turned(turned(label)) == label
    assert is_paraphrase(turned(label)) is is_paraphrase(label)
    if scheme in ("base", "binary"):
        assert collapse(turned(label), scheme) == collapse(label, scheme)
    else:
        assert collapse(turned(label), scheme) == turned(collapse(label, scheme))


COLLAPSED = [
    ("4>is", ("4>is", "4>", "4", "1")),
    ("4s", ("4s", "4", "4", "1")),
    ("3", ("3", "3", "3", "1")),
    ("2", ("2", "2", "2", "0")),
    ("1", ("1", "1", "1", "0")),
    ("x", ("x", "x", "x", "x")),
]


@pytest.mark.parametrize(("label", "collapsed"), COLLAPSED)
def test_a_label_is_collapsed_step_by_step(label: str, collapsed: tuple[str, ...]) -> None:
    assert tuple(collapse(label, scheme) for scheme in SCHEMES) == collapsed


def test_a_scheme_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"no scheme 'half'.*full, base-and-direction, base, binary"):
        collapse("4", "half")
