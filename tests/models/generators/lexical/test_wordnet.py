"""WordNet's files become synonyms in all their forms; names, rare words and offensive senses do not."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from paraloom.errors import InputError
from paraloom.models.generators.lexical.wordnet import Wordnet, WordnetOptions

SYNONYMS = [
    ("village", [("hamlet", "NN")]),
    ("hamlets", [("villages", "NS")]),
    ("mended", [("patched up", "VD"), ("patched up", "VN")]),
    ("patching up", [("mending", "VG")]),
    ("cart", []),  # a dray was never met in the texts
    ("farmer", []),  # a yokel is an offence
    ("capital", []),  # Paris is a name
]


@pytest.mark.parametrize(("form", "expected"), SYNONYMS)
def test_synonyms_are_met_and_fit(wordnet_file: Path, form: str, expected: list[tuple[str, str]]) -> None:
    assert [(one.text, one.tag) for one in Wordnet(wordnet_file).thesaurus().of(form)] == expected


def test_a_word_seldom_met_is_given_for_none(wordnet_file: Path) -> None:
    strict = Wordnet(wordnet_file).thesaurus(WordnetOptions(min_count=20))
    assert not strict.of("village")
    assert [one.text for one in strict.of("hamlet")] == ["village"]


def test_glosses_and_examples_are_sentences(wordnet_file: Path) -> None:
    sentences = list(Wordnet(wordnet_file).sentences())
    assert "a person who operates a farm" in sentences
    assert "farmers rise early" in sentences


def test_the_signature_names_the_file_and_the_options(wordnet_file: Path) -> None:
    wordnet = Wordnet(wordnet_file)
    assert wordnet.thesaurus().signature.startswith("wordnet:")
    assert wordnet.thesaurus().signature != wordnet.thesaurus(WordnetOptions(min_count=20)).signature


def test_what_is_no_wordnet_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "wordnet.zip"
    with ZipFile(file, "w") as written:
        written.writestr("wordnet/data.noun", "")
    for wrong in (file, tmp_path / "none.zip"):
        with pytest.raises(InputError, match="paraloom models fetch wordnet"):
            Wordnet(wrong)
