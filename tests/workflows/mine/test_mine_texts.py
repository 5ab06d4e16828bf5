"""Mining from Python: a list of texts, the neighbours of each, and texts that the embedder knows nothing of."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from paraloom.engine.store import read_table
from paraloom.errors import InputError, NotMade, TargetTaken
from paraloom.models.embedders import load_embedder
from paraloom.pairs.mine_options import MinedPairOptions
from paraloom.workflows.mine.mine import mine
from paraloom.workflows.mine.mine_texts import TextPair, mine_texts
from paraloom.workflows.mine.neighbour_tables import read_neighbours
from paraloom.workflows.mine.options import JudgeOptions, MineOptions
from tests.workflows.mine.conftest import TOLD
from tests.workflows.mine.small_runs import small_options

TEXTS = [*TOLD[:60], TOLD[0].upper(), "two\nlines of\ttext", "", "half \ud83d a pair", *TOLD[60:70]]


def options(embedder: str, *, identify: bool = False) -> MineOptions:
    judge = JudgeOptions(identifier="ngram-regression", identify=identify, keep_negatives=True)
    return replace(small_options(embedder), pairs=MinedPairOptions(min_similarity=0.3), judge=judge)


@pytest.fixture(scope="module")
def run(embedder: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of sentences of which some are in scripts that the embedder has no piece of."""
    folder = tmp_path_factory.mktemp("unknown")
    strange = ["ꦱꦼꦭꦩꦠ꧀", "ꯈꯨꯔꯨꯝꯖꯔꯤ", "ᬲᬸᬓ᭄ᬲ᭄ᬫ"]
    (folder / "said.txt").write_text("\n".join([*TOLD[:40], *strange]) + "\n", encoding="utf-8")
    assert not load_embedder(embedder).embed(strange).any()
    mine([folder / "said.txt"], folder / "run", options(embedder))
    return folder / "run"


def test_pairs_name_the_places_of_texts_in_the_list(embedder: str, tmp_path: Path) -> None:
    pairs = mine_texts(TEXTS, options(embedder), out=tmp_path / "run")
    assert len(pairs) > 50
    vectors = load_embedder(embedder).embed([" ".join(text.split()) for text in TEXTS]).astype(np.float64)
    for pair in pairs:
        assert vectors[pair.left] @ vectors[pair.right] == pytest.approx(pair.similarity, abs=0.02)
        assert pair.score is None
    places = {place for pair in pairs for place in (pair.left, pair.right)}
    assert 0 in places
    assert not places & {60, TEXTS.index("")}, "of copies the first is named, and an empty text is in no pair"
    margins = [pair.margin for pair in pairs]
    assert margins == sorted(margins, reverse=True)
    assert mine_texts(TEXTS, options(embedder)) == pairs, "nothing is kept where nothing is asked to be"
    assert [row["text"] for row in read_table(tmp_path / "run", "sentences").to_pylist() if "lines of" in row["text"]]


def test_judged_pairs_come_with_scores(embedder: str, tmp_path: Path) -> None:
    pairs = mine_texts(TOLD[:30], options(embedder, identify=True))
    assert {type(pair.score) for pair in pairs} == {float}
    assert [pair.score for pair in pairs] == sorted((pair.score or 0.0 for pair in pairs), reverse=True)
    assert {pair.is_paraphrase for pair in pairs} <= {True, False}
    assert all(isinstance(pair, TextPair) for pair in pairs)


def test_a_run_is_of_one_list_of_texts(embedder: str, tmp_path: Path) -> None:
    first = mine_texts(TOLD[:20], options(embedder), out=tmp_path / "run")
    assert mine_texts(iter(TOLD[:20]), options(embedder), out=tmp_path / "run") == first
    with pytest.raises(TargetTaken, match="other texts"):
        mine_texts(TOLD[:21], options(embedder), out=tmp_path / "run")
    with pytest.raises(InputError, match="no texts"):
        mine_texts([], options(embedder), out=tmp_path / "none")
    with pytest.raises(InputError, match="name of a file"):
        mine_texts(TOLD[:20], options(embedder), out=tmp_path / "pairs.tsv")


def test_neighbours_are_those_of_brute_force(run: Path, embedder: str) -> None:
    tables = list(read_neighbours(run))
    rows = pa.concat_tables(tables).to_pylist()
    kept = {row["sentence_id"]: row["text"] for row in read_table(run, "sentences").to_pylist()}
    vectors = dict(zip(kept, load_embedder(embedder).embed(list(kept.values())).astype(np.float64), strict=True))
    of: dict[str, list[dict[str, object]]] = {}
    for row in rows:
        of.setdefault(row["sentence_id"], []).append(row)
    assert len(of) == 40, "who is known"
    for sentence_id, its in of.items():
        assert [row["place"] for row in its] == [1, 2, 3, 4, 5]
        cosines = sorted(
            (vectors[sentence_id] @ vectors[other] for other in kept if other != sentence_id), reverse=True
        )
        assert [row["similarity"] for row in its] == pytest.approx(cosines[:5], abs=0.02)
        assert [vectors[sentence_id] @ vectors[row["neighbour_id"]] for row in its] == pytest.approx(
            [row["similarity"] for row in its], abs=0.02
        )
    with pytest.raises(NotMade, match="no neighbours"):
        next(read_neighbours(run.parent))


def test_texts_that_the_embedder_knows_nothing_of_are_counted_and_named(run: Path, embedder: str) -> None:
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    unknown = summary["search"]["unknown"]
    assert unknown["count"] == 3
    assert sorted(unknown["examples"]) == sorted(["ꦱꦼꦭꦩꦠ꧀", "ꯈꯨꯔꯨꯝꯖꯔꯤ", "ᬲᬸᬓ᭄ᬲ᭄ᬫ"])
    page = (run / "report.html").read_text(encoding="utf-8")
    assert "3 sentences have a vector of zeros, 7.0% of all" in page
    assert "ꦱꦼꦭꦩꦠ꧀" in page
    told = mine([run.parent / "said.txt"], run, options(embedder)).told
    (line,) = [line for line in told if "knows nothing" in line]
    assert line.startswith("Of 3 sentences (7.0%) the embedder drawn knows nothing, such as “")
    assert "--embedder characters" in line


def test_where_few_are_unknown_no_other_embedder_is_advised(embedder: str, tmp_path: Path) -> None:
    (tmp_path / "said.txt").write_text("\n".join([*TOLD[:60], "ꦱꦼꦭꦩꦠ꧀"]) + "\n", encoding="utf-8")
    told = " ".join(mine([tmp_path / "said.txt"], tmp_path / "run", options(embedder)).told)
    assert "Of 1 sentence (1.6%) the embedder drawn knows nothing, such as “ꦱꦼꦭꦩꦠ꧀”" in told
    assert "--embedder characters" not in told
