"""Evaluation by use: good pairs help, copies do not, and nothing of the test is learned from."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from paraloom.errors import InputError
from paraloom.reports.use import CONTROL, WITHOUT, verdict
from paraloom.workflows.evaluate.generated_pairs import read_generated_pairs
from paraloom.workflows.evaluate.negatives import NEGATIVES, by_overlap
from paraloom.workflows.evaluate.use import evaluate_use
from paraloom.workflows.evaluate.use_options import UseOptions

SYLLABLES = [first + second for first in "bdfgklmnprst" for second in "aeiou"]
QUICK = UseOptions(runs=3, resamples=200)
Pair = tuple[str, str]


def sentence(random: Random) -> list[str]:
    return ["".join(random.choices(SYLLABLES, k=3)) for _ in range(8)]


def rewritten(random: Random) -> Pair:
    """A paraphrase: seven of eight words are kept, in another order."""
    words = sentence(random)
    kept = words[:7]
    return " ".join(words), " ".join([*kept[::2], sentence(random)[0], *kept[1::2][::-1]])


def alike(random: Random, kept: int) -> Pair:
    """No paraphrase: both begin with the same words and say something else."""
    words = sentence(random)
    return " ".join(words), " ".join(words[:kept] + sentence(random)[kept:])


def copied(random: Random) -> Pair:
    text = " ".join(sentence(random))
    return text, text


def write(path: Path, labelled: list[tuple[Pair, int]]) -> Path:
    lines = [f"{left}\t{right}\t{label}" for (left, right), label in labelled]
    path.write_text("\n".join(["left\tright\tlabel", *lines]) + "\n", encoding="utf-8")
    return path


def write_pairs(path: Path, pairs: list[Pair]) -> Path:
    path.write_text("\n".join(["left\tright", *(f"{left}\t{right}" for left, right in pairs)]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Training pairs whose paraphrases are copies; a test whose paraphrases are rewritten."""
    made = tmp_path_factory.mktemp("use")
    random = Random(7)
    train = [(copied(random), 1) for _ in range(30)]
    train += [(alike(random, random.randrange(0, 3)), 0) for _ in range(60)]
    test = [(rewritten(random), 1) for _ in range(80)] + [(alike(random, 5), 0) for _ in range(120)]
    write(made / "train.tsv", train)
    write(made / "test.tsv", test)
    write_pairs(made / "good.tsv", [rewritten(random) for _ in range(60)])
    write_pairs(made / "copies.tsv", [copied(random) for _ in range(60)])
    return made


def test_pairs_that_teach_something_are_a_gain_over_training_and_over_the_control(folder: Path) -> None:
    evaluation = evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", QUICK)
    for other in (WITHOUT, CONTROL):
        gain = evaluation.gain("average-precision", other).comparison
        assert gain.difference > 0.05
        assert gain.low is not None
        assert gain.low > 0
        assert gain.p_value < 0.05
    assert verdict(evaluation).startswith("The generated pairs help (average precision +0.")
    assert (evaluation.generated, evaluation.test_pairs, evaluation.notes) == (60, 200, ())


def test_copies_are_no_gain(folder: Path) -> None:
    evaluation = evaluate_use(folder / "train.tsv", folder / "copies.tsv", folder / "test.tsv", QUICK)
    gain = evaluation.gain("average-precision").comparison
    assert gain.difference < 0.01
    assert not verdict(evaluation).startswith("The generated pairs help (")
    assert "60 of 60 generated pairs are copies of their source." in evaluation.notes


def test_the_same_seed_gives_the_same_figures_and_the_json_has_every_way_of_training(folder: Path) -> None:
    first, second = (
        evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", QUICK) for _ in range(2)
    )
    assert first == second
    written = json.loads(json.dumps(first.as_json(), allow_nan=False))
    assert set(written["systems"]) == {"without", "control", "with"}
    for arm in written["systems"].values():
        assert set(arm["metrics"]) == {"f1", "mcc", "max-f1", "average-precision"} == set(arm["signature"])
        assert all(len(runs) == 3 for runs in arm["runs"].values())
    assert "negatives:repeat" in first.signature


def test_what_is_in_the_test_is_not_learned_from(folder: Path, tmp_path: Path) -> None:
    test = [line.split("\t") for line in (folder / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    good = read_generated_pairs(folder / "good.tsv")
    leaking = [*good, (test[0][0], "new words"), (test[1][1], test[1][0])]
    train = (folder / "train.tsv").read_text(encoding="utf-8")
    (tmp_path / "train.tsv").write_text(
        train + "\t".join([test[2][1], test[2][0], test[2][2]]) + "\n", encoding="utf-8"
    )
    generated = write_pairs(tmp_path / "leaking.tsv", leaking)
    evaluation = evaluate_use(tmp_path / "train.tsv", generated, folder / "test.tsv", QUICK)
    assert "2 generated pairs hold a text of the test pairs and were left out." in evaluation.notes
    assert "1 training pairs are test pairs too and were left out." in evaluation.notes
    clean = evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", QUICK)
    assert evaluation.figures == clean.figures


@pytest.mark.parametrize("negatives", list(NEGATIVES))
def test_the_share_of_paraphrases_stays_unless_nothing_is_added(folder: Path, negatives: str) -> None:
    options = UseOptions(runs=1, resamples=20, negatives=negatives)  # type: ignore[arg-type]
    evaluation = evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", options)
    if negatives == "none":
        assert evaluation.added_negatives == 0
    else:
        assert 60 < evaluation.added_negatives < 240


def test_overlapping_negatives_link_no_known_paraphrases() -> None:
    generated = [("the storm hit", "a storm struck"), ("the storm passed", "it is over")]
    learned = {("the storm hit", "the storm has hit"): True, ("the storm passed", "the storm hit town"): False}
    found = by_overlap(generated, learned, 2, Random(1))
    assert dict(found) == {"the storm hit": "the storm hit town", "the storm passed": "the storm hit"}


GENERATED = [
    ("g.jsonl", '{"source": "a b", "outputs": [{"text": "b a", "score": 0.5}, {"text": " "}]}\n', [("a b", "b a")]),
    ("g.jsonl", '{"source": "a", "outputs": ["b", "c"]}\n', [("a", "b"), ("a", "c")]),
    ("g.jsonl", '{"left": "a", "right": "b"}\n', [("a", "b")]),
    ("g.tsv", "a\tb\nc\td\n", [("a", "b"), ("c", "d")]),
    ("g.tsv", "left\tright\tlabel\na\tb\t1\n", [("a", "b")]),
]


@pytest.mark.parametrize(("name", "text", "pairs"), GENERATED)
def test_generated_pairs_are_read_however_they_are_written(
    tmp_path: Path, name: str, text: str, pairs: list[Pair]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_generated_pairs(tmp_path / name) == pairs


REFUSED_FILES = [
    ("g.tsv", "left\tright\tlabel\na\tb\t0\n", "line 2: this pair is labelled as no paraphrase"),
    ("g.jsonl", '{"source": "a", "outputs": "b"}\n', "line 1: outputs is str, not a list"),
    ("g.jsonl", '{"source": "a", "outputs": [{"txt": "b"}]}\n', "an output is"),
    ("g.jsonl", '{"source": "a", "outputs": []}\n', "holds no generated pair"),
]


@pytest.mark.parametrize(("name", "text", "told"), REFUSED_FILES)
def test_generated_pairs_that_cannot_be_used_are_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_generated_pairs(tmp_path / name)


REFUSED_OPTIONS = [
    (UseOptions(runs=0), "--runs 0"),
    (UseOptions(held_out=1.0), "--held-out 1.0"),
    (UseOptions(train_pairs=1), "--train-pairs 1"),
    (UseOptions(held_out=0.001), "held out are all of one kind"),
    (UseOptions(identifier="nobody"), "no identifier 'nobody'"),
]


@pytest.mark.parametrize(("options", "told"), REFUSED_OPTIONS)
def test_options_that_train_nothing_are_refused(folder: Path, options: UseOptions, told: str) -> None:
    with pytest.raises(InputError, match=told):
        evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", options)


def test_generated_pairs_that_are_all_of_the_test_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="Every generated pair holds a text of the test pairs"):
        evaluate_use(folder / "train.tsv", folder / "good.tsv", all_of(folder), QUICK)


def all_of(folder: Path) -> Path:
    pairs = [(pair, number % 2) for number, pair in enumerate(read_generated_pairs(folder / "good.tsv"))]
    return write(folder / "all.tsv", pairs)
