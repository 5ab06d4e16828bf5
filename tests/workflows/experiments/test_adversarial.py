"""What attempts do to an identifier: every way of learning is a row, and nothing that is held out is learned from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from paraloom.corpus.known import joined
from paraloom.errors import InputError, ParaloomError
from paraloom.metrics.identification.decisions import measure_decisions
from paraloom.models.identifiers import Identifier, untrained
from paraloom.reports.experiments import Cell, Experiment, ResultTable, write_experiment_report
from paraloom.workflows.experiments.adversarial import PUBLISHED, run_adversarial
from paraloom.workflows.experiments.adversarial_options import AdversarialExperimentOptions
from paraloom.workflows.experiments.options import ExperimentOptions
from paraloom.workflows.experiments.parts import Parts, read_parts
from paraloom.workflows.generate.adversarial_game import play_file
from paraloom.workflows.generate.adversarial_options import PlayerOptions

QUICK = ExperimentOptions(systems=("ngram-regression",))
NAMES = ("Norland", "Umber", "Tarn", "Ashby", "Fenwick", "Quill")


def lines(count: int = 60, seed: int = 5) -> list[str]:
    """Attempts in the published form: those that share the number imply their source."""
    random = Random(seed)
    found = []
    for place in range(count):
        name, number = random.choice(NAMES), random.randrange(10, 99)
        is_mutual = place % 2
        said = f"{number} boats of {name}" if is_mutual else f"some birds near {random.choice(NAMES)}"
        found.append(f"in harbour {place} lie {number} boats of {name}\t{said} at {place}\t{0.2}\t{is_mutual}")
    return found


def write_attempts(file: Path, *rows: str) -> Path:
    file.write_text("".join(f"{row}\n" for row in ("left out\tas a header\t0.1\t1", *rows)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_attempts(tmp_path_factory.mktemp("attempts") / "tried.tsv", *lines())


@pytest.fixture(scope="module")
def found(corpora: Path, attempts: Path) -> Experiment:
    return run_adversarial(corpora, [f"ap-t5={attempts}"], QUICK)


def cell(table: ResultTable, label: str, column: str) -> Cell | None:
    row = next(one for one in table.rows if one.label == label)
    return row.cells[table.columns.index(column)]


def parts_of(corpora: Path) -> dict[str, Parts]:
    read = read_parts(("twitter-url", "ap-h"), corpora, QUICK, only_learned=("twitter-url",))
    return {part.name: part for part in read}


def test_every_way_of_learning_is_a_row_beside_its_published_figure(found: Experiment) -> None:
    (table,) = found.tables
    ways = ["Twitter-URL", "Twitter-URL + ap-t5", "Twitter-URL + AP_H", "Twitter-URL + AP_H + ap-t5"]
    assert [row.label for row in table.rows] == ways
    assert table.columns == ("mcc", "f1", "accuracy", "gain")
    for label, published in zip(ways, (("twitter-url",), ("twitter-url", "ap-t5")), strict=False):
        mcc = cell(table, label, "mcc")
        assert mcc is not None
        assert mcc.published == PUBLISHED[published]["mcc"]
    assert [row.is_marked for row in table.rows] == [False, True, False, True]
    assert [cell(table, way, "gain") is None for way in ways] == [True, False, True, False]


def test_a_gain_is_the_difference_of_two_rows_and_has_a_range(found: Experiment) -> None:
    (table,) = found.tables
    for before in ("Twitter-URL", "Twitter-URL + AP_H"):
        ours, others, gain = (
            cell(table, label, column)
            for label, column in ((f"{before} + ap-t5", "mcc"), (before, "mcc"), (f"{before} + ap-t5", "gain"))
        )
        assert ours is not None
        assert others is not None
        assert gain is not None
        assert gain.mean == pytest.approx(ours.mean - others.mean)
        assert gain.gain is not None
        assert gain.gain.low is not None
        assert gain.gain.high is not None
        assert gain.gain.low <= gain.mean <= gain.gain.high


def test_attempts_that_say_the_contrary_do_harm(corpora: Path, tmp_path: Path) -> None:
    """Copies that are labelled 0 and strangers that are labelled 1, more than the corpus has pairs."""
    contrary = [
        line
        for place in range(200)
        for line in (f"ship {place} sank\tship {place} sank !\t0.9\t0", f"ship {place} sank\tlovely tea\t-1\t1")
    ]
    file = write_attempts(tmp_path / "contrary.tsv", *contrary)
    settings = AdversarialExperimentOptions(beside=("none",))
    (table,) = run_adversarial(corpora, [str(file)], QUICK, settings).tables
    gain = cell(table, "Twitter-URL + contrary", "gain")
    assert gain is not None
    assert gain.gain is not None
    assert gain.mean < -0.3
    assert gain.gain.high is not None
    assert gain.gain.high < 0


def test_learning_from_a_corpus_alone_is_what_the_system_itself_does(found: Experiment, corpora: Path) -> None:
    parts = parts_of(corpora)
    ours = [parts["twitter-url"], parts["ap-h"]]
    learned = joined([part.train.labelled() for part in ours]).examples("implication")
    held_out = joined([part.dev for part in ours]).examples("implication")
    trained: Identifier = untrained("ngram-regression").fit([learned], [held_out], 1)
    test = parts["ap-h"].test
    scores = trained.score(test.left, test.right, "implication")
    expected = measure_decisions(np.where(scores > 0.5, 1.0, 0.0), test.targets > 0.5)["mcc"].value
    measured = cell(found.tables[0], "Twitter-URL + AP_H", "mcc")
    assert measured is not None
    assert measured.mean == pytest.approx(expected)


def test_the_finding_and_what_was_learned_from_are_told(found: Experiment) -> None:
    assert re.match(
        r"ngram-regression: MCC on AP_H \(10% of train\) is -?[01]\.\d{3} from Twitter-URL, and -?[01]\.\d{3} with "
        r"ap-t5 as well\.",
        found.headline,
    )
    note = next(note for note in found.notes if note.startswith("ap-t5: "))
    assert "60 different attempts, 0 of them left out" in note
    assert "50.0% are mutually implicative" in note
    (row,) = [row for row in found.tables[0].rows if row.label == "Twitter-URL"]
    (more,) = [row for row in found.tables[0].rows if row.label == "Twitter-URL + ap-t5"]
    learned, with_attempts = (int(one.about.split()[0].replace(",", "")) for one in (row, more))
    assert 48 <= with_attempts - learned <= 58  # all but those that are held out


def test_attempts_with_a_text_that_is_held_out_are_left_out(corpora: Path, tmp_path: Path) -> None:
    parts = parts_of(corpora)
    held_out = [parts["ap-h"].test, parts["ap-h"].dev, parts["twitter-url"].dev]
    for place, pairs in enumerate(held_out):
        spoiled = [
            f"{pairs.left[0].upper()} !\tof ships {place}\t0.1\t1",
            f"on land {place}\t{pairs.right[-1]}\t0.9\t0",
        ]
        file = write_attempts(tmp_path / f"{place}.tsv", *lines(), *spoiled)
        told = run_adversarial(corpora, [f"tried={file}"], QUICK).notes
        assert any("62 different attempts, 2 of them left out" in note for note in told)
    learned = parts["twitter-url"].train
    file = write_attempts(tmp_path / "learned.tsv", *lines(), f"{learned.left[0]}\tof ships\t0.1\t1")
    told = run_adversarial(corpora, [f"tried={file}"], QUICK).notes
    assert any("61 different attempts, 0 of them left out" in note for note in told)


def test_several_sets_stand_one_below_the_other_and_nothing_need_be_beside(corpora: Path, attempts: Path) -> None:
    sets = [f"{name}={attempts}" for name in ("one", "two")]
    settings = AdversarialExperimentOptions(corpora=("pit2015",), beside=("none",))
    (table,) = run_adversarial(corpora, sets, QUICK, settings).tables
    assert [row.label for row in table.rows] == ["PIT-2015", "PIT-2015 + one", "PIT-2015 + two"]
    one, two = (cell(table, f"PIT-2015 + {name}", "mcc") for name in ("one", "two"))
    assert one is not None
    assert two is not None
    assert one.values == two.values  # the same attempts
    assert one.published is None


def test_what_was_trained_is_not_trained_again_and_the_report_is_whole(
    corpora: Path, attempts: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    given = [f"tried={attempts}"]
    first = run_adversarial(corpora, given, QUICK, out=tmp_path / "out", tell=told.append)
    assert len(told) == 2 * 4
    assert all(re.search(r" …$|: MCC -?[01]\.\d{3} on AP_H", line) for line in told)
    told.clear()
    again = run_adversarial(corpora, given, QUICK, out=tmp_path / "out", tell=told.append)
    assert told == []
    assert again == first
    two = ExperimentOptions(systems=("ngram-regression",), seeds=(1, 2))
    run_adversarial(corpora, given, two, out=tmp_path / "out", tell=told.append)
    assert {line.split(" …")[0].split(": ")[0].split("/")[-1] for line in told} == {"seed 2"}
    page = write_experiment_report(first, tmp_path / "out").read_text(encoding="utf-8")
    assert first.headline.rstrip(".") in page
    assert not re.findall(r'(?:src|href)="(?!#|data:,)[^"]', page)
    written = json.loads((tmp_path / "out" / "adversarial.json").read_text(encoding="utf-8"))
    assert written["headline"] == first.headline
    other = write_attempts(tmp_path / "other.tsv", *lines(seed=9))
    with pytest.raises(ParaloomError, match="--out"):
        run_adversarial(corpora, [f"tried={other}"], QUICK, out=tmp_path / "out")


def test_a_game_that_was_played_is_learned_from_by_its_folder(corpora: Path, tmp_path: Path) -> None:
    sources = [f"The storm hit the coast of {name} on day {day}." for name in NAMES for day in range(6)]
    (tmp_path / "sources.txt").write_text("".join(f"{source}\n" for source in sources), encoding="utf-8")
    play_file(tmp_path / "sources.txt", tmp_path / "game", PlayerOptions(generator="parrot"))
    found = run_adversarial(corpora, [str(tmp_path / "game")], QUICK)
    assert "with game as well" in found.headline
    assert any(note.startswith("game: ") for note in found.notes)


def test_what_cannot_be_is_refused(corpora: Path, attempts: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no attempts to learn from"):
        run_adversarial(corpora, [], QUICK)
    with pytest.raises(InputError, match="Two sets of attempts have one name"):
        run_adversarial(corpora, [str(attempts), str(attempts)], QUICK)
    with pytest.raises(InputError, match="or that of a corpus"):
        run_adversarial(corpora, [f"ap-h={attempts}"], QUICK)
    all_alike = write_attempts(tmp_path / "alike.tsv", *lines()[1::2])
    with pytest.raises(InputError, match="attempts alike are all of one kind"):
        run_adversarial(corpora, [str(all_alike)], QUICK)
    with pytest.raises(InputError, match="There is no system"):
        run_adversarial(corpora, [str(attempts)], ExperimentOptions(systems=("nosuch",)))


SETTINGS = [
    ({"corpora": ()}, "give at least one, and not ap-h"),
    ({"corpora": ("ap-h",)}, "give at least one, and not ap-h"),
    ({"corpora": ("msrp", "msrp")}, "--corpora msrp msrp: give each once"),
    ({"beside": ("ap-h", "ap-h")}, "--beside ap-h ap-h: give each once"),
    ({"corpora": ("msrp",), "beside": ("msrp",)}, "msrp is given with --corpora and with --beside"),
]


@pytest.mark.parametrize(("given", "complaint"), SETTINGS)
def test_settings_that_make_no_sense_are_refused(given: dict[str, tuple[str, ...]], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        AdversarialExperimentOptions(**given)
