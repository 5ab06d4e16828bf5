"""A run that is judged, judged otherwise or not judged after all: what is dear is kept, what follows from it is made
anew, and no pair is judged twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from paraloom.engine import store
from paraloom.errors import TargetTaken
from paraloom.models.identifiers import load
from paraloom.models.identifiers.ngram_regression import NgramRegression
from paraloom.workflows.identify.options import IdentifyOptions
from paraloom.workflows.identify.pair_file import identify_file
from paraloom.workflows.mine import judging_told
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.options import JudgeOptions, MineOptions
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

pytestmark = pytest.mark.usefixtures("small")
DEAR = ("sentences", "vectors", "index", "neighbours", "candidates", "pairs")
SOME = TOLD[:300]


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Every pair that is judged from now on."""
    pairs: list[tuple[str, str]] = []
    score = NgramRegression.score

    def noted(self: NgramRegression, left: Any, right: Any, *definition: Any) -> Any:
        pairs.extend(zip(left, right, strict=True))
        return score(self, left, right, *definition)

    monkeypatch.setattr(NgramRegression, "score", noted)
    return pairs


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("text") / "told.txt"
    file.write_text("\n".join(SOME) + "\n")
    return file


@pytest.fixture(scope="module")
def made(text: Path, embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is judged."""
    run = tmp_path_factory.mktemp("made") / "run"
    with pytest.MonkeyPatch.context() as patch:
        from tests.workflows.mine.small_runs import SMALL

        for name, value in SMALL.items():
            patch.setattr(name, value)
        mine([text], run, small_options(embedder))
    return run


@pytest.fixture
def run(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "run"))


def judging(embedder: str, **changed: Any) -> MineOptions:
    return small_options(embedder, judge=JudgeOptions(**({"identifier": "ngram-regression"} | changed)))


def header(run: Path) -> list[str]:
    return (run / "pairs.tsv").read_text("utf-8").splitlines()[0].split("\t")


def tables(run: Path, names: tuple[str, ...] = ("labels", "clusters")) -> list[Any]:
    return [store.read_table(run, name) for name in names]


def stamps(run: Path, names: tuple[str, ...]) -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for name in names for file in (run / name).rglob("*") if file.is_file()}


def test_pairs_are_judged_later_or_not_after_all_and_what_follows_is_as_if_it_had_been_so_from_the_start(
    made: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    alone = mine([text], tmp_path / "run", judging(embedder, identify=False)).run
    unjudged = (alone / "pairs.tsv").read_bytes(), *tables(alone, ("clusters",))
    dear = stamps(alone, DEAR)
    assert not judged
    mine([text], alone, judging(embedder))
    assert len(judged) == len(store.read_table(alone, "labels"))
    assert tables(alone) == tables(made)
    assert (alone / "pairs.tsv").read_bytes() == (made / "pairs.tsv").read_bytes()
    labels = stamps(alone, ("labels",))
    mine([text], alone, judging(embedder, identify=False))
    assert ((alone / "pairs.tsv").read_bytes(), *tables(alone, ("clusters",))) == unjudged
    assert json.loads((alone / "summary.json").read_text())["labels"] is None
    mine([text], alone, judging(embedder))
    assert tables(alone) == tables(made)
    assert stamps(alone, DEAR) == dear
    assert stamps(alone, ("labels",)) == labels
    assert len(judged) == len(store.read_table(alone, "labels"))


JUDGED_OTHERWISE: list[dict[str, Any]] = [
    {"threshold": 0.985},
    {"threshold": 0.99, "keep_negatives": True},
]


@pytest.mark.parametrize("changed", JUDGED_OTHERWISE, ids=str)
def test_scores_are_kept_when_something_else_is_asked_of_them(
    run: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]], changed: dict[str, Any]
) -> None:
    before = tables(run)
    mine([text], run, judging(embedder, **changed))
    assert not judged
    assert all(now != was for now, was in zip(tables(run), before, strict=True))
    fresh = mine([text], tmp_path / "fresh", judging(embedder, **changed)).run
    assert judged
    assert tables(run) == tables(fresh)
    assert (run / "pairs.tsv").read_bytes() == (fresh / "pairs.tsv").read_bytes()


def test_when_more_pairs_are_to_be_judged_those_that_were_not_are(
    made: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    few = mine([text], tmp_path / "run", judging(embedder, judge_most=40)).run
    assert len(judged) == 40
    told = mine([text], few, judging(embedder)).told
    assert len(judged) == len(set(judged)) == len(store.read_table(made, "labels"))
    assert tables(few) == tables(made)
    assert any("judged to be paraphrases (40 scores are taken from run)" in line for line in told)
    assert json.loads((few / "summary.json").read_text())["taken"] == {"run": 40}


def test_scores_are_not_thrown_away_because_fewer_are_asked_for(
    run: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    count = len(store.read_table(run, "labels"))
    mine([text], run, judging(embedder, judge_most=count))
    with pytest.raises(TargetTaken, match=rf"options\.judge_most was {count}, is 40"):
        mine([text], run, judging(embedder, judge_most=40))
    fewer = mine([run], tmp_path / "fewer", judging(embedder, judge_most=40)).run
    assert len(store.read_table(fewer, "labels")) == 40
    assert not judged


def test_an_identifier_is_the_same_however_its_folder_is_written(
    text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    load("ngram-regression").save(tmp_path / "mine")
    monkeypatch.chdir(tmp_path)
    run = mine([text], tmp_path / "run", judging(embedder, identifier="mine")).run
    before = stamps(run, ("labels",))
    judged.clear()
    for spelled in ("./mine", str(tmp_path / "mine") + "/"):
        mine([text], run, judging(embedder, identifier=spelled))
    assert not judged
    assert stamps(run, ("labels",)) == before


def test_another_identifier_is_refused_before_anything_is_made_and_the_tables_to_delete_are_named(
    run: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    load("ngram-regression").save(tmp_path / "other")
    shutil.rmtree(run / "pairs")
    store.made_by_file(run, "pairs").unlink()
    with pytest.raises(TargetTaken, match=r"labels was made another way \(options.identifier") as refused:
        mine([text], run, judging(embedder, identifier=str(tmp_path / "other")))
    assert str(refused.value).endswith(f"or delete {run}/clusters*, {run}/labels* to make it anew.")
    assert not (run / "pairs").exists()
    assert not judged


def test_a_run_that_grows_judges_the_pairs_that_are_new(
    made: Path, text: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    more = tmp_path / "more.txt"
    more.write_text("\n".join(TOLD[280:420]) + "\n")
    whole = mine([text, more], tmp_path / "whole", judging(embedder)).run
    judged.clear()
    grown = mine([made, more], tmp_path / "grown", judging(embedder))
    assert tables(grown.run, ("pairs", "labels", "clusters")) == tables(whole, ("pairs", "labels", "clusters"))
    known = {row["pair_id"] for row in store.read_table(made, "labels").to_pylist()}
    all_judged = {row["pair_id"] for row in store.read_table(grown.run, "labels").to_pylist()}
    assert len(judged) == len(all_judged - known) > 0
    taken = len(all_judged & known)
    assert json.loads(grown.summary.read_text())["taken"] == {"run": taken}
    assert any(f"({taken:,} scores are taken from run)" in line for line in grown.told)


def test_a_score_is_not_taken_for_a_sentence_that_is_written_otherwise_now(
    made: Path, embedder: str, tmp_path: Path, judged: list[tuple[str, str]]
) -> None:
    shouted = tmp_path / "0 first.txt"
    shouted.write_text("\n".join(line.upper() for line in SOME[:60]) + "\n")
    grown = mine([made, shouted], tmp_path / "grown", judging(embedder)).run
    before, now = (
        {row["pair_id"]: (row["left"], row["right"]) for row in store.read_table(each, "pairs").to_pylist()}
        for each in (made, grown)
    )
    labelled = [row["pair_id"] for row in store.read_table(grown, "labels").to_pylist()]
    assert sorted(judged) == sorted(now[pair] for pair in labelled if before.get(pair) != now[pair])
    assert any(pair in before for pair in labelled if before.get(pair) != now[pair])
    assert len(judged) < len(labelled)


def test_a_file_of_pairs_that_nobody_judged_goes_into_an_identifier_as_it_is(
    text: Path, embedder: str, tmp_path: Path
) -> None:
    run = mine([text], tmp_path / "run", judging(embedder, identify=False)).run
    assert not {"score", "is_paraphrase"} & {*header(run)}
    identify_file(str(run / "pairs.tsv"), str(tmp_path / "judged.tsv"), IdentifyOptions(model="ngram-regression"))
    assert len((tmp_path / "judged.tsv").read_text().splitlines()) > 100


def test_a_person_is_told_how_long_judging_takes_and_how_to_wait_less(
    run: Path, text: Path, embedder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging_told, "FEW", 10)
    heard: list[str] = []
    whole = mine([text], tmp_path / "whole", judging(embedder), tell=heard.append).run
    judged = len(store.read_table(whole, "labels"))
    (line,) = heard
    assert line.startswith(f"{judged:,} pairs wait to be judged by ngram-regression, for about ")
    assert "--judge-most N" in line
    assert "--no-identify" in line
    heard.clear()
    mine([text], run, judging(embedder, threshold=0.3), tell=heard.append)
    assert heard == []  # there is nothing to wait for
