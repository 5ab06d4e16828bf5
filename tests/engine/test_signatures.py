"""A signature tells one way of making a table from every other, and says in words what differs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paraloom
from paraloom.engine import signatures
from paraloom.engine.signatures import MadeBy, hash_of_file, hash_of_source, plain_options
from paraloom.workflows.build import BuildOptions

BASE = MadeBy(
    step="labels",
    options={"threshold": 0.5, "identifier": "ngram-regression"},
    inputs={"pairs": "aa", "input/0/posts.jsonl": "bb"},
    weights={"ngram_regression.json": "cc"},
    source="dd",
    paraloom="0.1.0",
    buckets=4,
)

CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"options": {"threshold": 0.6, "identifier": "ngram-regression"}}, "options.threshold was 0.5, is 0.6"),
    ({"options": {"threshold": 0.5}}, "options.identifier was 'ngram-regression', is None"),
    ({"inputs": {"pairs": "ab", "input/0/posts.jsonl": "bb"}}, "inputs.pairs was 'aa', is 'ab'"),
    ({"inputs": {"pairs": "aa", "input/0/posts.jsonl": "b0"}}, "inputs.input/0/posts.jsonl was 'bb', is 'b0'"),
    ({"weights": {"ngram_regression.json": "c0"}}, "weights.ngram_regression.json was 'cc', is 'c0'"),
    ({"source": "d0"}, "source was 'dd', is 'd0'"),
    ({"paraloom": "0.2.0"}, "paraloom was '0.1.0', is '0.2.0'"),
    ({"buckets": 8}, "buckets was 4, is 8"),
]


@pytest.mark.parametrize(("change", "words"), CHANGES)
def test_what_is_changed_changes_the_signature_and_is_named(change: dict[str, Any], words: str) -> None:
    changed = replace(BASE, **change)
    assert changed.signature != BASE.signature
    assert changed.differences(signatures.dataclasses.asdict(BASE)) == [words]


def test_what_is_the_same_has_the_same_signature() -> None:
    turned = replace(BASE, inputs=dict(reversed(BASE.inputs.items())))
    assert turned.signature == BASE.signature
    assert turned.differences(signatures.dataclasses.asdict(BASE)) == []


def test_a_file_that_was_added_is_named_and_not_those_that_it_moved() -> None:
    before = {f"input/{number}/{name}.srt": name for number, name in enumerate("acde")}
    after = {f"input/{number}/{name}.srt": name for number, name in enumerate("abcd")}
    changed = replace(BASE, inputs=after)
    assert changed.differences(signatures.dataclasses.asdict(replace(BASE, inputs=before))) == [
        "inputs.input/1/b.srt was None, is 'b'",
        "inputs.input/3/e.srt was 'e', is None",
    ]


@dataclass(frozen=True)
class Inner:
    when: datetime = datetime(2026, 1, 5, tzinfo=UTC)


@dataclass(frozen=True)
class Options:
    path: Path = Path("a/b")
    names: frozenset[str] = frozenset("cab")
    by: tuple[str, ...] = ("url", "trend")
    limits: dict[str, int] = field(default_factory=lambda: {"b": 1, "a": 2})
    inner: Inner = Inner()
    share: float | None = None


def test_options_become_plain_values_in_a_fixed_order() -> None:
    assert plain_options(Options()) == {
        "path": "a/b",
        "names": ["a", "b", "c"],
        "by": ["url", "trend"],
        "limits": {"a": 2, "b": 1},
        "inner": {"when": "2026-01-05T00:00:00+00:00"},
        "share": None,
    }
    assert plain_options(None) == {}


def test_every_option_of_a_build_can_stand_in_a_signature() -> None:
    assert replace(BASE, options=plain_options(BuildOptions())).signature


@given(st.binary(max_size=64), st.binary(max_size=64))
def test_files_have_the_same_hash_exactly_if_they_have_the_same_content(
    tmp_path_factory: pytest.TempPathFactory, one: bytes, other: bytes
) -> None:
    folder = tmp_path_factory.mktemp("files")
    (folder / "one").write_bytes(one)
    (folder / "other").write_bytes(other)
    assert (hash_of_file(folder / "one") == hash_of_file(folder / "other")) == (one == other)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second copy of the package, to be edited."""
    copy = tmp_path_factory.mktemp("copy") / "paraloom"
    shutil.copytree(Path(paraloom.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture
def hash_in_copy(copied: Path) -> Callable[[str], str]:
    def hashed(stage: str) -> str:
        code = f"from paraloom.engine.signatures import hash_of_source; print(hash_of_source([{stage!r}]))"
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": str(copied.parent)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    return hashed


EDITS = [
    ("pairs/rank.py", "pairs", True),
    ("pairs/rank.py", "labels", False),
    ("text/tokenise.py", "pairs", True),
    ("engine/buckets.py", "pairs", True),
    ("tables.py", "pairs", True),
    ("cli/build.py", "pairs", False),
    ("pairs/added.py", "pairs", True),
]


@pytest.mark.parametrize(("edited", "stage", "differs"), EDITS)
def test_an_edited_source_file_changes_the_hash_of_the_stages_that_use_it(
    copied: Path, hash_in_copy: Callable[[str], str], edited: str, stage: str, differs: bool
) -> None:
    file = copied / edited
    before = file.read_bytes() if file.exists() else None
    assert hash_in_copy(stage) == hash_of_source([stage])
    file.write_bytes((before or b"") + b"\n# edited\n")
    try:
        assert (hash_in_copy(stage) != hash_of_source([stage])) == differs
    finally:
        if before is None:
            file.unlink()
        else:
            file.write_bytes(before)
