"""Labelled pairs become an identifier with a card: whatever the system, without leaks, and resumable."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from sklearn.metrics import average_precision_score

from paraloom.corpus.leakage import shared_pairs, shared_texts
from paraloom.errors import InputError, TargetTaken
from paraloom.models.identifiers import load
from paraloom.models.identifiers.esim import Esim
from paraloom.models.training.curve import read_curve
from paraloom.models.training.plan import PlanOptions, TrainingPlan
from paraloom.workflows.train.identifier import train_identifier
from paraloom.workflows.train.identifier_options import TrainIdentifierOptions
from paraloom.workflows.train.system_settings import untrained_system
from paraloom.workflows.train.training_sets import read_sets
from tests.forked import ForkServer, servers
from tests.workflows.interrupted import Interrupted

torch.set_num_threads(1)  # tiny models; threads of torch that wait for each other starve a busy machine

QUICK = PlanOptions(epochs=2, batch_size=16, learning_rates=(0.003, 0.01), max_tokens=32, device="cpu")
NGRAMS = TrainIdentifierOptions(system="ngram-regression", resamples=50)
SUBJECTS = ["storm", "river", "market", "team", "whale", "mayor"]
CHILD = "import sys; from paraloom.cli import main; main()"
NO_TORCH = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
"""


def rows(number: int, seed: int = 1) -> list[tuple[str, str, float]]:
    """Pairs about a day each, so that no two share a text."""
    draw = random.Random(seed)
    found = []
    for day in range(number):
        subject, same = draw.choice(SUBJECTS), draw.random() < 0.5
        left = f"the {subject} came to the town on day {seed} {day}"
        right = f"on day {seed} {day} the {subject} came to town" if same else f"nothing of note on {seed} {day}"
        found.append((left, right, float(same)))
    return found


def written(path: Path, pairs: Sequence[tuple[object, ...]], header: str = "left\tright\tlabel") -> Path:
    path.write_text(header + "\n" + "".join("\t".join(map(str, pair)) + "\n" for pair in pairs), encoding="utf-8")
    return path


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return written(tmp_path / "pairs.tsv", rows(200))


def transformer(tiny_bert: Path, **more: object) -> TrainIdentifierOptions:
    return TrainIdentifierOptions(base=str(tiny_bert), resamples=50, **more)


def test_a_classical_system_is_trained_and_saved_with_its_card(pairs: Path, tmp_path: Path) -> None:
    card = train_identifier([pairs], tmp_path / "out", NGRAMS)
    assert card.figures[0].metrics["f1"].value > 0.9
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        "README.md",
        "identifier.json",
        "made_by.json",
        "training.json",
    }
    identifier = load(tmp_path / "out")
    assert identifier.signature == card.signature
    readme = (tmp_path / "out" / "README.md").read_text()
    assert f"`{card.signature}`" in readme
    assert "| pairs.tsv | loose | 180 |" in readme
    assert "fitted in one go" in readme
    assert "## Limits" in readme
    assert not re.search(r"\n\n\n", readme)
    told = json.loads((tmp_path / "out" / "training.json").read_text())
    assert told["metrics"]["f1"] == card.figures[0].metrics["f1"].value
    assert "f1" in card.as_text()


def test_a_network_is_trained_with_a_curve_a_chart_and_seeds(pairs: Path, tiny_bert: Path, tmp_path: Path) -> None:
    said: list[str] = []
    card = train_identifier([pairs], tmp_path / "out", transformer(tiny_bert, seeds=(1, 2)), QUICK, tell=said.append)
    files = {file.name for file in (tmp_path / "out").iterdir()}
    assert {"README.md", "identifier.json", "model.safetensors", "training.json", "training.svg"} <= files
    assert "unfinished" not in files
    curve = read_curve(tmp_path / "out" / "training.json")
    assert len(curve) == 4
    assert card.learning_rate == max(curve, key=lambda point: point.f1).learning_rate
    assert set(card.seeds) == {"1", "2"}
    assert card.kept_seed == max(card.seeds, key=lambda seed: card.seeds[seed]["loose"])
    assert sum("held-out F1" in line for line in said) == 2 * 4 + 2
    drawing = ElementTree.parse(tmp_path / "out" / "training.svg").getroot()
    assert drawing.tag.endswith("svg")
    assert "F1 on held-out pairs" in drawing.get("aria-label", "")
    readme = (tmp_path / "out" / "README.md").read_text()
    assert "![F1 on held-out pairs while training](training.svg)" in readme
    assert f"| {card.kept_seed} (kept) |" in readme
    assert f"- parameters: {card.parameters:,}" in readme
    assert load(tmp_path / "out").signature == card.signature


def test_the_card_tells_the_learning_rates_that_were_tried(pairs: Path, tiny_bert: Path, tmp_path: Path) -> None:
    card = train_identifier(
        [pairs], tmp_path / "out", transformer(tiny_bert), replace(QUICK, learning_rates=None, epochs=1)
    )
    assert card.plan["learning_rates"] == [1e-5, 2e-5, 3e-5, 5e-5]
    assert list(dict.fromkeys(point["learning_rate"] for point in card.more["curve"])) == [1e-5, 2e-5, 3e-5, 5e-5]


def test_a_finished_folder_is_not_trained_again_and_another_training_is_refused(
    pairs: Path, tiny_bert: Path, tmp_path: Path
) -> None:
    options, out = transformer(tiny_bert), tmp_path / "out"
    card = train_identifier([pairs], out, options, QUICK)
    said: list[str] = []
    again = train_identifier([pairs], out, options, replace(QUICK, device="auto"), tell=said.append)
    assert said == []
    assert again.as_json() == card.as_json()
    assert again.as_text() == card.as_text()
    for other, complaint in [
        ({"plan": replace(QUICK, epochs=3)}, "plan was"),
        ({"options": replace(options, seeds=(2,))}, r"seeds was \[1\], is \[2\]"),
        ({"options": replace(options, split_seed=2)}, "held-out pairs was"),
        ({"options": replace(options, system="bi-encoder")}, "system was 'cross-encoder', is 'bi-encoder'"),
    ]:
        given = {"options": options, "plan": QUICK} | other
        with pytest.raises(TargetTaken, match=complaint):
            train_identifier([pairs], out, given["options"], given["plan"])


def test_a_training_that_was_killed_goes_on_and_ends_the_same(
    pairs: Path, tiny_bert: Path, tmp_path: Path, torch_forks: ForkServer
) -> None:
    words = ["train", "identifier", str(pairs), "--base", str(tiny_bert), "--out", str(tmp_path / "killed")]
    words += ["--epochs", "5", "--batch-size", "16", "--learning-rates", "0.003", "0.01", "--max-tokens", "32"]
    words += ["--device", "cpu", "--resamples", "50"]
    training = Interrupted(torch_forks, words)
    training.kill_when_said("held-out F1", 3)
    assert not (tmp_path / "killed" / "identifier.json").exists()
    assert (tmp_path / "killed" / "unfinished" / "seed-1" / "training-1" / "reached.pt").exists()
    assert "going on at learning rate 0.003, step" in training.go_on()
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as the killed one has: sums over two threads differ in their last digits
    try:
        train_identifier([pairs], tmp_path / "whole", transformer(tiny_bert), replace(QUICK, epochs=5))
    finally:
        torch.set_num_threads(threads)
    for name in ("model.safetensors", "identifier.json"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_pairs_that_share_a_text_are_never_parted(tmp_path: Path) -> None:
    chains = [(f"seed {n // 5}", f"text {n}", float(n % 2)) for n in range(100)]
    file = written(tmp_path / "chains.tsv", chains)
    sets = read_sets([file], TrainIdentifierOptions(held_out_share=0.2), {}, with_grades=False)
    learned = list(zip(sets.examples[0].left, sets.examples[0].right, strict=True))
    held = list(zip(sets.held_out[0].left, sets.held_out[0].right, strict=True))
    assert len(held) == 20
    assert len(learned) == 80
    assert shared_texts(learned, held) == []
    other = read_sets([file], TrainIdentifierOptions(held_out_share=0.2, split_seed=2), {}, with_grades=False)
    assert other.held_out[0].left != sets.held_out[0].left


def test_a_group_column_is_never_parted_either(tmp_path: Path) -> None:
    file = written(
        tmp_path / "grouped.tsv",
        [(*pair, f"topic {number % 8}") for number, pair in enumerate(rows(80))],
        "left\tright\tlabel\tgroup",
    )
    sets = read_sets([file], TrainIdentifierOptions(held_out_share=0.15), {}, with_grades=False)
    days = {text.split()[-1] for text in sets.held_out[0].left}
    assert {int(day) % 8 for day in days} == {int(next(iter(days))) % 8}


def test_held_out_pairs_may_be_given_and_leaks_are_refused_or_left_out(pairs: Path, tmp_path: Path) -> None:
    fresh, known = rows(30, seed=2), rows(200)
    turned = [(right.upper() + "!", left, label) for left, right, label in known[:7]]
    held_out = written(tmp_path / "held.tsv", [*fresh, *turned])
    options = replace(NGRAMS, held_out=held_out)
    with pytest.raises(
        InputError, match=r"7 held-out pairs of held\.tsv are also training pairs of pairs\.tsv.*--drop-shared"
    ):
        train_identifier([pairs], tmp_path / "out", options)
    assert not (tmp_path / "out").exists()
    card = train_identifier([pairs], tmp_path / "out", replace(options, drop_shared=True))
    assert [(one["name"], one["training_pairs"], one["held_out_pairs"]) for one in card.sources] == [
        ("pairs.tsv", 193, 0),
        ("held.tsv", 0, 37),
    ]
    assert any("7 training pairs that are also held out are left out" in note for note in card.notes)
    learned = [(left, right) for left, right, _ in known[7:]]
    assert shared_pairs(learned, [(left, right) for left, right, _ in turned]) == []


def test_published_corpora_bring_their_definition_and_their_dev_split(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (data / "msrp").mkdir(parents=True)
    header = "\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    written(
        data / "msrp" / "msr_paraphrase_train.txt",
        [(int(label), 1, 2, left, right) for left, right, label in rows(120)],
        header,
    )
    options = replace(NGRAMS, corpora=("msrp",), data=data)
    card = train_identifier([], tmp_path / "out", options)
    assert card.definitions == ("loose",)
    assert card.sources[0]["training_pairs"] + card.sources[0]["held_out_pairs"] == 120
    assert card.sources[0]["held_out_pairs"] == 12


def test_files_and_corpora_of_several_definitions_are_learned_at_once(tmp_path: Path, tiny_bert: Path) -> None:
    data = tmp_path / "data"
    (data / "multipit" / "expert").mkdir(parents=True)
    for split, number, seed in (("train", 100, 3), ("dev", 40, 4)):
        lines = ["sentence1,sentence2,label"] + [
            f"{left},{right},{int(label)}" for left, right, label in rows(number, seed)
        ]
        (data / "multipit" / "expert" / f"{split}.csv").write_text("\n".join(lines) + "\n")
    loose = written(tmp_path / "loose.tsv", rows(100, 5))
    card = train_identifier(
        [loose], tmp_path / "out", transformer(tiny_bert, corpora=("multipit-expert",), data=data), QUICK
    )
    assert set(card.definitions) == {"loose", "strict"}
    assert set(card.as_json()["metrics"]) == {"loose", "strict"}
    assert [one["held_out_pairs"] for one in card.sources] == [10, 40]
    identifier = load(tmp_path / "out")
    assert not np.array_equal(identifier.score(["a"], ["b"], "loose"), identifier.score(["a"], ["b"], "strict"))


def test_grades_are_learned_and_measured(tmp_path: Path, tiny_bert: Path) -> None:
    draw = random.Random(1)
    graded = [(left, right, draw.choice(["2", "3", "4", "4>", "4<s"])) for left, right, _ in rows(150)]
    options = transformer(tiny_bert, system="graded-heads")
    file = written(tmp_path / "graded.tsv", graded)
    card = train_identifier([file], tmp_path / "out", options, QUICK)
    assert card.definitions == ("graded",)
    assert card.graded is not None
    assert "Complete graded labels: accuracy" in (tmp_path / "out" / "README.md").read_text()
    assert "complete labels: accuracy" in card.as_text()
    assert train_identifier([file], tmp_path / "out", options, QUICK).graded == card.graded
    with pytest.raises(InputError, match=r"bad\.tsv, line 2: '5' is no graded label"):
        train_identifier([written(tmp_path / "bad.tsv", [("a", "b", "5")])], tmp_path / "bad", options, QUICK)


def test_entailments_teach_mutual_implication(tmp_path: Path, tiny_bert: Path) -> None:
    told = [(left, right, "entailment" if label else "neutral") for left, right, label in rows(120, 7)]
    options = transformer(
        tiny_bert, system="mutual-implication", entailments=(written(tmp_path / "nli.tsv", told),), definition="strict"
    )
    card = train_identifier([written(tmp_path / "pairs.tsv", rows(100))], tmp_path / "out", options, QUICK)
    assert card.definitions == ("strict",)
    assert load(tmp_path / "out").entailment(["the storm came"], ["it came"])[0] > 0
    folder = tmp_path / "nli" / "scitail"
    folder.mkdir(parents=True)
    (folder / "dev.txt").write_text(
        "".join(f"{left}\t{right}\t{int(label != 'entailment')}\n" for left, right, label in told)
    )
    published = replace(options, entailments=(tmp_path / "nli",))
    train_identifier([tmp_path / "pairs.tsv"], tmp_path / "published", published, QUICK)
    asked = ["the storm came"], ["it came"]
    assert load(tmp_path / "published").entailment(*asked) == load(tmp_path / "out").entailment(*asked)
    with pytest.raises(InputError, match=r"holds no corpus of entailment\. snli is skipped: "):
        train_identifier([tmp_path / "pairs.tsv"], tmp_path / "no", replace(options, entailments=(folder,)), QUICK)
    with pytest.raises(InputError, match="--entailments are for --system mutual-implication"):
        train_identifier([tmp_path / "pairs.tsv"], tmp_path / "other", replace(options, system="cross-encoder"), QUICK)


def test_soft_labels_and_settings_are_taken(tmp_path: Path, tiny_bert: Path) -> None:
    soft = [(left, right, 0.9 if label else "false") for left, right, label in rows(100)]
    options = transformer(tiny_bert, system="bi-encoder", settings=("objective=classification",))
    train_identifier([written(tmp_path / "soft.tsv", soft)], tmp_path / "out", options, QUICK)
    assert load(tmp_path / "out").objective == "classification"


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"system": "oracle"}, "no system 'oracle'.*cross-encoder"),
    ({"definition": "vague"}, "no definition 'vague'.*loose"),
    ({"base": "roberta-base"}, "ngram-regression has no setting 'base'. It has: language"),
    ({"settings": ("language",)}, "not of the form NAME=VALUE"),
    ({"settings": ("regularisation=much",)}, "regularisation must be a number"),
    ({"settings": ("fitted={}",)}, "has no setting 'fitted'"),
    ({"seeds": ()}, "at least one"),
    ({"seeds": (1, 1)}, "each once"),
    ({"held_out_share": 1.0}, "is no share"),
    ({"corpora": ("msrp",)}, "--data FOLDER"),
    ({"data": Path(".")}, "--corpora NAME"),
    ({"held_out": Path("nowhere.tsv")}, "no file nowhere.tsv"),
    ({"system": "graded-heads", "definition": "loose"}, "learns grades"),
    ({"system": "edit-distance", "settings": ("unit=letters",)}, "Edits of 'letters'"),
    ({"system": "multip", "settings": ("rounds=2.5",)}, "rounds must be a whole number"),
    ({"system": "multip", "settings": ("seen=a",)}, "no setting 'seen'. It has: rounds, longest_phrase, language"),
    ({"system": "cascade", "settings": ("encoder=abc",)}, "no setting 'encoder'"),
    ({"system": "cascade", "settings": ("low=abc",)}, "low must be a number or null"),
    ({"system": "wmf-sim", "settings": ("lexical=1",)}, "lexical must be true or false"),
    ({"system": "text-to-text", "settings": ("words=yes",)}, "give 2 values with commas"),
    ({"system": "paraloom", "settings": ("folder=nowhere",)}, "There is no nowhere/card.json"),
    ({"system": "esim", "settings": ("plan=long",)}, "no setting 'plan'"),
]


SET: list[tuple[str, str, str, object]] = [
    ("cascade", "low=0.25", "low", 0.25),
    ("cascade", "high=1", "high", 1.0),
    ("cascade", "low=null", "low", None),
    ("deep-pairwise-word", "side=48", "side", 48),
    ("bi-encoder", "objective=classification", "objective", "classification"),
    ("text-to-text", "words=ja,nein", "words", ("ja", "nein")),
    ("edit-distance", "normalised=true", "normalised", True),
    ("wmf-sim", "further_sentences=all.txt", "further_sentences", "all.txt"),
    ("ngram-regression", "language=1", "language", "1"),
]


@pytest.mark.parametrize(("system", "written", "name", "value"), SET)
def test_a_setting_is_read_by_its_kind(system: str, written: str, name: str, value: object) -> None:
    found = getattr(untrained_system(TrainIdentifierOptions(system=system, settings=(written,))), name)
    assert (found, type(found)) == (value, type(value))


def test_a_system_keeps_its_own_plan_but_for_what_is_asked() -> None:
    options = TrainIdentifierOptions(system="esim")
    assert untrained_system(options).plan == Esim().plan != TrainingPlan()
    usual = PlanOptions(epochs=5, batch_size=32, weight_decay=0.01)
    asked = untrained_system(options, usual).plan
    assert (asked.epochs, asked.batch_size, asked.weight_decay) == (5, 32, 0.01)
    assert asked.learning_rates == Esim().plan.learning_rates


def test_what_pairs_are_about_is_told_when_they_are_measured_too(tmp_path: Path) -> None:
    """A system that learned with topics is measured with them: it is another one without."""
    draw = random.Random(3)
    names = ["Ann Lee", "Bo Day", "Cy Fox", "Di Orr"]
    lines = []
    for number in range(160):
        topic, same = draw.choice(names), draw.random() < 0.5
        said = draw.sample(SUBJECTS, 2)
        other = said if same else draw.sample([one for one in SUBJECTS if one not in said], 2)
        lines.append((f"{topic} {number} {' '.join(said)}", f"{' '.join(other)} {number} {topic}", int(same), topic))
    file = written(tmp_path / "topics.tsv", lines, "left\tright\tlabel\ttopic")
    options = TrainIdentifierOptions(system="multip", resamples=20, held_out_share=0.5)
    card = train_identifier([file], tmp_path / "out", options)
    held_out = read_sets([file], options, {}, with_grades=False).held_out[0]
    identifier, truth = load(tmp_path / "out"), np.asarray(held_out.targets) > 0.5
    with_topics = identifier.score(held_out.left, held_out.right, topics=held_out.topics)
    assert with_topics.tolist() != identifier.score(held_out.left, held_out.right).tolist()
    measured = card.figures[0].metrics["average-precision"].value
    assert measured == pytest.approx(average_precision_score(truth, with_topics))


@pytest.mark.parametrize(("options", "complaint"), REFUSED)
def test_what_cannot_be_done_is_refused_before_anything_is_written(
    options: dict[str, object], complaint: str, pairs: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=complaint):
        train_identifier([pairs], tmp_path / "out", replace(NGRAMS, **options))
    assert not (tmp_path / "out").exists()


BAD_FILES: list[tuple[str, str]] = [
    ("left\tright\nstorm\tgale\n", "no column 'label'"),
    ("left\tright\tlabel\n", "no row"),
    ("left\tright\tlabel\nstorm\tgale\tmaybe\n", r"line 2: the label is 'maybe', but must be 1 or 0"),
    ("left\tright\tlabel\nstorm\tgale\t4\n", r"line 2: the label is '4'"),
    ("left\tright\tlabel\n" + "".join(f"left {n}\tright {n}\t1\n" for n in range(40)), "is a paraphrase"),
    ("left\tright\tlabel\nstorm\tgale\t1\nstorm\train\t0\n", "hang together"),
]


@pytest.mark.parametrize(("content", "complaint"), BAD_FILES)
def test_a_bad_file_is_an_error_with_its_line(content: str, complaint: str, tmp_path: Path) -> None:
    (tmp_path / "bad.tsv").write_text(content)
    with pytest.raises(InputError, match=complaint):
        train_identifier([tmp_path / "bad.tsv"], tmp_path / "out", NGRAMS)
    with pytest.raises(InputError, match="nothing to learn from"):
        train_identifier([], tmp_path / "out", NGRAMS)
    with pytest.raises(InputError, match=r"has no training plan. Leave out --epochs"):
        train_identifier([tmp_path / "bad.tsv"], tmp_path / "out", NGRAMS, PlanOptions(epochs=1))


def test_a_folder_of_something_else_is_left_alone(pairs: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("mine")
    with pytest.raises(TargetTaken, match="no training has left"):
        train_identifier([pairs], tmp_path / "notes", NGRAMS)
    with pytest.raises(InputError, match="is a file"):
        train_identifier([pairs], pairs, NGRAMS)


@pytest.mark.parametrize("system", ["random", "edit-distance", "ngram-regression"])
def test_a_classical_system_needs_no_torch(
    system: str, pairs: Path, tmp_path: Path, child_environment: dict[str, str]
) -> None:
    code = (
        f"{NO_TORCH}\n"
        "from paraloom.workflows.train.identifier import train_identifier\n"
        "from paraloom.workflows.train.identifier_options import TrainIdentifierOptions\n"
        f"train_identifier([{str(pairs)!r}], {str(tmp_path / 'out')!r}, "
        f"TrainIdentifierOptions(system={system!r}, resamples=20))"
    )
    done = servers.run(code, (), folder=tmp_path, environment=child_environment)
    assert done.returncode == 0, done.stderr
    assert load(tmp_path / "out").name == system


def test_a_missing_torch_is_an_error_with_the_pip_line(
    pairs: Path, tmp_path: Path, tiny_bert: Path, child_environment: dict[str, str]
) -> None:
    code = f"{NO_TORCH}\n{CHILD}"
    words = ["train", "identifier", str(pairs), "--base", str(tiny_bert), "--out", str(tmp_path / "out")]
    done = servers.run(code, words, folder=tmp_path, environment=child_environment)
    assert done.returncode == 1
    assert "pip install 'paraloom[train]'" in done.stderr
