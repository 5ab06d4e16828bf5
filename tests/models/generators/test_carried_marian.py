"""A Marian model fetched from a pickle is the same model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError
from paraloom.models.generators.carried_marian import PICKLE, SHARED, WEIGHTS, convert
from paraloom.models.generators.transformers_lm import TransformersGenerator
from paraloom.models.generators.transformers_options import TransformersOptions
from tests.models.generators.tiny_language_models import make_tiny


def pickled(folder: Path, **changed) -> Path:
    """The folder with its weights as torch wrote them before version 1.6, and the shared table under all its names."""
    import torch
    from safetensors.torch import load_file

    tensors = load_file(folder / WEIGHTS)
    copies = dict.fromkeys(("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight"), tensors[SHARED])
    torch.save(tensors | copies | changed, folder / PICKLE, _use_new_zipfile_serialization=False)
    (folder / WEIGHTS).unlink()
    return folder


def written(folder: Path):
    generator = TransformersGenerator(folder, TransformersOptions(device="cpu"))
    return generator.generate(["a storm hit the coast"], 3, np.random.default_rng(1))


def test_the_converted_model_writes_what_the_model_wrote(tmp_path: Path) -> None:
    folder = make_tiny("marian", tmp_path / "marian")
    before = written(folder)
    convert(pickled(folder))
    assert not (folder / PICKLE).exists()
    assert written(folder) == before != [[]]


def test_tables_that_are_not_shared_are_refused(tmp_path: Path) -> None:
    import torch

    folder = make_tiny("marian", tmp_path / "marian")
    with pytest.raises(InputError, match="another table as lm_head"):
        convert(pickled(folder, **{"lm_head.weight": torch.zeros(3, 3)}))


def test_another_model_is_refused(tmp_path: Path) -> None:
    import torch

    torch.save({"a": torch.zeros(2)}, tmp_path / PICKLE, _use_new_zipfile_serialization=False)
    with pytest.raises(InputError, match="does not hold the weights of a Marian model"):
        convert(tmp_path)
