"""Pairs become an embedder with a card: a table or a transformer, by every objective, without leaks, and resumable."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.embedders import can_embed, load_embedder
from paraloom.models.embedders.distil import pieces_of, tokeniser_of
from paraloom.models.embedders.static import save_static
from paraloom.models.embedders.unit_length import unit_length
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.training.plan import PlanOptions
from paraloom.workflows.train.embedder import train_embedder
from paraloom.workflows.train.embedder_options import TrainEmbedderOptions
from paraloom.workflows.train.embedder_sets import read_embedder_sets
from tests.forked import ForkServer, servers
from tests.workflows.interrupted import Interrupted

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
QUICK = PlanOptions(epochs=12, batch_size=64, learning_rates=(0.02,), device="cpu")
FEW_STEPS = PlanOptions(epochs=1, batch_size=64, learning_rates=(0.003,), max_tokens=32, device="cpu")
CHILD = "import sys; from paraloom.cli import main; main()"

Pairs = list[tuple[str, str]]


def language(seed: int = 1) -> list[tuple[str, str]]:
    """Words of a language that nobody speaks, two for every thing."""
    draw = random.Random(seed)
    words = list(dict.fromkeys("".join(draw.choices(SYLLABLES, k=3)) for _ in range(400)))[:200]
    return list(zip(words[::2], words[1::2], strict=True))


def sayings(number: int, seed: int = 1) -> Pairs:
    """Five things in one set of words, and again in the other, in any order."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        things = draw.sample(language(), 5)
        again = [two for _, two in things]
        draw.shuffle(again)
        found.append((" ".join(one for one, _ in things), " ".join(again)))
    return found


def written(path: Path, pairs: Sequence[tuple[object, ...]], header: str = "left\tright") -> Path:
    path.write_text(header + "\n" + "".join("\t".join(map(str, pair)) + "\n" for pair in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that knows all words and nothing of what they mean."""
    folder = tmp_path_factory.mktemp("base")
    file = folder / "words.json"
    file.write_text(tokeniser_of([word for both in language() for word in both]), encoding="utf-8")
    pieces, _ = pieces_of(file.read_text(encoding="utf-8"))
    vectors = np.random.default_rng(1).standard_normal((len(pieces), 32)).astype(np.float32)
    save_static(folder / "table", vectors, file, card={"sizes": [32]})
    return folder / "table"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("pairs") / "pairs.tsv", sayings(600))


def static(base: Path, **more: object) -> TrainEmbedderOptions:
    return TrainEmbedderOptions(base=str(base), **more)  # type: ignore[arg-type]


def test_a_table_learns_which_words_mean_the_same(pairs: Path, base: Path, tmp_path: Path) -> None:
    said: list[str] = []
    card = train_embedder([pairs], tmp_path / "out", static(base, sizes=(8, 16)), QUICK, tell=said.append)
    assert card.before["top-1"] < 0.1
    assert card.after["top-1"] > 0.9
    files = {file.name for file in (tmp_path / "out").iterdir()}
    assert files == {
        *("README.md", "embedder.json", "made_by.json", "table.safetensors", "tokenizer.json"),
        *("training.json", "training.svg"),
    }
    embedder = load_embedder(tmp_path / "out")
    assert embedder.signature == card.signature
    one, two = language()[0]
    near, far = embedder.embed([one, two, language()[1][0]])[1:] @ embedder.embed([one])[0]
    assert near > 0.5 > far
    # The first few numbers do alone, better than those of vectors that were not trained for it.
    short = load_embedder(tmp_path / "out", dims=8)
    assert short.dims == 8
    assert np.allclose(short.embed([one]) * np.linalg.norm(embedder.embed([one])[0, :8]), embedder.embed([one])[:, :8])
    whole = train_embedder([pairs], tmp_path / "whole", static(base, sizes=(32,)), QUICK)
    held_out = read_embedder_sets([pairs], static(base)).held_out
    cut = unit_length(load_embedder(tmp_path / "whole").embed(list(held_out.texts))[:, :8])
    assert card.by_size["8"]["top-1"] > held_out.figures(cut)["top-1"]
    assert not can_embed(load_embedder(tmp_path / "whole", dims=8)), "its first eight were not trained to do alone"
    assert set(card.by_size) == {"8", "16", "32"}
    assert set(whole.by_size) == {"32"}
    readme = (tmp_path / "out" / "README.md").read_text()
    assert f"`{card.signature}`" in readme
    assert "| pairs.tsv | loose | 540 | 540 | 60 | 60 |" in readme
    assert "\n\n\n" not in readme
    assert ElementTree.parse(tmp_path / "out" / "training.svg").getroot().tag.endswith("svg")
    told = json.loads((tmp_path / "out" / "training.json").read_text())
    assert told["metrics"] == card.after
    assert len(told["curve"]) == 13
    assert json.loads((tmp_path / "out" / "embedder.json").read_text())["trained_on"][0]["pairs"] == 540
    assert sum("held-out top-1" in line for line in said) == 13


def test_a_training_that_was_killed_goes_on_and_ends_with_the_same_bytes(
    pairs: Path, base: Path, tmp_path: Path, torch_forks: ForkServer
) -> None:
    words = ["train", "embedder", str(pairs), "--base", str(base), "--out", str(tmp_path / "killed"), "--epochs", "6"]
    words += ["--batch-size", "64", "--learning-rates", "0.01", "0.02", "--device", "cpu", "--hard-negatives", "2"]
    training = Interrupted(torch_forks, words)
    training.kill_when_said("held-out top-1", 4)
    assert not (tmp_path / "killed" / "training.json").exists()
    assert (tmp_path / "killed" / "unfinished" / "training" / "reached.pt").exists()
    assert "going on at learning rate 0.01, step" in training.go_on()
    plan = replace(QUICK, epochs=6, learning_rates=(0.01, 0.02))
    train_embedder([pairs], tmp_path / "whole", static(base, hard_negatives=2), plan)
    for name in ("table.safetensors", "embedder.json", "tokenizer.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_a_finished_folder_is_not_trained_again_and_another_training_is_refused(
    pairs: Path, base: Path, tmp_path: Path
) -> None:
    out, plan = tmp_path / "out", replace(QUICK, epochs=1)
    card = train_embedder([pairs], out, static(base), plan)
    said: list[str] = []
    again = train_embedder([pairs], out, static(base), plan, tell=said.append)
    assert said == []
    assert again.as_json() == card.as_json()
    assert again.as_text() == card.as_text()
    for options, complaint in [
        (static(base, seed=2), "seed was 1, is 2"),
        (static(base, temperature=0.1), "temperature was"),
        (static(base, split_seed=2), "held-out pairs was"),
    ]:
        with pytest.raises(TargetTaken, match=complaint):
            train_embedder([pairs], out, options, plan)


def test_where_training_brings_nothing_the_base_is_kept_and_the_card_says_so(base: Path, tmp_path: Path) -> None:
    same = [(f"{left} {right}", f"{right} {left}") for left, right in sayings(60)]
    card = train_embedder([written(tmp_path / "same.tsv", same)], tmp_path / "out", static(base), QUICK)
    assert card.before["top-1"] == 1
    assert card.epoch == 0
    assert any("the base is left as it was" in note for note in card.notes)
    texts = [left for left, _ in same]
    assert np.allclose(load_embedder(tmp_path / "out").embed(texts), load_embedder(base).embed(texts), atol=0.02)


def labelled(number: int) -> list[tuple[str, str, str]]:
    """Sayings, each with another that shares its words but for one thing."""
    found = []
    for left, right in sayings(number):
        words = right.split()
        found += [(left, right, "4"), (left, " ".join([*words[1:], "zz"]), "2")]
    return found


def test_grades_collapse_and_labelled_negatives_compete(base: Path, tmp_path: Path) -> None:
    file = written(tmp_path / "graded.tsv", labelled(150), "left\tright\tlabel")
    options = static(base, definition="graded", chosen_by="roc-auc")
    sets = read_embedder_sets([file], options)
    assert sets.targets.tolist() == [1.0, 0.0] * 135
    card = train_embedder([file], tmp_path / "out", options, replace(QUICK, epochs=4))
    assert "135 texts of pairs labelled as no paraphrases compete with a pair's right text." in card.notes
    assert card.after["roc-auc"] > card.before["roc-auc"]


OBJECTIVES = [("binary",), ("contrastive", "binary"), ("distil",), ("contrastive", "distil")]


@pytest.mark.parametrize("objective", OBJECTIVES, ids="+".join)
def test_every_objective_lifts_what_is_found(
    objective: tuple[str, ...], pairs: Path, base: Path, tmp_path: Path, taught: Path
) -> None:
    options = static(base, objective=objective, hard_negatives=2, teacher=str(taught) if "distil" in objective else "")
    card = train_embedder([pairs], tmp_path / "out", options, replace(QUICK, epochs=8))
    assert card.after["mrr"] > card.before["mrr"] + 0.2


@pytest.fixture(scope="module")
def taught(pairs: Path, base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An embedder that knows the language already."""
    out = tmp_path_factory.mktemp("taught") / "teacher"
    train_embedder([pairs], out, static(base), QUICK)
    return out


def test_an_identifier_teaches_by_its_scores(base: Path, tmp_path: Path) -> None:
    given = labelled(120)
    examples = Examples(
        left=[left for left, _, _ in given],
        right=[right for _, right, _ in given],
        targets=[float(label == "4") for _, _, label in given],
    )
    untrained("edit-distance").fit([examples], [examples]).save(tmp_path / "judge")
    file = written(tmp_path / "graded.tsv", given, "left\tright\tlabel")
    options = static(base, objective=("distil",), teacher=str(tmp_path / "judge"), definition="graded")
    card = train_embedder([file], tmp_path / "out", options, replace(QUICK, epochs=1))
    assert any(note.endswith("given and near ones, were judged by the teacher.") for note in card.notes)
    assert any("does not judge by the definition graded: it is asked by loose" in note for note in card.notes)
    assert json.loads((tmp_path / "out" / "made_by.json").read_text())["teacher"].startswith("edit-distance|")


def test_a_table_may_start_from_another_embedder_and_the_words_of_the_texts(
    pairs: Path, tiny_bert: Path, tmp_path: Path
) -> None:
    options = TrainEmbedderOptions(base=str(tiny_bert), pieces=600, dims=16)
    card = train_embedder([pairs], tmp_path / "out", options, QUICK)
    assert card.dims == 16
    assert card.after["top-1"] > 0.8
    pieces = json.loads((tmp_path / "out" / "tokenizer.json").read_text())["model"]["vocab"]
    assert {word for both in language() for word in both} <= set(pieces)


def test_a_table_learns_from_so_many_pieces_of_a_text_as_it_is_told(base: Path, tmp_path: Path) -> None:
    draw = random.Random(3)
    long = [tuple(f"{side} {' '.join(draw.choice(language()))}" for side in pair) for pair in doubled(sayings(120))]
    begun = [tuple(" ".join(side.split()[:8]) for side in pair) for pair in long]
    tables = {}
    for name, rows, max_tokens in (("long", long, 8), ("begun", begun, 8), ("whole", long, 64)):
        file, held_out = (written(tmp_path / f"{name}-{part}.tsv", some) for part, some in halves(rows))
        plan = replace(QUICK, epochs=1, max_tokens=max_tokens)
        card = train_embedder([file], tmp_path / name, static(base, held_out=held_out), plan)
        assert f"|max-tokens:{max_tokens}|" in card.signature
        tables[name] = (tmp_path / name / "table.safetensors").read_bytes()
    assert tables["long"] == tables["begun"] != tables["whole"]


def doubled(pairs: Pairs) -> Pairs:
    """Two sayings in one text: ten words."""
    return [(f"{one[0]} {two[0]}", f"{one[1]} {two[1]}") for one, two in zip(pairs[::2], pairs[1::2], strict=True)]


def halves(rows: Sequence[tuple[str, ...]]) -> list[tuple[str, Sequence[tuple[str, ...]]]]:
    """What is learned from, and what is held out."""
    return [("learned", rows[: len(rows) // 2]), ("held", rows[len(rows) // 2 :])]


def test_a_transformer_is_one_that_sentence_transformers_reads_alike(
    pairs: Path, tiny_bert: Path, tmp_path: Path
) -> None:
    from sentence_transformers import SentenceTransformer

    options = TrainEmbedderOptions(system="transformer", base=str(tiny_bert), sizes=(16,), pack=True)
    card = train_embedder([pairs], tmp_path / "out", options, FEW_STEPS)
    assert card.epoch == 1, "one epoch is better than none"
    texts = ["the storm hit the coast", "a storm", "coast " * 40]
    ours = load_embedder(tmp_path / "out").embed(texts)
    assert np.allclose(SentenceTransformer(str(tmp_path / "out"), device="cpu").encode(texts), ours, atol=1e-5)
    assert not np.allclose(load_embedder(tiny_bert, max_tokens=32).embed(texts), ours, atol=1e-3)
    short = load_embedder(tmp_path / "out", dims=16).embed(texts)
    assert np.allclose(short, ours[:, :16] / np.linalg.norm(ours[:, :16], axis=1, keepdims=True), atol=1e-6)
    packed = load_embedder(tmp_path / "out" / "int8")
    assert (np.einsum("ij,ij->i", packed.embed(texts), ours) > 0.98).all()


SAME = ("rain fell on us", "it rained on us")
STRANGE = [(left, right, 0) for (left, _), (_, right) in zip(sayings(40), sayings(40, seed=2), strict=True)]
WRONG = [
    ([SAME], {}, "Raise --held-out-share"),
    ([(f"day {n} of rain", f"rain on day {n}", 0) for n in range(40)], {}, "no pairs that say the same"),
    (sayings(40), {"objective": ("binary",)}, "Every pair to learn from is a paraphrase"),
    (STRANGE, {"objective": ("binary",), "hard_negatives": 2}, "Every pair to learn from is no paraphrase"),
    (sayings(40), {"dims": 64}, "has vectors of 32 numbers; there are none of 64"),
    (sayings(40), {"sizes": (33,)}, "the first 33 cannot be taken"),
    (sayings(40), {"objective": ("distil",)}, "learns from a teacher"),
    (sayings(40), {"objective": ("contrastive", "contrastive")}, "each once"),
    (sayings(40), {"base": "characters"}, "learns from a collection"),
    (sayings(40), {"chosen_by": "roc-auc"}, "Every held-out pair is a paraphrase"),
    (sayings(40), {"pack": True}, "in 8 bits already"),
    (sayings(40), {"system": "transformer", "base": "no-such-model"}, "is not on this machine"),
    (sayings(40), {"teacher": "fast"}, "judges no pairs"),
    (sayings(40), {"temperature": 0.0}, "must be above 0"),
]


@pytest.mark.parametrize(("rows", "changed", "complaint"), WRONG, ids=[complaint for _, _, complaint in WRONG])
def test_what_nothing_can_be_learned_from_is_refused_and_leaves_no_folder(
    rows: Pairs, changed: dict[str, object], complaint: str, base: Path, tmp_path: Path
) -> None:
    header = "left\tright\tlabel" if len(rows[0]) == 3 else "left\tright"
    file = written(tmp_path / "pairs.tsv", rows, header)
    with pytest.raises(InputError, match=complaint):
        train_embedder([file], tmp_path / "out", replace(static(base), **changed))  # type: ignore[arg-type]
    assert not (tmp_path / "out").exists()


def test_held_out_pairs_are_never_learned_from(base: Path, tmp_path: Path) -> None:
    known = sayings(60)
    file = written(tmp_path / "pairs.tsv", known)
    held_out = written(tmp_path / "held.tsv", [*sayings(20, seed=2), *((right, left) for left, right in known[:5])])
    options = static(base, held_out=held_out)
    with pytest.raises(InputError, match=r"5 held-out pairs of held\.tsv are also training pairs"):
        train_embedder([file], tmp_path / "out", options, QUICK)
    sets = read_embedder_sets([file], replace(options, drop_shared=True))
    assert len(sets.left) == 55
    assert len(sets.held_out.truth) == 25


def test_without_torch_the_error_says_what_to_install(
    pairs: Path, base: Path, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    hidden = "import sys; sys.modules['torch'] = None\n" + CHILD
    words = ["train", "embedder", str(pairs), "--base", str(base), "--out", str(tmp_path / "out")]
    done = servers.run(hidden, words, folder=tmp_path, environment=child_environment)
    assert done.returncode != 0
    assert "pip install 'paraloom[train]'" in " ".join(done.stderr.split())
    assert not (tmp_path / "out").exists()
