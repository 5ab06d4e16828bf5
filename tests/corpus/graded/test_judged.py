"""What is known of a pair in several places comes together, whichever way round it stands there."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from paraloom.corpus.graded.judged import JudgedPair, MadeLabel


def told_elsewhere() -> JudgedPair:
    return JudgedPair(
        pair_id="p",
        left="a gale\nraged",
        right="it blew",
        said={"person ann": "4<", "0": "3"},
        joined=MadeLabel(grade="4<s", votes=2),
        presumed=MadeLabel(grade=None, is_paraphrase=True),
        links=["group storms", "document b"],
        split="dev",
        source="subtitle",
        rewrite_of="q",
    )


def test_what_a_file_tells_of_a_pair_is_turned_to_the_pairs_own_order() -> None:
    pair = JudgedPair(pair_id="p", left="it blew", right="a gale raged", links=["document b"])
    assert pair.has_texts("a gale\nraged", "it  blew")
    pair.take(told_elsewhere())
    assert pair.said == {"person ann": "4>", "0": "3"}
    assert pair.joined is not None
    assert (pair.joined.grade, pair.joined.votes) == ("4>s", 2)
    assert pair.presumed == MadeLabel(grade=None, is_paraphrase=True)
    assert pair.links == ["document b", "group storms"]
    assert (pair.split, pair.source, pair.rewrite_of) == ("dev", "subtitle", "q")
    assert (pair.left, pair.right) == ("it blew", "a gale raged")


def test_what_is_known_already_stays() -> None:
    known = {"split": "test", "source": "article", "rewrite_of": "r"}
    pair = JudgedPair(pair_id="p", left="a gale raged", right="it blew", **known)
    pair.take(told_elsewhere())
    assert {name: asdict(pair)[name] for name in known} == known
    assert pair.said == {"person ann": "4<", "0": "3"}
    assert pair.joined == MadeLabel(grade="4<s", votes=2)


@pytest.mark.parametrize("texts", [("it blew", "it blew"), ("it blew", "a gale"), ("It blew", "a gale raged")])
def test_other_texts_are_another_pair(texts: tuple[str, str]) -> None:
    assert not JudgedPair(pair_id="p", left="it blew", right="a gale raged").has_texts(*texts)


def test_whoever_is_not_named_is_told_apart_from_everybody() -> None:
    pair = JudgedPair(pair_id="p", left="a", right="b")
    pair.hear(["4", "3"])
    assert not pair.say("4", "ann")
    assert not pair.say("2")
    pair.hear(["3", "3"])
    assert not pair.say("4", "bo")
    assert not pair.say("2")
    assert sorted(pair.said.values()) == ["2", "2", "3", "3", "4", "4"]
