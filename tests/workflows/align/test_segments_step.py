"""Segments are made anew where anything they depend on has changed; an encoder nobody has is told at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from paraloom.engine import store
from paraloom.errors import InputError, TargetTaken
from paraloom.groups.alignment_options import AlignmentOptions
from paraloom.labels.options import LabelOptions
from paraloom.pairs.extract_options import ExtractOptions
from paraloom.workflows.align.align import align
from paraloom.workflows.align.options import AlignOptions
from paraloom.workflows.align.steps import segments_step


def options(embedder: str = "") -> AlignOptions:
    return AlignOptions(
        labels=LabelOptions(identifier="ngram-regression"),
        alignment=AlignmentOptions(least_alike=0.1),
        extract=ExtractOptions(embedder=embedder),
    )


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    (folder / "mill").mkdir()
    told = "The storm hit the coast. The old mill burned down on Monday. Nobody was hurt there."
    told_again = "A storm hit a coast. On Monday the old mill was lost to a fire. No one was harmed."
    (folder / "mill" / "one.txt").write_text(told, encoding="utf-8")
    (folder / "mill" / "other.txt").write_text(told_again, encoding="utf-8")
    return folder


def test_segments_of_changed_weights_are_other_segments(tiny_bert: Path, texts: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    encoder = tmp_path / "encoder"
    shutil.copytree(tiny_bert, encoder)
    align([texts], tmp_path / "run", options(str(encoder)), until="segments")
    align([texts], tmp_path / "run", options(str(encoder)), until="segments")
    made_by = store.read_made_by(tmp_path / "run", "segments")
    assert "model.safetensors" in made_by["weights"]
    assert {row["suggested_by"] for row in store.read_table(tmp_path / "run", "segments").to_pylist()} == {
        "in-order+encoder"
    }
    weights = load_file(encoder / "model.safetensors")
    save_file({name: 2 * value for name, value in weights.items()}, encoder / "model.safetensors", {"format": "pt"})
    with pytest.raises(TargetTaken, match="weights"):
        align([texts], tmp_path / "run", options(str(encoder)), until="segments")


def test_the_source_of_models_counts_only_where_a_model_is_used(tiny_bert: Path) -> None:
    plain, by_meaning = (segments_step(ExtractOptions(embedder=name), 0.8) for name in ("", str(tiny_bert)))
    assert (plain.stages, plain.weights) == (("pairs",), {})
    assert by_meaning.stages == ("pairs", "models")
    assert "model.safetensors" in by_meaning.weights


def test_an_encoder_that_nobody_has_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no folder /nowhere/at/all"):
        align([tmp_path / "no-such-file.txt"], tmp_path / "run", options("/nowhere/at/all"))
    assert not (tmp_path / "run").exists()
