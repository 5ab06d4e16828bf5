"""All readers: what is there is found, what is not is told, and nothing stops on odd bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraloom.corpus.known import CORPORA, KnownCorpus, found_corpora, read_corpus
from paraloom.errors import InputError
from paraloom.models.identifiers import DEFINITIONS


@pytest.mark.parametrize("name", CORPORA)
def test_every_corpus_goes_by_its_name_and_a_known_definition(name: str) -> None:
    assert CORPORA[name].name == name
    assert CORPORA[name].definition in DEFINITIONS
    assert set(CORPORA[name].files) <= {"train", "dev", "test"}


def test_found_corpora_are_read_and_the_others_are_told_in_one_line_each(write, tmp_path: Path) -> None:
    write("multipit/expert/train.csv", ["sentence1,sentence2,label", "a,b,1"])
    write("apt/ap_h_train.tsv", ["nothing", "of the", "kind"])
    found = dict(zip(CORPORA, found_corpora(tmp_path), strict=True))
    expert = found.pop("multipit-expert")
    assert isinstance(expert, KnownCorpus)
    assert len(expert.splits["train"]) == 1
    assert all(isinstance(line, str) and line.startswith(f"{name}: ") for name, line in found.items())
    assert all("\n" not in line for line in found.values() if isinstance(line, str))
    assert "is not in the published form" in str(found["ap-h"])
    assert "train is msr_paraphrase_train.txt" in str(found["msrp"])


def test_an_unknown_corpus_or_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no corpus 'snli'.*twitter-url"):
        read_corpus("snli", tmp_path)
    with pytest.raises(InputError, match="no folder"):
        read_corpus("msrp", tmp_path / "none")


@given(name=st.sampled_from(sorted(CORPORA)), content=st.binary(max_size=400), places=st.integers(0, 9))
def test_any_bytes_give_pairs_or_an_error_of_ours(
    name: str, content: bytes, places: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("any")
    reader = CORPORA[name]
    for names in reader.files.values():
        file = folder / reader.places[places % len(reader.places)] / names[0].replace("*", "file")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    try:
        corpus = read_corpus(name, folder)
    except InputError:
        return
    assert all(len(pairs) for pairs in corpus.splits.values())
