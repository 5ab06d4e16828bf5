"""Tasks of embedding and of judging are of a size that suits the work; what they make is the same whatever it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from paraloom.models.embedders.int8_encoder import Int8Encoder
from paraloom.workflows.mine import labels_step, vectors_step
from paraloom.workflows.mine.mine import index_alone, mine
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

Heard = list[tuple[str, int, int]]
pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "sentences.txt"
    file.write_text("\n".join([*TOLD[:240], "", "!!"]) + "\n")
    return file


def heard_of(file: Path, run: Path, embedder: str, stop_at: int | None = None) -> Heard:
    """What is told of a run up to its index; it is stopped when so many tasks of embedding are done."""
    heard: Heard = []

    def tell(table: str, name: str, done: int, total: int) -> None:
        if table == "vectors":
            heard.append((name, done, total))
        if (table, name, done) == ("vectors", "embedded", stop_at):
            raise KeyboardInterrupt

    index_alone([file], run, small_options(embedder), progress=tell)
    return heard


def totals(heard: Heard) -> dict[str, int]:
    return {name: total for name, _, total in heard}


def test_a_network_embeds_some_sentences_a_task_and_a_stopped_run_goes_on_with_the_rest(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digests: Callable[[Path], dict[str, str]]
) -> None:
    monkeypatch.setattr(vectors_step, "LEARNED_ON", 50)
    parts = totals(heard_of(file, tmp_path / "whole", "good"))
    assert (parts["sampled"], parts["embedded"], parts["joined"]) == (1, 2, 2)
    monkeypatch.setattr(vectors_step, "NETWORK_TEXTS", 11)
    with pytest.raises(KeyboardInterrupt):
        heard_of(file, tmp_path / "cut", "good", stop_at=5)
    heard = heard_of(file, tmp_path / "cut", "good")
    assert totals(heard)["sampled"] == 5
    assert totals(heard)["embedded"] > 240 // 11
    assert next(done for name, done, _ in heard if name == "embedded") == 5
    assert digests(tmp_path / "cut" / "vectors") == digests(tmp_path / "whole" / "vectors")


def test_a_network_embeds_no_sentence_twice(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []
    embed = Int8Encoder.embed

    def noted(self: Int8Encoder, texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return embed(self, texts)

    monkeypatch.setattr(Int8Encoder, "embed", noted)
    monkeypatch.setattr(vectors_step, "NETWORK_TEXTS", 11)
    monkeypatch.setattr(vectors_step, "LEARNED_ON", 50)
    heard_of(file, tmp_path / "run", "good")
    assert sorted(embedded) == sorted(TOLD[:240])


def test_what_is_no_network_embeds_a_part_a_task(
    file: Path, tmp_path: Path, embedder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_step, "NETWORK_TEXTS", 11)
    told = totals(heard_of(file, tmp_path / "run", embedder))
    assert (told["embedded"], told["joined"]) == (2, 0)


def test_pairs_are_judged_some_a_task(
    file: Path,
    tmp_path: Path,
    embedder: str,
    monkeypatch: pytest.MonkeyPatch,
    digests: Callable[[Path], dict[str, str]],
) -> None:
    counts = {}
    for pairs in (labels_step.JUDGED_A_TASK, 5):
        monkeypatch.setattr(labels_step, "JUDGED_A_TASK", pairs)
        heard: list[tuple[str, int]] = []
        run = tmp_path / str(pairs)
        mine(
            [file],
            run,
            small_options(embedder),
            progress=lambda table, name, _, total, to=heard: to.append((name, total)),
        )
        counts[run] = dict(heard)["identified"]
    (whole, tasks), (cut, more_tasks) = counts.items()
    assert more_tasks > 3 * tasks
    assert digests(cut / "labels") == digests(whole / "labels")
