"""Pairs become a generator with a card: a Llama's adapter or a network, without leaks, counted, and resumable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
import pytest
import torch

from paraloom.errors import InputError, TargetTaken
from paraloom.models.generators.llama_generator import LlamaGenerator
from paraloom.models.generators.loading import load_generator
from paraloom.models.generators.transformers_lm import TransformersGenerator
from paraloom.models.identifiers import Examples, untrained
from paraloom.models.training.plan import PlanOptions
from paraloom.pairs.fit_options import FitOptions
from paraloom.workflows.train.generator import train_generator
from paraloom.workflows.train.generator_options import TrainGeneratorOptions
from paraloom.workflows.train.generator_sets import read_generator_sets
from tests.forked import ForkServer
from tests.models.generators.tiny_language_models import make_tiny
from tests.models.language_models.tiny_gguf import WORDS, write_tiny_llama
from tests.workflows.interrupted import Interrupted

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = PlanOptions(epochs=2, batch_size=16, learning_rates=(1e-2,), device="cpu")
OPEN = FitOptions(max_bleu=100.0, facts="any", near_copies=True)
"""For texts of so few words that filters would leave little of them."""

Pairs = Sequence[tuple[object, ...]]


def sayings(number: int, seed: int = 1) -> list[tuple[str, str]]:
    """Any few words, and the same ones the other way round."""
    draw = Random(seed)
    found = [draw.sample(WORDS, 4) for _ in range(number)]
    return [(" ".join(words), " ".join(reversed(words))) for words in found]


def written(path: Path, pairs: Pairs, header: str = "left\tright") -> Path:
    path.write_text(header + "\n" + "".join("\t".join(map(str, pair)) + "\n" for pair in pairs), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("pairs") / "pairs.tsv", sayings(60))


@pytest.fixture(scope="module")
def gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("base") / "tiny.gguf")


@pytest.fixture(scope="module")
def t5(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny("t5", tmp_path_factory.mktemp("base") / "t5")


def options(base: Path, **more: object) -> TrainGeneratorOptions:
    return TrainGeneratorOptions(base=str(base), **{"held_out_share": 0.2, "rank": 4, **more})  # type: ignore[arg-type]


def test_a_llama_learns_an_adapter_that_runs_without_torch(pairs: Path, gguf: Path, tmp_path: Path) -> None:
    said: list[str] = []
    card = train_generator([pairs], tmp_path / "out", options(gguf), QUICK, fit=OPEN, tell=said.append)
    assert card.after < card.before
    files = {file.name for file in (tmp_path / "out").iterdir()}
    assert files == {
        *("README.md", "adapter.safetensors", "card.json", "generator.json"),
        *("made_by.json", "training.json", "training.svg"),
    }
    generator = load_generator(tmp_path / "out")
    assert isinstance(generator, LlamaGenerator)
    assert (generator.name, generator.signature) == ("out", card.signature)
    # What was learned is in it: held-out texts are likelier than to the base.
    held_out = [(one.source, one.reference) for one in card.written]
    base = LlamaGenerator(gguf, None)
    assert generator.likelihoods(held_out).mean() > base.likelihoods(held_out).mean()
    assert len(card.written) == 5
    outputs = generator.generate([one.source for one in card.written], 1, np.random.default_rng(1))
    assert [one.output for one in card.written] == [found[0].text if found else "" for found in outputs]
    readme = (tmp_path / "out" / "README.md").read_text()
    assert f"`{card.signature}`" in readme
    assert "\n\n\n" not in readme
    assert ElementTree.parse(tmp_path / "out" / "training.svg").getroot().tag.endswith("svg")
    told = json.loads((tmp_path / "out" / "training.json").read_text())
    assert told["metrics"] == {"perplexity": card.after}
    assert len(told["curve"]) == 3
    assert sum("held-out perplexity" in line for line in said) == 3


def test_a_training_goes_on_from_what_an_adapter_has_learned(pairs: Path, gguf: Path, tmp_path: Path) -> None:
    first = train_generator([pairs], tmp_path / "one", options(gguf), QUICK, fit=OPEN)
    again = options(gguf, start=str(tmp_path / "one"))
    second = train_generator([pairs], tmp_path / "two", again, QUICK, fit=OPEN)
    assert second.before == pytest.approx(first.after, rel=0.01)  # but for its 8 bits
    assert second.after < second.before
    assert (first.start, second.start) == ("", again.start)
    readme = (tmp_path / "two" / "README.md").read_text()
    assert f"and what `{again.start}` has learned" in readme
    assert "it may have met them" in readme
    with pytest.raises(TargetTaken):
        train_generator([pairs], tmp_path / "two", options(gguf), QUICK, fit=OPEN)


def test_what_cannot_be_gone_on_from_is_refused(pairs: Path, gguf: Path, t5: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no adapter .* to go on from. Check --start"):
        train_generator([pairs], tmp_path / "out", options(gguf, start=str(tmp_path)), QUICK, fit=OPEN)
    train_generator([pairs], tmp_path / "one", options(gguf), QUICK, fit=OPEN)
    other = write_tiny_llama(tmp_path / "other.gguf", seed=2)
    with pytest.raises(InputError, match=r"has learned over .*other.gguf has other weights"):
        train_generator([pairs], tmp_path / "out", options(other, start=str(tmp_path / "one")), QUICK, fit=OPEN)
    with pytest.raises(InputError, match="--start is for adapters of GGUF files"):
        train_generator([pairs], tmp_path / "out", options(t5, start="paraloom"), QUICK, fit=OPEN)
    with pytest.raises(InputError, match=r"paraloom has learned over smollm2-135m, and .* has other weights"):
        train_generator([pairs], tmp_path / "out", options(gguf, start="paraloom"), QUICK, fit=OPEN)


@pytest.mark.parametrize("less", [{"rank": 1}, {"layers": 1}])
def test_a_start_that_would_be_lost_is_refused_before_any_pair_is_read(
    less: dict[str, int], pairs: Path, gguf: Path, tmp_path: Path
) -> None:
    train_generator([pairs], tmp_path / "one", options(gguf), QUICK, fit=OPEN)
    again = options(gguf, start=str(tmp_path / "one"), filtered=tmp_path / "filtered.jsonl", **less)
    with pytest.raises(InputError, match="more than is to learn there"):
        train_generator([tmp_path / "nowhere.tsv"], tmp_path / "two", again, QUICK, fit=OPEN)
    assert not (tmp_path / "two").exists()


def test_an_adapter_is_not_put_on_another_base(pairs: Path, gguf: Path, tmp_path: Path) -> None:
    base = tmp_path / "mine.gguf"
    base.write_bytes(gguf.read_bytes())
    train_generator([pairs], tmp_path / "out", options(base), QUICK, fit=OPEN)
    write_tiny_llama(base, seed=2)
    with pytest.raises(InputError, match="has others"):
        load_generator(tmp_path / "out")
    base.unlink()
    with pytest.raises(InputError, match="not on this machine"):
        load_generator(tmp_path / "out")
    (tmp_path / "out" / "mine.gguf").write_bytes(gguf.read_bytes())
    assert load_generator(tmp_path / "out").name == "out"


@pytest.mark.parametrize("method", ["full", "low-rank"])
def test_a_network_of_transformers_learns_and_is_loaded_again(
    method: str, pairs: Path, t5: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = train_generator([pairs], tmp_path / "mine", options(t5, method=method), QUICK, fit=OPEN)
    assert card.after < card.before
    generator = load_generator(tmp_path / "mine")
    assert isinstance(generator, TransformersGenerator)
    assert generator.signature == card.signature
    assert generator.card.prompt == "paraphrase: "
    assert generator.name == "mine"
    # The shelf lists what lies on it.
    from paraloom.models.shelf import show_model

    monkeypatch.setenv("PARALOOM_MODELS", str(tmp_path))
    assert (show_model("mine").kind, show_model("mine").about) == ("generator", f"{t5} trained on pairs.tsv")


def test_a_training_that_was_killed_goes_on_and_ends_with_the_same_bytes(
    pairs: Path, gguf: Path, tmp_path: Path, torch_forks: ForkServer
) -> None:
    words = ["train", "generator", str(pairs), "--base", str(gguf), "--out", str(tmp_path / "killed"), "--epochs", "4"]
    words += ["--batch-size", "16", "--learning-rates", "0.01", "0.02", "--device", "cpu", "--rank", "4"]
    words += ["--max-bleu", "100", "--facts", "any", "--near-copies", "--held-out-share", "0.2"]
    training = Interrupted(torch_forks, words)
    training.kill_when_said("held-out perplexity", 4)
    assert not (tmp_path / "killed" / "training.json").exists()
    assert "going on at learning rate 0.01, step" in training.go_on()
    plan = PlanOptions(epochs=4, batch_size=16, learning_rates=(0.01, 0.02), device="cpu")
    train_generator([pairs], tmp_path / "whole", options(gguf), plan, fit=OPEN)
    adapters = [(tmp_path / name / "adapter.safetensors").read_bytes() for name in ("killed", "whole")]
    assert adapters[0] == adapters[1]


def test_a_finished_folder_is_not_trained_again_and_another_training_is_refused(
    pairs: Path, gguf: Path, tmp_path: Path
) -> None:
    card = train_generator([pairs], tmp_path / "out", options(gguf), QUICK, fit=OPEN)
    said: list[str] = []
    again = train_generator([pairs], tmp_path / "out", options(gguf), QUICK, fit=OPEN, tell=said.append)
    assert said == []
    assert again.as_json() == card.as_json()
    assert again.as_text() == card.as_text()
    for other, complaint in [
        (options(gguf, seed=2), "seed was 1, is 2"),
        (options(gguf, rank=8), "base was"),
        (options(gguf, one_way=True), "one way was False"),
    ]:
        with pytest.raises(TargetTaken, match=complaint):
            train_generator([pairs], tmp_path / "out", other, QUICK, fit=OPEN)


STORM = "a heavy storm hit the coast on monday"
SHORE = "the shore was struck by strong winds monday"


def some(number: int) -> list[tuple[str, str]]:
    """Pairs that no filter leaves out."""
    names = [f"{one}{two}" for one in ("ka", "lo", "mi", "ne", "pu") for two in ("ra", "so", "ti", "vu", "xe", "zo")]
    return [(f"{STORM} in the {name} hills", f"{name} hills and {SHORE}") for name in names[:number]]


def test_pairs_are_turned_filtered_counted_and_written(gguf: Path, tmp_path: Path) -> None:
    rows = [(left, right, 1) for left, right in some(20)]
    rows += [(STORM + " .", STORM + " again .", 1), (STORM, "we like cake and tea a lot", 0)]
    file = written(tmp_path / "pairs.tsv", rows, "left\tright\tlabel")
    held = written(tmp_path / "held.tsv", [("our team won", "we had a victory")])
    asked = options(gguf, held_out=held, filtered=tmp_path / "filtered.jsonl")
    sets = read_generator_sets([file], asked, FitOptions(max_bleu=40))
    assert len(sets.pairs) == 40
    assert (sets.pairs[20][1], sets.pairs[20][0]) == sets.pairs[0]
    assert sets.counts == {"bleu": 2, "not_paraphrase": 2}
    assert all(" ." not in source for source, _, _ in sets.rows)
    assert sets.held_out == [("our team won", "we had a victory")]
    one_way = read_generator_sets([file], options(gguf, held_out=held, one_way=True), FitOptions(max_bleu=40))
    assert list(one_way.pairs) == list(sets.pairs[:20])
    train_generator([file], tmp_path / "out", asked, QUICK, fit=FitOptions(max_bleu=40))
    kept = [json.loads(line) for line in (tmp_path / "filtered.jsonl").read_text().splitlines()]
    assert [row["dropped_for"] for row in kept].count(None) == 40
    assert {"left": STORM + ".", "right": STORM + " again.", "dropped_for": "bleu"} in kept


def test_nothing_of_a_test_or_of_what_is_held_out_is_learned_from(t5: Path, tmp_path: Path) -> None:
    rows = [(left, right, f"trend {place}") for place, (left, right) in enumerate(some(12))]
    file = written(tmp_path / "pairs.tsv", rows, "left\tright\ttrend")
    held = written(tmp_path / "held.tsv", [(rows[0][0].upper(), "something else was said of it")])
    lines = tmp_path / "test.txt"
    lines.write_text(f"{rows[1][1]} !\n\n", encoding="utf-8")
    test = tmp_path / "test.jsonl"
    test.write_text(json.dumps({"source": "no such", "references": ["none", rows[2][0]], "trend": "Trend 3"}) + "\n")
    asked = options(t5, held_out=held, never=(lines, test))
    sets = read_generator_sets([file], asked, FitOptions(max_bleu=40))
    assert sets.counts == {"seen_in_test": 8}
    assert {source for source, _ in sets.pairs} == {text for pair in some(12)[4:] for text in pair}


def test_fewer_pairs_are_among_more_and_weights_follow_their_pairs(t5: Path, tmp_path: Path) -> None:
    rows = [(left, right, place) for place, (left, right) in enumerate(some(12))]
    file = written(tmp_path / "pairs.tsv", rows, "left\tright\tworth")
    held = written(tmp_path / "held.tsv", [("our team won", "we had a victory")])

    def drawn(most: int) -> dict[tuple[str, str], float]:
        asked = options(t5, held_out=held, max_pairs=most, weights_column="worth")
        sets = read_generator_sets([file], asked, FitOptions(max_bleu=40))
        assert sets.weights is not None
        assert sets.counts == ({"over_max_pairs": 2 * (12 - most)} if most else {})
        return dict(zip(sets.pairs, sets.weights, strict=True))

    few, more, every = drawn(3), drawn(6), drawn(0)
    assert (len(few), len(more), len(every)) == (6, 12, 24)
    assert few.items() <= more.items() <= every.items()
    assert all(every[left, right] == every[right, left] == weight for left, right, weight in rows)


def test_a_judge_leaves_out_what_is_not_strictly_a_paraphrase(gguf: Path, tmp_path: Path) -> None:
    given = some(12)
    others = [(left, given[place - 1][1].replace("winds", "rows of trees")) for place, (left, _) in enumerate(given)]
    examples = Examples(
        left=[left for left, _ in [*given, *others]],
        right=[right for _, right in [*given, *others]],
        targets=[1.0] * 12 + [0.0] * 12,
        definition="strict",
    )
    untrained("ngram-regression").fit([examples], [examples]).save(tmp_path / "judge")
    file = written(tmp_path / "pairs.tsv", [*given, *others])
    held = written(tmp_path / "held.tsv", [("our team won", "we had a victory")])
    asked = options(gguf, held_out=held, judge=str(tmp_path / "judge"))
    fit = FitOptions(max_bleu=100, facts="any")
    card = train_generator([file], tmp_path / "out", asked, QUICK, fit=fit)
    assert card.left_out["not_strict"] >= 12
    assert card.examples >= 12
    assert card.judge.startswith("ngram-regression|")
    with pytest.raises(InputError, match="not by the strict definition"):
        train_generator([file], tmp_path / "other", options(gguf, held_out=held, judge="ngram-regression"), QUICK)


def test_what_cannot_be_trained_is_refused_before_anything_is_written(pairs: Path, gguf: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for asked, fit, complaint in [
        (options(gguf, method="full"), OPEN, "--method low-rank"),
        (options(gguf, prompt="say: "), OPEN, "Leave them out"),
        (options(tmp_path / "none.gguf"), OPEN, "There is no file"),
        (options(Path("no-such-model")), OPEN, "There is no language model"),
        (options(gguf, never=(tmp_path / "none.tsv",)), OPEN, "none.tsv"),
        (options(gguf, weights_column="worth"), OPEN, "no column 'worth'"),
        (options(gguf), FitOptions(min_words=50), "No example is fit to learn from|No held-out pair is fit"),
    ]:
        with pytest.raises(InputError, match=complaint):
            train_generator([pairs], out, asked, QUICK, fit=fit)
        assert not out.exists()
    with pytest.raises(InputError, match="--rank 0 is too few"):
        options(gguf, rank=0)
