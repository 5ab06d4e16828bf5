"""Games become lessons, lessons become a generator that plays; each way of learning, stopped and gone on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from paraloom.errors import InputError, TargetTaken
from paraloom.metrics.meaning.adversarial import Answers, apt_reward
from paraloom.models.generators.loading import load_generator
from paraloom.models.language_models.adapter import read_adapter
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.adversarial import Attempt
from paraloom.pairs.adversarial_options import LessonOptions
from paraloom.workflows.generate.adversarial_attempts import attempts_table
from paraloom.workflows.generate.adversarial_options import PlayerOptions, PlayerTrainingOptions
from paraloom.workflows.generate.adversarial_player import load_player
from paraloom.workflows.generate.adversarial_training import rewards_by, train_player
from paraloom.workflows.generate.given_lessons import Given, read_pairs, read_preferences
from paraloom.workflows.table_files import write_table_file
from paraloom.workflows.train.generator_seen import read_seen
from tests.models.generators.tiny_language_models import make_tiny
from tests.models.language_models.tiny_gguf import write_tiny_llama

SAID = {
    "the storm hit the coast": ("the tempest struck the shore", "the storm hit the coast"),
    "the river rose": ("a river rose", "the town left"),
    "the storm left": ("the tempest left", "the storm left"),
    "a storm hit the town": ("a tempest struck the town", "the river rose"),
}
ROWS = (("-0.5", "1"), ("0.9", "1"))
"""As published: similarity, mutual implication. The first passes, the second is too alike."""
QUICK = PlanOptions(epochs=4, batch_size=4, learning_rates=(1e-2,), device="cpu")
SOME = LessonOptions(held_out_share=0.25)


def attempt(row: int, number: int, source: str, text: str, reward: float) -> Attempt:
    return Attempt(
        row=row,
        round=1,
        number=number,
        source=source,
        attempt=text,
        top_k=120,
        top_p=0.95,
        score=0.0,
        implication=0.9 if reward else 0.1,
        similarity=-0.5 if reward else 0.2,
        is_mutual=reward > 0,
        reward=reward,
        passes=reward > 0,
        generator="by hand",
    )


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Four sources, at each of which one attempt passed and another did not."""
    folder = tmp_path / "game"
    folder.mkdir()
    rows = [
        attempt(row, number, source, text, reward)
        for row, (source, texts) in enumerate(SAID.items(), start=1)
        for number, (text, reward) in enumerate(zip(texts, (apt_reward(True, -0.5), 0.0), strict=True), start=1)
    ]
    write_table_file(attempts_table(rows), folder / "attempts.parquet")
    made_by = {"given": 4, "generator": "by hand", "judge": "by hand", "game": {}}
    (folder / "made_by.json").write_text(json.dumps(made_by))
    return folder


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_tiny_llama(tmp_path_factory.mktemp("player") / "tiny.gguf"))


def options(start: str, **given) -> PlayerTrainingOptions:
    return PlayerTrainingOptions(start=start, **{"rank": 4, **given})


@pytest.mark.parametrize("method", ["preferred", "rejection"])
def test_what_is_learned_from_a_game_is_a_generator_that_plays(method, game: Path, llama: str, tmp_path: Path) -> None:
    trained = train_player([game], tmp_path / "better", options(llama, method=method), SOME, QUICK)
    assert (trained.learned, trained.held_out) == (3, 1)
    assert trained.curve[0]["step"] == 0
    player = load_player(PlayerOptions(generator=str(tmp_path / "better")))
    assert player.name == "better"
    assert len(player.generate(["the storm left"], 2, np.random.default_rng(1))) == 1
    assert not (tmp_path / "better" / "unfinished").exists()
    lines: list[str] = []
    again = train_player([game], tmp_path / "better", options(llama, method=method), SOME, QUICK, tell=lines.append)
    assert again == trained
    assert lines == []
    with pytest.raises(TargetTaken, match="seed"):
        train_player([game], tmp_path / "better", options(llama, method=method, seed=2), SOME, QUICK)


def test_a_training_goes_on_from_an_adapter_that_another_has_left(game: Path, llama: str, tmp_path: Path) -> None:
    first = train_player([game], tmp_path / "one", options(llama, method="rejection"), SOME, QUICK)
    start = PlayerTrainingOptions(start=str(tmp_path / "one"), method="rejection")  # with the adapter's own rank
    second = train_player([game], tmp_path / "two", start, SOME, QUICK)
    assert second.curve[0]["perplexity"] == pytest.approx(first.best["perplexity"], rel=0.02)  # stored in 8 bits
    update = read_adapter(tmp_path / "two" / "adapter.safetensors")
    assert {left.shape[1] for left, _ in update.values()} == {4}
    with pytest.raises(InputError, match="larger --rank"):
        train_player([game], tmp_path / "three", options(str(tmp_path / "one"), rank=2), SOME, QUICK)
    other = write_tiny_llama(tmp_path / "other.gguf", seed=2)
    with pytest.raises(InputError, match=r"has learned over .*tiny.gguf, and .*other.gguf has other weights"):
        train_player([game], tmp_path / "three", options(str(tmp_path / "one"), base=other), SOME, QUICK)
    t5 = make_tiny("t5", tmp_path / "t5")
    with pytest.raises(InputError, match="--start is for adapters of GGUF files"):
        train_player([game], tmp_path / "three", options(str(tmp_path / "one"), base=t5), SOME, QUICK)
    assert not (tmp_path / "three").exists()


def test_a_network_that_was_trained_is_gone_on_from_alone(game: Path, llama: str, tmp_path: Path) -> None:
    t5 = make_tiny("t5", tmp_path / "t5")
    train_player([game], tmp_path / "one", options(str(t5), method="rejection", rank=0), SOME, QUICK)
    again = options(str(tmp_path / "one"), method="rejection", rank=0)
    assert train_player([game], tmp_path / "two", again, SOME, QUICK).learned == 3
    with_base = options(str(tmp_path / "one"), base=Path(llama))
    with pytest.raises(InputError, match=r"is for an adapter, and .*one has none"):
        train_player([game], tmp_path / "three", with_base, SOME, QUICK)


def test_attempts_of_others_are_learned_from_but_none_at_a_source_of_a_test(llama: str, tmp_path: Path) -> None:
    rows = [(source, text, *row) for source, said in SAID.items() for text, row in zip(said, ROWS, strict=True)]
    files = [tmp_path / "t5-0.tsv", tmp_path / "t5-1.tsv"]
    for file, some in zip(files, (rows[:4], rows[4:]), strict=True):
        file.write_text("left out, as the authors do\t.\t0\t0\n" + "".join("\t".join(row) + "\n" for row in some))
    never = tmp_path / "test.txt"
    never.write_text("The storm left.\n")
    pattern = str(tmp_path / "t5-*.tsv")
    found = read_preferences(Given(words=[pattern], lessons=SOME, seen=read_seen([never]), judge=Judge))
    every = [*found.learned, *found.held_out]
    assert {source for source, *_ in every} == {*SAID} - {"the storm left"}
    assert {lesson[1:] for lesson in every} == {SAID[source] for source in {*SAID} - {"the storm left"}}
    assert any("2 rows are not learned from" in note for note in found.notes)
    assert any("The first line of each file" in note for note in found.notes)
    asked = options(llama, method="rejection", never=(never,))
    trained = train_player([pattern], tmp_path / "taught", asked, SOME, QUICK)
    assert (trained.learned, trained.held_out) == (2, 1)
    assert trained.notes == found.notes
    with pytest.raises(InputError, match="no file or folder of attempts"):
        train_player([str(tmp_path / "none.tsv")], tmp_path / "other", asked, SOME, QUICK)


class Judge:
    """Holds all for mutually implicative and most unlike, unless nothing was said."""

    signature = "judge"

    def answer(self, left, right) -> Answers:
        return Answers(implication=np.ones(len(right)), similarity=np.full(len(right), -1.0))


@pytest.mark.parametrize("kind", ["llama", "t5"])
def test_the_papers_loss_learns_from_pairs_and_from_what_the_network_says(
    kind: str, llama: str, tmp_path: Path
) -> None:
    start = llama if kind == "llama" else str(make_tiny("t5", tmp_path / "t5"))
    pairs = tmp_path / "pairs.tsv"
    lines = [f"{source}\t{good}\t1" for source, (good, _) in SAID.items()] + ["a river rose\tthe town left\t0"]
    pairs.write_text("left\tright\tlabel\n" + "\n".join(lines) + "\n")
    told: list[str] = []
    asked = options(start, method="rewarded")
    trained = train_player([pairs], tmp_path / "taught", asked, SOME, QUICK, judge=Judge(), tell=told.append)
    assert trained.learned + trained.held_out == 4
    earned = [float(line.split()[3]) for line in told if line.startswith("own paraphrases earned")]
    assert len(earned) == 4
    assert max(earned) == pytest.approx(apt_reward(True, -1.0), abs=1e-4)
    assert load_generator(str(tmp_path / "taught")).name == "taught"


def test_no_text_is_both_learned_from_and_held_out_though_two_files_have_it(tmp_path: Path) -> None:
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for file, numbers in zip(files, (range(40), range(20, 60)), strict=True):
        rows = [f"source {number} is here\tthis is the source {number}\n" for number in numbers]
        file.write_text("left\tright\n" + "".join(rows), encoding="utf-8")
    words = [str(file) for file in files]
    found = read_pairs(Given(words=words, lessons=LessonOptions(held_out_share=0.2), judge=Judge))
    learned, held_out = found.learned, found.held_out
    assert len(learned) + len(held_out) == 80
    assert held_out
    assert not {text for pair in learned for text in pair} & {text for pair in held_out for text in pair}


def test_a_folder_may_have_an_equals_sign_in_its_name(game: Path, tmp_path: Path) -> None:
    place = game.rename(tmp_path / "rate=0.1")
    assert read_preferences(Given(words=[str(place)], lessons=SOME, judge=Judge)).learned
    assert read_preferences(Given(words=[f"ours={place}"], lessons=SOME, judge=Judge)).learned


def test_a_paraphrase_without_a_word_earns_nothing() -> None:
    rewards = rewards_by(Judge())
    assert rewards(["a storm"] * 3, ["a gale", " ", "…"]) == [apt_reward(True, -1.0), 0.0, 0.0]


def test_a_game_in_which_nothing_was_earned_teaches_nothing(game: Path, llama: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--least-gap"):
        train_player([game], tmp_path / "out", options(llama), LessonOptions(least_gap=2.0), QUICK)
    with pytest.raises(InputError, match="played to its end"):
        train_player([tmp_path], tmp_path / "out", options(llama), SOME, QUICK)
    with pytest.raises(InputError, match="has none"):
        train_player([game], tmp_path / "out", options(llama, base=Path(llama)), SOME, QUICK)
    assert not (tmp_path / "out").exists()
