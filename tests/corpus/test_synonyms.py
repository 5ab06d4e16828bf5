"""Synonyms come from a file of lines, from the table of an open wordnet, or from WordNet's index."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from paraloom.corpus.synonyms import Synonyms, read_synonyms, read_wordnet
from paraloom.errors import InputError
from paraloom.models.shelf import find_model

FILES = [
    "auto, kulkuneuvo\nauto; vaunu\n",
    "auto\tkulkuneuvo\nauto\tvaunu\n",
    "# words that mean the same\n\nAuto,  Kulkuneuvo,\nauto , vaunu, pitkä matka\n",
    (
        "# Some WordNet\tfin\thttp://example.org\tCC BY\n"
        "0001-n\tfin:lemma\tauto\n0001-n\tfin:lemma\tkulkuneuvo\n0001-n\tfin:def\tjolla ajetaan\n"
        "0002-n\tlemma\tauto\n0002-n\tlemma\tvaunu\n"
    ),
]


@pytest.mark.parametrize("content", FILES)
def test_words_of_one_line_or_synset_are_synonyms_and_no_others(tmp_path: Path, content: str) -> None:
    file = tmp_path / "synonyms.txt"
    file.write_text(content, encoding="utf-8")
    synonyms = read_synonyms(file)
    assert synonyms.are_synonyms("auto", "kulkuneuvo")
    assert synonyms.are_synonyms("vaunu", "auto")
    assert not synonyms.are_synonyms("vaunu", "kulkuneuvo")
    assert not synonyms.are_synonyms("vaunu", "lentokone")
    assert synonyms.name.startswith("synonyms.txt/")


def test_expressions_of_several_words_are_left_out_and_counted() -> None:
    synonyms = Synonyms.of("mine", [["give up", "abandon", "give_in"], ["abandon", "leave"]])
    assert synonyms.left_out == 2
    assert set(synonyms.meanings) == {"abandon", "leave"}


def test_a_file_without_synonyms_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("auto\nvaunu\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"words\.txt has no line of two words or more"):
        read_synonyms(file)
    with pytest.raises(InputError, match="There is no file"):
        read_synonyms(tmp_path / "absent.txt")


def wordnet(folder: Path, **parts: str) -> Path:
    """A WordNet of some lines, as NLTK has it."""
    (folder / "corpora").mkdir()
    with zipfile.ZipFile(folder / "corpora" / "wordnet.zip", "w") as archive:
        for part in ("noun", "verb", "adj", "adv"):
            archive.writestr(f"wordnet/index.{part}", "  1 This is a licence. \n" + parts.get(part, ""))
    return folder


def test_wordnet_is_read_from_its_index(tmp_path: Path) -> None:
    nouns = "gale n 1 2 @ ~ 1 0 00000007\nstorm n 2 1 @ 2 1 00000005 00000007\nstorm_cloud n 1 0 1 0 00000007\n"
    verbs = "blow v 1 1 @ 1 1 00000007\nstorm v 1 1 @ 1 1 00000009\n"
    synonyms = read_wordnet(wordnet(tmp_path, noun=nouns, verb=verbs))
    assert synonyms.are_synonyms("storm", "gale")
    assert not synonyms.are_synonyms("gale", "blow")  # the same number, but of another part of speech
    assert synonyms.left_out == 1


def test_what_is_no_wordnet_is_refused(tmp_path: Path) -> None:
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "wordnet.zip").write_bytes(b"no archive")
    with pytest.raises(InputError, match="is no WordNet"):
        read_wordnet(tmp_path)


def test_wordnet_says_what_nltk_says() -> None:
    folder = find_model("wordnet") or pytest.skip("needs: paraloom models fetch wordnet")
    import nltk
    from nltk.corpus import wordnet as theirs

    if str(folder) not in nltk.data.path:
        nltk.data.path.append(str(folder))
    ours = read_wordnet(folder)
    draw = random.Random(1)
    words = sorted(draw.sample(sorted(ours.meanings), 300))
    for word in words:
        named = {
            lemma.lower() for synset in theirs.synsets(word) for lemma in synset.lemma_names() if "_" not in lemma
        } & set(ours.meanings)
        exact = {other for other in named if set(_synsets(theirs, word)) & set(_synsets(theirs, other))}
        assert all(ours.are_synonyms(word, other) for other in exact), word
        for other in draw.sample(words, 20):
            assert ours.are_synonyms(word, other) == bool(set(_synsets(theirs, word)) & set(_synsets(theirs, other)))


def _synsets(wordnet: object, word: str) -> list[str]:
    """Synsets that have this very word; NLTK would also look up what it may be an inflected form of."""
    index = wordnet._lemma_pos_offset_map.get(word, {})  # type: ignore[attr-defined]
    return [f"{'a' if part == 's' else part}{offset}" for part, offsets in index.items() for offset in offsets]
