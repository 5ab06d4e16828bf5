"""NLTK's METEOR through our interface, with a WordNet of three words that is written here, and with the real one."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import nltk
import pytest
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.corpus.util import LazyCorpusLoader
from nltk.translate.meteor_score import meteor_score

from paraloom.errors import InputError
from paraloom.metrics.evaluation_set import EvaluationSet
from paraloom.metrics.meteor.nltk_meteor import NltkMeteor, why_no_nltk_meteor
from paraloom.models.shelf import find_model
from paraloom.text.tokenise import tokenise

SYNSETS = [("storm", "gale"), ("coast", "shore")]

SOURCES = ["The storm hit the coast.", "storm", "storm", "嵐が来た 😀", "a " * 2000, "Nothing alike"]
REFERENCES = [
    ["A gale hit the shore!", "The coast was hit"],
    ["gale"],
    ["gale"],
    ["嵐が 😀"],
    ["b " * 2000],
    ["Other words"],
]
OUTPUTS = ["The storms hit the shores.", "storm", "", "嵐が来た 😀", "a b " * 1000, "Nothing alike"]


def write_wordnet(folder: Path) -> None:
    """A WordNet of nouns alone, in the format of its database files."""
    folder.mkdir(parents=True)
    (folder / "lexnames").write_text("00\tnoun.Tops\t1\n")
    for part in ("noun", "verb", "adj", "adv"):
        for name in (f"index.{part}", f"data.{part}", f"{part}.exc"):
            (folder / name).write_text("")
    for name in ("cntlist.rev", "index.sense"):
        (folder / name).write_text("")
    (folder / "data.adj").write_text("  1 WordNet 0.1 Copyright none\n")
    lines, index = "", ""
    for words in SYNSETS:
        listed = " ".join(f"{word} 0" for word in words)
        offset = len(lines)
        lines += f"{offset:08d} 00 n {len(words):02x} {listed} 000 | a thing\n"
        index += "".join(f"{word} n 1 0 1 0 {offset:08d}\n" for word in words)
    (folder / "data.noun").write_text(lines)
    (folder / "index.noun").write_text("".join(sorted(index.splitlines(keepends=True))))


@pytest.fixture
def empty_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of NLTK's data, the only one, and a WordNet that has not looked there yet."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    multilingual = LazyCorpusLoader("omw-1.4", WordNetCorpusReader, None)
    monkeypatch.setattr("nltk.corpus.wordnet", LazyCorpusLoader("wordnet", WordNetCorpusReader, multilingual))
    return tmp_path


@pytest.fixture
def small_wordnet(empty_data: Path) -> Iterator[WordNetCorpusReader]:
    write_wordnet(empty_data / "corpora" / "wordnet")
    wordnet = nltk.corpus.wordnet
    yield wordnet
    wordnet.ensure_loaded()
    for opened in wordnet._data_file_map.values():  # NLTK leaves its files to the garbage collector
        opened.close()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_every_item_is_what_nltk_says(small_wordnet: WordNetCorpusReader, no_network: None) -> None:
    measured = NltkMeteor().prepare(EvaluationSet.of(SOURCES, REFERENCES))(OUTPUTS)
    expected = [
        100 * meteor_score([tokenise(text) for text in texts], tokenise(output), wordnet=small_wordnet)
        for texts, output in zip(REFERENCES, OUTPUTS, strict=True)
    ]
    assert measured.items.tolist() == pytest.approx(expected, abs=1e-12)
    assert measured.value == pytest.approx(sum(expected) / len(expected))
    assert measured.items[1:3].tolist() == [50, 0]  # a synonym matches, in one chunk of one word; nothing does not


def test_settings_reach_nltk_and_the_signature(small_wordnet: WordNetCorpusReader) -> None:
    evaluation_set = EvaluationSet.of(["storm hits"], [["hits the gale"]])
    measured = NltkMeteor(alpha=0.5, beta=1.0, gamma=0.25).prepare(evaluation_set)(["storm hits"])
    expected = meteor_score(
        [["hits", "the", "gale"]], ["storm", "hits"], wordnet=small_wordnet, alpha=0.5, beta=1.0, gamma=0.25
    )
    assert measured.value == pytest.approx(100 * expected)
    assert measured.signature == (
        f"nltk-meteor|nrefs:1|alpha:0.5|beta:1.0|gamma:0.25|case:lc|tok:paraloom|wordnet:0.1|version:{nltk.__version__}"
    )
    assert measured.name == "nltk-meteor"


def test_a_set_with_uneven_references_says_so(small_wordnet: WordNetCorpusReader) -> None:
    measured = NltkMeteor().prepare(EvaluationSet.of(SOURCES, REFERENCES))(OUTPUTS)
    assert "|nrefs:var|" in measured.signature


def test_without_wordnet_it_says_what_to_do_and_tries_no_network(empty_data: Path, no_network: None) -> None:
    assert "NLTK_DATA" in (why_no_nltk_meteor() or "")
    assert NltkMeteor().why_not() == why_no_nltk_meteor()
    with pytest.raises(InputError, match="WordNet"):
        NltkMeteor().prepare(EvaluationSet.of(["a"], [["b"]]))


def test_without_nltk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    assert "pip install nltk" in (why_no_nltk_meteor() or "")


def test_the_real_wordnet_gives_the_score_of_nltks_own_example() -> None:
    data = find_model("wordnet")
    if why_no_nltk_meteor(data) is not None:
        pytest.skip("needs: paraloom models fetch wordnet")
    output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    measured = NltkMeteor(data=data).prepare(EvaluationSet.of([output], [[reference]]))([output])
    assert measured.value == pytest.approx(69.44, abs=0.005)
