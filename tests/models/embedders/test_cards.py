"""What an embedder's card says decides where its vectors may be cut, is true of what it shares, and signs nothing."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path

import numpy as np
import pytest

from paraloom.models.embedders import EMBEDDERS, can_embed, learned, load_embedder
from paraloom.models.embedders.catalogue import SHIPPED
from paraloom.models.embedders.shared_parts import pairs_folder
from paraloom.models.embedders.static import save_static
from paraloom.models.embedders.unit_length import unit_length

ROOT = Path(__file__).resolve().parents[3]
NAMES = [name for name, embedder in EMBEDDERS.items() if embedder.is_shipped]
TEXTS = ["the storm hit the coast", "a gale struck the shore", "our mayor left the town on Monday", "nobody saw it"]


def read(folder: Path) -> dict[str, object]:
    told: dict[str, object] = json.loads((folder / "embedder.json").read_text(encoding="utf-8"))
    return told


def with_card(folder: Path, copy: Path, **changed: object) -> Path:
    """The same embedder, whose card says something else."""
    shutil.copytree(folder, copy)
    (copy / "embedder.json").write_text(json.dumps({**read(folder), **changed}), encoding="utf-8")
    return copy


CUT = [([16, 48], 16, True), ([16, 48], 20, True), ([16, 48], 15, False), ([48], 16, False), ([], 16, False)]


@pytest.mark.parametrize("system", ["static", "encoder", "transformer"])
@pytest.mark.parametrize(("sizes", "dims", "is_prefix"), CUT)
def test_a_prefix_is_taken_only_where_one_so_short_was_trained(
    system: str,
    sizes: list[int],
    dims: int,
    is_prefix: bool,
    static_folder: Path,
    encoder_folder: Path,
    tiny_transformer: Callable[[str], Path],
    tmp_path: Path,
) -> None:
    made = {"static": static_folder, "encoder": encoder_folder}
    if system == "transformer":
        plain = tmp_path / "plain"
        shutil.copytree(tiny_transformer("bert"), plain)
        width = load_embedder(plain).dims
        (plain / "embedder.json").write_text(json.dumps({"system": "transformer", "dims": width}))
        made[system] = plain
    whole = load_embedder(made[system])
    sizes = [whole.dims if size == 48 else size * whole.dims // 64 for size in sizes]
    dims = dims * whole.dims // 64
    cut = load_embedder(with_card(made[system], tmp_path / "copy", sizes=sizes), dims=dims)
    assert cut.dims == dims
    assert can_embed(cut) == is_prefix
    first = unit_length(whole.embed(TEXTS)[:, :dims])
    assert np.allclose(learned(cut, TEXTS).embed(TEXTS), first, atol=1e-6) == is_prefix


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_embedder_is_not_cut_below_the_least_size_it_was_trained_for(name: str) -> None:
    least = min(read(SHIPPED / name)["sizes"])  # type: ignore[call-overload]
    assert can_embed(load_embedder(name, dims=least))
    assert not can_embed(load_embedder(name, dims=least - 1))


def test_what_a_card_tells_people_changes_no_signature(
    static_folder: Path, encoder_folder: Path, tmp_path: Path
) -> None:
    for folder in (static_folder, encoder_folder):
        other = with_card(folder, tmp_path / folder.name, licence="another", trained_on=["news train"])
        assert load_embedder(other).signature == load_embedder(folder).signature
    fewer = with_card(encoder_folder, tmp_path / "fewer", max_tokens=16)
    assert load_embedder(fewer).signature != load_embedder(encoder_folder).signature


def test_a_table_reads_as_much_as_its_card_says(static_folder: Path, tmp_path: Path) -> None:
    short = load_embedder(with_card(static_folder, tmp_path / "short", max_tokens=2))
    assert np.array_equal(short.embed(["the storm hit the coast"]), load_embedder(static_folder).embed(["the storm"]))
    assert "|max-tokens:2|" in short.signature


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_card_is_true_of_the_parts_it_shares(name: str) -> None:
    card = read(SHIPPED / name)
    pairs = json.loads((pairs_folder() / "card.json").read_text(encoding="utf-8"))
    shared = card["shared"]
    assert isinstance(shared, dict)
    assert set(shared) == {part for part in ("tokeniser", "words") if card.get(part) == "pairs"}
    for told in shared.values():
        assert told["base"] == pairs["base"]
    if card.get("words") == "pairs":
        for what in ("trained_on", "chosen_on"):
            assert shared["words"][what] == pairs[what]
            assert set(pairs[what]) <= set(card[what])  # type: ignore[call-overload]
        assert "gte-small (MIT)" in str(card["base"])


def test_a_card_that_is_written_tells_of_the_parts_it_shares(shipped_tokeniser: Path, tmp_path: Path) -> None:
    vectors = np.ones((17_000, 4), np.float32)
    save_static(tmp_path / "shared", vectors, None)
    save_static(tmp_path / "own", vectors, shipped_tokeniser)
    told = read(tmp_path / "shared")["shared"]
    assert isinstance(told, dict)
    assert "gte-small" in told["tokeniser"]["base"]
    assert "shared" not in read(tmp_path / "own")


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_card_names_the_commit_that_has_its_recipe(name: str) -> None:
    card = read(SHIPPED / name)
    commit, recipe = str(card["recipe_commit"]), str(card["recipe"])
    assert len(commit) == 40
    if subprocess.run(["git", "-C", ROOT, "cat-file", "-e", f"{commit}^{{tree}}"], capture_output=True).returncode:
        pytest.skip("the history is not here")
    listed = ["git", "-C", ROOT, "ls-tree", "--name-only", commit, f"{recipe}/"]
    files = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    whole = blake2b(digest_size=8)
    for file in sorted(file for file in files if file.endswith(".py")):
        shown = ["git", "-C", ROOT, "show", f"{commit}:{file}"]
        whole.update(subprocess.run(shown, capture_output=True, check=True).stdout)
    assert whole.hexdigest() == card["recipe_hash"]
