"""The embedders that come with the package know what means the same, need no torch, and stay small."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from paraloom.models.embedders import EMBEDDERS, load_embedder, weight_files
from paraloom.models.embedders.catalogue import SHIPPED
from paraloom.models.shelf import show_model

NAMES = [name for name, embedder in EMBEDDERS.items() if embedder.is_shipped]

SAME_IN_OTHER_WORDS = [
    ("The mayor refused to resign.", "The mayor would not step down."),
    ("Shares fell sharply on Monday.", "Stocks dropped steeply at the start of the week."),
    ("A storm struck the coast overnight.", "During the night a gale hit the shore."),
    ("The film won three awards.", "Three prizes went to the movie."),
    ("Doctors say the child is recovering.", "The kid is getting better, according to physicians."),
    ("The company will cut 500 jobs.", "The firm plans to lay off 500 workers."),
    ("He bought a used car yesterday.", "Yesterday he purchased a second-hand automobile."),
    ("Scientists discovered water on the moon.", "Researchers found lunar water."),
]


@pytest.mark.parametrize("dims", [0, 64])
@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_in_other_words_is_nearer_than_another_sentence(name: str, dims: int) -> None:
    embedder = load_embedder(name, dims=dims)
    left, right = (embedder.embed(side) for side in zip(*SAME_IN_OTHER_WORDS, strict=True))
    assert (left @ right.T).argmax(axis=1).tolist() == list(range(len(SAME_IN_OTHER_WORDS)))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_it_is_so(name: str) -> None:
    known, listed = EMBEDDERS[name], show_model(name)
    assert load_embedder(name).dims == known.dims
    assert listed.kind == "embedder"
    assert listed.megabytes == pytest.approx(known.megabytes, rel=0.05)
    assert listed.signature() == load_embedder(name).signature
    assert listed.card()["licence"] == known.licence
    assert {"embedder.json", "shipped pairs/tokenizer.json"} <= set(weight_files(name))


@pytest.mark.parametrize("name", NAMES)
def test_no_text_upsets_it(name: str) -> None:
    rows = load_embedder(name).embed(["", "雨" * 300, "x" * 1_000_000, "\ud83d", "[SEP]", "the storm " * 9_999, "𐎀"])
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((lengths == 0) | (np.abs(lengths - 1) < 1e-5))


def test_they_run_without_torch() -> None:
    names = ", ".join(repr(name) for name in NAMES)
    program = (
        "import sys; from paraloom.models.embedders import load_embedder\n"
        f"for name in ({names}): load_embedder(name).embed(['a storm'])\n"
        "print(sorted({'torch', 'transformers', 'sklearn', 'faiss'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_all_weights_of_the_package_stay_small() -> None:
    whole = sum(file.stat().st_size for file in SHIPPED.parent.rglob("*") if file.is_file())
    assert whole < 45e6
