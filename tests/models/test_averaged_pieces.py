"""The averaging model reads its authors' pickle or the converted table, to the same vectors and signature."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
import torch

from paraloom.errors import InputError
from paraloom.models.encoders import load_sentence_encoder
from paraloom.models.encoders.averaged_pieces import AveragedPieces, convert

SENTENCES = [
    "the storm hit the coast",
    "a coast in the storm",
    "did n't the rain hit the town ?",
    "rain , rain and storm",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same files as SIM's, for a handful of invented sentences."""
    folder = tmp_path_factory.mktemp("models") / "averaged"
    folder.mkdir()
    trained = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES), model_writer=trained, vocab_size=28, hard_vocab_limit=False, minloglevel=2
    )
    (folder / "sim.sp.30k.model").write_bytes(trained.getvalue())
    cut = sentencepiece.SentencePieceProcessor(model_proto=trained.getvalue())
    pieces = dict.fromkeys(piece for sentence in SENTENCES for piece in cut.encode(sentence, out_type=str))
    vocabulary = {piece: number for number, piece in enumerate(["PAD", *pieces, "UUUNKKK"])}
    torch.manual_seed(2)
    state = {"embedding.weight": torch.randn(len(vocabulary), 6)}
    saved = {"state_dict": state, "vocab_words": vocabulary, "args": None}
    torch.save(saved, folder / "sim.pt", _use_new_zipfile_serialization=False)
    return folder


def test_a_vector_is_the_mean_over_known_pieces(folder: Path) -> None:
    saved = torch.load(folder / "sim.pt", weights_only=True)
    table, number = saved["state_dict"]["embedding.weight"].numpy(), saved["vocab_words"]
    cut = sentencepiece.SentencePieceProcessor(model_file=str(folder / "sim.sp.30k.model"))
    pieces = cut.encode("did n't the storm hit 雨 ?", out_type=str)
    known = [number[piece] for piece in pieces if piece in number]
    assert len(known) < len(pieces)
    (vector,) = AveragedPieces(folder).embed(["Didn't the STORM hit 雨?"])
    np.testing.assert_allclose(vector, table[known].mean(axis=0), atol=1e-6)


def test_texts_of_which_nothing_is_known_have_no_direction(folder: Path) -> None:
    assert not AveragedPieces(folder).embed(["", "雨", " \n"]).any()
    assert AveragedPieces(folder).embed([]).shape == (0, 6)


def test_the_converted_folder_gives_the_same_vectors_and_signature(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "averaged")
    convert(tmp_path / "averaged")
    assert sorted(file.name for file in (tmp_path / "averaged").iterdir()) == [
        "model.safetensors",
        "sim.sp.30k.model",
        "vocabulary.json",
    ]
    before, after = AveragedPieces(folder), load_sentence_encoder(tmp_path / "averaged")
    np.testing.assert_array_equal(before.embed(SENTENCES), after.embed(SENTENCES))
    assert before.signature == after.signature


def test_a_folder_without_the_vectors_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "sim.sp.30k.model", tmp_path)
    with pytest.raises(InputError, match="paraloom models fetch sim"):
        AveragedPieces(tmp_path)


def test_words_whose_numbers_have_gaps_are_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "sim.sp.30k.model", tmp_path)
    saved = torch.load(folder / "sim.pt", weights_only=True)
    saved["vocab_words"]["UUUNKKK"] += 1
    torch.save(saved, tmp_path / "sim.pt", _use_new_zipfile_serialization=False)
    with pytest.raises(InputError, match="not numbered from 0 without gaps"):
        AveragedPieces(tmp_path)


def test_the_vocabulary_keeps_its_order(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "averaged")
    convert(tmp_path / "averaged")
    written = json.loads((tmp_path / "averaged" / "vocabulary.json").read_text(encoding="utf-8"))
    assert (written[0], written[-1]) == ("PAD", "UUUNKKK")
