"""A mined run as distractors: its vectors are taken over where the embedder is the same, and only there."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paraloom.corpus.text_key import text_key
from paraloom.models.embedders import load_embedder
from paraloom.models.embedders.unit_length import unit_length
from paraloom.workflows.evaluate import distractors as distractors_module
from paraloom.workflows.evaluate import mined_runs
from paraloom.workflows.evaluate.distractors import Distractors
from paraloom.workflows.evaluate.retrieval import evaluate_retrieval
from paraloom.workflows.evaluate.retrieval_options import RetrievalOptions
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import EmbedOptions, JudgeOptions, MineOptions, SearchOptions
from paraloom.workflows.mine.vectors_step import read_coder
from tests.workflows.mine.small_runs import random_vectors

WORDS = ("storm", "coast", "harbour", "mayor", "bridge", "river", "market", "council", "school", "garden", "engine")


def said(count: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    return [f"{' '.join(draw.sample(WORDS, 5))} {number}" for number in range(count)]


PAIRS = list(zip(said(30, 1), said(30, 2), strict=True))
STRANGERS = [*said(150, 3), PAIRS[0][0], PAIRS[1][1].upper(), said(150, 3)[0] + "!"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs, strangers, two embedders, and runs of the strangers: by one of the embedders, and by one that learned."""
    folder = tmp_path_factory.mktemp("mined")
    random_vectors(folder / "drawn")
    random_vectors(folder / "other", 32)
    lines = ["left\tright\tlabel", *(f"{left}\t{right}\t{place % 2}" for place, (left, right) in enumerate(PAIRS))]
    (folder / "pairs.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "strangers.txt").write_text("\n".join(STRANGERS) + "\n", encoding="utf-8")
    for name, embedder in (("run", str(folder / "drawn")), ("learned", "characters")):
        options = MineOptions(
            embed=EmbedOptions(embedder=embedder, dims=64),
            search=SearchOptions(index="exact", neighbours=2),
            judge=JudgeOptions(identify=False),
        )
        mine([folder / "strangers.txt"], folder / name, options)
    return folder


def asked(made: Path, embedder: str, *distractors: str) -> RetrievalOptions:
    files = tuple(made / name for name in distractors)
    return RetrievalOptions(embedder=(embedder,), distractors=files, k=(1, 5, 50), resamples=10)


def ranks(options: RetrievalOptions, made: Path) -> dict[str, float]:
    (its,) = evaluate_retrieval([made / "pairs.tsv"], options).sets[0].embedders
    return {name: figure.value for name, figure in its.figures.items()}


def test_places_are_those_among_the_codes_of_the_run(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = asked(made, str(made / "drawn"), "run")
    monkeypatch.setattr(distractors_module, "AT_ONCE", 40)
    evaluation = evaluate_retrieval([made / "pairs.tsv"], options)
    (its,) = evaluation.sets[0].embedders
    coder, embedder = read_coder(made / "run" / "vectors"), load_embedder(made / "drawn")
    own = [text for pair in PAIRS for text in pair]
    keys = {text_key(text) for text in own}
    others = list({text_key(text): text for text in STRANGERS if text_key(text) not in keys}.values())
    vectors = unit_length(coder.encode(embedder.embed([*own, *others])).astype(np.float32)).astype(np.float64)
    firsts = []
    for place in range(1, len(PAIRS), 2):
        query, answer = 2 * place, 2 * place + 1
        cosines = np.floor(vectors @ vectors[query] * 1e6 + 0.5)
        cosines[query] = -2e6
        firsts.append(np.clip((5 - (cosines > cosines[answer]).sum()) / (cosines == cosines[answer]).sum(), 0, 1))
    assert its.candidates == len(own) + len(others) - 1 == 60 + 150 - 1
    assert its.figures["top-5"].value == pytest.approx(np.mean(firsts))
    assert "|codes:int8|scale:" in its.made_by
    (note,) = [note for note in evaluation.notes if "as codes" in note]
    assert note.startswith(f"{made / 'drawn'}: vectors of {made / 'run'} were taken from there")


def test_no_sentence_of_the_run_is_embedded_again(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []
    whole = mined_runs.embedder_of

    class Counting:
        def __init__(self, run: Path, name: str, *, device: str) -> None:
            self.of = whole(run, name, device=device)
            self.signature, self.dims = self.of.signature, self.of.dims

        def embed(self, texts: list[str]) -> np.ndarray:
            embedded.extend(texts)
            return self.of.embed(texts)

    monkeypatch.setattr(mined_runs, "embedder_of", Counting)
    ranks(asked(made, str(made / "drawn"), "run"), made)
    assert sorted(embedded) == sorted(text for pair in PAIRS for text in pair)


def test_codes_are_near_enough_to_vectors(made: Path) -> None:
    by_run = ranks(asked(made, str(made / "drawn"), "run"), made)
    by_file = ranks(asked(made, str(made / "drawn"), "strangers.txt"), made)
    assert by_run["average-rank"] == pytest.approx(by_file["average-rank"], abs=1.0)


OTHERS = ["other", "drawn@16"]


@pytest.mark.parametrize("embedder", OTHERS)
def test_a_run_of_another_embedder_gives_its_texts_alone(made: Path, embedder: str) -> None:
    options = asked(made, str(made / embedder), "run")
    evaluation = evaluate_retrieval([made / "pairs.tsv"], options)
    assert any("embedded in another way" in note for note in evaluation.notes)
    if "@" not in embedder:  # what has directions to learn learns them from the distractors in their order
        its = evaluation.sets[0].embedders[0]
        assert {name: one.value for name, one in its.figures.items()} == ranks(
            asked(made, str(made / embedder), "strangers.txt"), made
        )
        assert "codes" not in its.made_by


def test_what_a_run_has_learned_is_used_again_and_only_under_its_name(made: Path) -> None:
    evaluation = evaluate_retrieval([made / "pairs.tsv"], asked(made, "characters@64", "learned"))
    assert "|codes:int8|" in evaluation.sets[0].embedders[0].made_by
    assert not mined_runs.is_embedded_by(made / "learned", "ormf@64")
    assert not mined_runs.is_embedded_by(made / "learned", "characters")
    assert not mined_runs.is_embedded_by(made / "run", "no-such-embedder")


def test_runs_and_files_go_together_and_each_text_counts_once(made: Path) -> None:
    both = Distractors([made / "run", made / "strangers.txt", made / "learned"])
    texts = [text for block in both.blocks() for text in block.texts]
    assert len({text_key(text) for text in texts}) == len(texts) == both.distinct == 152
    assert both.repeated == 153 * 3 - 152
    few = Distractors([made / "run"], most=10)
    blocks = list(few.blocks())
    assert sum(len(block.texts) for block in blocks) == few.distinct == 10
    assert all(block.codes is not None and len(block.codes) == len(block.texts) for block in blocks)
    drawn = str(made / "drawn")
    assert ranks(asked(made, drawn, "run", "strangers.txt"), made) == ranks(asked(made, drawn, "run"), made)
    assert replace(few, most=0).runs == [made / "run"]
