"""Evaluation by use: good pairs help, copies do not, and nothing of the test is learned from."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from paraloom.errors import InputError
from paraloom.metrics.holm import holm
from paraloom.metrics.significance import Comparison
from paraloom.reports.use import CONTROL, FIGURES, WITH, WITHOUT, Gain, verdict
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


def test_a_gain_is_no_surer_where_test_pairs_are_repeated(folder: Path, tmp_path: Path) -> None:
    """Pairs that share a text are drawn together."""
    header, *lines = (folder / "test.tsv").read_text(encoding="utf-8").splitlines()
    thrice = tmp_path / "thrice.tsv"
    thrice.write_text("\n".join([header, *(line for line in lines for _ in range(3))]) + "\n", encoding="utf-8")
    once, again = (
        evaluate_use(folder / "train.tsv", folder / "good.tsv", test, QUICK) for test in (folder / "test.tsv", thrice)
    )
    for name in FIGURES:
        wanted, found = (one.gain(name, CONTROL).comparison for one in (once, again))
        assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))
        assert found.p_value == pytest.approx(wanted.p_value)
    assert "|draws:groups|" in again.signature


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
    good = read_generated_pairs(folder / "good.tsv").pairs
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
    ("g.tsv", "source\toutput\na\tb\n", [("a", "b")]),
    ("g.tsv", "id\tsource\toutput\n7\ta\tb\n", [("a", "b")]),
    ("g.csv", "output,source\nb,a\n", [("a", "b")]),
    ("g.jsonl", '{"source": "a", "output": "b"}\n', [("a", "b")]),
]


@pytest.mark.parametrize(("name", "text", "pairs"), GENERATED)
def test_generated_pairs_are_read_however_they_are_written(
    tmp_path: Path, name: str, text: str, pairs: list[Pair]
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert read_generated_pairs(tmp_path / name).pairs == pairs


REFUSED_FILES = [
    ("g.tsv", "left\tright\tlabel\na\tb\t0\n", "line 2: this pair is labelled as no paraphrase"),
    ("g.jsonl", '{"source": "a", "outputs": "b"}\n', "line 1: outputs is str, not a list"),
    ("g.jsonl", '{"source": "a", "outputs": [{"txt": "b"}]}\n', "an output is"),
    ("g.jsonl", '{"source": "a", "outputs": []}\n', "holds no generated pair"),
    ("g.tsv", "7\ta\tb\n", "3 columns, and its first line names neither left and right nor source and output"),
    ("g.tsv", "source\ttext\na\tb\n", "no column 'right' or 'output'; it has source, text, left"),
    (
        "g.jsonl",
        '{"source": "a", "outputs": ["b"]}\n{"source": " ", "outputs": ["c"]}\n',
        "line 2: the source is empty",
    ),
]


@pytest.mark.parametrize(("name", "text", "told"), REFUSED_FILES)
def test_generated_pairs_that_cannot_be_used_are_refused(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        read_generated_pairs(tmp_path / name)


REFUSED_OPTIONS = [
    (UseOptions(runs=0), "--runs 0"),
    (UseOptions(held_out_share=1.0), "--held-out-share 1.0"),
    (UseOptions(train_pairs=1), "--train-pairs 1"),
    (UseOptions(seed=-1), "--seed -1"),
    (UseOptions(resamples=0), "0 resamples are none"),
    (UseOptions(generated_columns=("label=1",)), "--generated-columns label"),
    (UseOptions(held_out_share=0.001), "held out are all of one kind"),
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
    pairs = [(pair, number % 2) for number, pair in enumerate(read_generated_pairs(folder / "good.tsv").pairs)]
    return write(folder / "all.tsv", pairs)


def test_columns_of_generated_pairs_are_named_on_their_own(tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text("id\tprompt\ttext\n7\ta\tb\n", encoding="utf-8")
    for columns in ({"left": "prompt", "right": "text"}, {"left": "2", "right": "text"}):
        assert read_generated_pairs(tmp_path / "g.tsv", columns).pairs == [("a", "b")]
    (tmp_path / "bare.tsv").write_text("7\ta\tb\n8\tc\t\n", encoding="utf-8")
    found = read_generated_pairs(tmp_path / "bare.tsv", {"left": "2", "right": "3"})
    assert found.pairs == [("a", "b")]
    assert [note for note in found.notes if "line 1 is read as data; columns 2, 3 are taken for left, right" in note]
    assert "1 of 2 generated outputs are empty and were left out." in found.notes


VERDICTS = [
    # f1, mcc, max-f1, average precision against `without`: difference and p; then against `control`
    ([(0.1, 0.001), (0.1, 0.9), (0.1, 0.9), (0.0, 0.9)], [(0.1, 0.001)] * 4, "The generated pairs help (F1 +0.100)."),
    ([(0.1, 0.04), (0, 1), (0, 1), (0, 1)], [(0.1, 0.001)] * 4, "The generated pairs change nothing"),
    ([(-0.1, 0.001), (0, 1), (0, 1), (0, 1)], [(0.1, 0.001)] * 4, "The generated pairs do harm (F1 \u22120.100)."),
    (
        [(-0.1, 0.001), (0, 1), (0, 1), (0.2, 0.001)],
        [(0.1, 0.001)] * 4,
        "The generated pairs help by some metrics (average precision +0.200) and do harm by others (F1 \u22120.100).",
    ),
    (
        [(0.1, 0.001), (0, 1), (0, 1), (0.2, 0.001)],
        [(0, 1), (0, 1), (0, 1), (0.1, 0.001)],
        "The generated pairs help (average precision +0.200, F1 +0.100); only by average precision more than",
    ),
    ([(0.1, 0.001)] * 4, [(0, 1)] * 4, "but training paraphrases drawn again help as much."),
]


@pytest.mark.parametrize(("over_training", "over_control", "told"), VERDICTS)
def test_the_verdict_names_what_changes_and_allows_for_the_number_of_metrics(
    folder: Path, over_training: list[tuple[float, float]], over_control: list[tuple[float, float]], told: str
) -> None:
    options = UseOptions(runs=1, resamples=20)
    evaluation = evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "test.tsv", options)
    gains = [
        Gain(ours=WITH, other=other, comparison=seen(name, difference, p), p_holm=p_holm)
        for other, given in ((WITHOUT, over_training), (CONTROL, over_control))
        for name, (difference, p), p_holm in zip(FIGURES, given, holm([p for _, p in given]), strict=True)
    ]
    assert told in verdict(replace(evaluation, gains=tuple(gains)))
    assert [gain.p_holm for gain in evaluation.gains[:4]] == holm(
        [gain.comparison.p_value for gain in evaluation.gains[:4]]
    )


def seen(name: str, difference: float, p_value: float) -> Comparison:
    return Comparison(
        name=name,
        ours=0.5 + difference,
        other=0.5,
        difference=difference,
        p_value=p_value,
        method="bootstrap",
        low=None,
        high=None,
        resamples=20,
        seed=1,
    )


def test_a_leak_is_one_whatever_its_case_and_white_space(folder: Path, tmp_path: Path) -> None:
    test = [line.split("\t") for line in (folder / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    good = read_generated_pairs(folder / "good.tsv").pairs
    generated = write_pairs(tmp_path / "leaking.tsv", [*good, (f" {test[0][0].upper()} ", "new words")])
    train = (folder / "train.tsv").read_text(encoding="utf-8")
    again = train.splitlines()[1].upper()
    leak = "\t".join([test[2][1].title().replace(" ", "  "), test[2][0], test[2][2]])
    (tmp_path / "train.tsv").write_text(f"{train}{leak}\n{again}\n", encoding="utf-8")
    evaluation = evaluate_use(tmp_path / "train.tsv", generated, folder / "test.tsv", QUICK)
    assert evaluation.notes == (
        "1 training pairs repeat another and were left out.",
        "1 training pairs are test pairs too and were left out.",
        "1 generated pairs hold a text of the test pairs and were left out.",
    )


def test_training_pairs_that_contradict_or_are_the_test_are_refused(folder: Path, tmp_path: Path) -> None:
    train = (folder / "train.tsv").read_text(encoding="utf-8")
    left, right, label = train.splitlines()[1].split("\t")
    (tmp_path / "train.tsv").write_text(f"{train}{right}\t{left}\t{1 - int(label)}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 92: this pair is labelled 0, but 1 in line 2"):
        evaluate_use(tmp_path / "train.tsv", folder / "good.tsv", folder / "test.tsv", QUICK)
    with pytest.raises(InputError, match=r"Every training pair of .*train.tsv is a test pair of"):
        evaluate_use(folder / "train.tsv", folder / "good.tsv", folder / "train.tsv", QUICK)
