"""Options that `paraloom mine` is not given are those of the largest mined run among its files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paraloom.cli import app
from paraloom.errors import InputError
from paraloom.workflows.mine.options import EmbedOptions, SearchOptions


def run_of(folder: Path, rows: int, **embed: Any) -> str:
    """What a mined run says of how it was made."""
    folder.mkdir()
    (folder / "vectors.made_by.json").write_text(json.dumps({"rows": rows, "signature": folder.name}))
    asked = {"lines": {"max_characters": 300}, "embed": embed, "search": {"neighbours": 20, "recall": 0.9}}
    (folder / "options.json").write_text(json.dumps(asked))
    return str(folder)


def asked_for(*words: str) -> tuple[EmbedOptions, SearchOptions, int]:
    _, bound, _ = app.parse_args(["mine", *words, "--out", "out"], exit_on_error=False, print_error=False)
    given = bound.arguments
    return given.get("embed", EmbedOptions()), given.get("search", SearchOptions()), given["lines"].max_characters


def test_the_largest_run_says_what_is_left_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = run_of(tmp_path / "small", 10, embedder="characters")
    large = run_of(tmp_path / "large", 500, embedder="good", dims=64)
    embed, search, longest = asked_for("-", small, large, "more.txt", "--neighbours", "3", "--max-characters", "90")
    assert embed == EmbedOptions(embedder="good", dims=64)
    assert search == SearchOptions(neighbours=3, recall=0.9)
    assert longest == 90
    assert f"As {large} was mined: --embedder good --dims 64 --recall 0.9\n" in capsys.readouterr().err


def test_a_file_of_settings_goes_before_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_of(tmp_path / "run", 10, embedder="good", dims=64)
    (tmp_path / "paraloom.toml").write_text('[mine]\nembedder = "ormf"\n')
    monkeypatch.chdir(tmp_path)
    embed, search, longest = asked_for(run)
    assert embed == EmbedOptions(embedder="ormf", dims=64)
    assert (search.neighbours, longest) == (20, 300)


def test_an_embedder_whose_folder_is_gone_is_asked_for(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", 10, embedder=str(tmp_path / "gone"))
    with pytest.raises(InputError, match=r"was embedded with .*/gone, which is not there now\. .*--embedder FOLDER"):
        asked_for(run)
    embed, _, _ = asked_for(run, "--embedder", "fast")
    assert embed.embedder == "fast"


def test_without_a_mined_run_all_is_by_default(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("storm\n")
    embed, search, _ = asked_for(str(tmp_path / "a.txt"), "--max-characters", "7")
    assert (embed, search) == (EmbedOptions(), SearchOptions())
